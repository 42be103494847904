"""Networks of the mini parser with random weights beside E5's, and batches for them."""

from __future__ import annotations

import pytest
import torch

from parser.mini.model import MiniNetwork
from parser.mini.symbols import END
from parser.mini.words import read_source
from tests.support.tiny_mini import RECIPE


def network_of(examples, names, seed):
    """A random network."""
    alphabet = examples[1]
    torch.manual_seed(seed)
    network = MiniNetwork(RECIPE.shape(len(alphabet))).eval()
    network.names.copy_(names)
    network.recurs[alphabet.first_role :] = -4 * torch.rand(len(alphabet) - alphabet.first_role)
    torch.nn.init.normal_(network.bias)
    with torch.no_grad():
        network.bias[END] -= 1.0
    return network


@pytest.fixture
def batch(examples, layers, tokenizer):
    sources = [read_source(example.text, example.lang, tokenizer) for example in examples[0]]
    width = max(len(source.ids) for source in sources)
    ids = torch.tensor([source.ids + [0] * (width - len(source.ids)) for source in sources])
    mask = torch.arange(width) < torch.tensor([len(source.ids) for source in sources])[:, None]
    with torch.inference_mode():
        return *layers(ids, mask), mask, sources

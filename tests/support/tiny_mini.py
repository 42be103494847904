"""Share four sentences, their labels and two layers of E5 among the tests of the parser `mini`."""

from __future__ import annotations

import penman
import pytest
import torch

from amrx.e5.tokenizer import E5Tokenizer
from linearize.packed import pack_graph
from parser.mini.flat import flatten
from parser.mini.labels import Labels, build_labels
from parser.mini.model import MiniNetwork
from parser.training.example import Example
from parser.training.mini.pack import Corpus
from parser.training.mini.recipe import Recipe
from parser.training.mini.train import pack_examples

TEXTS = {
    "The boy wants to go.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "Der Junge will gehen.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "Ada saw 12 zebras.": (
        '(s / see-01 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG1 (z / zebra :quant 12))'
    ),
    "He did not sing.": "(s / sing-01 :ARG0 (h / he) :polarity -)",
}
RECIPE = Recipe(
    steps=12, batch=200, warmup=2, save_every=4, width=64, inner=64, layers=1, reader=2,
    dropout=0.0, feature_dropout=0.0, word_dropout=0.0, hint_dropout=0.0,
)  # fmt: skip
NO_HINTS = torch.zeros((0, 4), dtype=torch.long)


@pytest.fixture(scope="session")
def tokenizer(e5_files):
    return E5Tokenizer()


@pytest.fixture(scope="module")
def examples():
    graphs = [pack_graph(penman.decode(graph)) for graph in TEXTS.values()]
    full = build_labels(map(flatten, graphs), 1)
    # "Ada" and 12 can only be copied, sing-01 is no label
    nodes = tuple(node for node in full.nodes if node not in ('"Ada"', "12", "sing-01"))
    made = [Example(text, graph, "en", 4.0) for text, graph in zip(TEXTS, graphs, strict=True)]
    return made, Labels(nodes, full.roles)


@pytest.fixture(scope="module")
def corpus(examples, tokenizer):
    return Corpus(pack_examples(*examples, tokenizer)[0])


def network_of(labels, seed=0, recipe=RECIPE):
    """Return a network with random weights beside E5's."""
    torch.manual_seed(seed)
    network = MiniNetwork(recipe.shape(len(labels), len(labels.roles))).eval()
    torch.nn.init.normal_(network.bias)
    torch.nn.init.normal_(network.names)
    return network

"""bf16:mini: the law of its layers, graphs that do not depend on the batch, and where it is refused."""

from __future__ import annotations

import numpy as np
import penman
import pytest
import torch

from amrx.errors import OptionError
from amrx.muse.model import fastest_dtype
from amrx.types import Sentence
from parser import load
from parser.mini import bfloat16
from parser.mini.bfloat16 import SLICE, Bfloat16Linear

multiplies = pytest.mark.skipif(
    fastest_dtype(torch.device("cpu")) != torch.bfloat16, reason="this processor does not multiply bfloat16"
)
SENTENCES = (
    "The boy wants to go.", "Die drei Katzen schlafen auf dem Sofa, weil es regnet.", "他昨天没有来。",
    "Stop!",    "Two men in red shirts are playing chess in the park near the old bridge.",
)  # fmt: skip


def layer(inputs: int, outputs: int) -> torch.nn.Linear:
    torch.manual_seed(3)
    return torch.nn.Linear(inputs, outputs)


@pytest.mark.parametrize("inputs", [256, 384, 1024, 1536])
def test_a_layer_sums_rounded_products_of_slices(inputs: int) -> None:
    linear = layer(inputs, 64)
    x = torch.randn(7, inputs)
    with torch.inference_mode():
        found = Bfloat16Linear(linear)(x).numpy().astype(np.float64)
    rounded = [values.detach().bfloat16().float().numpy().astype(np.float64) for values in (x, linear.weight)]
    wanted = np.zeros_like(found) + linear.bias.detach().numpy()
    bound = np.zeros_like(found)
    for start in range(0, inputs, SLICE):
        part = rounded[0][:, start : start + SLICE] @ rounded[1][:, start : start + SLICE].T
        wanted += part
        bound += np.abs(part) * 2**-8  # half a step of 8 bits of mantissa
    assert (np.abs(found - wanted) <= bound + 1e-5).all()


@multiplies
@pytest.mark.parametrize("inputs", [256, 384, 1024, 1536])
def test_a_row_does_not_depend_on_the_others(inputs: int) -> None:
    half, x = Bfloat16Linear(layer(inputs, 384)), torch.randn(1536, inputs)
    with torch.inference_mode():
        whole = half(x)
        for rows in (1, 2, 31, 33, 40, 64, 100, 333, 777):
            assert torch.equal(half(x[:rows]), whole[:rows]), rows


@multiplies
def test_graphs_do_not_depend_on_the_batch_and_mini_is_unchanged(e5_files) -> None:
    sentences = [Sentence(str(n), text, "en") for n, text in enumerate(SENTENCES)]
    plain = load("mini")
    before = [penman.encode(parse.graph) for parse in plain.parse(sentences)]
    half = bfloat16.in_bfloat16(plain)
    assert half.fingerprint != plain.fingerprint and "-bf16" in half.fingerprint
    together, alone = half.parse(sentences), half.parse(sentences, batch_size=1)
    assert [parse.graph for parse in together] == [parse.graph for parse in alone]
    assert [penman.encode(parse.graph) for parse in plain.parse(sentences)] == before
    assert penman.encode(together[0].graph) == before[0]
    layers = [part for part in half.network.modules() if isinstance(part, torch.nn.Linear)]
    assert not layers
    assert len(load("voted@2:bf16:mini").parse(sentences[:1])[0].readings) == 3


def test_it_wraps_mini_alone_where_bfloat16_is_fast(e5_files, monkeypatch) -> None:
    with pytest.raises(OptionError, match="bf16 wraps the parser mini, got 'voted"):
        load("bf16:voted:mini")
    monkeypatch.setattr(bfloat16, "fastest_dtype", lambda device: torch.float32)
    with pytest.raises(OptionError, match="cpu does not multiply bfloat16"):
        load("bf16:mini")

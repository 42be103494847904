"""Share short runs of the mini parser's training on three sentences."""

from __future__ import annotations

import penman
import pytest

from linearize import linearize
from linearize.packed import pack
from parser.training.example import Example
from parser.training.mini import train as module
from parser.training.mini.recipe import Recipe

TEXTS = {
    "The boy wants to go.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "He did not sing.": "(s / sing-01 :ARG0 (h / he) :polarity -)",
    "The dog sleeps.": "(s / sleep-01 :ARG0 (d / dog))",
}
RECIPE = Recipe(
    steps=9, batch=200, warmup=2, save_every=2, width=64, inner=64, layers=1, least=1, reader=2,
    learning_rate=3e-3, average=0.5, dropout=0.1, composed=2, relative=2, constructed=2,
)  # fmt: skip


def packed(graph: str) -> list[str]:
    return pack(linearize(penman.decode(graph), form="pointer"))


@pytest.fixture
def small(monkeypatch, e5_files):
    """Three sentences as sembanks, and no constructed ones."""
    without_open_data(monkeypatch)


def without_open_data(monkeypatch):
    """Let a training see the three sentences alone."""

    def sembanks(data, reserved):
        for text, graph in TEXTS.items():
            yield Example(text, packed(graph), "en", 8.0)

    monkeypatch.setattr(module, "sembank_examples", sembanks)
    monkeypatch.setattr(module, "constructions", lambda count, seed: [])
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset())

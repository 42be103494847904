"""Runs of the mini parser's training on three sentences and two pairs: what its tests share."""

from __future__ import annotations

import penman
import pytest

from linearize import linearize
from linearize.packed import pack
from parser.training.example import Example
from parser.training.mini import train as module
from parser.training.mini.recipe import Recipe
from parser.training.mini.task import MiniTask

TEXTS = {
    "The boy wants to go.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "He did not sing.": "(s / sing-01 :ARG0 (h / he) :polarity -)",
    "The dog sleeps.": "(s / sleep-01 :ARG0 (d / dog))",
}
PARALLEL = {"The boy sleeps.": "Der Junge schläft.", "The dog sings.": "Der Hund singt."}
RECIPE = Recipe(
    steps=9, batch=400, warmup=2, save_every=2, width=64, inner=64, encoder=1, decoder=1, least=1,
    learning_rate=(3e-3, 3e-3, 2e-3), average=0.5, soup=(1.0,), project_at=(4, 7), dropout=(0.2, 0.1, 0.0),
    word_dropout=(0.1, 0.05, 0.0), project_weight=(1.0, 0.25), project_pairs=(2, 1), project_beam=(1, 2),
    project_exchanges=(0, 0),
)  # fmt: skip


@pytest.fixture
def small(monkeypatch):
    """Three sentences as sembanks, two pairs as parallel text; returns the texts that were labelled."""
    labelled: list[list[str]] = []

    def sembanks(data, reserved):
        for text, graph in TEXTS.items():
            yield Example(text, pack(linearize(penman.decode(graph), form="pointer")), "en", 8.0)

    def projected(data, reserved, recipe, parse, projection):
        labelled.append(list(PARALLEL))
        graphs = parse(list(PARALLEL))
        assert len(graphs) == len(PARALLEL)
        known = pack(linearize(penman.decode(TEXTS["The dog sleeps."]), form="pointer"))
        for (english, german), graph in zip(PARALLEL.items(), graphs, strict=True):
            yield Example(english, graph or known, "en", 1.0)
            yield Example(german, graph or known, "de", 1.0)

    monkeypatch.setattr(module, "sembank_examples", sembanks)
    monkeypatch.setattr(module, "projected_examples", projected)
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset())
    return labelled


@pytest.fixture
def exchanged(monkeypatch):
    """Two exchanged examples, one of them a sentence for measuring only; returns what they were made from."""
    asked: list[tuple[list[str], int, int]] = []

    def made(parser, examples, known, times, seed):
        assert known == {"boy"}
        asked.append(([example.text for example in examples], times, seed))
        if not examples:
            return
        graph = pack(linearize(penman.decode("(s / sing-01 :ARG0 (b / boy))"), form="pointer"))
        yield Example("The boy sings.", graph, "en", 3.0)
        yield Example("Measured.", graph, "en", 50.0)

    monkeypatch.setattr(module, "exchanged_examples", made)
    monkeypatch.setattr(module, "nouns", lambda graphs: {"boy"} if len(list(graphs)) == len(TEXTS) else set())
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset({"Measured."}))
    return asked


@pytest.fixture
def drawn(monkeypatch):
    """Return, by step, the sum of the weights of what is drawn from."""
    sums: dict[int, float] = {}
    backward = MiniTask.backward

    def watched(task, step):
        sums[step] = float(task.corpus.arrays["pair_weight"].sum())
        return backward(task, step)

    monkeypatch.setattr(MiniTask, "backward", watched)
    return sums


def stopped(*arguments):
    raise KeyboardInterrupt

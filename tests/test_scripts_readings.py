"""scripts/evaluate_readings.py on a handful of pairs, beside figures taken by hand."""

from __future__ import annotations

import json
from zlib import crc32

import numpy as np
import penman
import pytest
from scipy.stats import spearmanr

from amrx.types import Parse
from retrofit.combine import RetrofittedEncoder
from retrofit.weight_fitting import PairCosines, StsbDev
from tests.support.fakes import FakeBase
from tests.support.script_modules import load_script

FIRST, SECOND = ("a dog", "two dogs", "a cat", ""), ("a hound", "one cat", "a cat sat", "a moon")


@pytest.fixture(scope="module")
def evaluate_readings():
    """The script as a module."""
    return load_script("evaluate_readings")


class Graphs:
    """A vector of its own for each concept."""

    name, dimension, fingerprint = "amr", 4, "amr:1"

    def encode_graphs(self, graphs):
        concepts = [graph.instances()[0].target.encode() for graph in graphs]
        return np.array([np.random.default_rng(crc32(c)).normal(size=4) for c in concepts], dtype=np.float32)


class Readings:
    """Gives as many readings as asked for, each of another concept; fails on the empty sentence."""

    fingerprint = "readings:fake"

    def __init__(self, drawn: int):
        self.drawn = drawn

    def concepts(self, text):
        return [text.replace(" ", "") + "o" * (i * len(text) % 3) + "x" * i for i in range(1 + self.drawn)]

    def parse(self, sentences, *, batch_size=64, progress=False):
        made = []
        for sentence in sentences:
            graphs = [penman.decode(f"(a / {c or 'amr-empty'})") for c in self.concepts(sentence.text)]
            status, readings = ("ok", tuple(graphs)) if sentence.text else ("failed", ())
            made.append(Parse(sentence.id, sentence.text, "en", graphs[0], status, readings=readings))
        return made


def side(graphs, concepts):
    return graphs.encode_graphs([penman.decode(f"(a / {concept})") for concept in concepts]).mean(axis=0)


def test_every_part_of_the_readings_is_scored_as_by_hand(evaluate_readings):
    gold = np.array([4.0, 1.0, 3.0, 0.5])
    dev = StsbDev(gold, {"en": [*FIRST, *SECOND]})
    parser = Readings(evaluate_readings.DRAWN[-1])
    base, graphs = FakeBase(), Graphs()
    rows = evaluate_readings.measure(RetrofittedEncoder(base, parser, graphs), graphs, dev)
    assert len(rows) == 1 + 2 * len(evaluate_readings.TAKEN)
    assert [row["encoder"] for row in rows[:3]] == [
        base.name,
        f"{base.name}+{graphs.name}, search",
        "AMR alone, search",
    ]
    alone = {row["encoder"]: row["value"] for row in rows if row["encoder"].startswith("AMR alone")}
    for name, taken in evaluate_readings.TAKEN.items():
        cosines = []
        for pair in zip(FIRST, SECOND, strict=True):
            one, other = (side(graphs, parser.concepts(text)[taken]) if text else None for text in pair)
            there = one is not None and other is not None
            cosines.append(one @ other / np.linalg.norm(one) / np.linalg.norm(other) if there else 0.0)
        expected = 100 * spearmanr(cosines, gold).statistic
        assert alone[f"AMR alone, {name}"] == pytest.approx(expected, abs=0.01)
    beside = [row for row in rows if "weight" in row]
    assert all(row["value"] >= rows[0]["value"] for row in beside)  # weight 0 is on the grid
    json.dumps(rows)


def test_each_genre_has_its_rows(evaluate_readings):
    genres = ["captions"] * 625 + ["forums"] * 375 + ["news"] * 500
    rng = np.random.default_rng(0)
    gold, base, amr = np.tile(rng.normal(size=1500), 2), rng.normal(size=3000), rng.normal(size=3000)
    pairs = PairCosines(
        np.stack([base, amr]), np.ones((2, 3000, 2), dtype=bool), gold, ["en"] * 1500 + ["de"] * 1500,
        genres * 2,
    )  # fmt: skip
    rows = evaluate_readings._rows("both", pairs, (0.5,))
    assert [(row["language"], row["n"]) for row in rows] == [
        ("mean", 1500), ("captions", 625), ("forums", 375), ("news", 500),
    ]  # fmt: skip
    both = (base + 0.25 * amr) / 1.25
    parts = [slice(625, 1000), slice(2125, 2500)]
    expected = np.mean([100 * spearmanr(both[part], gold[part]).statistic for part in parts])
    assert rows[2]["value"] == pytest.approx(expected, abs=0.01)

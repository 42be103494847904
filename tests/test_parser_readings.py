"""Two readings of a sentence: which graphs a parse holds, and what the retrofit makes of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import penman
import pytest

from amrx.errors import OptionError
from amrx.types import Parse, Parser, Sentence
from parser import load
from parser.ensemble.readings import ReadingsParser
from parser.load import PARSERS, Kind
from parser.mini.parser import MiniParser
from parser.run.cache import ParseCache
from retrofit.saved_format import parser_folder
from tests.test_parser_mini_beam import network_of
from tests.test_retrofit_combine import FakeBase, FakeGraphs, RetrofittedEncoder

SENTENCES = [Sentence("1", "a boy"), Sentence("2", "no graph"), Sentence("3", "one graph"), Sentence("4", "")]


class Told:
    """Gives each text the concept it was told, and fails where it was told none."""

    def __init__(self, fingerprint: str, concepts: dict[str, str]):
        self.fingerprint, self.concepts, self.seen = fingerprint, concepts, []

    def parse(self, sentences, *, batch_size=64, progress=False):
        self.seen += [sentence.text for sentence in sentences]
        made = []
        for sentence in sentences:
            concept = self.concepts.get(sentence.text)
            graph = penman.decode(f"(a / {concept or 'amr-empty'})")
            status = "ok" if concept else "failed"
            made.append(Parse(sentence.id, sentence.text, "en", graph, status, parser=self.fingerprint))
        return made

    def with_beam(self, beam):
        return Told(f"{self.fingerprint}-beam{beam}", self.concepts)


@pytest.fixture
def parser() -> ReadingsParser:
    first = Told("a", {"a boy": "boy", "one graph": "graph-01"})
    second = Told("b", {"a boy": "oo", "no graph": "graph", "": "odd"})
    return ReadingsParser(first, second)


def concepts(parse: Parse) -> list[str]:
    return [graph.instances()[0].target for graph in parse.readings]


def test_the_first_parse_and_the_graphs_of_all_that_did_not_fail(parser: ReadingsParser):
    assert isinstance(parser, Parser)
    parses = parser.parse(SENTENCES)
    found = [concepts(parse) for parse in parses]
    assert found == [["boy", "oo"], [], ["graph-01"], []]
    assert [parse.graph.instances()[0].target for parse in parses] == [
        "boy",
        "amr-empty",
        "graph-01",
        "amr-empty",
    ]
    assert [parse.status for parse in parses] == ["ok", "failed", "ok", "failed"]
    assert {parse.parser for parse in parses} == {"readings:a+b"}
    assert parser.with_beam(3).fingerprint == "readings:a-beam3+b"


def test_the_vector_is_the_mean_over_the_readings(parser: ReadingsParser):
    encoder = RetrofittedEncoder(FakeBase(), parser, FakeGraphs())
    made = encoder.encode_parses(parser.parse(SENTENCES))  # FakeGraphs: letters, letters o
    assert made.tolist() == [[2.5, 1.5], [0, 0], [8, 0], [0, 0]]
    assert np.array_equal(encoder.encode_parses([]), np.zeros((0, 2)))


def test_every_search_has_the_cache_that_amrx_parse_has(parser: ReadingsParser, tmp_path: Path):
    expected = parser.parse(SENTENCES)
    with ParseCache(tmp_path / "c.sqlite") as cache:
        cached = parser.cached(cache)
        assert cached.fingerprint == parser.fingerprint
        assert [concepts(parse) for parse in cached.parse(SENTENCES)] == [concepts(one) for one in expected]
        again = ReadingsParser(Told("a", {}), Told("b", {})).cached(cache)  # would fail on all
        assert [concepts(parse) for parse in again.parse(SENTENCES)] == [concepts(one) for one in expected]


def test_a_cache_around_several_searches_keeps_all_graphs(parser: ReadingsParser, tmp_path: Path):
    from parser.run.cache import CachedParser

    with ParseCache(tmp_path / "c.sqlite") as cache:
        whole = CachedParser(parser, cache)
        made, kept = whole.parse(SENTENCES), whole.parse(SENTENCES)
        assert whole.hits == len(SENTENCES)
        assert [concepts(one) for one in made] == [concepts(one) for one in kept]
        assert concepts(kept[0]) == ["boy", "oo"]


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, examples, names, muse, tokenizer) -> MiniParser:
    """A random network in the place of ``mini``."""
    made = MiniParser(network_of(examples, names, 3), examples[1], muse, tokenizer, "tiny", beam=3)
    monkeypatch.setitem(PARSERS, "mini", Kind(lambda folder: made, "mini", "tiny"))
    return made


def test_by_name(tiny: MiniParser, monkeypatch: pytest.MonkeyPatch, examples, tmp_path: Path):
    parser = load("readings:mini")
    assert parser.fingerprint == "readings:tiny-beam3+tiny-beam1" == load("readings").fingerprint
    sentences = [Sentence(str(n), example.text, "en") for n, example in enumerate(examples[0])]
    wide, greedy = tiny.parse(sentences), tiny.with_beam(1).parse(sentences)
    found = parser.parse(sentences)
    assert [one.graph.triples for one in found] == [one.graph.triples for one in wide]
    readings = [[graph.triples for graph in one.readings] for one in found]
    assert readings == [[a.graph.triples, b.graph.triples] for a, b in zip(wide, greedy, strict=True)]
    assert load("readings:mini", beam=2).fingerprint == "readings:tiny-beam2+tiny-beam1"
    monkeypatch.setitem(PARSERS, "told", Kind(lambda folder: FakeBase(), "told", "without beams"))
    with pytest.raises(OptionError, match="'base:1' has no beams"):
        load("readings:told")
    assert parser_folder(f"readings:mini:{tmp_path}") == str(tmp_path)


@pytest.mark.parametrize("kind", ["consensus", "voted"])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("{}@x:mini", "a whole number stands after the @, as in {}@8:mini"),
        ("{}@:mini", "a whole number stands"),
        ("{}@0:mini", "samples 0: at least 1"),
        ("{}@4:", "nothing stands after the colon"),
        ("{}:", "nothing stands after the colon"),
    ],
)
def test_wrong_numbers_of_draws(tiny: MiniParser, kind: str, wrong: str, message: str):
    with pytest.raises(OptionError, match=message.format(kind)):
        load(wrong.format(kind))


@pytest.mark.parametrize("name", ["mini@3", "readings@3:mini"])
def test_other_kinds_take_no_number(name: str):
    with pytest.raises(OptionError, match=f"no parser '{name}'"):
        load(name)

"""The parsers ``voted:PARSER``: whole parses, by name, and on sentences that have true graphs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import penman
import pytest

from amrx.errors import OptionError
from amrx.types import Parse, Parser, Sentence
from parser import load
from parser.ensemble.count_votes import count
from parser.ensemble.elect import elect
from parser.ensemble.voted_parser import SAMPLES, VotedParser, consensus
from parser.load import PARSERS, Kind
from parser.mini.parser import MiniParser
from parser.run.cache import CachedParser, ParseCache
from parser.score.smatch import corpus_smatch
from parser.training.corpora.sembanks import lpp
from retrofit.combine import RetrofittedEncoder, encode_parses
from retrofit.load import parser_folder
from tests.support.fakes import FakeBase, FakeGraphs
from tests.support.mini_networks import network_of
from tests.support.told_parsers import Drawn, Told

DOG = Parse(
    "1", "x", "en", penman.decode("(d / dog :mod (o / old))"),
    alignments={"d": (0, 1), "o": (2, 3)}, repairs=("one",),
)  # fmt: skip
EMPTY = Parse("1", "x", "en", penman.decode("(a / amr-empty)"), "failed")


def test_each_parse_is_the_pivots_with_the_elected_graph():
    plain = Parse("1", "x", "en", penman.decode("(e / dog)"))
    dog, cat = (
        Parse("1", text, "en", penman.decode(f"(a / {concept})"))
        for text, concept in (("dogs", "dog"), ("nothing drawn", "cat"))
    )
    readings = {
        "dogs": [dog, DOG, plain, plain, EMPTY],
        "none": [EMPTY, plain, plain],
        "nothing drawn": [cat, EMPTY, EMPTY],
    }
    parser = VotedParser(Drawn("b", readings))
    assert isinstance(parser, Parser)
    dogs, none, nothing = parser.parse([Sentence(text, text) for text in readings])
    assert dogs.graph.triples == [("a", ":instance", "dog")]  # old has a quarter of the votes
    assert [graph.instances()[0].target for graph in dogs.readings] == [
        "dog"
    ] * 4  # the failed one is left out
    assert (none.status, none.readings) == ("failed", ())  # as the search has it
    assert nothing.graph.triples == [("a", ":instance", "cat")]
    assert {one.parser for one in (dogs, none, nothing)} == {"voted5:b"} == {parser.fingerprint}


def test_the_parse_keeps_what_is_known_of_the_elected_nodes():
    class One:
        fingerprint = "b"

        def readings(self, sentences, *, batch_size=64, progress=False):
            plain = Parse("1", "x", "en", penman.decode("(d / dog)"))
            return [[plain, DOG, DOG, DOG, plain]]

    (found,) = VotedParser(One()).parse([Sentence("dogs", "dogs")])
    assert (found.alignments, found.repairs) == (DOG.alignments, DOG.repairs)
    assert found.graph.triples == DOG.graph.triples  # three of five say old


def test_several_parsers_vote_together():
    dog, cat = (Parse("1", "x", "en", penman.decode(f"(a / {concept})")) for concept in ("dog", "cat"))
    first, second = Drawn("b", {"x": [cat, cat]}), Drawn("c", {"x": [dog, dog, EMPTY, dog]})
    parser = VotedParser(first, second)
    (found,) = parser.parse([Sentence("x", "x")])
    assert parser.fingerprint == "voted5:b&c"
    assert found.graph.triples == [("a", ":instance", "dog")]
    assert [graph.instances()[0].target for graph in found.readings] == ["cat"] * 2 + ["dog"] * 3


def test_by_name(monkeypatch: pytest.MonkeyPatch, examples, names, tokenizer, tmp_path: Path):
    tiny = MiniParser(network_of(examples, names, 3), examples[1], tokenizer, "tiny")
    monkeypatch.setitem(PARSERS, "mini", Kind(lambda folder: tiny, "mini", "tiny"))
    parser = load("voted@4:mini")
    assert parser.fingerprint == load("voted@4").fingerprint == "voted5:tiny-beam2+tiny-samples4"
    assert load("voted").fingerprint == "voted5:tiny-beam2+tiny-samples8"
    assert load("voted@4", beam=3).fingerprint == "voted5:tiny-beam3+tiny-samples4"
    sentences = [Sentence(str(n), example.text, "en") for n, example in enumerate(examples[0])]
    found, searched, read = (
        parser.parse(sentences), tiny.parse(sentences), tiny.with_samples(4).readings(sentences)
    )  # fmt: skip
    for one, search, (first, *others) in zip(found, searched, read, strict=True):
        readings = [reading.graph for reading in (first, *others)]
        assert tiny.mended(first).graph.triples == search.graph.triples and len(others) == 4
        assert (one.id, one.text, one.readings) == (first.id, first.text, tuple(readings))
        elected = replace(first, graph=elect(count(readings, consensus(readings)))[0])
        assert one.graph.triples == tiny.mended(elected).graph.triples
    assert parser_folder(f"voted@4:mini:{tmp_path}") == str(tmp_path)
    monkeypatch.setitem(PARSERS, "told", Kind(lambda folder: Told("a", {}), "told", "cannot draw"))
    with pytest.raises(OptionError, match="'a' cannot sample graphs"):
        load("voted@4:told")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("voted@x:mini", "a whole number must follow the @, as in voted@8:mini"),
        ("voted@:mini", "a whole number must"),
        ("voted@0:mini", "samples must be at least 1, got 0"),
        ("voted@10000:mini", "parser 'voted': the number after @ must have at most 4 digits, got 10000"),
        ("voted@4:", "nothing follows the colon"),
        ("voted:", "nothing follows the colon"),
        ("mini@3", "unknown parser 'mini@3'"),
        ("pivot@3:mini", "unknown parser 'pivot@3:mini'"),
        ("readings:mini", "unknown parser 'readings:mini'"),
        ("consensus@4:mini", "unknown parser 'consensus@4:mini'"),
    ],
)
def test_names_of_no_parser(monkeypatch, examples, names, tokenizer, wrong: str, message: str):
    tiny = MiniParser(network_of(examples, names, 3), examples[1], tokenizer, "tiny")
    monkeypatch.setitem(PARSERS, "mini", Kind(lambda folder: tiny, "mini", "tiny"))
    with pytest.raises(OptionError, match=message):
        load(wrong)


def test_a_cache_keeps_all_readings(tmp_path: Path):
    parser = VotedParser(Drawn("b", {"dogs": [DOG, DOG, EMPTY, DOG]}))
    with ParseCache(tmp_path / "c.sqlite") as cache:
        cached = CachedParser(parser, cache)
        first, again = (cached.parse([Sentence("1", "dogs")]) for _ in range(2))
        assert cached.hits == 1
        assert [graph.triples for graph in again[0].readings] == [
            graph.triples for graph in first[0].readings
        ]
        assert len(again[0].readings) == 3


def test_the_elected_graphs_are_nearer_to_the_true_ones(data_dir: Path):
    entries = list(lpp(data_dir, "dev"))[::4]
    sentences = [Sentence(str(n), entry.snt, "en") for n, entry in enumerate(entries)]
    gold = [entry.graph for entry in entries]
    mini = load("mini")
    searched, voted = (
        corpus_smatch(gold, [parse.graph for parse in parser.parse(sentences)])
        for parser in (mini, VotedParser(mini.with_samples(SAMPLES)))
    )
    assert voted.f1 > searched.f1 + 0.5  # of all 145 sentences 2 more
    assert voted.precision > searched.precision + 1


def test_the_retrofit_takes_the_mean_over_the_readings_not_the_elected():
    bird = Parse("1", "x", "en", penman.decode("(b / oo)"))
    drawn = Drawn("b", {"dogs": [bird, DOG, bird, bird]})
    encoder = RetrofittedEncoder(FakeBase(), VotedParser(drawn), FakeGraphs())
    (parse,) = encoder.parse(["dogs"], ["en"])
    one, all_ = FakeGraphs().encode_graphs([parse.graph]), FakeGraphs().encode_graphs(list(parse.readings))
    found = encode_parses(FakeGraphs(), [parse])
    assert np.allclose(found, all_.mean(axis=0)) and not np.allclose(found, one)

"""The graph that several readings agree most on: the choice, whole parses, and by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import penman
import pytest

from amrx.errors import OptionError
from amrx.types import Parse, Parser, Sentence
from parser import load
from parser.ensemble.agreement import ConsensusParser, agreement, bag, consensus
from parser.load import PARSERS, Kind
from parser.mini.parser import MiniParser
from retrofit.saved_format import parser_folder
from tests.test_parser_mini_beam import network_of
from tests.test_parser_readings import Told


def graph(text: str) -> penman.Graph:
    return penman.decode(text)


def parse(text: str, status="ok", **more) -> Parse:
    return Parse("1", "x", "en", graph(text), status, **more)


def test_agreement_is_f1_of_concepts_relations_and_top():
    one = bag(graph("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"))
    other = bag(graph("(w / want-01 :ARG0 (g / girl) :ARG1 (o / go-02 :ARG0 g) :polarity -)"))
    # want-01, go-02, want-01 :ARG1 go-02 and the top are in both; 7 and 8 are said
    assert agreement(one, other) == agreement(other, one) == 2 * 4 / (7 + 8)
    assert agreement(one, one) == 1
    # variables do not matter, how often something is said does
    assert bag(graph("(x / and :op1 (a / cat) :op2 (b / cat))")) == bag(
        graph("(y / and :op2 (c / cat) :op1 (d / cat))")
    )
    twice = bag(graph("(a / cat :mod (c / cat))"))
    assert twice["cat",] == 2


def test_the_choice_is_that_of_the_sums_written_out():
    random = np.random.default_rng(0)
    roles, concepts = [":ARG0", ":ARG1", ":mod"], ["cat", "dog", "see-01", "old"]
    for _ in range(50):
        graphs = [
            graph(
                f"(a / {random.choice(concepts)} {random.choice(roles)} (b / {random.choice(concepts)}) "
                f"{random.choice(roles)} (c / {random.choice(concepts)}))"
            )
            for _ in range(5)
        ]
        sums = [sum(agreement(bag(one), bag(other)) for other in graphs) for one in graphs]
        assert sums[consensus(graphs)] == pytest.approx(max(sums), abs=1e-12)
    assert consensus([graph("(a / cat)"), graph("(a / dog)")]) == 0  # of equals the search's


def test_equal_graphs_are_equally_good_in_whatever_order_their_sums_are_added():
    texts = "(a / cat)", "(b / cat)", "(d / dog :mod (c / cat))", "(e / cat)"
    graphs = [graph(text) for text in texts]
    bags = [bag(one) for one in graphs]
    third = agreement(bags[0], bags[2])
    assert 1 + third + 1 != 1 + 1 + third  # the rounding that would prefer the last to the first
    assert consensus(graphs) == 0


class Drawn(Told):
    def readings(self, sentences, *, batch_size=64, progress=False):
        return [READINGS[sentence.text] for sentence in sentences]


DOG = parse("(d / dog)", alignments={"d": (0, 1)}, repairs=("one",))
READINGS = {
    "dogs": [DOG, DOG, parse("(a / amr-empty)", "failed"), parse("(b / bird)")],
    "cats": [DOG, parse("(c / cat :quant 2)")],
    "none": [DOG, DOG],
    "nothing drawn": [parse("(a / amr-empty)", "failed")] * 2,
}


def test_each_parse_is_a_reading_whole():
    search = Told("a", {"dogs": "cat", "cats": "cat", "nothing drawn": "cat"})
    parser = ConsensusParser(search, Drawn("b", {}))
    assert isinstance(parser, Parser)
    dogs, cats, none, nothing = parser.parse([Sentence(text, text) for text in READINGS])
    assert (dogs.graph, dogs.alignments, dogs.repairs) == (DOG.graph, DOG.alignments, DOG.repairs)
    assert cats.graph.triples == [("a", ":instance", "cat")]
    assert [len(one.readings) for one in (dogs, cats, none, nothing)] == [
        4,
        3,
        0,
        1,
    ]  # those that did not fail
    assert none.status == "failed"  # as the search has it
    assert nothing.graph.triples == [("a", ":instance", "cat")]
    assert {one.parser for one in (dogs, cats, none, nothing)} == {"consensus:a+b"} == {parser.fingerprint}


def test_by_name(monkeypatch: pytest.MonkeyPatch, examples, names, muse, tokenizer, tmp_path: Path):
    tiny = MiniParser(network_of(examples, names, 3), examples[1], muse, tokenizer, "tiny")
    monkeypatch.setitem(PARSERS, "mini", Kind(lambda folder: tiny, "mini", "tiny"))
    parser = load("consensus@4:mini")
    assert parser.fingerprint == load("consensus@4").fingerprint == "consensus:tiny-beam2+tiny-samples4"
    assert load("consensus").fingerprint == "consensus:tiny-beam2+tiny-samples8"
    assert load("consensus@4", beam=3).fingerprint == "consensus:tiny-beam3+tiny-samples4"
    sentences = [Sentence(str(n), example.text, "en") for n, example in enumerate(examples[0])]
    found, searched, drawn = (
        parser.parse(sentences), tiny.parse(sentences), tiny.with_samples(4).readings(sentences)
    )  # fmt: skip
    for one, first, others in zip(found, searched, drawn, strict=True):
        readings = [first, *others]
        chosen = readings[consensus([reading.graph for reading in readings])]
        assert (one.id, one.text) == (first.id, first.text)
        assert one.readings == tuple(reading.graph for reading in readings)
        assert (one.graph.triples, one.alignments) == (chosen.graph.triples, chosen.alignments)
    assert {len(others) for others in drawn} == {4}
    assert parser_folder(f"consensus@4:mini:{tmp_path}") == str(tmp_path)
    monkeypatch.setitem(PARSERS, "told", Kind(lambda folder: Told("a", {}), "told", "cannot draw"))
    with pytest.raises(OptionError, match="'a' cannot draw graphs"):
        load("consensus@4:told")

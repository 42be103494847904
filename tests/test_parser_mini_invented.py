"""parser.mini.invented: a word that neither the parser, PropBank nor the sentence has becomes ``thing``."""

from __future__ import annotations

import penman
import pytest

from amrx.types import Parse, Sentence
from parser.ensemble.voted_parser import VotedParser
from parser.mini import load_mini
from parser.mini.invented import invented_concepts, without_invented
from parser.mini.parser import MiniParser
from parser.mini.symbols import Alphabet
from parser.mini.words import Source, read_source


@pytest.fixture(scope="module")
def shipped() -> MiniParser:
    return load_mini()


def mend(graph: str, text: str, lang: str, parser: MiniParser) -> str:
    source = read_source(text, lang, parser.tokenizer)
    given = penman.decode(graph)
    mended = without_invented(given, invented_concepts(given, parser.alphabet, lambda: source))
    return penman.encode(mended, indent=None)


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ("(s / slice-01 :ARG1 (c / seatacknte))", "(s / slice-01 :ARG1 (c / thing))"),
        ("(p / preat-out-1-02 :ARG0 (c / colll))", "(p / thing :ARG0 (c / thing))"),
        ("(b / break-01 :ARG1 (p / printer))", "(b / break-01 :ARG1 (p / printer))"),  # symbols
        ("(s / skate-01 :ARG0 (p / preen))", "(s / skate-01 :ARG0 (p / preen))"),  # PropBank's
        ("(b / break-01 :ARG1 (i / imprimante))", "(b / break-01 :ARG1 (i / imprimante))"),  # copied
        ("(e / email-address-entity :value \"a@b.org\")", "(e / email-address-entity :value \"a@b.org\")"),
        ("(n / name :op1 \"Seatacknte\")", "(n / name :op1 \"Seatacknte\")"),
    ],
)  # fmt: skip
def test_only_words_that_are_known_nowhere_are_replaced(graph: str, expected: str, shipped: MiniParser):
    assert mend(graph, "L'imprimante est cassée.", "fr", shipped) == expected


def test_a_graph_of_known_words_is_the_same_one_and_its_sentence_is_not_read():
    def source() -> Source:
        raise AssertionError("read")

    graph = penman.decode("(d / dog)")
    assert invented_concepts(graph, Alphabet((), (), ("dog",)), source) == set()
    assert without_invented(graph, set()) is graph


def test_the_search_and_the_vote_give_no_invented_word_and_the_readings_keep_theirs(
    shipped: MiniParser, monkeypatch: pytest.MonkeyPatch
):
    parse = Parse("1", "Il dort.", "fr", penman.decode("(s / sleep-01 :ARG0 (c / colll))"))

    def readings(*_: object, **__: object) -> list[list[Parse]]:
        return [[parse, parse, parse]]

    monkeypatch.setattr(MiniParser, "readings", readings)
    sentence = Sentence("1", "Il dort.", "fr")
    for parser in (shipped.with_samples(2), VotedParser(shipped.with_samples(2))):
        (mended,) = parser.parse([sentence])
        assert [concept for _, _, concept in mended.graph.instances()] == ["sleep-01", "thing"]
        assert len(mended.readings) == 3
        for graph in mended.readings:
            assert [concept for _, _, concept in graph.instances()] == ["sleep-01", "colll"]
    monkeypatch.setattr(MiniParser, "readings", lambda *_, **__: [[parse]])
    (alone,) = shipped.parse([sentence])
    assert [concept for _, _, concept in alone.graph.instances()] == ["sleep-01", "thing"]

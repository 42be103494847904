"""Sentences of any number through a parser, and those without a word past it."""

import pytest

from amrx.types import Sentence
from parser import load
from parser.run.stream import has_word, parse_stream
from tests.support.toy_parser import ToyParser

WORDLESS = ["", "  \n", "...", "?!", "...!?", "😀😀", "«—»", "。！"]


@pytest.mark.parametrize("text", ["a", "走", "7", "٣", "é", "น", "... ok"])
def test_a_letter_or_a_digit_is_a_word(text: str) -> None:
    assert has_word(text)


def test_what_has_no_word_never_reaches_the_parser() -> None:
    parser = ToyParser()
    texts = ["One.", *WORDLESS, "Two."]
    parses = list(parse_stream(parser, [Sentence(text, text, "en") for text in texts], block=3))
    assert [parse.id for parse in parses] == texts
    assert [parse.status for parse in parses] == ["ok", *["failed"] * len(WORDLESS), "ok"]
    assert parser.seen == ["One.", "Two."]


def test_the_small_parser_says_nothing_of_it_either() -> None:
    parses = load("mini").parse([Sentence(text, text, "en") for text in WORDLESS])
    assert {parse.status for parse in parses} == {"failed"}
    assert {triple for parse in parses for triple in parse.graph.triples} == {("a", ":instance", "amr-empty")}

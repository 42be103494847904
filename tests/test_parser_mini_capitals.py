"""parser.mini.words: sentences in capitals are read in small letters, letter for letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.e5.tokenizer import E5Tokenizer
from amrx.types import Sentence
from parser import load
from parser.mini.words import in_capitals, in_small_letters, read_source
from tests.support.canonical import canonical_triples

pytestmark = pytest.mark.usefixtures("e5_files")


@given(st.text(), st.sampled_from(["", "de", "tr"]))
def test_every_letter_keeps_its_place(text, lang):
    small = in_small_letters(text, lang)
    assert len(small) == len(text)
    assert all(a == b or a.isupper() or a.istitle() for a, b in zip(text, small, strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("THE DOG SLEEPS.", True),
        ("3 DOGS SLEEP", True),
        ("I AM", False),
        ("NATO", False),
        ("NATO says NO", False),
        ("", False),
        ("狗睡了。", False),
        ("الكلب ينام", False),
        ("ΤΟ ΣΚΥΛΊ ΚΟΙΜΆΤΑΙ", True),
    ],
)
def test_capitals_are_told_from_abbreviations(text, expected):
    assert in_capitals(text) is expected


def test_words_keep_their_places_and_names_their_capital():
    text = "MARIA LEBT IN BERLIN."
    source = read_source(text, "de", E5Tokenizer())
    assert [word.text for word in source.words] == ["Maria", "lebt", "in", "berlin"]
    assert [word.name for word in source.words] == ['"Maria"', '"Lebt"', '"In"', '"Berlin"']
    starts = [source.composed.given(*source.spans[start])[0] for start in source.starts]
    assert [text[start:].lstrip()[:2] for start in starts] == ["MA", "LE", "IN", "BE"]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "The dog sleeps on the sofa."),
        ("de", "Maria lebt in Berlin."),
        ("es", "La niña no abrió la puerta."),
    ],
)
def test_the_graph_is_that_of_the_sentence_in_small_letters(lang, text):
    usual, loud = load("mini").parse([Sentence("1", text, lang), Sentence("2", text.upper(), lang)])
    assert canonical_triples(loud.graph) == canonical_triples(usual.graph)

"""Clock times in words are read as digits."""

import pytest

from amrx.composed_text import Composed, compose
from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.spelled_clocks import with_clock_digits


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "It leaves at half past seven.", "It leaves at 7:30."),
        ("en", "a quarter to One", "12:45"),
        ("de", "Um halb eins oder Viertel vor acht.", "Um 12:30 oder 7:45."),
        ("fr", "à sept heures et demie", "à 7:30"),
        ("fr", "vers une heure moins le quart", "vers 12:45"),
        ("es", "a las siete y media, a las dos menos cuarto", "a las 7:30, a las 1:45"),
        ("it", "alle sette e mezza", "alle 7:30"),
        ("nl", "om half acht", "om 7:30"),
        ("pt", "às duas e meia", "às 2:30"),
        ("sv", "klockan halv åtta", "klockan 7:30"),
        ("da", "kvart over 9", "9:15"),
        ("nb", "kvart på ni", "8:45"),
    ],
)
def test_reads_clock_times(lang: str, text: str, expected: str) -> None:
    assert with_clock_digits(compose(text), lang).text == expected


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "half of the seven"),
        ("de", "Er war halb tot."),
        ("fr", "Nous avons attendu trois heures et demie."),  # a duration
        ("it", "per tre ore e mezza"),
        ("es", "siete y media docena"),
        ("ru", "в половине восьмого"),
    ],
)
def test_leaves_other_words(lang: str, text: str) -> None:
    composed = Composed(text)
    assert with_clock_digits(composed, lang) is composed


def test_spans_are_those_of_the_given_text() -> None:
    composed = with_clock_digits(compose("Hu\u0308te um halb acht"), "de")
    assert composed.text == "Hüte um 7:30"
    assert composed.given(8, 12) == (9, 18)


def test_the_parser_copies_the_time() -> None:
    (parse,) = load_mini().parse([Sentence("1", "Der Zug fährt um halb acht.", "de")])
    assert [value for _, _, value in parse.graph.attributes(role=":time")] == ['"7:30"']

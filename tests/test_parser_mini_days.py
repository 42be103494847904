"""A day that the sentence does not name goes, if it names another one."""

import penman
import pytest

from parser.mini.rules.days import without_other_days

TWO = (
    "(r / replace-01 :ARG0 (t / technician :ARG1-of (c / come-01 :time (y / yesterday)))"
    " :time (d / tomorrow))"
)


@pytest.mark.parametrize(
    ("text", "lang", "days"),
    [
        ("The technician who came yesterday replaced it.", "en", {"yesterday"}),
        ("Der Techniker, der gestern kam, ersetzte sie.", "de", {"yesterday"}),
        ("El técnico que vino ayer la cambió.", "es", {"yesterday"}),
        ("Техник, который приходил вчера, заменил его.", "ru", {"yesterday"}),
        ("The technician who came yesterday replaces it tomorrow.", "en", {"yesterday", "tomorrow"}),
        (
            "The technician who came replaced it.",
            "en",
            {"yesterday", "tomorrow"},
        ),  # unknown words may name both
        ("昨天来的技术员换了它。", "zh", {"yesterday", "tomorrow"}),  # words are not separated
    ],
)
def test_days(text: str, lang: str, days: set[str]) -> None:
    mended = without_other_days(penman.decode(TWO), text, lang)
    assert {c for _, _, c in mended.instances()} & {"yesterday", "tomorrow"} == days


@pytest.mark.parametrize(
    "graph",
    [
        "(t / tomorrow :time (y / yesterday))",
        "(g / go-02 :time (y / yesterday) :time (a / after :op1 (t / tomorrow)))",
        "(g / go-02 :time (y / yesterday) :time (t / tomorrow :mod (l / late)))",
    ],
)
def test_a_day_with_other_relations_stays(graph: str) -> None:
    given = penman.decode(graph)
    assert without_other_days(given, "It was yesterday.", "en") is given

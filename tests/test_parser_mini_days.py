"""A day that the sentence does not name goes, if it names another one."""

import penman
import pytest

from parser.mini.rules.days import (
    with_dates_as_times,
    without_other_days,
    without_other_parts,
    without_repeated_dates,
)

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


PART = "(c / close-01 :time (d / date-entity :dayperiod (n / night) :weekday (s / sunday)))"


@pytest.mark.parametrize(
    ("text", "lang", "part", "is_kept"),
    [
        ("Zondags is de winkel dicht.", "nl", "Zondags", False),
        ("W niedziele sklep jest zamknięty.", "pl", "niedziele", False),
        ("У неділю магазин зачинено.", "uk", "неділю", False),
        ("Zondagavond is de winkel dicht.", "nl", "Zondagavond", True),
        ("W niedzielę wieczorem sklep jest zamknięty.", "pl", "niedzielę", True),
        ("Am Sonntag früh ist der Laden zu.", "de", "früh", True),  # another word, unknown as a part
        ("Sonntags um 10 ist der Laden zu.", "de", "Sonntags", True),  # a time of that day
        ("Elle nage le mardi et le vendredi.", "fr", "et", False),  # aligned to *and*
        ("周日商店关门。", "zh", "周日", False),
        ("周日晚上商店关门。", "zh", "周日", True),
        ("Samedi le magasin est fermé.", "xx", "Samedi", True),  # no names of weekdays
    ],
)
def test_parts_of_days(text: str, lang: str, part: str, *, is_kept: bool) -> None:
    span = (text.index(part), text.index(part) + len(part))
    given = penman.decode(PART)
    mended = without_other_parts(given, text, lang, {"n": span, "s": span})
    assert (mended is given) is is_kept
    assert ("night" in {concept for _, _, concept in mended.instances()}) is is_kept


def test_a_part_of_another_day_stays() -> None:
    given = penman.decode("(c / close-01 :time (d / date-entity :dayperiod (n / night) :day 3))")
    assert without_other_parts(given, "Zondags is de winkel dicht.", "nl", {}) is given


def test_the_same_date_twice() -> None:
    graph = penman.decode(
        '(s / start-01 :time (d / date-entity :time "16:00" :day 3)'
        ' :time (d2 / date-entity :day 3 :time "16:00"))'
    )
    mended = penman.encode(without_repeated_dates(graph), indent=None)
    assert mended == '(s / start-01 :time (d / date-entity :time "16:00" :day 3))'


@pytest.mark.parametrize(
    "text",
    [
        '(s / start-01 :time (d / date-entity :time "16:00") :time (d2 / date-entity :time "17:00"))',
        "(s / start-01 :time (d / date-entity :day 3) :duration (d2 / date-entity :day 3))",
    ],
)
def test_other_dates_stay(text: str) -> None:
    graph = penman.decode(text)
    assert without_repeated_dates(graph) is graph


def test_a_date_is_no_place() -> None:
    graph = penman.decode('(d / depart-01 :ARG1 (t / train) :ARG4 (d2 / date-entity :time "7:30"))')
    mended = penman.encode(with_dates_as_times(graph), indent=None)
    assert mended == '(d / depart-01 :ARG1 (t / train) :time (d2 / date-entity :time "7:30"))'
    meeting = penman.decode("(m / move-01 :ARG1 (m2 / meet-03) :ARG4 (c / city))")
    assert with_dates_as_times(meeting) is meeting

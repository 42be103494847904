"""parser.mini.rules.dates: the dates of a sentence, and what they add to those of its graph."""

from __future__ import annotations

import penman
import pytest

from parser.mini.rules.dates import read_dates, with_dates


def parts(text: str, lang: str) -> list[tuple[int | None, ...]]:
    return [
        tuple(date.parts.get(part) for part in (":year", ":month", ":day")) for date in read_dates(text, lang)
    ]


@pytest.mark.parametrize(
    ("text", "lang", "dates"),
    [
        ("on 2026-05-03", "en", [(2026, 5, 3)]),
        ("in 2026-05", "en", [(2026, 5, None)]),
        ("the season 2011-12", "en", []),  # two years
        ("on 05/03/2026", "en", [(2026, 5, 3)]),
        ("le 05/03/2026", "fr", [(2026, 3, 5)]),
        ("on 17/03/2026", "en", [(2026, 3, 17)]),
        ("am 05.03.2026", "de", [(2026, 3, 5)]),
        ("am 3. Mai 2024 und 4. Juni", "de", [(2024, 5, 3), (None, 6, 4)]),
        ("el 3 de mayo de 2024", "es", [(2024, 5, 3)]),
        ("September 1, 1939", "en", [(1939, 9, 1)]),
        ("in May 2024", "en", [(2024, 5, None)]),
        ("May 5 % rise", "en", []),
        ("3 Mayors", "en", []),
        ("2024年5月17日", "zh", [(2024, 5, 17)]),
        ("5月3日16:30", "zh", [(None, 5, 3)]),
        ("3 Mayıs'ta", "tr", [(None, 5, 3)]),
        ("on 2026-13-03", "en", []),
        ("version 1.2.3", "en", []),
        ("on 2026-02-29", "en", []),
        ("on 2024-02-29", "en", [(2024, 2, 29)]),
        ("am 31. Februar", "de", []),
        ("am 29. Februar", "de", [(None, 2, 29)]),
        ("le 31/04/2026", "fr", []),
        ("on 02/30/2026", "en", []),
        ("2月30日", "zh", []),
        ("on 0000-05-03", "en", [(0, 5, 3)]),
    ],
)
def test_dates_are_read_in_their_language(text, lang, dates):
    assert parts(text, lang) == dates


DATE = "(b / begin-01 :time (d / date-entity {}))"


@pytest.mark.parametrize(
    ("text", "lang", "before", "after"),
    [
        ("It begins on 3 May at 16:30.", "en", ":month 5 :day 3", ':month 5 :day 3 :time "16:30"'),
        ("At 16:30 on 3 May it begins.", "en", ":month 5 :day 3", ':month 5 :day 3 :time "16:30"'),
        ("El 3 de mayo a las 16:30.", "es", ":day 3 :month 5", ':day 3 :month 5 :time "16:30"'),
        ("会议在5月3日下午4点30分开始。", "zh", ":day 3 :month 5", ':day 3 :month 5 :time "16:30"'),
        ("The report of 2026-05.", "en", ":year 2026", ":year 2026 :month 5"),
        ("Née le 03/05/2026.", "fr", ":day 3 :month 7 :year 2026", ":day 3 :month 5 :year 2026"),
        ("On 05/03/2026.", "en", ":day 5 :month 3 :year 2026", ":day 3 :month 5 :year 2026"),
        ("Write before 10:15.", "en", "", ':time "10:15"'),
        # the clock time is far from the date
        ("The deal of 3 May was signed at 16:30.", "en", ":month 5 :day 3", ":month 5 :day 3"),
        # a part that is a node stays
        ("On 3 May 2024.", "en", ":month 5 :day 3 :year (m / many)", ":month 5 :day 3 :year (m / many)"),
        # the other day is in the sentence, too
        ("On 3 and 4 May.", "en", ":month 5 :day 3 :day 4", ":month 5 :day 3 :day 4"),
        ("From 3 to 4 May.", "en", ":month 5 :day 3", ":month 5 :day 3"),
        ("In 1999, before 3 May 2024.", "en", ":year 1999", ":year 1999"),
        ("Nothing here.", "en", ":year 2026", ":year 2026"),
    ],
)
def test_dates_of_a_graph_are_completed(text, lang, before, after):
    graph = penman.decode(DATE.format(before))
    completed = with_dates(graph, text, lang)
    assert set(completed.triples) == set(penman.decode(DATE.format(after)).triples)
    assert (completed is graph) is (before == after)


def test_a_clock_time_that_the_graph_has_is_not_given_twice():
    text = '(b / begin-01 :time (d / date-entity :month 5 :day 3) :time (d2 / date-entity :time "16:30"))'
    graph = penman.decode(text)
    assert with_dates(graph, "It begins on 3 May at 16:30.", "en") is graph


def test_each_date_completes_one_entity():
    graph = penman.decode("(a / and :op1 (d / date-entity :month 5) :op2 (e / date-entity :month 5 :day 4))")
    triples = with_dates(graph, "on 3 May at 16:30 and 4 May at 17:30", "en").triples
    assert {("d", ":day", "3"), ("d", ":time", '"16:30"'), ("e", ":time", '"17:30"')} <= set(triples)

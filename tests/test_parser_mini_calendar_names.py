"""Weekdays and months of a graph are those of its sentence."""

import penman
import pytest

from amrx.composed_text import Span, compose
from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.calendar_names import (
    months_in,
    with_calendar_names,
    with_lost_names,
    with_lost_weekday,
)


def mend(graph: str, text: str, lang: str, alignments: dict[str, Span] | None = None) -> str:
    given = penman.decode(graph)
    return penman.encode(with_calendar_names(given, compose(text), lang, alignments or {}), indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "day"),
    [
        ("de", "Der Laden ist am Dienstag zu.", "tuesday"),
        ("de", "Dienstagabends ist er zu.", "tuesday"),
        ("de", "Am Sonnabend ist er zu.", "saturday"),
        ("fr", "Le mardi, il est fermé.", "tuesday"),
        ("pt", "Na terça ela fecha.", "tuesday"),
        ("ru", "Магазин закрыт в субботу.", "saturday"),
        ("pl", "Sklep jest zamknięty we wtorki.", "tuesday"),
        ("uk", "Магазин зачинено у п'ятницю.", "friday"),
        ("tr", "Salı'ya kadar kapalı.", "tuesday"),
        ("tr", "Pazartesi kapalı.", "monday"),
        ("ko", "가게는 화요일에 쉽니다.", "tuesday"),
        ("ja", "店は火曜に休みです。", "tuesday"),
        ("zh", "商店礼拜一关门。", "monday"),
        ("ar", "المتجر مغلق يوم الثلاثاء.", "tuesday"),
    ],
)
def test_the_weekday_is_that_of_the_sentence(lang: str, text: str, day: str) -> None:
    graph = "(c / close-01 :time (d / date-entity :weekday (w / wednesday)))"
    assert mend(graph, text, lang) == graph.replace("wednesday", day)


@pytest.mark.parametrize(
    ("lang", "text", "month"),
    [("tr", "Toplantı Kasım'da.", 11), ("ko", "회의는 12월입니다.", 12), ("ar", "الاجتماع في فبراير.", 2)],
)
def test_the_month_is_that_of_the_sentence(lang: str, text: str, month: int) -> None:
    graph = "(m / meet-03 :time (d / date-entity :month 9))"
    assert mend(graph, text, lang) == graph.replace("9", str(month))


@pytest.mark.parametrize(
    ("text", "graph"),
    [
        ("Am Mittwoch kommt sie.", "(d / date-entity :weekday (w / wednesday))"),  # right
        ("Er kommt bald.", "(d / date-entity :weekday (w / wednesday))"),  # names none
        ("Am Montag oder Dienstag.", "(d / date-entity :weekday (w / wednesday))"),  # names two
        ("Im Mai oder Juni.", "(d / date-entity :month 4)"),
        ("Diese Woche.", "(w / week)"),
    ],
)
def test_a_graph_that_cannot_be_corrected_is_unchanged(text: str, graph: str) -> None:
    given = penman.decode(graph)
    assert with_calendar_names(given, compose(text), "de", {}) is given


@pytest.mark.parametrize(
    ("lang", "text", "value"),
    [
        ("en", "The Sunday Times reported it on Fri.", "friday"),
        ("de", "Herr Freitag kommt am Mo.", "monday"),
        ("pl", "W środku miasta, w sob. jest targ.", "saturday"),
        ("ru", "Охрана среды, встреча в пт.", "friday"),
        ("en", "Theresa May resigned on 24/06/2019.", "6"),
        ("de", "Frau Mai kommt am 3.4.2024.", "4"),
        ("de", "Frau Mai kommt im Sept.", "9"),
        ("en", "He may come on Friday.", "9"),  # not the month
        ("ru", "Марта приедет в мае.", "5"),
    ],
)
def test_abbreviations_and_numeric_dates_stay(lang: str, text: str, value: str) -> None:
    role = f":month {value}" if value.isdigit() else f":weekday (w / {value})"
    graph = f"(m / meet-03 :time (d / date-entity {role}))"
    assert mend(graph, text, lang) == graph


def test_this_week_is_not_sunday_in_chinese() -> None:
    graph = "(d / date-entity :weekday (w / wednesday))"
    assert mend(graph, "这个星期三有会，下星期没有。", "zh") == graph
    assert mend(graph, "这个星期没有会。", "zh") == graph


def test_of_two_weekdays_the_aligned_one_is_taken() -> None:
    text = "Am Montag oder am Dienstag."
    graph = "(o / or :op1 (d / date :mod (w / wednesday)) :op2 (d2 / date :mod (s / sunday)))"
    mended = mend(graph, text, "de", {"w": (3, 9), "s": (18, 26)})
    assert mended == graph.replace("wednesday", "monday").replace("sunday", "tuesday")


def test_the_parser_names_the_weekday() -> None:
    (parse,) = load_mini().parse([Sentence("1", "Le magasin est fermé le mardi.", "fr")])
    assert "tuesday" in {concept for _, _, concept in parse.graph.instances()}


def test_a_node_in_place_of_a_weekday_or_month_becomes_a_time() -> None:
    graph = penman.decode("(b / bear-02 :ARG1 (h / he) :time (t / tomorrow))")
    spans = {"b": (4, 12), "t": (15, 21)}
    mended = with_lost_names(graph, "Він народився у серпні.", "uk", {**spans, "t": (16, 22)})
    expected = "(b / bear-02 :ARG1 (h / he) :time (d / date-entity :month 8))"
    assert penman.encode(mended, indent=None) == expected
    day = with_lost_names(graph, "Він приїде у середу.", "uk", {"t": (13, 19)})
    assert ("w", ":instance", "wednesday") in day.triples


@pytest.mark.parametrize(
    ("lang", "text", "spans"),
    [
        ("uk", "Він приїде у середину.", {"t": (13, 21)}),  # the middle
        ("uk", "У середу і в суботу", {"t": (2, 8)}),  # two days
        ("uk", "Він приїде у середу.", {"b": (4, 10)}),  # no node
        ("de", "Er kommt am Montag.", {"t": (12, 18)}),
    ],
)
def test_other_nodes_stay(lang: str, text: str, spans: dict[str, Span]) -> None:
    graph = penman.decode("(b / bear-02 :ARG1 (h / he) :time (t / tomorrow))")
    assert with_lost_names(graph, text, lang, spans) is graph


def test_a_letter_that_grows_in_lower_case_moves_no_span() -> None:
    text = "İİİ İzmir in May"
    assert [text[slice(*name.span)] for name in months_in(text, "en")] == ["May"]


@pytest.mark.parametrize(
    ("given", "mended", "text", "lang", "words"),
    [
        ("(o / order-01 :ARG1 (t / table))",
         "(o / order-01 :ARG1 (t / table) :time (d / date-entity :weekday (f / friday)))",
         "Ich bestellte am Freitag einen Tisch.", "de", {"o": "bestellte", "t": "Tisch"}),
        ("(c / cost-01 :ARG1 (t / table :ARG1-of (o / order-01)))",
         "(c / cost-01 :ARG1 (t / table :ARG1-of (o / order-01"
         " :time (d / date-entity :weekday (f / friday)))))",
         "La table que j'ai commandée vendredi coûte trop.", "fr",
         {"c": "coûte", "t": "table", "o": "commandée"}),
        ("(g / go-02 :time (d / date-entity :dayperiod (e / evening)))",
         "(g / go-02 :time (d / date-entity :dayperiod (e / evening) :weekday (f / friday)))",
         "We go on Friday evening.", "en", {"g": "go", "d": "evening"}),
        # nothing is lost; another word is read there; two weekdays; no verb
        ("(g / go-02 :time (d / date-entity :weekday (m / monday)))",
         "(g / go-02 :time (d / date-entity :weekday (m / monday)))", "We go on Friday.", "en", {"g": "go"}),
        ("(g / go-02 :ARG4 (m / market))", "(g / go-02 :ARG4 (m / market))", "Pazar gidiyoruz.", "tr",
         {"g": "gidiyoruz", "m": "Pazar"}),
        ("(g / go-02)", "(g / go-02)", "We go on Friday and Sunday.", "en", {"g": "go"}),
        ("(g / go-02)", "(g / go-02)", "We go, and Friday is free.", "en", {"g": "go"}),
        ("(d / dog)", "(d / dog)", "A dog on Friday.", "en", {"d": "dog"}),
    ],
)  # fmt: skip
def test_a_lost_weekday(given: str, mended: str, text: str, lang: str, words: dict[str, str]) -> None:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    graph = with_lost_weekday(penman.decode(given), text, lang, spans)
    assert penman.encode(graph, indent=None) == mended

"""A range of times has two ends."""

import penman
import pytest

from parser.mini.rules.ranges import with_ranges

OPEN = "(o / open-01 :ARG1 (w / we){})"


def interval(role: str, first: str, second: str, concept: str = "date-interval") -> str:
    node, *dates = ("d", "d2", "d3") if concept == "date-interval" else ("b", "d", "d2")
    ends = zip(dates, (first, second), strict=True)
    both = " ".join(f":op{n} ({d} / date-entity {role} {end})" for n, (d, end) in enumerate(ends, 1))
    return OPEN.format(f" :time ({node} / {concept} {both})")


def mended(given: str, text: str, lang: str) -> str:
    return penman.encode(with_ranges(penman.decode(OPEN.format(given)), text, lang), indent=None)


@pytest.mark.parametrize(
    "given",
    [
        ' :time (d / date-entity :time "9:00")',
        ' :time (d / date-entity :time "18:00")',
        ' :time (b / between :op1 (d / date-entity :time "18:00") :op2 (d2 / date-entity :time "18:00"))',
        " :ARG2 (b / between :op1 9 :op2 18)",
        " :ARG2 (t / temporal-quantity :quant 18 :unit (h / hour))",
        ' :time (s / since :op1 (d / date-entity :time "9:00" :dayperiod (m / morning)))',
        " :time (b / between :op1 (d / date-entity) :op2 (d2 / date-entity :day 18))",
        "",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Máme otevřeno od 9 do 18 hodin.", "cs"), ("Vi har åbent fra 9 til 18.", "da"),
        ("Wir haben von 9 bis 18 Uhr geöffnet.", "de"), ("We are open from 9 am to 6 pm.", "en"),
        ("We are open 9:00-18:00.", "en"), ("Abrimos de 9:00 a 18:00.", "es"),
        ("Abrimos de las 9 a las 18.", "es"), ("Nous ouvrons de 9 h à 18 h.", "fr"),
        ("Siamo aperti dalle 9 alle 18.", "it"), ("午前9時から午後6時まで営業しています。", "ja"),
        ("9시부터 18시까지 엽니다.", "ko"), ("Vi har åpent fra 9 til 18.", "nb"),
        ("We zijn open van 9 tot 18 uur.", "nl"), ("Otwarte od 9:00 do 18:00.", "pl"),
        ("Abrimos das 9h às 18h.", "pt"), ("Мы открыты с 9 до 18 часов.", "ru"),
        ("Vi har öppet från 9 till 18.", "sv"), ("Saat 9'dan 18'e kadar açığız.", "tr"),
        ("Ми відкриті з 9 до 18 годин.", "uk"), ("我们从上午9点到下午6点营业。", "zh"),
    ],
)  # fmt: skip
def test_clock_times(given: str, text: str, lang: str) -> None:
    assert mended(given, text, lang) == interval(":time", '"9:00"', '"18:00"')


@pytest.mark.parametrize(
    ("text", "lang", "role", "first", "second"),
    [
        ("Open from May to July.", "en", ":month", "5", "7"), ("Von Mai bis Juli.", "de", ":month", "5", "7"),
        ("De mai à juillet.", "fr", ":month", "5", "7"), ("从5月到7月", "zh", ":month", "5", "7"),
        ("From 1939 to 1945.", "en", ":year", "1939", "1945"), ("1939–1945", "pl", ":year", "1939", "1945"),
        ("从1939年持续到1945年。", "zh", ":year", "1939", "1945"),
        ("We are open from 2 to 4 pm.", "en", ":time", '"14:00"', '"16:00"'),
        ("We are open from 10 to 4 pm.", "en", ":time", '"10:00"', '"16:00"'),
        ("From 9:30 to 12:15", "en", ":time", '"9:30"', '"12:15"'),
    ],
)  # fmt: skip
def test_other_ranges(text: str, lang: str, role: str, first: str, second: str) -> None:
    given = f" :time (d / date-entity {role} {first})"
    assert mended(given, text, lang) == interval(role, first, second)


def test_between() -> None:
    graph = mended(' :time (d / date-entity :time "9:00")', "Zwischen 9 und 18 Uhr.", "de")
    assert graph == interval(":time", '"9:00"', '"18:00"', "between")


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (interval(":time", '"9:00"', '"18:00"'), "From 9 am to 6 pm.", "en"),  # nothing is lost
        ('(g / go-02 :time (d / date-entity :time "9:00"))', "We go at 9 am and at 6 pm.", "en"),
        ("(s / sell-01 :quant 9)", "We sell from 9 to 18 cars.", "en"),  # numbers of things
        ("(r / rise-01 :ARG2 9)", "It rose from 9 to 18 percent.", "en"),
        ("(o / open-01 :quant 9)", "It opens from 9 to 18 cars.", "en"),  # the number says something else
        (
            '(g / go-02 :time (d / date-entity :time "9:00") :ARG4 (h / home :time d))',
            "From 9 am to 6 pm.",
            "en",
        ),
        ('(d / date-entity :time "9:00")', "From 9 am to 6 pm.", "en"),
        ("(r / run-02 :time (d / date-entity :day 3 :month 5))", "From 3 May to 10 July.", "en"),  # days
        ("(g / go-02)", "From 9 am to 6 pm, and from 1939 to 1945.", "en"),  # two ranges
        ("(d / dog)", "From 9 am to 6 pm.", "en"),
        ("(g / go-02)", "From 9 am to 6 pm.", "xx"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_ranges(given, text, lang) is given

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


@pytest.mark.parametrize(
    ("text", "lang", "read"),
    [
        ("The shop opens at nine o'clock.", "en", "The shop opens at 9:00."),
        ("We eat at eight.", "en", "We eat at 8:00."),
        ("Der Laden öffnet um neun Uhr.", "de", "Der Laden öffnet um 9:00."),
        ("Um neun Uhr 30 beginnt es.", "de", "Um 9:30 beginnt es."),
        ("Le magasin ouvre à neuf heures.", "fr", "Le magasin ouvre à 9:00."),
        ("La tienda abre a las nueve.", "es", "La tienda abre a las 9:00."),
        ("A las nueve y 20.", "es", "A las 9:20."),
        ("Il negozio apre alle nove.", "it", "Il negozio apre alle 9:00."),
        ("A loja abre às nove horas.", "pt", "A loja abre às 9:00."),
        ("De winkel gaat om negen uur open.", "nl", "De winkel gaat om 9:00 open."),
        ("Магазин открывается в девять часов.", "ru", "Магазин открывается в 9:00."),
        ("Магазин відкривається о дев'ятій годині.", "uk", "Магазин відкривається о 9:00."),
        ("Wstaję o szóstej rano.", "pl", "Wstaję o 6:00 rano."),
        ("Dükkân saat dokuzda açılıyor.", "tr", "Dükkân saat 9:00'da açılıyor."),
        ("商店九点开门。", "zh", "商店9:00开门。"),
        ("가게는 아홉 시에 연다.", "ko", "가게는 9:00에 연다."),
        ("세 시 반에 만나자.", "ko", "3:30에 만나자."),
        ("Affären öppnar klockan nio.", "sv", "Affären öppnar klockan 9:00."),
        ("Obchod otevírá v devět hodin.", "cs", "Obchod otevírá v 9:00."),
        ("يفتح المتجر في الساعة التاسعة.", "ar", "يفتح المتجر في الساعة 9:00."),
    ],
)
def test_full_hours(text: str, lang: str, read: str) -> None:
    assert with_clock_digits(Composed(text), lang).text == read


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("At eight he could read.", "en"),
        ("He slept for nine hours.", "en"),
        ("Es sind neun Stunden.", "de"),
        ("Paris est à dix heures de route.", "fr"),
        ("Saludó a las tres mujeres.", "es"),
        ("Ha scritto alle tre sorelle.", "it"),
        ("Он спал три часа.", "ru"),
        ("Mówił o pierwszej żonie.", "pl"),
        ("Üç saat bekledik.", "tr"),
        ("我有一点累。", "zh"),
        ("他提了三点意见。", "zh"),
        ("나는 세 시간 기다렸다.", "ko"),
        ("九時に会う。", "ja"),
    ],
)
def test_other_numbers_are_no_clock_times(text: str, lang: str) -> None:
    given = Composed(text)
    assert with_clock_digits(given, lang) is given


@pytest.mark.parametrize(
    ("text", "lang", "read"),
    [
        ("Der Zug kommt um 7.30 Uhr an.", "de", "Der Zug kommt um 7:30 Uhr an."),
        ("The meeting starts at 2.30 pm.", "en", "The meeting starts at 2:30 pm."),
        ("La riunione inizia alle 7.30.", "it", "La riunione inizia alle 7:30."),
        ("Empieza a las 14.30 h.", "es", "Empieza a las 14:30 h."),
        ("Het begint om 14.30 uur.", "nl", "Het begint om 14:30 uur."),
        ("Встреча начинается в 14.30.", "ru", "Встреча начинается в 14:30."),
        ("Spotkanie zaczyna się o 14.30.", "pl", "Spotkanie zaczyna się o 14:30."),
        ("Toplantı 14.30'da başlıyor.", "tr", "Toplantı 14:30'da başlıyor."),
        ("Schůzka začíná ve 14.30.", "cs", "Schůzka začíná ve 14:30."),
    ],
)
def test_times_with_a_dot(text: str, lang: str, read: str) -> None:
    assert with_clock_digits(Composed(text), lang).text == read


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("It costs 2.30 dollars.", "en"),
        ("Prices rose by 2.30 per cent.", "en"),
        ("Es kostet 14.30 Franken.", "de"),
        ("Zdrożało o 14.30 zł.", "pl"),
        ("Цена выросла в 2.50 раза.", "ru"),
        ("Am 12.10.2020 Uhr.", "de"),
        ("Version 2.30.1", "it"),
    ],
)
def test_other_numbers_with_a_dot_stay(text: str, lang: str) -> None:
    given = Composed(text)
    assert with_clock_digits(given, lang) is given

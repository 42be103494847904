"""parser.mini.rules.clocks: clock times of many languages, and durations that are none."""

from __future__ import annotations

import pytest

from parser.mini.rules.clocks import is_clock, parts_of_day
from parser.mini.rules.literals import read_words


def times(text: str, lang: str) -> list[str]:
    symbols = [word.plain for _, word in read_words(text, lang)]
    return [symbol.strip('"') for symbol in symbols if symbol and is_clock(symbol)]


@pytest.mark.parametrize(
    ("text", "lang", "time"),
    [
        ("at 5 p.m. on Friday", "en", "17:00"),
        ("at 12:30 a.m.", "en", "0:30"),
        ("at 5 in the afternoon", "en", "17:00"),
        ("at 11 o'clock", "en", "11:00"),
        ("um 8 Uhr abends", "de", "20:00"),
        ("um 8 Uhr", "de", "8:00"),
        ("um 2 Uhr nachts", "de", "2:00"),
        ("à 16 h 30", "fr", "16:30"),
        ("à 9 heures", "fr", "9:00"),
        ("9 heures du soir", "fr", "21:00"),
        ("a las 5 de la tarde", "es", "17:00"),
        ("a las 5:30 p. m.", "es", "17:30"),
        ("às 17h", "pt", "17:00"),
        ("alle 17.30", "it", "17:30"),
        ("alle ore 17", "it", "17:00"),
        ("下午5点", "zh", "17:00"),
        ("下午5:30", "zh", "17:30"),
        ("早上8点30分", "zh", "8:30"),
        ("晚上9点半", "zh", "21:30"),
        ("午後5時", "ja", "17:00"),
        ("오후 5시에", "ko", "17:00"),
        ("saat 17:30'da", "tr", "17:30"),
        ("akşam saat 8'de", "tr", "20:00"),
        ("в 9 часов утра", "ru", "9:00"),
        ("в 5 часов вечера", "ru", "17:00"),
        ("الساعة 5 مساء", "ar", "17:00"),
        ("الساعة ٥:٣٠", "ar", "5:30"),
        ("शाम 5 बजे", "hi", "17:00"),
        ("klo 17.30", "fi", "17:30"),
        ("at 16:30", "xx", "16:30"),
    ],
)
def test_clock_times_are_read_in_their_language(text, lang, time):
    assert times(text, lang) == [time]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("for 9 hours", "en"),
        ("pendant 9 heures", "fr"),
        ("a las 5 mujeres", "es"),
        ("alle 17 donne", "it"),
        ("um 17.30 Euro", "de"),
        ("上涨5点", "zh"),
        ("5時間", "ja"),
        ("5시간", "ko"),
        ("5 saat", "tr"),
        ("в 5 домах", "ru"),
        ("5.30 km", "en"),
        ("25:30", "en"),
        ("16:75", "en"),
        ("17hours", "en"),
        ("at -5:30", "en"),
    ],
)
def test_other_numbers_are_no_clock_times(text, lang):
    assert times(text, lang) == []


def test_only_the_number_and_its_unit_belong_to_the_time():
    words = list(read_words("Um 8 Uhr abends.", "de"))
    assert [word.text for _, word in words] == ["Um", "8 Uhr", "abends"]
    assert words[1][0] == (3, 8)


def test_parts_of_the_day_are_those_of_cldr():
    assert parts_of_day("fr")["du soir"] == (18, 24)
    assert parts_of_day("tlh") == {}

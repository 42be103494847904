"""parser.mini.rules.literals: which words of a sentence can be copied, and as what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linearize.packed import is_constant, is_reference, split_role
from parser.mini.rules.literals import group_sign, read_words


def plain(text: str, lang: str = "en") -> list[str | None]:
    return [word.plain for _, word in read_words(text, lang)]


@pytest.mark.parametrize(
    ("text", "lang", "number"),
    [
        ("1,200", "en", "1200"),
        ("1.200", "en", "1.200"),
        ("1.200", "de", "1200"),
        ("1,200", "de", "1.200"),
        ("0,25", "de", "0.25"),
        ("0.25", "en", "0.25"),
        ("0.250", "de", "0.250"),  # no thousands begin with zero
        ("3.700.000", "de", "3700000"),
        ("3.700.000", "en", "3700000"),
        ("1,234.5", "en", "1234.5"),
        ("1.234,5", "it", "1234.5"),
        ("1'200", "de", "1200"),
        ("1\u202f200", "fr", "1200"),
        ("1 200", "fr", "1200"),
        ("250 000 Euro", "de", "250000"),
        ("3 500 000,50", "nb", "3500000.50"),
        ("2019 200", "en", "2019"),  # no thousands: four digits, a zero, no three digits, a phone number
        ("0 200", "fr", "0"),
        ("10 20", "en", "10"),
        ("555 123 4567", "en", "555"),
        ("-5", "en", "-5"),
        ("−5", "en", "-5"),
        ("٢٥", "ar", "25"),
        ("２５", "zh", "25"),
        ("3.7 million", "en", "3700000"),
        ("3,7 Millionen", "de", "3700000"),
        ("2 millones", "es", "2000000"),
        ("5 миллионов", "ru", "5000000"),
        ("12万", "zh", "120000"),
        ("1.5亿", "zh", "150000000"),
        ("7", "tlh", "7"),  # a language that CLDR does not know
    ],
)
def test_numbers_are_written_as_amr_writes_them(text, lang, number):
    assert plain(text, lang)[0] == number


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("16:30", "16:30"),
        ("at 5 pm:", "17:00"),
        ("4:30 p.m.", "16:30"),
        ("12 am", "0:00"),
        ("12:15 pm", "12:15"),
        ("à 16h30", "16:30"),
        ("um 16.30 Uhr", "16:30"),
        ("um 17 Uhr", "17:00"),
        ("um 17 Uhr 5", "17:00"),
        ("um 17 Uhr 30", "17:30"),
    ],
)
def test_clock_times_are_quoted(text, time):
    assert f'"{time}"' in plain(text)


def test_clocks_that_are_things_are_no_times():
    assert plain("17 Uhren", "de")[0] == "17"


@pytest.mark.parametrize("text", ["2024-05-17", "2024/05/17", "2024.05.17"])
def test_dates_are_three_numbers(text):
    assert plain(text) == ["2024", "5", "17"]


def test_the_day_may_come_first():
    assert plain("17.05.2024", "de") == ["17", "5", "2024"]


@pytest.mark.parametrize("text", ["1.2.3", "12.34.56", "1,2,3"])
def test_versions_and_lists_are_no_numbers(text):
    assert plain(text) == [None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5km", ["5", "km"]),
        ("the 3rd", ["the", "3", "rd"]),
        ("1990-1995", ["1990", "1995"]),
        ("F16", [None]),
        ("See https://a.org/b?c=1.", ["see", '"https://a.org/b?c=1"']),
        ("Call +49 30 1234567 or (030) 123-4567.", ["call", '"+49 30 1234567"', "or", '"(030) 123-4567"']),
        ("on 03 May of 2026-05", ["on", "3", "may", "of", "2026", "5"]),
        ("(www.a.org)", ['"www.a.org"']),
        ("ann.b@a.org,", ['"ann.b@a.org"']),
        ("10%", ["10"]),
        ("$5.00", ["5.00"]),
    ],
)
def test_what_stands_beside_a_number_is_a_word_of_its_own(text, words):
    assert plain(text) == words


@pytest.mark.parametrize(
    ("text", "lang", "names"),
    [
        ("Tom'un annesi Boston’da.", "tr", ['"Tom"', '"annesi"', '"Boston"']),
        ("Kur'an ve Kur'an'ın", "tr", ['"Kur\'an"', '"ve"', '"Kur\'an"']),
        ("O'Neill'in", "tr", ['"O\'Neill"']),
        ("d'accord Tom'un", "de", ['"d\'accord"', '"Tom\'un"']),
    ],
)
def test_turkish_names_are_copied_without_their_suffixes(text, lang, names):
    assert [word.name for _, word in read_words(text, lang)] == names


def test_a_name_is_copied_without_what_hangs_on_it():
    assert [word.name for _, word in read_words("Obama's l'Aquila", "it")] == ['"Obama"', '"s"', '"Aquila"']
    assert [word.name for _, word in read_words("O'Brien", "en")] == ['"O\'Brien"']


@pytest.mark.parametrize("hyphen", "-\u2010\u2011")
def test_every_hyphen_joins_a_word(hyphen):
    assert plain(f"a mother{hyphen}in{hyphen}law") == ["a", "mother-in-law"]


@pytest.mark.parametrize(
    ("text", "lang", "words"),
    [
        ("火灾致38人死亡", "zh", [None, "38", None]),
        ("LendingTree的股价大涨5.99美元", "zh", ["lendingtree", None, "5.99", None]),
        ("2024年5月17日下午5:30", "zh", ["2024", None, "5", None, "17", None, '"17:30"']),
        ("約3.7万人", "ja", [None, "37000", None]),
        ("มีแมว12ตัว", "th", [None, "12", None]),
    ],
)
def test_digits_and_latin_words_stand_apart_where_no_blanks_are_written(text, lang, words):
    assert plain(text, lang) == words


def test_thousands_are_separated_as_cldr_says():
    assert {lang: group_sign(lang) for lang in ("en", "de", "es", "tr", "zh", "xx", "")} == {
        "en": ",", "de": ".", "es": ".", "tr": ".", "zh": ",", "xx": ",", "": ","
    }  # fmt: skip


@given(
    st.text(alphabet=st.sampled_from("aZé狗٣0123456789.,:/-−@' %hpmw\u0301€万"), max_size=30),
    st.sampled_from(["en", "de", "fr"]),
)
def test_words_lie_in_order_and_every_copy_is_a_node(text, lang):
    end = 0
    for (begin, stop), word in read_words(text, lang):
        assert end <= begin < stop <= len(text)
        assert word.text == text[begin:stop]
        end = stop
        for symbol in (word.plain, word.name):
            assert symbol is None or not (is_reference(symbol) or split_role(symbol))
        assert word.name is None or is_constant(word.name)
        if word.plain and word.plain[-1].isdigit():
            assert is_constant(word.plain)


def test_an_address_ends_where_chinese_begins() -> None:
    texts = [
        ("请写信给info@example.org。", "info@example.org"),
        ("请访问www.example.org。谢谢", "www.example.org"),
    ]
    for text, address in texts:
        assert f'"{address}"' in [word.plain for _, word in read_words(text, "zh")]

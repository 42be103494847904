"""Numbers in words are read as digits."""

import pytest
from num2words import num2words

from amrx.composed_text import Composed, compose
from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.spelled_numbers import read_chinese, with_digits

NUMBERS = (11, 12, 15, 17, 20, 21, 34, 45, 71, 80, 92, 99, 101, 120, 250, 365, 999, 1200, 12_000, 250_000)
SPACED = "ca cs de en es fi fr hu id it lt lv nl pl pt ro ru sk sl sr sv uk vi"


def digits(text: str, lang: str) -> str:
    return with_digits(compose(text), lang).text


@pytest.mark.parametrize("lang", SPACED.split())
def test_reads_the_words_of_every_language(lang: str) -> None:
    for number in NUMBERS:
        assert digits(f"x {num2words(number, lang=lang)} y", lang) == f"x {number} y"


def test_reads_japanese_numerals() -> None:
    for number in range(11, 20_000):
        if number not in (100, 1000):
            assert digits(f"約{num2words(number, lang='ja')}円", "ja") == f"約{number}円"


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "a forty-five-year-old man", "a 45-year-old man"),
        ("en", "A hundred and twenty people", "120 people"),
        ("en", "one thousand, three hundred and twenty cars", "1320 cars"),
        ("en", "in nineteen eighty-four", "in 1984"),
        ("en", "three million people", "3 million people"),
        ("de", "dreitausendfünfhundert Gäste", "3500 Gäste"),
        ("de", "hundertfünf Gäste", "105 Gäste"),
        ("fr", "quatre-vingt-dix pour cent des gens", "90 pour cent des gens"),
        ("es", "doscientas cincuenta y dos mujeres", "252 mujeres"),
        ("es", "veintiún hombres", "21 hombres"),
        ("en", "the twenty-first man or the twelfth one", "the 21st man or the 12th one"),
        ("fr", "au vingt et unième siècle", "au 21e siècle"),
        ("de", "am einundzwanzigsten Mai", "am 21. Mai"),
        ("tr", "kırk beş dakika", "45 dakika"),
        ("uk", "п'ятнадцять хвилин", "15 хвилин"),
        ("ar", "خمس وأربعين دقيقة", "45 دقيقة"),
        ("zh", "会议持续了四十五分钟", "会议持续了45分钟"),
        ("zh", "十一月二十日，一九八四年", "11月20日，1984年"),
        ("ja", "三冊の本と十二月", "3冊の本と12月"),
        ("ko", "사십오 분 동안 스물다섯 명", "45 분 동안 25 명"),
    ],
)
def test_replaces_numbers(lang: str, text: str, expected: str) -> None:
    assert digits(text, lang) == expected


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "the first man of three"),
        ("es", "el vigésimo primero"),
        ("de", "Er kommt am zwanzigsten."),
        ("en", "She saw Twelve Monkeys again"),
        ("en", "hundreds of people"),
        ("ru", "двадцать первый век"),
        ("tr", "yüzünü yıkadı ve yüz yüze"),
        ("zh", "十分好，几十个，二百五，千万别去"),
        ("ko", "이만 가자"),
    ],
)
def test_leaves_other_words(lang: str, text: str) -> None:
    assert digits(text, lang) == text


def test_spans_are_those_of_the_given_text() -> None:
    text = "Hu\u0308te: forty-five or twelve"
    composed = with_digits(compose(text), "en")
    assert composed.text == "Hüte: 45 or 12"
    assert text[slice(*composed.given(6, 8))] == "forty-five"
    assert text[slice(*composed.given(12, 14))] == "twelve"
    assert text[slice(*composed.given(0, 4))] == "Hu\u0308te"


def test_returns_the_same_text_without_numbers() -> None:
    composed = Composed("No numbers, one or two")
    assert with_digits(composed, "en") is composed


def test_ambiguous_chinese_numerals_are_not_read() -> None:
    assert [read_chinese(signs) for signs in ("二百五", "三万五", "百", "千万", "三万亿")] == [None] * 5
    assert [read_chinese(signs, "ja") for signs in ("二百五", "百", "千万")] == [205, 100, 10_000_000]


def test_the_parser_copies_the_number() -> None:
    texts = {
        "en": "The meeting lasted forty-five minutes.",
        "de": "Die Sitzung dauerte fünfundvierzig Minuten.",
        "zh": "会议持续了四十五分钟。",
    }
    for parse in load_mini().parse([Sentence(lang, text, lang) for lang, text in texts.items()]):
        (quantity,) = [node for node, _, value in parse.graph.attributes(role=":quant") if value == "45"]
        assert (quantity, ":instance", "temporal-quantity") in parse.graph.instances()

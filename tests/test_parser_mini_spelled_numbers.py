"""Numbers in words are read as digits."""

import random
import re

import pytest
from num2words import num2words

from amrx.composed_text import Composed, compose
from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.chinese_numerals import FIXED, read_chinese
from parser.mini.rules.number_words import number_word, number_words
from parser.mini.rules.spelled_numbers import with_digits

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
        ("en", "between one hundred and two hundred men", "between 100 and 200 men"),
        ("en", "between two thousand and three thousand men", "between 2000 and 3000 men"),
        ("en", "one thousand, five of them here", "1000, five of them here"),
        ("en", "two thousand and (five)", "2000 and (five)"),
        ("en", "at twelve thirty", "at 12 30"),
        ("en", "twelve twenty-year-olds", "12 20-year-olds"),
        ("en", "fifty-fifty", "50-50"),
        ("en", "It works. Twenty people came.", "It works. 20 people came."),
        ("en", "Twelve Killed As Twenty Flee", "12 Killed As 20 Flee"),
        ("de", "ein Zwölf-Stunden-Tag und zwölf-Stunden-Tage", "ein Zwölf-Stunden-Tag und 12-Stunden-Tage"),
        ("fr", "Il a quatre-vingt ans, pour vingt euros", "Il a 80 ans, pour 20 euros"),
        ("es", "por veinte euros", "por 20 euros"),
        ("it", "ventun giorni, per venti minuti", "21 giorni, per 20 minuti"),
        ("ar", "مئة شخص", "100 شخص"),
        ("id", "antara seratus dan dua ratus orang", "antara 100 dan 200 orang"),
        ("ro", "între două sute și trei sute de oameni", "între 200 și 300 de oameni"),
        ("vi", "năm hai nghìn không trăm hai mươi tư", "năm 2024"),
        ("vi", "năm hai nghìn không trăm linh năm", "năm 2005"),
        ("ja", "三点五キロ", "3.5キロ"),
        ("zh", "十二点五公斤，百分之三点零五", "12.5公斤，百分之3.05"),
        ("de", "drei Komma fünf oder zwölf Komma null zwei", "3,5 oder 12,02"),
        ("en", "three point one four, zero point five", "3.14, 0.5"),
        ("fr", "douze virgule vingt-cinq", "12,25"),
        ("es", "tres coma cinco", "3,5"),
        ("ru", "три целых и пять сотых процента", "3,05 процента"),
        ("tr", "üç virgül beş kilo", "3,5 kilo"),
        ("ru", "около двадцати пяти человек, с двадцатью книгами", "около 25 человек, с 20 книгами"),
        ("uk", "близько двадцяти людей", "близько 20 людей"),
        ("pl", "około dwudziestu pięciu osób, po piętnastu minutach", "około 25 osób, po 15 minutach"),
        ("cs", "asi dvaceti lidí", "asi 20 lidí"),
        ("ru", "двадцать первый век, на двенадцатом этаже", "21-й век, на 12-й этаже"),
        ("uk", "на дванадцятому поверсі", "на 12-й поверсі"),
        ("es", "la decimoquinta edición, el vigésimo primero día", "la 15ª edición, el 21º día"),
        ("it", "il dodicesimo piano, la quindicesima edizione", "il 12º piano, la 15ª edizione"),
        ("pt", "o décimo segundo andar", "o 12º andar"),
        ("nl", "de vijftiende editie", "de 15e editie"),
        ("pl", "na dwunastym piętrze, piętnasta edycja", "na 12. piętrze, 15. edycja"),
        ("sv", "den femtonde festivalen", "den 15:e festivalen"),
        ("tr", "festivalin on beşinci yılı", "festivalin 15. yılı"),
        ("tr", "yirmi beşten fazla, otuzdan az", "25 fazla, 30 az"),
        ("zh", "三点十五分或十二点半，一月一日", "3点15分或12点半，1月1日"),
        ("zh", "百分之三十五", "百分之35"),
        ("ja", "十分間、三時十分、二百社", "10分間、3時10分、200社"),
        ("ko", "이천오백 원, 이천이십사 년, 이천일 년", "2500 원, 2024 년, 2001 년"),
        ("ko", "열두 시에 스무 명이 왔다", "12 시에 20 명이 왔다"),
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
        ("ru", "тысяча девятьсот двадцать первый год, на ветке сорока"),
        ("pl", "o dwunastej przyjdzie, drugi dom"),
        ("en", "one point, two points, point five"),
        ("fa", "سه و پنج"),
        ("it", "45 centesimi, un centesimo in più"),
        ("tr", "yüzünü yıkadı ve yüz yüze"),
        ("zh", "三点一刻，早一点一起去"),
        ("zh", "十分好，几十个，二百五，千万别去"),
        ("ko", "이만 가자"),
        ("en", "a thousand thanks"),
        ("en", "The Eleven won the match"),
        ("en", "twenty two-bedroom flats"),
        ("en", "the nineteen-eighties, in the nineteen hundreds"),
        ("en", "the one hundred and twentieth man"),
        ("en", "mid-twenty"),
        ("de", "Die Elf von gestern"),
        ("de", "Tausend Dank"),
        ("de", "Karl der Zwölfte war hier"),
        ("es", "La ONCE vende cupones, por cien"),
        ("fr", "un mille-feuille, les Trente Glorieuses, Mille mercis"),
        ("it", "I venti soffiano"),
        ("nl", "De elf danst"),
        ("pl", "dwa tysiące dwudziesty czwarty rok"),
        ("zh", "二十分之一，三千多万人，双十一，五月天"),
        ("ja", "十分な時間、三日月、二日酔い、三分の一"),
        ("ja", "二、三人、五、六十人、三割五分、千歳"),
        ("ja", "五十嵐さんと六本木の八百屋、四日市、百人一首"),
        ("ko", "백일장, 이천시, 이천 시장, 육십 분의 일"),
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


@pytest.mark.parametrize("lang", ["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "vi", "zh"])
def test_only_numbers_change(lang: str) -> None:
    """Spans are in order and inside the text, and signs between words stay, beside any numbers."""
    numbers = [num2words(n, lang="ja" if lang == "zh" else lang) for n in (*range(1, 60), 305, 1000, 12_000)]
    words = [*numbers, *(word for number in numbers for word in number.split()), "x", "e\u0301", "\U0001f600"]
    draw = random.Random(3)
    for _ in range(200):
        text = "".join(draw.choice(words) + draw.choice((" ", "! ", "(", "\u201c", "; ")) for _ in range(6))
        read = with_digits(compose(text), lang)
        signs = [re.sub(r"[\s\w]", "", one) for one in (compose(text).text, read.text)]
        assert [re.sub(r"[-,.]", "", one) for one in signs] == [re.sub(r"[-,.]", "", signs[0])] * 2
        spans = [read.given(place, place + 1) for place in range(len(read.text))]
        assert spans == sorted(spans)
        assert all(0 <= begin < end <= len(text) for begin, end in spans)


@pytest.mark.parametrize(("lang", "sign"), [("ja", "分の一"), ("zh", "分之一")])
def test_a_fraction_is_searched_only_from_its_first_sign(lang: str, sign: str) -> None:
    """Searching from each sign would take quadratic time in long texts of numerals."""
    assert FIXED[lang].search(f"一一一{sign}", 1) is None


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


def test_one_missing_ordinal_leaves_the_others() -> None:
    assert number_word(30, "ca", "ordinal") is None
    assert number_word(29, "ca", "ordinal")
    assert "prim" in number_words("ca").last_ordinals
    assert number_words("cs").last_ordinals == ()


@pytest.mark.parametrize(
    ("text", "lang", "read"),
    [
        ("Koupila osm jablek.", "cs", "Koupila 8 jablek."),
        ("Hun købte ni æbler.", "da", "Hun købte 9 æbler."),
        ("Hun kjøpte åtte epler.", "nb", "Hun kjøpte 8 epler."),
        ("Hon köpte nio äpplen.", "sv", "Hon köpte 9 äpplen."),
        ("她买了九个苹果。", "zh", "她买了9个苹果。"),
        ("我们走了八公里。", "zh", "我们走了8公里。"),
        ("그녀는 사과 세 개를 샀다.", "ko", "그녀는 사과 3 개를 샀다."),
        ("가격이 오 퍼센트 올랐다.", "ko", "가격이 5 퍼센트 올랐다."),
    ],
)
def test_small_numbers_that_the_parser_misreads(text: str, lang: str, read: str) -> None:
    assert with_digits(Composed(text), lang).text == read


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("She bought nine apples.", "en"),
        ("Klockan är tre.", "sv"),
        ("Hon köpte två äpplen.", "sv"),
        ("第九个人。", "zh"),
        ("他上三年级。", "zh"),
        ("两个人。", "zh"),
        ("我喜欢三明治。", "zh"),
        ("세 시에 만나자.", "ko"),  # a clock time
        ("이 년은 너무 길다.", "ko"),
        ("네 개를 봤다.", "ja"),
    ],
)
def test_other_small_numbers_stay(text: str, lang: str) -> None:
    given = Composed(text)
    assert with_digits(given, lang) is given

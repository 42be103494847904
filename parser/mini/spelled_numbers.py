"""Write the numbers of a sentence in digits, which the parser copies, while it misreads most number words.

::

    forty-five minutes                   45 minutes
    zweihundertfünfzig Tage (de)         250 Tage
    kırk beş dakika (tr)                 45 dakika
    四十五分钟 (zh)                       45分钟
    nineteen eighty-four                 1984
    three million                        3 million
    the twenty-first century             the 21st century

Numbers up to ten stay, which the parser knows, unless a million or billion follows; so do ordinals, but in
English, French and German. The number words of a language are those of num2words; Chinese numerals, and
Korean ones before a counter, are read by rule. A word that is a part of a name, compound, fraction or fixed
expression (*Ocean's Eleven*, *mille-feuille*, 三分之一, 八百屋) stays: a wrong number is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Self, TypeVar

from amrx.composed_text import Composed, Span, with_letters_for_marks
from parser.mini.literals import LARGE

LEAST = 11
"""Smallest number that is written in digits."""
_SHORTEST_STEM = 4
MOST_WORDS = 8
"""Maximum number of words of a number below a thousand, or of its thousands."""
_WORD = re.compile(r"[^\W\d_]+(?:(?<=[а-яієїґў])['’ʼ](?=[яюєї])[^\W\d_]+)*")
_GAP = re.compile(r"[\s\-\u2010\u2011]+")
"""Between two words of a number."""
_LONG_GAP = re.compile(r"[\s,\-\u2010\u2011]+")
"""Between thousands and the rest."""
_PER, _CENT = frozenset({"per", "por", "pour"}), ("cent", "cien")
"""The words of *per cent*, and their first letters."""
_AMBIGUOUS = {"tr": {"yüz", "bin"}}
"""Words with another frequent meaning: *face*, *get on*."""
_NOUNS = {"it": {"venti": "i dei ai nei forti".split()}, "nl": {"elf": "de een die deze".split()}}
"""Words that are nouns after some words: *winds*, *elf*."""
_POWERS = {
    "ca": {"cents"},
    "en": {"hundred"},
    "fr": {"cents", "vingts"},
    "he": {"מאות"},
    "id": {"belas", "puluh", "ratus"},
    "nb": {"hundre"},
    "ro": {"sute"},
    "vi": {"mươi", "trăm"},
}
"""Words that multiply the word before: the *two* of *between one hundred and two hundred* is not of 102."""
_PLURALS = frozenset("hundreds twenties thirties forties fifties sixties seventies eighties nineties".split())
"""Words after *nineteen* in centuries and decades."""
_THANKS = frozenset(
    "thanks thank dank danke merci mercis remerciements grazie scuse gracias obrigados desculpas tack takk "
    "tak díků kiitosta kiitokset köszönet mulțumiri scuze شكر תודות".split()
)
"""Words that a hundred or a thousand only intensifies."""
_COMPOUNDS = frozenset({"ca", "es", "fr", "it", "pt"})
"""Languages whose compounds begin with numbers only by name: *mille-feuille*."""
_SENTENCE_END = re.compile(r"[.!?:…¿¡。\n•]")
_SMALL_WORD = 4
"""Minimum number of letters of a word that a headline in Title Case writes with a capital."""
_AND = {
    "ar": "و",
    "da": "og",
    "de": "und",
    "en": "and",
    "es": "y",
    "fr": "et",
    "it": "e",
    "pt": "e",
    "ro": "și",
}
_VARIANTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "ar": ((" و ", " و"), ("ون", "ين"), ("خمسة", "خمس"), ("خمسة", "خمسا"), ("مائة", "مئة")),
    "de": (("einhundert", "hundert"), ("eintausend", "tausend")),
    "en": ((" and ", " "), ("one hundred", "a hundred"), ("one thousand", "a thousand")),
    "es": (
        ("cientos", "cientas"),
        ("quinientos", "quinientas"),
        ("iuno", "iún"),
        ("uno", "un"),
        ("uno", "una"),
    ),
    "fr": (("vingts", "vingt"),),
    "id": (("satu ratus", "seratus"),),
    "it": (("tuno", "tun"),),
    "pt": (("entos", "entas"), ("dois", "duas"), ("um", "uma")),
    "ru": (("одна тысяча", "тысяча"), ("один", "одна"), ("два", "две")),
    "sv": (("etthundra", "hundra"), ("etttusen", "tusen")),
    "vi": (("mươi bốn", "mươi tư"), (" lẻ ", " linh ")),
}
"""Other forms of the same number, by replacement in num2words' form."""
_CODES = {"nb": ("no",), "pt": ("pt", "pt_BR"), "fr": ("fr", "fr_CH")}
"""num2words' codes of a language, if they differ from ours."""
_YEARS = ("de", "en", "nl")
_ORDINALS = {
    "de": [(ending, ".") for ending in ("", "n", "r", "s", "m")],
    "en": [("", "")],
    "fr": [("", "e")],
}
"""Endings of ordinals, and the sign after their digits."""

Letters = str
"""The letters of a number, without spaces and hyphens."""
Value = TypeVar("Value")


class Table(NamedTuple):
    """The numbers of a language."""

    values: Mapping[Letters, int]
    starts: frozenset[str]  # the first two letters of the first words
    ordinals: Mapping[Letters, str]  # ordinals from `LEAST` on, in digits
    last_ordinals: tuple[str, ...]  # beginnings of the last words of ordinals
    longest: int  # number of letters of the longest number


def with_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with numbers from `LEAST` on in digits; the same object if it has none in words.

    Example:
        >>> with_digits(Composed("Twenty-one men and two hundred and fifty cars"), "en").text
        '21 men and 250 cars'
    """
    text = composed.text
    found = list(_found(text, lang))
    if not found:
        return composed
    pieces: list[str] = []
    spans: list[Span] = []
    end = 0
    for (first, last), digits in found:
        pieces += [text[end:first], digits]
        spans += [composed.given(place, place + 1) for place in range(end, first)]
        spans += [composed.given(first, last)] * len(digits)
        end = last
    pieces.append(text[end:])
    spans += [composed.given(place, place + 1) for place in range(end, len(text))]
    return Composed("".join(pieces), tuple(spans))


def _found(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers to replace, and their digits, from left to right."""
    if lang in ("ja", "zh"):
        yield from _in_chinese(text, lang)
    elif lang == "ko":
        yield from _in_korean(text)
    elif lang != "th":  # no spaces between words
        yield from _in_words(text, lang)


def _in_words(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    words = Words.of(text, lang)
    place = 0
    while place < len(words.spans):
        end, number = words.longest(place)
        last, ordinal = words.entry(place, words.table.ordinals)
        is_ordinal = last > end and words.is_before_word(last) and not words.is_in_name(place)
        digits = ordinal if is_ordinal else None
        if number is not None and last <= end and words.is_number(place, end, number):
            digits = str(number)
        end = max(end, last)
        if digits is None and number is not None and words.is_cut(end, number):
            end = words.after_and(end) + 1
        if digits is not None:
            yield (words.spans[place][0], words.spans[end - 1][1]), digits
        place = max(end, place + 1)


@dataclass(frozen=True)
class Words:
    """The words of a sentence, and the numbers of its language."""

    text: str  # the sentence
    lang: str  # its language
    spans: Sequence[Span]  # the span of each word
    folded: Sequence[str]  # each word in small letters
    table: Table  # the numbers
    has_small: bool  # whether a word that Title Case would write with a capital has none

    @classmethod
    def of(cls, text: str, lang: str) -> Self:
        """Split a sentence."""
        spans = [match.span() for match in _WORD.finditer(with_letters_for_marks(text))]
        written = [text[slice(*span)] for span in spans]
        has_small = any(len(word) >= _SMALL_WORD and word[0].islower() for word in written)
        return cls(text, lang, spans, [_folded(word) for word in written], _table(lang), has_small)

    def longest(self, first: int) -> tuple[int, int | None]:
        """Return the end and the value of the longest number that starts at word ``first``."""
        if self.folded[first][:2] not in self.table.starts:
            return first, None
        end, number = self.entry(first, self.table.values)
        if number is None and (number := _split(self.folded[first], self.table)):
            return first + 1, number
        if number is None or number % 1000 or not self._is_gap(end, _LONG_GAP):
            return end, number
        after = self.after_and(end)
        if self._is_gap(after, _GAP if after > end else _LONG_GAP):
            last, rest = self.entry(after, self.table.values)
            is_listed = "," in self.text[self.spans[end - 1][1] : self.spans[end][0]]
            least = 1 if not is_listed else 100 if self.lang == "en" else 1000
            if rest is not None and least <= rest < 1000:
                return last, number + rest
        return end, number

    def entry(self, first: int, entries: Mapping[Letters, Value]) -> tuple[int, Value | None]:
        """Return the end and the value of the longest entry that starts at word ``first``."""
        letters = ""
        best: tuple[int, Value | None] = first, None
        for place in range(first, min(first + MOST_WORDS, len(self.spans))):
            if place > first and not self._is_gap(place, _GAP):
                break
            letters += self.folded[place]
            if len(letters) > self.table.longest:
                break
            if letters in entries and not self._is_multiplied(first, place + 1):
                best = place + 1, entries[letters]
        return best

    def _is_gap(self, place: int, gap: re.Pattern[str]) -> bool:
        """Return whether ``gap`` is all that is between a word and the one before it."""
        if not 0 < place < len(self.spans):
            return False
        return gap.fullmatch(self.text, self.spans[place - 1][1], self.spans[place][0]) is not None

    def _is_multiplied(self, first: int, end: int) -> bool:
        """Return whether the word at ``end`` multiplies only the word before it."""
        if not self._is_gap(end, _GAP):
            return False
        word = self.folded[end]
        is_second = word == "thousand" and word in self.folded[first:end]
        return is_second or word in _POWERS.get(self.lang, ())

    def is_before_word(self, end: int) -> bool:
        """Return whether a word follows; a dot would be a part of a German ordinal."""
        return end < len(self.spans) and self.text[self.spans[end - 1][1]] == " "

    def after_and(self, place: int) -> int:
        """Return the next place after *and* or, in Vietnamese, the words for no hundreds and no tens."""
        if self.lang == "vi":
            place += 2 * (self.folded[place : place + 2] == ["không", "trăm"])
            return place + (self.folded[place : place + 1] in (["lẻ"], ["linh"]))
        return place + (self.folded[place : place + 1] == [_AND.get(self.lang)])

    def is_cut(self, end: int, number: int) -> bool:
        """Return whether an ordinal continues a number: *twenty-first*, French *vingt et unième*."""
        after = self.after_and(end)
        if number % 10 or after >= len(self.spans) or self.folded[after] in self.table.values:
            return False
        if not self.folded[after].startswith(self.table.last_ordinals):
            return False
        has_space = self.lang != "en" or number % 100 == 0
        return self.text[self.spans[end - 1][1]] in ("- " if has_space else "-")

    def is_number(self, first: int, end: int, number: int) -> bool:
        """Return whether the words from ``first`` to ``end`` are to be written in digits."""
        large = LARGE.match(self.text, self.spans[end - 1][1])
        if number < (1 if large and not large["thousand"] else LEAST):
            return False
        if end - first == 1 and self._has_other_meaning(first):
            return False
        after = self.folded[end] if self._is_gap(end, _GAP) else ""
        if after in _PLURALS or (number in (100, 1000) and after in _THANKS):
            return False
        return not (self.is_in_name(first) or self._is_in_compound(first, end) or self.is_cut(end, number))

    def _has_other_meaning(self, place: int) -> bool:
        """Return whether a word is a part of *per cent*, or has another frequent meaning."""
        word, before = self.folded[place], self.folded[place - 1] if place else ""
        if before in _PER and word.startswith(_CENT):
            return True
        return word in _AMBIGUOUS.get(self.lang, ()) or before in _NOUNS.get(self.lang, {}).get(word, ())

    def is_in_name(self, place: int) -> bool:
        """Return whether a word has a capital inside a sentence that is not in Title Case."""
        begin = self.spans[place][0]
        if not place or not self.text[begin].isupper():
            return False
        if not (self.has_small or self.lang == "de" or self.text[self.spans[place - 1][0]].islower()):
            return False
        return _SENTENCE_END.search(self.text, self.spans[place - 1][1], begin) is None

    def _is_in_compound(self, first: int, end: int) -> bool:
        """Return whether a hyphen joins other words to a number, so that it is no number or not surely one.

        An English compound with a space before its last word, *twenty two-bedroom flats*, may begin there.
        """
        begin, last = self.spans[first][0], self.spans[end - 1][1]
        if self._is_joined(first) and self.folded[first - 1] not in self.table.values:
            return True
        if not self._is_joined(end) or self.folded[end] in self.table.values:
            return False
        has_space = re.search(" (?!and )", self.text[begin:last].casefold()) is not None
        return self.lang in _COMPOUNDS or (self.lang == "en" and has_space)

    def _is_joined(self, place: int) -> bool:
        """Return whether a hyphen joins a word to the one before it."""
        if not 0 < place < len(self.spans):
            return False
        return self.text[self.spans[place - 1][1] : self.spans[place][0]] in ("-", "\u2010", "\u2011")


def _split(letters: Letters, table: Table) -> int | None:
    """Return the value of thousands and a rest in one word."""
    values, longest = table.values, table.longest
    for cut in range(max(3, len(letters) - longest), min(len(letters) - 2, longest + 1)):
        thousands, rest = values.get(letters[:cut]), values.get(letters[cut:])
        if thousands and rest and thousands % 1000 == 0 and rest < 1000:
            return thousands + rest
    return None


@cache
def _table(lang: str) -> Table:
    from num2words import CONVERTER_CLASSES

    codes = [code for code in _CODES.get(lang, (lang,)) if code in CONVERTER_CLASSES]
    numbers = [*range(1, 1000), *range(1000, 100_000, 1000), *range(100_000, 1_000_000, 50_000)]
    forms = [(form, number) for code in codes for form, number in _forms(numbers, code, "cardinal")]
    if lang in _YEARS:
        forms += [
            (form, year)
            for form, year in _forms(range(1100, 2100), lang, "year")
            if lang != "en" or year >= 1300 or "hundred" in form  # twelve thirty is a time
        ]
    values: dict[Letters, int] = {}
    starts: set[str] = set()
    for form, number in forms:
        for variant in _variants(form, lang):
            words = [_folded(word) for word in _WORD.findall(variant)]
            values.setdefault("".join(words), number)
            starts.add(words[0][:2])
    last_words = [
        _folded(_WORD.findall(form)[-1])
        for code in codes
        for form, _ in _forms((*range(1, 30), *range(30, 100, 10)), code, "ordinal")
    ]
    stems = {word[: max(_SHORTEST_STEM, len(word) - 2)] for word in last_words if word not in values}
    ordinals = {
        "".join(_folded(word) for word in _WORD.findall(form + ending)): f"{number}{sign}"
        for ending, sign in _ORDINALS.get(lang, ())
        for form, number in _forms(range(LEAST, 101), lang, "ordinal")
    }
    if lang == "en":
        ordinals = {letters: _with_english_ending(digits) for letters, digits in ordinals.items()}
    longest = max(map(len, (*values, *ordinals)), default=0)
    return Table(values, frozenset(starts), ordinals, tuple(sorted(stems)), longest)


def _with_english_ending(digits: str) -> str:
    ending = "th" if digits[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
    return digits + ending


def _folded(word: str) -> str:
    """Return a word in small letters, without the apostrophe of Ukrainian."""
    return re.sub("['’ʼ]", "", word.casefold())


def _forms(numbers: Sequence[int], code: str, kind: str) -> list[tuple[str, int]]:
    """Return num2words' forms of numbers; it lacks the ordinals of some languages."""
    from num2words import num2words

    try:
        return [(num2words(number, lang=code, to=kind).casefold(), number) for number in numbers]
    except (NotImplementedError, KeyError, IndexError):
        if kind == "cardinal":
            raise
        return []


def _variants(form: str, lang: str) -> list[str]:
    """Return a form and its `_VARIANTS`."""
    forms = [form.replace(",", "")]
    for old, new in _VARIANTS.get(lang, ()):
        forms += [one.replace(old, new) for one in forms if old in one]
    return forms


_DIGITS = {
    sign: value
    for value, signs in enumerate(("〇零", "一", "二两兩", "三", "四", "五", "六", "七", "八", "九"))
    for sign in signs
}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CHINESE_SIGNS = "".join((*_DIGITS, *_GROUPS)) + "十百千"
_NUMERAL = re.compile(rf"(?<![数數几幾])[{_CHINESE_SIGNS}]+")
_COUNTERS = {"ja": "冊人個本枚匹台回日年月時分秒歳階杯頭羽軒着足通円件つ", "zh": "月日号號"}
"""Words after which a single numeral, which the parser misreads there, is a number."""
_OTHER_COUNTERS = (
    "名点票校社店歩曲世種度倍割組班号番第間基隻両巻話章条項位級段周週泊畳坪丁箇ヶ品棟戸機発打試勝敗球色カ"
)
"""Kanji that may follow a Japanese number of two signs or more, besides `_COUNTERS`."""
_KANJI = re.compile(r"[\u3400-\u9fff々]")
_MINUTES = "[二三四五]?十[一二三四五六七八九]?"
_CLOCK = re.compile(
    rf"[点點](?:半|[钟鐘整]|(?:{_MINUTES}|[一二三四五六七八九])分(?!之)|{_MINUTES}(?![一-九]))"
)
_POINT = re.compile(rf"[点點][{''.join(_DIGITS)}十]")
FIXED = {
    "ja": re.compile(
        r"(?<!時)十分(?!間|後|前|以|ほど|くらい|ぐらい|おき|かか|遅|早)|三日月|[二三]日酔|三日坊主|[四五八十]日(?:市|町)"
        r"|[一二三四五六七八九十]本(?:木|松)|三軒茶屋|千本桜|百足|五分五分|百人一首|八百万|[一二三]人称|十八番|十人十色"
        r"|千歳|[一二三四五六七八九]割(?:[一二三四五六七八九]分)?"
        r"|(?<![一二三四五六七八九十百千万])[一二三四五六七八九]、[一二三四五六七八九][十百千万]*(?=[人個本枚冊台匹頭回日年分時歳名])"
        r"|五つ星|[三双]つ子|[二三]枚目|[二三]階堂|山本五十六|[一二三四五六七八九]分(?:丈|目|咲)|九十九里"
        r"|(?<![一二三四五六七八九十百])[一二三四五六七八九十百]+分の[一二三四五六七八九十百]+"
    ),
    "zh": re.compile(
        r"双十一|十一(?=假期|长假|黄金周)|[一二三四五六七八九]月天"
        rf"|(?<![{_CHINESE_SIGNS}])[{''.join(_DIGITS)}十百千]+(?=[多余来几][万亿])"
        rf"|(?<![{_CHINESE_SIGNS}])(?!百分之)[{_CHINESE_SIGNS}]+分之[{_CHINESE_SIGNS}]+"
    ),
}
"""Words and fractions with numerals, which are left as they are."""


def _in_chinese(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    fixed = {place for match in FIXED[lang].finditer(text) for place in range(*match.span())}
    for match in _NUMERAL.finditer(text):
        number = read_chinese(match[0], lang)
        if number is None or match.start() in fixed:
            continue
        if lang == "ja":
            is_number = _is_japanese_number(text, match.span(), number)
        else:
            is_number = _is_chinese_number(text, match.span(), number)
        if is_number:
            yield match.span(), str(number)


def _is_japanese_number(text: str, span: Span, number: int) -> bool:
    """Return whether a numeral counts, and is no part of a name (五十嵐) or another word (八百屋)."""
    after = text[span[1] : span[1] + 1]
    if after and after in _COUNTERS["ja"]:
        return number > 1 or after == "月"
    counts = not _KANJI.match(after) or after in _OTHER_COUNTERS
    return number >= LEAST and span[1] - span[0] > 1 and counts


def _is_chinese_number(text: str, span: Span, number: int) -> bool:
    """Return whether a numeral is a number; clock times are, decimals in words (十二点五) are not."""
    before, after = text[max(0, span[0] - 1) : span[0]], text[span[1] : span[1] + 1]
    if _CLOCK.match(text, span[1]):
        return number <= 24
    if _POINT.match(text, span[1]):
        return False
    if before in ("点", "點") and span[0] > 1 and text[span[0] - 2] in _CHINESE_SIGNS:
        return _CLOCK.match(text, span[0] - 1) is not None
    if after and after in _COUNTERS["zh"] and (number > 1 or after == "月" or before == "月"):
        return True
    return number >= LEAST and span[1] - span[0] > 1


def read_chinese(signs: str, lang: str = "zh") -> int | None:
    """Return the value of a Chinese numeral; ``None`` if it is not one.

    Digits without powers of ten are those of a year. In Chinese, 百 and 千 follow a digit, and a digit right
    after them or after 万 (二百五) leaves out a power of ten and is ambiguous; in Japanese neither holds.

    Example:
        >>> [read_chinese(signs) for signs in ("四十五", "两百五十", "一千零一", "二〇二四", "三万", "千万")]
        [45, 250, 1001, 2024, 30000, None]
        >>> read_chinese("百二十", "ja")
        120
    """
    if all(sign in _DIGITS for sign in signs):
        return int("".join(str(_DIGITS[sign]) for sign in signs)) if len(signs) in (1, 4) else None
    total = 0
    for part, group in _GROUPED.findall(signs):
        value = _below_group(part, lang) if part or not group else None
        if value is None or (total and lang != "ja" and 0 < value < 10 and len(part) == 1):
            return None
        total += value * _GROUPS.get(group, 1)
    return total


_GROUPED = re.compile(rf"([^{''.join(_GROUPS)}]*)([{''.join(_GROUPS)}]|$)")


def _below_group(signs: str, lang: str) -> int | None:
    """Return the value of a numeral below ten thousand; 0 if it is empty."""
    parts = _PARTS.fullmatch(signs)
    if parts is None:
        return None
    value = 0
    for power, sign in ((1000, "千"), (100, "百"), (10, "十")):
        part = parts[sign]
        if part == sign and sign != "十" and lang != "ja":
            return None
        value += power * (_DIGITS.get(part[0], 1) if part else 0)
    rest = parts["rest"]
    is_short = value and not parts["十"] and not _ZERO.search(signs)
    if rest and lang != "ja" and is_short:
        return None
    return value + (_DIGITS[rest] if rest else 0)


_DIGIT = f"[{''.join(sign for sign, value in _DIGITS.items() if value)}]"
_PARTS = re.compile(
    rf"(?P<千>{_DIGIT}?千)?[零〇]?(?P<百>{_DIGIT}?百)?[零〇]?(?P<十>{_DIGIT}?十)?[零〇]?(?P<rest>{_DIGIT})?"
)
_ZERO = re.compile("[零〇]")


_KOREAN_TENS = ("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_KOREAN_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_KOREAN_DAYS = "백일"
"""The hundredth day, which is a feast; as 101 it is rare."""
_HOURS = 24
_KOREAN_COUNTERS = re.compile(
    r"(?:(?P<gap>\s)|)(?P<counter>명|분(?!의|율|\s의)|개월|개|년|월|일|원|시간|시|살|세|권|마리|대|번|층|회|장|잔|병|주"
    r"|달러|유로|킬로(?:그램|미터)?|미터|퍼센트)"
    r"(?(gap)(?=[^가-힣]|$|[을를이가은는의에도만과와로으입동간쯤정까부씩째전후짜당미반조중생대]))"
)
"""A counter right after the numeral, or after a space and with a particle at most (이천 시장 is a market)."""


@cache
def _korean() -> Mapping[Letters, int]:
    native = {
        ten + one: 10 * tens + ones
        for tens, ten in enumerate(_KOREAN_TENS, 1)
        for ones, one in enumerate(_KOREAN_ONES)
    }
    return {**native, "스무": 20, **_table("ko").values}


def _in_korean(text: str) -> Iterator[tuple[Span, str]]:
    longest = 2 * _table("ko").longest
    for match in _WORD.finditer(text):
        word = match[0][:longest]
        for end in range(len(word), 1, -1):
            last = match.start() + end
            counter = _KOREAN_COUNTERS.match(text, last)
            number = _read_korean(word[:end]) if counter else None
            if counter and number is not None and number >= LEAST and word[:end] != _KOREAN_DAYS:
                if counter["counter"] != "시" or number <= _HOURS:  # 이천시 is a city
                    yield (match.start(), last), str(number)
                break


def _read_korean(letters: Letters) -> int | None:
    """Return the value of a Korean numeral; thousands and a rest may be in one word."""
    values = _korean()
    if letters in values:
        return values[letters]
    for cut in range(1, len(letters)):
        thousands, rest = values.get(letters[:cut], 1), values.get(letters[cut:], 1000)
        if thousands % 1000 == 0 and rest < 1000:
            return thousands + rest
    return None

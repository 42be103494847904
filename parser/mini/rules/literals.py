"""Find the words of a sentence that can be copied into its graph, including numbers and times.

::

    text                      copied as
    Zebras                    zebras, in a name "Zebras"
    3.700.000 (German)        3700000
    2,5 (German)              2.5
    10 000                    10000
    3.7 million               3700000
    -5                        -5
    5km                       5, and km
    2024-05-17, 17.05.2024    2024, 5 and 17, one word each
    03                        3
    2/3                       "2/3"
    16:30, 4:30 pm            "16:30", as all clock times of `parser.mini.rules.clocks`
    l'uomo (Italian)          uomo
    Ali'nin (Turkish)         ali, in a name "Ali"
    致38人 (Chinese)          38, between words that cannot be copied
    https://a.org/b           "https://a.org/b"
    ann@a.org                 "ann@a.org"
    +49 30 1234567            "+49 30 1234567"

For an ambiguous ``1.200`` the language decides which character separates thousands (CLDR, by Babel).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from amrx.composed_text import Span, with_letters_for_marks
from linearize.packed import is_constant
from parser.mini.rules.clocks import read_clock
from parser.mini.rules.locales import locale_of

_CONCEPT = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_LATIN_END = "ɐ"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_DENSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese."""
_IS_DENSE = re.compile(rf"[{_DENSE}]")
_LETTER = rf"[^\W_{_DENSE}]"
_FRACTION = "1/[2-8]|2/[35]|3/[458]|4/5|5/[68]|7/8"
FRACTION = re.compile(_FRACTION)
"""A fraction, with a denominator that a date or a series (9/11, 24/7, 16/17) rarely has."""
_TOKEN = re.compile(
    rf"""
    (?P<url>(?:https?://|www\.)[^\s<>"{_DENSE}]*[^\s<>"'.,;:!?)\]}}»”{_DENSE}])
    |(?P<email>[^\W{_DENSE}](?:[.+-]?[^\W{_DENSE}])*@[^\W{_DENSE}](?:[.-]?[^\W{_DENSE}])*\.[^\W\d{_DENSE}]+)
    |(?<!{_LETTER})(?<![.,/-])(?P<date>\d{{4}}(?P<sign>[-./]){_MONTH}(?P=sign){_DAY}
        |{_DAY}(?P<sign2>[-./]){_MONTH}(?P=sign2)\d{{4}}|{_MONTH}/{_DAY}/\d{{4}}
        |\d{{4}}-(?:0[1-9]|1[0-2]))(?!{_LETTER}|[/-])
    |(?<!{_LETTER})(?P<phone>\+(?=(?:[ /()-]?\d){{9}})\d+(?:[ /-]\(?\d+\)?)*
        |(?:\(\d{{3}}\)\ ?|\d{{3}}[-.])\d{{3}}[-.]\d{{4}})(?!{_LETTER})
    |(?<!{_LETTER})(?<![\d.,:/-])(?<!\d\ )(?P<fraction>{_FRACTION})(?!{_LETTER}|[\d/]|[.,:]\d)
    |(?:(?<!{_LETTER})(?<![)\]])(?P<minus>[-−]))?(?P<number>
        (?<![\d.,:/])(?<!\d\ )[1-9]\d{{0,2}}(?:\ \d{{3}})+(?:[.,]\d+)?(?!\d|\ ?[:/-]?\d)
        |\d+(?:[.,'’٫٬\u00a0\u202f]\d+)*)
    |(?P<word>[{_DENSE}]+|{_LETTER}+(?:(?!['’]s\b)[-'.,’\u2010\u2011]{_LETTER}+)*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ELIDED = re.compile(r"(?:[cdjlmnst]|qu|un|all|d[ae]ll|nell|sull)['’](?=\w)", re.IGNORECASE)
"""An article or pronoun before a vowel, of Catalan, French and Italian."""
_ELIDING = frozenset({"ca", "fr", "it"})
_SUFFIXED = re.compile(r"(?P<name>[^\W\d_].*)['’](?!an\Z)[a-zçğıöşü]+")
"""A proper name and, after an apostrophe, its suffix, as Turkish writes it; not *Kur'an*."""
LARGE = re.compile(
    r"[ \u00a0\u202f]?(?:(?P<thousand>thousand|tausend|mil|mille|mila|тысяч\w*|bin|ألف|ribu|nghìn)"
    r"|(?P<million>million\w*|mio\.?|millón|millones|milion\w*|milhão|milhões|milyon|миллион\w*|млн|مليون|juta|triệu)"
    r"|(?P<milliard>billions?(?=\W|$)|milliard\w*|mrd\.?|miliard\w*|milyar|миллиард\w*|млрд|مليار|tỷ))(?!\w)"
    r"|(?P<wan>[万萬])|(?P<yi>[亿億])",
    re.IGNORECASE,
)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
"""A number as AMR writes it."""
_POWER = {"thousand": 3, "million": 6, "milliard": 9, "wan": 4, "yi": 8}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the sentence and the symbols that copying it yields."""

    text: str  # the word as written
    # outside a name: a concept, number or quoted constant; ``None`` if it cannot be copied
    plain: str | None
    name: str | None  # as ``:opN`` of a ``name``, quoted; ``None`` if it has no Latin letter or digit


@lru_cache(maxsize=256)
def read_words(text: str, lang: str) -> tuple[tuple[Span, Word], ...]:
    """Return the words of a composed text with their spans, by the table in the module's docstring.

    Args:
        text: Composed text (`amrx.composed_text.compose`).
        lang: Its language; decides only which character separates thousands.

    Example:
        >>> [word.plain for _, word in read_words("Zu 3.700.000 Gästen kamen 2,5 % am 17.05.2024", "de")]
        ['zu', '3700000', None, 'kamen', '2.5', 'am', '17', '5', '2024']
        >>> [word.plain for _, word in read_words("5km at 5 pm: ann@a.org, -3 and 1.200", "en")]
        ['5', 'km', 'at', '"17:00"', '"ann@a.org"', '-3', 'and', '1.200']
    """
    return tuple(_each_word(text, lang))


def _each_word(text: str, lang: str) -> Iterator[tuple[Span, Word]]:
    marked = _with_marks_joined(text)
    digits = "".join(_ascii(sign) for sign in text)
    begin = 0
    while match := _TOKEN.search(marked, begin):
        begin = match.end()
        if match["date"]:
            for part in re.finditer(r"\d+", match["date"]):
                span = match.start() + part.start(), match.start() + part.end()
                yield span, _word(text, span, str(int(part[0])))
        elif match["url"] or match["email"] or match["phone"] or match["fraction"]:
            yield match.span(), _quoted(text, match.span(), match[0])
        elif match["number"] and not match["minus"] and (clock := _clock(digits, match.start(), lang)):
            begin = clock[0]
            yield (match.start(), begin), _quoted(text, (match.start(), begin), clock[1])
        elif match["number"]:
            yield match.span(), _word(text, match.span(), _number(match, marked, lang))
        elif lang in _ELIDING and (article := _ELIDED.match(marked, *match.span())):
            begin = article.end()
        else:
            span = match.start(), match.start() + len(_without_suffix(match[0], lang))
            yield span, _word(text, span, _concept(text[slice(*span)]))


def _without_suffix(word: str, lang: str) -> str:
    """Return a Turkish proper name without its suffix; return other words unchanged.

    Example:
        >>> [_without_suffix(word, "tr") for word in ("Boston'a", "Kur'an", "Kur'an'ın", "O'Neill")]
        ['Boston', "Kur'an", "Kur'an", "O'Neill"]
    """
    suffixed = _SUFFIXED.fullmatch(word) if lang == "tr" and word[0].isupper() else None
    return word if suffixed is None else suffixed["name"]


def _with_marks_joined(text: str) -> str:
    """Return the text with each mark that continues a word replaced by a letter of the same script."""
    signs: list[str] = []
    for given, sign in zip(text, with_letters_for_marks(text), strict=True):
        is_dense = given != sign and _IS_DENSE.match(signs[-1]) is not None
        signs.append(signs[-1] if is_dense else sign)
    return "".join(signs)


def _word(text: str, span: Span, plain: str | None) -> Word:
    written = text[slice(*span)]
    latin = any(sign.isdigit() or (sign.isalpha() and sign < _LATIN_END) for sign in written)
    return Word(written, plain, f'"{written}"' if latin else None)


def _concept(word: str) -> str | None:
    lower = word.lower().replace("\u2010", "-").replace("\u2011", "-")
    return lower if _CONCEPT.fullmatch(lower) and not is_constant(lower) else None


def _quoted(text: str, span: Span, constant: str) -> Word:
    return Word(text[slice(*span)], f'"{constant}"', f'"{constant}"')


def _clock(digits: str, start: int, lang: str) -> tuple[int, str] | None:
    """Return the result of `read_clock`; ``None`` if the number continues another one."""
    goes_on = re.search(r"(?:[.,:]|[^\W_\u0e00-\U0010ffff])$", digits[max(0, start - 1) : start])
    return None if goes_on else read_clock(digits, start, lang)


def _number(match: re.Match[str], text: str, lang: str) -> str | None:
    """Return a number in AMR's form, multiplied by a following word for a power of ten."""
    number = _without_groups("".join(_ascii(sign) for sign in match["number"]), lang)
    large = LARGE.match(text, match.end())
    if number and large:
        whole, _, part = number.partition(".")
        power = next(_POWER[name] for name, value in large.groupdict().items() if value)
        if len(part) <= power:
            number = str(int(whole + part.ljust(power, "0")))
    if number and re.fullmatch(r"0\d", number):
        number = number[1]
    return number and ("-" if match["minus"] else "") + number


def _ascii(sign: str) -> str:
    digit = unicodedata.decimal(sign, None)
    return sign if digit is None else str(digit)


def _without_groups(number: str, lang: str) -> str | None:
    """Remove thousands separators, and write the decimal separator as a point; ``None`` for ``1.2.3``.

    Example:
        >>> [_without_groups(n, "en") for n in ("1,200", "1.200", "1,234.5", "1.234,5", "3.700.000", "0,5")]
        ['1200', '1.200', '1234.5', '1234.5', '3700000', '0.5']
        >>> [_without_groups(n, "de") for n in ("1,200", "1.200", "1.5")]
        ['1.200', '1200', '1.5']
    """
    signs = re.findall(r"\D", number)
    if not signs:
        return number
    parts = re.split(r"\D", number)
    grouped = all(len(part) == 3 for part in parts[1:]) and 1 <= len(parts[0]) <= 3 and parts[0] != "0"
    last = signs[-1]
    if len(set(signs)) > 1:  # one character separates thousands, the other one decimals
        return "".join(parts[:-1]) + "." + parts[-1]
    if len(signs) > 1:
        return "".join(parts) if grouped else None
    if grouped and (last not in ".,٫" or last == group_sign(lang)):
        return "".join(parts)
    return f"{parts[0]}.{parts[1]}"


@cache
def group_sign(lang: str) -> str:
    """Return the thousands separator of a language, ``,`` or ``.``; ``,`` if CLDR does not know it."""
    locale = locale_of(lang)
    symbols = {} if locale is None else locale.number_symbols.get("latn", {})
    return "." if symbols.get("decimal") == "," else ","

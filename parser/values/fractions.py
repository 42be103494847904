"""Find the fractions and halves that a text has in words or signs, and their digits.

::

    two thirds, zwei Drittel, 三分之二            2/3
    2½ hours, half an hour, anderthalb Jahre     2.5 hours, 0.5 hour, 1,5 Jahre
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from parser.values.digits import Found, read_whole
from parser.values.literals import FRACTION
from parser.values.units import units_of
from parser.values.words import UNSPACED, in_language, pattern_of, words_of

_SIGN = re.compile("(?P<whole>(?<![\\d.,/])\\d{1,3} ?)?(?P<sign>[¼-¾⅓-⅞])")
_MIXED = re.compile(r"(?<![\d.,/:-])(?P<whole>\d{1,3}) (?P<sign>1/[2458]|3/[458]|[57]/8)(?![\d/]|[.,:]\d)")
_EVER = frozenset({"id", "pl", "ru", "sv", "uk"})
"""Languages whose words for parts have no other frequent meaning after *one*."""
_ORDINAL_BEFORE = pattern_of("ordinal_before")
_CLOCK_BEFORE = pattern_of("clock_before")


def fractions_in(text: str, lang: str) -> Iterator[Found]:
    """Yield the fractions and halves of a text, and their digits, in no order.

    Example:
        >>> sorted(fractions_in("Two thirds of 2½ litres", "en"))
        [((0, 10), '2/3'), ((14, 16), '2.5')]
    """
    for match in (*_SIGN.finditer(text), *_MIXED.finditer(text)):
        number, _, part = unicodedata.normalize("NFKC", match["sign"]).replace("\u2044", "/").partition("/")
        if match["whole"] is None:
            yield match.span(), f"{number}/{part}"
        elif int(part) in (2, 4, 5, 8):
            yield match.span(), in_language(str(int(match["whole"]) + int(number) / int(part)), lang)
    for match in pattern_of("divided", lang).finditer(text):  # 三分之二, üçte ikisi
        digits = "/".join(str(read_whole(match[name].lower(), lang)) for name in ("number", "part"))
        if FRACTION.fullmatch(digits):
            yield match.span(), digits
    for pattern, digits in _patterns(lang):
        places = (
            match for match in pattern.finditer(text) if not _ORDINAL_BEFORE.search(text[: match.start()])
        )
        yield from ((match.span(), digits) for match in places)
    yield from ((match.span(), "1/2") for match in pattern_of("halved", lang).finditer(text))
    yield from _halves(text, lang)


@cache
def _patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of fractions of a language, with their digits."""
    words = words_of(lang).get("fraction")
    if words is None:
        return ()
    of = words.get("of", "")
    sources = {
        one + (of if "/" in digits else ""): in_language(digits, lang)
        for one, digits in words["whole"].items()
    }
    for numbers, number in {words["one"]: 1, **words["numbers"]}.items():
        for part, share in words["parts"].items():
            needs = number == 1 and lang not in _EVER or share == 4 or lang in ("es", "it", "pt")
            gap = r"[\s-]+" if lang != "en" or number > 1 else r"(?:\s+|(?<=one)-)"
            sources[rf"(?:{numbers}){gap}{part}\b{of if needs else ''}"] = f"{number}/{share}"
    return tuple(
        (re.compile(rf"(?<![\w-])(?:{source})(?!\w)", re.IGNORECASE), digits)
        for source, digits in sources.items()
        if FRACTION.fullmatch(digits) or "/" not in digits
    )


def _halves(text: str, lang: str) -> Iterator[Found]:
    """Yield the halves of units with their units: *half an hour*, *a year and a half*."""
    for pattern, whole in _half_patterns(lang):
        for match in pattern.finditer(text):
            written = match.groupdict().get("n")
            is_clock = (
                written and lang in ("es", "fr", "it", "pt") and _CLOCK_BEFORE.search(text[: match.start()])
            )
            number = read_whole(written, lang) if written else whole
            if number is not None and not is_clock and units_of(lang).after(match["u"]):
                counter = "个" if lang == "zh" and "个" in match[0] else ""
                gap = "" if lang in UNSPACED else " "
                yield match.span(), f"{in_language(f'{number}.5', lang)}{counter}{gap}{match['u']}"


@cache
def _half_patterns(lang: str) -> tuple[tuple[re.Pattern[str], int], ...]:
    """Return the patterns of halves of a language, with the whole number where none is written."""
    words, is_dense = words_of(lang), lang in ("ja", "ko", "zh")
    names = sorted({*units_of(lang).names, *units_of(lang).signs} if is_dense else (), key=len, reverse=True)
    dense = "|".join(re.escape(name) for name in names if not name.isascii())
    number = r"\d{1,2}|[一二两兩三四五六七八九]" if lang in UNSPACED else r"\w+"
    left, right = ("", "") if is_dense else (r"(?<![\w-])", r"(?![\w-])")
    unit = dense or r"[^\W\d_-]+(?:-[^\W\d_]+)*"
    groups = {"u": f"(?P<u>{unit})", "n": f"(?P<n>{number})"}
    return tuple(
        (re.compile(f"{left}(?:{form.format(**groups)}){right}", re.IGNORECASE), whole)
        for whole, forms in enumerate((words.get("half_unit", ()), words.get("and_a_half", ())))
        for form in forms
    )

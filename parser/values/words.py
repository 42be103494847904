"""Give the words for values in a language: CLDR's data by Babel, and ``data/words.toml`` for the rest."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from amrx.composed_text import Span

if TYPE_CHECKING:
    from babel.core import Locale

Part = TypeVar("Part")
WORD = re.compile(r"[^\W\d_]+(?:(?<=[а-яієїґў])['’ʼ](?=[яюєї])[^\W\d_]+)*")
"""A word; Ukrainian ones have apostrophes."""
UNSPACED = frozenset({"ja", "th", "zh"})
"""Languages without spaces between words."""
DENSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts without spaces between words."""
_MARKS = str.maketrans("", "", ".\"'’ʼ")


_WORDS = tomllib.loads((files("parser.values") / "data" / "words.toml").read_text("utf-8"))


def words_of(lang: str) -> Mapping[str, Any]:
    """Return the words of a language by topic, of ``all`` those of no language; empty without any."""
    words: Mapping[str, Any] = _WORDS.get(lang, {})
    return words


@cache
def pattern_of(name: str, lang: str = "all") -> re.Pattern[str]:
    """Return a pattern of ``words.toml``; one that matches nothing if the language lacks it."""
    return re.compile(words_of(lang).get(name, "(?!)"), re.IGNORECASE)


@cache
def locale_of(lang: str) -> Locale:
    """Return the locale of a language; the root of all, without names, if CLDR does not know it."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(lang.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale("root")


@cache
def has_decimal_comma(lang: str) -> bool:
    """Return whether a language writes decimals behind a comma."""
    return bool(locale_of(lang).number_symbols.get("latn", {}).get("decimal") == ",")


def in_language(number: str, lang: str) -> str:
    """Return a number with the decimal sign of a language."""
    return number.replace(".", ",") if has_decimal_comma(lang) else number


def is_inflected(name: str, word: str) -> bool:
    """Return whether a word is a name, or all but two letters of it, with at most four letters more.

    Example:
        >>> is_inflected("четверг", "четвергам"), is_inflected("рубль", "рубашек")
        (True, False)
    """
    stem = name if word.startswith(name) else name[: max(4, len(name) - 2)]
    return len(stem) >= 4 and word.startswith(stem) and len(word) - len(stem) <= 4


def plain_form(word: str) -> str:
    """Return a word in small letters without marks, dots and apostrophes.

    Example:
        >>> plain_form("U.S."), plain_form("Irán")
        ('us', 'iran')
    """
    letters = word.replace("İ", "i").casefold()
    if not letters.isascii():
        letters = "".join(c for c in unicodedata.normalize("NFD", letters) if not unicodedata.combining(c))
    return letters.translate(_MARKS)


def table_form(name: str) -> str:
    """Return a name in small letters; in Latin script also without marks and dots."""
    is_latin = unicodedata.name(name[:1] or " ", "").startswith("LATIN")
    return plain_form(name) if is_latin else unicodedata.normalize("NFC", name.casefold())


def folded_word(word: str) -> str:
    """Return a word in small letters, without the apostrophe of Ukrainian."""
    return re.sub("['’ʼ]", "", word.replace("İ", "i").casefold())


def first_of_each(parts: Iterable[Part], span_of: Callable[[Part], Span]) -> list[Part]:
    """Return parts in order, without those that overlap one before; of one start the longest is taken.

    Example:
        >>> first_of_each([(3, 5), (0, 2), (0, 4)], tuple)
        [(0, 4)]
    """
    chosen: list[Part] = []
    for part in sorted(parts, key=lambda part: (span_of(part)[0], -span_of(part)[1])):
        if not chosen or span_of(part)[0] >= span_of(chosen[-1])[1]:
            chosen.append(part)
    return chosen

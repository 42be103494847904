"""Find the units of measurement and currencies that a text writes beside its numbers, by CLDR.

::

    80 km/h, 3 литра (ru)      (speed-quantity, kilometer-per-hour), (volume-quantity, liter)
    500 рублей (ru), £20       (monetary-quantity, ruble), (monetary-quantity, pound)

AMR's concept is CLDR's identifier of the unit, or the English noun of the currency without its country.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from amrx.composed_text import Span, with_letters_for_marks
from parser.values.words import is_inflected, locale_of, plain_form, table_form, words_of

if TYPE_CHECKING:
    from babel.core import Locale

MONEY, TIME, PERCENT = "monetary-quantity", "temporal-quantity", "percentage-entity"
TEMPERATURE = "temperature-quantity"
KINDS: Mapping[str, str] = words_of("all")["quantities"]
"""AMR's concept of a quantity by CLDR's kind of unit."""
_WITHOUT = re.compile(
    r"-(?:generic|imperial|metric|person|scandinavian|troy|us)$|-(?:foodcalorie|point)$|-ofhg$|density$"
)
"""Units with the name of another one, or with none."""
COMMON = frozenset(words_of("all")["common_units"].split())
"""Units that count after a number in words; *dot*, *stone*, *cup* and *bar* are things there."""
_WORDS = frozenset({"in"})
"""Abbreviations that are words, as the letters for year, day and second are."""
_LONGEST = 40
_TOKEN = re.compile(r"[A-Z]{0,3}\$|[^\W\d_]+|[^\w\s()\"'-]")
"""A word or sign."""
_ATTACHED = ("CJK ", "HANGUL", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts in which a name has no space after it: other words or particles follow."""
FIRST_YEAR = 2001
"""Currencies that were legal tender in or after this year are known."""


class Unit(NamedTuple):
    """A unit of measurement or a currency."""

    quantity: str  # AMR's concept of a quantity of it
    noun: str  # AMR's concept of the unit


@dataclass(frozen=True)
class Units:
    """The units of one language."""

    names: dict[str, Unit]  # as `table_form` writes them
    signs: dict[str, Unit]  # abbreviations; *W* is a unit, and *w* a Polish word

    def after(self, text: str) -> tuple[int, Unit] | None:
        """Return the unit that a text begins with, and its end in the text."""
        begun = text[:_LONGEST].lstrip(" -\u00a0\u202f")
        skipped, form = len(text[:_LONGEST]) - len(begun), table_form(begun)
        found = max(_longest(self.names, form), _longest(self.signs, begun))
        if found:
            unit = self.names.get(form[:found]) or self.signs[begun[:found]]
            return skipped + found, unit
        word = form[: re.match(r"[^\W\d_]*", with_letters_for_marks(form)).end()]  # type: ignore[union-attr]
        near = [name for name in self.names if name[:5] == word[:5] and is_inflected(name, word)]
        return (skipped + len(word), self.names[max(near, key=len)]) if near else None


def _longest(table: Mapping[str, Unit], text: str) -> int:
    """Return the length of the longest name that a text begins with and that ends where a word may end."""
    letters = with_letters_for_marks(text) + " "
    for end in range(len(text), 0, -1):
        is_end = not letters[end].isalpha() or is_attached(letters[end]) or is_attached(text[:end])
        if text[:end] in table and is_end:
            return end
    return 0


@cache
def units_of(lang: str) -> Units:
    """Return the names of units in a language, and their abbreviations in it and in English."""
    units, words = Units({}, {}), words_of(lang)
    for code, unit in _codes().items():
        for name in _names(lang, code, "long"):
            units.names.setdefault(table_form(name), unit)
        for name in (name for other in (lang, "en", "en-GB") for name in _names(other, code, "short")):
            is_letter = unit.quantity == TIME and len(name.strip(".")) == 1 and not is_attached(name)
            if name not in _WORDS and not is_letter:
                units.signs.setdefault(name, unit)
    for name, unit in list(units.names.items()) if lang == "de" else ():  # datives: in drei Tagen
        if name.endswith(("e", "er")):
            units.names.setdefault(f"{name}n", unit)
    for topic, unit in (("kilo", Unit("mass-quantity", "kilogram")), ("years_of_age", Unit(TIME, "year"))):
        for name in filter(None, words.get(topic, "").split("|")):
            units.names.setdefault(table_form(name), unit)
    return units


@cache
def _codes() -> Mapping[str, Unit]:
    """Return the units by their CLDR codes."""
    data = map(str, locale_of("en").unit_display_names)
    codes = [code for code in data if code.partition("-")[0] in KINDS and not _WITHOUT.search(code)]
    codes = [code for code in codes if not code.startswith("concentr") or code.endswith("-percent")]
    return {
        code: Unit(KINDS[code.partition("-")[0]], code.partition("-")[2])
        for code in sorted(codes, key=lambda code: code.endswith("bit"))  # MB is no megabit
    }


@cache
def kinds_of_units() -> Mapping[str, str]:
    """Return the concept of a quantity of each unit, by AMR's concept of the unit."""
    return {unit.noun: unit.quantity for unit in _codes().values()}


def _names(lang: str, code: str, length: str) -> set[str]:
    """Return the names of a unit after a number, in all grammatical numbers."""
    # Babel's own data: format_unit would be a hundred times slower
    patterns = locale_of(lang)._data["unit_patterns"].get(code, {}).get(length, {})
    written = (pattern for pattern in patterns.values() if isinstance(pattern, str))
    after = (re.fullmatch(r"\{0\}[\s\u200f]*(\D+)", pattern) for pattern in written)
    return {match[1].strip() for match in after if match}


@cache
def currencies_of(lang: str) -> Mapping[str, str]:
    """Return the nouns of currencies by names and signs; one of several currencies has that of most."""
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for locale in (locale_of(lang), locale_of("en")):
        names = _currency_names(locale)
        for code, noun in _nouns().items():
            sign = locale.currency_symbols.get(code, code).rstrip(".")
            for name in {*names.get(code, ()), sign, code} - {""}:
                votes[name if name == code else table_form(name)][noun] += 1
    most = {name: counts.most_common(1)[0][0] for name, counts in votes.items()}
    return {**most, **words_of(lang).get("money", {})}


def currency_beside(text: str, lang: str, span: Span) -> tuple[Span, str] | None:
    """Return the currency beside a number, with the span of both."""
    begin, end = span
    for last, token in islice(_tokens(text[end : end + 40]), 2):  # *500 Swiss francs*
        if token in ".,;:!?":
            break
        if noun := _currency_noun(token, lang):
            return (begin, end + last - (len(token) - 1 if is_attached(token) else 0)), noun
    before = re.search(rf"(?:{_TOKEN.pattern})\s?$", text[:begin])
    noun = _currency_noun(before[0].strip(), lang, before=True) if before else ""
    return ((before.start(), end), noun) if before and noun else None


def _currency_noun(token: str, lang: str, *, before: bool = False) -> str:
    """Return the noun of the currency that a word, sign or code names; empty if it names none.

    Before a number only signs and codes are currencies.
    """
    table, form = currencies_of(lang), table_form(token)
    is_sign = token.isupper() or any(unicodedata.category(sign) == "Sc" for sign in token)
    if token in table or form in table:
        return table.get(token) or table[form] if is_sign or not before else ""
    if is_attached(token):
        return next((table[form[:end]] for end in range(len(form), 0, -1) if form[:end] in table), "")
    near = [name for name in table if name[:3] == form[:3] and is_inflected(name, form)]
    return table[max(near, key=len)] if near and not before else ""


@cache
def _nouns() -> Mapping[str, str]:
    """Return the English noun of each currency by its code, as AMR writes it."""
    from babel.core import get_global

    given = [one for currencies in get_global("territory_currencies").values() for one in currencies]
    codes = {code for code, _, end, tender in given if tender and (end is None or end[0] >= FIRST_YEAR)}
    names = locale_of("en").currencies
    bare = {code: re.sub(r"\s*\(.*\)", "", names[code]) for code in sorted(codes) if code in names}
    return {code: plain_form(name.split()[-1]) for code, name in bare.items()}


def _currency_names(locale: Locale) -> Mapping[str, set[str]]:
    """Return the noun of each currency in all forms: the first or last word, whichever has fewer forms.

    So *Dollar* of *US-Dollar*, and *dólar* of *dólar canadiense*; *new* currencies have no first word.
    """

    def words(name: str) -> list[str]:
        parts = (part for _, part in _tokens(re.sub(r"\s*\(.*\)", "", name)))
        return [part for part in parts if part[0].isalpha() and not part.isupper()]

    names = [words for words in map(words, locale.currencies.values()) if words]
    side = 0 if len({one[0] for one in names}) < len({one[-1] for one in names}) else -1
    forms, english = locale._data["currency_names_plural"], locale_of("en").currencies
    return {
        code: {words(name)[side] for name in (name, *forms.get(code, {}).values()) if words(name)}
        for code, name in locale.currencies.items()
        if side or not re.search("New|Readjusted", english.get(code, ""))
    }


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words and signs of a text, and where they end."""
    for match in _TOKEN.finditer(with_letters_for_marks(text)):
        yield match.end(), text[slice(*match.span())]


def is_attached(text: str) -> bool:
    """Return whether a text begins in a script without spaces after a name."""
    return unicodedata.name(text[0], "").startswith(_ATTACHED)

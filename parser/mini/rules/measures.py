"""Find the units of measurement that a sentence writes after its numbers, by CLDR.

::

    80 km/h        (speed-quantity, kilometer-per-hour)
    3 литра (ru)   (volume-quantity, liter)

Names and abbreviations in every grammatical number are those that Babel writes. AMR's concept is CLDR's
identifier of the unit, which is an English noun.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from amrx.composed_text import with_letters_for_marks
from parser.mini.rules.city_names import table_form
from parser.mini.rules.currencies import is_attached
from parser.mini.rules.locales import locale_of, one_per_form

if TYPE_CHECKING:
    from babel.core import Locale

KINDS = {
    "area": "area-quantity", "digital": "information-quantity",
    "duration": "temporal-quantity", "energy": "energy-quantity", "force": "force-quantity",
    "frequency": "frequency-quantity", "length": "distance-quantity", "mass": "mass-quantity",
    "power": "power-quantity", "pressure": "pressure-quantity", "speed": "speed-quantity",
    "volume": "volume-quantity",
}  # fmt: skip
"""AMR's concept of a quantity by CLDR's kind of unit."""
_WITHOUT = re.compile(
    r"-(?:person|imperial|metric|scandinavian|troy|us)$|-(?:foodcalorie|point)$|-ofhg$|density$"
)
"""Units with the name of another one, or with none."""
_KILO = {
    "ar": "كيلو", "cs": "kilo|kila|kil", "da": "kilo", "de": "kilo", "en": "kilo|kilos", "es": "kilo|kilos",
    "fr": "kilo|kilos", "hu": "kilo", "id": "kilo", "it": "chilo|chili", "nb": "kilo", "nl": "kilo",
    "pl": "kilo", "pt": "quilo|quilos", "ro": "kil|kile", "ru": "кило", "sv": "kilo", "tr": "kilo",
    "uk": "кіло", "zh": "公斤",
}  # fmt: skip
"""Other words for a kilogram."""
_WORDS = frozenset({"in"})
"""Abbreviations that are words, as the letters for year, day and second are."""
_AMOUNTS = (0, 1, 2, 3, 11, 100, 1.5)
"""Numbers of all grammatical numbers."""
_LONGEST = 40
_FEWEST = 5
"""Minimum number of letters of a name that may have another ending in the sentence."""


class Unit(NamedTuple):
    """A unit of measurement."""

    quantity: str  # AMR's concept of a quantity of it
    noun: str  # AMR's concept of the unit


@dataclass(frozen=True)
class Measures:
    """The units of one language."""

    names: Mapping[str, Unit]  # longest first, as `table_form` writes them
    abbreviations: Mapping[str, Unit]  # longest first; *W* is a unit, and *w* a Polish word

    def after(self, text: str) -> Unit | None:
        """Return the unit that a text begins with, if any.

        Example:
            >>> measures_of("en").after(" square meters large"), measures_of("en").after("made")
            (Unit(quantity='area-quantity', noun='square-meter'), None)
        """
        begun = re.sub(r"^[\s-]+", "", text[:_LONGEST])
        form = table_form(begun)
        units = [_longest(table, given) for table, given in ((self.names, form), (self.abbreviations, begun))]
        name, unit = max((one for one in units if one), key=lambda one: len(one[0]), default=("", None))
        if name:
            return unit
        word = re.match(r"[^\W\d_]*", with_letters_for_marks(form))
        return self._inflected(form[: word.end()]) if word else None

    def _inflected(self, word: str) -> Unit | None:
        """Return the unit of which a word is another form, equal but for the last two letters."""
        common = {
            name: len(os.path.commonprefix((name, word)))
            for name in self.names
            if len(name) >= _FEWEST and name[:_FEWEST] == word[:_FEWEST]
        }
        near = [name for name in common if common[name] >= max(len(name), len(word) - 1) - 2]
        return self.names[max(near, key=common.__getitem__)] if near else None


def _longest(table: Mapping[str, Unit], text: str) -> tuple[str, Unit] | None:
    """Return the first name that a text begins with, if it ends where a word may end, and its unit."""
    letters = with_letters_for_marks(text) + " "
    for name, unit in table.items():
        follows = letters[len(name) : len(name) + 1]
        if text.startswith(name) and (not follows.isalpha() or is_attached(name) or is_attached(follows)):
            return name, unit
    return None


@cache
def measures_of(lang: str) -> Measures:
    """Return the names of units in a language, and their abbreviations in it and in English."""
    tables: dict[str, dict[str, Unit]] = {"long": {}, "short": {}}
    for locale, length in _sources(lang):
        for code, unit in _codes().items():
            for name in _names(locale, code, length):
                letter = length == "short" and len(name.strip(".")) == 1 and code.startswith("duration")
                if name not in _WORDS and not letter:
                    tables[length].setdefault(table_form(name) if length == "long" else name, unit)
    if lang == "de":  # datives: in drei Tagen, mit zwei Litern
        datives = {f"{name}n": unit for name, unit in tables["long"].items() if name.endswith(("e", "er"))}
        tables["long"] = datives | tables["long"]
    for name in filter(None, _KILO.get(lang, "").split("|")):
        tables["long"].setdefault(table_form(name), Unit("mass-quantity", "kilogram"))
    names, abbreviations = (
        dict(sorted(table.items(), key=lambda one: -len(one[0]))) for table in tables.values()
    )
    return Measures(names, abbreviations)


@cache
def kinds_of_units() -> Mapping[str, str]:
    """Return the concept of a quantity of each unit, by AMR's concept of the unit."""
    return {unit.noun: unit.quantity for unit in _codes().values()}


def _sources(lang: str) -> Iterator[tuple[Locale, str]]:
    """Yield the locales whose names of units count, and the lengths of these names."""
    own = locale_of(lang)
    if own is not None:
        yield from ((own, length) for length in ("long", "short"))
    for other in ("en", "en-GB"):
        locale = locale_of(other)
        if locale is not None:
            yield from ((locale, length) for length in (("long", "short") if lang == "en" else ("short",)))


@cache
def _codes() -> Mapping[str, Unit]:
    """Return the units by their CLDR codes."""
    from babel.units import get_unit_name

    english = locale_of("en")
    data = {} if english is None else english.unit_display_names
    codes = [code for code in data if code.partition("-")[0] in KINDS and not _WITHOUT.search(code)]
    return {
        code: Unit(KINDS[code.partition("-")[0]], code.partition("-")[2])
        for code in sorted(codes, key=lambda code: code.endswith("bit"))  # MB is no megabit
        if get_unit_name(code, locale="en")
    }


def _names(locale: Locale, code: str, length: str) -> set[str]:
    """Return the names of a unit after a number, in all grammatical numbers."""
    from babel.units import UnknownUnitError, format_unit

    names: set[str] = set()
    for amount in one_per_form(_AMOUNTS, locale):
        try:
            text = format_unit(amount, code, length, format="0.#", locale=locale)  # type: ignore[arg-type]
        except UnknownUnitError:
            continue
        after = re.fullmatch(r"\d[\d.,٫]*[\s\u200f]*(\D+)", text)
        if after:
            names.add(after[1].strip())
    return names

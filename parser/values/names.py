"""Find the names of places in a text, by CLDR and GeoNames, and names in another script.

::

    Vive en Pekín. (es)               city "Beijing"       cities of at least 200,000 people
    田中さん called me yesterday.      a name that is copied whole
"""

from __future__ import annotations

import lzma
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from amrx.composed_text import WORD, Span
from parser.values.value import Value
from parser.values.words import UNSPACED, locale_of, table_form, words_of

_ENGLISH: Mapping[str, str] = words_of("all")["territories"]
"""Names of territories that have another form in CLDR."""
_DENSE = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
_ALTERNATING = {"їв": "єв", "ків": "ков", "нів": "нев", "odz": "odz"}
"""Ends of names, and their stems before an ending: *Київ, у Києві*, *Łódź, w Łodzi*."""
_DECLINED = frozenset("be bg cs hr hu fi et lt lv mk pl ru sk sl sr uk ko el".split())
"""Languages whose names of places change their ending."""
_MOST_LETTERS, _MOST_WORDS = 12, 3
_KANA = re.compile("[\u3040-\u309f]{1,3}")
_TITLES = re.compile("(?:さん|様|氏|君|ちゃん|씨|님)$")
Names = Mapping[str, str]
"""English names by other names, as `table_form` writes them."""


def names_in(text: str, lang: str) -> list[Value]:
    """Return the names of a text that have an English form or are in another script.

    Example:
        >>> [(one.kind, one.amr) for one in names_in("Die Messe in Mailand, Italien", "de")]
        [('country', '"Italy"'), ('city', '"Milan"')]
    """
    tables = {"country": country_table(lang), "city": city_table()} if lang != "en" else {}
    places = ((kind, *one) for kind, table in tables.items() for one in _places_in(text, lang, table))
    names = (("name", span, text[slice(*span)]) for span in other_scripts(text, lang))
    return [Value(kind, span, f'"{name}"') for kind, span, name in (*places, *names)]


def _places_in(text: str, lang: str, table: Names) -> Iterator[tuple[Span, str]]:
    """Yield the places that a text names, with their spans."""
    if lang in UNSPACED:
        yield from _within(text.casefold(), table)
        return
    matches = [match for match in WORD.finditer(text)]
    for place, match in enumerate(matches):
        if match[0][0] != match[0][0].upper():
            continue  # a script with capitals capitalises names
        for last in reversed(matches[place : place + _MOST_WORDS]):
            if (name := table_form(text[match.start() : last.end()])) in table:
                yield (match.start(), last.end()), table[name]
                break
        else:
            word = table_form(match[0])
            ends = (word[1:], word[2:], word[3:]) if lang in ("ar", "he", "fa") else ()
            near = [name for name in ends if name in table]
            if lang in _DECLINED and place and len(word) > 2:  # the first word has a capital too
                names = _starting(lang, table is city_table(), word[:2])
                near = [name for name in names if _is_inflected(name, word)]
            if near:
                yield match.span(), table[min(near, key=lambda name: (abs(len(name) - len(word)), name))]


@cache
def _starting(lang: str, is_city: bool, start: str) -> tuple[str, ...]:
    table = city_table() if is_city else country_table(lang)
    return tuple(name for name in table if name.startswith(start))


def _within(text: str, table: Names) -> Iterator[tuple[Span, str]]:
    """Yield the longest names from left to right, in a script without spaces."""
    place = 0
    while place < len(text):
        ends = range(min(len(text), place + _MOST_LETTERS), place + 1, -1)
        end = next((end for end in ends if text[place:end] in table), None)
        if end is not None and not _KANA.fullmatch(text, place, end):  # endings
            yield (place, end), table[text[place:end]]
        place = end or place + 1


def _is_inflected(name: str, word: str) -> bool:
    """Return whether a word is a name with another ending, or with a Korean particle."""
    end = next((end for end in _ALTERNATING if name.endswith(end)), "")
    is_korean = unicodedata.name(name[0], "").startswith("HANGUL")
    lost = 0 if is_korean else 2 if len(name) > 5 else int(name[-1] in "аяa")  # Уфа, в Уфе
    stem = name.removesuffix(end) + _ALTERNATING[end] if end else name[: len(name) - lost]
    shortest, most = max(len(stem), len(name) - 1), 4 if is_korean or len(name) > 5 else 2
    return word.startswith(stem) and 1 < len(stem) < len(word) and shortest <= len(word) <= shortest + most


@cache
def city_table() -> Names:
    """Return the cities of GeoNames."""
    packed = (files("parser.values") / "data" / "cities.tsv.xz").read_bytes()
    rows = [line.split("\t") for line in lzma.decompress(packed).decode("utf-8").splitlines()]
    return {name: english for english, *others in rows for name in (table_form(english), *others)}


@cache
def country_table(lang: str) -> Names:
    """Return the countries and continents of CLDR in a language."""
    known = {**locale_of("en").territories, **_ENGLISH}
    pairs = ((name, known.get(code, "")) for code, name in locale_of(lang).territories.items())
    plain = {table_form(name): one for name, one in pairs if WORD.fullmatch(one.replace(" ", ""))}
    plain |= {"abd": "United States", "eeuu": "United States"}
    return {name: one for name, one in plain.items() if one != "Americas"}


def other_scripts(text: str, lang: str) -> Iterator[Span]:
    """Yield the spans of words in another script than that of most letters."""
    text = re.sub(r"\S*(?:@|//|www\.)\S*", lambda match: " " * len(match[0]), text)  # addresses
    scripts = Counter(_script(sign) for sign in text if sign.isalpha())
    if len(scripts) < 2 or (lang in ("ja", "ko", "zh") and "LATIN" not in scripts):
        return
    main = scripts.most_common(1)[0][0]
    pattern = r"[A-Za-z][\w.-]*\w" if lang in UNSPACED else r"[^\W\d_]+(?:[-.·・'’][^\W\d_]+)*"
    for match in re.finditer(pattern, text, re.ASCII if lang in UNSPACED else re.UNICODE):
        if main not in {_script(sign) for sign in match[0] if sign.isalpha()}:
            title = _TITLES.search(match[0])
            yield match.start(), match.end() - (len(title[0]) if title else 0)


def _script(sign: str) -> str:
    name = unicodedata.name(sign, "").split(" ")[0]
    return "CJK" if name.startswith(_DENSE) else name

"""Find the currencies that a sentence names, by CLDR.

::

    Он заплатил 500 рублей. (ru)    ('500', 'ruble')

Names and signs are those that Babel writes, and codes those of ISO 4217. AMR's concept is the English noun,
without its country.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from amrx.composed_text import compose, with_letters_for_marks
from parser.mini.rules.city_names import table_form
from parser.mini.rules.literals import LARGE, NUMBER, read_words
from parser.mini.rules.locales import locale_of, one_per_form

if TYPE_CHECKING:
    from babel.core import Locale

FIRST_YEAR = 1999
"""Currencies that were legal tender in or after this year are known: also the predecessors of the euro."""
MOST_WORDS = 2
"""Maximum number of words from a number to the end of its currency: *500 Swiss francs*."""
MOST_ENDING = 4
"""Maximum number of letters that an inflected name has besides those of the name."""
_START = 3
_TOKEN = re.compile(r"[A-Z]{0,3}\$|[^\W\d_]+|[^\w\s()\"'-]")
_STOPS = frozenset(".,;:!?")
_LOCAL = {"ja": {"元": "yuan"}, "tr": {"tl": "lira"}, "zh": dict.fromkeys("元块塊圆圓", "yuan")}
"""Everyday names that CLDR lacks."""
_ATTACHED = ("CJK ", "HANGUL", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts in which a name has no space after it: other words or particles follow."""
_POWERS = "十百千万萬亿億"
_UNIONS = frozenset({"EU", "EZ", "UN"})


def amounts_in(text: str, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a sentence that have a currency beside them, each with the English noun.

    Example:
        >>> list(amounts_in("¥500, 20 Swiss francs or 3.5 million pesos for 2 chairs", "en"))
        [('500', 'yen'), ('20', 'franc'), ('3500000', 'peso')]
    """
    table = currencies_of(lang)
    items = list(_items(compose(text).text, lang))
    taken: set[int] = set()
    for place, (number, _) in enumerate(items):
        if not number:
            continue
        after = takewhile(lambda other: items[other][1] not in _STOPS | {""}, range(place + 1, len(items)))
        nouns = {other: table.noun(items[other][1]) for other in islice(after, MOST_WORDS)}
        if place and items[place - 1][1]:
            nouns[place - 1] = table.noun_before(items[place - 1][1])
        position = next((other for other, noun in nouns.items() if noun and other not in taken), None)
        if position is not None:
            taken.add(position)
            yield number, nouns[position]


def currency_named(text: str, lang: str) -> str:
    """Return the English noun of the first currency in a text; empty if it names none."""
    nouns = map(currencies_of(lang).noun, _tokens(compose(text).text))
    return next(filter(None, nouns), "")


def currency_nouns() -> frozenset[str]:
    """Return AMR's concepts of all currencies."""
    return frozenset(_nouns().values())


def _items(text: str, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a text as AMR writes them, and its other words and signs, in order.

    Returns:
        A number and an empty string, or an empty string and a word or sign.
    """
    end = 0
    for span, word in read_words(text, lang):
        if word.plain is not None and NUMBER.fullmatch(word.plain):
            yield from (("", token) for token in _tokens(text[end : span[0]]))
            yield word.plain, ""
            large = LARGE.match(text, span[1])
            end = large.end() if large else span[1]
    yield from (("", token) for token in _tokens(text[end:]))


@dataclass(frozen=True)
class Currencies:
    """The currencies that a language names."""

    nouns: Mapping[str, str]  # English nouns by names and signs, as `table_form` writes them
    starts: Mapping[str, list[str]]  # names by their first letters
    before: frozenset[str]  # signs, and names of the language's own currency, which may precede a number

    def noun_before(self, token: str) -> str:
        """Return the noun of a currency that is named before a number; empty if the token names none.

        Example:
            >>> currencies_of("en").noun_before("CHF"), currencies_of("en").noun_before("won")
            ('franc', '')
        """
        name = token in _nouns() or table_form(token) in self.before or unicodedata.category(token[0]) == "Sc"
        return self.noun(token) if name else ""

    def noun(self, token: str) -> str:
        """Return the noun of the currency that a word, sign or code names; empty if it names none.

        Example:
            >>> table = currencies_of("ru")
            >>> table.noun("рублями"), table.noun("₽"), table.noun("рубашек")
            ('ruble', 'ruble', '')
        """
        if token in _nouns():
            return _nouns()[token]
        form = table_form(token)
        if is_attached(token):
            form = form.lstrip(_POWERS)
            heads = (form[:end] for end in range(len(form), 0, -1))
            known = (head for head in heads if head in self.nouns and (len(head) > 1 or head in self.before))
            return self.nouns.get(next(known, ""), "")
        if form in self.nouns:
            return self.nouns[form]
        if unicodedata.category(token[0]) == "Sc":  # TURKISH LIRA SIGN
            names = unicodedata.name(token[0], "").casefold().split()
            return next((name for name in names if name in currency_nouns()), "")
        near = [name for name in self.starts.get(form[:_START], ()) if _inflected(name, form)]
        return self.nouns[max(near, key=len)] if near else ""


def _tokens(text: str) -> Iterator[str]:
    """Yield the words and signs of a text."""
    for match in _TOKEN.finditer(with_letters_for_marks(text)):
        yield text[slice(*match.span())]


def _inflected(name: str, form: str) -> bool:
    """Return whether a form begins with a name, or with all but two of its letters, and has few others."""
    common = len(os.path.commonprefix((name, form)))
    return common >= min(len(name), max(_START + 1, len(name) - 2)) and len(form) - common <= MOST_ENDING


@cache
def currencies_of(lang: str) -> Currencies:
    """Return the names of currencies in a language and in English, with their signs.

    A name that several currencies share has the noun of the language's own currency, or else of most.
    """
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    before: set[str] = set()
    own = {noun for code, noun in _nouns().items() if code in _own_currencies(lang)}
    for locale in filter(None, (locale_of(lang), locale_of("en"))):
        ends = _shared_ends(locale)
        for code, noun in _nouns().items():
            names = {table_form(name) for name in (*_names(locale, code), *ends.get(noun, ()))}
            sign = {table_form(locale.currency_symbols.get(code, code).rstrip("."))} - {table_form(code)}
            before |= sign | (names if noun in own else set())
            for name in names | sign:
                votes[name][noun] += 1000 if noun in own else 1
    nouns = {name: counts.most_common(1)[0][0] for name, counts in votes.items()} | _LOCAL.get(lang, {})
    starts: defaultdict[str, list[str]] = defaultdict(list)
    for name in nouns:
        if len(name) >= _START and all(unicodedata.category(sign)[0] in "LM" for sign in name):
            starts[name[:_START]].append(name)
    return Currencies(nouns, dict(starts), frozenset(before) | _LOCAL.get(lang, {}).keys())


@cache
def _territories() -> Mapping[str, list[str]]:
    """Return the territories of each currency that is or recently was legal tender."""
    territories: defaultdict[str, list[str]] = defaultdict(list)
    from babel.core import get_global

    currencies_by_territory = get_global("territory_currencies")
    for territory in currencies_by_territory.keys() - _UNIONS:
        for code, _, end, tender in currencies_by_territory[territory]:
            if tender and (end is None or end[0] >= FIRST_YEAR):
                territories[code].append(territory)
    return territories


@cache
def _nouns() -> Mapping[str, str]:
    """Return the English noun of each currency by its code, as AMR writes it."""
    names = _english_names()
    return {
        code: table_form(_bare(names[code]).split()[-1]) for code in sorted(_territories()) if code in names
    }


def _own_currencies(lang: str) -> frozenset[str]:
    """Return the currencies of the territory in which most speakers of a language live."""
    from babel.core import get_global

    territory = get_global("likely_subtags").get(lang, "").rpartition("_")[2]
    return frozenset(code for code, territories in _territories().items() if territory in territories)


def _bare(name: str) -> str:
    """Return a name without its part in brackets: *Brazilian Cruzeiro (1990–1993)*."""
    return re.sub(r"\s*\(.*\)", "", name)


def _forms(locale: Locale, code: str) -> set[str]:
    """Return the name of a currency in all grammatical numbers."""
    from babel.numbers import get_currency_name

    counts = (None, *one_per_form((0, 1, 2, 3, 11, 100), locale))
    names = (get_currency_name(code, count, locale) for count in counts)
    return {_bare(name) for name in names if name and name != code}


def _names(locale: Locale, code: str) -> set[str]:
    """Return the words of a currency's name in all forms, without those that name its territories."""
    if locale.language == "en":
        return {form.split()[-1] for form in _forms(locale, code)}
    places = [table_form(locale.territories.get(place, "")) for place in _territories()[code]]
    starts = {word[:_START] for place in places for word in place.split()}
    names: set[str] = set()
    for form in _forms(locale, code):
        if is_attached(form):
            names |= {form, *(form.replace(place, "").strip() for place in places if place)}
        else:
            words = [word for word in _tokens(form) if not (word.isupper() and word.isascii())]
            names |= {word for word in words if table_form(word)[:_START] not in starts} - _modifiers(locale)
    return names - {""}


def _english_names() -> Mapping[str, str]:
    """Return the English names of all currencies by their codes."""
    from babel.core import Locale

    names: Mapping[str, str] = Locale.parse("en").currencies
    return names


@cache
def _modifiers(locale: Locale) -> frozenset[str]:
    """Return words of long names of currencies with different nouns, such as *new*."""
    nouns: defaultdict[str, set[str]] = defaultdict(set)
    for code, noun in _nouns().items():
        for form in _forms(locale, code):
            words = list(_tokens(form))
            for word in words if len(words) > 2 else ():
                nouns[word].add(noun)
    return frozenset(word for word, several in nouns.items() if len(several) > 1)


@cache
def _shared_ends(locale: Locale) -> Mapping[str, set[str]]:
    """Return the common start or end of the names of several currencies, by noun, in scripts such as Thai.

    Example:
        >>> _shared_ends(locale_of("ja"))["dollar"]
        {'ドル'}
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for code, noun in _nouns().items():
        name = _bare(locale.currencies.get(code, ""))
        if name and is_attached(name):
            groups[noun].append(name)
    ends: dict[str, set[str]] = {}
    for noun, names in groups.items():
        shared = {_shared_start(names), _shared_start([name[::-1] for name in names])[::-1]}
        ends[noun] = {end.strip() for end in shared} - {""}
    return ends


def _shared_start(names: list[str]) -> str:
    """Return the common start of most of three or more names, if it has two letters or more."""
    (start, count), *_ = Counter(name[:2] for name in names).most_common()
    alike = [name for name in names if name.startswith(start)]
    return os.path.commonprefix(alike) if count > 2 and 2 * count > len(names) else ""


def is_attached(text: str) -> bool:
    """Return whether a text begins in one of the scripts of `_ATTACHED`."""
    return unicodedata.name(text[0], "").startswith(_ATTACHED)

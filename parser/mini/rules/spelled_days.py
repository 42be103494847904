"""Write the day of a month and the decade of a century in digits, which the parser copies.

::

    am ersten Juni (de)          am 1. Juni
    le premier juin (fr)         le 1 juin
    in the nineties              in the 1990s

The parser loses the first to the tenth of a month, and reads the nineties as an age.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from amrx.composed_text import Composed, Span
from parser.mini.rules.locales import locale_of
from parser.mini.rules.number_words import with_english_ending

_DAYS = {
    "cs": "prvního druhého třetího čtvrtého pátého šestého sedmého osmého devátého desátého",
    "da": "første anden tredje fjerde femte sjette syvende ottende niende tiende",
    "de": "erste[nr]? zweite[nr]? dritte[nr]? vierte[nr]? fünfte[nr]? sechste[nr]? siebte[nr]? achte[nr]?"
    " neunte[nr]? zehnte[nr]?",
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth",
    "es": "primero", "fr": "premier", "it": "primo",
    "nb": "første andre tredje fjerde femte sjette sjuende åttende niende tiende",
    "nl": "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende",
    "pl": "pierwszego drugiego trzeciego czwartego piątego szóstego siódmego ósmego dziewiątego dziesiątego",
    "pt": "primeiro", "ro": "întâi",
    "ru": "первого второго третьего четв[её]ртого пятого шестого седьмого восьмого девятого десятого",
    "sv": "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde",
    "uk": "першого другого третього четвертого п['’]ятого шостого сьомого восьмого дев['’]ятого десятого",
}  # fmt: skip
"""Days from the first to the tenth, in their form beside a month; Romance languages count from two."""
_SIGN = {"cs": ".", "da": ".", "de": ".", "nb": "."}
_OF = {"en": "of ", "es": "de ", "pt": "de "}
"""The word between day and month."""
_TENS = {
    "de": "zwanziger dreißiger vierziger fünfziger sechziger siebziger achtziger neunziger",
    "en": "twenties thirties forties fifties sixties seventies eighties nineties",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pl": "dwudziestych trzydziestych czterdziestych pięćdziesiątych sześćdziesiątych siedemdziesiątych"
    " osiemdziesiątych dziewięćdziesiątych",
}  # fmt: skip
_DECADES = {
    "de": (r"(?:neunzehnhundert)?{}n?(?= Jahre?n?\b)", "19{}er"), "en": (r"(?<=\bthe ){}", "19{}s"),
    "nl": (r"(?<=\bjaren ){}", "19{}"), "pl": (r"(?<=\blatach ){}", "19{}."),
}  # fmt: skip
"""The twenties to the nineties, and what is read in their place."""


def with_day_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with days of months and decades in digits; the same object if it has none in words.

    Example:
        >>> with_day_digits(Composed("Der Kurs beginnt am ersten Juni."), "de").text
        'Der Kurs beginnt am 1. Juni.'
    """
    return composed.with_replaced(sorted(_found(composed.text, lang)))


def _found(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of days and decades, and the digits to read in their place."""
    for pattern, digits in _patterns(lang):
        for match in pattern.finditer(text):
            yield match.span(), digits


@cache
def _patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of days and decades of a language, with their digits."""
    patterns: list[tuple[str, str]] = []
    locale = locale_of(lang)
    if lang in _DAYS and locale is not None:
        names = {name for kind in ("format", "stand-alone") for name in locale.months[kind]["wide"].values()}
        months = "|".join(sorted(map(re.escape, names)))
        for day, word in enumerate(_DAYS[lang].split(), 1):
            digits = f"{day}{_SIGN.get(lang, '')}"
            before = rf"{word}(?=\s{_OF.get(lang, '')}(?:{months})\b)"
            if lang != "en":
                patterns.append((before, digits))
                continue
            patterns.append((rf"(?<=\bthe ){before}", with_english_ending(str(day))))
            # with a capital: *you may first check it*
            patterns += [(rf"(?<=\b(?-i:{month}) ){word}", digits) for month in sorted(names)]
    if lang in _TENS:
        form, written = _DECADES[lang]
        tens = _TENS[lang].split()
        for ten, word in zip(range(20, 100, 10), tens, strict=True):
            patterns.append((form.format(word), written.format(ten)))
    return tuple((re.compile(rf"\b{pattern}(?!\w)", re.IGNORECASE), digits) for pattern, digits in patterns)

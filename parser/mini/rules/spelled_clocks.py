"""Write the clock times of a sentence in digits, which the parser copies.

::

    at half past seven         at 7:30
    um Viertel vor acht (de)   um 7:45
    à sept heures et demie     à 7:30
    a las siete y media (es)   a las 7:30
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from amrx.composed_text import Composed, Span

HALF, QUARTER, TO_HALF, TO_QUARTER = (0, "30"), (0, "15"), (-1, "30"), (-1, "45")
"""Hours added to the hour that is named, and minutes."""
PATTERNS: Mapping[str, Mapping[str, tuple[int, str]]] = {
    "da": {"halv {}": TO_HALF, "kvart over {}": QUARTER, "kvart i {}": TO_QUARTER},
    "de": {"halb {}": TO_HALF, "Viertel nach {}": QUARTER, "Viertel vor {}": TO_QUARTER},
    "en": {"half past {}": HALF, "(?:a )?quarter past {}": QUARTER, "(?:a )?quarter to {}": TO_QUARTER},
    "es": {
        r"(?<=las\s){} y media": HALF, r"(?<=las\s){} y cuarto": QUARTER,
        r"(?<=las\s){} menos cuarto": TO_QUARTER,
    },
    "fr": {
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? et demie": HALF,
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? et quart": QUARTER,
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? moins le quart": TO_QUARTER,
    },
    "it": {
        r"(?<=le\s){} e mezz[ao]": HALF, r"(?<=le\s){} e un quarto": QUARTER,
        r"(?<=le\s){} meno un quarto": TO_QUARTER,
    },
    "nb": {"halv {}": TO_HALF, "kvart over {}": QUARTER, "kvart på {}": TO_QUARTER},
    "nl": {"half {}": TO_HALF, "kwart over {}": QUARTER, "kwart voor {}": TO_QUARTER},
    "pt": {r"(?<=às\s){} e meia": HALF, r"(?<=às\s){} e quinze": QUARTER},
    "sv": {"halv {}": TO_HALF, "kvart över {}": QUARTER, "kvart i {}": TO_QUARTER},
}  # fmt: skip
_ONE = {"fr": {"une": 1}, "it": {"una": 1}, "pt": {"uma": 1, "duas": 2}}
"""Hours whose form num2words does not give."""


def with_clock_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with clock times in digits; the same object if it has none in words.

    Example:
        >>> with_clock_digits(Composed("Es beginnt um halb acht."), "de").text
        'Es beginnt um 7:30.'
    """
    return composed.with_replaced(_found(composed.text, lang))


def _found(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of clock times and their digits, from left to right."""
    pattern = _pattern(lang)
    for match in pattern.finditer(text) if pattern else ():
        name = next(name for name, value in match.groupdict().items() if value)
        hours, minutes = list(PATTERNS[lang].values())[int(name.removeprefix("hour"))]
        hour = _hours(lang)[match[name].lower()] + hours
        yield match.span(), f"{hour or 12}:{minutes}"


@cache
def _pattern(lang: str) -> re.Pattern[str] | None:
    """Return a pattern of all clock times, with the hour of the n-th one in the group ``hourN``."""
    if lang not in PATTERNS:
        return None
    hour = "|".join(sorted(_hours(lang), key=len, reverse=True))
    parts = (
        pattern.replace("{}", f"(?P<hour{number}>{hour})").replace(" ", r"\s+")
        for number, pattern in enumerate(PATTERNS[lang])
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)


@cache
def _hours(lang: str) -> Mapping[str, int]:
    """Return the hours from 1 to 12 by their words and digits."""
    from num2words import num2words

    code = "no" if lang == "nb" else lang
    words = {num2words(hour, lang=code): hour for hour in range(1, 13)}
    return words | _ONE.get(lang, {}) | {str(hour): hour for hour in range(1, 13)}

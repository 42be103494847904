"""Find the CLDR data of a language, by Babel."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.core import Locale


def locale_of(lang: str) -> Locale | None:
    """Return the locale of a language; ``None`` if CLDR does not know it.

    Example:
        >>> str(locale_of("zh-TW")), locale_of("xx")
        ('zh_Hant_TW', None)
    """
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(lang.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


@cache
def one_per_form(numbers: tuple[float, ...], locale: Locale) -> tuple[float, ...]:
    """Return the first number of each grammatical number of a language.

    Example:
        >>> one_per_form((0, 1, 2, 3), locale_of("en")), one_per_form((0, 1, 2), locale_of("ja"))
        ((0, 1), (0,))
    """
    forms: dict[str, float] = {}
    for number in numbers:
        forms.setdefault(locale.plural_form(number), number)
    return tuple(forms.values())

"""Find the CLDR data of a language, by Babel."""

from __future__ import annotations

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

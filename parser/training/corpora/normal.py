"""Text reduced to what makes it the same text."""

from __future__ import annotations

import re
import unicodedata

_NO_LETTER = re.compile(r"[\W_]+")


def normal_form(text: str) -> str:
    """Return ``text`` in NFKC, casefolded, with letters and digits only.

    Punctuation, spaces and combining marks go, so that tokenised, recased and untouched copies of one
    sentence meet.

    Example:
        >>> normal_form("Don't  ﬁght , Straße!") == normal_form("DONT FIGHT STRASSE")
        True
    """
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold())

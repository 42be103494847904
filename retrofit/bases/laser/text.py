"""Text as LASER2 was trained on it: no control characters, Moses' plain punctuation, lower case.

The order of the rules matters; they are those of Moses' ``normalize-punctuation.perl`` for English (release
4.0), which the published encoder applies to every language. ``·`` stands for a no-break space::

    (a) .  „a“  a – b  a—b  l’an  « a »  3 %  1·000  "a",   ->   (a). "a" a - b a - b l'an " a " 3% 1.000 "a,"
"""

from __future__ import annotations

import re
import unicodedata

# every apostrophe that is not inside a word counts as a double quote
_QUOTES = str.maketrans({"‘": '"', "‚": '"', "’": '"'})
_SIGNS = str.maketrans({"„": '"', "“": '"', "”": '"', "–": "-", "—": " - "})

_SPACES = re.compile(" +")
_BRACKETS = (
    (re.compile(r"\) (?=[.!:?;,])"), ")"),
    (re.compile(r"\( "), "("),
    (re.compile(r" \)"), ")"),
    (re.compile(r"(?<=\d) %"), "%"),
    (re.compile(r" :"), ":"),
    (re.compile(r" ;"), ";"),
)
_APOSTROPHES = (
    (re.compile("([a-zA-Z])‘([a-zA-Z])"), r"\1'\2"),
    (re.compile("([a-zA-Z])’([a-zA-Z])"), r"\1'\2"),
)
_GUILLEMETS = (
    ("\u00a0«\u00a0", ' "'),
    ("«\u00a0", '"'),
    ("«", '"'),
    ("\u00a0»\u00a0", '" '),
    ("\u00a0»", '"'),
    ("»", '"'),
)
_NO_BREAK = (
    ("\u00a0%", "%"),
    ("nº\u00a0", "nº "),
    ("\u00a0:", ":"),
    ("\u00a0ºC", " ºC"),
    ("\u00a0cm", " cm"),
    ("\u00a0?", "?"),
    ("\u00a0!", "!"),
    ("\u00a0;", ";"),
    (",\u00a0", ", "),
)
_QUOTE_BEFORE_STOP = re.compile(r'"([,.]+)')
_THOUSANDS = re.compile("(\\d)\u00a0(\\d)")


def clean(text: str) -> str:
    r"""Return the text as the subword model reads it.

    Example:
        >>> clean("Der  Junge\u200b (sagt er ) , „Ja“, es ist ’s – l’an…")
        'der junge (sagt er), "ja," es ist "s - l\'an...'
    """
    printable = "".join(" " if unicodedata.category(sign)[0] == "C" else sign for sign in text)
    return plain_punctuation(printable).lower()


def plain_punctuation(text: str) -> str:
    """Return the text with typewriter's punctuation, without blanks at its ends."""
    text = _SPACES.sub(" ", text.replace("(", " (").replace(")", ") "))
    for pattern, sign in _BRACKETS:
        text = pattern.sub(sign, text)
    text = text.replace("`", "'").replace("''", ' " ')
    text = _SPACES.sub(" ", text.translate(_SIGNS)).replace("´", "'")
    for pattern, sign in _APOSTROPHES:
        text = pattern.sub(sign, text)
    text = text.translate(_QUOTES).replace("''", '"').replace("…", "...")
    for written, sign in (*_GUILLEMETS, *_NO_BREAK):
        text = text.replace(written, sign)
    text = _QUOTE_BEFORE_STOP.sub(r'\1"', _SPACES.sub(" ", text))
    return _THOUSANDS.sub(r"\1.\2", text).strip()

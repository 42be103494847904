"""Normalise text as in LASER's training: no control characters, Moses' punctuation; LASER2 lower case.

The order of the rules matters; they are those of Moses' ``normalize-punctuation.perl`` (release 4.0). LASER2
uses the rules for English for every language. ``·`` is a no-break space::

    (a) .  „a“  a – b  a—b  l’an  « a »  3 %  1·000  "a",   ->   (a). "a" a - b a - b l'an " a " 3% 1.000 "a,"
"""

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
_STOP_BEFORE_QUOTE = re.compile(r'(\.+)"([ \n]*[^<])')
_THOUSANDS = re.compile("(\\d)\u00a0(\\d)")


def clean(text: str) -> str:
    r"""Return the text in the form for the subword model of LASER2.

    Example:
        >>> clean("Der  Junge\u200b (sagt er ) , „Ja“, es ist ’s – l’an…")
        'der junge (sagt er), "ja," es ist "s - l\'an...'
    """
    return plain_punctuation(printable(text)).lower()


def printable(text: str) -> str:
    """Return the text with a space for every control, format, private or unassigned character."""
    return "".join(" " if unicodedata.category(sign)[0] == "C" else sign for sign in text)


def plain_punctuation(text: str, lang: str = "en") -> str:
    """Return the text with ASCII punctuation, without spaces at its ends.

    Args:
        text: Without control characters.
        lang: Decides the order of quote and stop, and the thousands separator: ``"a,"`` and ``1.000`` in
            English, ``"a",`` and ``1,000`` in German.
    """
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
    text = _quotes_and_stops(_SPACES.sub(" ", text), lang)
    between = r"\1,\2" if lang in ("de", "es", "cs", "fr") else r"\1.\2"
    return _THOUSANDS.sub(between, text).strip()


def _quotes_and_stops(text: str, lang: str) -> str:
    """Return the text with the order of quotes and commas or full stops that the language uses."""
    if lang == "en":
        return _QUOTE_BEFORE_STOP.sub(r'\1"', text)
    if lang == "cs":
        return text
    # this rule treats the end of the line like other characters, although a comment in the script denies it
    return _STOP_BEFORE_QUOTE.sub(r'"\1\2', text.replace(',"', '",') + "\n")

"""Words as Moses' tokenizer (release 4.0) parts them, which is how LASER1 learnt them.

::

    Er sagte: "z. B. 1,5 Mio. ... l'an"    ->    Er sagte : " z. B. 1,5 Mio . ... l ' an "

sacremoses lends its lists of abbreviations. Its tokenizer is not taken: release 0.2 leaves Hindi's virama in
its word, parts Finnish and Swedish words at a colon and sets Irish apostrophes alone. Moses 4.0, from whose
words LASER1's subwords were learnt, does none of the three.

Source: Koehn et al. 2007, Moses: Open Source Toolkit for Statistical Machine Translation;
``scripts/tokenizer/tokenizer.perl``.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from retrofit.bases.laser.extra import missing_part

LISTED = frozenset("ca cs de el en es fi fr ga hu is it lt lv nl pl pt ro ru sk sl sv ta zh".split())
"""Languages whose abbreviations LASER's installer fetches; others are read with the English ones."""

BEFORE_NUMBERS = "#NUMERIC_ONLY#"

# a sign that is no letter, digit or blank stands alone; dots, apostrophes and commas have rules of their own
_SIGN = regex.compile(r"[^\p{Alnum}\s.'`,\-]")
_SIGN_BUT_COLON = regex.compile(r"[^\p{Alnum}\s.:'`,\-]|:(?!\p{Ll})")  # Finnish and Swedish: USA:n, S:t
_DOTS = regex.compile(r"\.{2,}")
_COMMAS = (
    (regex.compile(r"(\P{N}),"), r"\1 , "),
    (regex.compile(r",(\P{N})"), r" , \1"),
    (regex.compile(r"(\p{N}),$"), r"\1 ,"),
)
_OUTSIDE = (regex.compile(r"(\P{Alpha})'(\P{Alpha})"), r"\1 ' \2")
_CLOSING = (regex.compile(r"(\p{Alpha})'(\P{Alpha})"), r"\1 ' \2")
_RIGHT = (
    _OUTSIDE,
    (regex.compile(r"([^\p{Alpha}\p{N}])'(\p{Alpha})"), r"\1 ' \2"),
    _CLOSING,
    (regex.compile(r"(\p{Alpha})'(\p{Alpha})"), r"\1 '\2"),
    (regex.compile(r"(\p{N})'s"), r"\1 's"),
)
_LEFT = (
    _OUTSIDE,
    (regex.compile(r"(\P{Alpha})'(\p{Alpha})"), r"\1 ' \2"),
    _CLOSING,
    (regex.compile(r"(\p{Alpha})'(\p{Alpha})"), r"\1' \2"),
)
_ALONE = ((regex.compile("'"), " ' "),)
_APOSTROPHES = {"en": _RIGHT, "fr": _LEFT, "it": _LEFT, "ga": _LEFT}
"""What an apostrophe goes with: the letters after it (``boy 's``), before it (``l' an``), neither."""

_LETTER, _SMALL, _DIGIT = regex.compile(r"\p{Alpha}"), regex.compile(r"\p{Lower}"), regex.compile("[0-9]")
_LAST_QUOTE = regex.compile(r" ?\.'$")


class Moses:
    """Text of one language to its words.

    Raises:
        MissingResourceError: sacremoses is not installed.
    """

    def __init__(self, lang: str) -> None:
        listed = _abbreviations(lang if lang in LISTED else "en")
        self._abbreviations = frozenset(entry for entry in listed if BEFORE_NUMBERS not in entry)
        numeric = (entry for entry in listed if BEFORE_NUMBERS in entry)
        self._before_numbers = frozenset(entry.removesuffix(BEFORE_NUMBERS).rstrip() for entry in numeric)
        self._signs = _SIGN_BUT_COLON if lang in ("fi", "sv") else _SIGN
        self._apostrophes = _APOSTROPHES.get(lang, _ALONE)

    def cut(self, text: str) -> str:
        """Return the words, a blank between two."""
        text = self._signs.sub(r" \g<0> ", " ".join(text.split()))
        text = _DOTS.sub(r" \g<0> ", text)
        for pattern, written in (*_COMMAS, *self._apostrophes):
            text = pattern.sub(written, text)
        words = text.split()
        parted = " ".join(
            word if self._keeps_its_dot(words, place) else f"{word[:-1]} ."
            for place, word in enumerate(words)
        )
        ended: str = _LAST_QUOTE.sub(" . '", parted).strip()
        return ended

    def _keeps_its_dot(self, words: Sequence[str], place: int) -> bool:
        """Tell whether a word has no last dot, or one that belongs to it: ``z.``, ``Dr.``, ``usw. aber``."""
        word, follows = words[place], words[place + 1] if place + 1 < len(words) else ""
        before = word.removesuffix(".")
        if before in (word, "") or not before.strip("."):  # a lone dot and dots stay as they are
            return True
        return bool(
            ("." in before and _LETTER.search(before))
            or before in self._abbreviations
            or _SMALL.match(follows)
            or (before in self._before_numbers and _DIGIT.match(follows))
        )


def _abbreviations(lang: str) -> list[str]:
    """Return the entries of a language's list.

    Raises:
        MissingResourceError: sacremoses is not installed.
    """
    try:
        from sacremoses.corpus import NonbreakingPrefixes
    except ModuleNotFoundError as error:
        raise missing_part(error, "parts words for LASER1") from None
    return list(NonbreakingPrefixes().words(lang))

r"""Text as its reader sees it: letters composed, nothing invisible between them, and the way back.

::

    given     M u \u0308 l l e r   s o \u00ad f a        decomposed, and a soft hyphen
    composed  M ü        l l e r   s o        f a
    spans     "Müller" (0, 7)      "sofa" (8, 13)        in the given text

Laws: text in NFC without invisible signs stays as it is. Composing twice changes nothing. The spans of the
signs follow each other, and each covers the signs of the given text that it was made of.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]

ZERO_WIDTH_SPACE = "\u200b"
"""A format sign that separates words; it stays."""
_SEEN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_JOINER = "\u034f"  # COMBINING GRAPHEME JOINER, a mark that nobody sees
_STYLES = frozenset("\ufe0e\ufe0f")  # variation selectors of emoji
_SHAPES = (("\ufe00", "\ufe0d"), ("\U000e0100", "\U000e01ef"))  # those of letters, such as forms of a kanji


@dataclass(frozen=True, slots=True)
class Composed:
    """A text composed.

    Attributes:
        text: The composed text.
        spans: For each of its signs the span in the given text; ``None`` where the two are one.
    """

    text: str
    spans: tuple[Span, ...] | None = None

    def given(self, start: int, end: int) -> Span:
        """Return the span of the given text that ``text[start:end]`` was made of.

        Example:
            >>> compose("Mu\u0308ller").given(0, 6)
            (0, 7)
        """
        if self.spans is None or start >= end:
            return start, end
        return self.spans[start][0], self.spans[end - 1][1]


def compose(text: str) -> Composed:
    r"""Compose letters with their marks (NFC) and drop signs that nobody sees.

    Dropped are soft hyphens, joiners, byte order marks and marks of direction: category Cf except its signs
    that are seen and the zero-width space; the combining grapheme joiner; and the signs that choose a form of
    the letter before them.

    Example:
        >>> compose("so\u00adfa").text, compose("Ko\u0308ln").text
        ('sofa', 'Köln')
    """
    if text.isascii() or (unicodedata.is_normalized("NFC", text) and not any(map(_is_invisible, text))):
        return Composed(text)
    signs: list[str] = []
    spans: list[Span] = []
    for piece, places in _pieces(text):
        made = unicodedata.normalize("NFC", piece)
        signs.append(made)
        if made == piece:
            spans.extend((place, place + 1) for place in places)
        else:
            spans.extend([(places[0], places[-1] + 1)] * len(made))
    return Composed("".join(signs), tuple(spans))


def _pieces(text: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the parts of a text that compose each by itself, without invisible signs, and their places."""
    piece, places = "", list[int]()
    for place, sign in enumerate(text):
        if _is_invisible(sign):
            continue
        if piece and not unicodedata.combining(sign) and not _composes(piece, sign):
            yield piece, places
            piece, places = "", []
        piece += sign
        places.append(place)
    if piece:
        yield piece, places


def _composes(piece: str, sign: str) -> bool:
    """Tell whether a sign that is no combining mark, such as a Hangul vowel, composes with the piece."""
    alone = unicodedata.normalize("NFC", piece) + unicodedata.normalize("NFC", sign)
    return unicodedata.normalize("NFC", piece + sign) != alone


def _is_invisible(sign: str) -> bool:
    if sign.isascii():
        return False
    formats = unicodedata.category(sign) == "Cf" and sign not in _SEEN and sign != ZERO_WIDTH_SPACE
    return formats or sign == _JOINER or any(first <= sign <= last for first, last in _SHAPES)


def with_letters_for_marks(text: str) -> str:
    r"""Return the text with a letter in place of each mark that continues a word, for patterns of ``\w``.

    Python's ``\w`` has no combining marks (category M), so that it cuts words of Hindi, Thai or vocalised
    Arabic. Marks that enclose and the styles of emoji (``1`` in a keycap) continue no word.

    Example:
        >>> with_letters_for_marks("हिन्दी"), with_letters_for_marks("ok")
        ('हxनxदx', 'ok')
    """
    if text.isascii() or not any(map(_is_mark, text)):
        return text
    signs: list[str] = []
    for sign in text:
        signs.append("x" if _is_mark(sign) and signs and signs[-1].isalnum() else sign)
    return "".join(signs)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Mc") and sign not in _STYLES


def whole_signs(text: str, start: int, end: int) -> Span:
    r"""Widen a span so that it cuts no letter from its marks.

    Example:
        >>> whole_signs("\u0e19\u0e4d\u0e49\u0e32", 1, 2)
        (0, 3)
    """
    while start > 0 and _is_mark(text[start]):
        start -= 1
    while end < len(text) and _is_mark(text[end]):
        end += 1
    return start, end


def is_plain(text: str) -> bool:
    """Tell whether nothing here changes how a text is read: it is composed and holds no mark.

    Example:
        >>> is_plain("Köln"), is_plain("Ko\u0308ln")
        (True, False)
    """
    return compose(text).spans is None and with_letters_for_marks(text) is text

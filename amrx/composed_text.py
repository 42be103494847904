r"""Compose letters, drop invisible characters, and map spans back to the given text.

::

    given     M u \u0308 l l e r   s o \u00ad f a        decomposed, and a soft hyphen
    composed  M ü        l l e r   s o        f a
    spans     "Müller" (0, 7)      "sofa" (8, 13)        in the given text

Laws: NFC text without invisible characters is unchanged. Composing is idempotent. The spans of the composed
characters are in order, and each covers the given characters that it was composed of.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

Span = tuple[int, int]
"""Begin and end of a part of a text."""
WORD = re.compile(r"[^\W\d_]+")
"""A word of letters."""

ZERO_WIDTH_SPACE = "\u200b"
"""A format character that separates words; it is kept."""
_SEEN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_JOINER = "\u034f"  # COMBINING GRAPHEME JOINER, an invisible mark
_STYLES = frozenset("\ufe0e\ufe0f")  # variation selectors of emoji
_SHAPES = (("\ufe00", "\ufe0d"), ("\U000e0100", "\U000e01ef"))  # those of letters, such as forms of kanji


def overlap(one: Span | None, other: Span) -> bool:
    """Return whether two spans have a character in common; ``None`` has none.

    Example:
        >>> overlap((0, 3), (2, 5)), overlap((0, 3), (3, 5)), overlap(None, (0, 1))
        (True, False, False)
    """
    return one is not None and one[0] < other[1] and other[0] < one[1]


@dataclass(frozen=True, slots=True)
class Composed:
    """A composed text."""

    text: str  # the composed text
    # span in the given text of each composed character; ``None`` if nothing changed
    spans: tuple[Span, ...] | None = None

    def given(self, start: int, end: int) -> Span:
        """Return the span of the given text that ``text[start:end]`` was composed of.

        Example:
            >>> compose("Mu\u0308ller").given(0, 6)
            (0, 7)
        """
        if self.spans is None or start >= end:
            return start, end
        return self.spans[start][0], self.spans[end - 1][1]

    def with_replaced(self, parts: Iterable[tuple[Span, str]]) -> Self:
        """Return a text with parts replaced, which stand for the same given text; itself without parts.

        Args:
            parts: Spans of ``text`` in order, and what replaces them.

        Example:
            >>> replaced = compose("Mu\u0308ller, twelve").with_replaced([((8, 14), "12")])
            >>> replaced.text, replaced.given(8, 10)
            ('Müller, 12', (9, 15))
        """
        pieces: list[str] = []
        spans: list[Span] = []
        end = 0
        for (first, last), new in parts:
            pieces += [self.text[end:first], new]
            spans += [self.given(place, place + 1) for place in range(end, first)]
            spans += [self.given(first, last)] * len(new)
            end = last
        if not pieces:
            return self
        pieces.append(self.text[end:])
        spans += [self.given(place, place + 1) for place in range(end, len(self.text))]
        return type(self)("".join(pieces), tuple(spans))


def compose(text: str) -> Composed:
    r"""Compose letters with their marks (NFC) and drop invisible characters.

    Dropped are soft hyphens, joiners, byte order marks and direction marks (category Cf except its visible
    characters and the zero-width space), the combining grapheme joiner, and the variation selectors of
    letters.

    Example:
        >>> compose("so\u00adfa").text, compose("Ko\u0308ln").text
        ('sofa', 'Köln')
    """
    if text.isascii() or (unicodedata.is_normalized("NFC", text) and not any(map(_is_invisible, text))):
        return Composed(text)
    characters: list[str] = []
    spans: list[Span] = []
    for piece, positions in _pieces(text):
        composed = unicodedata.normalize("NFC", piece)
        characters.append(composed)
        if composed == piece:
            spans.extend((position, position + 1) for position in positions)
        else:
            spans.extend([(positions[0], positions[-1] + 1)] * len(composed))
    return Composed("".join(characters), tuple(spans))


def _pieces(text: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the parts of a text that compose independently, without invisible characters, and positions."""
    piece, positions = "", list[int]()
    for position, sign in enumerate(text):
        if _is_invisible(sign):
            continue
        if piece and not unicodedata.combining(sign) and not _composes(piece, sign):
            yield piece, positions
            piece, positions = "", []
        piece += sign
        positions.append(position)
    if piece:
        yield piece, positions


def _composes(piece: str, sign: str) -> bool:
    """Return whether a character that is not a combining mark, such as a Hangul vowel, composes with it."""
    alone = unicodedata.normalize("NFC", piece) + unicodedata.normalize("NFC", sign)
    return unicodedata.normalize("NFC", piece + sign) != alone


def _is_invisible(sign: str) -> bool:
    if sign.isascii():
        return False
    formats = unicodedata.category(sign) == "Cf" and sign not in _SEEN and sign != ZERO_WIDTH_SPACE
    return formats or sign == _JOINER or any(first <= sign <= last for first, last in _SHAPES)


def with_letters_for_marks(text: str) -> str:
    r"""Replace each mark that continues a word by a letter, for patterns of ``\w``.

    Python's ``\w`` excludes combining marks (category M) and so cuts words of Hindi, Thai or vocalised
    Arabic. Enclosing marks and emoji styles (``1`` in a keycap) continue no word.

    Example:
        >>> with_letters_for_marks("हिन्दी"), with_letters_for_marks("ok")
        ('हxनxदx', 'ok')
    """
    if text.isascii() or not any(map(_is_mark, text)):
        return text
    characters: list[str] = []
    for sign in text:
        characters.append("x" if _is_mark(sign) and characters and characters[-1].isalnum() else sign)
    return "".join(characters)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Mc") and sign not in _STYLES


def whole_signs(text: str, start: int, end: int) -> Span:
    r"""Widen a span so that no letter is separated from its marks.

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
    """Return whether a text is composed and holds no marks, so that this module does not change it.

    Example:
        >>> is_plain("Köln"), is_plain("Ko\u0308ln")
        (True, False)
    """
    return compose(text).spans is None and with_letters_for_marks(text) is text

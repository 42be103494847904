"""Collect joined linearizations as rows of word numbers, lean enough for millions of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from linearize import split_tokens
from retrofit.amr.pieces import Rows

BRACKETS = frozenset(("(", ")"))


class WordRows:
    """Distinct words and, for every linearization added, the numbers of its words.

    Example:
        >>> collected = WordRows()
        >>> collected.add("( boy )"), collected.add("( go-02 :ARG0 ( boy ) )")
        (0, 1)
        >>> collected.rows().row(1).tolist()
        [0, 3, 4, 0, 1, 2, 2]
    """

    def __init__(self, leave_out: frozenset[str] = frozenset()) -> None:
        self._leave_out = leave_out
        self._numbers: dict[str, int] = {}
        self._flat = array("i")
        self._lengths = array("i")

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def words(self) -> tuple[str, ...]:
        """Distinct words, by number."""
        return tuple(self._numbers)

    def add(self, tokens: str | Iterable[str]) -> int:
        """Add one linearization, joined or as tokens; return its row."""
        numbers = self._numbers
        sequence = _split(tokens) if isinstance(tokens, str) else tokens
        before = len(self._flat)
        out = self._leave_out
        self._flat.extend([numbers.setdefault(word, len(numbers)) for word in sequence if word not in out])
        self._lengths.append(len(self._flat) - before)
        return len(self._lengths) - 1

    def rows(self) -> Rows:
        """Return all rows."""
        lengths = np.array(self._lengths, dtype=np.int64)
        return Rows(np.array(self._flat, dtype=np.int32), np.cumsum(lengths) - lengths, lengths)


def _split(line: str) -> list[str]:
    """Split a joined linearization; most hold no quote and no escape, and need no regular expression."""
    return split_tokens(line) if '"' in line or "%" in line else line.split()


def word_rows(*, parentheses: bool) -> WordRows:
    """Return where linearizations are collected, with the brackets of the nodes or without."""
    return WordRows(frozenset() if parentheses else BRACKETS)

"""Convert linearized tokens to word-piece ids, as flat arrays.

::

    words   ( want-01 :ARG0 ( boy ) )                      indices into a list of distinct words
    pieces  [CLS] ( want-01 :ARG0 ( boy ) ) [SEP]          ids in the encoder's vocabulary

Every distinct word is tokenised once, then the rows are expanded with numpy: a corpus of 1.5 million graphs
has 10^8 words, but only about 10^5 distinct ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.errors import OptionError
from linearize import split_tokens

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class WordRows:
    """Distinct words and, for every added linearization, the indices of its words.

    Example:
        >>> collected = WordRows()
        >>> collected.add("( boy )"), collected.add("( go-02 :ARG0 ( boy ) )")
        (0, 1)
        >>> collected.rows().row(1).tolist()
        [0, 3, 4, 0, 1, 2, 2]
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._flat = array("i")
        self._lengths = array("i")

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def words(self) -> tuple[str, ...]:
        """The distinct words, by index."""
        return tuple(self._numbers)

    def add(self, tokens: str | Iterable[str]) -> int:
        """Add one linearization, joined or as tokens; return its row."""
        numbers = self._numbers
        sequence = _split(tokens) if isinstance(tokens, str) else tokens
        before = len(self._flat)
        self._flat.extend([numbers.setdefault(word, len(numbers)) for word in sequence])
        self._lengths.append(len(self._flat) - before)
        return len(self._lengths) - 1

    def rows(self) -> Rows:
        """Return all rows."""
        lengths = np.array(self._lengths, dtype=np.int64)
        return Rows(np.array(self._flat, dtype=np.int32), np.cumsum(lengths) - lengths, lengths)


def _split(line: str) -> list[str]:
    """Split a joined linearization; without quotes and escapes no regular expression is needed."""
    return split_tokens(line) if '"' in line or "%" in line else line.split()


Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]
_ROWS = 20000


@dataclass(frozen=True, slots=True)
class Rows:
    """Sequences of numbers, concatenated."""

    flat: Ids  # all numbers ``(N,)``
    starts: Ints  # start of each row ``(R,)``
    lengths: Ints  # length of each row ``(R,)``

    def __len__(self) -> int:
        return len(self.starts)

    def row(self, index: int) -> Ids:
        """Return one row, ``(length,)``."""
        start = int(self.starts[index])
        return self.flat[start : start + int(self.lengths[index])]

    def gather(self, rows: Ints, width: int) -> Ids:
        """Return the rows padded with 0 to ``(len(rows), width)``."""
        columns = np.arange(width)
        places = self.starts[rows][:, None] + columns  # (B, T)
        inside = columns < self.lengths[rows][:, None]
        padded: Ids = np.where(inside, self.flat[np.minimum(places, max(len(self.flat) - 1, 0))], 0)
        return padded


def rows_of(sequences: Iterable[Sequence[int]]) -> Rows:
    """Concatenate sequences.

    Example:
        >>> rows_of([[5, 6], [], [7]]).gather(np.array([2, 0]), 2).tolist()
        [[7, 0], [5, 6]]
    """
    kept = [np.asarray(sequence, dtype=np.int32) for sequence in sequences]
    lengths = np.array([len(sequence) for sequence in kept], dtype=np.int64)
    flat = np.concatenate(kept) if kept else np.zeros(0, dtype=np.int32)
    return Rows(flat, np.cumsum(lengths) - lengths, lengths)


def join_rows(first: Rows, second: Rows) -> Rows:
    """Return the rows of ``first``, then those of ``second``."""
    return Rows(
        np.concatenate([first.flat, second.flat]),
        np.concatenate([first.starts, second.starts + len(first.flat)]),
        np.concatenate([first.lengths, second.lengths]),
    )


def distinct(rows: Rows) -> tuple[Rows, Ints]:
    """Return the distinct rows, and the index of each row among them ``(R,)``.

    Example:
        >>> once, indices = distinct(rows_of([[5, 6], [7], [5, 6]]))
        >>> len(once), indices.tolist()
        (2, [0, 1, 0])
    """
    keys: dict[bytes, int] = {}
    numbers = [keys.setdefault(rows.row(i).tobytes(), len(keys)) for i in range(len(rows))]
    inverse = np.array(numbers, dtype=np.int64)
    first = np.unique(inverse, return_index=True)[1]
    return Rows(rows.flat, rows.starts[first], rows.lengths[first]), inverse


def tokenize_words(words: Sequence[str], tokenizer: Tokenizer) -> Rows:
    """Return the pieces of every distinct word; a word that is an added token is one piece."""
    encodings = tokenizer.encode_batch(list(words), add_special_tokens=False)
    return rows_of([encoding.ids for encoding in encodings])


def ends(tokenizer: Tokenizer) -> tuple[int, int]:
    """Return the ids of [CLS] and [SEP]."""
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    if first is None or last is None:
        raise OptionError("the backbone's tokenizer has no [CLS] and [SEP]; give a BERT-like model")
    return first, last


def expand(words: Rows, pieces: Rows, *, first: int, last: int, max_tokens: int) -> tuple[Rows, int]:
    """Replace words by pieces, add ``first`` at the start and ``last`` at the end, cut at ``max_tokens``.

    Returned are the rows, and the number of those that were cut.
    """
    blocks: list[Ids] = []
    lengths: list[Ints] = []
    cut = 0
    for start in range(0, len(words), _ROWS):
        rows = np.arange(start, min(start + _ROWS, len(words)))
        numbers = _concatenated(words, rows)
        owner = np.repeat(np.arange(len(rows)), words.lengths[rows])  # row of each word
        expanded = _concatenated(pieces, numbers)
        owner = np.repeat(owner, pieces.lengths[numbers])  # row of each piece
        full = np.bincount(owner, minlength=len(rows))
        position = np.arange(len(owner)) - (np.cumsum(full) - full)[owner]
        kept = position < max_tokens - 2
        cut += int((full > max_tokens - 2).sum())
        length = np.minimum(full, max_tokens - 2) + 2
        begins = np.cumsum(length) - length
        block = np.empty(int(length.sum()), dtype=np.int32)
        block[begins] = first
        block[begins + length - 1] = last
        block[begins[owner[kept]] + 1 + position[kept]] = expanded[kept]
        blocks.append(block)
        lengths.append(length)
    sizes = np.concatenate(lengths) if lengths else np.zeros(0, dtype=np.int64)
    flat = np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.int32)
    return Rows(flat, np.cumsum(sizes) - sizes, sizes), cut


def _concatenated(rows: Rows, chosen: npt.NDArray[np.integer]) -> Ids:
    lengths = rows.lengths[chosen]
    begins = np.cumsum(lengths) - lengths
    places = np.arange(int(lengths.sum())) + np.repeat(rows.starts[chosen] - begins, lengths)
    flat: Ids = rows.flat[places]
    return flat

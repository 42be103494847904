"""Draw rows of several sources, in proportions set by a temperature.

A source of ``n`` rows is drawn with probability proportional to ``n ** (1 / temperature)``: with 1 all rows
are equally probable, a higher temperature increases the share of small sources (Conneau and Lample 2019,
whose alpha is 1 / temperature).

A source yields its rows endlessly in a shuffled order, with one block of rows in memory::

    file  ├── block ──┼── block ──┼── block ─┤      read in order, each shuffled
               ^ epoch, rows before the block, position in the block, byte offsets: state in a checkpoint

The order of a block depends only on the seed, the epoch and the start of the block, so a resumed stream
yields the same rows as an uninterrupted one.

The test pairs of Tatoeba can be kept out, as in VMSST (Wieting et al. 2023, section 6.1).
"""

import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError, MissingResourceError
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA
from amrx.records.files import BYTE_ORDER_MARK, open_bytes
from retrofit.training.bases.sources import Source, cells, rows_of

Reserved = frozenset[frozenset[str]]
"""Pairs of texts, in either order."""


Texts = tuple[str, ...]


class Stream:
    """Endless rows of one source; ``block`` rows are in memory, and shuffled together."""

    def __init__(
        self,
        source: Source,
        rows: int,
        seed: Sequence[int],
        block: int,
        reserved: Reserved = frozenset(),
    ) -> None:
        self._source, self._rows, self._seed, self._block = source, rows, tuple(seed), block
        self._reserved = reserved if source.kind == "parallel" else frozenset()
        self._size = 0  # lines of the block
        self._epoch, self._before, self._place = 0, 0, 0
        self._offsets = [0] * len(source.files)
        self._after: list[int] = []
        self._held: list[Texts] = []
        self._files: list[IO[bytes]] = []
        self._open = ExitStack()  # closes open files when the stream is deleted
        weakref.finalize(self, self._open.close)

    def take(self, count: int) -> list[Texts]:
        """Return the next rows; the first row of the next epoch follows the last one."""
        taken: list[Texts] = []
        while len(taken) < count:
            if not self._held:
                self._load()
            wanted = count - len(taken)
            taken += self._held[self._place : self._place + wanted]
            self._place = min(self._place + wanted, len(self._held))
            if self._place == len(self._held):
                self._turn()
        return taken

    def state(self) -> dict[str, object]:
        """Return the position of the stream."""
        return {
            "epoch": self._epoch, "before": self._before, "place": self._place,
            "offsets": list(self._offsets),
        }  # fmt: skip

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the position of another stream of the same source and seed."""
        self._epoch, self._before, self._place = state["epoch"], state["before"], state["place"]
        self._offsets, self._held = list(state["offsets"]), []
        self._close()

    def _load(self) -> None:
        """Read the block that begins at the offsets, and shuffle it."""
        size = min(self._block, self._rows - self._before)
        if not self._files:
            self._files = [self._open.enter_context(open_bytes(file)) for file in self._source.files]
            for stream, offset in zip(self._files, self._offsets, strict=True):
                stream.seek(offset)
        columns = []
        for stream, file in zip(self._files, self._source.files, strict=True):
            raw = [stream.readline() for _ in range(size)]
            columns.append([self._cells(line, file, number) for number, line in enumerate(raw, start=1)])
        rows = [tuple(cell for part in row for cell in part) for row in zip(*columns, strict=True)]
        random = np.random.default_rng((*self._seed, self._epoch, self._before))
        order = random.permutation(size)
        self._held = [rows[i] for i in order if not self._reserved or pair_of(rows[i]) not in self._reserved]
        self._size = size
        self._after = [stream.tell() for stream in self._files]

    def _cells(self, raw: bytes, file: Path, number: int) -> list[str]:
        line = self._before + number
        if not raw:
            raise InputError("has fewer lines than when it was checked", file=file, line=line)
        text = raw.removeprefix(BYTE_ORDER_MARK) if line == 1 else raw
        return cells(text.decode("utf-8"), self._source.width, file, line)

    def _turn(self) -> None:
        """Go to the next block, or to the first block of the next epoch."""
        self._before += self._size
        self._offsets, self._place, self._held = self._after, 0, []
        if self._before == self._rows:
            self._epoch, self._before = self._epoch + 1, 0
            self._offsets = [0] * len(self._source.files)
            self._close()

    def _close(self) -> None:
        self._open.close()
        self._files = []


class Row(NamedTuple):
    """One line of a source."""

    source: Source
    texts: Texts


class Mixture:
    """Endless rows of all sources."""

    def __init__(
        self,
        sources: Sequence[Source],
        counts: Sequence[int],
        *,
        temperature: float,
        seed: int,
        block: int,
        reserved: Reserved = frozenset(),
    ) -> None:
        self._sources, self._seed = list(sources), seed
        self._chances = chances(counts, temperature)
        self._streams = [
            Stream(source, count, (seed, number), block, reserved)
            for number, (source, count) in enumerate(zip(sources, counts, strict=True))
        ]

    def draw(self, step: int, size: int) -> list[Row]:
        """Return the rows of a step; their sources depend only on the seed and the step."""
        random = np.random.default_rng((self._seed, step))
        chosen = random.choice(len(self._sources), size=size, p=self._chances)
        wanted = np.bincount(chosen, minlength=len(self._sources)).tolist()
        given = [iter(stream.take(count)) for stream, count in zip(self._streams, wanted, strict=True)]
        return [Row(self._sources[number], next(given[number])) for number in chosen.tolist()]

    def state(self) -> dict[str, object]:
        """Return the position of every stream."""
        return {"streams": [stream.state() for stream in self._streams]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the position of another mixture of the same sources and seed."""
        for stream, one in zip(self._streams, state["streams"], strict=True):
            stream.restore(one)


def chances(counts: Sequence[int], temperature: float) -> npt.NDArray[np.float64]:
    """Return the probability of each source.

    Example:
        >>> chances([900, 100], 1.0).tolist(), chances([900, 100], 2.0).round(2).tolist()
        ([0.9, 0.1], [0.75, 0.25])
    """
    weights = np.asarray(counts, dtype=np.float64) ** (1 / temperature)
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares


def tatoeba_pairs(data: str | None) -> Reserved:
    """Return the pairs of all test sets of Tatoeba below a data folder; none without a folder.

    Raises:
        MissingResourceError: The folder has no test set of Tatoeba.
    """
    if data is None:
        return frozenset()
    parts, _ = TATOEBA.load(Path(data))
    if not parts:
        raise MissingResourceError(f"test pairs of Tatoeba in {data!r}", fetch=TATOEBA.fetch)
    pairs = (pair for part in parts for pair in zip(part.foreign, part.english, strict=True))
    return frozenset(map(pair_of, pairs))


def pair_of(texts: Sequence[str]) -> frozenset[str]:
    """Return the texts of a row without case and repeated spaces.

    Example:
        >>> pair_of(("Hallo  Welt", "hello world")) == pair_of(("Hello world", "hallo welt"))
        True
    """
    return frozenset(" ".join(text.casefold().split()) for text in texts)


def count_reserved(source: Source, reserved: Reserved) -> int:
    """Return the number of reserved rows of a source.

    Raises:
        InputError: Every row is reserved, so that none could be drawn.
    """
    taken = [pair_of([cell for row in rows for cell in row]) in reserved for rows in rows_of(source)]
    if all(taken):
        message = "has only test pairs of Tatoeba, which data.keep_out leaves out"
        raise InputError(message, file=source.files[0])
    return sum(taken)

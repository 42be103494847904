"""Keep the test pairs of Tatoeba out of training, as VMSST does (Wieting et al. 2023, section 6.1)."""

from collections.abc import Sequence
from pathlib import Path

from amrx.errors import InputError, MissingResourceError
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA
from retrofit.training.bases.sources import Source, rows_of

Reserved = frozenset[frozenset[str]]
"""Pairs of texts, in either order."""


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

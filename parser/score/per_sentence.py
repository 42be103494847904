"""Write the scores of single pairs, and compare two parsers on one gold standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from amrx.records.one_line import spaced
from amrx.types import Parse
from parser.score.smatch import Counts, score

if TYPE_CHECKING:
    from amrx.evaluation.results.bootstrap import Interval

COLUMNS = ("file", "id", "lang", "f1", "precision", "recall", "bound", "shared", "predicted", "gold")
"""Columns of the table; ``bound`` is the F1 that no mapping exceeds: ``f1`` itself if that is proved."""


def table(files: Mapping[str, tuple[Sequence[Parse], Counts]]) -> str:
    r"""Return a table, tab-separated, with one row per pair; scores are 0-100.

    Args:
        files: Graphs and counts ``(n, 4)`` of `parser.score.smatch.bounded_counts`, by the name of the file.

    Example:
        >>> import penman
        >>> parse = Parse("7", "", "en", penman.decode("(b / boy)"))
        >>> lines = table({"mine.amr": ([parse], np.array([[2, 2, 4, 2]]))}).splitlines()
        >>> lines[1].split("\t")
        ['mine.amr', '7', 'en', '66.67', '100.00', '50.00', '66.67', '2', '2', '4']
    """
    lines = [
        COLUMNS,
        *(row for name, (parses, counts) in files.items() for row in _rows(name, parses, counts)),
    ]
    return "".join("\t".join(spaced(cell).replace("\t", " ") for cell in line) + "\n" for line in lines)


def _rows(name: str, parses: Sequence[Parse], counts: Counts) -> Iterator[tuple[str, ...]]:
    for parse, (shared, predicted, gold, bound) in zip(parses, counts.tolist(), strict=True):
        own, most = (score(np.array([[count, predicted, gold]])) for count in (shared, bound))
        values = (f"{value:.2f}" for value in (own.f1, own.precision, own.recall, most.f1))
        yield (name, parse.id, parse.lang, *values, *map(str, (shared, predicted, gold)))


def difference(one: Counts, other: Counts, *, seed: int = 0) -> Interval:
    """Return F1 of the second parser minus F1 of the first, with interval and p-value.

    The sentences of each sample are the same for both, as in `amrx.evaluation.results.bootstrap`.

    Args:
        one: Counts ``(n, 3)`` or ``(n, 4)`` of the first parser.
        other: Counts of the second, of the same sentences.
        seed: Seed of the samples.
    """
    from amrx.evaluation.results.bootstrap import paired_bootstrap

    first, second = (counts[:, :3].astype(np.float64) for counts in (one, other))
    return paired_bootstrap(first, second, "F1", seed=seed)

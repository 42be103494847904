"""Numbers from papers, and the column of a table that each may stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amrx.evaluation.results.means import PART, group_of

if TYPE_CHECKING:
    pass


PARTIAL = "not all of their languages are here"
UNKNOWN = "it is not known here which languages they are over"
"""Why published means stand in no column of a table."""


@dataclass(frozen=True, slots=True)
class Published:
    """Means from a paper, under the names that `Task.means` gives them or their beginning.

    Attributes:
        encoder: Its name, and the protocol where that is not the task's.
        means: Name and value of each.
        source: The paper.
        metric: What they measure; ``None`` stands for the first metric that the task shows.
    """

    encoder: str
    means: tuple[tuple[str, float], ...]
    source: str
    metric: str | None = None

    def in_columns(self, columns: Sequence[str]) -> dict[str, float]:
        """Return the means by column, without those that belong to none for certain.

        Example:
            >>> row = Published("mBERT", (("monolingual", 53.97), ("mean", 44.41)), "Cai et al. 2022")
            >>> row.in_columns(["monolingual mean", "mean, seen (7)", "mean, all (15)"])
            {'monolingual mean': 53.97}
        """
        found = {column_of(name, columns): value for name, value in self.means}
        return {column: value for column, value in found.items() if column is not None}

    def unplaced(self, columns: Sequence[str]) -> dict[str, str]:
        """Return the means that belong to no column for certain, together by the reason why.

        Example:
            >>> row = Published("mBERT", (("monolingual", 53.97), ("mean", 44.41)), "Cai et al. 2022")
            >>> row.unplaced(["monolingual mean (1 of 3)", "mean, seen (7)", "mean, all (15)"]) == {
            ...     PARTIAL: "monolingual 53.97", UNKNOWN: "mean 44.41"
            ... }
            True
        """
        found: dict[str, list[str]] = {}
        for name, value in self.means:
            if column_of(name, columns) is None:
                why = UNKNOWN if len(_groups(name, columns)) > 1 else PARTIAL
                found.setdefault(why, []).append(f"{name} {value:.2f}")
        return {why: ", ".join(means) for why, means in found.items()}


def column_of(name: str, columns: Sequence[str]) -> str | None:
    """Return the column of a published mean: the one of its name, or of the only mean whose name it begins.

    A column that is over a part of its languages is the column of none.

    Example:
        >>> column_of("mean", ["mean, all (6)", "mean, all (1 of 6)"])
        'mean, all (6)'
        >>> found = ["mean, all (1 of 6)"], ["mean, seen (5)", "mean, all (6)"]
        >>> [column_of("mean", columns) for columns in found]
        [None, None]
    """
    if name in columns:
        return name
    whole = [column for column in columns if column.startswith(name) and not PART.search(column)]
    return whole[0] if whole and len(_groups(name, columns)) == 1 else None


def _groups(name: str, columns: Sequence[str]) -> set[str]:
    """Return the groups of languages whose means a name begins."""
    return {group_of(column) for column in columns if column.startswith(name)}

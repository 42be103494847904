"""Read published numbers and match them to columns of tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from amrx.evaluation.results.rows import PART, group_of

PARTIAL = "not all of their languages are here"
UNKNOWN = "it is not known here which languages they are over"
"""Reasons why a published mean is in no column."""


@dataclass(frozen=True, slots=True)
class Published:
    """Means from a paper, under the names in `Task.means` or prefixes of them."""

    encoder: str  # its name, and the protocol if it is not the task's
    means: tuple[tuple[str, float], ...]  # name and value of each mean
    source: str  # the paper
    metric: str | None = None  # the metric; ``None`` is the first metric that the task shows
    languages: tuple[tuple[str, float], ...] = ()  # name in the tables and value of each language

    def in_columns(self, columns: Sequence[str]) -> dict[str, float]:
        """Return the means whose column is certain, and the languages, by column.

        Example:
            >>> row = Published("mBERT", (("monolingual", 53.97), ("mean", 44.41)), "Cai et al. 2022")
            >>> row.in_columns(["monolingual mean", "mean, seen (7)", "mean, all (15)"])
            {'monolingual mean': 53.97}
        """
        values = {column_of(name, columns): value for name, value in self.means}
        of_means = {column: value for column, value in values.items() if column is not None}
        return of_means | {name: value for name, value in self.languages if name in columns}

    def unplaced(self, columns: Sequence[str]) -> dict[str, str]:
        """Return the means whose column is not certain, grouped by reason.

        Example:
            >>> row = Published("mBERT", (("monolingual", 53.97), ("mean", 44.41)), "Cai et al. 2022")
            >>> row.unplaced(["monolingual mean (1 of 3)", "mean, seen (7)", "mean, all (15)"]) == {
            ...     PARTIAL: "monolingual 53.97", UNKNOWN: "mean 44.41"
            ... }
            True
        """
        by_reason: dict[str, list[str]] = {}
        for name, value in self.means:
            if column_of(name, columns) is None:
                why = UNKNOWN if len(_groups(name, columns)) > 1 else PARTIAL
                by_reason.setdefault(why, []).append(f"{name} {value:.2f}")
        return {why: ", ".join(means) for why, means in by_reason.items()}


def printed(
    rows: str, columns: Sequence[str], source: str, metric: str | None = None
) -> tuple[Published, ...]:
    """Return the rows of a printed table, ``NAME: VALUE VALUE``, parted by lines or semicolons.

    A dash is a missing value.

    Example:
        >>> [row.means for row in printed("a: - 72.3; b: 5 6", ("BUCC", "Tatoeba"), "Wang et al. 2022")]
        [(('Tatoeba', 72.3),), (('BUCC', 5.0), ('Tatoeba', 6.0))]
    """
    table = []
    for line in filter(str.strip, rows.replace(";", "\n").splitlines()):
        name, _, values = line.rpartition(": ")
        pairs = zip(columns, values.split(), strict=True)
        means = tuple((column, float(value)) for column, value in pairs if value != "-")
        table.append(Published(name.strip(), means, source, metric))
    return tuple(table)


def table_rows(name: str, metric: str | None = None) -> tuple[Published, ...]:
    """Return the rows of a table in the folder ``published``: ``# SOURCE``, then tab-separated columns.

    Columns before the column ``|``, if there is one, are languages, those after it means; an empty cell is a
    missing value.

    Example:
        >>> row = table_rows("cai-2022-table-2")[0]
        >>> row.encoder, row.source, row.languages[0], row.means
        ('mBERT, mean pooling', 'Cai et al. 2022, Table 2', ('en-en', 54.36), (('monolingual', 53.97),))
    """
    file = resources.files("amrx.evaluation") / "published" / f"{name}.tsv"
    source, head, *rows = file.read_text(encoding="utf-8").splitlines()
    columns = head.split("\t")[1:]
    middle = columns.index("|") if "|" in columns else len(columns)
    table = []
    for row in rows:
        encoder, *cells = row.split("\t")
        values = [float(cell) if cell.strip("|") else None for cell in cells]
        known = [
            tuple((name, value) for name, value in part if value is not None)
            for part in (
                zip(columns[:middle], values[:middle], strict=True),
                zip(columns[middle:], values[middle:], strict=True),
            )
        ]
        table.append(Published(encoder, known[1], source.removeprefix("# "), metric, known[0]))
    return tuple(table)


def column_of(name: str, columns: Sequence[str]) -> str | None:
    """Return the column of a published mean: of the same name, or the only mean with that prefix.

    Columns over a part of their languages do not count.

    Example:
        >>> column_of("mean", ["mean, all (6)", "mean, all (1 of 6)"])
        'mean, all (6)'
        >>> tables = ["mean, all (1 of 6)"], ["mean, seen (5)", "mean, all (6)"]
        >>> [column_of("mean", columns) for columns in tables]
        [None, None]
    """
    if name in columns:
        return name
    complete = [column for column in columns if column.startswith(name) and not PART.search(column)]
    return complete[0] if complete and len(_groups(name, columns)) == 1 else None


def _groups(name: str, columns: Sequence[str]) -> set[str]:
    """Return the groups of languages whose means have this prefix."""
    return {group_of(column) for column in columns if column.startswith(name)}

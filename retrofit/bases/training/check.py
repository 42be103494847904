"""Go once through the files before anything is trained: count rows, name the first fault by file and line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from amrx.device import progress
from amrx.errors import InputError, OptionError
from amrx.records.files import read_lines
from retrofit.bases.training.sources import Source, cells


def count_rows(source: Source, *, show: bool | None = None) -> int:
    """Return the number of rows, after looking at each of them.

    Raises:
        InputError: A file is missing, empty or damaged, a line is not UTF-8, lacks a column or has an empty
            one, or one file has fewer lines than the other.
    """
    lines = [read_lines(file) for file in source.files]
    number = 0
    for row in progress(zip_longest(*lines), description=f"check {source.name}", show=show):
        for place, text in enumerate(row):
            if text is None:
                longer = source.files[next(i for i, other in enumerate(row) if other is not None)]
                raise InputError(f"ends here, but {longer} goes on", file=source.files[place], line=number)
            cells(text, source.width, source.files[place], number + 1)
        number += 1
    return number


def count_all(
    sources: Sequence[Source], *, batch: int, what: str, show: bool | None = None
) -> tuple[int, ...]:
    """Return the rows of every source.

    Raises:
        OptionError: There is no source, or all of them together have less than a batch.
        InputError: As for `count_rows`.
    """
    if not sources:
        raise OptionError(f"there is no input; name it with {what}")
    counts = tuple(count_rows(source, show=show) for source in sources)
    if sum(counts) < batch:
        names = ", ".join(source.name for source in sources)
        raise OptionError(f"{names}: {sum(counts)} rows in all are less than one batch of {batch}")
    return counts

"""Go once through the files before anything is trained: count rows, name the first fault by file and line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from amrx.device import progress
from amrx.errors import InputError, OptionError
from amrx.records.files import read_lines
from amrx.records.rereading import read_once
from retrofit.bases.training.sources import LABELS, Source, cells


def count_rows(source: Source, *, show: bool | None = None) -> int:
    """Return the number of rows, after looking at each of them; of NLI that of the entailments.

    Raises:
        InputError: A file is a pipe, missing, empty or damaged, a line is not UTF-8, lacks a column or has an
            empty one, one file has fewer lines than the other, or labels are wrong.
    """
    for file in filter(read_once, source.files):
        raise InputError("cannot be read again and again, as a training does; give a file", file=file)
    lines = [read_lines(file) for file in source.files]
    number, labels = 0, Counter[str]()
    for row in progress(zip_longest(*lines), description=f"check {source.name}", show=show):
        found = []
        for text, file in zip(row, source.files, strict=True):
            if text is None:
                longer = source.files[next(i for i, other in enumerate(row) if other is not None)]
                raise InputError(f"ends here, but {longer} goes on", file=file, line=number)
            found.append(cells(text, source.width, file, number + 1)[-1])
        number += 1
        if source.kind == "nli":
            _check_labels(found, source.files, number)
            labels[found[0]] += 1
    if source.kind != "nli":
        return number
    for label in ("entailment", "contradiction"):
        if not labels[label]:
            raise InputError(f"has no row of {label}", file=source.files[0])
    return labels["entailment"]


def _check_labels(found: Sequence[str], files: Sequence[Path], line: int) -> None:
    """Refuse an unknown label, and one that differs between two languages."""
    for label, file in zip(found, files, strict=True):
        if label not in LABELS:
            raise InputError(f"{label!r} is none of {', '.join(LABELS)}", file=file, line=line)
        if label != found[0]:
            raise InputError(f"is {label!r}, but {found[0]!r} in {files[0]}", file=file, line=line)


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

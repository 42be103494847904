"""What a run had to say of its results, in a file beside the JSON of the rows.

::

    out.json.notes.txt   a line each: where data were fetched from, what is skipped and what to fetch for it

So a table that is drawn of the rows later still tells what is not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amrx.records import atomic_path
from amrx.records.files import read_lines


def notes_path(path: str | Path) -> Path:
    """Return the file of the notes that belongs to a JSON file of rows.

    Example:
        >>> notes_path("results/out.json").name
        'out.json.notes.txt'
    """
    return Path(f"{path}.notes.txt")


def write_notes(path: str | Path, notes: Sequence[str]) -> None:
    """Write the notes of a run beside the JSON file of its rows; without any, that of an earlier run goes.

    Raises:
        OutputError: The file cannot be written.
    """
    if not notes:
        notes_path(path).unlink(missing_ok=True)
        return
    with atomic_path(notes_path(path)) as temporary:
        temporary.write_text("".join(f"{line}\n" for line in notes), "utf-8", errors="backslashreplace")


def read_notes(path: str | Path) -> list[str]:
    """Read the notes that belong to a JSON file of rows, empty if it has none.

    Raises:
        InputError: The file is no UTF-8.
    """
    file = notes_path(path)
    there = file.is_file() and file.stat().st_size > 0
    return [line.rstrip("\n") for line in read_lines(file)] if there else []

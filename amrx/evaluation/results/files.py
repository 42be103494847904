"""The files that a run writes: the rows, what stands beside them, and the page.

What a run had to say of its results, in a file beside the JSON of the rows.

::

    out.json.notes.txt   a line each: where data were fetched from, what is skipped and what to fetch for it

So a table that is drawn of the rows later still tells what is not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amrx.errors import OutputError
from amrx.evaluation.results.items import items_path
from amrx.evaluation.results.points import clouds_path
from amrx.records import atomic_path, check_writable
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


def beside(rows: Path) -> tuple[Path, ...]:
    """Return the files that stand beside a JSON file of rows.

    Example:
        >>> [file.name for file in beside(Path("out.json"))]
        ['out.json.items.npz', 'out.json.notes.txt', 'out.json.clouds.npz']
    """
    return items_path(rows), notes_path(rows), clouds_path(rows)


def takes_items(rows: Path) -> bool:
    """Tell whether other files can stand beside this one, which may be a device such as ``/dev/null``."""
    return rows.is_file() or not rows.exists()


def check_outputs(rows: Path | None, page: Path | None) -> None:
    """Check, before any work is done, that all files of a run can be written, each in its own place.

    Raises:
        OutputError: One cannot be written, is standard output, or is another one of them.
    """
    files = [file for file in (rows, page) if file is not None]
    if rows is not None and takes_items(rows):
        files += beside(rows)
    for place, file in enumerate(files):
        if str(file) == "-":
            raise OutputError("- is no file: the tables stand on standard output; name a file for the rest")
        if any(_same(file, other) for other in files[:place]):
            raise OutputError(f"{file}: would be written twice; --json and --html need names of their own")
        check_writable(file)


def _same(file: Path, other: Path) -> bool:
    """Tell whether two names are one file; a device may be written twice."""
    return file.resolve() == other.resolve() and takes_items(file)

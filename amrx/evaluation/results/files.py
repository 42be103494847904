"""Name, check, write and read the files of a run beside the JSON of its rows.

::

    out.json.notes.txt   one note per line: where data were downloaded from, what is skipped and how to get it

With the notes, a table drawn from the rows later still reports missing parts.
"""

from collections.abc import Sequence
from pathlib import Path

from amrx.errors import OutputError
from amrx.evaluation.results.items import items_path
from amrx.evaluation.results.points import clouds_path
from amrx.records import atomic_path, check_writable
from amrx.records.files import read_lines


def notes_path(path: str | Path) -> Path:
    """Return the file of notes of a JSON file of rows."""
    return Path(f"{path}.notes.txt")


def write_notes(path: str | Path, notes: Sequence[str]) -> None:
    """Write the notes of a run beside the JSON file of its rows; without any, remove earlier ones."""
    if not notes:
        notes_path(path).unlink(missing_ok=True)
        return
    with atomic_path(notes_path(path)) as temporary:
        temporary.write_text("".join(f"{line}\n" for line in notes), "utf-8", errors="backslashreplace")


def read_notes(path: str | Path) -> list[str]:
    """Read the notes of a JSON file of rows, empty if it has none."""
    file = notes_path(path)
    if not file.is_file() or file.stat().st_size == 0:
        return []
    return [line.rstrip("\n") for line in read_lines(file)]


def companions(rows: Path) -> tuple[Path, ...]:
    """Return the files that belong to a JSON file of rows: items, notes, clouds."""
    return items_path(rows), notes_path(rows), clouds_path(rows)


def takes_items(rows: Path) -> bool:
    """Return whether the file may have companion files; a device such as ``/dev/null`` has none."""
    return rows.is_file() or not rows.exists()


def check_outputs(rows: Path | None, page: Path | None) -> None:
    """Check, before any work, that all files of a run can be written, each under its own name."""
    files = [file for file in (rows, page) if file is not None]
    if rows is not None and takes_items(rows):
        files += companions(rows)
    for index, file in enumerate(files):
        if str(file) == "-":
            raise OutputError("- is not a file: standard output is for the tables; name a file")
        if any(_same(file, other) for other in files[:index]):
            raise OutputError(f"{file}: would be written twice; --json and --html need different names")
        check_writable(file)


def _same(file: Path, other: Path) -> bool:
    """Return whether two names are one file; a device may be named twice."""
    return file.resolve() == other.resolve() and takes_items(file)

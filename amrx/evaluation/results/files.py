"""The files that a run writes: the rows, what stands beside them, and the page."""

from __future__ import annotations

from pathlib import Path

from amrx.errors import OutputError
from amrx.evaluation.results.items import items_path
from amrx.evaluation.results.notes import notes_path
from amrx.evaluation.results.points import clouds_path
from amrx.records import check_writable


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

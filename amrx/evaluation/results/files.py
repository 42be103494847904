"""Name, check, write and read the files of a run beside the JSON of its rows.

::

    out.json.notes.txt   one note per line: where data were downloaded from, what is skipped and how to get it
    out.json.clouds.npz  maps of vectors, points in a plane:
                         heads (c, 5): encoder, task, language, metric, title
                         sizes (c,): number of points of each cloud
                         points (p, 2), groups (p,): all points of all clouds, one after the other

With the notes, a table drawn from the rows later still reports missing parts.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from amrx.errors import InputError, OutputError
from amrx.evaluation.results.items import Form, Key, items_path, read_arrays
from amrx.evaluation.results.rows import Cloud
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


_FORMS = {"heads": Form("U", (5,)), "sizes": Form("iu"), "points": Form("f", (2,)), "groups": Form("U")}


def clouds_path(path: str | Path) -> Path:
    """Return the file of clouds of a JSON file of rows."""
    return Path(f"{path}.clouds.npz")


def write_clouds(path: str | Path, clouds: Mapping[Key, Sequence[Cloud]]) -> None:
    """Write the clouds of all rows; without clouds, remove the file of an earlier run."""
    flat = [(key, cloud) for key, of_row in clouds.items() for cloud in of_row]
    if not flat:
        clouds_path(path).unlink(missing_ok=True)
        return
    with atomic_path(clouds_path(path)) as temporary:
        np.savez_compressed(
            temporary,
            heads=np.array([[*key, cloud.title] for key, cloud in flat], dtype=np.str_),
            sizes=np.array([len(cloud.groups) for _, cloud in flat]),
            points=np.concatenate([cloud.points for _, cloud in flat]),
            groups=np.array([name for _, cloud in flat for name in cloud.groups], dtype=np.str_),
        )


def read_clouds(path: str | Path) -> dict[Key, tuple[Cloud, ...]]:
    """Read the clouds of a JSON file of rows, empty if it has none; no code in the file is run."""
    file = clouds_path(path)
    if not file.is_file():
        return {}
    heads, sizes, points, groups = read_arrays(file, _FORMS)
    if len(heads) != len(sizes) or not sizes.sum() == len(groups) == len(points) or (sizes < 0).any():
        raise InputError("its arrays differ in length", file=file)
    if not np.isfinite(points).all():
        raise InputError("holds a point that is infinite or NaN", file=file, field="points")
    clouds: dict[Key, tuple[Cloud, ...]] = {}
    start = 0
    for (encoder, task, language, metric, title), size in zip(heads.tolist(), sizes.tolist(), strict=True):
        key = (encoder, task, language, metric)
        cloud = Cloud(title, points[start : start + size], tuple(groups[start : start + size].tolist()))
        clouds[key] = (*clouds.get(key, ()), cloud)
        start += size
    return clouds

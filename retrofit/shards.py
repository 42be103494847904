"""Retrofit many files into a folder, one shard per file: on one machine, or on several that share the folder.

::

    part-*.jsonl.gz ──> DIR/part-00.parquet, .part-00.parquet.done     the mark of a finished shard
                        DIR/part-01.parquet.work.npy.partial           a shard that a run writes and locks

A shard is finished if its mark names the same input, encoder and options. A run processes the shards in order
and skips those that are finished or locked by another run, so that several runs share the work. The lock is
that of `fcntl.flock`, which a shared file system must support.
"""

import glob
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from amrx.control_characters import visible
from amrx.errors import InputError, OptionError, OutputError
from amrx.records import atomic_path
from amrx.records.files import kind_of
from amrx.records.locks import LockedError
from amrx.records.writing import suffix_of

READ = ("", "txt", "tsv", "csv", "jsonl", "json", "amr", "penman", "parquet")
"""Formats of inputs in a folder; ``""`` is text."""
_NAMED = 20
"""Paths that a warning names."""


def is_many(sentences: str) -> bool:
    """Return whether an input is a folder or a pattern, not a file."""
    path = Path(sentences)
    return path.is_dir() or (glob.has_magic(sentences) and not path.exists())


def inputs_of(sentences: str) -> list[Path]:
    """Return the files of a folder or pattern in order of their names, without hidden ones."""
    paths = _names(sentences)
    files = sorted(path for path in paths if path.is_file() and not path.name.startswith("."))
    if not files:
        inside = "no file in it" + (
            ", only subfolders; a pattern with ** reads them" if _folders(paths) else ""
        )
        problem = inside if Path(sentences).is_dir() else "no file of this pattern"
        raise InputError(problem, file=sentences)
    for path in files:
        check_name(path)
        if kind_of(path) not in READ:
            raise OptionError(f"{path}: cannot read {suffix_of(path)!r}; give a pattern of the files to read")
    return files


def check_name(path: Path) -> None:
    """Raise OptionError for a path that is not UTF-8: tables cannot be written beside such names."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise OptionError(f"file name {os.fsencode(path)!r} is not UTF-8; rename the file") from None


def _names(sentences: str) -> list[Path]:
    """Return everything in a folder, or of a pattern."""
    folder = Path(sentences)
    return (
        list(folder.iterdir()) if folder.is_dir() else list(map(Path, glob.glob(sentences, recursive=True)))
    )


def targets_of(inputs: Sequence[Path], folder: Path, kind: str) -> list[Path]:
    """Return the shard of each input: its name with the suffix of the format."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder}: is a file; many inputs need a folder")
    if any(path.parent.resolve() == folder.resolve() for path in inputs):
        raise OutputError(f"{folder}: holds the inputs; shards in it would be inputs of the next run")
    targets: dict[Path, Path] = {}
    for path in inputs:
        target = folder / f"{path.name.removesuffix(suffix_of(path))}.{kind}"
        if (other := targets.setdefault(target, path)) is not path:
            raise OutputError(f"{target}: is the shard of both {other} and {path}; rename one")
    return list(targets)


def write_shards(
    inputs: Sequence[Path],
    targets: Sequence[Path],
    identity: Callable[[Path], str],
    write: Callable[[Path, Path], None],
) -> None:
    """Write every shard that is not finished.

    ``identity`` hashes an input and everything on which its vectors depend.

    Raises:
        OutputError: Other runs are still writing some of the shards when this run ends.
    """
    finished = 0
    busy: list[tuple[Path, str]] = []
    for number, (path, target) in enumerate(zip(inputs, targets, strict=True), start=1):
        key = identity(path)
        if is_finished(target, key):
            finished += 1
            continue
        sys.stderr.write(f"shard {number} of {len(inputs)}: {path}\n")
        mark_of(target).unlink(missing_ok=True)  # else a kill would leave the old mark beside the new shard
        try:
            write(path, target)
        except LockedError:
            busy.append((target, key))
            continue
        with atomic_path(mark_of(target)) as temporary:
            mark = {"identity": key, "bytes": target.stat().st_size}
            temporary.write_text(json.dumps(mark) + "\n", "utf-8")
    if unfinished := [target for target, key in busy if not is_finished(target, key)]:
        names = ", ".join(map(str, unfinished[:3])) + (" and others" if len(unfinished) > 3 else "")
        problem = f"{len(unfinished)} of {len(inputs)} shards are being written by other runs"
        raise OutputError(f"{problem}: {names}")
    sys.stderr.write(f"{len(inputs)} shards, {finished} of them from earlier runs\n")
    sys.stderr.write(visible(_others_warning(targets), lines=True))


def others_of(targets: Sequence[Path]) -> list[Path]:
    """Return the finished shards in the folder of the targets that are not among them, of the same format.

    Their inputs are gone, or were given to another run.
    """
    folder, kind = targets[0].parent, targets[0].suffix
    marks = sorted(folder.glob(f".*{glob.escape(kind)}.done"))
    shards = [folder / mark.name.removeprefix(".").removesuffix(".done") for mark in marks]
    own = set(targets)
    return [shard for shard in shards if shard not in own and shard.is_file()]


def _others_warning(targets: Sequence[Path]) -> str:
    """Return a line that names the other shards in the folder, or nothing."""
    others = others_of(targets)
    if not others:
        return ""
    pattern = targets[0].with_name(f"*{targets[0].suffix}")
    listed = f"{_count(others, 'shard')} whose input is not one of this run: {_named(others)}"
    return f"warning: {pattern} includes {listed}\n"


def subfolders_warning(sentences: str) -> str:
    """Return a line that names the folders among the inputs, which are not read, or nothing."""
    if "**" in sentences and not Path(sentences).is_dir():
        return ""  # the pattern chooses the files in them
    folders = _folders(_names(sentences))
    if not folders:
        return ""
    warning = f"warning: {sentences}: {_count(folders, 'subfolder')} not read: {_named(folders)}"
    return f"{warning}; a pattern with ** reads them\n"


def _folders(paths: Sequence[Path]) -> list[Path]:
    return sorted(path for path in paths if path.is_dir() and not path.name.startswith("."))


def _count(paths: Sequence[Path], noun: str) -> str:
    return f"{len(paths)} {noun}{'s' * (len(paths) > 1)}"


def _named(paths: Sequence[Path], limit: int = _NAMED) -> str:
    """Return the names of the first paths, and the number of the others."""
    rest = paths[limit:]
    return ", ".join(path.name for path in paths[:limit]) + (f" and {_count(rest, 'other')}" if rest else "")


def mark_of(target: Path) -> Path:
    """Return the file that marks a shard as finished.

    Example:
        >>> str(mark_of(Path("out/a.parquet")))
        'out/.a.parquet.done'
    """
    return target.with_name(f".{target.name}.done")


def is_finished(target: Path, identity: str) -> bool:
    """Return whether a shard exists, complete and with the same identity."""
    try:
        mark = json.loads(mark_of(target).read_text("utf-8"))
        return bool(mark == {"identity": identity, "bytes": target.stat().st_size})
    except (FileNotFoundError, ValueError):
        return False

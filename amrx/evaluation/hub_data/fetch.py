"""Fetch what the data folder lacks, once, and tell where it came from.

::

    <cache>/sts/sts17/en-de.tsv                 the rows, in the layout of the data folder
    <cache>/sts/sts17/en-de.tsv.source.json     {"dataset", "revision", "file", "licence"}

The origin is written first and the rows last, each under a temporary name: rows without an origin do not
count, and a killed run goes on with the next file.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from amrx.device import progress as bar
from amrx.errors import InputError, OutputError
from amrx.evaluation.data_folders import Data, Folders
from amrx.evaluation.hub_data.forms import Field
from amrx.evaluation.hub_data.source import HubData, HubFile
from amrx.pretrained.hub import is_offline
from amrx.records import atomic_path
from amrx.records.json_lines import read_document
from amrx.records.store import user_cache

if TYPE_CHECKING:
    from datasets import Dataset


_COMMIT = re.compile("[0-9a-f]{40}")
SECONDS = 20.0
"""So long the hub has to answer which commit is meant."""


class HasHubFiles(Protocol):
    """A task, as far as fetching its files goes."""

    @property
    def name(self) -> str:
        """Name of the task."""

    @property
    def hub(self) -> tuple[HubFile, ...]:
        """Which of its files can be fetched from the hub."""


class RefusedError(Exception):
    """The hub did not give a file; or nothing of a dataset; or nothing at all, as it cannot be reached."""

    def __init__(self, reason: str, *, whole: bool, everywhere: bool) -> None:
        super().__init__(reason)
        self.whole, self.everywhere = whole, everywhere


@contextmanager
def _asking() -> Iterator[None]:
    """Turn what asking the hub raises into `RefusedError`."""
    from huggingface_hub.errors import HfHubHTTPError

    # its bases are OSError and the root of the HTTP library's errors; which library differs by version
    failures = tuple(kind for kind in HfHubHTTPError.__mro__ if issubclass(kind, Exception))
    try:
        yield
    except failures[: failures.index(Exception)] as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        whole, one = isinstance(error, HfHubHTTPError), isinstance(error, FileNotFoundError)
        raise RefusedError(reason, whole=whole, everywhere=not (whole or one)) from error


def commit_of(data: HubData) -> str:
    """Return the commit that a dataset's revision stands for; a commit is not asked about.

    Raises:
        RefusedError: The hub does not say.
    """
    if data.is_folder:
        return "no revision, a folder"
    if _COMMIT.fullmatch(data.revision):
        return data.revision
    from huggingface_hub import HfApi

    with _asking():
        found = HfApi().dataset_info(data.name, revision=data.revision, timeout=SECONDS).sha
    return found or data.revision


def rows_of(data: HubData, file: str, revision: str, scratch: str) -> Dataset:
    """Return the rows of a file, read by the reader of its kind.

    Raises:
        RefusedError: The hub does not give it.
        InputError: It is no such file.
    """
    import datasets
    from datasets.exceptions import DatasetsError

    kind, place = "parquet" if file.endswith(".parquet") else "json", data.place(file, revision)
    shown = not datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        with _asking():
            return datasets.load_dataset(kind, data_files=place, split="train", cache_dir=scratch)
    except (DatasetsError, ValueError) as error:  # ValueError: pyarrow's, for what is no parquet
        reason = str(error.__cause__ or error).partition("\n")[0]
        raise InputError(f"cannot be read as {kind}: {reason}", file=f"{data.name}/{file}") from error
    finally:
        if shown:
            datasets.enable_progress_bars()


class Provided(NamedTuple):
    """Sources that the tasks can be loaded from.

    Attributes:
        data: The folders that have files, as one.
        origins: A line for each dataset and revision that files come from.
        refused: A line for each that files could not be had from.
    """

    data: Data
    origins: list[str]
    refused: list[str]


def data_cache(*, off: bool) -> Path | None:
    """Return the folder of what was fetched: ``$AMRX_DATA_CACHE``, or the user's; ``None`` if off."""
    if off:
        return None
    variable = os.environ.get("AMRX_DATA_CACHE")
    return Path(variable) if variable else user_cache("data")


def provide(
    tasks: Sequence[HasHubFiles], data: Path | None, cache: Path | None, *, progress: bool = False
) -> Provided:
    """Fetch the files of the tasks that neither folder has and the hub does; never when offline.

    Args:
        tasks: Their files are looked for.
        data: The data folder, which comes first.
        cache: Where fetched files are kept; nothing is fetched without it.
        progress: Show a bar.

    Raises:
        InputError: A dataset is not what the task says: names dataset, file, row and column. Or the origin of
            a kept file is malformed; without it, the file is fetched anew.
        OutputError: The cache cannot be written.
    """
    wanted = {file.path: file for task in tasks for file in task.hub if data is None or not _has(data, file)}
    if cache is None:
        return Provided(Folders(() if data is None else (data,)), [], [])
    missing = [file for file in wanted.values() if not _is_kept(cache, file)]
    refused: list[str] = []
    if missing and is_offline():
        names = ", ".join(dict.fromkeys(file.data.name for file in missing))
        refused.append(
            f"{len(missing)} missing files could be fetched from the hub, but not offline: {names}"
        )
    elif missing:
        refused = _fetch(missing, cache, progress)
    origins = _origins(tasks, wanted, cache)
    roots = [cache] if origins or data is None else []
    return Provided(Folders((*(() if data is None else (data,)), *roots)), origins, refused)


def _has(data: Path, file: HubFile) -> bool:
    """Whether the data folder has the rows of a file, in it or in others."""
    others = [(data / path).is_file() for path in file.unless]
    return (data / file.path).is_file() or (bool(others) and all(others))


def _origin_of(cache: Path, file: HubFile) -> Path:
    return cache / f"{file.path}.source.json"


def _is_kept(cache: Path, file: HubFile) -> bool:
    return (cache / file.path).is_file() and _origin_of(cache, file).is_file()


def _origins(tasks: Sequence[HasHubFiles], wanted: dict[str, HubFile], cache: Path) -> list[str]:
    """Return a line for each dataset and revision that files of the cache come from."""
    groups: dict[tuple[str, str, str], set[str]] = {}
    for path, file in wanted.items():
        if _is_kept(cache, file):
            origin = read_document(_origin_of(cache, file))
            dataset, revision, licence = (
                origin.get(name).text() for name in ("dataset", "revision", "licence")
            )
            groups.setdefault((dataset, revision, licence), set()).add(path)
    lines = []
    for (dataset, revision, licence), paths in groups.items():
        names = ", ".join(task.name for task in tasks if any(file.path in paths for file in task.hub))
        files = "1 file" if len(paths) == 1 else f"{len(paths)} files"
        lines.append(f"{names}: {files} from {dataset} at {revision} ({licence}), kept in {cache}")
    return lines


def _fetch(files: Sequence[HubFile], cache: Path, progress: bool) -> list[str]:
    """Fetch files; return why some could not be had."""
    try:
        import datasets  # noqa: F401  # the next lines need it
    except ModuleNotFoundError as error:
        if error.name != "datasets":
            raise
        return ["nothing was fetched from the hub: that needs datasets; pip install 'amrx[train]'"]
    groups: dict[tuple[HubData, str], list[HubFile]] = {}
    for file in files:
        groups.setdefault((file.data, file.file), []).append(file)
    revisions: dict[HubData, str] = {}
    refused: dict[HubData, list[RefusedError]] = {}
    unreachable = []
    for (data, name), group in bar(list(groups.items()), description="fetching", show=progress):
        if any(refusal.whole for refusal in refused.get(data, [])):
            continue
        try:
            if data not in revisions:
                revisions[data] = commit_of(data)
            with _scratch(cache) as scratch:
                _write(rows_of(data, name, revisions[data], scratch), group, revisions[data], cache)
        except RefusedError as refusal:
            if refusal.everywhere:
                unreachable = [f"the hub cannot be reached, so nothing more is fetched from it: {refusal}"]
                break
            refused.setdefault(data, []).append(refusal)
    return [*(_told(data, reasons) for data, reasons in refused.items()), *unreachable]


def _told(data: HubData, reasons: Sequence[RefusedError]) -> str:
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    what = data.name if reasons[-1].whole else f"a file of {data.name}"
    return f"{what} was not fetched: {reasons[0]}{more}"


@contextmanager
def _scratch(cache: Path) -> Iterator[str]:
    """Give a folder beside the files for the copies in between, which is gone afterwards."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=cache, prefix=".fetch")
    except OSError as error:
        raise OutputError(f"{cache}: the cache of data cannot be written: {error.strerror}") from error
    with folder as name:
        yield name


def _write(rows: Dataset, files: Sequence[HubFile], revision: str, cache: Path) -> None:
    """Write each file that is made of some rows, its origin first."""
    for file in files:
        place = f"{file.data.name}/{file.file}"
        for field in file.form.fields:
            _check_column(rows, field, place)
        target, origin = cache / file.path, _origin_of(cache, file)
        target.parent.mkdir(parents=True, exist_ok=True)
        chosen = rows.select_columns([field.name for field in file.form.fields])
        told = {"dataset": file.data.name, "revision": revision, "file": file.file}
        with atomic_path(target) as temporary:
            with temporary.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(file.form.lines(chosen, place))
            with atomic_path(origin) as beside:
                text = json.dumps({**told, "licence": file.data.licence}, indent=1)
                beside.write_text(text + "\n", "utf-8")


def _check_column(rows: Dataset, field: Field, place: str) -> None:
    """Raise InputError unless a column is there and its labels, if it names them, are those of the task."""
    if field.name not in rows.column_names:
        message = f"there is no such column; the columns are {', '.join(rows.column_names)}"
        raise InputError(message, file=place, field=field.name)
    kind = rows.features[field.name]
    names = getattr(getattr(kind, "feature", kind), "names", None)
    if names is not None and tuple(names) != field.labels:
        message = f"its labels are {', '.join(names)}, not {', '.join(field.labels)}"
        raise InputError(message, file=place, field=field.name)

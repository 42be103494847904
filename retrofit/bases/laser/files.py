"""Find the published files of LASER1 and LASER2, and detect which of them a folder holds.

::

    LASER1    bilstm.93langs.2018-12-26.pt    93langs.fcodes    93langs.fvocab
    LASER2    laser2.pt                       laser2.spm

The first file decides. A folder with both, as created by ``laserembeddings download-models``, counts as
LASER2.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import MissingResourceError

FETCH = "pip install 'amrx[laser]'"


def missing_part(error: ModuleNotFoundError, task: str) -> MissingResourceError:
    """Return the error that names the missing package and its purpose."""
    return MissingResourceError(f"parts of the extra 'laser' ({error.name}, which {task})", fetch=FETCH)


_HOST = "https://dl.fbaipublicfiles.com"


@dataclass(frozen=True, slots=True)
class Release:
    """One of the two published encoders."""

    title: str  # the authors' name
    name: str  # name in tables
    files: tuple[str, ...]  # names of its files, the weights first
    address: str  # URL of the files, for curl


FIRST = Release(
    "LASER1",
    "laser1",
    ("bilstm.93langs.2018-12-26.pt", "93langs.fcodes", "93langs.fvocab"),
    f"{_HOST}/laser/models/{{bilstm.93langs.2018-12-26.pt,93langs.fcodes,93langs.fvocab}}",
)
SECOND = Release("LASER2", "laser", ("laser2.pt", "laser2.spm"), f"{_HOST}/nllb/laser/laser2.{{pt,spm}}")

HOME = "~/.cache/laser_encoders"
"""Folder in which the package ``laser_encoders`` stores LASER2."""


def release_of(folder: Path) -> Release | None:
    """Return the encoder whose weights a folder holds, or ``None``; LASER2 if it holds both."""
    return next((release for release in (SECOND, FIRST) if (folder / release.files[0]).is_file()), None)


def find_folder(argument: str) -> tuple[Release, Path]:
    """Return the encoder whose files are in the named folder, or in that of ``laser_encoders``."""
    folder = Path(argument) if argument else Path(HOME).expanduser()
    begun = any((folder / name).is_file() for name in FIRST.files)
    release = release_of(folder) or (FIRST if begun else SECOND)
    missing = [name for name in release.files if not (folder / name).is_file()]
    if missing:
        what = f"{' and '.join(missing)} of {release.title} (looked in {folder})"
        target = HOME if release is SECOND or not argument else shlex.quote(argument)
        fetch = f"curl --create-dirs --output-dir {target} --remote-name-all {release.address}"
        raise MissingResourceError(what, fetch=fetch, local="laser:DIR")
    return release, folder

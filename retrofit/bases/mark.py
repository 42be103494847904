"""The file by which a folder that ``amrx train-base`` wrote is known."""

from __future__ import annotations

import json
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import reading

MARK = "amrx.json"
"""Written last, so a folder with it is whole."""

METHODS = ("emma-x", "msimcse", "vmsst", "contrastive", "bitranslation")


def read_mark(folder: Path) -> dict[str, object]:
    """Return what ``amrx.json`` says.

    Raises:
        InputError: There is no such file, or it is damaged.
    """
    file = folder / MARK
    if not file.exists():
        raise InputError("no such file; is this a whole folder of amrx train-base?", file=file)
    with reading(file, "cannot be read"):
        found = json.loads(file.read_text("utf-8"))
    if not isinstance(found, dict):
        raise InputError("is no JSON object", file=file)
    return found


def method_of(folder: Path) -> str:
    """Return which trainer wrote a folder.

    Raises:
        InputError: The file that says so is missing, damaged, or names none of ``METHODS``.
    """
    method = read_mark(folder).get("method")
    if method not in METHODS:
        raise InputError(f"{method!r} is none of {', '.join(METHODS)}", file=folder / MARK, field="method")
    return str(method)

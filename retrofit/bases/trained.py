"""Provide ``emma-x:DIR``, ``msimcse:DIR``, ``vmsst:DIR``, …: models written by ``amrx train-base``."""

from pathlib import Path

from amrx.errors import InputError, MissingResourceError
from amrx.records.json_lines import read_json
from retrofit.bases.hub import HubBase, adjusted, load_folder
from retrofit.bases.table import Asked

MARK = "amrx.json"
"""File that is written last, so a folder with it is complete."""

METHODS = ("emma-x", "msimcse", "vmsst", "contrastive", "bitranslation")


def read_mark(folder: Path) -> dict[str, object]:
    """Return the contents of ``amrx.json``."""
    file = folder / MARK
    if not file.exists():
        raise InputError("no such file; is this a complete folder of amrx train-base?", file=file)
    return read_json(file)


def method_of(folder: Path) -> str:
    """Return the name of the method that trained a folder."""
    method = read_mark(folder).get("method")
    if method not in METHODS:
        rule = f"unknown method {method!r}; choose from {', '.join(METHODS)}"
        raise InputError(rule, file=folder / MARK, field="method")
    return str(method)


_PAIRS = "--config small --parallel en-de:pairs.tsv.gz"
_INPUT = {"emma-x": f"{_PAIRS} --text de:news.txt", "msimcse": "--config english-nli --nli en:nli.tsv"}
"""Recipe and input of the methods that do not train on pairs, for the command in errors."""


def find(asked: Asked) -> Path:
    """Return the named folder."""
    folder = Path(asked.argument)
    if not folder.is_dir():
        fetch = f"amrx train-base {asked.row.name} {_INPUT.get(asked.row.name, _PAIRS)} -o {folder}"
        raise MissingResourceError(f"files of a {asked.row.name} encoder in {str(folder)!r}", fetch=fetch)
    method = method_of(folder)
    if method != asked.row.name:
        raise InputError(
            f"is {method}, not {asked.row.name}; load it as {method}:{folder}", file=folder / MARK
        )
    return folder


def load(asked: Asked, device: str | None = None) -> HubBase:
    """Load the named folder."""
    folder = find(asked)
    name = f"{asked.row.name}{asked.options}:{folder.resolve().name}"
    return adjusted(load_folder(folder, name, device), asked)

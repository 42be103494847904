"""Write the model card of a trained folder: ``README.md``, for people to edit.

Its last line is a hash of the text above it, which shows whether the card was edited. A resumed or restarted
run replaces its own card, but never an edited one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.records import write_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_LINE = "\n<!-- amrx writes this card anew until somebody edits it: {} -->\n"
_MARK = re.compile(_LINE.format("[0-9a-f]{16}"))
HEADER = "---\nlibrary_name: amrx\ntags:\n- sentence-similarity\n---\n\n"
"""Metadata that the hub reads, of a card that has none."""
_METADATA = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)


def describe(title: str, use: str, sections: Mapping[str, str]) -> str:
    """Return the text of a card."""
    parts = [f"# {title}", use, *(f"## {name}\n{text}" for name, text in sections.items())]
    return HEADER + "\n\n".join(parts) + "\n"


def recipe_block(recipe: DataclassInstance) -> str:
    """Return a recipe as a block of JSON."""
    return f"```json\n{json.dumps(asdict(recipe), indent=1)}\n```"


def scores_at(log: Sequence[Mapping[str, object]], step: int, key: str) -> Mapping[str, object]:
    """Return the log line with the scores of a step, including ``key``; empty if there is none."""
    return next((line for line in log if line["step"] == step and key in line), {})


def write_card(folder: Path, text: str) -> None:
    """Write ``README.md``, unless there is one of another origin, or one that was edited since."""
    path = folder / "README.md"
    if path.is_file():
        present = path.read_text("utf-8", errors="replace")
        if present != _marked(_MARK.sub("", present)):
            return
    write_text(path, _marked(text))


def read_card(folder: Path) -> str:
    """Return the text of a folder's card without metadata and hash; empty if there is no card."""
    path = folder / "README.md"
    return _METADATA.sub("", _MARK.sub("", path.read_text("utf-8"))) if path.is_file() else ""


def read_metadata(folder: Path) -> str:
    """Return the metadata at the top of a folder's card, or ``HEADER``."""
    path = folder / "README.md"
    found = _METADATA.match(path.read_text("utf-8")) if path.is_file() else None
    return found[0] if found else HEADER


def _marked(text: str) -> str:
    return text + _LINE.format(hashlib.sha256(text.encode()).hexdigest()[:16])

"""The card of a folder that a training writes: ``README.md``, for people to edit.

Its last line tells that nobody has: a hash of the text above it. So the card of a run that goes on, or is
begun anew, is that of its end, and what a person wrote stays.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from amrx.records import atomic_path

_LINE = "\n<!-- amrx writes this card anew until somebody edits it: {} -->\n"
_MARK = re.compile(_LINE.format("[0-9a-f]{16}"))


def write_card(folder: Path, text: str) -> None:
    """Write ``README.md``, unless there is one that this function did not write, or that was edited since.

    Raises:
        OutputError: The folder cannot be written.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_card(folder, "step 1")
        >>> write_card(folder, "step 2")
        >>> read_card(folder)
        'step 2'
        >>> _ = (folder / "README.md").write_text("mine")
        >>> write_card(folder, "step 3")
        >>> read_card(folder)
        'mine'
    """
    path = folder / "README.md"
    if path.is_file():
        found = path.read_text("utf-8", errors="replace")
        if found != _marked(_MARK.sub("", found)):
            return
    with atomic_path(path) as temporary:
        temporary.write_text(_marked(text), "utf-8")


def read_card(folder: Path) -> str:
    """Return the text of a folder's card without that line, or nothing where there is no card."""
    path = folder / "README.md"
    return _MARK.sub("", path.read_text("utf-8")) if path.is_file() else ""


def _marked(text: str) -> str:
    return text + _LINE.format(hashlib.sha256(text.encode()).hexdigest()[:16])

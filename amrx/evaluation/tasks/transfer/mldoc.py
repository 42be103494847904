"""Files of MLDoc (Schwenk and Li 2018): a topic, a tab, a news document."""

from __future__ import annotations

import re
from pathlib import Path

from amrx.errors import InputError
from amrx.evaluation.tasks.transfer.read import Item, TsvReader

TOPICS = ("CCAT", "ECAT", "GCAT", "MCAT")

_ROWS = TsvReader(("document",), TOPICS, label_column=0)
_BYTES = re.compile(r"b(['\"]).*\1", re.DOTALL)


def read_mldoc(path: Path) -> tuple[Item, ...]:
    """Return the rows of a file.

    MLDoc's script was written for Python 2; under Python 3 it writes each document as ``b'...'``, with every
    letter beyond ASCII as an escape, which would be scored without a complaint.

    Raises:
        InputError: File, line and column of the first row that is wrong, or that Python 3 wrote so.
    """
    items = _ROWS(path)
    for line, item in enumerate(items, start=1):
        if _BYTES.fullmatch(item.texts[0]):
            message = "is the text of a bytes object; run MLDoc's script without its .encode('utf-8')"
            raise InputError(message, file=path, line=line, field="document")
    return items

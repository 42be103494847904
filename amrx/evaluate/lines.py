"""Files of one sentence a line."""

from __future__ import annotations

from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines


def read_sentences(path: Path, count: int, task: str) -> tuple[str, ...]:
    """Return the lines of a file without their ends.

    Args:
        path: The file.
        count: How many lines it must have.
        task: Who says so.

    Raises:
        InputError: A line is empty, or there are more or fewer lines.
    """
    sentences = []
    for line, text in enumerate(read_lines(path), start=1):
        sentence = text.rstrip("\r\n")
        if not sentence.strip():
            raise InputError("is empty", file=path, line=line, field="sentence")
        sentences.append(sentence)
    if len(sentences) != count:
        raise InputError(f"{len(sentences)} sentences, not the {count} of {task}", file=path)
    return tuple(sentences)

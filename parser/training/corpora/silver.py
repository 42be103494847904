"""Read and write silver graphs: a parser's graphs of English sentences, in one file for training.

::

    ba6c1f0e2d3a4b5c  want-01 :ARG0 boy ):ARG1 go-02 :ARG0 <1>

The xz file has one line per sentence: a hash of the text, which is in the open data, and the packed symbols
of its graph (`linearize.packed`).
"""

import lzma
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from amrx.errors import InputError
from amrx.records import atomic_path
from amrx.records.files import reading


def text_key(text: str) -> str:
    """Return the hash of a text, 16 hex digits."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def write_silver(path: Path, graphs: Iterable[tuple[str, Sequence[str]]]) -> int:
    """Write texts with their packed graphs; return their number."""
    count = 0
    with atomic_path(path) as temporary, lzma.open(temporary, "wt", encoding="utf-8", preset=9) as file:
        for text, graph in graphs:
            file.write(f"{text_key(text)}  {' '.join(graph)}\n")
            count += 1
    return count


def read_silver(path: Path) -> Mapping[str, list[str]]:
    """Return the packed graphs by `text_key`."""
    graphs: dict[str, list[str]] = {}
    try:
        with reading(path, "is not an xz file of graphs"), lzma.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                key, _, symbols = line.rstrip("\n").partition("  ")
                if len(key) != 16 or not symbols:
                    raise InputError("must be a hash and a graph", file=path, line=number)
                graphs[key] = symbols.split(" ")
    except (lzma.LZMAError, EOFError) as error:
        raise InputError(f"is not a complete xz file: {error}", file=path) from error
    return graphs

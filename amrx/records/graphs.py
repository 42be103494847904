"""Read and write AMR graphs with their sentences, as PENMAN blocks (see ``blocks``) or JSON lines.

::

    {"id": "7", "text": "Der Junge will gehen.", "lang": "de", "graph": "(w / want-01 :ARG0 (b / boy) ...)",
     "status": "ok", "repairs": [], "alignments": {"w": [10, 14], "b": [4, 9]}, "parser": "mini"}

The graph may also be in ``amr``. Other tools' metadata (``::snt_zh``, ``::save-date``) are kept in
``Parse.graph.metadata``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.records.blocks import check_confidence, check_lang, check_status, format_block, read_blocks
from amrx.records.files import kind_of, reading, require_file
from amrx.records.graph_text import decode, encode
from amrx.records.json_lines import numbered_objects
from amrx.records.one_line import escaped
from amrx.records.writing import open_text
from amrx.types import Parse

KINDS = ("amr", "penman")
"""Suffixes of PENMAN files."""

_JSON_KINDS = ("jsonl", "json")
_GRAPH_FIELDS = ("graph", "amr")
"""Fields of a JSON object that may hold its graph; the first one is read."""
_GRAPH_START = re.compile(r"\s*(?:# ::|\(\s*[^\s()/]+\s*/)")


class GraphFormat(StrEnum):
    """Formats of graphs."""

    penman = "penman"
    jsonl = "jsonl"


_SUFFIXES = {
    **dict.fromkeys((*KINDS, "txt"), GraphFormat.penman), **dict.fromkeys(_JSON_KINDS, GraphFormat.jsonl),
}  # fmt: skip
_OTHERS = ("tsv", "csv", "parquet", "npy")
"""Suffixes of formats that hold no graphs."""


def graph_format(output: str, format_: GraphFormat | None) -> GraphFormat:
    """Return the output format; ``--format`` is for standard output and names whose suffix gives no format.

    A name without a suffix, such as ``/dev/stdout``, is written as PENMAN by default.
    """
    kind = kind_of(output)
    if not kind:
        return format_ or GraphFormat.penman
    named = _SUFFIXES.get(kind) or format_
    if named is None or kind in _OTHERS:
        other = "" if kind in _OTHERS else ", or give --format"
        raise OptionError(
            f"{output}: graphs are written as PENMAN or JSON lines; name an .amr, .txt or .jsonl file{other}"
        )
    if format_ not in (None, named):
        raise OptionError(f"--format {format_} contradicts the name {output!r}, which is written as {named}")
    return named


def read_graphs(path: str | Path, *, lang: str = "en") -> Iterator[Parse]:
    """Stream the graphs of a PENMAN or ``.jsonl`` file, or of standard input (``-``, PENMAN).

    A header that names a sentence but has no graph gives a failed parse (`amrx.records.blocks`); other
    comments are skipped. A graph without an id gets its 1-based position.

    Raises:
        InputError: The file is missing, empty or not UTF-8, or a graph or status is invalid (names file and
            line).
    """
    langid.check(lang)
    require_file(path)
    return _from_objects(path, lang) if kind_of(path) in _JSON_KINDS else read_blocks(path, lang)


def holds_graphs(path: str | Path) -> bool:
    """Return whether a file holds graphs beside its sentences: PENMAN, or JSON lines whose first object does.

    Standard input and pipes are not read, so the answer for them is ``False`` unless the name says PENMAN;
    ``False`` also for damaged JSON lines, whose error the reader raises.
    """
    kind = kind_of(path)
    if kind not in _JSON_KINDS or not Path(path).is_file():
        return kind in KINDS
    try:
        _, record = next(numbered_objects(path), (0, {}))
    except InputError:  # of several inputs, the others are to be read
        return False
    return any(_GRAPH_START.match(str(record.get(field, ""))) for field in _GRAPH_FIELDS)


def write_graphs(parses: Iterable[Parse], path: str | Path, *, json_lines: bool | None = None) -> int:
    """Write parses as they arrive and return their number; ``-`` is standard output.

    If ``json_lines`` is ``None``, the suffix decides: ``.jsonl`` gives JSON lines, any other PENMAN blocks.
    The file gets its name after the last parse.

    Raises:
        OutputError: ``path`` cannot be written; checked before the first parse is requested.
    """
    as_json = kind_of(path) in _JSON_KINDS if json_lines is None else json_lines
    form: Callable[[Parse], str] = _to_json if as_json else _to_block
    with open_text(path) as stream:
        count = 0
        for count, parse in enumerate(parses, start=1):  # noqa: B007  # the count is the result
            stream.write(form(parse))
    return count


def _to_block(parse: Parse) -> str:
    """Return a PENMAN block and the empty line after it."""
    return format_block(parse) + "\n\n"


def _to_json(parse: Parse) -> str:
    record = {
        "id": parse.id,
        "text": parse.text,
        "lang": parse.lang,
        "graph": encode(parse.graph, indent=None, name=f"sentence {parse.id!r}"),
        "status": parse.status,
        "repairs": parse.repairs,
        "confidence": parse.confidence,
        "missing": parse.missing,
        "alignments": parse.alignments,
        "parser": parse.parser,
    }
    return escaped(record) + "\n"


def _from_objects(path: str | Path, lang: str) -> Iterator[Parse]:
    """Yield the graphs of JSON lines."""
    for position, (line, record) in enumerate(numbered_objects(path), start=1):
        yield _parse(record, position, lang, path, line)


def _parse(record: dict[str, Any], position: int, lang: str, path: str | Path, number: int) -> Parse:
    """Build a parse from a JSON object."""
    field = next((name for name in _GRAPH_FIELDS if name in record), _GRAPH_FIELDS[0])
    graph = record.get(field)
    if not isinstance(graph, str):
        raise InputError(f"must be a string, got {graph!r}", file=path, line=number, field=field)
    with reading(path, "is not a parse record", line=number):
        return Parse(
            id=str(record.get("id", position)),
            text=str(record.get("text", "")),
            lang=check_lang(str(record.get("lang") or lang), path, number),
            graph=decode(graph, path, number)[0],
            status=check_status(record.get("status"), path, number),
            repairs=tuple(record.get("repairs", ())),
            alignments={node: (int(a), int(b)) for node, (a, b) in record.get("alignments", {}).items()},
            parser=str(record.get("parser", "")),
            confidence=check_confidence(record.get("confidence"), path, number),
            missing=tuple(record.get("missing", ())),
        )

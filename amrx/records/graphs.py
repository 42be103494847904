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

import penman

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.records.blocks import (
    INVALID,
    NO_GRAPH,
    Checked,
    check_confidence,
    check_lang,
    check_status,
    empty_graph,
    format_block,
    read_blocks,
)  # fmt: skip
from amrx.records.files import JSON_KINDS, kind_of, reading, require_file
from amrx.records.graph_text import decode, encode
from amrx.records.json_lines import numbered_objects
from amrx.records.one_line import escaped
from amrx.records.writing import open_text
from amrx.types import Parse

KINDS = ("amr", "penman")
"""Suffixes of PENMAN files."""

_GRAPH_FIELDS = ("graph", "amr")
"""Fields of a JSON object that may hold its graph; the first one is read."""
_MOST_LINES = 20
"""Number of further invalid graphs whose lines an error names."""
_GRAPH_START = re.compile(r"\s*(?:# ::|\(\s*[^\s()/]+\s*/)")


class GraphFormat(StrEnum):
    """Formats of graphs."""

    penman = "penman"
    jsonl = "jsonl"


_SUFFIXES = {
    **dict.fromkeys((*KINDS, "txt"), GraphFormat.penman), **dict.fromkeys(JSON_KINDS, GraphFormat.jsonl),
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


def read_graphs(path: str | Path, *, lang: str = "en", allow_invalid: bool = False) -> Iterator[Parse]:
    """Stream the graphs of a PENMAN or ``.jsonl`` file, or of standard input (``-``, PENMAN).

    A header that names a sentence but has no graph gives a failed parse (`amrx.records.blocks`); other
    comments are skipped. A graph without an id gets its 1-based position. With ``allow_invalid`` an invalid
    graph gives a failed parse too; otherwise one error names the lines of all of them.

    Raises:
        InputError: The file is missing, empty or not UTF-8, or a graph or status is invalid (names file and
            line), or no graph is valid.
    """
    langid.check(lang)
    require_file(path)
    read = _from_objects(path, lang) if kind_of(path) in JSON_KINDS else read_blocks(path, lang)
    return _valid(read, path, allow_invalid=allow_invalid)


def _valid(read: Iterable[Checked], path: str | Path, *, allow_invalid: bool) -> Iterator[Parse]:
    """Yield the parses; raise the errors of the invalid graphs as one, at the end of the file."""
    errors, valid = list[InputError](), False
    for parse, error in read:
        if error is not None:
            errors.append(error)
        elif parse.repairs != (NO_GRAPH,):
            valid = True
        if allow_invalid or not errors:
            yield parse
    if errors and not (allow_invalid and valid):
        raise _joined(errors)
    if not valid:
        raise InputError("holds no graph", file=path)


def _joined(errors: list[InputError]) -> InputError:
    """Return the first error, its message followed by the lines of the others."""
    first, *others = errors
    if not others:
        return first
    lines = ", ".join(str(error.line) for error in others[:_MOST_LINES])
    further = ", ..." if len(others) > _MOST_LINES else ""
    error = InputError(f"{first}; {len(others)} more invalid: line {lines}{further}")
    error.file, error.line, error.field = first.file, first.line, first.field
    return error


def holds_graphs(path: str | Path) -> bool:
    """Return whether a file holds graphs beside its sentences: PENMAN, or JSON lines whose first object does.

    Standard input and pipes are not read, so the answer for them is ``False`` unless the name says PENMAN;
    ``False`` also for damaged JSON lines, whose error the reader raises.
    """
    kind = kind_of(path)
    if kind not in JSON_KINDS or not Path(path).is_file():
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
    as_json = kind_of(path) in JSON_KINDS if json_lines is None else json_lines
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


def _from_objects(path: str | Path, lang: str) -> Iterator[Checked]:
    """Yield the graphs of JSON lines."""
    for position, (line, record) in enumerate(numbered_objects(path), start=1):
        try:
            graph, error = _graph(record, path, line), None
        except InputError as invalid:
            graph, error = empty_graph(), invalid
            record = record | {"status": "failed", "alignments": {}, "repairs": [f"{INVALID}: {invalid}"]}
        yield _parse(record, graph, position, lang, path, line), error


def _graph(record: dict[str, Any], path: str | Path, line: int) -> penman.Graph:
    """Return the graph of a JSON object."""
    field = next((name for name in _GRAPH_FIELDS if name in record), _GRAPH_FIELDS[0])
    graph = record.get(field)
    if not isinstance(graph, str):
        raise InputError(f"must be a string, got {graph!r}", file=path, line=line, field=field)
    return decode(graph, path, line)[0]


def _parse(
    record: dict[str, Any], graph: penman.Graph, position: int, lang: str, path: str | Path, number: int
) -> Parse:
    """Build a parse from a JSON object and its graph."""
    with reading(path, "is not a parse record", line=number):
        return Parse(
            id=str(record.get("id", position)),
            text=str(record.get("text", "")),
            lang=check_lang(str(record.get("lang") or lang), path, number),
            graph=graph,
            status=check_status(record.get("status"), path, number),
            repairs=tuple(record.get("repairs", ())),
            alignments={node: (int(a), int(b)) for node, (a, b) in record.get("alignments", {}).items()},
            parser=str(record.get("parser", "")),
            confidence=check_confidence(record.get("confidence"), path, number),
            missing=tuple(record.get("missing", ())),
        )

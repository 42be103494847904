r"""Read and write PENMAN blocks: a header of ``# ::key value`` lines and a graph, separated by empty lines.

::

    # ::id 7
    # ::snt Der Junge will gehen.
    # ::lang de
    # ::alignments w=10-14 b=4-9
    (w / want-01
       :ARG0 (b / boy)
       :ARG1 (g / go-02
                :ARG0 b))

Laws: one parse per sentence, in order. A header that names a sentence (``::id``, ``::snt``) without a graph
is a failed parse (`NO_GRAPH`). A header belongs to the next graph, even over empty lines, unless another
header that names a sentence comes between. An invalid graph is a failed parse, with its error beside it.
Values contain no character that any reader takes for a line end (`amrx.records.one_line`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast, get_args

import penman

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.records.files import read_lines, reading
from amrx.records.graph_text import decode, encode
from amrx.records.one_line import escaped, quote, read_fields, spaced, unquote
from amrx.types import Parse, Status

NO_GRAPH = "the file holds no graph of it"
"""Repair note of a sentence without a graph."""
INVALID = "the file holds an invalid graph of it"
"""Start of the repair note of a sentence with an invalid graph."""
Checked = tuple[Parse, InputError | None]
"""A parse, failed if its graph is invalid, and the error of that graph."""

_TEXT_KEYS = ("snt", "tok", "repairs", "missing")
_NAMING = ("id", "snt")
_ALIGNMENT = re.compile(r"(?P<node>\S+)=(?P<start>\d+)-(?P<end>\d+)")


def read_blocks(path: str | Path, lang: str) -> Iterator[Checked]:
    """Yield the graphs of a PENMAN file; ``lang`` is the language of graphs that give none."""
    position = 0
    for first_line, metadata, body in _blocks(path):
        graphs, note, invalid = _decoded(body, path, first_line)
        for index, graph in enumerate(graphs):
            position += 1
            own = metadata if index == 0 else {}
            graph.metadata = dict(own)
            failed = {"status": "failed", "repairs": json.dumps([note])} if note else {}
            yield _parse(own | failed, graph, position, lang, path, first_line), invalid


def _decoded(body: str, path: str | Path, line: int) -> tuple[list[penman.Graph], str, InputError | None]:
    """Return the graphs of a body; amr-empty and a note if it has none, and the error if it is invalid."""
    if not body:
        return [empty_graph()], NO_GRAPH, None
    try:
        return decode(body, path, line), "", None
    except InputError as error:
        return [empty_graph()], f"{INVALID}: {error}", error


def empty_graph() -> penman.Graph:
    """Return the graph of a failed parse."""
    return penman.Graph([("a", ":instance", "amr-empty")])


def count_missing_graphs(parses: Iterable[Parse]) -> int:
    """Count the parses that have no graph in their file, or an invalid one."""
    return sum(any(note.startswith((NO_GRAPH, INVALID)) for note in parse.repairs) for parse in parses)


def _blocks(path: str | Path) -> Iterator[tuple[int, dict[str, str], str]]:
    """Yield (line of the graph's start, metadata, graph text); the text is empty if there is no graph.

    An empty line or a new header ends a graph.
    """
    metadata: dict[str, str] = {}
    body: list[str] = []
    start = 0
    separated = False  # whether an empty line follows the header
    for number, line in enumerate(read_lines(path), start=1):
        comment = line.startswith("#")
        if body and (comment or not line.strip()):
            yield start, metadata, "".join(body)
            metadata, body, separated = {}, [], False
        if comment:
            header = _read_header(line)
            repeated = header.get("id" if "id" in metadata else "snt") is not None
            if _names(metadata) and _names(header) and (separated or repeated):
                yield start, metadata, ""
                metadata = {}
            start = start if _names(metadata) else number
            metadata, separated = metadata | header, False
        elif line.strip():
            start = start if body else number
            body.append("\n" if line.lstrip().startswith("#") else line)
        elif not _names(metadata):
            metadata = {}
        else:
            separated = True
    if body or _names(metadata):
        yield start, metadata, "".join(body)


def _names(header: Mapping[str, str]) -> bool:
    """Return whether a header names a sentence, rather than describing the file."""
    return any(header.get(key, "").strip() for key in _NAMING)


def _read_header(line: str) -> dict[str, str]:
    """Read one ``# ::key value ::key value`` line; a sentence takes the rest of its line.

    Example:
        >>> _read_header("# ::id 1 ::date 2012")
        {'id': '1', 'date': '2012'}
        >>> _read_header("# ::snt std ::string is a class")
        {'snt': 'std ::string is a class'}
    """
    text = line.removeprefix("#").strip("\r\n").lstrip()
    if not text.startswith("::"):
        return {}
    key, _, value = text.removeprefix("::").partition(" ")
    if key in _TEXT_KEYS or key.startswith("snt_"):
        return {key: value}
    return read_fields(text)


def _parse(
    metadata: Mapping[str, str], graph: penman.Graph, position: int, lang: str, path: str | Path, line: int
) -> Parse:
    """Combine a graph and its header."""
    code = check_lang(metadata.get("lang") or lang, path, line)
    return Parse(
        id=unquote(metadata.get("id") or str(position)),
        text=metadata.get("snt", ""),
        lang=code,
        graph=graph,
        status=check_status(metadata.get("status"), path, line),
        repairs=_read_list(metadata, "repairs", path, line),
        alignments=_read_alignments(metadata.get("alignments", ""), graph),
        parser=unquote(metadata.get("parser", "")),
        confidence=check_confidence(metadata.get("confidence") or None, path, line),
        missing=_read_list(metadata, "missing", path, line),
    )


def _read_list(metadata: Mapping[str, str], key: str, path: str | Path, line: int) -> tuple[str, ...]:
    """Return the JSON list of a header; nothing for values of other tools, which stay in the metadata."""
    text = metadata.get(key, "")
    with reading(path, "is not a JSON list", line=line, field=key):
        return tuple(json.loads(text)) if text.startswith("[") else ()


def check_lang(code: str, path: str | Path, line: int, field: str = "lang") -> str:
    """Return the language code given by a file, which must be known."""
    try:
        return langid.check(code)
    except OptionError as error:
        raise InputError(str(error), file=path, line=line, field=field) from None


def check_confidence(value: object, path: str | Path, line: int) -> float | None:
    """Return the confidence given by a file, if any: a number from 0 to 1."""
    if value is None:
        return None
    with reading(path, "is not a number from 0 to 1", line=line, field="confidence"):
        number = float(str(value))
        if not 0 <= number <= 1:
            raise ValueError(number)
        return number


def check_status(status: object, path: str | Path, line: int) -> Status:
    """Return the status given by a file; ``ok`` if there is none.

    An unknown one is an error, because ignoring it could pass a failed parse for a good one.
    """
    if status is None or status == "":
        return "ok"
    if status not in get_args(Status):
        message = f"must be one of {', '.join(get_args(Status))}, got {status!r}"
        raise InputError(message, file=path, line=line, field="status")
    return cast(Status, status)


def _read_alignments(text: str, graph: penman.Graph) -> dict[str, tuple[int, int]]:
    """Read ``w=10-14 b=4-9``; items in other tools' formats are ignored here and stay in the metadata."""
    matches = [_ALIGNMENT.fullmatch(item) for item in text.split()]
    nodes = graph.variables()
    known = (match for match in matches if match and match["node"] in nodes)
    return {match["node"]: (int(match["start"]), int(match["end"])) for match in known}


def format_block(parse: Parse) -> str:
    """Return a header and the graph, without a final empty line; line ends in the text become spaces.

    Alignments stay valid, because a line break and a space are one character each.

    Raises:
        InputError: The graph is not connected, so it has no PENMAN form.
    """
    header = {"id": quote(parse.id), "snt": parse.text, "lang": parse.lang}
    if parse.parser:
        header["parser"] = quote(parse.parser)
    header["status"] = parse.status
    if parse.repairs:
        header["repairs"] = escaped(parse.repairs)
    if parse.missing:
        header["missing"] = escaped(parse.missing)
    if parse.confidence is not None:
        header["confidence"] = str(parse.confidence)
    if parse.alignments:
        header["alignments"] = " ".join(f"{node}={a}-{b}" for node, (a, b) in parse.alignments.items())
    others = {key: value for key, value in parse.graph.metadata.items() if key not in header}
    lines = [f"# ::{key} {spaced(value)}" for key, value in (header | others).items()]
    return "\n".join([*lines, encode(parse.graph, indent=-1, name=f"sentence {parse.id!r}")])

r"""PENMAN blocks: a header of ``# ::key value`` lines and a graph, empty lines between.

::

    # ::id 7
    # ::snt Der Junge will gehen.
    # ::lang de
    # ::alignments w=10-14 b=4-9
    (w / want-01
       :ARG0 (b / boy)
       :ARG1 (g / go-02
                :ARG0 b))

Laws: one parse for each sentence, in order. A header that names a sentence (``::id``, ``::snt``) but has no
graph, because the parser that wrote the file had none, is a parse that failed (`NO_GRAPH`). A header belongs
to the next graph, over empty lines too, unless another one that names a sentence stands between. No value
holds a sign that ends a line for any reader (`amrx.records.one_line`).
"""

from __future__ import annotations

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
"""Note on a sentence without a graph."""

_TEXT_KEYS = ("snt", "tok", "repairs")
_NAMING = ("id", "snt")
_ALIGNMENT = re.compile(r"(?P<node>\S+)=(?P<start>\d+)-(?P<end>\d+)")


def read_blocks(path: str | Path, lang: str) -> Iterator[Parse]:
    """Yield the graphs of a PENMAN file; ``lang`` is the language of those that do not say it."""
    position, graphs = 0, 0
    for first_line, metadata, body in _blocks(path):
        if not body:
            position += 1
            metadata = metadata | {"status": "failed", "repairs": json.dumps([NO_GRAPH])}
            yield _parse(metadata, _empty(), position, lang, path, first_line)
            continue
        for index, graph in enumerate(decode(body, path, first_line)):
            position, graphs = position + 1, graphs + 1
            own = metadata if index == 0 else {}
            graph.metadata = dict(own)
            yield _parse(own, graph, position, lang, path, first_line)
    if graphs == 0:
        raise InputError("holds no graph", file=path)


def _empty() -> penman.Graph:
    return penman.Graph([("a", ":instance", "amr-empty")])


def missing(parses: Iterable[Parse]) -> int:
    """Count the sentences of a file that have no graph there."""
    return sum(parse.repairs == (NO_GRAPH,) for parse in parses)


def _blocks(path: str | Path) -> Iterator[tuple[int, dict[str, str], str]]:
    """Yield (line of the graph's start, metadata, graph text), the text empty where there is no graph.

    An empty line or a new header ends the text of a graph.
    """
    metadata: dict[str, str] = {}
    body: list[str] = []
    start = 0
    apart = False  # whether an empty line stands between the header and what follows
    for number, line in enumerate(read_lines(path), start=1):
        comment = line.startswith("#")
        if body and (comment or not line.strip()):
            yield start, metadata, "".join(body)
            metadata, body, apart = {}, [], False
        if comment:
            header = _read_header(line)
            again = header.get("id" if "id" in metadata else "snt") is not None
            if _names(metadata) and _names(header) and (apart or again):
                yield start, metadata, ""
                metadata = {}
            start = start if _names(metadata) else number
            metadata, apart = metadata | header, False
        elif line.strip():
            start = start if body else number
            body.append("\n" if line.lstrip().startswith("#") else line)
        elif not _names(metadata):
            metadata = {}
        else:
            apart = True
    if body or _names(metadata):
        yield start, metadata, "".join(body)


def _names(header: Mapping[str, str]) -> bool:
    """Tell whether a header is that of a sentence, and not of the file."""
    return any(header.get(key, "").strip() for key in _NAMING)


def _read_header(line: str) -> dict[str, str]:
    """Read one ``# ::key value ::key value`` line; a sentence takes the whole rest of its line.

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
    """Join a graph and the header over it."""
    code = metadata.get("lang") or lang
    try:
        langid.check(code)
    except OptionError as error:
        raise InputError(str(error), file=path, line=line, field="lang") from None
    noted = metadata.get("repairs", "")
    with reading(path, "is no JSON list", line=line, field="repairs"):
        repairs = tuple(json.loads(noted)) if noted.startswith("[") else ()
    return Parse(
        id=unquote(metadata.get("id") or str(position)),
        text=metadata.get("snt", ""),
        lang=code,
        graph=graph,
        status=check_status(metadata.get("status"), path, line),
        repairs=repairs,
        alignments=_read_alignments(metadata.get("alignments", ""), graph),
        parser=unquote(metadata.get("parser", "")),
        confidence=check_confidence(metadata.get("confidence") or None, path, line),
    )


def check_confidence(value: object, path: str | Path, line: int) -> float | None:
    """Return the confidence that a file gives, if any.

    Raises:
        InputError: It is no number from 0 to 1.
    """
    if value is None:
        return None
    with reading(path, "is no number from 0 to 1", line=line, field="confidence"):
        number = float(str(value))
        if not 0 <= number <= 1:
            raise ValueError(number)
        return number


def check_status(said: object, path: str | Path, line: int) -> Status:
    """Return the status that a file says; ``ok`` where it says none.

    Raises:
        InputError: It says another one: a parse that failed must not pass for a good one.
    """
    if said is None or said == "":
        return "ok"
    for known in get_args(Status):
        if said == known:
            return cast(Status, known)
    told = f"{said!r} is none of {', '.join(get_args(Status))}"
    raise InputError(told, file=path, line=line, field="status")


def _read_alignments(text: str, graph: penman.Graph) -> dict[str, tuple[int, int]]:
    """Read ``w=10-14 b=4-9``; alignments that another tool wrote in another way are left in the metadata."""
    found = [_ALIGNMENT.fullmatch(item) for item in text.split()]
    nodes = graph.variables()
    known = (match for match in found if match and match["node"] in nodes)
    return {match["node"]: (int(match["start"]), int(match["end"])) for match in known}


def format_block(parse: Parse) -> str:
    """Return a header and the graph, without an empty line after; line ends in the text become spaces.

    Alignments stay right, because a line break and a space are one character each.

    Raises:
        InputError: The graph is not connected and so has no PENMAN form.
    """
    header = {"id": quote(parse.id), "snt": parse.text, "lang": parse.lang}
    if parse.parser:
        header["parser"] = quote(parse.parser)
    header["status"] = parse.status
    if parse.repairs:
        header["repairs"] = escaped(parse.repairs)
    if parse.confidence is not None:
        header["confidence"] = str(parse.confidence)
    if parse.alignments:
        header["alignments"] = " ".join(f"{node}={a}-{b}" for node, (a, b) in parse.alignments.items())
    others = {key: value for key, value in parse.graph.metadata.items() if key not in header}
    lines = [f"# ::{key} {spaced(value)}" for key, value in (header | others).items()]
    return "\n".join([*lines, encode(parse.graph, indent=-1, name=f"sentence {parse.id!r}")])

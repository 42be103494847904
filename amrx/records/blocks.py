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
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast, get_args

import penman

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.records.files import read_lines, reading
from amrx.records.graph_text import decode, encode
from amrx.types import Parse, Status

_TEXT_KEYS = ("snt", "tok", "repairs")
_FIELD = re.compile(r"(?:^|\s)::(?=[A-Za-z])")
_ALIGNMENT = re.compile(r"(?P<node>\S+)=(?P<start>\d+)-(?P<end>\d+)")
_LINE_BREAK = re.compile(r"[\r\n]")


def read_blocks(path: str | Path, lang: str) -> Iterator[Parse]:
    """Yield the graphs of a PENMAN file; ``lang`` is the language of those that do not say it."""
    position = 0
    for first_line, metadata, body in _blocks(path):
        for index, graph in enumerate(decode(body, path, first_line)):
            position += 1
            own = metadata if index == 0 else {}
            graph.metadata = dict(own)
            yield _parse(own, graph, position, lang, path, first_line)
    if position == 0:
        raise InputError("holds no graph", file=path)


def _blocks(path: str | Path) -> Iterator[tuple[int, dict[str, str], str]]:
    """Yield (line of the graph's start, metadata, graph text); an empty line or a new header ends a block."""
    metadata: dict[str, str] = {}
    body: list[str] = []
    start = 0
    for number, line in enumerate(read_lines(path), start=1):
        comment = line.startswith("#")
        if body and (comment or not line.strip()):
            yield start, metadata, "".join(body)
            metadata, body = {}, []
        if comment:
            metadata.update(_read_header(line))
        elif line.strip():
            start = start if body else number
            body.append("\n" if line.lstrip().startswith("#") else line)
        else:
            metadata = {}
    if body:
        yield start, metadata, "".join(body)


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
    fields = [field.partition(" ") for field in _FIELD.split(text)[1:]]
    return {name.strip(): value.strip() for name, _, value in fields}


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
        id=metadata.get("id") or str(position),
        text=metadata.get("snt", ""),
        lang=code,
        graph=graph,
        status=check_status(metadata.get("status"), path, line),
        repairs=repairs,
        alignments=_read_alignments(metadata.get("alignments", ""), graph),
        parser=metadata.get("parser", ""),
    )


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
    """Return a header and the graph, without an empty line after; line breaks in the text become spaces.

    Alignments stay right, because a line break and a space are one character each.

    Raises:
        InputError: The graph is not connected and so has no PENMAN form.
    """
    header = {"id": parse.id, "snt": parse.text, "lang": parse.lang}
    if parse.parser:
        header["parser"] = parse.parser
    header["status"] = parse.status
    if parse.repairs:
        header["repairs"] = json.dumps(parse.repairs, ensure_ascii=False)
    if parse.alignments:
        header["alignments"] = " ".join(f"{node}={a}-{b}" for node, (a, b) in parse.alignments.items())
    others = {key: value for key, value in parse.graph.metadata.items() if key not in header}
    lines = [f"# ::{key} {_LINE_BREAK.sub(' ', value)}" for key, value in (header | others).items()]
    return "\n".join([*lines, encode(parse.graph, indent=-1, name=f"sentence {parse.id!r}")])

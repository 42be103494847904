"""Graphs written for the smatch package and read by its own reader.

That reader scans a line character by character and takes every ``:``, ``/`` and parenthesis outside quotes
for syntax: ``(t / time :value 12:30)`` is an error to it, ``(a / and/or)`` too. It ignores quotes when it
compares, so that quoting what it would stumble over changes no score.
"""

from __future__ import annotations

from typing import TypeAlias

import amr as smatch_reader  # type: ignore[import-untyped]
import penman
from penman.exceptions import PenmanError
from penman.models.amr import model as amr_model
from penman.surface import AlignmentMarker

from amrx.errors import InputError

Graph: TypeAlias = penman.Graph | str
"""A graph, or its PENMAN text."""
Triples: TypeAlias = tuple[list[tuple[str, str, str]], list[tuple[str, str, str]], list[tuple[str, str, str]]]
"""Instances, attributes and relations, each a list of ``(role, node, value or node)``, nodes numbered."""

_NEEDS_QUOTES = frozenset(':/()"\\')


def smatch_line(graph: Graph) -> str:
    """Write ``graph`` on one line that the smatch package reads without loss.

    Alignments are dropped; a concept or constant with a character that its scanner takes for
    syntax is quoted (it ignores quotes when it compares); a node without a concept gets ``_``.

    Raises:
        InputError: The text is no PENMAN, or the graph is not connected.

    Example:
        >>> triples = [("t", ":instance", "and/or"), ("t", ":value", "12:30")]
        >>> smatch_line(penman.Graph(triples))
        '(t / "and/or" :value "12:30")'
    """
    try:
        source = penman.decode(graph) if isinstance(graph, str) else graph
        variables = source.variables()
        for variable in variables:
            if not _is_plain(str(variable)):
                raise InputError(f"no AMR variable: {variable!r}")
        epidata = {
            _safe_triple(triple, variables): [mark for mark in marks if not isinstance(mark, AlignmentMarker)]
            for triple, marks in source.epidata.items()
        }
        triples = [_safe_triple(triple, variables) for triple in source.triples]
        written = penman.Graph(triples, top=source.top, epidata=epidata)
        return str(penman.encode(written, indent=None, model=amr_model))
    except PenmanError as error:
        message = " ".join(str(error).split())
        raise InputError(f"no connected AMR graph: {message}") from error


def _is_plain(text: str) -> bool:
    """Tell whether the package's scanner reads ``text`` as one symbol."""
    return bool(text) and not _NEEDS_QUOTES & set(text) and not any(map(str.isspace, text))


def _safe_triple(triple: tuple[str, str, str | float | None], variables: set[str]) -> tuple[str, str, str]:
    """Quote the target where the package's scanner would stumble over it."""
    source, role, target = triple
    if target in variables and role != ":instance":
        return source, role, str(target)
    if target is None:
        return source, role, "_"
    text = str(target)
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    bare = text[1:-1] if quoted else text
    if quoted and not {'"', "\\"} & set(bare):
        return source, role, text
    if not quoted and _is_plain(bare):
        return source, role, text
    return source, role, '"' + bare.replace('\\"', "'").replace('"', "'").replace("\\", "|") + '"'


def read_triples(line: str, prefix: str) -> Triples:
    """Read one line with the smatch package's own reader and name its nodes ``prefix0, prefix1, ...``.

    Raises:
        InputError: The package cannot read the line.
    """
    graph = smatch_reader.AMR.parse_AMR_line(line)
    if graph is None:
        raise InputError(f"smatch cannot read {line[:80]!r}")
    graph.rename_node(prefix)
    instances, attributes, relations = graph.get_triples()
    return instances, attributes, relations

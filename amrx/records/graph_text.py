"""Decode and encode one graph as PENMAN text, with checks that penman lacks."""

import logging
import re
from pathlib import Path

import penman
from penman.models.amr import model as amr_model

from amrx.errors import InputError
from amrx.records.one_line import spaced

# penman logs a warning for each duplicate triple; without a handler Python prints it on standard error
logging.getLogger("penman").addHandler(logging.NullHandler())

_BARE = re.compile(r'(?<!\S)(?:/|:[^\s():/"]+)\s+([^\s()":/~]+[:/][^\s()"]*)')
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')


def decode(text: str, file: str | Path | None = None, first_line: int = 1) -> list[penman.Graph]:
    """Decode graph text completely; unlike penman's reader, reject anything that is not a graph.

    Raises:
        InputError: Part of the text is not a graph, or there is none.

    Example:
        >>> [graph.top for graph in decode("(a / boy) (b / girl)")]
        ['a', 'b']
        >>> decode("(a / boy))", "f.amr", 9)
        Traceback (most recent call last):
        amrx.errors.InputError: f.amr:9: is not an AMR graph: ')' without its '('
    """
    try:
        graphs = list(penman.iterdecode(text))
    except penman.DecodeError as error:
        line = first_line + (error.lineno or 1) - 1
        raise InputError(f"is not an AMR graph: {error.message}{_hint(text)}", file=file, line=line) from None
    except penman.PenmanError as error:
        raise InputError(f"is not an AMR graph: {error}", file=file, line=first_line) from None
    except RecursionError:
        raise InputError("is not an AMR graph: it nests too deep", file=file, line=first_line) from None
    problem = _text_outside(text) or next(filter(None, map(_missing_part, graphs)), None)
    if problem is None and not graphs:
        problem = "it has no node"
    if problem is not None:
        raise InputError(f"is not an AMR graph: {problem}{_hint(text)}", file=file, line=first_line)
    return graphs


def _hint(text: str) -> str:
    """Return advice if a constant or concept holds a ``:`` or ``/`` outside quotes, else ``""``.

    Example:
        >>> _hint("(d / date-entity :time 16:30)")
        '; quote it: "16:30"'
    """
    bare = _BARE.search(_STRING.sub('""', text))
    return f'; quote it: "{bare[1]}"' if bare else ""


def _missing_part(graph: penman.Graph) -> str | None:
    """Describe the first missing part that penman accepts, or return None."""
    if graph.top is None:
        return "it has no node"
    for source, role, target in graph.triples:
        if target is None:
            return f"{source} has no concept" if role == ":instance" else f"{source} {role} points to nothing"
    return None


def _text_outside(text: str) -> str | None:
    """Describe text outside the parentheses, or return None."""
    depth = 0
    for part in re.split(r"([()])", _STRING.sub("", text)):
        if part == "(":
            depth += 1
        elif part == ")":
            depth -= 1
            if depth < 0:
                return "')' without its '('"
        elif depth == 0 and part.strip():
            return f"{part.strip()[:30]!r} is outside the parentheses"
    return None


def encode(graph: penman.Graph, *, indent: int | None, name: str) -> str:
    """Return a graph in PENMAN notation, without its metadata.

    Args:
        graph: Any connected graph.
        indent: ``None`` writes one line; ``-1`` indents to the opening parenthesis.
        name: Name of the graph in error messages.

    Raises:
        InputError: The graph is not connected.
    """
    bare = _on_one_line(penman.Graph(graph.triples, top=graph.top, epidata=graph.epidata))
    try:
        # with AMR's role table; otherwise penman writes the inverse of :consist-of as :consist
        return str(penman.encode(bare, indent=indent, model=amr_model))
    except (penman.PenmanError, RecursionError) as error:
        raise InputError(f"the graph of {name} cannot be written: {error}") from error


def _on_one_line(graph: penman.Graph) -> penman.Graph:
    """Replace line ends in constants, which PENMAN cannot express, by spaces."""
    if all(spaced(str(target)) == str(target) for _, _, target in graph.triples):
        return graph

    def replace(triple: tuple[str, str, str | None]) -> tuple[str, str, str | None]:
        source, role, target = triple
        return source, role, None if target is None else spaced(str(target))

    epidata = {replace(triple): marks for triple, marks in graph.epidata.items()}
    return penman.Graph(map(replace, graph.triples), top=graph.top, epidata=epidata)

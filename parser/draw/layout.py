r"""Place the nodes of an AMR graph on a canvas, top down.

::

    (w / want-01                        want-01            row 0
       :ARG0 (b / boy)                  /     \
       :ARG1 (g / go-02              boy      go-02        row 1
                :ARG0 b))              ^- - - - |          row 2: a port, the re-entrant edge's own slot

The spanning tree is the one that PENMAN would write. Every node gets a slot as wide as the wider of its box
and the role above it, subtrees are moved together as far as their outlines allow (Reingold and Tilford 1981),
and a re-entrant edge gets a slot too, called a port, so that labels never overlap.

A name is drawn inside the node that it names: ``(c / city :name (n / name :op1 "New" :op2 "York"))`` is one
box, ``city "New York"``.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import penman
from penman.exceptions import PenmanError

from amrx.errors import InputError

Kind = Literal["frame", "thing", "constant", "negative", "port"]

BOX_HEIGHT = 32.0
WORD_HEIGHT = 15.0
ROW_GAP = 58.0
SLOT_GAP = 18.0
ROLE_SIZE = 11.5
MARGIN = 14.0
FRAME = re.compile(r".+-\d\d+$")
_OP = re.compile(r":op(\d+)$")
Triple = tuple[str, str, str]


class Name(NamedTuple):
    """A name node that is folded into its owner."""

    variable: str  # variable of the name node
    text: str  # its parts, in quotes
    triples: tuple[Triple, ...]  # the folded triples: the edge, the instance, the parts


@dataclass(slots=True, eq=False)
class Box:
    """A placed node, constant or port of a re-entrant edge; lengths are in pixels."""

    kind: Kind  # kind of box; ``negative`` is the constant ``-``, ``port`` has no box of its own
    text: str  # concept or constant; empty for a port
    variable: str  # the node's variable; for a port the variable that it points to; empty for a constant
    role: str  # role of the edge that leads here, as written; empty for the top
    word: str  # the aligned words of the sentence, if known
    row: int  # depth in the spanning tree, from 0
    x: float = 0.0  # horizontal centre
    width: float = 0.0  # width of the box itself
    name: Name | None = None  # the name folded into this node, if any
    children: list[Box] = field(default_factory=list)  # in PENMAN order
    parent: Box | None = field(default=None, repr=False)  # the box above; ``None`` for the top

    @property
    def label(self) -> str:
        """Concept or constant, with the folded name."""
        return self.text if self.name is None else f"{self.text} {self.name.text}"

    @property
    def slot(self) -> float:
        """Width to reserve: that of the box, or of the role above it if that is wider."""
        return max(self.width, text_width(self.role, ROLE_SIZE) + 14 if self.role else 0.0)

    def walk(self) -> Iterator[Box]:
        """Yield this box and all its descendants, depth first."""
        yield self
        for child in self.children:
            yield from child.walk()


def text_width(text: str, size: float) -> float:
    """Estimate the width in pixels of ``text`` in a sans-serif font of ``size`` pixels, slightly too wide."""
    width = 0.0
    for character in text:
        if unicodedata.east_asian_width(character) in "WF":
            width += 1.0
        elif character in "iljtfr.,:;'|!()[] ":
            width += 0.37
        elif character in "mwMW@%":
            width += 0.9
        else:
            width += 0.68 if character.isupper() else 0.59
    return round(width * size, 1)


def layout(graph: penman.Graph, words: Mapping[str, str]) -> Box:
    """Return the root of the placed spanning tree; the leftmost edge is at ``MARGIN``."""
    concepts: dict[str, str | None] = {}
    for node, _, concept in graph.instances():
        if concepts.setdefault(node, concept) != concept:
            raise InputError(f"node {node!r} has two concepts: {concepts[node]!r} and {concept!r}")
    try:
        tree = penman.layout.configure(graph)
    except PenmanError as error:
        raise InputError(f"cannot draw a disconnected graph: {error}") from error
    root = _box(tree.node, "", 0, _Shown(words, graph.variables(), folded_names(graph)))
    for box in root.walk():
        for child in box.children:
            child.parent = box
    outline = _spread(root)
    _shift(root, MARGIN - min(left for left, _ in outline))
    return root


def folded_names(graph: penman.Graph) -> dict[str, Name]:
    """Return the names that are folded into each node.

    Only the first ``:name`` of a node is folded, if its target has only ``:opN`` constants and no other edge.

    Example:
        >>> folded_names(penman.decode('(c / city :name (n / name :op1 "New" :op2 "York"))'))["c"].text
        '"New York"'
    """
    parts: dict[str, list[Triple]] = {}
    others: set[str] = set()
    for triple in graph.attributes():
        if _OP.match(triple.role):
            parts.setdefault(triple.source, []).append(triple)
        else:
            others.add(triple.source)
    edges = Counter(end for edge in graph.edges() for end in {edge.source, edge.target})
    concepts = {instance.source: instance for instance in graph.instances()}
    names: dict[str, Name] = {}
    for edge in graph.edges(role=":name"):
        name = edge.target
        lone = edges[name] == 1 and name not in others and name not in (edge.source, graph.top)
        if not lone or name not in parts or edge.source in names or concepts[name].target != "name":
            continue
        ops = sorted(parts[name], key=lambda op: int(op[1][3:]))
        text = " ".join(_plain(value).strip('"') for _, _, value in ops)
        names[edge.source] = Name(name, f'"{text}"', (edge, concepts[name], *ops))
    return names


class _Shown(NamedTuple):
    """Data on a graph for its boxes: aligned words by variable, the variables, names by owner."""

    words: Mapping[str, str]
    variables: set[str]
    names: Mapping[str, Name]


def _box(node: Any, role: str, row: int, shown: _Shown) -> Box:  # noqa: ANN401
    """Convert a node of penman's tree, whose type is recursive, to boxes."""
    variable, branches = node
    concept = next((target for branch, target in branches if branch == "/"), None)
    text = "" if concept is None else _plain(concept)
    name = shown.names.get(variable)
    word = shown.words.get(variable, "") or (shown.words.get(name.variable, "") if name else "")
    box = Box("frame" if FRAME.match(text) else "thing", text, variable, role, word, row, name=name)
    box.width = max(44.0, text_width(box.label, 15) + 24, text_width(word, ROLE_SIZE) + 20)
    for branch, target in branches:
        if branch == "/":
            continue
        branch = branch.partition("~")[0]
        if not isinstance(target, str | int | float | None):
            if name is None or target[0] != name.variable:
                box.children.append(_box(target, branch, row + 1, shown))
            continue
        value = "" if target is None else _plain(target)
        if value in shown.variables:
            box.children.append(Box("port", "", value, branch, "", row + 1))
        else:
            kind: Kind = "negative" if value == "-" else "constant"
            child = Box(kind, value, "", branch, "", row + 1)
            child.width = max(28.0, text_width(value, 14) + 16)
            box.children.append(child)
    return box


def _plain(value: str | float) -> str:
    """Return a concept or constant without an alignment mark such as ``~e.4``; keep quoted strings.

    Example:
        >>> _plain("boy~e.1"), _plain('"a~e.1b"')
        ('boy', '"a~e.1b"')
    """
    text = str(value)
    head, quote, tail = text.rpartition('"')
    return head + quote + re.sub(r"~(?:[A-Za-z]\.?)?\d+(?:,\d+)*$", "", tail)


def _spread(box: Box) -> list[tuple[float, float]]:
    r"""Place the children left to right and ``box`` above their middle; return (left, right) per row."""
    rows: list[tuple[float, float]] = []
    for child in box.children:
        outline = _spread(child)
        shift = max(
            (right + SLOT_GAP - left for (_, right), (left, _) in zip(rows, outline, strict=False)),
            default=0.0,
        )
        _shift(child, shift)
        moved = [(left + shift, right + shift) for left, right in outline]
        shared = min(len(rows), len(moved))
        merged = [(rows[row][0], moved[row][1]) for row in range(shared)]
        rows = merged + rows[shared:] + moved[shared:]
    if box.children:
        box.x = (box.children[0].x + box.children[-1].x) / 2
    return [(box.x - box.slot / 2, box.x + box.slot / 2), *rows]


def _shift(box: Box, by: float) -> None:
    for inner in box.walk():
        inner.x += by

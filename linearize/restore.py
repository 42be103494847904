"""Restore a graph from tokens of the pointer form, repairing invalid sequences.

::

    ( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1>
        -> (w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))     repairs: closed 2 brackets

A parser is a sequence model, and a sequence model may stop in the middle, omit a bracket or point to a node
that does not exist. :func:`delinearize` reads any list of strings: it keeps the valid parts, returns a valid
connected graph, and lists the repairs in ``repairs``.

The tree of nodes and pointers that the tokens give becomes a penman graph::

    Node want-01                                   (w / want-01
       :ARG0  Node boy          defined as <1>  ->    :ARG0 (b / boy)
       :ARG1  Node go-02                              :ARG1 (g / go-02
          :ARG0  Again <1>                               :ARG0 b))

A variable is the first letter of the concept and a number, and never equals a constant of the graph: penman
would read ``(n / name :op1 n)`` as an edge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap

import penman
from penman.layout import POP, Push
from penman.models.amr import model as amr_model

from amrx.errors import InputError
from amrx.texts import as_items
from linearize.tokens import Kind, kind_of, read_atom
from linearize.walk import INSTANCE, MAX_DEPTH

EMPTY_CONCEPT = "amr-empty"
Triple = tuple[str, str, str | None]


@dataclass(slots=True, eq=False)
class Node:
    """A node under construction."""

    concept: str | None = None
    edges: list[tuple[str, Node | Again | str | None]] = field(default_factory=list)
    named: bool = False
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Again:
    """A pointer to a node."""

    key: str


def rebuild(root: Node, defined: Mapping[str, Node]) -> penman.Graph:
    """Build the graph of a tree, with penman's layout marks so that it is written as the same tree."""
    _name_variables(_depth_first(root))
    triples: list[Triple] = []
    marks: dict[Triple, list[object]] = {}
    last: list[object] = []

    def add(triple: Triple, *mark: object) -> list[object]:
        triples.append(triple)
        added = list(mark)
        marks.setdefault(triple, added)
        return added

    last = add((root.variable, INSTANCE, root.concept))
    stack: list[tuple[Node, Iterator[tuple[str, Node | Again | str | None]]]] = [(root, iter(root.edges))]
    while stack:
        node, edges = stack[-1]
        for role, target in edges:
            if isinstance(target, Node):
                add(_triple(node.variable, role, target.variable), Push(target.variable))
                last = add((target.variable, INSTANCE, target.concept))
                stack.append((target, iter(target.edges)))
                break
            if isinstance(target, Again):
                last = add(_triple(node.variable, role, defined[target.key].variable))
            else:
                last = add((node.variable, role, target))
        else:
            stack.pop()
            if stack:
                last.append(POP)
    graph = penman.Graph(top=root.variable, epidata=marks)
    graph.triples = triples  # set here, because the constructor checks every role for its colon
    return graph


def _triple(source: str, role: str, target: str) -> Triple:
    """Return the triple with an inverse role turned into the plain role, as penman does on reading."""
    return (target, role[:-3], source) if role.endswith("-of") else (source, role, target)


def _depth_first(root: Node) -> list[Node]:
    nodes: list[Node] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting.extend(target for _, target in reversed(node.edges) if isinstance(target, Node))
    return nodes


def drop_undefined(root: Node, defined: Mapping[str, Node]) -> list[str]:
    """Drop the edges of a tree whose pointer is undefined; return these pointers."""
    lost: list[str] = []
    for node in _depth_first(root):
        ends = [target.key if isinstance(target, Again) else None for _, target in node.edges]
        dropped = [key for key in ends if key is not None and key not in defined]
        if dropped:
            lost += dropped
            node.edges = [edge for edge, key in zip(node.edges, ends, strict=True) if key not in dropped]
    return lost


def _name_variables(nodes: list[Node]) -> None:
    taken = {target for node in nodes for _, target in node.edges if isinstance(target, str)}
    counts: Counter[str] = Counter()
    for node in nodes:
        letter = next((c for c in (node.concept or "").lower() if "a" <= c <= "z"), "x")
        variable = ""
        while not variable or variable in taken:
            counts[letter] += 1
            variable = letter if counts[letter] == 1 else f"{letter}{counts[letter]}"
        node.variable = variable


LOOSE_ROLE = ":mod"  # role of a node that was given without one
LOOSE_CONCEPT = "thing"  # concept of a node that was given without one
_QUOTED = 40  # maximum number of characters of a token quoted in a repair
_RESERVED = re.compile(f"{INSTANCE}(-of)*")
_Repair = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Delinearized:
    """A restored graph."""

    graph: penman.Graph  # valid and connected; ``(a / amr-empty)`` if no token could be used
    repairs: tuple[str, ...] = ()  # one short phrase per repair; empty if nothing was broken
    # variable of each numbered node, by its number: ``{"0": "w", "1": "b"}``
    variables: Mapping[str, str] = field(default_factory=dict)


def delinearize(tokens: Sequence[str]) -> Delinearized:
    """Restore a graph from the pointer form; any list of strings gives a graph.

    Without repairs, ``delinearize(linearize(g, form="pointer", keep_wiki=True)).graph`` holds the triples of
    ``g``, its variables renamed.

    Raises:
        InputError: ``tokens`` is one string, or holds an item that is not a string.

    Example:
        >>> result = delinearize("( <0> want-01 :ARG0 ( <1> boy ) :ARG1 <7> :mod".split())
        >>> print(penman.encode(result.graph, indent=None))
        (w / want-01 :ARG0 (b / boy))
        >>> result.repairs
        ('dropped dangling role :mod', 'closed 1 bracket', 'pointer <7> undefined')
    """
    if isinstance(tokens, str):
        raise InputError(
            "tokens must be a list of strings, got one string; linearize.split_tokens reads a line"
        )
    reader = _Reader()
    for token in as_items(tokens, str, "token"):
        reader.read(token)
    return reader.finish()


class _Reader:
    """A stack machine over tokens; every state accepts every token."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.role: str | None = None
        self.defined: dict[str, Node] = {}
        self.awaiting = ""  # "pointer", then "concept", directly after a bracket
        self.skipping = 0  # number of open brackets inside a part that is skipped
        self.repairs: Counter[_Repair] = Counter()

    def read(self, token: str) -> None:
        """Process one token."""
        kind = kind_of(token)
        if self.skipping:
            self.skipping += (kind == "open") - (kind == "close")
        elif kind == "open":
            self._open()
        elif kind == "close":
            self._close()
        elif kind == "pointer":
            self._point(token[1:-1].lstrip("0") or "0")
        elif kind == "role":
            self._relate(token)
        elif kind == "empty":
            self._note("dropped", "empty token")
        else:
            self._name(token, kind)

    def finish(self) -> Delinearized:
        """Close the open nodes and build the graph."""
        self._settle()
        self._drop_role()
        if self.stack or self.skipping:
            self.repairs["closed", "bracket"] += len(self.stack) + self.skipping
        root = self.root
        if root is not None:
            for key in drop_undefined(root, self.defined):
                self._note(f"pointer <{key[:_QUOTED]}> undefined")
        if root is None or not (root.edges or root.named):
            root = Node(EMPTY_CONCEPT)
            self._note("nothing usable")
        graph = rebuild(root, self.defined)
        variables = {key: node.variable for key, node in self.defined.items() if node.variable}
        return Delinearized(graph, tuple(starmap(_phrase, self.repairs.items())), variables)

    def _open(self) -> None:
        self._settle()
        if len(self.stack) >= MAX_DEPTH:
            self._note("dropped", "part", "nested too deep")
            self.role, self.skipping = None, 1
            return
        node = Node()
        if self.root is None:
            self.root = node
        else:
            self._reopen()
            self._drop_reserved()
            if self.role is None:
                self._note("joined", "loose node", f"by {LOOSE_ROLE}")
            self.stack[-1].edges.append((self.role or LOOSE_ROLE, node))
        self.stack.append(node)
        self.role, self.awaiting = None, "pointer"

    def _close(self) -> None:
        self._settle()
        self._drop_role()
        if self.stack:
            self.stack.pop()
        else:
            self._note("dropped", "extra bracket")

    def _point(self, key: str) -> None:
        """Number the node just opened, or point to an earlier one."""
        self._begin()
        if self.awaiting == "pointer":
            self.awaiting = "concept"
            if key in self.defined:
                self._note(f"pointer <{key[:_QUOTED]}> defined twice")
            self.defined.setdefault(key, self.stack[-1])
        elif self.role is not None:
            if not self._drop_reserved():
                self.stack[-1].edges.append((self.role, Again(key)))
            self.role = None
        else:
            self._note(f"dropped stray pointer <{key[:_QUOTED]}>")

    def _relate(self, token: str) -> None:
        """Set the pending role."""
        if token == INSTANCE:
            self._note(f"dropped reserved role {token}")
            return
        if token.endswith("-of-of") and not _RESERVED.fullmatch(token):
            # penman would invert such an edge at each reading
            plain = amr_model.canonicalize_role(token)
            if plain != token:
                self._note(f"read role {token[:_QUOTED]} as {plain[:_QUOTED]}")
                token = plain
        self._begin()
        self._settle()
        self._drop_role()
        self._reopen()
        self.role = token

    def _name(self, token: str, kind: Kind) -> None:
        """Process a concept or a constant."""
        self._begin()
        if not self.awaiting and self.role is None:
            self._note(f"dropped stray token {token[:_QUOTED]!r}")
            return
        if kind == "odd":
            self._note(f"quoted {token[:_QUOTED]!r}")
        if self.awaiting:
            if self.awaiting == "pointer":
                self._note("numbered", "node", "without a pointer")
            self.stack[-1].concept, self.stack[-1].named, self.awaiting = read_atom(token), True, ""
        elif self.role is not None:
            self.stack[-1].edges.append((self.role, read_atom(token)))
            self.role = None

    def _begin(self) -> None:
        """Open the top node when the first bracket is missing."""
        if self.root is None:
            self._note("opened", "bracket")
            self._open()

    def _settle(self) -> None:
        """Leave the state directly after a bracket; give a node without a concept a default one."""
        if self.awaiting:
            self.stack[-1].concept, self.awaiting = LOOSE_CONCEPT, ""
            self._note("named", "node", f"without a concept {LOOSE_CONCEPT!r}")

    def _drop_role(self) -> None:
        if self.role is not None:
            self._note(f"dropped dangling role {self.role[:_QUOTED]}")
            self.role = None

    def _drop_reserved(self) -> bool:
        """Drop a reserved role: its target must be a constant, so a node cannot be its target."""
        role = self.role
        if role is None or not role.startswith(INSTANCE) or not _RESERVED.fullmatch(role):
            return False
        self._note(f"dropped reserved role {role[:_QUOTED]}")
        self.role = None
        return True

    def _reopen(self) -> None:
        """Continue in the top node if its bracket was closed too early."""
        if not self.stack and self.root is not None:
            self._note("reopened the top node")
            self.stack.append(self.root)

    def _note(self, *repair: str) -> None:
        self.repairs[repair] += 1


def _phrase(repair: _Repair, count: int) -> str:
    """Return a repair in words, from a whole phrase, or from a verb, a noun to count and further words."""
    if len(repair) == 1:
        return repair[0] if count == 1 else f"{repair[0]} ({count} times)"
    verb, noun, *rest = repair
    return " ".join([verb, str(count), noun if count == 1 else noun + "s", *rest])

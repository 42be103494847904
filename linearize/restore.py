"""Tokens of the pointer form back to a graph, broken ones included.

::

    ( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1>
        -> (w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))     repairs: closed 2 brackets

A parser is a sequence model, and a sequence model may stop in the middle, forget a bracket or point at a
node that is not there. :func:`delinearize` reads any list of strings: it keeps what makes sense, gives a
valid connected graph, and says in ``repairs`` what it had to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import penman

from linearize.layout import MAX_DEPTH
from linearize.rebuild import EMPTY_CONCEPT, Again, Node, rebuild
from linearize.tokens import CLOSE, NOTHING, OPEN, is_pointer, is_role, is_string, is_symbol, read_atom

LOOSE_ROLE = ":mod"  # joins a node that came without a role
LOOSE_CONCEPT = "thing"  # names a node that came without a concept


@dataclass(frozen=True, slots=True)
class Delinearized:
    """A restored graph.

    Attributes:
        graph: Valid and connected; ``(a / amr-empty)`` when nothing could be used.
        repairs: What had to be repaired, one short phrase each; empty when nothing was broken.
    """

    graph: penman.Graph
    repairs: tuple[str, ...] = ()


def delinearize(tokens: Sequence[str]) -> Delinearized:
    """Read the pointer form back; never fails.

    Without repairs, ``delinearize(linearize(g, form="pointer", keep_wiki=True)).graph`` holds the triples of
    ``g``, its variables renamed.

    Args:
        tokens: Any strings.

    Example:
        >>> result = delinearize("( <0> want-01 :ARG0 ( <1> boy ) :ARG1 <7> :mod".split())
        >>> print(penman.encode(result.graph, indent=None))
        (w / want-01 :ARG0 (b / boy))
        >>> result.repairs
        ('dropped dangling role :mod', 'closed 1 bracket', 'pointer <7> undefined')
    """
    reader = _Reader()
    for token in tokens:
        reader.read(token)
    return reader.finish()


class _Reader:
    """A stack machine over tokens; every state accepts every token."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.role: str | None = None
        self.defined: dict[str, Node] = {}
        self.awaiting = ""  # "pointer", then "concept", just after a bracket
        self.too_deep = 0  # brackets open inside a part that is skipped
        self.repairs: Counter[str] = Counter()

    def read(self, token: str) -> None:
        """Take one token."""
        if self.too_deep:
            self.too_deep += (token == OPEN) - (token == CLOSE)
        elif token == OPEN:
            self.open()
        elif token == CLOSE:
            self.close()
        elif is_pointer(token):
            self.point(token)
        elif is_role(token):
            self.relate(token)
        else:
            self.name(token)

    def open(self) -> None:
        """Open a node under the pending role."""
        if len(self.stack) >= MAX_DEPTH:
            self.repairs["dropped {} node{s} nested too deep"] += 1
            self.role, self.awaiting, self.too_deep = None, "", 1
            return
        self._settle()
        node = Node()
        if self.root is None:
            self.root = node
        else:
            self._reopen()
            if self.role is None:
                self.repairs[f"joined {{}} loose node{{s}} by {LOOSE_ROLE}"] += 1
            self.stack[-1].edges.append((self.role or LOOSE_ROLE, node))
        self.stack.append(node)
        self.role, self.awaiting = None, "pointer"

    def close(self) -> None:
        """Close the innermost node."""
        self._settle()
        self._drop_role()
        if self.stack:
            self.stack.pop()
        else:
            self.repairs["dropped {} extra closing bracket{s}"] += 1

    def point(self, token: str) -> None:
        """Number the node just opened, or point at one."""
        key = token[1:-1].lstrip("0") or "0"
        if self.root is None:
            self._open_missing()
        if self.awaiting == "pointer":
            self.awaiting = "concept"
            if key in self.defined:
                self.repairs[f"pointer <{key}> defined twice"] += 1
            else:
                self.defined[key] = self.stack[-1]
                self.stack[-1].numbered = True
        elif self.role is not None:
            self.stack[-1].edges.append((self.role, Again(key)))
            self.role = None
        else:
            self.repairs[f"dropped stray pointer <{key}>"] += 1

    def relate(self, token: str) -> None:
        """Set the pending role."""
        if token.startswith(":instance") and not token.removeprefix(":instance").replace("-of", ""):
            self.repairs[f"dropped reserved role {token}"] += 1
            return
        if self.root is None:
            self._open_missing()
        self._settle()
        self._drop_role()
        self._reopen()
        self.role = token

    def name(self, token: str) -> None:
        """Take a concept or a constant."""
        if not token.strip():
            self.repairs["dropped {} empty token{s}"] += 1
            return
        if self.root is None:
            self._open_missing()
        if not self.awaiting and self.role is None:
            self.repairs[f"dropped stray token {token!r}"] += 1
            return
        atom = read_atom(token)
        if not (token == NOTHING or token.startswith("\\") or is_symbol(token) or is_string(token)):
            self.repairs[f"quoted {token!r}"] += 1
        if self.awaiting:
            self.stack[-1].concept, self.stack[-1].named = atom, True
            if self.awaiting == "pointer":
                self.repairs["numbered {} node{s} without a pointer"] += 1
            self.awaiting = ""
        elif self.role is not None:
            self.stack[-1].edges.append((self.role, atom))
            self.role = None

    def finish(self) -> Delinearized:
        """Close what is open and build the graph."""
        self._settle()
        self._drop_role()
        if self.stack or self.too_deep:
            self.repairs["closed {} bracket{s}"] += len(self.stack) + self.too_deep
        root = self.root
        if root is None or not (root.edges or root.named):
            root = Node(concept=EMPTY_CONCEPT, named=True)
            self.repairs["nothing usable"] += 1
        graph = rebuild(root, self.defined, self.repairs)
        return Delinearized(graph, tuple(_phrase(text, count) for text, count in self.repairs.items()))

    def _open_missing(self) -> None:
        self.repairs["opened {} bracket{s}"] += 1
        self.open()

    def _settle(self) -> None:
        """Leave the state just after a bracket; a node that got no concept is given one."""
        if self.awaiting:
            node = self.stack[-1]
            node.concept = LOOSE_CONCEPT
            self.repairs["gave {} node{s} without a concept the concept thing"] += 1
            self.awaiting = ""

    def _drop_role(self) -> None:
        if self.role is not None:
            self.repairs[f"dropped dangling role {self.role}"] += 1
            self.role = None

    def _reopen(self) -> None:
        """Go on in the top node when the last bracket was closed too early."""
        if not self.stack and self.root is not None:
            self.repairs["reopened the top node"] += 1
            self.stack.append(self.root)


def _phrase(text: str, count: int) -> str:
    if "{}" in text:
        return text.replace("{}", str(count)).replace("{s}", "" if count == 1 else "s")
    return text if count == 1 else f"{text} ({count} times)"

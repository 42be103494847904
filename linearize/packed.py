"""Convert pointer tokens to packed symbols and back, the shorter sequence that our models read and write.

Pointer form is redundant: a new node's number is its rank in depth-first order, its opening
bracket is implied by its concept, and closing brackets only matter in front of the next role. Packed
form drops the first two and glues the third to the role::

    pointer   ( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )
    packed    want-01 :ARG0 boy ):ARG1 go-02 :ARG0 <1>

``):ARG1`` closes one node, then opens the role ``:ARG1``; nodes still open at the end are closed.
A symbol that is neither a role nor a reference is a node (a concept) or a constant; constants are recognised
by their form (`is_constant`), so a concept that looks like one cannot be packed.
"""

import re
from collections.abc import Sequence

import penman

from amrx.errors import InputError
from linearize.forms import linearize

_ROLE = re.compile(r"(\)*)(:\S+)")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,:/]\d+)*")
_WORDS = frozenset({"-", "+", "imperative", "expressive", "interrogative"})


def is_constant(symbol: str) -> bool:
    """Return whether a symbol has the form of a constant: string, number, polarity or mode.

    Example:
        >>> [is_constant(s) for s in ('"Obama"', "1934", "-", "imperative", "boy", "want-01")]
        [True, True, True, True, False, False]
    """
    return symbol.startswith('"') or symbol in _WORDS or _NUMBER.fullmatch(symbol) is not None


def is_reference(symbol: str) -> bool:
    """Return whether a symbol is a pointer to an earlier node, such as ``<1>``."""
    return symbol.startswith("<") and symbol.endswith(">") and symbol[1:-1].isdigit()


def split_role(symbol: str) -> tuple[int, str] | None:
    """Split ``)):ARG1`` into ``(2, ":ARG1")``; return ``None`` for any other symbol."""
    match = _ROLE.fullmatch(symbol)
    return None if match is None else (len(match[1]), match[2])


def pack(tokens: Sequence[str]) -> list[str]:
    """Return the packed symbols of a well-formed pointer token sequence.

    Example:
        >>> pack("( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )".split())
        ['want-01', ':ARG0', 'boy', '):ARG1', 'go-02', ':ARG0', '<1>']
    """
    packed: list[str] = []
    closing, nodes, i = 0, 0, 0
    while i < len(tokens):
        token = tokens[i]
        if token == "(":
            opened = tokens[i + 1 : i + 3]
            if (
                len(opened) < 2
                or opened[0] != f"<{nodes}>"
                or opened[1][0] in "():<"
                or is_constant(opened[1])
            ):
                raise InputError(f"node {nodes} cannot be packed: {' '.join(opened)!r}")
            packed.append(opened[1])
            nodes += 1
            i += 3
            continue
        if token == ")":
            closing += 1
        elif token.startswith(":"):
            packed.append(")" * closing + token)
            closing = 0
        elif is_reference(token):
            if int(token[1:-1]) >= nodes:
                raise InputError(f"{token} points to a node that comes later")
            packed.append(token)
        elif is_constant(token):
            packed.append(token)
        else:
            raise InputError(f"constant {token!r} looks like a concept")
        i += 1
    return packed


def pack_graph(graph: penman.Graph) -> list[str] | None:
    """Return the packed symbols of a graph; ``None`` for the few graphs without a packed form.

    A graph that refers to a node before it opens that node gets a new layout.

    Example:
        >>> pack_graph(penman.decode("(s / see-01 :ARG0 (i / i :poss-of d) :ARG1 (d / dog))"))
        ['see-01', ':ARG0', 'i', '):ARG1', 'dog', ':poss', '<1>']
    """
    for layout in (graph, penman.Graph(graph.triples, top=graph.top)):
        try:
            return pack(linearize(layout, form="pointer"))
        except InputError:
            continue
    return None


def unpack(symbols: Sequence[str]) -> list[str]:
    """Return the pointer tokens of packed symbols; never fails (`linearize.delinearize` repairs errors).

    Example:
        >>> " ".join(unpack(['want-01', ':ARG0', 'boy', '):ARG1', 'go-02', ':ARG0', '<1>']))
        '( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )'
    """
    tokens: list[str] = []
    depth, nodes = 0, 0
    for symbol in symbols:
        role = split_role(symbol)
        if role is not None:
            closing = min(role[0], max(depth - 1, 0))
            tokens += [")"] * closing + [role[1]]
            depth -= closing
        elif symbol and not symbol.strip(")"):
            closing = min(len(symbol), max(depth - 1, 0))
            tokens += [")"] * closing
            depth -= closing
        elif is_reference(symbol) or is_constant(symbol):
            tokens.append(symbol)
        else:
            tokens += ["(", f"<{nodes}>", symbol]
            nodes, depth = nodes + 1, depth + 1
    return tokens + [")"] * depth

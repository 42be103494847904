"""Split a graph into triples, and compare triples: for Smatch, alignment and votes.

::

    (c / cat :domain (f / fox) :quant 2 :quant "2")   c / cat   f / fox   c TOP top   c :domain f   c :quant 2
    (c / cat :mod-of (f / fox) :quant 2)              the same

The laws, with ``plain`` and ``directed`` below:

* Inverse roles are normalised: ``x :ARG0-of y`` is ``y :ARG0 x``. Three roles of AMR end in ``-of`` without
  being inverse: ``:consist-of``, ``:prep-on-behalf-of``, ``:prep-out-of``.
* ``x :mod y`` is ``y :domain x``; so ``:domain`` equals ``:mod-of``, and ``:mod`` equals ``:domain-of``.
* A role with a constant is an attribute whatever its name: ``:mod "1A"``, ``:ARG0-of "x"`` stay as they are.
* Case, quotes and final underscores are ignored, as in smatch 1.0.4.
* Triples that are equal by these rules count as one triple.
"""

import re
from collections.abc import Container, Iterable, Iterator
from itertools import count
from typing import Any, TypeAlias

import penman
from penman import layout
from penman.exceptions import PenmanError
from penman.models.amr import model as amr_model
from penman.surface import AlignmentMarker
from penman.types import Node

from amrx.errors import InputError

Graph: TypeAlias = penman.Graph | str
"""A graph, or its PENMAN text."""
Triple: TypeAlias = tuple[str, str, str]

NOT_INVERSE = frozenset((":consist-of", ":prep-on-behalf-of", ":prep-out-of"))
"""Roles of AMR that end in ``-of`` but are not inverse."""
TOP = "TOP"
"""Role of the triple that marks the top; its value is ``top``."""
SENSE = re.compile(r"-\d+$")
"""Number of a sense at the end of a concept."""
OPERAND = re.compile(r":op\d+")
"""Role of an operand."""
_NO_SYMBOL = frozenset(':/()"\\')


def plain(text: str) -> str:
    """Return the comparable form of a concept, role or constant: no quotes, no case.

    Example:
        >>> plain('"New York"')
        'new york'
    """
    return text.strip('"').lower().rstrip("_")


def laid_out(triples: Iterable[tuple[str, str, Any]], top: str | None) -> penman.Graph:
    """Return a graph of triples in the layout that penman chooses.

    Example:
        >>> print(penman.encode(laid_out([("g", ":instance", "go-02"), ("g", ":ARG0", "b"),
        ...     ("b", ":instance", "boy")], "g"), indent=None))
        (g / go-02 :ARG0 (b / boy))
    """
    graph = penman.Graph(list(triples), top=top)
    return layout.interpret(layout.configure(graph, model=amr_model), model=amr_model)


def is_inverse(role: str) -> bool:
    """Return whether a role is inverse: it leads from its target to its source.

    Example:
        >>> is_inverse(":ARG0-of"), is_inverse(":consist-of")
        (True, False)
    """
    return role.lower().endswith("-of") and role.lower() not in NOT_INVERSE


def upright(triple: Triple) -> Triple:
    """Return a relation without an inverse role: source and target are exchanged if the role is inverse.

    Example:
        >>> upright(("t", ":ARG0-of", "p")), upright(("t", ":consist-of", "p"))
        (('p', ':ARG0', 't'), ('t', ':consist-of', 'p'))
    """
    source, role, target = triple
    while is_inverse(role):
        source, role, target = target, role[: -len("-of")], source
    return source, role, target


def directed(triple: Triple) -> Triple:
    """Return a relation with a comparable role: not inverse, ``:mod`` as an inverse ``:domain``, lower case.

    Example:
        >>> directed(("c", ":mod", "r")), directed(("r", ":mod-of", "c"))
        (('r', ':domain', 'c'), ('r', ':domain', 'c'))
    """
    source, role, target = upright(triple)
    return (target, ":domain", source) if plain(role) == ":mod" else (source, plain(role), target)


def valued(triple: Triple) -> Triple:
    """Return an attribute with a comparable role and value.

    Example:
        >>> valued(("f", ":mod", '"1A"'))
        ('f', ':mod', '1a')
    """
    source, role, value = triple
    return source, plain(role), plain(value)


def take_apart(graph: Graph) -> tuple[str, dict[str, str], list[Triple], list[Triple]]:
    """Return a graph's text on one line, its concepts by variable, its attributes and its relations.

    Nodes and triples are in order of appearance in the text. Relations are not inverse; the first attribute
    is the mark of the top. Of equal triples only the first is kept.

    Example:
        >>> line, concepts, attributes, relations = take_apart("(c / cat :mod-of (f / fox) :mod 1 :mod 1)")
        >>> attributes, relations
        ([('c', 'TOP', 'top'), ('c', ':mod', '1')], [('f', ':mod', 'c')])
    """
    tree = _tree(graph)
    concepts: dict[str, str] = {variable: "" for variable, _ in tree.nodes()}
    mark = tree.node[0], TOP, "top"
    attributes: dict[Triple, Triple] = {mark: mark}
    relations: dict[Triple, Triple] = {}
    named: set[str] = set()
    for triple in _branches(tree.node):
        source, role, target = triple
        if role == "/":
            if source in named and concepts[source] != target:
                raise InputError(f"{source} has two concepts, {concepts[source]} and {target}")
            named.add(source)
            concepts[source] = target
        elif target in concepts:
            relations.setdefault(directed(triple), upright(triple))
        else:
            attributes.setdefault(valued(triple), triple)
    line = str(penman.format(tree, indent=None))
    return line, concepts, list(attributes.values()), list(relations.values())


def _tree(graph: Graph) -> penman.Tree:
    """Return the tree of a graph without alignments, with roles inverted as in AMR."""
    try:
        source = _only_graph(graph) if isinstance(graph, str) else graph
        epidata = {
            triple: [mark for mark in marks if not isinstance(mark, AlignmentMarker)]
            for triple, marks in source.epidata.items()
        }
        tree = layout.configure(
            penman.Graph(source.triples, top=source.top, epidata=epidata), model=amr_model
        )
    except PenmanError as error:
        raise InputError(f"not a connected AMR graph: {' '.join(str(error).split())}") from error
    except RecursionError:
        raise InputError("not an AMR graph: nested too deep") from None
    if tree.node[0] is None:
        raise InputError("not an AMR graph: no node")
    for variable, _ in tree.nodes():
        if not _is_symbol(str(variable or "")):
            raise InputError(f"not an AMR variable: {variable!r}")
    return tree


def _only_graph(text: str) -> penman.Graph:
    """Read the only graph of a text; penman.decode would ignore further graphs."""
    graphs = list(penman.iterdecode(text))
    if len(graphs) > 1:
        raise InputError(f"a text must hold one graph, got {len(graphs)}; give a list of texts")
    return graphs[0] if graphs else penman.decode(text)  # this raises the error for a text without a graph


def _is_symbol(text: str) -> bool:
    """Return whether ``text`` is a valid variable in PENMAN."""
    return bool(text) and not _NO_SYMBOL & set(text) and not any(map(str.isspace, text))


def _branches(node: Node) -> Iterator[Triple]:
    """Yield ``(variable, role, target)`` of a tree, depth first; the role of a concept is ``/``."""
    pending: list[tuple[str, Iterator[Any]]] = [(node[0], iter(node[1]))]
    while pending:
        source, branches = pending[-1]
        branch = next(branches, None)
        if branch is None:
            pending.pop()
            continue
        role, target = branch
        if isinstance(target, tuple):
            yield source, role, target[0]
            pending.append((target[0], iter(target[1])))
        else:
            yield source, role, "" if target is None else str(target)


def without_constants(graph: penman.Graph, role: str) -> penman.Graph:
    """Return a graph without the constants of a role; a role that leads to a node stays.

    Example:
        >>> city = penman.decode('(c / city :wiki "Q64" :name (n / name :op1 "Berlin"))')
        >>> penman.encode(without_constants(city, ":wiki"), indent=None)
        '(c / city :name (n / name :op1 "Berlin"))'
    """
    tree = layout.configure(graph, model=amr_model)
    for _, branches in tree.nodes():
        branches[:] = [one for one in branches if one[0] != role or isinstance(one[1], tuple)]
    return layout.interpret(tree, model=amr_model)


def is_connected(triples: Iterable[Triple]) -> bool:
    """Return whether relations connect all nodes.

    Example:
        >>> is_connected([("g", ":instance", "go-02"), ("b", ":instance", "boy")])
        False
    """
    given = list(triples)
    nodes = {source for source, role, _ in given if role == ":instance"}
    inside, waiting = set[str](), [min(nodes)]
    while waiting:
        node = waiting.pop()
        inside.add(node)
        ends = {
            end for source, role, target in given if role != ":instance" and node in (source, target)
            for end in (source, target)
        }  # fmt: skip
        waiting += (ends & nodes) - inside
    return inside == nodes


def free_variable(letter: str, taken: Container[str]) -> str:
    """Return the first variable with a letter that is not taken.

    Example:
        >>> free_variable("t", {"t", "t2"})
        't3'
    """
    names = (f"{letter}{number}" if number > 1 else letter for number in count(1))
    return next(name for name in names if name not in taken)

"""Build the graph of a composed sentence from the packed graphs of its parts (`linearize.packed`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from linearize.packed import is_constant, is_reference, split_role

PRONOUNS = frozenset({"i", "you", "we", "he", "she", "they"})
"""Concepts that mean the same person in both parts of a sentence."""
_OPINION = re.compile(r"(\S+-\d\d) (\w+)( -)?( \?)?")
"""Link of an opinion: the frame, its ``:ARG0``, `` -`` if it is negated, `` ?`` if it is a question."""


class Writer:
    """Packed symbols of one graph, written from the root to its leaves."""

    def __init__(self) -> None:
        self.symbols: list[str] = []
        self._open: list[int] = []  # numbers of the nodes that are not closed
        self._count = 0
        self._pronouns: dict[str, int] = {}

    def node(self, concept: str) -> int:
        """Write a node below the last role and return its number, which is its order."""
        self.symbols.append(concept)
        self._open.append(self._count)
        self._count += 1
        return self._open[-1]

    def role(self, node: int, role: str) -> None:
        """Write a role of an open node; nodes opened after it are closed."""
        closed = len(self._open) - 1 - self._open.index(node)
        del self._open[len(self._open) - closed :]
        self.symbols.append(")" * closed + role)

    def value(self, symbol: str) -> None:
        """Write a constant or a reference."""
        self.symbols.append(symbol)

    def leaf(self, node: int, role: str, symbol: str) -> None:
        """Write a role of a node with its target: a constant, or a concept without roles."""
        self.role(node, role)
        if is_constant(symbol):
            self.value(symbol)
        elif symbol in PRONOUNS:
            self.person(symbol)
        else:
            self.node(symbol)

    def person(self, pronoun: str) -> None:
        """Write a pronoun, as a reference if the graph has it already."""
        if pronoun in self._pronouns:
            self.value(f"<{self._pronouns[pronoun]}>")
        else:
            self._pronouns[pronoun] = self.node(pronoun)

    def part(self, graph: Sequence[str]) -> int:
        """Write a whole graph below the last role and return its root's number."""
        numbers: list[int] = []  # numbers of the part's nodes in the whole graph
        path: list[int] = []  # open nodes of the part, by their numbers in it
        for symbol, following in zip(graph, [*graph[1:], ""], strict=True):
            split = split_role(symbol)
            if split is not None:
                closed, role = split
                del path[len(path) - closed :]
                self.role(numbers[path[-1]], role)
            elif is_reference(symbol):
                self.value(f"<{numbers[int(symbol[1:-1])]}>")
            elif is_constant(symbol):
                self.value(symbol)
            else:
                path.append(len(numbers))
                ends = not following or following.startswith(")")
                if symbol in PRONOUNS and ends:
                    self.person(symbol)
                    numbers.append(self._pronouns[symbol])
                else:
                    numbers.append(self.node(symbol))
        return numbers[0]


def compose(link: str, first: Sequence[str], second: Sequence[str], number: int) -> list[str]:
    """Return the packed graph of two linked sentences.

    Args:
        link: A link of `connectives.tsv`.
        first: Packed graph of the sentence ``{a}``; unused if the link has only one sentence.
        second: Packed graph of the sentence ``{b}``.
        number: The number ``{n}``, if the link has one.

    Example:
        >>> " ".join(compose("condition", ["rain-01"], ["stay-01", ":ARG1", "we"], 0))
        'stay-01 :ARG1 we ):condition rain-01'
        >>> " ".join(compose("say-01 he", (), ["come-01", ":ARG1", "he"], 0))
        'say-01 :ARG0 he ):ARG1 come-01 :ARG1 <1>'
    """
    writer = Writer()
    opinion = _OPINION.fullmatch(link)
    if opinion:
        top = writer.node(opinion[1])
        if opinion[3]:
            writer.leaf(top, ":polarity", "-")
        writer.leaf(top, ":ARG0", opinion[2])
        writer.role(top, ":ARG1")
        if opinion[4]:
            writer.role(writer.node("truth-value"), ":polarity-of")
        writer.part(second)
    elif link in _COORDINATIONS:
        concept, one, other = _COORDINATIONS[link]
        top = writer.node(concept)
        for role, part in ((one, first), (other, second)):
            writer.role(top, role)
            writer.part(part)
    elif link == "possible":
        writer.role(writer.node("possible-01"), ":ARG1")
        writer.part(second)
    else:
        _SUBORDINATE[link.split()[0]](writer, writer.part(second), first, link, number)
    return writer.symbols


def _below(writer: Writer, node: int, way: Sequence[str]) -> None:
    """Write a path of roles and concepts that ends with a role without its target."""
    for role, concept in zip(way[::2], [*way[1::2], ""], strict=True):
        writer.role(node, role)
        if concept:
            node = writer.node(concept)


def _clause(*way: str, denied: bool = False) -> _Subordinate:
    """Return a function that writes the first sentence below the second."""

    def write(writer: Writer, top: int, first: Sequence[str], link: str, number: int) -> None:
        _below(writer, top, way)
        root = writer.part(first)
        if denied:
            writer.leaf(root, ":polarity", "-")

    return write


def _frequency(writer: Writer, top: int, first: Sequence[str], link: str, number: int) -> None:
    writer.leaf(top, ":frequency", link.split()[1])


def _every(writer: Writer, top: int, first: Sequence[str], link: str, number: int) -> None:
    _below(writer, top, (":frequency", "rate-entity-91", ":ARG3"))
    _quantity(writer, 1, link.split()[1])


def _ago(writer: Writer, top: int, first: Sequence[str], link: str, number: int) -> None:
    writer.role(top, ":time")
    before = writer.node("before")
    writer.leaf(before, ":op1", "now")
    writer.role(before, ":quant")
    _quantity(writer, number, link.split()[1])


def _at(writer: Writer, top: int, first: Sequence[str], link: str, number: int) -> None:
    _, concept, *which = link.split()
    writer.role(top, ":time")
    node = writer.node(concept)
    for word in which:
        writer.leaf(node, ":mod", word)


def _for(writer: Writer, top: int, first: Sequence[str], link: str, number: int) -> None:
    writer.role(top, ":duration")
    _quantity(writer, number, link.split()[1])


def _quantity(writer: Writer, number: int, unit: str) -> None:
    node = writer.node("temporal-quantity")
    writer.leaf(node, ":quant", str(number))
    writer.leaf(node, ":unit", unit)


_Subordinate = Callable[[Writer, int, Sequence[str], str, int], None]
_COORDINATIONS: Mapping[str, tuple[str, str, str]] = {
    "and": ("and", ":op1", ":op2"), "or": ("or", ":op1", ":op2"), "but": ("contrast-01", ":ARG1", ":ARG2"),
    "result": ("cause-01", ":ARG0", ":ARG1"),
}  # fmt: skip
_SUBORDINATE: Mapping[str, _Subordinate] = {
    "condition": _clause(":condition"), "unless": _clause(":condition", denied=True),
    "concession": _clause(":concession"), "cause": _clause(":ARG1-of", "cause-01", ":ARG0"),
    "time": _clause(":time"), "before": _clause(":time", "before", ":op1"),
    "after": _clause(":time", "after", ":op1"), "until": _clause(":time", "until", ":op1"),
    "frequency": _frequency, "every": _every, "ago": _ago, "at": _at, "for": _for,
}  # fmt: skip

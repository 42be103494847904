"""Make hard negatives from graphs (foils): change one part of the meaning and keep everything else.

::

    ( bite-01 :ARG0 ( dog ) :ARG1 ( man ) )                 the dog bites the man
    ( bite-01 :ARG0 ( man ) :ARG1 ( dog ) )                 roles: the man bites the dog
    ( bite-01 :ARG0 ( dog ) :ARG1 ( man ) :polarity - )     polarity: the dog does not bite the man

The functions work on linearized tokens as well as on word-piece ids: `Signs` lists the tokens that define
structure. Subtrees are exchanged, not labels, so that a foil looks like an ordinary graph.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Signs(Generic[T]):
    """The tokens that define structure: brackets, two roles, polarity and its value, and all roles."""

    open: T
    close: T
    agent: T
    patient: T
    polarity: T
    minus: T
    roles: frozenset[T]


TEXT_SIGNS: Signs[str] = Signs("(", ")", ":ARG0", ":ARG1", ":polarity", "-", frozenset())


def swap_roles(tokens: Sequence[T], signs: Signs[T], random: np.random.Generator) -> list[T] | None:
    """Exchange the fillers of ``:ARG0`` and ``:ARG1`` of a node; ``None`` if no node has two distinct ones.

    Example:
        >>> graph = "( bite-01 :ARG0 ( dog ) :ARG1 ( man ) )".split()
        >>> " ".join(swap_roles(graph, TEXT_SIGNS, np.random.default_rng(0)))
        '( bite-01 :ARG0 ( man ) :ARG1 ( dog ) )'
    """
    places = [
        spans for spans in _fillers(tokens, signs) if tokens[slice(*spans[0])] != tokens[slice(*spans[1])]
    ]
    if not places:
        return None
    (first, second) = sorted(places[int(random.integers(len(places)))])
    return [
        *tokens[: first[0]], *tokens[second[0] : second[1]], *tokens[first[1] : second[0]],
        *tokens[first[0] : first[1]], *tokens[second[1] :],
    ]  # fmt: skip


def toggle_polarity(tokens: Sequence[T], signs: Signs[T], random: np.random.Generator) -> list[T] | None:
    """Negate the top node, or remove its negation; ``None`` if the tokens are not a complete graph.

    The negation is inserted before one of the node's relations or after the last, with equal probability:
    gold graphs and parsers write it at either end, and it should change the vector in every position.

    Example:
        >>> random = np.random.default_rng(0)
        >>> " ".join(toggle_polarity("( bite-01 :polarity - :ARG0 ( dog ) )".split(), TEXT_SIGNS, random))
        '( bite-01 :ARG0 ( dog ) )'
        >>> " ".join(toggle_polarity("( bite-01 :ARG0 ( dog ) )".split(), TEXT_SIGNS, random))
        '( bite-01 :ARG0 ( dog ) :polarity - )'
    """
    depth, places = 0, []
    for index, token in enumerate(tokens):
        if depth == 1 and token == signs.polarity and list(tokens[index + 1 : index + 2]) == [signs.minus]:
            return [*tokens[:index], *tokens[index + 2 :]]
        if depth == 1 and (token == signs.close or _is_role(token, signs)):
            places.append(index)
            if token == signs.close:
                break
        depth += (token == signs.open) - (token == signs.close)
    else:
        return None
    chosen = places[int(random.integers(len(places)))]
    return [*tokens[:chosen], signs.polarity, signs.minus, *tokens[chosen:]]


def make_foil(
    tokens: Sequence[T], signs: Signs[T], kinds: Sequence[str], random: np.random.Generator
) -> list[T] | None:
    """Make a foil of a randomly drawn kind; of another kind if that one is not possible."""
    for index in random.permutation(len(kinds)):
        foil = (
            swap_roles(tokens, signs, random)
            if kinds[index] == "roles"
            else toggle_polarity(tokens, signs, random)
        )
        if foil is not None:
            return foil
    return None


def _is_role(token: T, signs: Signs[T]) -> bool:
    return token in signs.roles or (isinstance(token, str) and len(token) > 1 and token[0] == ":")


def _fillers(tokens: Sequence[T], signs: Signs[T]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the spans of agent and patient of every node that has one of each."""
    open_nodes: list[tuple[dict[T, tuple[int, int]], T | None, int]] = []
    filler_spans: list[tuple[tuple[int, int], tuple[int, int]]] = []

    def finish(index: int) -> None:
        spans, role, start = open_nodes[-1]
        if role is not None:
            spans.setdefault(role, (start, index))

    for index, token in enumerate(tokens):
        if token == signs.open:
            open_nodes.append(({}, None, index))
        elif not open_nodes:
            continue
        elif token == signs.close:
            finish(index)
            spans = open_nodes.pop()[0]
            if signs.agent in spans and signs.patient in spans:
                filler_spans.append((spans[signs.agent], spans[signs.patient]))
        elif _is_role(token, signs):
            finish(index)
            open_nodes[-1] = (open_nodes[-1][0], token, index + 1)
    return filler_spans

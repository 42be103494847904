"""A value of a text: a number, quantity, time, name or address, with its AMR.

::

    Value("number", (0, 13), '(a / at-least :op1 5)')
    Value("time", (3, 9), '(d / date-entity :weekday (m / monday))')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from amrx.composed_text import Span
from parser.values.units import Unit
from parser.values.words import words_of

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
BOUNDS = ("at-least", "at-most", "less-than", "more-than", "about")
SAME: Mapping[str, frozenset[str]] = {
    concept: frozenset(others.split()) for concept, others in words_of("all")["same_concepts"].items()
}
"""Other concepts of the same meaning."""


@dataclass(frozen=True)
class Value:
    """A value of a text."""

    kind: str  # number, quantity, time, city, country, address or name
    span: Span
    amr: str  # a constant, or a graph in PENMAN
    sure: bool = True  # whether the words have no other frequent meaning
    core: Span | None = None  # span without words such as *at least*, if shorter
    number: str = ""  # of a number or quantity, as AMR writes it
    unit: Unit | None = None  # of a quantity
    bound: str = ""  # one of `BOUNDS`

    @property
    def place(self) -> Span:
        """The span of the value itself, without the words around it."""
        return self.core or self.span


def date_amr(parts: Mapping[str, str]) -> str:
    """Return the AMR of a date.

    Example:
        >>> date_amr({":weekday": "monday", ":time": '"16:30"'})
        '(d / date-entity :weekday (w / monday) :time "16:30")'
    """
    written = (f"{role} {f'(w / {value})' if value in WEEKDAYS else value}" for role, value in parts.items())
    return f"(d / date-entity {' '.join(written)})"


def joined_amr(concept: str, *parts: str) -> str:
    """Return the AMR of a concept above parts, with variables of their own.

    Example:
        >>> joined_amr("and", "(h / hour)", "(d / day)")
        '(x / and :op1 (h1 / hour) :op2 (d2 / day))'
    """
    named = (re.sub(r"\((\w+) /", rf"(\g<1>{number} /", part) for number, part in enumerate(parts, 1))
    return f"(x / {concept} {' '.join(f':op{number} {part}' for number, part in enumerate(named, 1))})"

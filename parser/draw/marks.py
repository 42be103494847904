"""Mark the picture of one graph by another: paired nodes, and nodes without a counterpart.

A pair has one number and one colour in both pictures; nodes and roles that differ have a dashed outline or a
bold role, and the sign ``≠``, so that colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from penman.models.amr import model as amr_model

from amrx.control_characters import markup
from parser.draw.layout import Box

ODD = "≠"

MARK_RULES = """
.amr .paired{fill:hsl(var(--hue) 75% 91%);stroke:hsl(var(--hue) 55% 45%)}
.amr .odd{stroke-dasharray:5 3.5}
.amr .alone{fill:var(--paper);stroke:var(--soft)}
.amr .role.odd{font-weight:700;fill:var(--ink);stroke:none}
.amr .badge{fill:hsl(var(--hue) 55% 36%);stroke:var(--paper);stroke-width:1.5}
.amr .badge.alone{fill:var(--soft)}
.amr .number{font-size:11px;font-weight:700;fill:#fff}
@media(prefers-color-scheme:dark){
.amr .paired{fill:hsl(var(--hue) 38% 24%);stroke:hsl(var(--hue) 55% 60%)}
.amr .badge.alone{fill:#59647a}}
"""


@dataclass(frozen=True, slots=True)
class Marks:
    """How one graph compares with another one."""

    numbers: Mapping[str, int]  # variable of a paired node to the number of its pair, from 1
    odd: frozenset[tuple[str, str, str]]  # triples, concepts among them, that have no counterpart

    def is_odd(self, box: Box) -> bool:
        """Say whether a node's concept or name, or a constant, has no counterpart."""
        if box.variable:
            folded = () if box.name is None else box.name.triples
            return any(triple in self.odd for triple in ((box.variable, ":instance", box.text), *folded))
        return self.is_odd_role(box)

    def is_odd_role(self, box: Box) -> bool:
        """Say whether the edge above a box has no counterpart."""
        if box.parent is None:
            return False
        edge = (box.parent.variable, box.role, box.variable or box.text)
        return tuple(amr_model.deinvert(edge)) in self.odd

    def rect(self, box: Box) -> str:
        """Return the class, and the colour, of a box's outline."""
        number = self.numbers.get(box.variable)
        kind = box.kind if not box.variable else "alone" if number is None else "paired"
        odd = " odd" if self.is_odd(box) else ""
        return f'class="{kind}{odd}{"" if box.row else " top"}"' + ("" if number is None else _hue(number))

    def badge(self, box: Box, x: float, y: float) -> str:
        """Draw a small plate with number and sign, its middle at ``(x, y)``; nothing where all is said."""
        number = self.numbers.get(box.variable)
        text = ("" if number is None else str(number)) + (ODD if self.is_odd(box) else "")
        if not text:
            return ""
        width = 10 + 7.5 * len(text)
        kind, hue = ("badge alone", "") if number is None else ("badge", _hue(number))
        return (
            f'<rect class="{kind}"{hue} x="{x - width / 2:.1f}" y="{y - 8.5:.1f}" width="{width:.1f}" '
            f'height="17" rx="8.5"/><text class="number" x="{x:.1f}" y="{y + 4:.1f}">{markup(text)}</text>'
        )


def _hue(number: int) -> str:
    """Return the colour of a pair; neighbours are a golden angle apart."""
    return f' style="--hue:{round(215 + 137.5 * (number - 1)) % 360}"'

"""Mark in the picture of a graph how it compares with another graph: paired and unpaired nodes.

A pair has one number and one colour in both pictures; nodes and roles that differ have a dashed outline or a
bold role, and the sign ``≠``, so that colour is never the only mark.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from penman.models.amr import model as amr_model

from amrx.control_characters import markup
from parser.draw.layout import Box

ODD = "≠"

MARK_RULES = "\n" + Path(__file__).with_name("pairing.css").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Pairing:
    """Result of comparing one graph with another one."""

    numbers: Mapping[str, int]  # variable of a paired node to the number of its pair, from 1
    odd: frozenset[tuple[str, str, str]]  # triples, including concepts, without a counterpart

    def is_odd(self, box: Box) -> bool:
        """Return whether a node's concept or name, or a constant, has no counterpart."""
        if box.variable:
            folded = () if box.name is None else box.name.triples
            return any(triple in self.odd for triple in ((box.variable, ":instance", box.text), *folded))
        return self.is_odd_role(box)

    def is_odd_role(self, box: Box) -> bool:
        """Return whether the edge above a box has no counterpart."""
        if box.parent is None:
            return False
        edge = (box.parent.variable, box.role, box.variable or box.text)
        return tuple(amr_model.deinvert(edge)) in self.odd

    def rect(self, box: Box) -> str:
        """Return the class and the colour of a box's outline as SVG attributes."""
        number = self.numbers.get(box.variable)
        kind = box.kind if not box.variable else "alone" if number is None else "paired"
        odd = " odd" if self.is_odd(box) else ""
        return f'class="{kind}{odd}{"" if box.row else " top"}"' + ("" if number is None else _hue(number))

    def badge(self, box: Box, x: float, y: float) -> str:
        """Draw a small plate with number and sign, centred at ``(x, y)``; nothing if the node has neither."""
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
    """Return the colour of a pair; consecutive hues differ by the golden angle."""
    return f' style="--hue:{round(215 + 137.5 * (number - 1)) % 360}"'

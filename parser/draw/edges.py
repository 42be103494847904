r"""Ways of re-entrant edges past the boxes and labels between a role and the node it meets again.

::

         boy <─┐ into the node, from below
               └─┐ lane below its row
     go-02       │ aisle: a place where the rows between have nothing
       :ARG0 ────┘ lane below the role

Lanes run where nothing stands: between the roles of a row and its boxes, and below boxes. The aisle is the
one with the least way left and right. Edges of one picture keep some pixels from each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from parser.draw.layout import ROLE_SIZE, Box, text_width

Point = tuple[float, float]

LABEL_RISE = 24.0
"""How far the middle of a role stands above its box."""
_BELOW_ROLE, _BELOW_BOX, _STEP = 12.0, 10.0, 3.0
_AISLE, _CLEAR = 9.0, 5.0
_ROUND = 7.0


class Block(NamedTuple):
    """What an edge must not cross; ``low`` is the larger ``y``."""

    left: float
    right: float
    top: float
    low: float


def blocks(boxes: Iterable[Box], rows: Rows) -> list[Block]:
    """Return the boxes, and the plates of their roles, as a picture has them."""
    found = []
    for box in boxes:
        top = rows.top(box)
        if box.kind != "port":
            found.append(Block(box.x - box.width / 2, box.x + box.width / 2, top, top + rows.height))
        if box.role:
            half = text_width(box.role, ROLE_SIZE) / 2 + 3
            found.append(Block(box.x - half, box.x + half, top - LABEL_RISE - 9, top - LABEL_RISE + 8))
    return found


class Rows(NamedTuple):
    """Where the rows of a picture stand.

    Attributes:
        first: Top of the first row.
        height: Of a box.
        gap: Between a row and the next.
    """

    first: float
    height: float
    gap: float

    def top(self, box: Box) -> float:
        """Return the upper edge of a box, or where that of a port would be."""
        return self.first + box.row * (self.height + self.gap)


def way(port: Box, target: Box, number: int, rows: Rows, around: Iterable[Block]) -> list[Point]:
    """Return the corners of an edge from below its role to the border of the node it meets again."""
    apart = _STEP * (number % 3)
    role = rows.top(port) - LABEL_RISE
    lane = role + _BELOW_ROLE + apart
    above = target.row < port.row
    border = rows.top(target) + (rows.height if above else 0.0)
    other = border + _BELOW_BOX + apart if above else border - LABEL_RISE + _BELOW_ROLE + apart
    between = [block for block in around if block.top < max(lane, other) and block.low > min(lane, other)]
    aisle = _aisle(port.x, target.x, _AISLE + apart, between) if lane != other else port.x
    end = target.x + target.width * (0.28 if aisle >= target.x else -0.28)
    return [(port.x, role + 8), (port.x, lane), (aisle, lane), (aisle, other), (end, other), (end, border)]


def _aisle(start: float, end: float, apart: float, between: list[Block]) -> float:
    """Return the place nearest to both ends at which nothing stands between."""
    places = [end, *(side for block in between for side in (block.left - apart, block.right + apart))]

    def free(x: float) -> bool:
        return all(x <= block.left - _CLEAR or x >= block.right + _CLEAR for block in between)

    # one beyond the outermost block is always free
    return min((x for x in places if free(x)), key=lambda x: abs(x - start) + abs(x - end))


def rounded(corners: list[Point]) -> str:
    """Return a path through corners, upright and level by turns, with the corners rounded.

    Example:
        >>> rounded([(0, 0), (0, 20), (30, 20)])
        'M0.0 0.0L0.0 13.0Q0.0 20.0 7.0 20.0L30.0 20.0'
    """
    kept = [point for point, after in zip(corners, [*corners[1:], None], strict=True) if point != after]
    made = [f"M{kept[0][0]:.1f} {kept[0][1]:.1f}"]
    for before, corner, after in zip(kept, kept[1:], kept[2:], strict=False):
        reach = min(_ROUND, _length(before, corner) / 2, _length(corner, after) / 2)
        (x1, y1), (x2, y2) = _towards(corner, before, reach), _towards(corner, after, reach)
        made.append(f"L{x1:.1f} {y1:.1f}Q{corner[0]:.1f} {corner[1]:.1f} {x2:.1f} {y2:.1f}")
    return "".join(made) + f"L{kept[-1][0]:.1f} {kept[-1][1]:.1f}"


def _length(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _towards(start: Point, end: Point, reach: float) -> Point:
    share = reach / _length(start, end)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])

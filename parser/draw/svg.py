"""Draw AMR graphs as SVG, by building strings.

Frames (``want-01``) are blue, other concepts amber, constants grey, the negative ``-`` red; an edge back to a
node that is already in the tree (a re-entrancy) is dashed and magenta. The picture follows the reader's
light or dark setting.

A re-entrant edge is routed around the boxes and labels between its role and its target node.

::

         boy <─┐ into the node, from below
               └─┐ lane below its row
     go-02       │ aisle: a column that is free in the rows between
       :ARG0 ────┘ lane below the role

Lanes run through free space: between the roles of a row and its boxes, and below boxes. The aisle is the one
with the shortest horizontal path. Edges of one picture keep some pixels from each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from amrx.control_characters import markup
from amrx.types import Parse
from parser.draw.layout import BOX_HEIGHT, MARGIN, ROLE_SIZE, ROW_GAP, WORD_HEIGHT, Box, layout, text_width
from parser.draw.pairing import ODD, Pairing

Point = tuple[float, float]

LABEL_RISE = 24.0
"""Distance from the middle of a role down to its box."""
_BELOW_ROLE, _BELOW_BOX, _STEP = 12.0, 10.0, 3.0
_AISLE, _CLEAR = 9.0, 5.0
_ROUND = 7.0


class Block(NamedTuple):
    """A box that an edge must not cross; ``low`` is the larger ``y``."""

    left: float
    right: float
    top: float
    low: float


def blocks(boxes: Iterable[Box], height: float) -> list[Block]:
    """Return the boxes, of a given height, and the plates of their roles, at their places in the picture."""
    occupied = []
    for box in boxes:
        top = top_of(box, height)
        if box.kind != "port":
            occupied.append(Block(box.x - box.width / 2, box.x + box.width / 2, top, top + height))
        if box.role:
            half = text_width(box.role, ROLE_SIZE) / 2 + 3
            occupied.append(Block(box.x - half, box.x + half, top - LABEL_RISE - 9, top - LABEL_RISE + 8))
    return occupied


def way(port: Box, target: Box, number: int, height: float, around: Iterable[Block]) -> list[Point]:
    """Return the corners of an edge from below its role to the border of its target node."""
    apart = _STEP * (number % 3)
    role = top_of(port, height) - LABEL_RISE
    lane = role + _BELOW_ROLE + apart
    above = target.row < port.row
    border = top_of(target, height) + (height if above else 0.0)
    other = border + _BELOW_BOX + apart if above else border - LABEL_RISE + _BELOW_ROLE + apart
    between = [block for block in around if block.top < max(lane, other) and block.low > min(lane, other)]
    aisle = _aisle(port.x, target.x, _AISLE + apart, between) if lane != other else port.x
    end = target.x + target.width * (0.28 if aisle >= target.x else -0.28)
    return [(port.x, role + 8), (port.x, lane), (aisle, lane), (aisle, other), (end, other), (end, border)]


def _aisle(start: float, end: float, apart: float, between: list[Block]) -> float:
    """Return the free position with the smallest total distance to both ends."""
    places = [end, *(side for block in between for side in (block.left - apart, block.right + apart))]

    def free(x: float) -> bool:
        return all(x <= block.left - _CLEAR or x >= block.right + _CLEAR for block in between)

    # a position beyond the outermost block is always free
    return min((x for x in places if free(x)), key=lambda x: abs(x - start) + abs(x - end))


def rounded(corners: list[Point]) -> str:
    """Return a path of alternating vertical and horizontal lines through corners, with rounded corners.

    Example:
        >>> rounded([(0, 0), (0, 20), (30, 20)])
        'M0.0 0.0L0.0 13.0Q0.0 20.0 7.0 20.0L30.0 20.0'
    """
    kept = [point for point, after in zip(corners, [*corners[1:], None], strict=True) if point != after]
    path = [f"M{kept[0][0]:.1f} {kept[0][1]:.1f}"]
    for before, corner, after in zip(kept, kept[1:], kept[2:], strict=False):
        reach = min(_ROUND, _length(before, corner) / 2, _length(corner, after) / 2)
        (x1, y1), (x2, y2) = _towards(corner, before, reach), _towards(corner, after, reach)
        path.append(f"L{x1:.1f} {y1:.1f}Q{corner[0]:.1f} {corner[1]:.1f} {x2:.1f} {y2:.1f}")
    return "".join(path) + f"L{kept[-1][0]:.1f} {kept[-1][1]:.1f}"


def _length(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _towards(start: Point, end: Point, reach: float) -> Point:
    share = reach / _length(start, end)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


LIGHT = {
    "ink": "#1b2230", "soft": "#5b6475", "line": "#98a1b3", "paper": "#ffffff",
    "frame": "#e6eeff", "frame-line": "#4a77e0", "thing": "#fff4dc", "thing-line": "#d79a2b",
    "constant": "#eef0f4", "constant-line": "#b9c0cd", "negative": "#ffe3e3", "negative-line": "#e0484d",
    "again": "#b8329b",
}  # fmt: skip
DARK = {
    "ink": "#e8ebf2", "soft": "#a3acbd", "line": "#69748a", "paper": "#171b24",
    "frame": "#1d2d52", "frame-line": "#6f98f5", "thing": "#3d301a", "thing-line": "#d9a648",
    "constant": "#2a303c", "constant-line": "#5a6578", "negative": "#4a2024", "negative-line": "#f07176",
    "again": "#ef7fd3",
}  # fmt: skip


def variables(colours: Mapping[str, str]) -> str:
    """Return colours as CSS custom properties."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())


RULES = "\n" + Path(__file__).with_name("picture.css").read_text("utf-8")
STYLE = (
    f"svg.amr{{{variables(LIGHT)}}}\n"
    f"@media(prefers-color-scheme:dark){{svg.amr{{{variables(DARK)}}}}}\n"
    f"svg.amr{{background:var(--paper)}}{RULES}"
)


def draw(parse: Parse, *, standalone: bool = True) -> str:
    """Return the picture of a parse as one SVG element.

    Aligned words are below each concept. ``standalone`` includes colours and namespace, for a separate file.
    """
    return picture(parse, standalone=standalone).svg


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG element and its size in pixels."""

    svg: str
    width: int
    height: int


def picture(parse: Parse, *, standalone: bool, pairing: Pairing | None = None) -> Picture:
    """Draw as `draw` does and return the size too; ``pairing`` compares with another graph."""
    words = {node: " ".join(parse.text[a:b].split()) for node, (a, b) in parse.alignments.items()}
    root = layout(parse.graph, words)
    boxes = list(root.walk())
    tall = BOX_HEIGHT + (WORD_HEIGHT if any(box.word for box in boxes) else 0.0)
    places = {box.variable: box for box in boxes if box.variable and box.kind != "port"}
    ways = _ways(boxes, places, tall)
    edges = [_edge(box, child, tall, ways.get(child)) for box in boxes for child in box.children]
    labels = [_label(box, tall, pairing) for box in boxes if box.role]
    nodes = [_node(box, tall, pairing) for box in boxes if box.kind != "port"]
    bends = [x for corners in ways.values() for x, _ in corners]
    left = min([MARGIN, *bends]) - MARGIN
    width = round(max([box.x + box.slot / 2 for box in boxes] + bends) + MARGIN - left)
    height = round(max(top_of(box, tall) + (0 if box.kind == "port" else tall) for box in boxes) + MARGIN)
    head = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    style = f"<style>{STYLE}</style>" if standalone else ""
    svg = (
        f'<svg class="amr"{head} role="img" viewBox="{left:.0f} 0 {width} {height}" width="{width}" '
        f'height="{height}">{style}<title>{markup(parse.text)}</title>'
        f"{''.join([*edges, *labels, *nodes])}</svg>\n"
    )
    return Picture(svg, width, height)


def _ways(boxes: Sequence[Box], places: Mapping[str, Box], height: float) -> dict[Box, list[Point]]:
    """Return the path of each re-entrant edge, from its port to its target."""
    around = blocks(boxes, height)
    ports = [box for box in boxes if box.kind == "port"]
    return {
        port: way(port, places[port.variable], number, height, around) for number, port in enumerate(ports)
    }


def top_of(box: Box, height: float) -> float:
    """Return the upper edge of a box; for a port, the edge that a box in its place would have."""
    return MARGIN + box.row * (height + ROW_GAP)


def _edge(parent: Box, child: Box, height: float, further: list[Point] | None) -> str:
    """Draw an edge: down to a child, or down to the role of a re-entrant edge and then to its target."""
    y1 = top_of(parent, height) + height
    y2 = top_of(child, height)
    bend = ROW_GAP * 0.55
    down = (
        f"M{parent.x:.1f} {y1:.1f}C{parent.x:.1f} {y1 + bend:.1f} {child.x:.1f} {y1 + 8:.1f} {child.x:.1f} "
    )
    if further is None:
        return f'<path class="edge" d="{down}{y2 - 7:.1f}"/>' + _tip((child.x, y2), (0.0, 1.0), "tip")
    *others, (x, y) = further
    towards = 1.0 if y > others[-1][1] else -1.0  # the edge enters the node vertically
    line = f"{down}{y2 - LABEL_RISE - 9:.1f}{rounded([*others, (x, y - 7 * towards)])}"
    return f'<path class="edge again" d="{line}"/>' + _tip((x, y), (0.0, towards), "tip again")


def _tip(end: tuple[float, float], towards: tuple[float, float], kind: str) -> str:
    """Draw an arrow head that ends at ``end``; ``towards`` is its unit direction."""
    (x, y), (dx, dy) = end, towards
    back = (x - 8 * dx, y - 8 * dy)
    left, right = (back[0] + 4 * dy, back[1] - 4 * dx), (back[0] - 4 * dy, back[1] + 4 * dx)
    corners = "L".join(f"{px:.1f} {py:.1f}" for px, py in (end, left, right))
    return f'<path class="{kind}" d="M{corners}Z"/>'


def _label(box: Box, height: float, pairing: Pairing | None) -> str:
    """Draw the role above its box, on a plate that hides the edge behind it."""
    odd = pairing is not None and pairing.is_odd_role(box)
    role = f"{ODD} {box.role}" if odd else box.role
    width = text_width(role, ROLE_SIZE) + 6
    y = top_of(box, height) - LABEL_RISE
    kind = ("role again" if box.kind == "port" else "role") + (" odd" if odd else "")
    position = f'x="{box.x - width / 2:.1f}" y="{y - 9:.1f}"'
    plate = f'<rect class="label" {position} width="{width:.1f}" height="17" rx="4"/>'
    return f'{plate}<text class="{kind}" x="{box.x:.1f}" y="{y + 4:.1f}">{markup(role)}</text>'


def _node(box: Box, height: float, pairing: Pairing | None) -> str:
    top = top_of(box, height)
    concept = box.kind in ("frame", "thing")
    tall = height if concept else BOX_HEIGHT - 4
    text_height = BOX_HEIGHT if box.word else tall
    kind = f'class="{box.kind}{"" if box.row else " top"}"' if pairing is None else pairing.rect(box)
    badge = "" if pairing is None else pairing.badge(box, box.x - box.width / 2, top)
    middle = top + text_height / 2
    shape = (
        f'<rect {kind} x="{box.x - box.width / 2:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
        f'height="{tall:.1f}" rx="{9 if concept else 3}"/>'
    )
    text = f'<text class="{"concept" if concept else "value"}" x="{box.x:.1f}" y="{middle + 5:.1f}">'
    word = f'<text class="word" x="{box.x:.1f}" y="{top + height - 8:.1f}">{markup(box.word)}</text>'
    hint = f"<title>{markup(f'{box.variable} / {box.label}')}</title>" if concept else ""
    name = "" if box.name is None else f' <tspan class="named">{markup(box.name.text)}</tspan>'
    return f"<g>{hint}{shape}{text}{markup(box.text)}{name}</text>{word if box.word else ''}{badge}</g>"

"""parser.draw.svg: re-entrant edges pass the boxes and labels of a picture."""

from collections.abc import Iterator
from pathlib import Path

import penman
import pytest

from parser.draw.layout import BOX_HEIGHT, Box, layout
from parser.draw.svg import Block, Point, blocks, rounded, top_of, way


def ways(graph: penman.Graph) -> tuple[list[Block], list[tuple[Box, Box, list[Point]]]]:
    """Everything that stands in the picture, and each port with its node and way."""
    boxes = list(layout(graph, {}).walk())
    around = blocks(boxes, BOX_HEIGHT)
    nodes = {box.variable: box for box in boxes if box.variable and box.kind != "port"}
    ports = [box for box in boxes if box.kind == "port"]
    found = [
        (port, nodes[port.variable], way(port, nodes[port.variable], number, BOX_HEIGHT, around))
        for number, port in enumerate(ports)
    ]
    return around, found


def legs(corners: list[Point]) -> Iterator[Block]:
    """Yield the straight pieces of a way, as blocks without breadth."""
    for (x1, y1), (x2, y2) in zip(corners, corners[1:], strict=False):
        yield Block(min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2))


def crossed(corners: list[Point], around: list[Block]) -> list[Block]:
    """Blocks of which a leg touches more than the border."""
    return [
        block
        for leg in legs(corners)
        for block in around
        if leg.left < block.right and leg.right > block.left and leg.top < block.low and leg.low > block.top
    ]


SENTENCES = [
    # the edge of left-19 ran behind come-01 and seemed to begin there
    "(s / say-01 :ARG0 (h / he) :ARG1 (a / and :op1 (c / come-01 :polarity - :ARG1 (i / i)) "
    ":op2 (l / left-19 :ARG1 h)))",
    # up past a sibling, to an ancestor, to itself, and down to a later node
    '(m / meet-03 :ARG0 (p / person :name (n / name :op1 "Ahmed") :ARG1-of (h / have-rel-role-91 :ARG0 q)) '
    ":ARG1 (q / person))",
    "(a / alpha :ARG0 (b / beta-01 :ARG1 a :ARG2 (c / gamma :mod b :mod c)))",
    "(w / want-01 :ARG0 b :ARG1 (g / go-02 :ARG4 (h / home :mod (o / old)) :ARG0 (b / boy)))",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_no_edge_runs_behind_a_box_or_a_label(text: str) -> None:
    around, found = ways(penman.decode(text))
    assert found
    for _, _, corners in found:
        assert crossed(corners, around) == []


def test_nor_in_a_book(data_dir: Path) -> None:
    with (data_dir / "amr" / "lpp" / "dev.amr").open(encoding="utf-8") as stream:
        graphs = list(penman.iterdecode(stream))
    total = 0
    for graph in graphs:
        around, found = ways(graph)
        total += len(found)
        for port, node, corners in found:
            assert crossed(corners, around) == [], penman.encode(graph)
            (start, lane), (end, border) = corners[0], corners[-1]
            assert start == port.x and lane < top_of(port, BOX_HEIGHT)
            assert abs(end - node.x) <= node.width / 2
            assert border in (top_of(node, BOX_HEIGHT), top_of(node, BOX_HEIGHT) + BOX_HEIGHT)
    assert total > 100


def test_ways_are_upright_and_level_by_turns() -> None:
    for text in SENTENCES:
        for _, _, corners in ways(penman.decode(text))[1]:
            for before, after in zip(corners, corners[1:], strict=False):
                assert before[0] == after[0] or before[1] == after[1]


def test_corners_are_rounded_by_half_of_a_short_leg_at_most() -> None:
    assert rounded([(0, 0), (0, 0), (0, 4), (50, 4)]) == "M0.0 0.0L0.0 2.0Q0.0 4.0 2.0 4.0L50.0 4.0"

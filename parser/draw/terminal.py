"""Draw an AMR graph as a tree in the terminal, in the colours of the pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import penman

from amrx.control_characters import visible
from parser.draw.layout import Box, layout

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

STYLES = {"frame": "bold blue", "thing": "bold yellow", "constant": "none", "negative": "bold red"}


def tree(graph: penman.Graph) -> Tree:
    """Return the spanning tree for a rich console; a re-entrant edge shows the concept of its target.

    Example:
        >>> from rich.console import Console
        >>> Console(width=40).print(tree(penman.decode("(w / want-01 :ARG0 (b / boy))")))
        want-01
        └── :ARG0 boy
    """
    from rich.tree import Tree

    root = layout(graph, {})
    concepts = {box.variable: box.text for box in root.walk() if box.kind != "port"}
    top = Tree(_line(root, concepts), guide_style="dim")
    waiting = [(root, top)]
    while waiting:
        box, branch = waiting.pop()
        waiting += [(child, branch.add(_line(child, concepts))) for child in box.children]
    return top


def _line(box: Box, concepts: dict[str, str]) -> Text:
    from rich.text import Text

    role = (visible(f"{box.role} "), "dim") if box.role else ""
    if box.kind == "port":
        return Text.assemble(role, (visible(f"↑ {concepts[box.variable]}"), "italic magenta"))
    return Text.assemble(role, (visible(box.label), STYLES[box.kind]))

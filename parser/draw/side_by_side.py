"""Write one HTML page with pairs of graphs: gold and parse side by side, and how they differ.

Paired nodes have one number and one colour (`parser.draw.pairing`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amrx.control_characters import markup
from amrx.types import Parse
from parser.draw.layout import folded_names
from parser.draw.page import Table, card, document, table_html
from parser.draw.pairing import MARK_RULES, ODD, Pairing
from parser.draw.svg import picture
from parser.graphs.diff import compare


@dataclass(frozen=True, slots=True)
class Scene:
    """A gold graph, the graph scored against it, and its score in words."""

    gold: Parse
    predicted: Parse
    score: str


def side_by_side(scenes: Iterable[Scene], *, title: str, note: str = "") -> str:
    """Return a page of the scenes, in order; it needs no network and no script."""
    legend = (
        "The same number and colour: one node is mapped to the other. "
        f"{ODD} and a dashed outline: the concept, the name or the node is only in this graph; "
        f"{ODD} before a role: the role is only in this graph."
    )
    body = "".join(f'<p class="note">{markup(text)}</p>' for text in (note, legend) if text)
    return document(title, body + "".join(map(_scene, scenes)), MARK_RULES)


def _scene(scene: Scene) -> str:
    parses = scene.gold, scene.predicted
    comparison = compare(*(parse.graph for parse in parses))
    folded = [{name.variable for name in folded_names(parse.graph).values()} for parse in parses]
    pairs = [pair for pair in comparison.pairs if not (pair[0] in folded[0] and pair[1] in folded[1])]
    cards = ""
    for side, name in enumerate(("gold", "parsed")):
        numbers = {pair[side]: number for number, pair in enumerate(pairs, start=1)}
        drawing = picture(parses[side], standalone=False, pairing=Pairing(numbers, comparison.odd[side]))
        cards += card(parses[side], drawing, tag=f'<span class="tag same">{name}</span>')
    facts = [(fact.about, _shown(fact.left), _shown(fact.right)) for fact in comparison.differ]
    return f'<h2>{markup(_title(scene))}</h2><div class="cards">{cards}</div>{_table(facts)}'


def _title(scene: Scene) -> str:
    return f"{scene.gold.id}: {scene.score}" if scene.gold.id else scene.score


def _table(facts: Sequence[tuple[str, str, str]]) -> str:
    return table_html(Table("", ("differs in", "gold", "parsed"), facts)) if facts else ""


def _shown(value: str | None) -> str:
    return "(none)" if value is None else value

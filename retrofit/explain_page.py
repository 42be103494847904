"""Write an explanation as one HTML page: cosines, both graphs side by side, shared and differing facts.

It needs no network and no script. Paired nodes have the same number and colour in both graphs; nodes and
roles without a counterpart have a dashed outline or a bold role, and the sign ``≠``.
"""

from collections.abc import Sequence
from pathlib import Path

from amrx.control_characters import markup
from parser.draw.layout import folded_names
from parser.draw.page import Table, card, document, table_html
from parser.draw.pairing import MARK_RULES, ODD, Pairing
from parser.draw.svg import picture
from parser.graphs.diff import Fact
from retrofit.explain import HEADINGS, Explanation, by_facet, cosine_rows

COLUMN = 640
"""Wider pictures get the whole width, with one graph below the other."""

RULES = f"{MARK_RULES}\n{Path(__file__).with_name('explain_page.css').read_text('utf-8')}"
LEGEND = (
    '<div class="legend"><span><span class="key">1</span>the same number and colour: one node stands for the '
    f'other</span><span><span class="key">1{ODD}</span>paired, but the concepts or names differ</span>'
    f'<span><span class="key alone">{ODD}</span>dashed: only in this graph</span>'
    f"<span><b>{ODD} :role</b>&ensp;this role leads elsewhere in the other graph</span></div>"
)


def as_html(*explanations: Explanation) -> str:
    """Return a page of one pair, or of several pairs one below the other."""
    return document("Why two sentences match", "<hr>".join(map(explanation_html, explanations)), RULES)


def explanation_html(explanation: Explanation) -> str:
    """Return the part of a page on one pair."""
    comparison, parses = explanation.comparison, explanation.parses
    cards = []
    wide = False
    folded = [{name.variable for name in folded_names(parse.graph).values()} for parse in parses]
    pairs = [pair for pair in comparison.pairs if not (pair[0] in folded[0] and pair[1] in folded[1])]
    for side in (0, 1):
        numbers = {pair[side]: number for number, pair in enumerate(pairs, start=1)}
        drawing = picture(parses[side], standalone=False, pairing=Pairing(numbers, comparison.odd[side]))
        wide = wide or drawing.width > COLUMN
        cards.append((parses[side], drawing))
    pictures = "".join(
        card(parse, drawing, tag=f'<span class="tag same">{letter}</span>')
        for letter, (parse, drawing) in zip("ab", cards, strict=True)
    )
    rows = cosine_rows(explanation.cosines)
    cosines = table_html(Table("", ("", "cosine", "share", "usual"), rows, explanation.summary))
    title = f"<h2>{markup(explanation.title)}</h2>" if explanation.ids else ""
    body = (
        f'{title}{_contradictions(explanation)}<div class="cosines">{cosines}</div>{LEGEND}'
        f'<div class="two{" long" if wide else ""}">{pictures}'
        f'</div><div class="two">{_facts("They agree on", comparison.agree, both=True)}'
        f"{_facts('They differ in', comparison.differ, both=False)}</div>"
    )
    return body


def _contradictions(explanation: Explanation) -> str:
    """Return the contradicting statements, if there are any."""
    lines = "".join(f"<li>{markup(words)}</li>" for words in explanation.contradictions)
    return (
        f'<div class="against"><b>{ODD} They contradict each other (a | b)</b><ul>{lines}</ul></div>'
        if lines
        else ""
    )


def _facts(title: str, facts: Sequence[Fact], *, both: bool) -> str:
    """Return a table of facts, with one column for shared facts, else one column per graph."""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("", "both" if both else "a", "b")[: 3 - both])
    rows = "".join(_rows(heading, members, both=both) for heading, members in by_facet(facts))
    if not rows:
        return f'<section><h2>{title}</h2><p class="note">nothing</p></section>'
    return (
        f'<section><h2>{title}</h2><div class="scroll facts"><table><thead><tr>{head}</tr></thead>{rows}'
        "</table></div></section>"
    )


def _rows(heading: str, facts: Sequence[Fact], *, both: bool) -> str:
    """Return the rows of one kind of facts below their heading."""
    width = 2 if both else 3
    lines = [f'<tr><th scope="rowgroup" colspan="{width}">{heading}</th></tr>']
    if both and heading == HEADINGS["concept"]:
        words = ", ".join(str(fact.left) for fact in facts)
        lines.append(f'<tr><td colspan="2">{markup(words)}</td></tr>')
        return f"<tbody>{''.join(lines)}</tbody>"
    for fact in facts:
        sides = "".join(_side(side) for side in (fact.left, fact.right)[: width - 1])
        lines.append(f"<tr><td>{markup(fact.about)}</td>{sides}</tr>")
    return f"<tbody>{''.join(lines)}</tbody>"


def _side(text: str | None) -> str:
    return '<td class="none">(none)</td>' if text is None else f"<td>{markup(text)}</td>"

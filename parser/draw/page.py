"""Write one HTML page with groups of graphs and tables of similarities; it needs no network.

A page of several graphs has an index and a search box. Their script is part of the page, and its hash is in
the page's content security policy: nothing else is run or loaded, whatever the sentences contain. Without
scripts everything except the search works.

`side_by_side` is a page with pairs of graphs: gold and parse, and how they differ. Paired nodes have one
number and one colour (`parser.draw.pairing`).
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import penman

from amrx.control_characters import markup
from amrx.types import Parse
from parser.draw.layout import folded_names
from parser.draw.pairing import MARK_RULES, ODD, Pairing
from parser.draw.svg import DARK, LIGHT, RULES, Picture, picture, variables
from parser.graphs.diff import compare
from parser.graphs.matching import groups as same_groups

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi", "ps", "sd", "ug"})
ENTRY = 90
"""Maximum number of characters of a sentence in the index."""


@dataclass(frozen=True, slots=True)
class Group:
    """Parses shown side by side, such as one meaning in seven languages."""

    title: str
    parses: Sequence[Parse]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; numbers between 0 and 1 are drawn with a bar."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]
    note: str = ""


CSS = f"""
:root{{color-scheme:light dark;{variables(LIGHT)}--ground:#f4f6fa;--edge:#dfe3eb;--bar:#c9d8fb}}
@media(prefers-color-scheme:dark){{:root{{{variables(DARK)}--ground:#0f1219;--edge:#2b3240;--bar:#2c4275}}}}
{Path(__file__).with_name("page.css").read_text("utf-8")}"""
SCRIPT = "\n" + Path(__file__).with_name("search.js").read_text("utf-8")
LEGEND = (
    '<div class="legend"><span><i class="frame"></i>frame (a verb sense)</span>'
    '<span><i class="thing"></i>other concept</span><span><i class="constant"></i>constant</span>'
    '<span><i class="negative"></i>negation</span>'
    '<span><i class="again"></i>the same node again (re-entrancy)</span></div>'
)


def page(
    groups: Sequence[Group], tables: Sequence[Table] = (), *, title: str = "AMR graphs", note: str = ""
) -> str:
    """Return a whole HTML page: title, tables, then the groups."""
    anchors = list(_anchors([parse for group in groups for parse in group.parses]))
    body = [_note(note), LEGEND]
    body += [table_html(table) for table in tables]
    rest = iter(anchors)
    body += [_group(group, [next(rest) for _ in group.parses]) for group in groups]
    return document(title, "".join(body), index=_index(groups, anchors) if len(anchors) > 1 else "")


def document(title: str, body: str, rules: str = "", index: str = "") -> str:
    """Return a whole page around ``body``, with the colours of the pictures and further CSS ``rules``.

    An ``index``, with the script of its search, is beside the body, or above it on a narrow screen.
    """
    script = SCRIPT if index else ""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    source = f"'sha256-{digest}'" if script else "'none'"
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {source}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{markup(title)}</title><style>{CSS}{RULES}{rules}</style></head>\n"
        f"<body{' class=indexed' if index else ''}>{index}<main><h1>{markup(title)}</h1>{body}</main>"
        f"{f'<script>{script}</script>' if script else ''}</body></html>\n"
    )


def _anchors(parses: Sequence[Parse]) -> Iterator[str]:
    """Yield an anchor per parse: its id without spaces, with a number if several parses have the same id."""
    taken: set[str] = set()
    for number, parse in enumerate(parses, 1):
        name = re.sub(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+", "_", parse.id) or str(number)
        anchor, again = name, 1
        while anchor in taken:
            again += 1
            anchor = f"{name}-{again}"
        taken.add(anchor)
        yield anchor


def _index(groups: Sequence[Group], anchors: Sequence[str]) -> str:
    """Return the search box, hidden until its script runs, and a link per graph."""
    parses = [parse for group in groups for parse in group.parses]
    links = "".join(
        f'<li><a href="#{quote(anchor)}" title="{markup(parse.text[:ENTRY])}">'
        f"<b>{markup(parse.id or anchor)}</b> <bdi>{markup(parse.text[:ENTRY])}</bdi></a></li>"
        for parse, anchor in zip(parses, anchors, strict=True)
    )
    box = '<input type="search" hidden placeholder="id, words, concepts" aria-label="Search the graphs">'
    return f'<nav class="index">{box}<p role="status">{len(parses)} graphs</p><ol>{links}</ol></nav>'


def _note(text: str) -> str:
    return f'<p class="note">{markup(text)}</p>' if text else ""


def _group(group: Group, anchors: Sequence[str]) -> str:
    numbers = same_groups([parse.graph for parse in group.parses])
    cards = (
        _card(parse, numbers.count(number), number, anchor)
        for parse, number, anchor in zip(group.parses, numbers, anchors, strict=True)
    )
    title = f"<h2>{markup(group.title)}</h2>" if group.title else ""
    head = f"{title}{_note(group.note)}"
    return f'<section class="group">{head}<div class="cards">{"".join(cards)}</div></section>\n'


def _card(parse: Parse, same: int, number: int, anchor: str) -> str:
    """Draw one parse; ``same`` counts the equal graphs of its group, itself included; they share a letter."""
    letter = chr(ord("A") + number) if number < 26 else str(number + 1)
    tag = f'<span class="tag same" title="{same} equal graphs">{letter} ×{same}</span>' if same > 1 else ""
    return card(parse, picture(parse, standalone=False), tag=tag, anchor=anchor)


def card(parse: Parse, drawing: Picture, *, tag: str = "", anchor: str = "") -> str:
    """Return a card with a parse's sentence, its picture and its PENMAN text; an ``anchor`` links to it."""
    direction = "rtl" if parse.lang in RIGHT_TO_LEFT else "ltr"
    tags = [f'<a class="tag" href="#{quote(anchor)}">{markup(parse.id or anchor)}</a>'] if anchor else []
    tags += [f'<span class="tag">{markup(parse.lang)}</span>'] if parse.lang else []
    tags.append(tag)
    if parse.confidence is not None:
        title = "expected Smatch of the graph"
        tags.append(f'<span class="tag" title="{title}">{parse.confidence:.2f}</span>')
    if parse.status != "ok":
        why = markup("; ".join(parse.repairs))
        tags.append(f'<span class="tag {parse.status}" title="{why}">{parse.status}</span>')
    if parse.missing:
        words = markup(", ".join(parse.missing))
        tags.append(f'<span class="tag repaired" title="not in the graph: {words}">missing {words}</span>')
    lang = f' lang="{markup(parse.lang)}"' if parse.lang else ""
    name = f' id="{markup(anchor)}"' if anchor else ""
    return (
        f'<article class="card"{name} style="--w:{drawing.width}px"><header>{"".join(tags)}</header>'
        f'<p{lang} dir="{direction}">{markup(parse.text)}</p><div class="picture">{drawing.svg}</div>'
        f"<details><summary>PENMAN</summary><pre>{markup(bare(parse.graph))}</pre></details></article>"
    )


def bare(graph: penman.Graph) -> str:
    """Return a graph as PENMAN text without the comments above it."""
    return str(penman.encode(penman.Graph(graph.triples, top=graph.top, epidata=graph.epidata)))


def table_html(table: Table) -> str:
    """Return a table with its heading and note."""
    head = "".join(f'<th scope="col">{markup(name)}</th>' for name in table.header)
    rows = "".join(
        f'<tr><th scope="row">{markup(str(row[0]))}</th>{"".join(map(_cell, row[1:]))}</tr>'
        for row in table.rows
    )
    return (
        f'<section><h2>{markup(table.title)}</h2><div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{_note(table.note)}</section>\n"
    )


def _cell(value: str | float | None) -> str:
    if value is None:
        return "<td>–</td>"
    if isinstance(value, str):
        return f"<td>{markup(value)}</td>"
    if 0 <= value <= 1:
        return f'<td class="bar" style="--v:{100 * value:.1f}%">{value:.2f}</td>'
    return f"<td>{value:.2f}</td>"


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

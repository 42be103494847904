"""One HTML page with graphs in groups and tables of similarities; it needs no network.

A page of several graphs has an index and a search box. Their script is part of the page, and its hash in the
page's content security policy: nothing else is run or loaded, whatever the sentences hold. Without scripts
all but the search works.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import penman

from amrx.control_characters import markup
from amrx.types import Parse
from parser.draw.svg import DARK, LIGHT, RULES, Picture, picture, variables
from parser.graphs.matching import groups as same_groups

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi", "ps", "sd", "ug"})
SHORTEST = 0.6
"""A picture shrinks to the width of its card, down to this scale; a wider one scrolls."""
LONGEST = 1.15
ENTRY = 90
"""Most characters of a sentence in the index."""


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
*{{box-sizing:border-box}}
body{{margin:0;background:var(--ground);color:var(--ink);line-height:1.5;
  font-family:"Inter","Segoe UI","Helvetica Neue",Arial,"Noto Sans","Noto Sans CJK SC",sans-serif}}
main{{max-width:1440px;margin:0 auto;padding:32px 28px 64px}}
h1{{font-size:28px;margin:0 0 4px;letter-spacing:-.01em}}
h2{{font-size:19px;margin:40px 0 2px}}
p.note{{margin:0 0 12px;color:var(--soft);max-width:80ch}}
.legend{{display:flex;flex-wrap:wrap;gap:6px 18px;color:var(--soft);font-size:13px;margin:10px 0 16px}}
.legend i{{display:inline-block;width:22px;height:13px;border-radius:4px;border:1.5px solid;margin-right:6px;
  vertical-align:-2px}}
.legend .frame{{background:var(--frame);border-color:var(--frame-line)}}
.legend .thing{{background:var(--thing);border-color:var(--thing-line)}}
.legend .constant{{background:var(--constant);border-color:var(--constant-line);border-radius:2px}}
.legend .negative{{background:var(--negative);border-color:var(--negative-line);border-radius:2px}}
.legend .again{{width:30px;height:0;border:0;border-top:2px dashed var(--again);vertical-align:4px}}
.cards{{display:flex;flex-wrap:wrap;gap:14px}}
.card{{background:var(--paper);border:1px solid var(--edge);border-radius:12px;padding:12px 14px;min-width:0;
  max-width:100%;display:flex;flex-direction:column;flex:1 1 max(300px,calc(var(--w,300px) + 30px))}}
.card:target{{border-color:var(--frame-line);box-shadow:0 0 0 2px var(--frame-line)}}
[hidden]{{display:none!important}}
.card header{{display:flex;flex-wrap:wrap;gap:6px}}
.card p{{margin:6px 0 0;font-weight:600;overflow-wrap:anywhere}}
.tag{{font:600 11.5px/1.7 ui-monospace,Menlo,Consolas,monospace;padding:0 7px;border-radius:6px;
  background:var(--constant);color:var(--soft)}}
a.tag{{text-decoration:none;color:var(--ink);overflow-wrap:anywhere}}
a.tag:hover{{text-decoration:underline}}
.tag.same{{margin-left:auto;background:var(--frame);color:var(--ink)}}
.tag.repaired{{background:var(--thing);color:var(--ink)}}
.tag.failed{{background:var(--negative);color:var(--ink)}}
.picture{{overflow-x:auto;flex:1;display:flex;align-items:flex-start;padding:10px 0}}
.picture svg{{display:block;margin:0 auto;flex:1 0 auto;height:auto;width:100%;
  min-width:calc(var(--w)*{SHORTEST});max-width:calc(var(--w)*{LONGEST})}}
details{{font-size:12.5px;color:var(--soft)}}
summary{{cursor:pointer}}
pre{{margin:6px 0 0;overflow-x:auto;color:var(--ink);font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}}
.scroll+p.note{{margin-top:8px}}
.scroll{{overflow-x:auto;background:var(--paper);border:1px solid var(--edge);border-radius:12px}}
table{{border-collapse:collapse;width:100%;font-size:14px}}
th,td{{padding:7px 14px;text-align:right;border-top:1px solid var(--edge);font-variant-numeric:tabular-nums}}
thead th{{border-top:0;color:var(--soft);font-weight:600;vertical-align:bottom}}
th:first-child{{text-align:left;font-weight:600;white-space:nowrap}}
td.bar{{background:linear-gradient(90deg,var(--bar) var(--v),transparent 0) no-repeat
  10px 50%/calc(100% - 68px) 12px}}
.index{{font-size:13px}}
.index input{{width:100%;padding:7px 10px;font:inherit;font-size:14px;color:var(--ink);
  background:var(--paper);border:1px solid var(--edge);border-radius:8px}}
.index p{{margin:6px 2px;color:var(--soft)}}
.index ol{{list-style:none;margin:0;padding:0}}
.index a{{display:block;padding:4px 8px;border-radius:6px;text-decoration:none;color:var(--soft);
  overflow:hidden;white-space:nowrap;text-overflow:ellipsis}}
.index a:hover,.index a:focus{{background:var(--constant)}}
.index b{{color:var(--ink);font-weight:600;margin-right:6px}}
@media(min-width:1000px){{body.indexed{{display:grid;grid-template-columns:260px minmax(0,1fr)}}
  .index{{position:sticky;top:0;height:100vh;padding:24px 12px;overflow-y:auto;
  border-right:1px solid var(--edge)}}
  .indexed main{{width:100%}}}}
@media(max-width:999px){{.index{{padding:14px 14px 0}}.index ol{{max-height:22vh;overflow-y:auto;
  border:1px solid var(--edge);border-radius:8px}}}}
@media(max-width:600px){{main{{padding:20px 14px 48px}}}}
"""
SCRIPT = r"""
const box = document.querySelector(".index input"), count = document.querySelector(".index p");
const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const cards = [...document.querySelectorAll(".card")], links = [...document.querySelectorAll(".index li")];
const texts = cards.map(card => fold(card.textContent));
const search = () => {
  const terms = fold(box.value).split(/\s+/);
  let shown = 0;
  cards.forEach((card, i) => {
    const meets = terms.every(term => texts[i].includes(term));
    card.hidden = links[i].hidden = !meets;
    shown += meets;
  });
  for (const part of document.querySelectorAll("section.group"))
    part.hidden = !part.querySelector(".card:not([hidden])");
  count.textContent = shown + " of " + cards.length + " graphs";
};
box.hidden = false;
box.addEventListener("input", search);
addEventListener("hashchange", () => {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (card && card.hidden) { box.value = ""; search(); card.scrollIntoView(); }
});
"""
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

    An ``index`` is beside the body, or above it on a narrow screen, with the script of its search.
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
    """Yield an anchor per parse: its id, without blanks, and numbered where several have one id."""
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
    """Draw one parse; ``same`` graphs of its group, itself among them, equal it and share a letter."""
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
        title = "Smatch that the graph can be expected to have"
        tags.append(f'<span class="tag" title="{title}">{parse.confidence:.2f}</span>')
    if parse.status != "ok":
        why = markup("; ".join(parse.repairs))
        tags.append(f'<span class="tag {parse.status}" title="{why}">{parse.status}</span>')
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

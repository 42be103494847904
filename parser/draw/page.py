"""One HTML page with graphs in groups and tables of similarities; it needs no network and no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import penman

from amrx.control_characters import markup
from amrx.types import Parse
from parser.draw.svg import DARK, LIGHT, RULES, Picture, picture, variables
from parser.graphs.isomorphism import groups as same_groups

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi", "ps", "sd", "ug"})
WIDE = 560


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
.cards{{display:grid;grid-template-columns:repeat(auto-fill,minmax(320px,1fr));gap:14px}}
.card{{background:var(--paper);border:1px solid var(--edge);border-radius:12px;padding:12px 14px;min-width:0;
  display:flex;flex-direction:column}}
.card.wide{{grid-column:1/-1}}
.card header{{display:flex;gap:6px}}
.card p{{margin:6px 0 0;font-weight:600;overflow-wrap:anywhere}}
.tag{{font:600 11.5px/1.7 ui-monospace,Menlo,Consolas,monospace;padding:0 7px;border-radius:6px;
  background:var(--constant);color:var(--soft)}}
.tag.same{{margin-left:auto;background:var(--frame);color:var(--ink)}}
.tag.repaired{{background:var(--thing);color:var(--ink)}}
.tag.failed{{background:var(--negative);color:var(--ink)}}
.picture{{overflow-x:auto;flex:1;display:flex;align-items:flex-start;padding:10px 0}}
.picture svg{{display:block;margin:0 auto;flex:none}}
.card:not(.wide) .picture svg{{max-width:100%;height:auto}}
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
    """Return a whole HTML page: title, tables, then the groups.

    Raises:
        InputError: A graph is not connected.
    """
    body = [_note(note), LEGEND]
    body += [table_html(table) for table in tables]
    body += [_group(group) for group in groups]
    return document(title, "".join(body))


def document(title: str, body: str, rules: str = "") -> str:
    """Return a whole page around ``body``, with the colours of the pictures and further CSS ``rules``."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{markup(title)}</title><style>{CSS}{RULES}{rules}</style></head>\n"
        f"<body><main><h1>{markup(title)}</h1>{body}</main></body></html>\n"
    )


def _note(text: str) -> str:
    return f'<p class="note">{markup(text)}</p>' if text else ""


def _group(group: Group) -> str:
    numbers = same_groups([parse.graph for parse in group.parses])
    cards = (
        _card(parse, numbers.count(number), number)
        for parse, number in zip(group.parses, numbers, strict=True)
    )
    title = f"<h2>{markup(group.title)}</h2>" if group.title else ""
    head = f"{title}{_note(group.note)}"
    return f'<section>{head}<div class="cards">{"".join(cards)}</div></section>\n'


def _card(parse: Parse, same: int, number: int) -> str:
    """Draw one parse; ``same`` graphs of its group, itself among them, equal it and share a letter."""
    letter = chr(ord("A") + number) if number < 26 else str(number + 1)
    tag = f'<span class="tag same" title="{same} equal graphs">{letter} ×{same}</span>' if same > 1 else ""
    drawing = picture(parse, standalone=False)
    return card(parse, drawing, tag=tag, wide=drawing.width > WIDE)


def card(parse: Parse, drawing: Picture, *, tag: str = "", wide: bool = False) -> str:
    """Return a card with a parse's sentence, its picture and its PENMAN text."""
    direction = "rtl" if parse.lang in RIGHT_TO_LEFT else "ltr"
    tags = [f'<span class="tag">{markup(parse.lang)}</span>'] if parse.lang else []
    tags.append(tag)
    if parse.confidence is not None:
        title = "Smatch that the graph can be expected to have"
        tags.append(f'<span class="tag" title="{title}">{parse.confidence:.2f}</span>')
    if parse.status != "ok":
        why = markup("; ".join(parse.repairs))
        tags.append(f'<span class="tag {parse.status}" title="{why}">{parse.status}</span>')
    lang = f' lang="{markup(parse.lang)}"' if parse.lang else ""
    return (
        f'<article class="card{" wide" if wide else ""}"><header>{"".join(tags)}</header>'
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

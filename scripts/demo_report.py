"""Report the output of scripts/demo: graphs and similarities, in the terminal and on a page.

Usage: demo_report.py FOLDER    (with meanings.npy, foils.npy and meanings.amr)

Writes page.html, demo.json, and first.txt and first.svg for the README to the folder.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from demo_scores import KINDS, Agreement, Channel, agreement, channel, choose, translation_cosines
from rich.columns import Columns
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from amrx.examples import foils, meanings
from amrx.records import read_graphs
from amrx.types import Parse
from parser.draw import page as show_page
from parser.draw.svg import draw
from parser.draw.terminal import tree

FIELDS = ("encoder", "task", "language", "metric", "value", "n")
BASE_WIDTH = 512
"""Width of multilingual USE, the base of the demo: the first columns of a retrofitted vector."""
NOTE = (
    "A translation beats a foil when it is nearer to a sentence of another language than the foil in its own "
    "language is; a guess wins 50 %. The examples are few: the README has the scores on real tasks."
)
SHOWN = "play"
FIRST = ("play", "meaning", "de")


def read_channels(folder: Path) -> list[Channel]:
    """Return base, AMR side and both; a retrofitted vector is base and AMR side, concatenated."""
    examples = [*meanings(), *foils()]
    whole = np.concatenate([np.load(folder / "meanings.npy"), np.load(folder / "foils.npy")]).astype(
        np.float32
    )
    parts = {"muse": whole[:, :BASE_WIDTH], "AMR alone": whole[:, BASE_WIDTH:], "muse + AMR": whole}
    return [channel(name, examples, vectors) for name, vectors in parts.items()]


def read_parses(folder: Path) -> dict[str, dict[str, Parse]]:
    """Return the graphs by meaning and language."""
    parses: dict[str, dict[str, Parse]] = {}
    for example, parse in zip(meanings(), read_graphs(folder / "meanings.amr"), strict=True):
        parses.setdefault(example.meaning, {})[example.lang] = parse
    return parses


def graph_panels(parses: Sequence[Parse]) -> Columns:
    """Return a panel for each language: the sentence and its graph."""
    panels = []
    for parse in parses:
        mark = "" if parse.status == "ok" else f" ({parse.status})"
        panels.append(
            Panel(Group(Text(parse.text, style="bold"), tree(parse.graph)), title=f"{parse.lang}{mark}")
        )
    return Columns(panels, equal=True)


def agreement_table(parses: dict[str, dict[str, Parse]], agreements: dict[str, Agreement]) -> Table:
    """Return a table of how many languages have the same graph, for each meaning."""
    table = Table(
        "meaning", "languages with the same graph", "Smatch with English", title="Do the languages agree?"
    )
    for meaning, one in agreements.items():
        bar = Text("■" * one.same, style="green") + Text("□" * (one.languages - one.same), style="dim")
        table.add_row(
            parses[meaning]["en"].text, bar + Text(f" {one.same} of {one.languages}"), f"{one.smatch:.0f}"
        )
    return table


HEADER = (
    "encoder",
    "translations: mean cosine",
    "role-swapped foil: mean cosine",
    "translation beats it",
    "negated foil: mean cosine",
    "translation beats it",
)


def score_rows(channels: Sequence[Channel]) -> list[list[str | float | None]]:
    """Return a row of numbers for each encoder, under `HEADER`."""
    rows: list[list[str | float | None]] = []
    for one in channels:
        cosines = translation_cosines(one)
        row: list[str | float | None] = [one.name, sum(cosines) / len(cosines)]
        for kind in KINDS:
            choice = choose(one, kind)
            right, asked = sum(choice.right.values()), sum(choice.asked.values())
            row += [choice.foil_cosine, f"{100 * right / asked:.0f} % of {asked}"]
        rows.append(row)
    return rows


def score_table(rows: Sequence[Sequence[str | float | None]]) -> Table:
    """Return the rows as a table for the terminal."""
    table = Table(title="Is a translation nearer than a foil?")
    for name in HEADER:
        table.add_column(name, justify="left" if name == "encoder" else "right")
    for row in rows:
        table.add_row(*(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row))
    return table


def json_rows(channels: Sequence[Channel]) -> list[dict[str, str | float | int]]:
    """Return the choices as result rows, one per language."""
    rows: list[dict[str, str | float | int]] = []
    for kind in KINDS:
        for one in channels:
            choice = choose(one, kind)
            for lang, asked in choice.asked.items():
                value = round(100 * choice.right[lang] / asked, 4)
                task = f"Example sentences: translation nearer than its {kind} foil"
                row = (one.name, task, lang, "accuracy", value, asked)
                rows.append(dict(zip(FIELDS, row, strict=True)))
    return rows


def first_screen(channels: Sequence[Channel], parses: dict[str, dict[str, Parse]]) -> str:
    """Return the README's first block: a German sentence, its graph, its similarities before and after."""
    texts = {(e.meaning, e.kind, e.lang): e.text for e in [*meanings(), *foils()]}
    meaning, _, lang = FIRST
    base, _, both = channels
    graph = show_page.bare(parses[meaning][lang].graph)
    others = [(meaning, kind, code) for kind in ("meaning", "negation") for code in ("en", "es", "de")]
    width = 2 + max(len(texts[other]) for other in others)
    head = f"{'cosine with':<{width}}{base.name:>6}{both.name:>14}"
    lines = [texts[FIRST], "", *graph.splitlines(), "", head]
    lines += [
        f"{texts[other]:<{width}}{base.cosine(FIRST, other):>6.2f}{both.cosine(FIRST, other):>14.2f}"
        for other in others
        if other != FIRST
    ]
    return "\n".join(lines) + "\n"


def write_page(
    file: Path,
    parses: dict[str, dict[str, Parse]],
    agreements: dict[str, Agreement],
    rows: Sequence[Sequence[str | float | None]],
) -> None:
    """Draw everything on one page."""
    groups = [
        show_page.Group(
            members["en"].text,
            list(members.values()),
            f"{agreements[meaning].same} of {agreements[meaning].languages} languages have the same graph; "
            f"Smatch with English {agreements[meaning].smatch:.0f}.",
        )
        for meaning, members in parses.items()
    ]
    tables = [show_page.Table("Is a translation nearer than a foil?", HEADER, rows, NOTE)]
    html = show_page.page(
        groups, tables, title="Twelve meanings, seven languages", note="Drawn by scripts/demo."
    )
    file.write_text(html, encoding="utf-8")


def main(folder: Path, console: Console) -> None:
    """Read the folder, print the report and add page.html, demo.json and first.txt to it."""
    channels, parses = read_channels(folder), read_parses(folder)
    agreements = {
        meaning: agreement({lang: p.graph for lang, p in members.items()})
        for meaning, members in parses.items()
    }
    rows = score_rows(channels)
    console.rule(f"One meaning, seven languages: {parses[SHOWN]['en'].text}")
    console.print(graph_panels(list(parses[SHOWN].values())))
    console.print(agreement_table(parses, agreements))
    console.print(score_table(rows))
    console.print(NOTE, style="dim")
    write_page(folder / "page.html", parses, agreements, rows)
    (folder / "demo.json").write_text(json.dumps(json_rows(channels), indent=1) + "\n", encoding="utf-8")
    (folder / "first.txt").write_text(first_screen(channels, parses), encoding="utf-8")
    (folder / "first.svg").write_text(draw(parses[FIRST[0]][FIRST[2]]), encoding="utf-8")
    console.print(
        f"\nGraphs and tables, drawn: [bold]{(folder / 'page.html').resolve().as_uri()}[/bold]",
        soft_wrap=True,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Console())

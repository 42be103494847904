"""Run ``amrx show``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from amrx.errors import InputError, OptionError
from amrx.records import check_writable, count_missing_graphs, read_graphs, write_text
from amrx.records.writing import naming
from amrx.types import Parse


class By(StrEnum):
    """Fields by which graphs are grouped in one row of a page."""

    none = "none"
    id = "id"
    lang = "lang"


def show(
    graphs: Annotated[
        Path, typer.Argument(help="PENMAN or .jsonl file, as amrx parse writes it; - is stdin.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="page.html (all graphs) or graph.svg (one graph).")
    ] = None,
    identifier: Annotated[
        list[str] | None, typer.Option("--id", help="Only the graphs with this id; may repeat.")
    ] = None,
    by: Annotated[By, typer.Option(help="Group a page's graphs by this field.")] = By.none,
    title: Annotated[str | None, typer.Option(help="Title of the page; default: the file's name.")] = None,
) -> None:
    """Draw AMR graphs: as trees in the terminal, as one HTML page or as one SVG picture.

    The page needs no network: amrx show graphs.amr -o page.html
    """
    kind = "" if output is None else output.suffix.lower()
    if output is not None and kind not in (".html", ".svg"):
        raise OptionError(f"{output}: the name must end in .html or .svg")
    if kind != ".html" and (by is not By.none or title is not None):
        raise OptionError("--by and --title need a page; write one with -o page.html")
    if output is not None:
        check_writable(output)
    parses = select(list(read_graphs(graphs, allow_invalid=True)), identifier or (), graphs)
    if lacking := count_missing_graphs(parses):
        sys.stderr.write(
            f"{graphs}: {lacking} of {len(parses)} sentences have no valid graph; drawn as amr-empty\n"
        )
    if output is None:
        _to_terminal(parses)
        return
    if kind == ".html":
        from parser.draw.page import Group, page

        groups = [Group(name, members) for name, members in group(parses, by).items()]
        text = page(groups, title=title or graphs.name)
    else:
        from parser.draw.svg import draw

        if len(parses) > 1:
            which = f"{len(parses)} graphs" + (" with these ids" if identifier else "")
            hint = "" if identifier else ": choose it with --id"
            raise OptionError(f"{graphs} holds {which} and an .svg shows one{hint}")
        text = draw(parses[0])
    write_text(output, text)
    sys.stderr.write(f"{output}: {len(parses)} graphs\n")


def select(parses: Sequence[Parse], identifiers: Sequence[str], source: str | Path) -> list[Parse]:
    """Return the parses with one of the ids; all parses if no id is given."""
    if not parses:
        raise InputError("holds no graph", file=source)
    missing = sorted(set(identifiers) - {parse.id for parse in parses})
    if missing:
        raise InputError(f"no graph has the id {missing[0]!r}", file=source)
    return [parse for parse in parses if not identifiers or parse.id in identifiers]


def group(parses: Sequence[Parse], by: By) -> dict[str, list[Parse]]:
    """Group the parses by a field, in order of appearance; ``none`` puts all under ""."""
    groups: dict[str, list[Parse]] = {}
    for parse in parses:
        key = {By.none: "", By.id: parse.id, By.lang: parse.lang}[by]
        groups.setdefault(key, []).append(parse)
    return groups


def _to_terminal(parses: Sequence[Parse]) -> None:
    from rich.text import Text

    from amrx.console import Console
    from amrx.control_characters import visible
    from parser.draw.terminal import tree

    console = Console()
    with naming("standard output"):
        for parse in parses:
            head = (visible(f"{parse.id} [{parse.lang}] "), "dim")
            console.print(Text.assemble(head, visible(parse.text)))
            console.print(tree(parse.graph))
            console.print()

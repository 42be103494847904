"""Run ``amrx eval papers``: reproduce the tables of the four papers."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx import cli_options as options
from amrx.control_characters import visible
from amrx.device import use_device
from amrx.errors import OptionError, check_choice
from amrx.threads import limit_threads
from parser.load import PARSER

if TYPE_CHECKING:
    from amrx.types import Encoder
    from retrofit.evaluated_encoders import Caches
    from retrofit.paper_tables import Load, PaperTable


def papers(
    out: Annotated[
        str, typer.Option("--output", "-o", help="Markdown file to write; - is standard output.")
    ] = "-",
    data: Annotated[Path | None, typer.Option(help="Data folder.", envvar="AMRX_DATA")] = None,
    only: Annotated[
        str | None, typer.Option(help="Tables, with commas: amr, emma-x, vmsst, msimcse.")
    ] = None,
    lines: Annotated[
        str | None, typer.Option(help="Lines of the tables, with commas, such as muse,muse+amr; default all.")
    ] = None,
    base: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=DIR, a base trained here, or NAME=BASE, another base; may repeat, with one line "
            "per value."
        ),
    ] = None,
    encoder: Annotated[
        str, typer.Option(help="AMR encoder, or several with commas (seeds, which are averaged).")
    ] = "mini",
    parser: options.ParserName = PARSER,
    weight: options.Weight = None,
    integration: options.Integration = "norm-concat",
    beam: options.Beam = None,
    device: options.Device = None,
    cache: Annotated[Path | None, typer.Option(help="Cache of parses, as in amrx eval.")] = None,
    vector_cache: options.VectorsCached = None,
    index: Annotated[Path | None, typer.Option(help="Folder of faiss shards, as in amrx eval.")] = None,
    no_cache: options.NoCache = False,
    offline: Annotated[bool, typer.Option("--offline", help="Fetch no data, as in amrx eval.")] = False,
    threads: options.Threads = None,
) -> None:
    """Compute every table of the four papers for which data and weights are available.

    Each encoder of a table has a line, which shows if its weights are on this machine, or how to fetch them.
    Missing data are listed below the table. If nothing could be measured, the tables are written with their
    published numbers, and the exit status is 2. With AMR every sentence is parsed, which takes long. The
    system of Cai et al. 2022 is --encoder SEED-1,...,SEED-5 --parser seq2seq:XAMR --weight 1.
    """
    limit_threads(threads)
    use_device(device)
    from amrx.pretrained.hub import go_offline

    if offline:
        go_offline()

    from amrx.evaluation.hub_data import cache_beside
    from amrx.evaluation.neighbours.pool import shard_folder
    from amrx.records import check_writable
    from amrx.records.writing import open_text
    from amrx.threads import set_threads
    from retrofit.combine import check_integration, check_weight
    from retrofit.evaluated_encoders import open_caches
    from retrofit.folders import find_encoder
    from retrofit.paper_tables import AMR, PAPERS, reproduce, summary

    fetched = cache_beside(data, off=no_cache)
    known = {table.name: table for table in PAPERS}
    wanted = [name.strip() for name in only.split(",")] if only else list(known)
    for name in wanted:
        check_choice("table", name, known)
    tables = _only_lines([known[name] for name in wanted], lines)
    bases = _bases(base or [], {one.removesuffix(AMR) for table in tables for one in table.encoders})
    sides = list(dict.fromkeys(name.strip() for name in encoder.split(",")))
    for name in sides:
        find_encoder(name)
    for one in weight or ():
        check_weight(one)
    check_integration(integration, (1.0,), 1, (1,))
    check_writable(out)
    shards = shard_folder(index, off=no_cache)
    set_threads()
    with ExitStack() as stack:
        caches = open_caches(cache, vector_cache, stack, off=no_cache)
        load = _loader(caches, parser, weight, integration, beam)
        parts = [
            reproduce(
                table,
                data,
                load,
                bases=bases,
                sides=sides,
                fetched=fetched,
                indexes=shards,
                progress=True,
                note=lambda line: sys.stderr.write(f"{visible(line)}\n"),
            )
            for table in tables
        ]
        sys.stderr.write(caches.summary())
    with open_text(out) as stream:  # a folder name may not be UTF-8
        stream.write(
            "\n\n".join(part.text for part in parts).encode("utf-8", "backslashreplace").decode("utf-8")
            + "\n"
        )
    line = summary(parts, "standard output" if out == "-" else out)  # an error if nothing was measured
    sys.stderr.write(visible(line) + "\n")


def _loader(
    caches: Caches, parser: str, weight: options.Weights | None, integration: str, beam: int | None
) -> Load:
    """Return the function that loads a line's encoder; base and parser are loaded once for all seeds."""
    from amrx.device import pick_device
    from parser import load as load_parser
    from retrofit import load
    from retrofit.bases import load_base
    from retrofit.load import PAPER_WEIGHT, fitted_weight

    graphs = functools.cache(functools.partial(load_parser, beam=beam))

    @functools.lru_cache(maxsize=1)
    def base_of(name: str) -> Encoder:
        return caches.keep(load_base(name))

    def loaded(name: str, side: str | None) -> Encoder:
        base = base_of(name)
        if side is None:
            return base
        fitted = fitted_weight(side, base, parser) if weight is None else weight
        return caches.keep(
            load(
                base, graphs(parser), side, PAPER_WEIGHT if fitted is None else fitted,
                integration=integration, cache=caches.parses, device=str(pick_device()),
            )
        )  # fmt: skip

    return loaded


def _only_lines(tables: Sequence[PaperTable], lines: str | None) -> list[PaperTable]:
    """Return the tables with the named lines alone; a table without any of them is left out."""
    if lines is None:
        return list(tables)
    names = [name.strip() for name in lines.split(",")]
    every = list(dict.fromkeys(one for table in tables for one in table.encoders))
    for name in names:
        check_choice("line", name, every)
    kept = [replace(table, encoders=tuple(n for n in table.encoders if n in names)) for table in tables]
    return [table for table in kept if table.encoders]


def _bases(named: list[str], known: set[str]) -> dict[str, list[str]]:
    """Return the bases or folders to load for each name of a table."""
    bases: dict[str, list[str]] = {}
    for entry in named:
        name, equals, folder = entry.partition("=")
        if not (name and equals and folder):
            raise OptionError(f"--base must be NAME=DIR, got {entry!r}")
        if name not in known:
            raise OptionError(f"no chosen table has a base {name!r}; choose from {', '.join(sorted(known))}")
        bases.setdefault(name, []).append(folder)
    return bases

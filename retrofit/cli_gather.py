"""``amrx gather``: the corpus that ``amrx train-encoder`` learns from."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from amrx.config import load_config, parse_override
from amrx.errors import InputError, OutputError


def gather_corpus(
    data: Annotated[Path, typer.Argument(help="Folder of the open data.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Corpus folder to write.")],
    parser: Annotated[str, typer.Option(help="Parser: name or folder; the one that will serve.")] = "mini",
    workers: Annotated[
        int | None, typer.Option(help="Processes with one thread each; default one with all cores.", min=1)
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with the amounts.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE over the amounts; may repeat.")
    ] = None,
) -> None:
    """Collect sentences, translations, triplets and graded pairs of the open data, and parse them.

    A run that was stopped goes on where it was when started again.
    """
    from parser.corpora.leakage import load_reserved
    from parser.engines import open_parser
    from retrofit.amr.gather import Amounts, gather, write

    amounts = load_config(Amounts, config, dict(parse_override(text) for text in set_ or []))
    if not data.is_dir():
        raise InputError("no such folder", file=data)
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file; name a folder")
    with ExitStack() as stack:
        loaded = open_parser(parser, workers, stack)
        found = gather(data, load_reserved(data), amounts)
        sys.stderr.write(f"{len(found.sentences)} sentences of {len(found.groups)} meanings\n")
        counts = write(out, found, loaded, progress=sys.stderr.isatty())
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    sys.stderr.write(f"{out}: {told}; next: amrx train-encoder {out} -o ENCODER\n")

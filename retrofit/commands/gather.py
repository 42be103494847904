"""``amrx gather``: the corpus that ``amrx train-encoder`` learns from."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from amrx import langid
from amrx.cli_options import Beam, Device, Threads, Workers, check_folders
from amrx.device import use_device
from amrx.errors import OptionError
from amrx.recipes import load_config, parse_override
from amrx.threads import limit_threads
from linearize.walk import Form


def gather_corpus(
    data: Annotated[Path, typer.Argument(help="Folder of the open data.")],
    out: Annotated[Path, typer.Option("--output", "-o", help="Corpus folder to write.")],
    parser: Annotated[str, typer.Option(help="Parser: name or folder; the one that will serve.")] = "mini",
    beam: Beam = None,
    workers: Workers = None,
    form: Annotated[
        str, typer.Option(help="Linearization: paper; released or pointer (ablations).")
    ] = "paper",
    dev: Annotated[
        str | None, typer.Option(help="Languages of STS-B dev to choose the weights by, as en,de.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with the amounts.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE over the amounts; may repeat.")
    ] = None,
    device: Device = None,
    threads: Threads = None,
) -> None:
    """Collect sentences, translations, triplets and graded pairs of the open data, and parse them.

    A stopped run resumes when started again.
    """
    limit_threads(threads)
    use_device(device)
    from parser.run.engines import open_parser
    from parser.training.corpora.leakage import load_reserved
    from retrofit.training.amr.gather import Amounts, gather, write, write_dev

    wanted, langs = form_of(form), languages(dev)
    amounts = load_config(Amounts, config, dict(parse_override(text) for text in set_ or []))
    check_folders(out, data)
    with ExitStack() as stack:
        loaded = open_parser(parser, workers, stack, beam)
        gathered = gather(data, load_reserved(data), amounts)
        sys.stderr.write(f"{len(gathered.sentences)} sentences of {len(gathered.groups)} meanings\n")
        counts = write(out, gathered, loaded, form=wanted, progress=True)
        if langs:
            pairs = write_dev(out, data, langs, loaded, form=wanted, progress=True)
            sys.stderr.write(f"{pairs} dev pairs\n")
    by_status = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    sys.stderr.write(f"{out}: {by_status}; next: amrx train-encoder {out} -o ENCODER\n")


def form_of(name: str) -> Form:
    """Return the linearization that ``--form`` names."""
    if name not in get_args(Form):
        raise OptionError(f"unknown --form {name!r}; choose from {', '.join(get_args(Form))}")
    return cast(Form, name)


def languages(codes: str | None) -> list[str]:
    """Return the codes of ``en,de``."""
    return [langid.check(code.strip()) for code in codes.split(",")] if codes else []

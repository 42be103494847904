"""``amrx gather-nli``: a corpus for ``amrx train-encoder`` of NLI and its translations."""

from __future__ import annotations

import sys
from collections.abc import Container
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from amrx.errors import OptionError
from retrofit.cli_gather import check_place, form_of, languages


def gather_nli_corpus(
    files: Annotated[
        list[Path], typer.Argument(help="NLI: SimCSE's .csv; .jsonl or .tsv of SNLI, MNLI, XNLI.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Corpus folder to write.")],
    translations: Annotated[
        list[Path] | None,
        typer.Option(help="Folder that amrx translate wrote of one of the files; may repeat."),
    ] = None,
    parser: Annotated[str, typer.Option(help="Parser: name or folder; the one that will serve.")] = "mini",
    workers: Annotated[
        int | None, typer.Option(help="Processes with one thread each; default one with all cores.", min=1)
    ] = None,
    form: Annotated[str, typer.Option(help="Linearization: paper, or pointer (an ablation).")] = "paper",
    dev: Annotated[
        str | None, typer.Option(help="Languages of STS-B dev to choose the weights by, as en,de.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the open data: STS-B dev, and the test sentences that are kept out.",
            envvar="AMRX_DATA",
        ),
    ] = None,
) -> None:
    """Collect triplets of natural language inference with their translations, and parse them.

    A premise without an entailment or a contradiction is skipped and counted. A run that was stopped goes on
    where it was when started again.
    """
    from amrx.records.rereading import seekable
    from parser.corpora.leakage import load_reserved
    from parser.engines import open_parser
    from retrofit.amr.gather import write
    from retrofit.amr.gather_dev import write_dev
    from retrofit.amr.gather_nli import gather_nli

    wanted, langs = form_of(form), languages(dev)
    check_place(out, data)
    if langs and data is None:
        raise OptionError("--dev needs --data DIR, or AMRX_DATA")
    with ExitStack() as stack:
        reserved: Container[str] = () if data is None else load_reserved(data)
        sources = [Path(stack.enter_context(seekable(file))) for file in files]
        found, read = gather_nli(sources, translations or (), reserved)
        if not found.triplets:
            raise OptionError(f"{', '.join(map(str, files))}: no premise has entailment and contradiction")
        told = f"{len(found.triplets)} triplets, {len(found.sentences)} sentences"
        skipped = f"{read.skipped} premises without both hypotheses, {read.unlabelled} pairs without a label"
        sys.stderr.write(f"{told}; left out: {skipped}\n")
        loaded = open_parser(parser, workers, stack)
        shown = sys.stderr.isatty()
        counts = write(out, found, loaded, form=wanted, progress=shown)
        if data is not None and langs:
            pairs = write_dev(out, data, langs, loaded, form=wanted, progress=shown)
            sys.stderr.write(f"{pairs} dev pairs\n")
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    sys.stderr.write(f"{out}: {told}; next: amrx train-encoder {out} -o ENCODER --recipe paper\n")

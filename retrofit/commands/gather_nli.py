"""``amrx gather-nli``: a corpus for ``amrx train-encoder`` of NLI and its translations."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Beam, Device, Threads, Workers, check_folders
from amrx.device import use_device
from amrx.errors import OptionError
from amrx.threads import limit_threads
from retrofit.commands.gather import form_of, languages


def gather_nli_corpus(
    files: Annotated[
        list[Path], typer.Argument(help="NLI: SimCSE's .csv; .jsonl or .tsv of SNLI, MNLI, XNLI.")
    ],
    out: Annotated[Path, typer.Option("--output", "-o", help="Corpus folder to write.")],
    translations: Annotated[
        list[Path] | None,
        typer.Option(help="Folder that amrx translate wrote of one of the files; may repeat."),
    ] = None,
    parser: Annotated[str, typer.Option(help="Parser: name or folder; the one that will serve.")] = "mini",
    beam: Beam = None,
    workers: Workers = None,
    form: Annotated[
        str, typer.Option(help="Linearization: paper; released or pointer (ablations).")
    ] = "paper",
    dev: Annotated[
        str | None, typer.Option(help="Languages of STS-B dev to choose the weights by, as en,de.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Data folder with STS-B dev (fetched if missing) and the test sentences to keep out.",
            envvar="AMRX_DATA",
        ),
    ] = None,
    device: Device = None,
    threads: Threads = None,
) -> None:
    """Collect triplets of natural language inference with their translations, and parse them.

    A premise without an entailment or a contradiction is skipped and counted. A stopped run
    resumes when started again.
    """
    limit_threads(threads)
    use_device(device)
    from amrx.records.rereading import seekable
    from parser.run.engines import open_parser
    from parser.training.corpora.leakage import load_present
    from retrofit.training.amr.gather import find_dev, write, write_dev
    from retrofit.training.amr.gather_nli import gather_nli
    from retrofit.weight_fitting import stsb_pairs

    wanted, langs = form_of(form), languages(dev)
    check_folders(out, data)
    dev_folder, origins = find_dev(data, langs, progress=True) if langs else (None, [])
    dev_texts = (
        text for lang in langs for pair in stsb_pairs(dev_folder or Path(), lang) for text in pair[:2]
    )
    reserved, unguarded = load_present(data, dev_texts)
    sys.stderr.writelines(f"{line}\n" for line in origins)
    if unguarded:
        sys.stderr.write(f"not kept out, for want of the files: test sentences of {', '.join(unguarded)}\n")
    with ExitStack() as stack:
        sources = [Path(stack.enter_context(seekable(file))) for file in files]
        gathered, read = gather_nli(sources, translations or (), reserved)
        if not gathered.triplets:
            raise OptionError(f"{', '.join(map(str, files))}: no premise has entailment and contradiction")
        message = f"{len(gathered.triplets)} triplets, {len(gathered.sentences)} sentences"
        skipped = (
            f"{read.skipped} premises without both hypotheses, {read.unlabelled} pairs without a label, "
            f"{read.reserved} triplets of test sets"
        )
        sys.stderr.write(f"{message}; left out: {skipped}\n")
        loaded = open_parser(parser, workers, stack, beam)
        counts = write(out, gathered, loaded, form=wanted, progress=True)
        if dev_folder is not None:
            pairs = write_dev(out, dev_folder, langs, loaded, form=wanted, progress=True)
            sys.stderr.write(f"{pairs} dev pairs\n")
    message = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    sys.stderr.write(f"{out}: {message}; next: amrx train-encoder {out} -o ENCODER --recipe paper\n")

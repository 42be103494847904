"""Run ``amrx gather`` and ``amrx gather-nli``: build training corpora for ``amrx train-encoder``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from amrx import cli_options as options
from amrx import langid
from amrx.device import use_device
from amrx.errors import OptionError, check_choice
from amrx.recipes import load_config, parse_override
from amrx.threads import limit_threads
from linearize.forms import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amrx.evaluation.data_folders import Data
    from amrx.types import Parser
    from retrofit.training.amr.gather import Gathered


def gather_nli_corpus(
    files: Annotated[
        list[Path], typer.Argument(help="NLI: SimCSE's .csv; .jsonl or .tsv of SNLI, MNLI, XNLI.")
    ],
    out: Annotated[Path, typer.Option("--output", "-o", help="Corpus folder to write.")],
    translations: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of amrx translate with a translation of one of the files; may repeat."),
    ] = None,
    parser: options.ServingParser = "mini",
    beam: options.Beam = None,
    workers: options.Workers = None,
    form: options.Linearization = "paper",
    dev: options.DevLanguages = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Data folder with STS-B dev (fetched if missing) and the test sentences to keep out.",
            envvar="AMRX_DATA",
        ),
    ] = None,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Collect triplets of natural language inference with their translations, and parse them.

    A premise without an entailment or a contradiction is skipped and counted. The same command resumes a
    stopped run.
    """
    limit_threads(threads)
    use_device(device)
    from amrx.records.rereading import seekable
    from parser.run.pool import open_parser
    from parser.training.corpora.leakage import load_present
    from retrofit.training.amr.gather import find_dev
    from retrofit.training.amr.gather_nli import gather_nli
    from retrofit.weight_fitting import stsb_pairs

    wanted, langs = form_of(form), languages(dev)
    options.check_folders(out, data)
    dev_folder, origins = find_dev(data, langs, progress=True) if langs else (None, [])
    dev_texts = (
        text for lang in langs for pair in stsb_pairs(dev_folder or Path(), lang) for text in pair[:2]
    )
    reserved, unguarded = load_present(data, dev_texts)
    sys.stderr.writelines(f"{line}\n" for line in origins)
    if unguarded:
        sys.stderr.write(
            f"not excluded, because their files are missing: test sentences of {', '.join(unguarded)}\n"
        )
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
        by_status = _write(out, gathered, loaded, wanted, dev_folder or Path(), langs)
    sys.stderr.write(f"{out}: {by_status}; next: amrx train-encoder {out} -o ENCODER --recipe paper\n")


def gather_corpus(
    data: Annotated[Path, typer.Argument(help="Folder of the open data (docs/data.md).")],
    out: Annotated[Path, typer.Option("--output", "-o", help="Corpus folder to write.")],
    parser: options.ServingParser = "mini",
    beam: options.Beam = None,
    workers: options.Workers = None,
    form: options.Linearization = "paper",
    dev: options.DevLanguages = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with the amounts.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE that overrides the amounts; may repeat.")
    ] = None,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Collect sentences, translations, triplets and graded pairs of the open data, and parse them.

    The same command resumes a stopped run.
    """
    limit_threads(threads)
    use_device(device)
    from parser.run.pool import open_parser
    from parser.training.corpora.leakage import load_reserved
    from retrofit.training.amr.gather import Amounts, gather

    wanted, langs = form_of(form), languages(dev)
    amounts = load_config(Amounts, config, dict(parse_override(text) for text in set_ or []))
    options.check_folders(out, data)
    with ExitStack() as stack:
        loaded = open_parser(parser, workers, stack, beam)
        gathered = gather(data, load_reserved(data), amounts)
        sys.stderr.write(f"{len(gathered.sentences)} sentences of {len(gathered.groups)} meanings\n")
        by_status = _write(out, gathered, loaded, wanted, data, langs)
    sys.stderr.write(f"{out}: {by_status}; next: amrx train-encoder {out} -o ENCODER\n")


def _write(out: Path, gathered: Gathered, parser: Parser, form: Form, data: Data, dev: Sequence[str]) -> str:
    """Write the corpus folder, with dev pairs in some languages; return the counts by status."""
    from retrofit.training.amr.gather import write, write_dev

    counts = write(out, gathered, parser, form=form, progress=True)
    if dev:
        pairs = write_dev(out, data, dev, parser, form=form, progress=True)
        sys.stderr.write(f"{pairs} dev pairs\n")
    return ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))


def form_of(name: str) -> Form:
    """Return the linearization named by ``--form``."""
    check_choice("--form", name, get_args(Form))
    return cast(Form, name)


def languages(codes: str | None) -> list[str]:
    """Parse language codes such as ``en,de``."""
    return [langid.check(code.strip()) for code in codes.split(",")] if codes else []

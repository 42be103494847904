"""Run the command ``amrx translate``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.cli_options import BatchSize, Device, ShowBar, Threads
from amrx.errors import OptionError
from amrx.threads import limit_threads

if TYPE_CHECKING:
    from amrx.translate.pairs import Translators


def translate(
    file: Annotated[
        Path, typer.Argument(help="Sentences, NLI or STS rows: text, .tsv, .csv, .jsonl, also with .gz.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Output folder: LANG/00000.jsonl, ...")],
    to: Annotated[str, typer.Option(help="Target languages, as de,fr,zh.")],
    source: Annotated[str, typer.Option("--from", help="Language of the file.")] = "en",
    column: Annotated[
        str | None, typer.Option(help="Columns of text, as premise,hypothesis; default: the usual names.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help="opus-mt: one model per pair; mbart50: one for all, in the hub's cache;"
            " mbart50:DIR, mbart50:HUB_ID."
        ),
    ] = "opus-mt",
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Folder of one language's OPUS-MT model, as de=DIR; default: in AMRX_OPUS_MT, then"
            " in the hub's cache."
        ),
    ] = None,
    beam: Annotated[
        int, typer.Option(help="Beams of the search; 1 is greedy, 0 the model's own number.", min=0)
    ] = 1,
    shard_size: Annotated[int, typer.Option(help="Rows per file; a kill loses at most one.", min=1)] = 10_000,
    batch_size: BatchSize = 64,
    device: Device = None,
    progress: ShowBar = None,
    threads: Threads = None,
) -> None:
    """Translate a file with OPUS-MT or mBART-50, to JSON lines in shards.

    The same command resumes a killed run at the first missing shard. Translations that are empty, look like
    another language or were cut are flagged in their rows and counted.
    """
    limit_threads(threads)
    from amrx.threads import set_threads
    from amrx.translate.files import translate_file

    translator = _translator(engine, dict(_model(option, source) for option in model or ()), beam, device)
    targets = [lang.strip() for lang in to.split(",")]
    columns = [name.strip() for name in column.split(",")] if column else []
    set_threads()
    for outcome in translate_file(
        file, output, targets, translator, source=source, columns=columns,
        shard_size=shard_size, batch_size=batch_size, show=progress,
    ):  # fmt: skip
        sys.stderr.write(f"{output}/{outcome}\n")


def _translator(
    engine: str, folders: dict[tuple[str, str], Path], beam: int, device: str | None
) -> Translators:
    from amrx.translate.marian import OpusTranslator
    from amrx.translate.mbart50 import HUB_ID, MBartTranslator

    kind, _, name = engine.partition(":")
    if engine == "opus-mt":
        return OpusTranslator(folders, beam=beam, device=device)
    if kind != "mbart50":
        raise OptionError(f"--engine must be opus-mt, mbart50 or mbart50:DIR, got {engine!r}")
    if folders:
        raise OptionError("--model is for OPUS-MT; give mBART-50's folder by --engine mbart50:DIR")
    return MBartTranslator(name or HUB_ID, beam=beam, device=device)


def _model(option: str, source: str) -> tuple[tuple[str, str], Path]:
    """Read ``de=DIR``."""
    lang, equals, folder = option.partition("=")
    if not equals or not Path(folder).is_dir():
        raise OptionError(f"--model must be LANG=DIR with an existing folder, got {option!r}")
    return (source, lang), Path(folder)

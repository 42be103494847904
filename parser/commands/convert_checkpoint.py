"""Run ``amrx convert-checkpoint``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amrx.errors import OptionError
from amrx.records.files import require_file


def convert_checkpoint(
    checkpoint: Annotated[
        Path,
        typer.Argument(help="FILE.pt of SPRING or XAMR; pytorch_model.bin of OPUS-MT, mBART-50 or amrlib."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    base: Annotated[
        str,
        typer.Option(
            help="The model that was fine-tuned, a folder or a hub id: facebook/bart-large (SPRING) or"
            " facebook/mbart-large-50-many-to-many-mmt (XAMR), or the folder of the pytorch_model.bin itself;"
            " configuration and tokenizer are read from it."
        ),
    ],
    vocab: Annotated[
        Path | None, typer.Option(help="Folder data/vocab of SPRING, which names AMR's tokens.")
    ] = None,
) -> None:
    """Convert a published checkpoint to a folder for amrx parse --parser seq2seq:DIR.

    Also convert the pickled weights of OPUS-MT or mBART-50 (pytorch_model.bin, with its folder as --base) to
    a folder for amrx translate, and those of amrlib's parse_xfm to one for --parser amrlib:DIR. The file is
    read without running pickled code, key by key; an unknown or missing key is an error that names it.
    Weights are written as safetensors.
    """
    from amrx.pretrained.convert_pickles import convert_plain
    from amrx.pretrained.hub import find_model, model_type
    from amrx.published_checkpoint import check_new_folder
    from parser.amrlib import settings_of
    from parser.writers.convert import convert

    if vocab is not None and checkpoint.suffix == ".bin":
        raise OptionError(f"--vocab is for the FILE.pt of SPRING or XAMR; {checkpoint} does not need it")
    require_file(checkpoint)
    check_new_folder(output)  # before gigabytes are read
    folder = find_model(base, what="configuration and tokenizer of", local="--base DIR")
    if checkpoint.suffix == ".bin" or model_type(folder) == "marian" or settings_of(folder):
        convert_plain(checkpoint, output, folder)
        sys.stderr.write(f"{output}: converted\n")
        return
    added = convert(checkpoint, output, folder, vocab)
    sys.stderr.write(f"{output}: converted, {added} tokens of AMR added\n")

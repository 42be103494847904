"""Run ``amrx convert-checkpoint``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from amrx.errors import InputError, OptionError
from amrx.pretrained.hub import find_model, loading, model_type, saving
from amrx.published_checkpoint import check_new_folder, new_folder, read_state
from amrx.records.files import require_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from transformers import PreTrainedModel


_CLASSES = {
    "marian": "MarianMTModel",
    "bart": "BartForConditionalGeneration",
    "mbart": "MBartForConditionalGeneration",
    "t5": "T5ForConditionalGeneration",
}
_BESIDE = (".json", ".txt", ".model", ".spm", ".md")


def convert_checkpoint(
    checkpoint: Annotated[
        Path,
        typer.Argument(help="FILE.pt of SPRING or XAMR; pytorch_model.bin of OPUS-MT, mBART-50 or amrlib."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    base: Annotated[
        str,
        typer.Option(
            help="Folder or hub id of the model that was fine-tuned, for configuration and tokenizer."
            " facebook/bart-large (SPRING), facebook/mbart-large-50-many-to-many-mmt (XAMR), or the folder of"
            " the pytorch_model.bin itself."
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


def convert_plain(checkpoint: Path, output: Path, base: Path) -> None:
    """Write the folder of a model with its pickled weights as safetensors; other files are copied.

    Many models of OPUS-MT and amrlib, and copies of mBART-50, exist only as pickles. No pickled code runs;
    transformers maps the keys, and a key that does not fit is an error.
    """
    import transformers

    kind = model_type(base)
    if kind not in _CLASSES:
        raise InputError(
            f"model_type must be one of {', '.join(_CLASSES)}, got {kind!r}", file=base / "config.json"
        )
    state = read_state(checkpoint)
    model_class = getattr(transformers, _CLASSES[kind])
    load = cast("Callable[..., tuple[PreTrainedModel, dict[str, set[str]]]]", model_class.from_pretrained)
    with new_folder(output) as folder:
        with loading(base):
            config = model_class.config_class.from_pretrained(base, local_files_only=True)
            model, report = load(None, config=config, state_dict=state, output_loading_info=True)
        for problem, keys in (("unknown", report["unexpected_keys"]), ("missing", report["missing_keys"])):
            if keys:
                raise InputError(f"key {min(keys)!r} is {problem}", file=checkpoint)
        with saving(output):
            model.save_pretrained(folder)
            for file in base.iterdir():
                if file.suffix in _BESIDE and not file.name.endswith(".index.json"):
                    shutil.copyfile(file, folder / file.name)

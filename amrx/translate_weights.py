"""OPUS-MT as it is on the hub, with pickled weights, to a folder with safetensors.

Many of its models were never published in another form. The file is read without running what is pickled in
it; transformers maps the keys, and one that finds no place is an error that names it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.checkpoint import new_folder, read_state
from amrx.errors import InputError
from amrx.hub import loading
from amrx.translate import FILES

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_BESIDE = (*FILES, "tokenizer_config.json")


def convert_marian(checkpoint: Path, output: Path, base: Path) -> None:
    """Write a folder for `amrx.translate.Marian`.

    Args:
        checkpoint: ``pytorch_model.bin``.
        output: Folder to write; it appears when it is whole.
        base: Folder of the model: configuration and tokenizer are taken from it.

    Raises:
        InputError: A file is missing or not what it should be; a key does not fit.
        OutputError: ``output`` is there already, or cannot be written.
    """
    state = read_state(checkpoint)
    from transformers import MarianConfig, MarianMTModel

    with new_folder(output) as folder, loading(base):
        config = MarianConfig.from_pretrained(base, local_files_only=True)
        loaded = MarianMTModel.from_pretrained(
            None, config=config, state_dict=state, output_loading_info=True
        )
        model, told = cast("tuple[PreTrainedModel, dict[str, set[str]]]", loaded)
        for what, keys in (("unknown", told["unexpected_keys"]), ("missing", told["missing_keys"])):
            if keys:
                raise InputError(f"key {min(keys)!r} is {what}", file=checkpoint)
        model.save_pretrained(folder)
        for name in _BESIDE:
            if (base / name).is_file():
                shutil.copyfile(base / name, folder / name)
            elif name in FILES:
                raise InputError("no such file", file=base / name)

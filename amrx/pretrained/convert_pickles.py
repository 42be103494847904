"""Convert the pickled weights of a model to safetensors.

Many models of OPUS-MT and amrlib, and copies of mBART-50, exist only as pickles. The file is read without
running pickled code; transformers maps the keys, and a key that does not fit is an error.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.errors import InputError
from amrx.pretrained.hub import loading, model_type, saving
from amrx.published_checkpoint import new_folder, read_state

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


def convert_plain(checkpoint: Path, output: Path, base: Path) -> None:
    """Write the folder of a model with its weights as safetensors; other files are copied."""
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

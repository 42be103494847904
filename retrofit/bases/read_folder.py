"""Read a folder in transformers' format: safetensors alone, no code of its own, every array there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.hub import loading, pickle_in
from amrx.pretrained.loading import POOLER, load_network
from amrx.records.files import reading
from retrofit.bases import gte
from retrofit.bases.files import convert_command, has_weights

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def read_folder(folder: Path, name: str) -> tuple[Any, PreTrainedTokenizerBase]:
    """Return network, in float32 on the CPU, and tokenizer of a folder.

    Raises:
        MissingResourceError: The folder has no weights.
        InputError: It is no model, its weights are pickled or incomplete, or it needs code of its own.
    """
    from transformers import AutoModel, AutoTokenizer

    config = _config(folder)
    if pickle := pickle_in(folder):
        command = convert_command(folder, name)
        raise InputError(f"weights are pickled; write them as safetensors: {command}", file=pickle)
    if not has_weights(folder):
        fetch = f"hf download ID --local-dir {folder}"
        raise MissingResourceError(f"weights of the model {str(folder)!r}", fetch=fetch)
    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(
            folder, config=config, local_files_only=True, trust_remote_code=False
        )
    model = load_network(AutoModel, folder, unused=POOLER, config=config)
    return model, tokenizer


def _config(folder: Path) -> Any:  # noqa: ANN401  # a config of transformers, or None for the folder's own
    """Return settings to load with in place of the folder's, if it needs others.

    Raises:
        InputError: There are no settings, they are damaged, or they ask for code of the folder's own.
    """
    from transformers import CONFIG_MAPPING

    file = folder / "config.json"
    if not file.is_file():
        raise InputError("no such file; is this a transformers model?", file=file)
    with reading(file, "is no JSON object"):
        settings = json.loads(file.read_text("utf-8"))
        kind = settings.get("model_type")
    if kind == gte.PUBLISHED:
        return gte.native_config(settings, file)
    if kind not in CONFIG_MAPPING:
        known = "is none that transformers knows; code of a model's own is not run"
        raise InputError(f"model type {kind!r} {known}", file=file)
    return None

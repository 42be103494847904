"""Read a folder in transformers' format: safetensors alone, no code of its own, every array there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import InputError, MissingResourceError
from amrx.hub import pickle_in, quiet
from retrofit.bases import gte
from retrofit.bases.files import convert_command, has_weights

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def read_folder(folder: Path, name: str) -> tuple[Any, PreTrainedTokenizerBase]:
    """Return network, in float32 on the CPU, and tokenizer of a folder.

    Args:
        folder: A model of transformers.
        name: The base's, for the command in an error.

    Raises:
        MissingResourceError: The folder has no weights.
        InputError: It is no model, its weights are pickled or incomplete, or it needs code of its own.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    config = _config(folder)
    if pickle := pickle_in(folder):
        command = convert_command(folder, name)
        raise InputError(f"weights are pickled; write them as safetensors: {command}", file=pickle)
    if not has_weights(folder):
        fetch = f"hf download ID --local-dir {folder}"
        raise MissingResourceError(f"weights of the model {str(folder)!r}", fetch=fetch)
    ours: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        with quiet():
            tokenizer = AutoTokenizer.from_pretrained(folder, config=config, **ours)
            model, found = AutoModel.from_pretrained(
                folder,
                config=config,
                dtype=torch.float32,
                use_safetensors=True,
                output_loading_info=True,
                **ours,
            )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"cannot be loaded by transformers: {reason}", file=folder) from error
    # a pooler is not used, and XLM-R was published without one
    missing = sorted(key for key in found["missing_keys"] if "pooler." not in key)
    if missing:
        raise InputError(f"lacks {len(missing)} arrays of the model, {missing[0]} first", file=folder)
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
    try:
        settings = json.loads(file.read_text("utf-8"))
        kind = settings.get("model_type")
    except (ValueError, AttributeError) as error:
        raise InputError(f"is no JSON object: {error}", file=file) from None
    if kind == gte.PUBLISHED:
        return gte.native_config(settings, file)
    if kind not in CONFIG_MAPPING:
        known = "is none that transformers knows; code of a model's own is not run"
        raise InputError(f"model type {kind!r} {known}", file=file)
    return None

"""Provide the bases ``st:ID_OR_DIR``, ``labse`` and ``xpara``: models in sentence-transformers' format.

They are loaded from a folder or the local hub cache, with the modules listed in the folder (LaBSE: ``[CLS]``,
a dense layer with tanh, unit length). Nothing is downloaded, no code from a model's folder is run and no
pickle is read: the weights are safetensors, and the modules sentence-transformers' own.
"""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amrx.device import pick_device
from amrx.encoder import TextEncoder
from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.hub import hash_model, loading, pickle_in
from amrx.pretrained.loading import POOLER, check_arrays, check_tokenizer, watching
from retrofit.bases.files import find, within
from retrofit.bases.pooling import UNSCALED, read_parts
from retrofit.bases.table import Asked, short_name

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from amrx.types import Codes, Vectors

__all__ = ["HubBase", "find", "load", "load_folder"]


class HubBase(TextEncoder):
    """Encode with a sentence-transformers model; ``lang`` is ignored."""

    def __init__(self, model: SentenceTransformer, name: str, folder: Path) -> None:
        self.name, self.model, self._folder = name, model, folder

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""
        width = self.model.get_embedding_dimension()
        if width is None:
            raise InputError("does not state the width of its vectors", file=self._folder)
        return int(width)

    @cached_property
    def fingerprint(self) -> str:
        """Name and hash of weights, tokenizer and settings."""
        return f"{self.name}:{hash_model(self._folder)}"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 ``(n, d)``, with the lengths that the model gives."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        shown = progress and sys.stderr.isatty()  # sentence-transformers' own bar would fill a log
        vectors = self.model.encode(
            texts, batch_size=batch_size, show_progress_bar=shown, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def load(asked: Asked, device: str | None = None) -> HubBase:
    """Load a model by folder, or by hub id from the local cache.

    A row with a fixed model keeps its name wherever the model is stored.
    """
    folder = find(asked)
    return adjusted(load_folder(folder, short_name(asked, folder), device), asked)


def adjusted(base: HubBase, asked: Asked) -> HubBase:
    """Apply the settings of a request to a loaded model, in place, and return it."""
    model = base.model
    if asked.pooling == UNSCALED:
        for name, module in list(model.named_children()):
            if type(module).__name__ == "Normalize":
                delattr(model, name)
    if asked.pieces is not None:
        model.max_seq_length = within(asked.pieces, model.max_seq_length or asked.pieces, base.name)
    return base


def load_folder(folder: Path, name: str, device: str | None = None) -> HubBase:
    """Load a folder in sentence-transformers' format."""
    check_folder(folder)
    torch_device = str(pick_device(device))
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedModel

    with loading(folder, "sentence-transformers"), watching() as networks:
        model = SentenceTransformer(
            str(folder),
            device=torch_device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
        )
    for network, report in networks:
        check_arrays(network, report, folder, () if uses_pooler(model) else POOLER)
    for module in model.modules():
        if isinstance(own := getattr(module, "auto_model", None), PreTrainedModel):
            table: Any = own.get_input_embeddings()  # the type of num_embeddings is not declared
            check_tokenizer(getattr(module, "tokenizer"), table.num_embeddings, folder)  # noqa: B009
    with loading(folder, "sentence-transformers"):
        vector = model.encode(["a"], show_progress_bar=False)  # modules that do not fit together fail here
    base = HubBase(model, name, folder)
    if vector.shape != (1, base.dimension):
        message = f"vectors have {vector.shape[-1]} numbers, but its modules name {base.dimension}"
        raise InputError(message, file=folder / "modules.json")
    return base


def check_folder(folder: Path) -> None:
    """Raise, before loading, for other folders, pickled weights and modules with their own code."""
    if not folder.is_dir():
        fetch = f"hf download ID --local-dir {folder}"
        raise MissingResourceError(f"files of the model {str(folder)!r}", fetch=fetch)
    for kind, part in read_parts(folder):
        if not kind.startswith("sentence_transformers."):
            raise InputError(f"module {kind!r} is the model's own code, which is not run", file=folder)
        if pickle := pickle_in(part):
            raise InputError("weights are pickled; convert them to safetensors", file=pickle)


def uses_pooler(model: SentenceTransformer) -> bool:
    """Return whether vectors come from the pooling head of a network, not from token states."""
    ways = (getattr(module, "modality_config", None) or {} for module in model.modules())
    return "pooler_output" in repr(list(ways))

"""The bases ``st:ID_OR_DIR``, ``labse`` and ``xpara``: models in sentence-transformers' format.

They come from a folder or the local hub cache, with the modules that their folder lists (LaBSE: ``[CLS]``, a
dense layer with tanh, unit length). Nothing is downloaded, no code from a model's folder is run and no pickle
is read: the weights are safetensors, and the modules sentence-transformers' own.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.device import pick_device
from amrx.encoder import TextEncoder
from amrx.errors import InputError, MissingResourceError
from amrx.hub import hash_model, pickle_in, quiet
from retrofit.bases.files import find
from retrofit.bases.pooling import read_modules
from retrofit.bases.row import Asked, short_name

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from amrx.types import Vectors

__all__ = ["HubBase", "find", "load", "load_folder"]


class HubBase(TextEncoder):
    """A sentence-transformers model; it does not look at ``lang``.

    Args:
        model: The loaded model.
        name: Short name for tables.
        folder: Where it was loaded from; hashed for the fingerprint.
    """

    def __init__(self, model: SentenceTransformer, name: str, folder: Path) -> None:
        self._model, self._name, self._folder = model, name, folder

    @property
    def name(self) -> str:
        """Short name for tables."""
        return self._name

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""
        width = self._model.get_embedding_dimension()
        if width is None:
            raise InputError("tells no width of its vectors", file=self._folder)
        return int(width)

    @cached_property
    def fingerprint(self) -> str:
        """Name and hash of weights, tokenizer and settings."""
        return f"{self._name}:{hash_model(self._folder)}"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``, as long as the model makes them."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = self._model.encode(
            texts, batch_size=batch_size, show_progress_bar=progress, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def load(asked: Asked, device: str | None = None) -> HubBase:
    """Load a model by folder, or by hub id from the local cache.

    A row with a model of its own keeps its name wherever that model stands.

    Raises:
        MissingResourceError: It is neither; the message names the command that fetches it.
        InputError: The folder is no model, or its weights are pickled.
    """
    folder = find(asked)
    return load_folder(folder, short_name(asked, folder), device)


def load_folder(folder: Path, name: str, device: str | None = None) -> HubBase:
    """Load a folder in sentence-transformers' format.

    Raises:
        MissingResourceError: There is no such folder.
        InputError: A file is missing, pickled, or asks for code of its own.
    """
    check_folder(folder)
    import torch
    from sentence_transformers import SentenceTransformer

    try:
        with quiet():
            model = SentenceTransformer(
                str(folder),
                device=str(pick_device(device)),
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True, "dtype": torch.float32},
            )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"cannot be loaded by sentence-transformers: {reason}", file=folder) from error
    return HubBase(model, name, folder)


def check_folder(folder: Path) -> None:
    """Refuse what is no model, pickled weights and modules with code of their own, before anything loads."""
    if not folder.is_dir():
        fetch = f"hf download ID --local-dir {folder}"
        raise MissingResourceError(f"files of the model {str(folder)!r}", fetch=fetch)
    for kind, path in read_modules(folder):
        if not kind.startswith("sentence_transformers."):
            raise InputError(f"module {kind!r} is code of its own, which is not run", file=folder)
        if pickle := pickle_in(folder / path):
            raise InputError("weights are pickled; convert them to safetensors", file=pickle)

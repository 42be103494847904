"""The bases ``st:ID_OR_DIR``: models in sentence-transformers' format, from a folder or the local hub cache.

Nothing is downloaded, no code from a model's folder is run and no pickle is read: the weights are
safetensors, and the modules sentence-transformers' own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.device import pick_device
from amrx.errors import InputError, MissingResourceError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from amrx.types import Vectors

_PICKLES = ("pytorch_model.bin", "model.bin")


class HubBase:
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
        digest = hashlib.sha256()
        for file in sorted(self._folder.rglob("*")):
            if file.suffix in (".safetensors", ".json", ".txt", ".model"):
                digest.update(str(file.relative_to(self._folder)).encode())
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return f"{self._name}:{digest.hexdigest()[:12]}"

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        """Return float32 ``(n, d)``, as long as the model makes them."""
        if not sentences:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = self._model.encode(
            list(sentences), batch_size=batch_size, show_progress_bar=progress, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def load(argument: str, device: str | None = None) -> HubBase:
    """Load a model by folder, or by hub id from the local cache.

    Raises:
        MissingResourceError: It is neither; the message names the command that fetches it.
        InputError: The folder is no model, or its weights are pickled.
    """
    folder = Path(argument)
    if folder.is_dir():
        return load_folder(folder, f"st:{folder.resolve().name}", device)
    return load_folder(find_in_cache(argument), f"st:{argument}", device)


def find_in_cache(model_id: str) -> Path:
    """Return the folder of a model fetched before; ``NAME`` means ``sentence-transformers/NAME``.

    Raises:
        MissingResourceError: It was not fetched, or is no hub id.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    full = model_id if "/" in model_id else f"sentence-transformers/{model_id}"
    try:
        return Path(snapshot_download(full, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        raise MissingResourceError(
            f"weights of {model_id}", fetch=f"hf download {full}", local="st:DIR"
        ) from None


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
        with _without_bars():
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


@contextlib.contextmanager
def _without_bars() -> Iterator[None]:
    """Keep transformers from drawing a bar for every model it loads."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # transformers leaves it bare
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def check_folder(folder: Path) -> None:
    """Refuse what is no model, pickled weights and modules with code of their own, before anything loads."""
    if not folder.is_dir():
        fetch = f"hf download ID --local-dir {folder}"
        raise MissingResourceError(f"files of the model {str(folder)!r}", fetch=fetch)
    listing = folder / "modules.json"
    if not listing.is_file():
        raise InputError("no such file; is this a sentence-transformers model?", file=listing)
    try:
        modules = [(str(row["type"]), str(row["path"])) for row in json.loads(listing.read_text("utf-8"))]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"is no list of modules: {error}", file=listing) from None
    for kind, path in modules:
        if not kind.startswith("sentence_transformers."):
            raise InputError(f"module {kind!r} is code of its own, which is not run", file=listing)
        if not list((folder / path).glob("*.safetensors")):
            for pickle in (folder / path / name for name in _PICKLES):
                if pickle.is_file():
                    raise InputError("weights are pickled; convert them to safetensors", file=pickle)

"""Provide the base ``muse``: multilingual Universal Sentence Encoder v3 (Yang et al. 2020).

It is the convolutional model (`amrx.muse`); mUSE of Cai et al. 2022 is the large Transformer, three points
better on STS17.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amrx.device import pick_device
from amrx.encoder import TextEncoder
from amrx.muse.weights import SHA256
from amrx.muse.weights import find as find_weights

if TYPE_CHECKING:
    import torch

    from amrx.muse.model import MuseModel
    from amrx.muse.tokenize import MuseTokenizer
    from amrx.types import Codes, Vectors
    from retrofit.bases.table import Asked


class MuseBase(TextEncoder):
    """Encode 16 languages as unit vectors; one model serves all, so ``lang`` is ignored."""

    name = "muse"

    def __init__(self, model: MuseModel, tokenizer: MuseTokenizer) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.dimension = int(model.table.shape[1])

    @property
    def fingerprint(self) -> str:
        """Name, hash of the weights and dtype of the convolutions."""
        dtype = str(self.model.projection.dtype).removeprefix("torch.")
        return f"{self.name}:{SHA256['weights.npz'][:12]}:{dtype}"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 unit vectors ``(n, 512)``."""
        from amrx.muse.encode import sentence_vectors

        ids = self.tokenizer.encode(texts)
        return sentence_vectors(self.model, ids, batch_size=batch_size, show=progress)


def find(asked: Asked) -> Path:
    """Return the folder of the weights: the named one, or that of the installed package."""
    return find_weights(asked.argument or None).weights.parent


def load(asked: Asked, device: str | None = None, dtype: torch.dtype | None = None) -> MuseBase:
    """Load from the named folder, or from the installed package.

    ``dtype``, of the convolutions, is by default bfloat16 if the device supports it, else float32.
    """
    from amrx.muse.model import fastest_dtype, load_model
    from amrx.muse.tokenize import MuseTokenizer

    folder, torch_device = find(asked), pick_device(device)
    chosen = fastest_dtype(torch_device) if dtype is None else dtype
    return MuseBase(load_model(folder, chosen).to(torch_device), MuseTokenizer(folder))

"""Provide the base ``e5-small``: multilingual-e5-small (Wang et al. 2024), from a package or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amrx.device import pick_device
from amrx.e5 import weights
from amrx.encoder import TextEncoder
from retrofit.amr.encoder import Cut

if TYPE_CHECKING:
    from amrx.e5.bert import Bert
    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.types import Codes, Encoder, Vectors
    from retrofit.bases.table import Asked


class E5SmallBase(TextEncoder):
    """Encode about 100 languages as unit vectors; one model serves all, so ``lang`` is ignored.

    ``lower`` multiplies in bfloat16 (cosine 0.99998 to float32). ``cut`` counts the texts longer than the
    model's positions.
    """

    name = "e5-small"

    def __init__(self, model: Bert, tokenizer: E5Tokenizer, *, lower: bool = False) -> None:
        self.model, self.tokenizer, self.lower = model, tokenizer, lower
        self.dimension = model.shape.width
        self.cut = Cut(self.name, model.shape.positions, unit="texts")

    @property
    def fingerprint(self) -> str:
        """Name, hash of the weights and dtype of the products."""
        return f"{self.name}:{weights.SHA256[:12]}:{'bfloat16' if self.lower else 'float32'}"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 unit vectors ``(n, 384)``."""
        import torch

        from amrx.e5.model import PREFIX, sentence_vectors

        ids = self.tokenizer.encode([PREFIX + text for text in texts])
        self.cut.count += sum(len(row) > self.cut.limit for row in ids)
        device = next(self.model.parameters()).device.type
        with torch.autocast(device, torch.bfloat16, enabled=self.lower):
            return sentence_vectors(
                self.model, ids, pad=self.tokenizer.model.pad, batch_size=batch_size, show=progress
            )


def find(asked: Asked) -> Path:
    """Return the folder of the weights: the named one, or that of the installed package."""
    if asked.argument and not (Path(asked.argument) / weights.FILE).is_file():
        from retrofit.bases import hf

        return hf.find(asked)
    return weights.find(asked.argument or None).parent


def load(asked: Asked, device: str | None = None) -> Encoder:
    """Load the package's file, or a folder in transformers' format if one is named."""
    folder = find(asked)
    if not (folder / weights.FILE).is_file():
        from retrofit.bases import hf

        return hf.load(asked, device)
    import torch

    from amrx.e5.model import load_model
    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.muse.model import fastest_dtype
    from amrx.pretrained.empty import no_random_numbers

    torch_device = pick_device(device)
    with no_random_numbers():
        model = load_model(folder).to(torch_device)
    return E5SmallBase(model, E5Tokenizer(folder), lower=fastest_dtype(torch_device) == torch.bfloat16)

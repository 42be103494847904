"""The base ``e5-small``: multilingual-e5-small (Wang et al. 2024), from a package or a folder of the hub.

Its vectors share a large mean, which also differs by language: any two sentences have a cosine above 0.7. So
each is centred, ``(v - m) / |v - m|``, with the mean ``m`` of its language, or of all where that is not among
those fitted (`scripts/compare_bases.py`).
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.device import pick_device
from amrx.e5 import weights
from amrx.encoder import TextEncoder, languages_of
from amrx.vectors import normalise

if TYPE_CHECKING:
    from transformers import BertModel

    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.types import Encoder, Vectors
    from retrofit.bases.row import Asked


class E5SmallBase(TextEncoder):
    """Unit vectors of about 100 languages, centred; languages that are not given are detected.

    Args:
        model: The network, on its device.
        tokenizer: Its subword model.
        lower: Multiply in bfloat16 (cosine 0.99998 to float32).
        means: Mean vector by language, that of all by the empty code; without any, vectors are as they are.
    """

    name = "e5-small"

    def __init__(
        self, model: BertModel, tokenizer: E5Tokenizer, *, lower: bool = False, means: Means | None = None
    ) -> None:
        self.model, self.tokenizer, self.lower, self.means = model, tokenizer, lower, means or {}

    def raw(self) -> E5SmallBase:
        """Return the encoder without its means; the model is shared."""
        return E5SmallBase(self.model, self.tokenizer, lower=self.lower)

    @property
    def dimension(self) -> int:
        """Width of the vectors."""
        return int(self.model.config.hidden_size)

    @property
    def fingerprint(self) -> str:
        """Name, hashes of weights and means, and dtype of the products."""
        kept = b"".join(code.encode() + self.means[code].tobytes() for code in sorted(self.means))
        means = f":{hashlib.sha256(kept).hexdigest()[:8]}" if self.means else ""
        return f"{self.name}:{weights.SHA256[:12]}{means}:{'bfloat16' if self.lower else 'float32'}"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 unit vectors ``(n, 384)``.

        Raises:
            InputError: A sentence holds a lone surrogate.
        """
        import torch

        from amrx.e5.encode import PREFIX, sentence_vectors

        ids = self.tokenizer.encode([PREFIX + text for text in texts])
        device = self.model.device.type
        autocast = torch.autocast(device, torch.bfloat16) if self.lower else contextlib.nullcontext()
        with autocast:
            vectors = sentence_vectors(
                self.model, ids, pad=self.tokenizer.model.pad, batch_size=batch_size, show=progress
            )
        return centre(vectors, languages_of(texts, lang), self.means) if self.means else vectors


Means = Mapping[str, "Vectors"]
MEANS = Path(__file__).resolve().parents[2] / "amrx" / "models" / "base-e5-small" / "means.safetensors"


def centre(vectors: Vectors, langs: Sequence[str], means: Means) -> Vectors:
    """Return unit vectors ``(n, d)`` without the mean of their language, or of all where there is none.

    Example:
        >>> one = np.array([[0.6, 0.8]], dtype=np.float32)
        >>> centre(one, ["de"], {"": np.array([0.0, 0.8]), "fr": np.array([0.6, 0.0])}).tolist()
        [[1.0, 0.0]]
    """
    taken = np.stack([means.get(code, means[""]) for code in langs]) if len(langs) else vectors
    return normalise(vectors - taken.astype(np.float32))


def read_means() -> Means:
    """Return the means that ship with amrx.

    Raises:
        InputError: The file is missing or damaged.
    """
    from retrofit.amr.weights import read_weights

    return {
        code.removeprefix("mean").removeprefix("."): mean.numpy()
        for code, mean in read_weights(MEANS).items()
    }


def write_means(means: Means) -> None:
    """Write the file that `read_means` reads."""
    import torch

    from retrofit.amr.weights import write_weights

    named = {f"mean.{code}".rstrip("."): torch.from_numpy(mean) for code, mean in means.items()}
    MEANS.parent.mkdir(exist_ok=True)
    write_weights(MEANS, named, "float32")


def find(asked: Asked) -> Path:
    """Return the folder of the weights: the one named, or that of the installed package.

    Raises:
        MissingResourceError: The weights are not on this machine.
    """
    if asked.argument and not (Path(asked.argument) / weights.FILE).is_file():
        from retrofit.bases import hf

        return hf.find(asked)
    return weights.find(asked.argument or None).parent


def load(asked: Asked, device: str | None = None) -> Encoder:
    """Load the package's file, or a folder in transformers' format where one is named.

    Args:
        asked: Its argument is a folder with the package's file or with the hub's model.
        device: ``cpu``, ``cuda``, …; chosen when ``None``.

    Raises:
        MissingResourceError: The weights are not on this machine.
        InputError: They are damaged or not those expected.
    """
    folder = find(asked)
    if not (folder / weights.FILE).is_file():
        from retrofit.bases import hf

        return hf.load(asked, device)
    import torch

    from amrx.e5.model import load_model
    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.muse.model import fastest_dtype

    place = pick_device(device)
    model = load_model(folder)
    torch.nn.Module.to(model, place)  # the stub of its own ``to`` is wrapped
    lower = fastest_dtype(place) == torch.bfloat16
    return E5SmallBase(model, E5Tokenizer.from_folder(folder), lower=lower, means=read_means())

"""Compute vectors of frozen encoders once, block by block on disk: of a teacher or of a base encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.device import progress as bar
from amrx.records import ResumableVectors, fingerprint
from amrx.records.files import reading
from retrofit.amr.backbone import backbone_fingerprint, load_backbone
from retrofit.amr.pieces import ends, expand, rows_of, tokenize_words

if TYPE_CHECKING:
    import torch

    from amrx.types import Vectors

BLOCK = 1024
"""Sentences that are encoded and stored together; a kill loses no more than these."""
Halves = npt.NDArray[np.float16]


def teach(texts: Sequence[str], name: str, cache: Path, device: torch.device) -> Halves:
    """Return unit vectors ``(len(texts), d)`` in float16, from ``cache`` if it holds those of the same texts.

    The file's name has a hash of teacher (pooled by the mean), number format and texts. A killed run resumes
    after its last block.
    """
    key = fingerprint({"teacher": teacher_fingerprint(name, device), "texts": list(texts)})

    def start() -> tuple[int, Callable[[slice], Halves]]:
        teacher = TextTeacher(name, device)
        return teacher.width, lambda block: teacher(texts[block])

    return _kept(cache / f"teacher-{key}.npy", key, len(texts), start)


def base_vectors(sources: Sequence[tuple[str, str]], name: str, cache: Path, device: torch.device) -> Halves:
    """Return unit vectors of a base encoder for texts in their languages, kept as those of `teach`."""
    from retrofit.bases import load_base

    base = load_base(name, device.type)
    key = fingerprint({"base": base.fingerprint, "texts": [list(source) for source in sources]})

    def encode(block: slice) -> Halves:
        texts, langs = zip(*sources[block], strict=True)
        return _unit(base.encode(list(texts), lang=list(langs)))

    return _kept(cache / f"base-{key}.npy", key, len(sources), lambda: (base.dimension, encode))


def _kept(
    path: Path, key: str, count: int, start: Callable[[], tuple[int, Callable[[slice], Halves]]]
) -> Halves:
    """Return the array at ``path``; if it is missing, compute it by what ``start`` returns."""
    if not path.is_file():
        width, encode = start()
        with ResumableVectors(path, (count, width), fingerprint=key, dtype="float16") as writer:
            rows = range(count)
            blocks = [rows[first : first + BLOCK] for first in range(writer.done, count, BLOCK)]
            for block in bar(blocks, description=path.name.partition("-")[0], size=len):
                writer.append(encode(slice(block.start, block.stop)))
    with reading(path, "is not an array; delete it"):
        kept: Halves = np.load(path, allow_pickle=False)
        return kept


def _unit(vectors: Vectors) -> Halves:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Halves = (vectors / np.maximum(norms, 1e-12)).astype(np.float16)
    return unit


def teacher_fingerprint(name: str, device: torch.device) -> str:
    """Return a hash of a teacher's weights and number format on a device; equal ones give equal vectors."""
    from retrofit.amr.encoder import pick_precision

    return f"{backbone_fingerprint(name)}:{pick_precision('auto', device)}"


class TextTeacher:
    """A frozen sentence encoder, pooled by the mean."""

    def __init__(self, name: str, device: torch.device) -> None:
        from retrofit.amr.model import AmrModel

        tokenizer, backbone = load_backbone(name)
        self._tokenizer, self._device = tokenizer.backend_tokenizer, device
        self._model = AmrModel(backbone, "mean").to(device)
        self.width = int(backbone.config.hidden_size)

    def __call__(self, texts: Sequence[str]) -> Halves:
        """Return unit vectors ``(len(texts), d)`` in float16."""
        from retrofit.amr.encoder import pick_precision
        from retrofit.amr.model import embed_rows

        pieces = tokenize_words(texts, self._tokenizer)
        numbered = rows_of([[number] for number in range(len(pieces))])
        first, last = ends(self._tokenizer)
        rows, _ = expand(numbered, pieces, first=first, last=last, max_tokens=128)
        precision = pick_precision("auto", self._device)
        return _unit(embed_rows(self._model, rows, device=self._device, precision=precision))

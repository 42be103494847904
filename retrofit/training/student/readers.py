"""Compute the teacher's vectors, and read rows of the corpus with the two kinds of student networks.

The frozen teacher is all-MiniLM-L6-v2, for English sentences. Its vectors are written block by block to one
float16 array on disk, so that a killed run resumes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from amrx.device import length_buckets, pad_rows
from amrx.device import progress as bar
from amrx.e5.bert import Bert
from amrx.e5.tokenizer import E5Tokenizer
from amrx.muse.model import FEATURES, MuseModel, fastest_dtype
from amrx.muse.tokenize import MuseTokenizer
from amrx.records import ResumableVectors, fingerprint, write_text
from amrx.types import Encoder
from retrofit.student.adapted_e5 import E5Update, apply_update
from retrofit.student.encoder import SPACE, E5Student, StudentEncoder
from retrofit.student.network import StudentNetwork, encode_pooled, pool
from retrofit.student.shape import Shape, UpdateShape
from retrofit.training.amr.teacher import TextTeacher, teacher_fingerprint
from retrofit.training.student.corpus import Corpus, Ints

if TYPE_CHECKING:
    import torch


BLOCK = 4096
Halves = npt.NDArray[np.float16]
Teacher = Callable[[Sequence[str]], npt.NDArray[np.floating]]


def teach(texts: Sequence[str], path: Path, teacher: Teacher, name: str, width: int) -> Halves:
    """Return the teacher's vectors ``(len(texts), width)``, cached in ``path``."""
    key = fingerprint({"teacher": name, "texts": list(texts)})
    return keep(path, (len(texts), width), lambda start, stop: teacher(texts[start:stop]), key, "teacher")


def keep(
    path: Path,
    shape: tuple[int, int],
    make: Callable[[int, int], npt.NDArray[np.floating]],
    key: str,
    word: str,
) -> Halves:
    """Return an array that is computed block by block, or that of ``path`` if its key is the same."""
    note = path.with_suffix(".key")
    if not (path.is_file() and note.is_file() and note.read_text("utf-8") == key):
        with ResumableVectors(path, shape, fingerprint=key, dtype="float16") as writer:
            starts = range(writer.done, shape[0], BLOCK)
            for start in bar(starts, len(starts), word):
                writer.append(make(start, min(start + BLOCK, shape[0])))
            path.unlink(missing_ok=True)  # an older array must not remain beside the new key
            write_text(note, key)
    vectors: Halves = np.load(path, mmap_mode="r", allow_pickle=False)
    return vectors


def open_teacher(device: torch.device) -> tuple[Teacher, str]:
    """Return all-MiniLM-L6-v2 and its fingerprint."""
    return TextTeacher(SPACE, device), f"{SPACE}:{teacher_fingerprint(SPACE, device)}"


def goals_of(corpus: Corpus, folder: Path, device: torch.device) -> tuple[Halves, str]:
    """Return the teacher's vector of each meaning, zero if it has none, and the teacher's name."""
    teacher, name = open_teacher(device)
    width = teacher(["a"]).shape[1]
    return teach(corpus.english, folder / "teacher.npy", teacher, name, width), name


class PooledReader:
    """The network on multilingual USE's features, which are computed once for the whole corpus."""

    def __init__(
        self,
        shape: Shape,
        corpus: Corpus,
        muse: tuple[MuseModel, MuseTokenizer],
        folder: Path,
        batch_size: int,
    ) -> None:
        self._corpus, self._muse = corpus, muse
        self.network = StudentNetwork(shape).to(muse[0].table.device)
        self._lengths = torch.from_numpy(np.diff(corpus.ends, prepend=0))
        self._features = features_of(corpus, muse[0], folder, batch_size)

    def vectors(self, rows: Ints) -> Tensor:
        """Return the network's vectors ``(n, d)`` of rows of the corpus."""
        device = self._muse[0].table.device
        ids = [self._corpus.row(int(row)) for row in rows]
        pooled = torch.from_numpy(self._features[rows].astype(np.float32)).to(device)
        return encode_pooled(self._muse[0], self.network, pooled, self._lengths[rows].to(device), ids)

    def student(self) -> Encoder:
        """Return the current network as an encoder."""
        return StudentEncoder(self.network, *self._muse)


def features_of(corpus: Corpus, muse: MuseModel, folder: Path, batch_size: int) -> Halves:
    """Return the input of `StudentNetwork` for each row of the corpus ``(R, 1280)``, cached in ``folder``."""

    def compute(start: int, stop: int) -> npt.NDArray[np.floating]:
        ids = [corpus.row(number) for number in range(start, stop)]
        with torch.inference_mode():
            return np.concatenate([pooled.cpu().numpy() for pooled, _ in pool(muse, ids, batch_size)])

    key = f"{hashlib.sha256(corpus.ids.tobytes()).hexdigest()}:{muse.projection.dtype}"
    return keep(folder / "features.npy", (len(corpus.ends), FEATURES), compute, key, "muse")


class E5Reader:
    """e5-small with low-rank updates. Rows of similar length share a batch."""

    def __init__(
        self, shape: UpdateShape, corpus: Corpus, bert: Bert, tokenizer: E5Tokenizer, batch_size: int
    ) -> None:
        self._corpus, self._bert, self._tokenizer, self._batch_size = corpus, bert, tokenizer, batch_size
        bert.requires_grad_(False)
        self._device = next(bert.parameters()).device
        self.network = E5Update(shape, bert).to(self._device)
        self._lower = fastest_dtype(self._device) == torch.bfloat16

    def vectors(self, rows: Ints) -> Tensor:
        """Return the network's vectors ``(n, d)`` of rows of the corpus."""
        ids = [self._corpus.row(int(row)) for row in rows]
        batches = length_buckets([len(row) for row in ids], self._batch_size)
        updated, pad = self.network.updated(self._bert), self._tokenizer.model.pad
        parts = list[Tensor]()
        for batch in batches:
            tokens = pad_rows([ids[place] for place in batch], pad).to(self._device)
            with torch.autocast(self._device.type, torch.bfloat16, enabled=self._lower):
                parts.append(self.network(self._bert, updated, tokens, tokens != pad).float())
        order = torch.tensor([place for batch in batches for place in batch], device=self._device)
        return torch.cat(parts)[order.argsort()]

    def student(self) -> Encoder:
        """Return the current network as an encoder."""
        import copy

        bert = copy.deepcopy(self._bert).eval()
        apply_update(self.network, bert)
        head = self.network.out.weight.detach().cpu().numpy(), self.network.out.bias.detach().cpu().numpy()
        return E5Student(bert, head, self._tokenizer, lower=self._lower)


Reader = PooledReader | E5Reader
"""A network in training."""

"""Compute the vectors of the frozen teacher, all-MiniLM-L6-v2, for English sentences.

Vectors are written block by block to one float16 array on disk, so that a killed run resumes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.device import progress as bar
from amrx.records import ResumableVectors, fingerprint, write_text
from retrofit.student.encoder import SPACE
from retrofit.training.amr.teacher import TextTeacher, teacher_fingerprint
from retrofit.training.student.corpus import Corpus

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

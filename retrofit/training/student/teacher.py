"""The frozen teachers: the vector that each English sentence has as text, or as the graph parsed from it.

Vectors are written block by block to one float16 array on disk, so that a killed run goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.device import progress as bar
from amrx.records import ResumableVectors, atomic_path, fingerprint
from amrx.types import Sentence
from amrx.vectors import normalise
from retrofit.training.student.corpus import Corpus
from retrofit.training.student.recipe import Recipe

if TYPE_CHECKING:
    import torch

BLOCK = 4096
Halves = npt.NDArray[np.float16]
Teacher = Callable[[Sequence[str]], npt.NDArray[np.floating]]


def teach(texts: Sequence[str], path: Path, teacher: Teacher, name: str, width: int) -> Halves:
    """Return the teacher's vectors ``(len(texts), width)``, from ``path`` where they are those of the texts.

    Args:
        texts: English sentences.
        path: The ``.npy`` file.
        teacher: Texts to vectors; a zero row says that it has none.
        name: Its fingerprint.
        width: Width of its vectors.

    Raises:
        OutputError: ``path`` cannot be written.
    """
    key = fingerprint({"teacher": name, "texts": list(texts)})
    return keep(path, (len(texts), width), lambda start, stop: teacher(texts[start:stop]), key, "teacher")


def keep(
    path: Path,
    shape: tuple[int, int],
    make: Callable[[int, int], npt.NDArray[np.floating]],
    key: str,
    word: str,
) -> Halves:
    """Return an array that is made block by block, from ``path`` where it has the same key.

    Args:
        path: The ``.npy`` file; its key stands beside it.
        shape: Rows and columns.
        make: Rows ``start`` to ``stop`` of it.
        key: Hash of what it is made from.
        word: For the progress bar.

    Raises:
        OutputError: ``path`` cannot be written.
    """
    note = path.with_suffix(".key")
    if not (path.is_file() and note.is_file() and note.read_text("utf-8") == key):
        with ResumableVectors(path, shape, fingerprint=key, dtype="float16") as writer:
            starts = range(writer.done, shape[0], BLOCK)
            for start in bar(starts, len(starts), word):
                writer.append(make(start, min(start + BLOCK, shape[0])))
            path.unlink(missing_ok=True)  # an older array, which must not stand beside the new key
            with atomic_path(note) as temporary:
                temporary.write_text(key, "utf-8")
    vectors: Halves = np.load(path, mmap_mode="r", allow_pickle=False)
    return vectors


def open_teacher(recipe: Recipe, device: torch.device) -> tuple[Teacher, str]:
    """Return the recipe's teacher and its fingerprint.

    Raises:
        OptionError: A name of the recipe is unknown.
        MissingResourceError: A model is not on this machine.
    """
    if recipe.teacher == "minilm":
        from retrofit.training.amr.teacher import TextTeacher, teacher_fingerprint

        return TextTeacher("minilm", device), f"minilm:{teacher_fingerprint('minilm', device)}"
    from parser import load as load_parser
    from retrofit.load import load_amr

    parser, encoder = load_parser(recipe.parser), load_amr(recipe.encoder, device=str(device))

    def of_graphs(texts: Sequence[str]) -> npt.NDArray[np.floating]:
        asked = [Sentence(str(i), text, "en") for i, text in enumerate(texts)]
        parses = parser.parse(asked, batch_size=128)
        there = [i for i, parse in enumerate(parses) if parse.status != "failed"]
        vectors = np.zeros((len(texts), encoder.dimension), np.float32)
        if there:
            vectors[there] = encoder.encode_graphs([parses[i].graph for i in there])
        return normalise(vectors)

    return of_graphs, f"{parser.fingerprint}|{encoder.fingerprint}"


def chosen_meanings(count: int, graded: Sequence[int], most: int) -> npt.NDArray[np.int64]:
    """Return the meanings to ask for, in rising order: all, or the graded ones and evenly spaced others.

    Example:
        >>> chosen_meanings(10, [0, 1], 4).tolist()
        [0, 1, 2, 6]
    """
    if not 0 < most < count:
        return np.arange(count)
    first = np.unique(np.array(graded, np.int64))[:most]
    others = np.setdiff1d(np.arange(count), first)
    room = most - len(first)
    spread = others[np.arange(room) * len(others) // room] if room else others[:0]
    return np.sort(np.concatenate([first, spread]))


def goals_of(corpus: Corpus, recipe: Recipe, folder: Path, device: torch.device) -> tuple[Halves, str]:
    """Return the teacher's vector of each meaning, zero where it was not asked or has none, and its name."""
    teacher, name = open_teacher(recipe, device)
    graded = corpus.graded[corpus.graded >= 0]
    asked = chosen_meanings(len(corpus.english), corpus.meaning[graded].tolist(), recipe.meanings)
    texts = [corpus.english[meaning] for meaning in asked]
    taught = teach(texts, folder / "teacher.npy", teacher, name, recipe.shape.dimension)
    goals = np.zeros((len(corpus.english), recipe.shape.dimension), np.float16)
    goals[asked] = taught
    return goals, name

"""A data folder of a few sentences, a teacher that costs nothing, and a student small enough for a test."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.muse.model import MuseModel, load_model
from amrx.muse.tokenize import MuseTokenizer
from retrofit.student.encoder import StudentEncoder, load_student, save_student
from retrofit.student.network import StudentNetwork
from retrofit.student.shape import Shape
from retrofit.training.student import corpus
from retrofit.training.student import readers as teachers
from retrofit.training.student.recipe import Amounts, Recipe

PAIRS = [
    ("A man plays a guitar.", "A person plays music.", 3.5),
    ("A dog runs in the park.", "The dog is sleeping.", 1.5),
    ("Two women are talking.", "Two women talk to each other.", 4.8),
    ("The boy wants to go.", "A plane is landing.", 0.0),
    ("The girl reads a book.", "The girl is reading.", 4.0),
]
GERMAN = {
    "A man plays a guitar.": "Ein Mann spielt Gitarre.",
    "A person plays music.": "Eine Person macht Musik.",
    "A dog runs in the park.": "Ein Hund läuft im Park.",
    "The dog is sleeping.": "Der Hund schläft.",
    "Two women are talking.": "Zwei Frauen unterhalten sich.",
    "Two women talk to each other.": "Zwei Frauen reden miteinander.",
    "The boy wants to go.": "Der Junge will gehen.",
    "A plane is landing.": "Ein Flugzeug landet.",
    "The girl reads a book.": "Das Mädchen liest ein Buch.",
    "The girl is reading.": "Das Mädchen liest gerade.",
}
TURKISH = [("Where is the station?", "İstasyon nerede?"), ("It is raining today.", "Bugün yağmur yağıyor.")]
DEV = [("A cat eats.", "The cat is eating.", 4.5), ("A cat eats.", "He writes.", 0.2), ("Go!", "Come!", 2.0)]
SNLI = [
    ("A man sings on a stage.", "A man sings.", "entailment"),
    ("A man sings on a stage.", "Nobody is there.", "contradiction"),
    ("Children play outside.", "The children are brothers.", "neutral"),
]
SHAPE = Shape(width=16, inner=16, layers=1, dimension=12, dropout=0.1)
TINY = Shape(width=16, inner=16, layers=2, dimension=12)
BAGS = (0, 24)
"""Widths of the bag of subwords."""

RECIPE = Recipe(
    steps=10, warmup=2, learning_rate=3e-3, rows=8, evaluate_every=4, dev_rows=0, checkpoint_every=3,
    shape=SHAPE, amounts=Amounts(langs={"de": 1.0, "tr": 2.0}, sources={"stsb": 99, "tatoeba": 99}),
)  # fmt: skip


def write_data(folder: Path) -> Path:
    """Write the data folder and return it."""
    sides = {"en": {english: english for english in GERMAN}, "de": GERMAN}
    sides["tr"] = {english: f"tr: {english}" for english in GERMAN}
    for code in ("en", "de", "es", "fr", "it", "tr", "zh"):
        place = folder / "sts" / "stsb" / code
        place.mkdir(parents=True)
        write_csv(place / "dev.csv", DEV)
        if code in sides:
            table = sides[code]
            write_csv(place / "train.csv", [(table[a], table[b], score) for a, b, score in PAIRS])
    (folder / "nli" / "snli").mkdir(parents=True)
    rows = "".join("\t".join(row) + "\n" for row in SNLI)
    (folder / "nli" / "snli" / "train-20k.tsv").write_text(rows, "utf-8")
    (folder / "parallel" / "tatoeba").mkdir(parents=True)
    for code, pairs in {"tr": TURKISH, "de": [("Where is the station?", "Wo ist der Bahnhof?")]}.items():
        with gzip.open(folder / "parallel" / "tatoeba" / f"en-{code}.tsv.gz", "wt", encoding="utf-8") as file:
            file.writelines("\t".join(pair) + "\n" for pair in pairs)
    return folder


def write_csv(path: Path, rows: list[tuple[str, str, float]]) -> None:
    """Write rows as STS-B does."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


class ToyTeacher:
    """The first components of multilingual USE's sentence vectors.

    Args:
        muse: The model.
        tokenizer: Its tokenizer.
        without: A text that it has no vector of.
    """

    def __init__(self, muse: MuseModel, tokenizer: MuseTokenizer, without: str = "") -> None:
        self.muse, self.tokenizer, self.without, self.asked = muse, tokenizer, without, list[str]()

    def __call__(self, texts: list[str]) -> np.ndarray:
        from amrx.muse.encode import sentence_vectors

        self.asked += texts
        with torch.inference_mode():
            vectors = sentence_vectors(self.muse, self.tokenizer.encode(texts))[:, : SHAPE.dimension].copy()
        vectors[[text == self.without for text in texts]] = 0
        return vectors


@pytest.fixture(scope="module")
def muse() -> tuple[MuseModel, MuseTokenizer]:
    return load_model(), MuseTokenizer()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(corpus, "load_reserved", lambda folder: {"Ein Hund läuft im Park."})
    return write_data(tmp_path / "data")


@pytest.fixture
def teacher(muse: tuple[MuseModel, MuseTokenizer], monkeypatch: pytest.MonkeyPatch) -> ToyTeacher:
    made = ToyTeacher(*muse, without="Where is the station?")
    monkeypatch.setattr(teachers, "open_teacher", lambda device: (made, "toy"))
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    place = tmp_path_factory.mktemp("models") / "encoder-tiny"
    save_student(place, StudentNetwork(TINY))
    return place


@pytest.fixture(scope="module")
def student(folder: Path, muse: tuple[MuseModel, MuseTokenizer]) -> StudentEncoder:
    return load_student(folder, shared=muse)

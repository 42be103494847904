"""Encoders and a parser of few graphs, to search with, and their cosines by hand."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import penman
import pytest

import retrofit.index
from amrx.encoder import TextEncoder
from amrx.types import Parse, Sentence, Vectors
from retrofit.combine import RetrofittedEncoder
from retrofit.search import Match


class Words(TextEncoder):
    """Texts are numbers: each is the seed of its vector; ``0`` has none. Counts what it was given."""

    def __init__(self, name: str, width: int) -> None:
        self.rows: Vectors | None = None
        self.name, self.dimension, self.fingerprint = name, width, f"{name}:{width}"
        self.seen: list[str] = []
        self.largest = 0

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        self.seen += texts
        self.largest = max(self.largest, len(texts))
        if self.rows is not None:
            return self.rows[[int(text) % len(self.rows) for text in texts]]
        return np.array([self.vector(text) for text in texts], dtype=np.float32)

    def vector(self, text: str) -> np.ndarray:
        if text == "0":
            return np.zeros(self.dimension, dtype=np.float32)
        seed = int(text) + 1_000_000 * self.dimension
        return np.random.default_rng(seed).normal(size=self.dimension).astype(np.float32) + 1


def student(weight: float = 0.5, widths: tuple[int, int] = (5, 4)) -> RetrofittedEncoder:
    return RetrofittedEncoder(Words("base", widths[0]), None, Words("side", widths[1]), weight=weight)


def cos(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x.astype(np.float64), y.astype(np.float64)
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else 0.0


def by_hand(encoder: RetrofittedEncoder, one: str, other: str) -> tuple[float, float | None, float]:
    """Base, AMR and combined cosine by the definition of norm-concat."""
    sides = [encoder.base.vector(text) for text in (one, other)]
    seconds = [encoder.encoders[0].vector(text) for text in (one, other)]
    base, amr = cos(*sides), cos(*seconds)
    square = encoder.weights[0] ** 2
    there = [float(vector.any()) for vector in seconds]
    bases = [float(vector.any()) for vector in sides]
    lengths = [(b + square * t) ** 0.5 for b, t in zip(bases, there, strict=True)]
    combined = (base + square * amr) / (lengths[0] * lengths[1]) if all(lengths) else 0.0
    return base, amr if all(there) and encoder.weights[0] else None, combined


@pytest.fixture(params=["faiss", "numpy"])
def small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few rows, by either search."""
    monkeypatch.setattr(retrofit.index, "BLOCK", 4)
    monkeypatch.setattr(retrofit.index, "_SEARCHED", 3)
    monkeypatch.setattr("retrofit.search.BLOCK", 4)
    if request.param == "numpy":
        monkeypatch.setitem(sys.modules, "faiss", None)
    else:
        pytest.importorskip("faiss", reason="it is the extra index")


def texts(start: int, count: int) -> list[str]:
    return [str(number) for number in range(start, start + count)]


def is_as_by_hand(encoder: RetrofittedEncoder, match: Match) -> bool:
    base, amr, combined = by_hand(encoder, match.a.text, match.b.text)
    assert (match.channels is None) == (amr is None)
    assert [match.base, match.combined] == pytest.approx([base, combined], abs=1e-6)
    return amr is None or match.channels == pytest.approx(amr, abs=1e-6)


GRAPHS = {
    "dog bites man": "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))",
    "man bites dog": "(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))",
    "dog bites no man": "(b / bite-01 :polarity - :ARG0 (d / dog) :ARG1 (m / man))",
    "dog bites two men": "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man :quant 2))",
}


class Told:
    """Knows the graphs above; all else fails."""

    fingerprint = "told:1"

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.names: tuple[object, ...] = ()

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        self.seen += [one.text for one in sentences]
        return [
            Parse(
                one.id, one.text, str(one.lang), penman.decode(GRAPHS.get(one.text, "(a / amr-empty)")),
                "ok" if one.text in GRAPHS else "failed",
            )
            for one in sentences
        ]  # fmt: skip


class Graphs:
    name, dimension, fingerprint = "amr", 3, "amr:1"

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        return np.array([[1, len(graph.triples), 2] for graph in graphs], dtype=np.float32)


class Lengths(TextEncoder):
    name, dimension, fingerprint = "lengths", 3, "lengths:1"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        return np.array([[len(text), text.count(" "), 1] for text in texts], dtype=np.float32)

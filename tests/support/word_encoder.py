"""An encoder whose vectors tell of words, for pools and probes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from hashlib import sha256

import numpy as np


class Words:
    """Each word is a direction of its own, the same in every language; remembers what it was given."""

    name, dimension, fingerprint = "words", 512, "words:0"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str | None]] = []

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        told = [lang] * len(sentences) if lang is None or isinstance(lang, str) else lang
        self.seen += zip(sentences, told, strict=True)
        rows = [sum(map(direction, text.lower().split()), np.zeros(Words.dimension)) for text in sentences]
        return np.array(rows, dtype=np.float32).reshape(len(rows), Words.dimension)


@functools.cache
def direction(word: str) -> np.ndarray:
    """Return the vector of a word, of length about 23, drawn from a seed that is its hash."""
    seed = int.from_bytes(sha256(word.encode("utf-8")).digest()[:4], "little")
    return np.random.default_rng(seed).normal(size=Words.dimension)

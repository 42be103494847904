"""An encoder of angles, and small data of the similarity tasks."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from amrx.evaluation.tasks.sts import STS17, Task


class Angles:
    """Texts are angles in degrees; remembers what it was given."""

    name, dimension, fingerprint = "angles", 2, "angles:0"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str | None]] = []

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        assert not isinstance(lang, str)
        self.seen += zip(sentences, [None] * len(sentences) if lang is None else lang, strict=True)
        angles = np.radians([float(text) for text in sentences])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32) * 7


def write(data: Path, name: str, rows: Sequence[str]) -> None:
    folder = data / "sts" / "sts17"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.tsv").write_text("".join(f"{row}\n" for row in rows), "utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path, "es-es", ["0\t0\t5", "0\t30\t4", "0\t60\t1"])  # cosines fall with the scores
    write(tmp_path, "en-es", ["0\t10\t1", "0\t20\t3", "0\t90\t4"])  # and here rise as they fall
    return tmp_path


MONO = next(track for track in STS17.tracks if track.language == "es-es")


CROSS = next(track for track in STS17.tracks if track.language == "en-es")


SMALL: Task = dataclasses.replace(
    STS17, tracks=(dataclasses.replace(MONO, count=3), dataclasses.replace(CROSS, count=3))
)

"""Selection of a student: STS-B dev, with it beside multilingual USE at the best weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from amrx.muse.model import MuseModel
from amrx.muse.tokenize import MuseTokenizer
from amrx.types import Vectors
from amrx.vectors import normalise
from retrofit.student.network import StudentNetwork
from retrofit.student.rows import cut, encode
from retrofit.training.student.corpus import MOST
from retrofit.weight_fitting import LANGUAGES, StsbDev, fit_weight, mean_spearman, stsb_dev


@dataclass(frozen=True, slots=True)
class DevScore:
    """Mean Spearman over the tracks, 0-100: beside the base at the best weight, that weight, base, alone."""

    score: float
    weight: float
    base: float
    alone: float

    def line(self) -> dict[str, float]:
        """Return it for the log."""
        return {
            "dev": round(self.score, 3), "weight": self.weight,
            "dev_base": round(self.base, 3), "dev_alone": round(self.alone, 3),
        }  # fmt: skip


class Dev:
    """Rows of STS-B dev as subwords, evenly spaced.

    Args:
        data: Folder of the open data.
        rows: How many rows; 0 for all.
        tokenizer: Of multilingual USE.

    Raises:
        InputError: A file is missing or a row is wrong.
    """

    def __init__(self, data: Path, rows: int, tokenizer: MuseTokenizer) -> None:
        self._dev: StsbDev = stsb_dev(data, LANGUAGES, limit=rows or None)
        self._ids: Mapping[str, list[list[int]]] = {
            code: cut(tokenizer.encode(texts), MOST) for code, texts in self._dev.texts.items()
        }

    def score(self, muse: MuseModel, network: StudentNetwork, rows: int) -> DevScore:
        """Score the network, which is left in the mode that it was in."""
        training = network.training
        network.eval()
        base: dict[str, Vectors] = {}
        made: dict[str, Vectors] = {}
        with torch.inference_mode():
            for code, ids in self._ids.items():
                vectors, sentences = encode(muse, network, ids, rows)
                base[code] = sentences.float().cpu().numpy()
                made[code] = normalise(vectors.cpu().numpy())
        network.train(training)
        there = {code: np.ones(len(ids), dtype=np.bool_) for code, ids in self._ids.items()}
        fitted = fit_weight(self._dev.pairs(base, made, there))
        alone = mean_spearman(self._dev.pairs(made, made, there), 0.0)
        return DevScore(fitted.score, fitted.weight, fitted.base_score, alone)

"""What a run needs before its first step: the teacher's vectors, initial weights, optimiser, rate."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from amrx.errors import OptionError
from amrx.muse.model import FEATURES, MuseModel
from retrofit.amr.weights import load_state, read_weights
from retrofit.load import find_encoder
from retrofit.student.encoder import is_student
from retrofit.student.network import Network
from retrofit.student.recipe import Recipe
from retrofit.training.student.corpus import Corpus
from retrofit.training.student.step import pool
from retrofit.training.student.teacher import Halves, chosen_meanings, keep, open_teacher, teach


def rate(step: int, recipe: Recipe) -> float:
    """Return the share of the peak learning rate at a step: linear warm-up, constant, linear decay to 0.

    Example:
        >>> [rate(step, Recipe(steps=10, warmup=2, decay=0.4)) for step in (0, 1, 6, 7, 9)]
        [0.5, 1.0, 1.0, 0.75, 0.25]
    """
    warm = min(1.0, (step + 1) / max(1, recipe.warmup))
    return warm * min(1.0, (recipe.steps - step) / max(1.0, recipe.decay * recipe.steps))


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


def features_of(corpus: Corpus, muse: MuseModel, folder: Path, batch_size: int) -> Halves:
    """Return what `PooledNetwork` reads of each row of the corpus ``(R, 1280)``, kept in ``folder``."""

    def made(start: int, stop: int) -> npt.NDArray[np.floating]:
        ids = [corpus.row(place) for place in range(start, stop)]
        with torch.inference_mode():
            return np.concatenate([pooled.cpu().numpy() for pooled, _ in pool(muse, ids, batch_size)])

    key = f"{hashlib.sha256(corpus.ids.tobytes()).hexdigest()}:{muse.projection.dtype}"
    return keep(folder / "features.npy", (len(corpus.ends), FEATURES), made, key, "muse")


def take_initial(network: Network, name: str) -> None:
    """Begin with a student's weights.

    Raises:
        OptionError: There is no such student, or it has another shape.
    """
    folder = find_encoder(name)
    if not is_student(folder):
        raise OptionError(f"recipe key 'initial': {name!r} is no student")
    load_state(network, read_weights(folder / "model.safetensors"), folder / "model.safetensors")


def optimizer_of(network: Network, recipe: Recipe) -> torch.optim.AdamW:
    """AdamW; matrices decay, biases and norms do not."""
    matrices = [p for p in network.parameters() if p.ndim > 1]
    others = [p for p in network.parameters() if p.ndim <= 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98))

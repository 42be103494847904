"""Train and measure one method with one seed; all runs start from the same network."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from proof_inputs import SEEN, UNSEEN, Inputs

from amrx.evaluation.run import load, score
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA, TatoebaPart
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.task import Part
from amrx.records import write_text
from amrx.types import Encoder
from parser.training.corpora.lines import read_columns

UNTRAINED = "untrained"

TRAINERS = {
    "contrastive": ("contrastive", "small"),
    "bitranslation": ("bitranslation", "small"),
    "vmsst": ("vmsst", "small"),
    "vmsst-contrastive": ("vmsst", "vmsst-contrastive-small"),
    "emma-x": ("emma-x", "small"),
    "msimcse-english-nli": ("msimcse", "english-nli-small"),
}
"""Trainer and recipe of each method; `settings` changes the recipe."""

FIRST_PHASE, SECOND_PHASE = "emma-x phase 1", "emma-x phase 2"
"""Names of the encoders after the phases of Emma-X."""

RATES = (1e-3, 3e-3)
"""Peak learning rates, which are compared with seed 0 of each method; see `best_rate`."""

METRICS = ("spearman", "accuracy xx→en", "accuracy en→xx")

NETWORK = (
    "backbone.max_tokens=32",
    "backbone.scratch.kind=bert",
    "backbone.scratch.pieces=16000",
    "backbone.scratch.table=muse",
    "backbone.scratch.width=128",
    "backbone.scratch.layers=2",
    "backbone.scratch.heads=4",
    "backbone.scratch.dropout=0.0",
    "run.precision=bf16",  # 1.5 times as fast as float32 on a CPU with AMX
    "run.optimizer=adamw",
    "run.log_every=10",
    "run.checkpoint_every=50",
)
"""Settings of all runs; the network is smaller than in the recipes `small`, for more steps per minute."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One run.

    Attributes:
        method: A key of `TRAINERS`, or `UNTRAINED`.
        seed: Seed of everything random.
        steps: Training steps; phase 2 of Emma-X adds half as many.
        batch: Rows per step.
        folder: Folder of all runs.
        rate: Peak learning rate.
    """

    method: str
    seed: int
    steps: int
    batch: int
    folder: Path
    rate: float = RATES[0]

    @property
    def out(self) -> Path:
        """The encoder's folder."""
        return self.folder / f"{self.method}-{self.seed}-{self.steps}x{self.batch}-{self.rate}"

    @property
    def held_out(self) -> Path:
        """The file with the accuracy on the held-out pairs; it exists once the encoder is trained."""
        return self.out / "held-out.json"

    @property
    def scores(self) -> Path:
        """The file of the rows, which is written last."""
        return self.out / "scores.json"


def settings(asked: Asked) -> list[str]:
    """Return the changes to the trainer's recipe, as values of ``--set``."""
    rate = {"peak": asked.rate, "warmup": asked.steps // 10, "schedule": "linear"}
    own: dict[str, object] = {"seed": asked.seed}
    if asked.method == "emma-x":
        own |= {"pairs.steps": asked.steps, "pairs.batch": asked.batch}
        own |= {"text.steps": asked.steps // 2, "text.batch": asked.batch}
        own |= {f"pairs.encoder.{key}": value for key, value in rate.items()}
        own |= {"text.encoder.warmup": asked.steps // 20}
        own |= {"pairs.classifier.peak": 1e-2}  # with 1e-3 its final loss is above chance
    else:
        key = "encoder" if asked.method.startswith("msimcse") else "rate"
        own |= {"steps": asked.steps, "batch": asked.batch}
        own |= {f"{key}.{name}": value for name, value in rate.items()}
        if key == "rate":
            own |= {"latents.kl_warmup": asked.steps // 2}
    return [*NETWORK, *(f"{key}={value}" for key, value in own.items())]


def train(asked: Asked, given: Inputs) -> None:
    """Train, or resume a killed run; then measure the accuracy on the held-out pairs."""
    if asked.held_out.is_file() or asked.method == UNTRAINED:
        return
    _train(asked, given)
    *_, (_, encoder) = encoders(asked)
    rows = score([encoder], held_out(given))
    accuracy = statistics.mean(row.value for row in rows if row.metric in METRICS)
    write_text(asked.held_out, json.dumps({"accuracy": round(accuracy, 2), "pairs": rows[0].n}))


def best_rate(asked: Asked) -> float:
    """Return the rate with the highest accuracy of seed 0 on the held-out pairs; ties go to the lower rate.

    Raises:
        FileNotFoundError: Seed 0 has not been trained with every rate.
    """
    tried = [replace(asked, seed=0, rate=rate) for rate in RATES]
    accuracies = [json.loads(one.held_out.read_text("utf-8"))["accuracy"] for one in tried]
    return tried[int(np.argmax(accuracies))].rate


def held_out(given: Inputs) -> list[Part]:
    """Return the held-out pairs as parts of a task like Tatoeba."""
    task = replace(TATOEBA, name="held-out")
    parts: list[Part] = []
    for language in TATOEBA.languages:
        if language.lang in given.held_out:
            pairs = list(read_columns(given.held_out[language.lang], 2))
            english, foreign = (tuple(pair[side] for pair in pairs) for side in (0, 1))
            parts.append(TatoebaPart(task, language, foreign, english))
    return parts


def _train(asked: Asked, given: Inputs) -> None:
    import importlib

    from retrofit.commands.train_base import METHODS, read_recipe
    from retrofit.training.bases.sources import read_source
    from retrofit.training.bases.train import train as train_base

    method, config = TRAINERS[asked.method]
    parallel = [read_source("parallel", text) for text in given.parallel]
    sources = {
        "msimcse": [read_source("nli", given.nli)],
        "emma-x": [*parallel, *(read_source("text", text) for text in given.text)],
    }.get(method, parallel)
    recipe = read_recipe(method, config, settings(asked))
    trainer = importlib.import_module(f"retrofit.training.bases.{METHODS[method]}.train")
    train_base(trainer.METHOD, sources, asked.out, recipe, "cpu")


def encoders(asked: Asked) -> Iterator[tuple[str, Encoder]]:
    """Yield name and encoder of each measurement of a finished run."""
    from retrofit.bases import load_base
    from retrofit.bases.hub import HubBase
    from retrofit.commands.train_base import read_recipe
    from retrofit.training.bases.backbone import build_encoder

    if asked.method == UNTRAINED:
        recipe = read_recipe("emma-x", "small", settings(replace(asked, method="emma-x")))
        yield UNTRAINED, HubBase(build_encoder(recipe.backbone, asked.seed), UNTRAINED, asked.out)
    elif asked.method == "emma-x":
        yield FIRST_PHASE, load_base(str(asked.out / "training" / "after-pairs"), "cpu")
        yield SECOND_PHASE, load_base(str(asked.out), "cpu")
    else:
        yield asked.method, load_base(str(asked.out), "cpu")


def measured(data: Path) -> list[Part]:
    """Return STS17, and Tatoeba in the training languages."""
    chosen = tuple(language for language in TATOEBA.languages if language.lang in (*SEEN, *UNSEEN))
    return load([STS17, replace(TATOEBA, languages=chosen)], data)[0]


def run(asked: Asked, given: Inputs, data: Path) -> None:
    """Train and measure, unless the run is finished.

    Raises:
        AmrxError: A file of the input or the data is missing or faulty.
    """
    if asked.scores.is_file():
        return
    train(asked, given)
    parts, rows = measured(data), []
    for name, encoder in encoders(asked):
        for row in score([encoder], parts):
            if row.metric in METRICS:
                origin = {"encoder": name, "method": asked.method, "seed": asked.seed}
                rows.append({**row._asdict(), **origin, "steps": asked.steps, "rate": asked.rate})
    asked.out.mkdir(parents=True, exist_ok=True)
    write_text(asked.scores, json.dumps(rows, ensure_ascii=False))

"""Fine-tune an encoder as a Siamese network: Multi-STS, QE, LAReQA and Mewsli-X of Emma-X's Table 1.

::

    multi-sts   SNLI, labels  ──>  STS-B in English, scores  ──>  STS17, Spearman
    qe          assessments of seven language pairs, scores  ──>  eleven pairs, Pearson
    lareqa      SQuAD, question and sentence, ranking        ──>  XQuAD-R, mAP@20
    mewsli-x    Wikipedia, mention and entity, ranking       ──>  Mewsli-X, mAP@20

Guo et al. 2023, appendix C: SNLI, then STS-B, with the Siamese structure of Reimers and Gurevych 2019; QE
likewise; retrieval by the cosine of a Siamese network fine-tuned on SQuAD, or on English Wikipedia. Losses
are those of sentence-transformers:

    labels   cross-entropy of ``softmax(W (u, v, |u - v|))``  (Reimers and Gurevych 2019, section 3)
    scores   ``mean((cos(u, v) - score)²)``
    ranking  ``- mean_i log(exp(s cos(q_i, a_i)) / Σ_j exp(s cos(q_i, a_j)))`` over the batch, scale ``s``

Not stated in the paper, so chosen here: mean pooling, rates, batches, epochs (those of Reimers and Gurevych
2019 and of XTREME-R's baselines), QE's z-scores scaled to 0..1, and the selection of the weights on dev.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from torch import nn

import amrx.evaluation.tasks.similarity as similarity
from amrx.device import pick_device, seeded
from amrx.errors import MissingResourceError
from amrx.evaluation.data_folders import Data
from amrx.evaluation.metrics import METRICS
from amrx.evaluation.neighbours.nearest import nearest
from amrx.evaluation.report.tables import save_rows
from amrx.evaluation.results.published import table_rows
from amrx.evaluation.results.rows import Row, group_means, skipped_lines
from amrx.evaluation.run import score_items
from amrx.evaluation.tasks.quality import QE
from amrx.evaluation.tasks.retrieval.lareqa import DEPTH, LAREQA, LareqaTask
from amrx.evaluation.tasks.retrieval.mewsli import MEWSLI_X, MewsliTask
from amrx.evaluation.tasks.scored_pairs import Pair
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.task import AnyPart
from amrx.pretrained.hub import find_model, hash_model, quiet
from amrx.recipes import require, require_least
from amrx.training import Evaluation, Rate, Report, Schedule, Task, adamw, alone, best_weights, fit
from amrx.types import Vectors
from amrx.vectors import cosine
from retrofit.bases.hub import HubBase
from retrofit.training.bases.backbone import build_encoder, tokenize
from retrofit.training.bases.recipe import Backbone
from retrofit.training.fine_tune import pairs
from retrofit.training.shuffled import Shuffled

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

RECIPES = Path(__file__).parent / "recipes"
"""Shipped recipes, named by the tasks."""

Loss = Literal["labels", "scores", "ranking"]
Encode = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One fine-tuning."""

    seed: int = 0
    epochs: int = 4  # number of passes over the training pairs; those of SNLI are read once
    batch: int = 16  # pairs per step
    max_tokens: int = 128  # maximum word pieces per text, including special tokens
    evaluate_every: int = 1000  # steps between scores on dev; the best weights are kept
    log_every: int = 50
    precision: Literal["no", "bf16"] = "no"  # precision of matrix products; the weights are float32
    pooling: Literal["cls", "mean"] = "mean"  # pooling of token states
    peak: float = 2e-5  # highest learning rate of AdamW; linear decay to 0
    warmup: float = 0.1  # share of the steps of the linear warm-up
    decay: float = 0.01  # weight decay
    scale: float = 20.0  # factor of the cosines in the ranking loss

    def __post_init__(self) -> None:
        counts = {"epochs": 1, "batch": 2, "evaluate_every": 1, "log_every": 1, "max_tokens": 3}
        require_least(self, counts)
        require(0 <= self.warmup < 1, "warmup", self.warmup, "must lie in 0..1")
        require(self.scale > 0, "scale", self.scale, "must be positive")

    def rate(self, steps: int) -> Rate:
        """Return the learning rate of a run of ``steps``."""
        return Rate(self.peak, round(self.warmup * steps), "linear", self.decay)


@dataclass(frozen=True, slots=True)
class Stage:
    """Pairs that are trained on with one loss."""

    name: str  # name of its folder
    loss: Loss
    rows: tuple[Pair, ...]
    epochs: int
    score: Callable[[Encode], float]  # scores an encoder on dev, 0-100


@dataclass(frozen=True, slots=True)
class SiameseTask:
    """One task."""

    measured: similarity.Task | LareqaTask | MewsliTask  # its test
    stages: Callable[[Path, Recipe], list[Stage]]  # reads the training and dev pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiSts(similarity.Task):
    """STS17 with the mean over all ten tracks."""

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the tracks."""
        return group_means(scores, [("all", [track.language for track in self.tracks])])


def correlation(metric: str, dev: Mapping[str, tuple[Pair, ...]]) -> Callable[[Encode], float]:
    """Return a score: the mean over parts of the correlation of cosines and scores, 0-100."""

    def score(encode: Encode) -> float:
        values = []
        for rows in dev.values():
            sides = (encode([pair.first for pair in rows]), encode([pair.second for pair in rows]))
            gold = np.array([pair.score for pair in rows], dtype=np.float64)
            values.append(METRICS[metric](cosine(*sides), gold))
        return float(np.mean(values))

    return score


def reciprocal_rank(dev: tuple[Pair, ...]) -> Callable[[Encode], float]:
    """Return a score: the mean reciprocal rank of the second texts among all of them, 0-100, to rank 20."""
    pool = list(dict.fromkeys(pair.second for pair in dev))
    place = {text: index for index, text in enumerate(pool)}
    gold = np.array([place[pair.second] for pair in dev])

    def score(encode: Encode) -> float:
        ranked = nearest(encode([pair.first for pair in dev]), encode(pool), DEPTH).places
        hits = ranked == gold[:, None]
        return 100 * float(np.where(hits.any(axis=1), 1 / (1 + hits.argmax(axis=1)), 0.0).mean())

    return score


def _multi_sts(data: Path, recipe: Recipe) -> list[Stage]:
    score = correlation("spearman", {"en": pairs.sts(data, "dev")})
    return [
        Stage("nli", "labels", pairs.nli(data), 1, score),
        Stage("sts", "scores", pairs.sts(data, "train"), recipe.epochs, score),
    ]


def _quality(data: Path, recipe: Recipe) -> list[Stage]:
    rows = [pair for own in pairs.quality(data, "train").values() for pair in own]
    score = correlation("pearson", pairs.quality(data, "dev"))
    return [Stage("qe", "scores", pairs.to_unit(tuple(rows)), recipe.epochs, score)]


def _lareqa(data: Path, recipe: Recipe) -> list[Stage]:
    score = reciprocal_rank(pairs.squad(data, "dev"))
    return [Stage("squad", "ranking", pairs.squad(data, "train"), recipe.epochs, score)]


def _mewsli(data: Path, recipe: Recipe) -> list[Stage]:
    score = reciprocal_rank(pairs.mentions(data, "dev"))
    return [Stage("wikipedia", "ranking", pairs.mentions(data, "train"), recipe.epochs, score)]


_STS = MultiSts(
    name="multi-sts-fine-tuned", group=STS17.group, tracks=STS17.tracks, loader=STS17.loader,
    metrics=STS17.metrics, fetch=STS17.fetch,
    note="STS 2017, extended; a Siamese network trained on SNLI, then on STS-B, in English; cosine",
    published=table_rows("guo-2023-table-12", "spearman"),
)  # fmt: skip
TASKS = {
    "multi-sts": SiameseTask(_STS, _multi_sts),
    "qe": SiameseTask(
        replace(
            QE, name="qe-fine-tuned",
            note="MLQE-PE direct assessments, test, the eleven pairs of WMT21; a Siamese network trained on "
            "seven pairs; cosine of sentence and translation",
            published=table_rows("guo-2023-table-14", "pearson"),
        ),
        _quality,
    ),
    "lareqa": SiameseTask(
        replace(
            LAREQA, name="lareqa-fine-tuned",
            note="LAReQA on XQuAD-R; a Siamese network trained on SQuAD 1.1; each question against the "
            "sentences of all eleven languages; cosine",
            published=table_rows("guo-2023-table-15", LAREQA.shown[0]),
        ),
        _lareqa,
    ),
    "mewsli-x": SiameseTask(
        replace(
            MEWSLI_X, name="mewsli-x-fine-tuned",
            # the paper has the release before, of 116,093 training pairs, so no row of it stands beside
            note="Mewsli-X test, release 20220518; a Siamese network trained on mentions of English "
            "Wikipedia; cosine",
        ),
        _mewsli,
    ),
}  # fmt: skip


def build_loss(kind: Loss, encoder: SentenceTransformer, recipe: Recipe) -> nn.Module:
    """Return a loss of sentence-transformers, which contains the encoder."""
    from sentence_transformers.sentence_transformer import losses

    with seeded(recipe.seed):
        if kind == "labels":
            return losses.SoftmaxLoss(encoder, encoder.get_embedding_dimension() or 0, len(pairs.LABELS))
        if kind == "scores":
            return losses.CosineSimilarityLoss(encoder)
        return losses.MultipleNegativesRankingLoss(encoder, scale=recipe.scale)


class SiameseTuning(Task):
    """Train an encoder on one stage."""

    def __init__(self, encoder: SentenceTransformer, stage: Stage, recipe: Recipe) -> None:
        loss = build_loss(stage.loss, encoder, recipe).to(encoder.device)
        self._shuffled = Shuffled(len(stage.rows), (recipe.seed,))
        self.steps = -(-stage.epochs * len(stage.rows) // recipe.batch)
        self._rate = recipe.rate(self.steps)
        super().__init__(stage.name, loss, adamw(loss.parameters(), self._rate.peak, self._rate.decay))
        self.encoder, self.stage, self.recipe = encoder, stage, recipe

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of each parameter group."""
        return [self._rate.at(step, self.steps)] * len(self.optimizer.param_groups)

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of a batch."""
        rows = [self.stage.rows[row] for row in self._shuffled.take(step, self.recipe.batch)]
        features = [
            {name: tensor.to(self.device) for name, tensor in tokenize(self.encoder, texts).items()}
            for texts in ([pair.first for pair in rows], [pair.second for pair in rows])
        ]
        kind = torch.long if self.stage.loss == "labels" else torch.float32
        labels = torch.tensor([pair.score for pair in rows], dtype=kind, device=self.device)
        lower = self.recipe.precision == "bf16"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=lower):
            loss = self.module(features, None if self.stage.loss == "ranking" else labels)
        loss.backward()
        return {"loss": float(loss.detach())}

    def evaluate(self) -> Evaluation:
        """Return the score on dev."""
        score = self.stage.score(lambda texts: encode(self.encoder, texts))
        return Evaluation(score, {"dev": round(score, 3)})


def encode(encoder: SentenceTransformer, texts: Sequence[str]) -> Vectors:
    """Return float32 ``(n, d)``."""
    return np.asarray(encoder.encode(list(texts), show_progress_bar=False), dtype=np.float32)


def read_test(task: SiameseTask, data: Data) -> tuple[list[AnyPart], list[str]]:
    """Return the test rows of a task, and lines about languages without files; an invalid row is an error."""
    parts, skipped = task.measured.load(data)
    if not parts:
        raise MissingResourceError(f"rows of {str(skipped[0].file)!r}", fetch=skipped[0].fetch)
    return list(parts), skipped_lines(skipped)


def fine_tune(
    name: str,
    task: SiameseTask,
    data: Path,
    out: Path,
    recipe: Recipe,
    device: str | None = None,
    *,
    fresh: bool = False,
    report: Report | None = None,
) -> list[Row]:
    """Fine-tune an encoder, or resume; write it and ``results.json`` as in ``amrx eval``; return the rows.

    The folder is in sentence-transformers' format. Languages without a test file are left out with a note.
    """
    folder = find_model(name, what="weights of", local="--model DIR")
    (test, notes), stages = read_test(task, data), task.stages(data, recipe)
    if report is not None:
        for line in notes:
            report({"note": line})
    backbone = Backbone(name=str(folder), pooling=recipe.pooling, max_tokens=recipe.max_tokens)
    encoder = build_encoder(backbone, recipe.seed).to(pick_device(device))
    run = hash_model(folder)
    with alone(out):
        for stage in stages:
            described = (run, recipe, task.measured.name, stage.name, stage.loss, stage.epochs, stage.rows)
            run = hashlib.sha256(repr(described).encode()).hexdigest()[:16]
            tuning = SiameseTuning(encoder, stage, recipe)
            schedule = Schedule(
                tuning.steps, recipe.seed, log_every=recipe.log_every,
                checkpoint_every=recipe.evaluate_every, evaluate_every=recipe.evaluate_every,
            )  # fmt: skip
            training = out / "training" / stage.name
            ended = fit(tuning, schedule, training, run, resume=not fresh, report=report)
            best = best_weights(training, ended)
            assert best is not None  # the last step is scored
            tuning.module.load_state_dict(best)
            notes.append(f"{stage.name}: best dev {ended.best:.2f} at step {ended.best_step}")
        encoder.eval()
        with quiet():
            encoder.save(str(out), create_model_card=False)
        scored = score_items([HubBase(encoder, folder.name, out)], test)
        save_rows(out / "results.json", scored, notes)
    return [one.row for one in scored]

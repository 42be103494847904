"""Train the AMR encoder.

::

    corpus -> prepare (tokenise once) -> teacher vectors (once) -> steps -> best on dev -> encoder folder
                                                                     |
                                       OUT/training/: checkpoint, best, log (`amrx.training.loop`)

The gradient cache (Gao et al. 2021; sentence-transformers' CachedMultipleNegativesRankingLoss) encodes all
chunks without storing activations, computes the gradient of the loss for every vector, then encodes each
chunk again with activations and backpropagates that gradient: the same gradients in the memory of one chunk.

`train_seeds` trains several seeds of one recipe::

    OUT/seed-1 ... seed-5    one encoder folder each
        seeds.json           {"seeds": [{"seed", "steps", "best", "best_step"}, ...], "mean", "deviation"}
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import torch

from amrx.device import pick_device
from amrx.errors import OptionError
from amrx.records import make_folder, write_json
from amrx.training import (
    Evaluation,
    Outcome,
    Rate,
    Report,
    Schedule,
    Task,
    adamw,
    alone,
    best_weights,
    fit,
    read_log,
)
from amrx.training.loop import step_seed
from retrofit.amr.backbone import backbone_fingerprint
from retrofit.amr.encoder import pick_precision, save_encoder
from retrofit.amr.model import ROUND, AmrModel, Trainee, attention_for, batches, embed, embed_rows
from retrofit.amr.pieces import distinct
from retrofit.model_card import describe, recipe_block, scores_at, write_card
from retrofit.training.amr.corpus import Corpus, read_corpus
from retrofit.training.amr.dev import DevSet, dev_rows, read_dev, score_dev
from retrofit.training.amr.prepare import Prepared, prepare
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.teacher import base_vectors, teach
from retrofit.training.amr.training_step import Objectives

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizers import Tokenizer
    from torch import Tensor
    from transformers import PreTrainedModel

    from retrofit.amr.pieces import Rows
    from retrofit.training.amr.training_step import Plan


def gradients(
    trainee: Trainee, objectives: Objectives, plan: Plan, rows: Rows, recipe: Recipe, step: int
) -> dict[str, torch.Tensor]:
    """Add the gradient of the weighted sum of the losses to the trainee; return the losses, detached.

    A step for which no objective drew a row has no gradient and no losses.
    """
    if not plan.rows:
        return {}
    chunks = list(batches(rows, plan.all_rows(), plan.foils, recipe.chunk_tokens, ROUND))
    device = next(trainee.parameters()).device
    order = torch.from_numpy(np.argsort(np.concatenate([places for places, _, _ in chunks]))).to(device)

    def encode(number: int) -> torch.Tensor:
        # dropout repeats when a chunk is encoded again
        torch.manual_seed(step_seed(recipe.seed, step, number))
        _, ids, lengths = chunks[number]
        return embed(trainee.encoder, ids, lengths, device, recipe.precision)

    if not recipe.gradient_cache:
        vectors = torch.cat([encode(number) for number in range(len(chunks))])[order]
        total, terms = _total(trainee, objectives, plan, vectors, recipe)
        torch.autograd.backward(total)
        return terms
    with torch.no_grad():
        leaf = torch.cat([encode(number) for number in range(len(chunks))])[order].requires_grad_()
    with torch.enable_grad():
        total, terms = _total(trainee, objectives, plan, leaf, recipe)
        torch.autograd.backward(total)
    assert leaf.grad is not None
    for number, (places, _, _) in enumerate(chunks):
        wanted = leaf.grad[torch.from_numpy(places).to(device)]
        torch.autograd.backward(encode(number), wanted)
    return terms


def _total(
    trainee: Trainee, objectives: Objectives, plan: Plan, vectors: torch.Tensor, recipe: Recipe
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    terms = objectives.losses(plan, vectors, trainee.bridge(vectors))
    weighted = [getattr(recipe, name).weight * term for name, term in terms.items()]
    return torch.stack(weighted).sum(), {name: term.detach() for name, term in terms.items()}


def train(
    corpus: Path,
    out: Path,
    recipe: Recipe,
    device: str | None = None,
    *,
    resume: bool = True,
    time_limit: float | None = None,
    report: Report | None = None,
) -> Outcome:
    """Train on a corpus folder and write the encoder folder.

    ``out/training`` has checkpoint and log. A run stopped by ``time_limit`` (seconds of steps) can resume.
    """
    with alone(out):
        ready = set_up(corpus, out, recipe, device)
        recipe = recipe.counted(len(ready.corpus.triplets))
        recipe = replace(recipe, precision=pick_precision(recipe.precision, ready.device))
        torch.manual_seed(recipe.seed)
        task = EncoderTask(ready, recipe)
        schedule = Schedule(
            recipe.steps, recipe.seed, recipe.clip, log_every=recipe.evaluate_every,
            checkpoint_every=recipe.checkpoint_every, evaluate_every=recipe.evaluate_every,
            patience=recipe.patience,
        )  # fmt: skip
        outcome = fit(
            task, schedule, ready.folder, ready.fingerprint,
            resume=resume, time_limit=time_limit, report=report, start_line=_start_line(ready),
        )  # fmt: skip
        encoder, best = task.trainee.encoder, best_weights(ready.folder, outcome)
        if best is not None:
            encoder.load_state_dict(best)
        part, tokenizer = recipe.model, ready.prepared.tokenizer
        save_encoder(out, encoder.eval(), tokenizer, part.read_limit, part.form, part.storage)
        write_card(out, _card(recipe, read_log(ready.folder / "log.jsonl"), outcome))
        return outcome


class EncoderTask(Task):
    """Train the AMR encoder on the objectives of its recipe."""

    def __init__(self, ready: Setup, recipe: Recipe) -> None:
        width = None if ready.teacher is None else int(ready.teacher.shape[1])
        self.trainee = Trainee(ready.model, width).to(ready.device)
        fused = ready.device.type == "cuda"
        optimizer = adamw(self.trainee.parameters(), recipe.learning_rate, recipe.weight_decay, fused=fused)
        super().__init__("encoder", self.trainee, optimizer)
        self.ready, self.recipe = ready, recipe
        self.share = Rate(1.0, recipe.warmup, recipe.schedule)  # share of the peak rate, which may be 0
        if ready.dev is not None:
            dev = dev_rows(ready.dev, ready.prepared.tokenizer, recipe.model.read_limit)
            self.dev_rows, self.dev_places = distinct(dev)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of a step, the same for matrices and biases."""
        return [self.recipe.learning_rate * self.share.at(step, self.recipe.steps)] * 2

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of the objectives that drew rows."""
        objectives, rows = self.ready.objectives, self.ready.prepared.rows
        losses = gradients(self.trainee, objectives, objectives.plan(step), rows, self.recipe, step)
        return {name: float(loss) for name, loss in losses.items()}

    def evaluate(self) -> Evaluation | None:
        """Score the dev pairs, if there are any."""
        if self.ready.dev is None:
            return None
        precision = self.recipe.precision if self.ready.device.type == "cuda" else "fp32"
        vectors = embed_rows(
            self.trainee.encoder, self.dev_rows, device=self.ready.device, precision=precision
        )
        score = score_dev(self.ready.dev, vectors[self.dev_places])
        return Evaluation(score.selection, {
            "selection": round(score.selection, 3), "alone": round(score.alone, 3),
            "weight": score.weight, "by_language": score.by_language,
        })  # fmt: skip

    def best(self) -> Mapping[str, Tensor]:
        """Return the weights of the encoder only, without the map to the teacher's width."""
        return self.trainee.encoder.state_dict()


@dataclass(frozen=True, slots=True)
class Setup:
    """Corpus, arrays, untrained model, objectives and dev pairs of one run."""

    folder: Path  # ``out/training``
    device: torch.device  # device of the training
    # hash of everything that must not change on resuming: the recipe, the files of backbone and teacher,
    # the vocabulary, and the contents of corpus and dev pairs
    fingerprint: str
    corpus: Corpus  # the corpus
    prepared: Prepared  # rows and draws
    model: AmrModel  # the untrained encoder
    teacher: torch.Tensor | None  # unit vectors of the groups ``(G, d)`` float16 on the device, or ``None``
    objectives: Objectives  # the active objectives
    dev: DevSet | None  # dev pairs, or ``None``


def set_up(corpus: Path, out: Path, recipe: Recipe, device: str | None) -> Setup:
    """Read, check and tokenise the data, and compute the teacher's vectors; errors as in `train`."""
    chosen = torch.device(pick_device(device))
    if chosen.type == "cuda":
        torch.set_float32_matmul_precision("high")
    folder = out / "training"
    make_folder(folder)
    edits = recipe.edits.weight > 0
    read = read_corpus(corpus, form=recipe.model.form, sources=edits)
    dev = read_dev(corpus, form=recipe.model.form)
    check_corpus(read, dev, recipe, corpus)
    prepared, model = prepare(read, recipe)
    cast("PreTrainedModel", model.backbone).set_attn_implementation(attention_for(chosen))
    teacher = None
    if recipe.distill.weight > 0:
        teacher = torch.from_numpy(teach(read.texts, recipe.distill.teacher, folder, chosen)).to(chosen)
    base = torch.from_numpy(base_vectors(read.sources, recipe.edits.base, folder, chosen)) if edits else None
    objectives = Objectives(read, prepared, recipe, teacher, base)
    if not objectives.names:
        raise OptionError(f"no objective of the recipe finds data in {corpus}")
    run = _fingerprint(recipe, prepared.tokenizer, read, dev)
    return Setup(folder, chosen, run, read, prepared, model, teacher, objectives, dev)


def check_corpus(read: Corpus, dev: DevSet | None, recipe: Recipe, folder: Path) -> None:
    """Raise if the corpus lacks data required by the recipe, because the run would be another experiment."""
    if dev is None and recipe.patience > 0:
        last = f"last of {recipe.epochs} epochs" if recipe.epochs else "last step"
        raise OptionError(
            f"{folder}: has no dev pairs, by which recipe key 'patience' ends the run; gather them "
            f"(amrx gather-nli --dev en), or train to the {last}: --set patience=0"
        )
    counts = dict(zip(read.languages, (read.table >= 0).sum(axis=0), strict=True))
    drawn = [code for code, weight in recipe.languages.items() if weight > 0]
    texts = {"en"} if recipe.english_text > 0 else set()
    lacking = [code for code in drawn if not counts.get(code) and code not in texts]
    if lacking:
        off = " ".join(f"--set languages.{code}=0" for code in lacking)
        raise OptionError(
            f"{folder}: has no parse in {', '.join(lacking)}, which the recipe draws from; add them, or "
            f"leave them out: {off}"
        )


def _fingerprint(recipe: Recipe, tokenizer: Tokenizer, corpus: Corpus, dev: DevSet | None) -> str:
    key = hashlib.sha256(repr(recipe).encode())
    key.update(backbone_fingerprint(recipe.model.backbone).encode())
    if recipe.distill.weight > 0:
        key.update(backbone_fingerprint(recipe.distill.teacher).encode())
    key.update(tokenizer.to_str().encode())
    for part in (corpus, dev):
        for value in _bytes(part):
            key.update(value)
    return key.hexdigest()[:16]


def _bytes(value: object) -> Iterator[bytes]:
    """Yield bytes that change with every value of a corpus; for a dataclass those of every field."""
    if isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode() + value.tobytes()
    elif is_dataclass(value):
        for field in fields(value):
            yield from _bytes(getattr(value, field.name))
    else:
        yield repr(value).encode()


def _start_line(ready: Setup) -> dict[str, object]:
    """Return the objectives, the size of the corpus, and the numbers of omitted and cut items."""
    parses = (ready.corpus.table >= 0).sum(axis=0).tolist()
    return {
        "objectives": list(ready.objectives.names),
        "groups": len(ready.corpus.texts),
        "parses": len(ready.corpus.parses),
        "languages": dict(zip(ready.corpus.languages, parses, strict=True)),
        "dev_pairs": 0 if ready.dev is None else len(ready.dev.pairs),
        "failed": ready.corpus.failed,
        "repeated": ready.corpus.repeated,
        "cut": ready.prepared.cut,
        "vocabulary": ready.prepared.tokenizer.get_vocab_size(),
    }


def _card(recipe: Recipe, log: Sequence[Mapping[str, object]], outcome: Outcome) -> str:
    part, best = recipe.model, scores_at(log, outcome.best_step, "selection")
    rows = [f"| {name} | {best[name]} |" for name in ("selection", "alone", "weight") if name in best]
    scores = "\n".join(["| score | value |", "|---|---|", *rows]) if rows else "No dev pairs were given."
    use = (
        "Turns linearized AMR graphs (`linearize`, paper form) into sentence vectors; trained by\n"
        "`amrx train-encoder` with Algorithm 1 of Cai et al. 2022 (which sentence or graph of a meaning is "
        f"shown)\non the objectives below. Backbone: {part.backbone}; pooling: {part.pooling}; "
        f"at most {part.read_limit} word pieces per graph, {part.max_tokens} while training."
    )
    return describe("AMR encoder", use, {
        "Dev scores": "Spearman x 100 on the dev pairs of the training corpus; `selection` is the score that "
        f"chose the weights\n({best.get('step', outcome.steps)} steps), `alone` is that of the AMR vectors "
        f"without a base encoder.\n\n{scores}",
        "Recipe": recipe_block(recipe),
        "Data, licences, limits": "See the description of the training corpus that this folder was trained "
        "on; name every source and its\nlicence here before sharing the weights. The encoder sees only what "
        "the parser put into the graph.",
    })  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seeds:
    """The runs of all seeds."""

    runs: Mapping[int, Outcome]  # result per seed
    asked: int  # requested number of seeds

    @property
    def finished(self) -> bool:
        """Whether every seed is finished."""
        return len(self.runs) == self.asked and all(run.finished for run in self.runs.values())

    @property
    def scores(self) -> list[float]:
        """The best dev score of each seed that has one."""
        return [run.best for run in self.runs.values() if run.best is not None]

    @property
    def mean(self) -> float | None:
        """Mean of the scores."""
        return statistics.fmean(self.scores) if self.scores else None

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation of the scores (n - 1); ``None`` for fewer than two."""
        return statistics.stdev(self.scores) if len(self.scores) > 1 else None

    def __str__(self) -> str:
        """Return one line for the terminal."""
        if not self.finished:
            done = sum(run.finished for run in self.runs.values())
            return f"{done} of {self.asked} seeds done, stopped by the time limit; the same command resumes"
        if self.mean is None:
            return f"{self.asked} seeds done; the corpus has no dev pairs to score them"
        spread = "" if self.deviation is None else f", deviation {self.deviation:.2f}"
        return f"{self.asked} seeds done, best dev score: mean {self.mean:.2f}{spread}"


def train_seeds(
    corpus: Path,
    out: Path,
    recipe: Recipe,
    count: int,
    device: str | None = None,
    *,
    resume: bool = True,
    time_limit: float | None = None,
    report: Report | None = None,
) -> Seeds:
    """Train ``count`` seeds one after the other, starting with the recipe's seed."""
    began = time.monotonic()
    runs: dict[int, Outcome] = {}
    for seed in range(recipe.seed, recipe.seed + count):

        def report_seed(line: Mapping[str, object], seed: int = seed) -> None:
            if report is not None:
                report({"seed": seed, **line})

        left = None if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))
        runs[seed] = train(
            corpus, out / f"seed-{seed}", replace(recipe, seed=seed), device,
            resume=resume, time_limit=left, report=report_seed,
        )  # fmt: skip
        if not runs[seed].finished:
            break
    seeds = Seeds(runs, count)
    if seeds.finished:
        _write(out / "seeds.json", seeds)
    return seeds


def _write(path: Path, seeds: Seeds) -> None:
    rows = [
        {"seed": seed, "steps": run.steps, "best": run.best, "best_step": run.best_step}
        for seed, run in seeds.runs.items()
    ]
    record = {"seeds": rows, "mean": seeds.mean, "deviation": seeds.deviation}
    write_json(path, record)

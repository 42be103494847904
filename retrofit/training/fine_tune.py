"""Fine-tune a whole model with a new head: Table 1 of Emma-X ("translate-train-all"), Table 5 of mSimCSE.

::

    train-XX of all languages ──┐
    dev-XX, mean of languages ──┼──> transformers' sequence classification ──> rows on test-XX, model folder
    model folder + new head   ──┘       best weights on dev

Guo et al. 2023, appendix C: "we concatenate two sentences as input and apply a new classification head"; the
training rows are the English ones and their translations. Rate, batch, length and the selection of the
weights are not stated; the defaults here are our choice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import torch

from amrx.device import length_buckets, pick_device
from amrx.errors import MissingResourceError
from amrx.evaluation.report.tables import save_rows
from amrx.evaluation.results.published import printed
from amrx.evaluation.results.rows import Row, Scored, mean_scored
from amrx.evaluation.tasks.transfer.americas import ANLI
from amrx.evaluation.tasks.transfer.classifier import ACCURACY, MAE, Labelled, Linear
from amrx.evaluation.tasks.transfer.read import Item
from amrx.evaluation.tasks.transfer.task import TransferPart, TransferTask
from amrx.evaluation.tasks.transfer.tasks import MARC, PAWSX, XNLI
from amrx.evaluation.tasks.transfer.xcopa import XCOPA
from amrx.pretrained.hub import find_model, hash_model, loading, quiet
from amrx.pretrained.loading import check_tokenizer, load_network
from amrx.recipes import require, require_least
from amrx.training import Evaluation, Rate, Report, Schedule, Task, adamw, alone, best_weights, fit
from retrofit.bases.hf import longest

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

HEADS = ("classifier", "pooler", "score", "pre_classifier")
"""Names of the arrays of a head in transformers, which may be missing in a pretrained folder."""

_MEAN = ("mean, all",)
_TABLE_1 = {
    "xnli": "XLM-R: 82.8; InfoXLM: 84.2; HiCTL: 85.1; Emma-X: 88.1",
    "anli": "XLM-R: 48.48; InfoXLM: 49.10; HiCTL: 49.02; Emma-X: 50.21",
    "marc": "XLM-R: 44.9; InfoXLM: 36.2; HiCTL: 38.2; Emma-X: 32.7",
    "pawsx": "XLM-R: 90.1; InfoXLM: 93.0; HiCTL: 92.8; Emma-X: 94.2",
}
"""Rows "re-implementation, translate-train-all" of Table 1."""

_TABLE_5 = """mBERT: 81.9; XLM-R: 86.4; XLM-E: 87.1; mSimCSE en: 88.1
Phang et al. 2020, English NLI: 87.9; mSimCSE en, English NLI: 88.2"""
"""PAWS-X, fitted on English; mBERT and XLM-R are rows of XTREME, which is also fitted on English."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One fine-tuning."""

    seed: int = 0
    epochs: int = 2  # number of passes over the training rows of all languages together
    batch: int = 32  # rows per step
    max_tokens: int = 128  # maximum word pieces per row, including both sentences and special tokens
    evaluate_every: int = 5000  # steps between scores on dev; the best weights are kept
    log_every: int = 50
    precision: Literal["no", "bf16"] = "no"  # precision of matrix products; the weights are float32
    # learning rate of AdamW
    rate: Rate = field(default_factory=lambda: Rate(peak=1e-5, warmup=1000, schedule="linear", decay=0.01))

    def __post_init__(self) -> None:
        counts = {"epochs": 1, "batch": 1, "evaluate_every": 1, "log_every": 1}
        require_least(self, {**counts, "max_tokens": 4})


@dataclass(frozen=True, slots=True)
class HeadTask(TransferTask):
    """A transfer task whose classifier is a whole model with a head."""

    @property
    def note(self) -> str:
        """Description of the task, then the protocol."""
        fit_in = ", ".join(self.plans[0].fit_in)
        return f"{self.about}; the whole model and a new head, trained on {fit_in}; weights best on dev"


def _fine_tuned(task: TransferTask) -> HeadTask:
    """Return the task with the training rows of all languages, and Table 1's rows for complete data.

    AmericasNLI has English and Spanish training rows, as in the paper; the reviews of MARC are not
    translations. No translations of XCOPA's training rows are published: it has English ones, and no row of
    Table 1.
    """
    plan = task.plans[0]
    if task.name not in ("anli", "xcopa"):
        plan = replace(plan, fitted_on="train-XX", fit_in=task.languages)
    if task.name == "pawsx":
        names = tuple((one, f"{one}/{'' if one == 'en' else 'translated_'}train") for one in task.languages)
        published = replace(plan.fit, file="transfer/PAWSX/{}.tsv", published="", names=names)
        plan = replace(plan, fit=published)
    metric = plan.metric(MAE.name if task.name == "marc" else ACCURACY.name)
    table = printed(_TABLE_1.get(task.name, ""), _MEAN, "Guo et al. 2023, Table 1", metric)
    changed = {"name": f"{task.name}-fine-tuned", "plans": (plan,), "published": table, "hub": ()}
    same: dict[str, Any] = {one.name: getattr(task, one.name) for one in fields(task)}
    return HeadTask(**{**same, **changed})


def in_english(task: HeadTask) -> HeadTask:
    """Return the task with only its English training rows; PAWS-X with mSimCSE's Table 5."""
    plan = replace(task.plans[0], fitted_on="train-en", fit_in=("en",))
    rows = _TABLE_5 if task.labels == PAWSX.labels else ""
    table = printed(rows, _MEAN, "Wang et al. 2022, Table 5", ACCURACY.name)
    return replace(task, plans=(plan,), published=table)


TASKS = {task.name: _fine_tuned(task) for task in (XNLI, ANLI, PAWSX, MARC, XCOPA)}


class FineTuning(Task):
    """Cross-entropy of a head over all training rows, in an order drawn for each epoch."""

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, part: TransferPart, recipe: Recipe
    ) -> None:
        optimizer = adamw(model.parameters(), recipe.rate.peak, recipe.rate.decay)
        super().__init__(part.task.name, model, optimizer)
        self.tokenizer, self.part, self.recipe = tokenizer, part, recipe
        self.items, count = part.fit, len(part.task.labels)
        self.as_is = Linear(np.eye(count), np.zeros(count))  # its scores are the logits
        self.steps = -(-recipe.epochs * len(self.items) // recipe.batch)
        self._epoch, self._order = -1, np.zeros(0, dtype=np.int64)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of each parameter group."""
        return [self.recipe.rate.at(step, self.steps)] * len(self.optimizer.param_groups)

    def rows(self, step: int) -> list[Item]:
        """Return the rows of a step; each epoch has every row once."""
        chosen = []
        for place in range(step * self.recipe.batch, (step + 1) * self.recipe.batch):
            epoch, row = divmod(place, len(self.items))
            if epoch != self._epoch:
                order = np.random.default_rng((self.recipe.seed, epoch)).permutation(len(self.items))
                self._epoch, self._order = epoch, order
            chosen.append(self.items[int(self._order[row])])
        return chosen

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of a batch."""
        items = self.rows(step)
        labels = torch.tensor([item.label for item in items], device=self.device)
        loss = torch.nn.functional.cross_entropy(self.logits(items).float(), labels)
        loss.backward()
        return {"loss": float(loss.detach())}

    def logits(self, items: Sequence[Item]) -> torch.Tensor:
        """Return ``(n, labels)``; two sentences are one input, of which the longer one is cut first."""
        firsts, *seconds = (list(side) for side in zip(*(item.texts for item in items), strict=True))
        features = self.tokenizer(
            firsts, *seconds, truncation=True, max_length=self.recipe.max_tokens, padding=True,
            return_tensors="pt",
        ).to(self.device)  # fmt: skip
        lower = self.recipe.precision == "bf16"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=lower):
            logits: torch.Tensor = self.module(**features).logits
        return logits

    def predict(self, items: Sequence[Item]) -> Labelled:
        """Return the logits of rows, in their order; the model processes the longest first."""
        logits = np.zeros((len(items), len(self.part.task.labels)), dtype=np.float32)
        lengths = [sum(map(len, item.texts)) for item in items]
        with torch.inference_mode():
            for places in length_buckets(lengths, 2 * self.recipe.batch):
                logits[places] = self.logits([items[place] for place in places]).float().cpu().numpy()
        return Labelled(logits, np.array([item.label for item in items]))

    def evaluate(self) -> Evaluation:
        """Return the mean over languages of the first measure on dev."""
        right = self.part.task.measures[0].of
        means = [right(self.as_is, self.predict(one.select)).mean() for one in self.part.languages]
        score = 100 * float(np.mean(means))
        return Evaluation(score, {"dev": round(score, 3)})

    def test(self, label: str) -> list[Scored]:
        """Return every measure on the test rows of each language, with its items."""
        task, plan, scored = self.part.task, self.part.plan, []
        self.module.eval()
        for language in self.part.languages:
            predicted = self.predict(language.measure)
            for measure in task.measures:
                items = measure.of(self.as_is, predicted)
                metric = plan.metric(measure.name)
                scored.append(mean_scored(label, task.name, language.code, metric, items))
        return scored


def read_part(task: TransferTask, data: Path) -> TransferPart:
    """Return the rows of a task in all of its languages; a missing file or invalid row is an error."""
    parts, skipped = task.load(data)
    if skipped:
        raise MissingResourceError(f"rows of {str(skipped[0].file)!r}", fetch=skipped[0].fetch)
    return parts[0]


def load_model(folder: Path, labels: int, seed: int) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the network of a folder, which must be complete, with a new head, and its tokenizer."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    torch.manual_seed(seed)
    model = load_network(AutoModelForSequenceClassification, folder, unused=HEADS, num_labels=labels)
    table = cast("torch.nn.Embedding", model.get_input_embeddings())
    check_tokenizer(tokenizer, table.num_embeddings, folder)
    return model, tokenizer


def fine_tune(
    name: str,
    part: TransferPart,
    out: Path,
    recipe: Recipe,
    device: str | None = None,
    *,
    fresh: bool = False,
    report: Report | None = None,
) -> list[Row]:
    """Fine-tune a model, or resume; write it and ``results.json`` as in ``amrx eval``; return the rows."""
    folder = find_model(name, what="weights of", local="a folder")
    model, tokenizer = load_model(folder, len(part.task.labels), recipe.seed)
    limit, asked = longest(cast("PreTrainedModel", model.base_model), tokenizer), recipe.max_tokens
    require(asked <= limit, "max_tokens", asked, f"must be at most {limit}, which the model reads")
    torch.nn.Module.to(model, pick_device(device))
    task = FineTuning(model, tokenizer, part, recipe)
    schedule = Schedule(
        task.steps, recipe.seed, log_every=recipe.log_every, checkpoint_every=recipe.evaluate_every,
        evaluate_every=recipe.evaluate_every,
    )  # fmt: skip
    with alone(out):
        run = _fingerprint(folder, part, recipe)
        ended = fit(task, schedule, out / "training", run, resume=not fresh, report=report)
        best = best_weights(out / "training", ended)
        assert best is not None  # the last step is scored
        model.load_state_dict(best)
        with quiet():
            model.save_pretrained(out)
        tokenizer.save_pretrained(out)
        scored = task.test(folder.name)
        save_rows(out / "results.json", scored, [f"best dev {ended.best:.2f} at step {ended.best_step}"])
    return [one.row for one in scored]


def _fingerprint(folder: Path, part: TransferPart, recipe: Recipe) -> str:
    """Hash model, recipe, protocol and training rows."""
    digest = hashlib.sha256(repr((hash_model(folder), recipe, part.task.name, part.plan.fitted_on)).encode())
    for item in part.fit:
        digest.update(repr(item).encode())
    return digest.hexdigest()[:16]

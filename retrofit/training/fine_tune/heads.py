"""Fine-tune a whole model with a new head: Table 1 of Emma-X ("translate-train-all"), Table 5 of mSimCSE.

::

    train-XX of all languages ──┐
    dev-XX, mean of languages ──┼──> transformers' sequence classification ──> rows on test-XX, model folder
    model folder + new head   ──┘       best weights on dev

One label per row and its cross-entropy, or for MultiEURLEX several and the binary cross-entropy of each.

Guo et al. 2023, appendix C: "we concatenate two sentences as input and apply a new classification head"; the
training rows are the English ones and their translations. Rate, batch, length and the selection of the
weights are not stated; the defaults here are our choice.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

import numpy as np
import torch

from amrx.device import length_buckets, pick_device
from amrx.errors import MissingResourceError
from amrx.evaluation.metrics import Floats
from amrx.evaluation.report.tables import save_rows
from amrx.evaluation.results.published import printed, table_rows
from amrx.evaluation.results.rows import Row, Scored, mean_scored
from amrx.evaluation.tasks.transfer.americas import ANLI
from amrx.evaluation.tasks.transfer.classifier import ACCURACY, MAE, Labelled, Linear
from amrx.evaluation.tasks.transfer.eurlex import (
    EURLEX,
    TOP_1,
    EurlexPart,
    EurlexTask,
    Law,
    first_is_right,
    score_topics,
)  # fmt: skip
from amrx.evaluation.tasks.transfer.read import Item
from amrx.evaluation.tasks.transfer.task import TransferPart, TransferTask
from amrx.evaluation.tasks.transfer.task_table import MARC, PAWSX, XNLI
from amrx.evaluation.tasks.transfer.xcopa import XCOPA
from amrx.pretrained.hub import find_model, hash_model, loading, quiet
from amrx.pretrained.loading import check_tokenizer, load_network
from amrx.recipes import require, require_least
from amrx.training import Evaluation, Rate, Report, Schedule, Task, adamw, alone, best_weights, fit
from retrofit.bases.hf import longest
from retrofit.training.shuffled import Shuffled

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

HEADS = ("classifier", "pooler", "score", "pre_classifier")
"""Names of the arrays of a head in transformers, which may be missing in a pretrained folder."""

_MEAN = ("mean, all",)
_TABLE_1 = {
    "marc": "XLM-R: 44.9; InfoXLM: 36.2; HiCTL: 38.2; Emma-X: 32.7",
    "multieurlex": "XLM-R: 66.9; InfoXLM: 67.7; HiCTL: 68.3; Emma-X: 71.4",
}
"""Rows "re-implementation, translate-train-all" of Table 1."""
_BY_LANGUAGE = {"xnli": 10, "anli": 11, "pawsx": 19}
"""Tables of the same rows with each language."""

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


XNLI_MT = (
    "https://dl.fbaipublicfiles.com/XNLI/XNLI-MT-1.0.zip, its multinli/multinli.train.XX.tsv as "
    "transfer/XNLI/multinli.train.XX.tsv"
)


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
    number = _BY_LANGUAGE.get(task.name)
    if number:
        table = table_rows(f"guo-2023-table-{number}", metric)
    else:
        table = printed(_TABLE_1.get(task.name, ""), _MEAN, "Guo et al. 2023, Table 1", metric)
    changed = {"name": f"{task.name}-fine-tuned", "plans": (plan,), "published": table, "hub": ()}
    if task.name in ("xnli", "anli"):
        changed["fetch"] = f"{task.fetch}; the training rows of other languages: {XNLI_MT}"
    same: dict[str, Any] = {one.name: getattr(task, one.name) for one in fields(task)}
    return HeadTask(**{**same, **changed})


def in_english(task: HeadTask) -> HeadTask:
    """Return the task with only its English training rows; PAWS-X with mSimCSE's Table 5."""
    fit = task.plans[0].fit
    if task.labels == PAWSX.labels:
        usual = PAWSX.plans[0].fit
        fit = replace(fit, file=usual.file, published=usual.published, names=usual.names)
    plan = replace(task.plans[0], fitted_on="train-en", fit_in=("en",), fit=fit)
    rows = _TABLE_5 if task.labels == PAWSX.labels else ""
    table = printed(rows, _MEAN, "Wang et al. 2022, Table 5", ACCURACY.name)
    return replace(task, plans=(plan,), published=table)


def _topics() -> EurlexTask:
    """Return MultiEURLEX with the training laws of all languages, and Table 1's rows."""
    table = printed(_TABLE_1[EURLEX.name], _MEAN, "Guo et al. 2023, Table 1", TOP_1)
    note = "21 topics; the whole model and a new head, trained on laws of all languages; weights best on dev"
    name = f"{EURLEX.name}-fine-tuned"
    return replace(EURLEX, name=name, fitted_on=EURLEX.languages, note=note, published=table, hub=())


TASKS: dict[str, HeadTask | EurlexTask] = {
    **{task.name: _fine_tuned(task) for task in (XNLI, ANLI, PAWSX, MARC, XCOPA)}, EURLEX.name: _topics(),
}  # fmt: skip


AnyRow = TypeVar("AnyRow", bound=Item | Law)


class FineTuning(Task, Generic[AnyRow]):
    """Train a whole model with a head on all rows, in an order drawn for each epoch."""

    def __init__(
        self,
        name: str,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        items: Sequence[AnyRow],
        recipe: Recipe,
    ) -> None:
        super().__init__(name, model, adamw(model.parameters(), recipe.rate.peak, recipe.rate.decay))
        self.tokenizer, self.items, self.recipe = tokenizer, items, recipe
        self._shuffled = Shuffled(len(items), (recipe.seed,))
        self.steps = -(-recipe.epochs * len(items) // recipe.batch)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of each parameter group."""
        return [self.recipe.rate.at(step, self.steps)] * len(self.optimizer.param_groups)

    def rows(self, step: int) -> list[AnyRow]:
        """Return the rows of a step."""
        return [self.items[row] for row in self._shuffled.take(step, self.recipe.batch)]

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of a batch."""
        items = self.rows(step)
        loss = self.loss(self.logits(items).float(), items)
        loss.backward()
        return {"loss": float(loss.detach())}

    @abstractmethod
    def loss(self, logits: torch.Tensor, items: Sequence[AnyRow]) -> torch.Tensor:
        """Return the loss of a batch."""

    @abstractmethod
    def test(self, label: str) -> list[Scored]:
        """Return every measure on the test rows of each language, with its items."""

    def logits(self, items: Sequence[AnyRow]) -> torch.Tensor:
        """Return ``(n, labels)``; two sentences are one input, of which the longer one is cut first."""
        sides = (list(side) for side in zip(*(item.texts for item in items), strict=True))
        features = self.tokenizer(
            *sides, truncation=True, max_length=self.recipe.max_tokens, padding=True, return_tensors="pt"
        ).to(self.device)
        lower = self.recipe.precision == "bf16"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=lower):
            logits: torch.Tensor = self.module(**features).logits
        return logits

    def predict(self, items: Sequence[AnyRow]) -> Floats:
        """Return the logits of rows, in their order; the model processes the longest first."""
        logits: dict[int, torch.Tensor] = {}
        lengths = [sum(map(len, item.texts)) for item in items]
        with torch.inference_mode():
            for places in length_buckets(lengths, 2 * self.recipe.batch):
                own = self.logits([items[place] for place in places]).float().cpu()
                logits.update(zip(places, own, strict=True))
        return torch.stack([logits[place] for place in range(len(items))]).numpy().astype(np.float64)


class ClassTuning(FineTuning[Item]):
    """Cross-entropy of one label per row."""

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, part: TransferPart, recipe: Recipe
    ) -> None:
        super().__init__(part.task.name, model, tokenizer, part.fit, recipe)
        self.part, count = part, len(part.task.labels)
        self.as_is = Linear(np.eye(count), np.zeros(count))  # its scores are the logits

    def loss(self, logits: torch.Tensor, items: Sequence[Item]) -> torch.Tensor:
        """Return the mean cross-entropy."""
        labels = torch.tensor([item.label for item in items], device=self.device)
        return torch.nn.functional.cross_entropy(logits, labels)

    def labelled(self, items: Sequence[Item]) -> Labelled:
        """Return the logits of rows with their labels."""
        return Labelled(self.predict(items), np.array([item.label for item in items]))

    def evaluate(self) -> Evaluation:
        """Return the mean over languages of the first measure on dev."""
        right = self.part.task.measures[0].of
        means = [right(self.as_is, self.labelled(one.select)).mean() for one in self.part.languages]
        score = 100 * float(np.mean(means))
        return Evaluation(score, {"dev": round(score, 3)})

    def test(self, label: str) -> list[Scored]:
        """Return every measure on the test rows of each language, with its items."""
        task, plan, scored = self.part.task, self.part.plan, []
        for language in self.part.languages:
            predicted = self.labelled(language.measure)
            for measure in task.measures:
                items = measure.of(self.as_is, predicted)
                metric = plan.metric(measure.name)
                scored.append(mean_scored(label, task.name, language.code, metric, items))
        return scored


class TopicTuning(FineTuning[Law]):
    """Binary cross-entropy of every topic of a law (MultiEURLEX)."""

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, part: EurlexPart, recipe: Recipe
    ) -> None:
        items = [law for laws in part.train for law in laws.rows()]
        super().__init__(part.task.name, model, tokenizer, items, recipe)
        self.part = part

    def loss(self, logits: torch.Tensor, items: Sequence[Law]) -> torch.Tensor:
        """Return the mean binary cross-entropy over laws and topics."""
        topics = torch.tensor(np.stack([law.topics for law in items]), dtype=torch.float32)
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, topics.to(self.device))

    def evaluate(self) -> Evaluation:
        """Return the mean over languages of the accuracy of the first topic on dev."""
        means = [first_is_right(self.predict(laws.rows()), laws).mean() for laws in self.part.dev]
        score = 100 * float(np.mean(means))
        return Evaluation(score, {"dev": round(score, 3)})

    def test(self, label: str) -> list[Scored]:
        """Return F1 and accuracy on the test laws of each language, with their items."""
        task = self.part.task.name
        pairs = [(laws, self.predict(laws.rows())) for laws in self.part.test]
        return [row for laws, logits in pairs for row in score_topics(label, task, laws, logits)]


def read_part(task: HeadTask | EurlexTask, data: Path) -> TransferPart | EurlexPart:
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
    part: TransferPart | EurlexPart,
    out: Path,
    recipe: Recipe,
    device: str | None = None,
    *,
    fresh: bool = False,
    report: Report | None = None,
) -> list[Row]:
    """Fine-tune a model, or resume; write it and ``results.json`` as in ``amrx eval``; return the rows."""
    folder = find_model(name, what="weights of", local="--model DIR")
    labels = part.task.topics if isinstance(part, EurlexPart) else part.task.labels
    model, tokenizer = load_model(folder, len(labels), recipe.seed)
    limit, asked = longest(cast("PreTrainedModel", model.base_model), tokenizer), recipe.max_tokens
    require(asked <= limit, "max_tokens", asked, f"must be at most {limit}, which the model reads")
    torch.nn.Module.to(model, pick_device(device))
    task: ClassTuning | TopicTuning
    if isinstance(part, EurlexPart):
        task, fitted_on = TopicTuning(model, tokenizer, part, recipe), "train-XX"
    else:
        task, fitted_on = ClassTuning(model, tokenizer, part, recipe), part.plan.fitted_on
    schedule = Schedule(
        task.steps, recipe.seed, log_every=recipe.log_every, checkpoint_every=recipe.evaluate_every,
        evaluate_every=recipe.evaluate_every,
    )  # fmt: skip
    digest = hashlib.sha256(repr((hash_model(folder), recipe, part.task.name, fitted_on)).encode())
    for item in task.items:
        digest.update(repr(item).encode())
    with alone(out):
        run = digest.hexdigest()[:16]
        ended = fit(task, schedule, out / "training", run, resume=not fresh, report=report)
        best = best_weights(out / "training", ended)
        assert best is not None  # the last step is scored
        model.load_state_dict(best)
        with quiet():
            model.save_pretrained(out)
        tokenizer.save_pretrained(out)
        model.eval()
        scored = task.test(folder.name)
        save_rows(out / "results.json", scored, [f"best dev {ended.best:.2f} at step {ended.best_step}"])
    return [one.row for one in scored]

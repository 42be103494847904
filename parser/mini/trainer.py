"""Optimisation of the mini parser from packed examples; the same on a CPU and on one accelerator."""

from __future__ import annotations

import itertools
import json
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from amrx.errors import OptionError
from amrx.muse.model import MuseModel
from parser.mini.batches import Batch, Corpus, to_device
from parser.mini.loss import loss
from parser.mini.model import MiniNetwork, Shape
from parser.mini.symbols import Alphabet

LOG_EVERY = 50


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a run.

    A run has a stage for each projection and one before them; ``learning_rate``, ``dropout`` and
    ``word_dropout`` hold a number for each stage, ``project_weight`` one for each projection.

    Attributes:
        steps: Updates.
        batch: Padded source pieces plus symbols in a batch.
        learning_rate: Peak of AdamW's rate, after ``warmup`` updates of a stage; cosine to 0 at its end.
        warmup: Updates of linear warm-up.
        weight_decay: Of matrices.
        average: Decay of the running mean of the weights, which is what is saved.
        seed: Of weights, order and dropout.
        save_every: Updates between checkpoints.
        width: Model width; the rest of the shape follows.
        inner: Width of the feed-forward layers.
        encoder: Encoder layers.
        decoder: Decoder layers.
        dropout: Dropout probability.
        word_dropout: Probability that a whole source piece or previous symbol is hidden.
        least: Times that a symbol must occur in the English graphs to get an id.
        most_nodes: Concepts and constants in the alphabet at most.
        project_at: Steps at which the parser so far labels the parallel text (anew); none for never.
        project_langs: Languages to label: those without a sembank, and others for more words and registers.
            The English side is learnt too, so that its graphs stay those of its translations.
        project_sources: Parallel corpora to take, of `parser.corpora.parallel.SOURCES`.
        project_words: Longer English sentences are not labelled.
        project_pairs: Pairs of each language and source at most.
        project_weight: How often a labelled pair is drawn in an epoch.

    Raises:
        OptionError: The stages do not rise, or a value that each of them needs is missing.
    """

    steps: int = 8_400
    batch: int = 3_000
    learning_rate: tuple[float, ...] = (1.5e-3, 1.2e-3, 1.2e-3)
    warmup: int = 400
    weight_decay: float = 0.02
    average: float = 0.998
    seed: int = 0
    save_every: int = 200
    width: int = 256
    inner: int = 1024
    encoder: int = 4
    decoder: int = 2
    dropout: tuple[float, ...] = (0.2, 0.1, 0.05)
    word_dropout: tuple[float, ...] = (0.1, 0.05, 0.0)
    least: int = 2
    most_nodes: int = 9_000
    project_at: tuple[int, ...] = (2_500, 4_800)
    project_langs: tuple[str, ...] = ("ar", "tr", "de", "es", "fr", "it", "zh")
    project_sources: tuple[str, ...] = ("tatoeba", "multi30k", "xnli", "wmt-mt")
    project_words: int = 16
    project_pairs: int = 6_000
    project_weight: tuple[float, ...] = (1.0, 0.25)

    def __post_init__(self) -> None:
        ends = (0, *self.project_at, self.steps)
        if any(first >= second for first, second in itertools.pairwise(ends)):
            raise OptionError(
                f"project_at {self.project_at} does not rise from 1 to {self.steps - 1}, steps less 1"
            )
        for name in ("learning_rate", "dropout", "word_dropout", "project_weight"):
            wanted = len(self.project_at) + (name != "project_weight")
            if len(getattr(self, name)) < wanted:
                raise OptionError(
                    f"{name} holds {len(getattr(self, name))} numbers, not {wanted}, one a stage"
                )

    def stages(self) -> list[tuple[int, int]]:
        """First step of each stage and the one after its last.

        Example:
            >>> Recipe(steps=10, project_at=(4, 7)).stages()
            [(0, 4), (4, 7), (7, 10)]
        """
        ends = (*self.project_at, self.steps)
        return list(zip((0, *ends), ends, strict=False))

    def stage(self, step: int) -> int:
        """Number of the stage that a step belongs to."""
        return bisect_right(self.project_at, step)

    def shape(self, symbols: int, stage: int = 0) -> Shape:
        """Shape of the network for an alphabet of that many symbols, with the dropout of a stage."""
        return Shape(
            symbols,
            self.width,
            self.width // 64,
            self.inner,
            self.encoder,
            self.decoder,
            self.dropout[stage],
            self.word_dropout[stage],
        )


class Trainer:
    """A run that can be stopped after any checkpoint and taken up again to the same weights.

    Order and dropout are functions of (seed, step), so a checkpoint needs only weights, their running mean,
    AdamW's moments and the number of steps (all in one safetensors file).
    """

    def __init__(
        self,
        corpus: Corpus,
        alphabet: Alphabet,
        names: Tensor,
        muse: MuseModel,
        recipe: Recipe,
        device: torch.device,
        stage: int = 0,
    ) -> None:
        self.corpus, self.muse, self.recipe, self.device = corpus, muse, recipe, device
        self.first_node = alphabet.first_node
        torch.manual_seed(recipe.seed)
        self.network = MiniNetwork(recipe.shape(len(alphabet), stage)).to(device)
        self.network.names.copy_(names)
        self.parameters = dict(self.network.named_parameters())
        self.average = {name: p.detach().clone() for name, p in self.parameters.items()}
        matrices = [p for p in self.parameters.values() if p.dim() > 1]
        vectors = [p for p in self.parameters.values() if p.dim() <= 1]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": recipe.weight_decay},
                {"params": vectors, "weight_decay": 0.0},
            ],
            lr=recipe.learning_rate[stage],
            betas=(0.9, 0.98),
            fused=device.type == "cuda",
        )
        self.step, self.spent = 0, 0.0

    def rate(self) -> float:
        """Learning rate of the current step: linear warm-up times cosine, anew after each projection."""
        recipe = self.recipe
        stage = recipe.stage(self.step)
        begin, end = recipe.stages()[stage]
        peak = recipe.learning_rate[stage]
        warm = min(1.0, (self.step - begin + 1) / recipe.warmup)
        return peak * warm * 0.5 * (1 + math.cos(math.pi * (self.step - begin) / (end - begin)))

    def update(self, batch: Batch) -> Tensor:
        """One step of AdamW; returns the loss."""
        recipe = self.recipe
        torch.manual_seed(recipe.seed * 1_000_003 + self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.network.train()
        with torch.no_grad():
            features = self.muse.token_features(batch.ids, batch.mask)
            vector = self.muse.sentence(features, batch.mask)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            hidden, memory = self.network(features, vector, batch.mask, batch.inputs)
            value = loss(
                self.network, hidden, memory, batch.starts, batch.target, batch.copies, self.first_node
            )
        value.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        keep = min(recipe.average, (self.step + 1) / (self.step + 10))
        torch._foreach_lerp_(
            list(self.average.values()), [p.detach() for p in self.parameters.values()], 1 - keep
        )
        self.step += 1
        return value.detach()

    def save(self, path: Path) -> None:
        """Write a checkpoint (renamed into place when complete)."""
        tensors = {f"network.{n}": p.detach() for n, p in self.parameters.items()}
        tensors |= {f"average.{n}": p for n, p in self.average.items()}
        tensors["names"] = self.network.names
        for name, p in self.parameters.items():
            state = self.optimizer.state[p]
            tensors |= {f"mean.{name}": state["exp_avg"], f"square.{name}": state["exp_avg_sq"]}
        meta = {"step": str(self.step), "spent": repr(self.spent), "recipe": json.dumps(asdict(self.recipe))}
        temporary = path.with_suffix(".partial")
        save_file({name: t.contiguous().cpu() for name, t in tensors.items()}, temporary, meta)
        temporary.replace(path)

    def resume(self, path: Path) -> None:
        """Take up the run of a checkpoint."""
        from safetensors import safe_open

        with safe_open(path, "pt") as file:
            meta = file.metadata()
        tensors = load_file(path, device=str(self.device))
        self.step, self.spent = int(meta["step"]), float(meta["spent"])
        self.network.names.copy_(tensors["names"])
        for name, p in self.parameters.items():
            p.data.copy_(tensors[f"network.{name}"])
            self.average[name].copy_(tensors[f"average.{name}"])
            moments = {"exp_avg": tensors[f"mean.{name}"], "exp_avg_sq": tensors[f"square.{name}"]}
            step = torch.tensor(float(self.step), device=self.device if self.device.type == "cuda" else "cpu")
            self.optimizer.state[p] = {"step": step, **moments}

    def averaged(self) -> MiniNetwork:
        """A copy of the network with the running mean of the weights."""
        network = MiniNetwork(self.network.shape).to(self.device)
        network.load_state_dict(self.average | {"names": self.network.names})
        return network.eval()


def ahead(batches: Iterator[Batch], count: int = 4) -> Iterator[Batch]:
    """Make batches in a thread while the network computes."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(next, batches) for _ in range(count)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(pool.submit(next, batches))


def run(
    trainer: Trainer, checkpoint: Path, log: Path, show: Callable[[str], None], stop: int | None = None
) -> None:
    """Train up to ``stop`` (or the recipe's last step), taking up ``checkpoint`` when it is there.

    ``log`` gets a JSON line every `LOG_EVERY` steps: step, mean loss, learning rate, seconds.
    """
    if checkpoint.exists():
        trainer.resume(checkpoint)
    recipe, corpus = trainer.recipe, trainer.corpus
    last = min(stop or recipe.steps, recipe.steps)
    order = corpus.steps(recipe.seed, recipe.batch, trainer.step)
    batches = ahead(to_device(corpus.batch(pairs), trainer.device) for pairs in order)
    begun, already, losses = time.monotonic(), trainer.spent, []
    with log.open("a", encoding="utf-8") as lines:
        for batch in islice(batches, max(0, last - trainer.step)):
            losses.append(trainer.update(batch))
            trainer.spent = already + time.monotonic() - begun
            if trainer.step % LOG_EVERY == 0:
                mean = round(torch.stack(losses).mean().item(), 4)
                losses.clear()
                record = {
                    "step": trainer.step,
                    "loss": mean,
                    "rate": trainer.rate(),
                    "s": round(trainer.spent, 1),
                }
                lines.write(json.dumps(record) + "\n")
                lines.flush()
                show(f"step {trainer.step} of {recipe.steps}: loss {mean:.3f}, {trainer.spent:.0f} s")
            if trainer.step % recipe.save_every == 0:
                trainer.save(checkpoint)
    trainer.save(checkpoint)

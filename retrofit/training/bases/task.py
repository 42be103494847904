"""Make an objective a task of `amrx.training`, on one device or, under ``accelerate launch``, on several.

accelerate exchanges gradients between devices and applies mixed precision; the objective is one module, so
each step is one forward pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import torch

from amrx.device import pick_device
from amrx.training import Evaluation, Task
from retrofit.training.bases.feed import Batch, Feed
from retrofit.training.bases.objective import Group, Objective

if TYPE_CHECKING:
    from accelerate import Accelerator


@dataclass(frozen=True, slots=True)
class Place:
    """Device and process."""

    accelerator: Accelerator  # runs the backward pass, clips, and joins processes
    device: torch.device  # device of this process

    @property
    def share(self) -> tuple[int, int]:
        """Index of this process, and the number of processes."""
        return self.accelerator.process_index, self.accelerator.num_processes

    @property
    def main(self) -> bool:
        """Whether this process writes files."""
        return bool(self.accelerator.is_main_process)


def find_place(device: str | None, precision: Literal["no", "bf16"]) -> Place:
    """Return the place of training: the named or best device; with several processes, the process's own."""
    from accelerate import Accelerator

    chosen = pick_device(device)
    accelerator = Accelerator(cpu=chosen.type == "cpu", mixed_precision=precision, device_placement=False)
    return Place(accelerator, accelerator.device if accelerator.num_processes > 1 else chosen)


class ObjectiveTask(Task):
    """Train an objective on the batches of a feed.

    ``adafactor`` is that of T5. ``score`` scores the encoder on dev data.
    """

    def __init__(
        self,
        name: str,
        objective: Objective,
        feed: Feed,
        steps: int,
        optimizer: Literal["adamw", "adafactor"],
        place: Place,
        score: Callable[[], float] | None = None,
    ) -> None:
        objective.to(place.device)
        self.groups = objective.groups()
        super().__init__(name, objective, _optimizer(self.groups, optimizer))
        self.feed, self.steps, self.accelerator, self.score = feed, steps, place.accelerator, score
        self.main, (self.rank, _) = place.main, place.share
        self.joined, self.stepper = self.accelerator.prepare(objective, self.optimizer)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of each group."""
        return [group.rate.at(step, self.steps) for group in self.groups]

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of the term ``total`` of one batch."""
        terms = self.joined(_moved(self.feed.take(step), self.device), step)
        self.accelerator.backward(terms["total"])
        return {name: float(term.detach()) for name, term in terms.items()}

    def clip(self, limit: float) -> float:
        """Clip the gradients of each group separately; return the total norm before."""
        clip = self.accelerator.clip_grad_norm_
        return math.hypot(*(float(clip(group.parameters, limit)) for group in self.groups))

    def update(self, step: int) -> None:
        """Update the parameters, equally in all processes."""
        self.stepper.step()
        self.stepper.zero_grad()

    def evaluate(self) -> Evaluation | None:
        """Score the encoder if there are dev data."""
        if self.score is None:
            return None
        score = self.score()
        return Evaluation(score, {"dev": round(score, 3)})

    def state(self) -> Mapping[str, Any]:
        """Return the position in the input."""
        return self.feed.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore that position."""
        self.feed.restore(state)

    def wait(self) -> None:
        """Wait for the other processes."""
        self.accelerator.wait_for_everyone()


def _optimizer(groups: Sequence[Group], name: Literal["adamw", "adafactor"]) -> torch.optim.Optimizer:
    parts = [{"params": group.parameters, "weight_decay": group.rate.decay} for group in groups]
    if name == "adamw":
        return torch.optim.AdamW(parts)
    from transformers import Adafactor

    return Adafactor(parts, lr=1e-3, scale_parameter=False, relative_step=False)


def _moved(batch: Batch, device: torch.device) -> Batch:
    return {
        name: {key: tensor.to(device) for key, tensor in column.items()} for name, column in batch.items()
    }

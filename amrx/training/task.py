"""Define the interface of a task for the loop: losses, rates, scores, tensors to save."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor


def adamw(
    parameters: Iterable[torch.nn.Parameter],
    rate: float,
    decay: float,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    fused: bool = False,
) -> torch.optim.AdamW:
    """Return AdamW with two parameter groups: matrices decay, biases and norms do not."""
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    groups = [
        {"params": [p for p in trained if p.dim() > 1], "weight_decay": decay},
        {"params": [p for p in trained if p.dim() <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, betas=betas, fused=fused)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A score on dev data."""

    score: float  # selects the best weights; higher is better
    line: Mapping[str, object] = field(default_factory=dict)  # values for the log


class Task(ABC):
    """Train one kind of model in the loop `amrx.training.loop.fit`.

    A subclass computes one step; the loop does everything else. All state that must survive a kill is in
    `tensors` or `state`. Random numbers of a step come from torch's generator, which the loop seeds before
    each step, or follow from the number of the step. A killed and resumed run then ends, on a CPU, with the
    same bits as an uninterrupted one.

    Args:
        name: Name in the progress bar and in errors.
        module: The model: its parameters are clipped, its parameters and buffers are saved.
        optimizer: Its rates are set by the loop, per parameter group.
    """

    main: bool = True
    """Whether this process writes files; exactly one of several does."""

    rank: int = 0
    """Number of this process, part of its seed."""

    restart_hint: str = "give --fresh"
    """Hint in errors on how to start over."""

    def __init__(self, name: str, module: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self.name, self.module, self.optimizer = name, module, optimizer

    @property
    def device(self) -> torch.device:
        """Device of the parameters."""
        return next(self.module.parameters()).device

    @abstractmethod
    def rates(self, step: int) -> Sequence[float]:
        """Return the learning rate of each parameter group at a step, counted from 0."""

    @abstractmethod
    def backward(self, step: int) -> Mapping[str, float]:
        """Accumulate the gradients of a step; return its losses by name."""

    def clip(self, limit: float) -> float:
        """Clip the gradients to the norm ``limit``; return the norm before."""
        return float(torch.nn.utils.clip_grad_norm_(self.module.parameters(), limit))

    def update(self, step: int) -> None:
        """Take an optimizer step and reset the gradients."""
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def evaluate(self) -> Evaluation | None:
        """Score the model on dev data; ``None`` if there are none."""
        return None

    def best(self) -> Mapping[str, Tensor]:
        """Return the weights to save at a new best score."""
        return self.module.state_dict()

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the tensors of a checkpoint besides the optimizer's moments."""
        return self.module.state_dict()

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Load the tensors of `tensors`."""
        self.module.load_state_dict(dict(tensors))

    def state(self) -> Mapping[str, Any]:
        """Return JSON values for a checkpoint, such as a position in the data."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:  # noqa: B027  # most tasks have no state
        """Restore the values of `state`; called after the progress of the run is restored."""

    def wait(self) -> None:  # noqa: B027  # most tasks are one process
        """Wait for the other processes after the main one has written files."""

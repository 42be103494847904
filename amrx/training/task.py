"""Define what the loop trains: a task gives losses, rates, scores and the tensors to keep."""

from __future__ import annotations

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
    """Make AdamW in two parameter groups: matrices decay, biases and norms do not.

    Example:
        >>> layer = torch.nn.Linear(2, 3)
        >>> [len(group["params"]) for group in adamw(layer.parameters(), 1e-3, 0.01).param_groups]
        [1, 1]
    """
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    groups = [
        {"params": [p for p in trained if p.dim() > 1], "weight_decay": decay},
        {"params": [p for p in trained if p.dim() <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, betas=betas, fused=fused)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A score on dev data.

    Attributes:
        score: Selects the best weights; higher is better.
        line: What the log says of it.
    """

    score: float
    line: Mapping[str, object] = field(default_factory=dict)


class Task(ABC):
    """Train one kind of model in the loop `amrx.training.loop.fit`.

    A subclass computes one step; the loop does all that surrounds it. Whatever must survive a kill is
    in `tensors` or `state`, and whatever a step draws at random comes from torch's generator, which the loop
    seeds before each step, or follows from the number of the step: then a run that was killed and resumed
    ends, on a CPU, with the same bits as an unbroken one.

    Args:
        name: Names the task in the progress bar and in errors.
        module: The model: parameters are clipped, parameters and buffers are kept.
        optimizer: Takes the steps; the loop sets the rates of its parameter groups.
    """

    main: bool = True
    """Whether this process writes files: exactly one does when several train together."""

    rank: int = 0
    """Number of this process; each one draws its own random numbers."""

    begin_anew: str = "give --fresh"
    """How the user begins anew, for errors."""

    def __init__(self, name: str, module: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self.name, self.module, self.optimizer = name, module, optimizer

    @property
    def device(self) -> torch.device:
        """Device of the parameters."""
        return next(self.module.parameters()).device

    @abstractmethod
    def rates(self, step: int) -> Sequence[float]:
        """Return the learning rate of each parameter group for a step, the first being 0."""

    @abstractmethod
    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of a step to the parameters; return its losses by name."""

    def clip(self, limit: float) -> float:
        """Scale the gradients down to the norm ``limit``; return the norm before."""
        return float(torch.nn.utils.clip_grad_norm_(self.module.parameters(), limit))

    def update(self, step: int) -> None:
        """Change the parameters by their gradients, and drop those."""
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def evaluate(self) -> Evaluation | None:
        """Score the model on dev data; ``None`` where there are none."""
        return None

    def best(self) -> Mapping[str, Tensor]:
        """Return the weights to keep when a score is the best so far."""
        return self.module.state_dict()

    def tensors(self) -> Mapping[str, Tensor]:
        """Return what a checkpoint holds beside the optimizer's moments."""
        return self.module.state_dict()

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Put back what `tensors` gave."""
        self.module.load_state_dict(dict(tensors))

    def state(self) -> Mapping[str, Any]:
        """Return what a checkpoint holds as JSON, such as a place in the data."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:  # noqa: B027  # most tasks have no state
        """Put back what `state` gave; called after the progress of the run is known."""

    def wait(self) -> None:  # noqa: B027  # most tasks are one process
        """Wait for the other processes, after the main one has written files."""

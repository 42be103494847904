"""Turn a batch into losses: the module that a method trains.

::

    class Mine(Objective):
        def forward(self, batch, step):
            loss = ...
            return {"mine": loss, "total": loss}

With ``step`` the weight of a term can change during training. All state that must survive a kill is a
parameter or a buffer. A step draws from torch's generator, which the loop seeds for each step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from amrx.training.rates import Rate
from retrofit.training.bases.feed import Batch, Features

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Terms = dict[str, Tensor]
"""Scalars by name, the same names at every step; ``total`` is minimised."""


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that share a learning rate."""

    parameters: tuple[nn.Parameter, ...]
    rate: Rate


class Objective(nn.Module, ABC):
    """Encoder and losses."""

    def __init__(self, encoder: SentenceTransformer) -> None:
        super().__init__()
        self.encoder = encoder

    @abstractmethod
    def forward(self, batch: Batch, step: int) -> Terms:
        """Return the losses of a batch."""

    @abstractmethod
    def groups(self) -> list[Group]:
        """Return the trained parameters with their rates; each parameter with a gradient is in one group."""


def embed(encoder: nn.Module, features: Features) -> Tensor:
    """Return the sentence vectors ``(B, d)`` in at least float32, for every precision of the encoder."""
    # a copy, because the modules of an encoder write their outputs into the mapping
    vectors: Tensor = encoder(dict(features))["sentence_embedding"]
    return vectors if vectors.dtype == torch.float64 else vectors.float()


def trained(module: nn.Module) -> tuple[nn.Parameter, ...]:
    """Return the parameters of a module that have a gradient."""
    return tuple(parameter for parameter in module.parameters() if parameter.requires_grad)


def full_precision(device: torch.device) -> torch.autocast:
    """Disable mixed precision, for losses that need float32."""
    return torch.autocast(device.type, enabled=False)


def gather_own_first(vectors: Tensor) -> Tensor:
    """Return the vectors of all processes, those of this process first; gradients reach all processes."""
    from sentence_transformers.util import all_gather_with_grad, get_rank, get_world_size

    if get_world_size() == 1:
        return vectors
    gathered = all_gather_with_grad(vectors)
    return gathered.roll(-get_rank() * len(vectors), dims=0)

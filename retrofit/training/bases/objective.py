"""Turn a batch into losses: the module that a method trains.

::

    class Mine(Objective):
        def forward(self, batch, step):
            loss = ...
            return {"mine": loss, "total": loss}

``step`` lets a term's weight change during training. Everything that must survive a kill is a parameter
or a buffer. A step draws from torch's generator, which the loop seeds for each step.
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
"""Scalars by name, the same names at every step; ``total`` is what is made smaller."""


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that share a learning rate."""

    parameters: tuple[nn.Parameter, ...]
    rate: Rate


class Objective(nn.Module, ABC):
    """Encoder and losses.

    Args:
        encoder: Encoder that is trained and written.
    """

    def __init__(self, encoder: SentenceTransformer) -> None:
        super().__init__()
        self.encoder = encoder

    @abstractmethod
    def forward(self, batch: Batch, step: int) -> Terms:
        """Return the losses of a batch."""

    @abstractmethod
    def groups(self) -> list[Group]:
        """Return what is trained and how fast; every parameter with a gradient is in one group."""


def embed(encoder: nn.Module, features: Features) -> Tensor:
    """Return the sentence vectors ``(B, d)``, float32 or wider whatever the encoder computes in."""
    # a copy: the modules of an encoder write what they find into the mapping
    vectors: Tensor = encoder(dict(features))["sentence_embedding"]
    return vectors if vectors.dtype == torch.float64 else vectors.float()


def trained(module: nn.Module) -> tuple[nn.Parameter, ...]:
    """Return the parameters of a module that have a gradient."""
    return tuple(parameter for parameter in module.parameters() if parameter.requires_grad)


def full_precision(device: torch.device) -> torch.autocast:
    """Switch mixed precision off, for losses whose sums and exponents need float32."""
    return torch.autocast(device.type, enabled=False)


def gather_own_first(vectors: Tensor) -> Tensor:
    """Return the vectors of all processes, this one's first; gradients go back to where they came from."""
    from sentence_transformers.util import all_gather_with_grad, get_rank, get_world_size

    if get_world_size() == 1:
        return vectors
    gathered = all_gather_with_grad(vectors)
    return gathered.roll(-get_rank() * len(vectors), dims=0)

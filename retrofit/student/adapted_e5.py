"""Define the student on multilingual-e5-small: low-rank updates of its matrices, and a head.

::

    pieces ──E5', mean of the last states──> m (B, 384) ──> O m + o      (B, d)

E5' is E5 with ``W + U D`` instead of each matrix ``W`` of its layers (LoRA, Hu et al. 2022, section 4.1,
without its factor alpha / r), and with trained biases and layer norms. Embeddings and ``W`` are not changed,
so that only the updates are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.func import functional_call

from amrx.e5.model import mean_state
from retrofit.student.shape import UpdateShape

if TYPE_CHECKING:
    from amrx.e5.bert import Bert


class E5Update(nn.Module):
    """Hold the trained parameters; the frozen network is passed to every call."""

    def __init__(self, shape: UpdateShape, bert: Bert) -> None:
        super().__init__()
        self.shape = shape
        self.up, self.down, self.vectors = nn.ParameterDict(), nn.ParameterDict(), nn.ParameterDict()
        for name, value in bert.encoder.named_parameters():
            if value.ndim == 1:
                self.vectors[_key(name)] = nn.Parameter(value.detach().clone())
            else:
                rows, columns = value.shape
                self.up[_key(name)] = nn.Parameter(torch.zeros(rows, shape.rank))
                self.down[_key(name)] = nn.Parameter(torch.randn(shape.rank, columns) / columns**0.5)
        self.out = nn.Linear(bert.shape.width, shape.dimension)

    def forward(self, bert: Bert, updated: Mapping[str, Tensor], ids: Tensor, mask: Tensor) -> Tensor:
        """Return vectors ``(B, d)`` of any length.

        Pieces and their mask are ``(B, T)``. The frozen network has dropout exactly in training mode;
        ``updated`` is the result of `updated`, which several batches may share.
        """
        bert.train(self.training)
        states = cast("list[Tensor]", functional_call(bert, dict(updated), (ids, mask)))
        return cast(Tensor, self.out(mean_state(states[-1], mask)))

    def updated(self, bert: Bert) -> dict[str, Tensor]:
        """Return the parameters of E5', by their names in ``bert``."""
        parameters = {}
        with torch.autocast(self.out.weight.device.type, enabled=False):
            for name, value in bert.encoder.named_parameters():
                key = _key(name)
                own = value + self.up[key] @ self.down[key] if key in self.up else self.vectors[key]
                parameters[f"encoder.{name}"] = own
        return parameters


def apply_update(update: E5Update, bert: Bert) -> None:
    """Write the parameters of E5' into ``bert``."""
    updated: Mapping[str, Tensor] = update.updated(bert)
    with torch.no_grad():
        for name, value in bert.named_parameters():
            if name in updated:
                value.copy_(updated[name])


def _key(name: str) -> str:
    """Return a parameter's name without dots, which a ParameterDict does not allow."""
    return name.replace(".", "-")

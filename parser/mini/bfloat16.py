"""Multiply matrices in bfloat16: the parser ``bf16:mini``, faster where the processor multiplies it.

::

    y = sum_k bf16(x_k) bf16(W_k)^T + b        x_k, W_k: slices of at most `SLICE` columns

The weights, the inputs and the product of each slice are rounded to bfloat16 (8 bits of mantissa); sums
of products inside a slice, sums over slices and everything else are float32.

Law: a row of ``y`` does not depend on the number of rows, so a graph does not depend on the batch. oneDNN
splits sums over 512 columns differently for many rows than for few; those of `SLICE` it does not split.
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.errors import OptionError
from amrx.muse.model import fastest_dtype
from amrx.types import Parser
from parser.mini.parser import MiniParser

SLICE = 384


class Bfloat16Linear(nn.Module):
    """A linear layer with products in bfloat16; inputs and outputs are float32."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        slices = layer.weight.detach().to(torch.bfloat16).split(SLICE, 1)
        self.slices = [part.contiguous() for part in slices]
        self.bias = layer.bias

    def forward(self, x: Tensor) -> Tensor:
        """Return ``(..., out)`` for ``x (..., in)``."""
        parts = zip(x.to(torch.bfloat16).split(SLICE, -1), self.slices, strict=True)
        first, *others = (F.linear(part.contiguous(), weight).float() for part, weight in parts)
        for other in others:
            first += other
        return first if self.bias is None else first.add_(self.bias)


def in_bfloat16(parser: Parser) -> MiniParser:
    """Return a mini parser whose linear layers multiply in bfloat16.

    Raises:
        OptionError: The parser is another one, or the device does not multiply bfloat16.
    """
    if not isinstance(parser, MiniParser):
        raise OptionError(f"bf16 wraps the parser mini, got {parser.fingerprint!r}")
    if fastest_dtype(parser.device) != torch.bfloat16:
        raise OptionError(f"{parser.device} does not multiply bfloat16, so bf16:mini is slower than mini")
    network = copy.deepcopy(parser.network)
    _replace(network)
    return parser.with_network(network, "bf16")


def _replace(module: nn.Module) -> None:
    """Replace the linear layers below a module."""
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            module.add_module(name, Bfloat16Linear(child))
        else:
            _replace(child)

"""Compute the training loss of the mini parser."""

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx
from torch.nn import functional as F

from parser.mini.model import MiniNetwork
from parser.mini.symbols import COPY, PAD, SPELL

ROUND = 64
LOWEST = -1e9


def loss(
    network: MiniNetwork,
    hidden: Tensor,
    memory: Tensor,
    starts: Tensor,
    target: Tensor,
    copies: Tensor,
    first: int,
) -> Tensor:
    """Return the mean of -log p(symbol) over all steps except padding.

    p(symbol) is the sum over the ways to produce it: its id, and each slot that yields it. The grammar
    determines whether a node may follow, so the other steps are normalised over the symbols below the nodes
    alone.

    Args:
        network: The network that computed ``hidden``.
        hidden: Hidden states with their meanings ``(B, T, d + m)``.
        memory: ``(B, 1+S, d)``.
        starts: Slots that can be copied from ``(B, 1+S)``.
        target: Symbol ids ``(B, T)``; `COPY` if only copying yields the symbol, `PAD` after the end.
        copies: Slots that yield the symbol ``(B, T, 1+S)``.
        first: First id of a node.
    """
    node = (target >= first) | (target == COPY) | (target == SPELL)
    flat, wanted = hidden.flatten(0, 1), target.flatten()
    row, original = _rows((target != PAD) & ~node)
    roles = (
        F.cross_entropy(network.low(flat[row], first).float(), wanted[row] * original, reduction="none")
        * original
    )
    row, original = _rows(node)
    chosen, ids, sentence = flat[row], wanted[row], row // target.shape[1]
    copy = network.copy_scores(chosen, network.copy_key(memory).transpose(1, 2)[sentence]).float()
    copy = copy.masked_fill(~starts[sentence], LOWEST)
    weight, bias = network.table(), network.bias
    own = (chosen * weight[ids]).sum(-1) + bias[ids]
    own = own.float().masked_fill(ids == COPY, LOWEST)
    ways = torch.cat((own[:, None], copy.masked_fill(~copies.flatten(0, 1)[row], LOWEST)), 1)
    everything = torch.cat((LinearLogSumExp.apply(chosen, weight, bias)[:, None], copy), 1)  # type: ignore[no-untyped-call]
    nodes = torch.where(original, everything.logsumexp(-1) - ways.logsumexp(-1), 0.0)
    return (roles.sum() + nodes.sum()) / (target != PAD).sum()


class LinearLogSumExp(torch.autograd.Function):
    """``logsumexp(h W' + b)`` over all symbols, ``(N, d)`` to float32 ``(N,)``, with one ``(N, V)`` buffer.

    Products run in the dtype of autocast, sums in float32.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, hidden: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """Return the log-sum-exp; save the exponentials for the backward pass."""
        kind = hidden.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else hidden.dtype
        h, w = hidden.to(dtype), weight.to(dtype)
        scores = torch.addmm(bias.to(dtype), h, w.T)
        top = scores.amax(1, keepdim=True)
        exponentials = scores.sub_(top).exp_()
        total = exponentials.sum(1, keepdim=True, dtype=torch.float32)
        ctx.save_for_backward(h, w, exponentials, total)
        ctx.dtypes = hidden.dtype, weight.dtype, bias.dtype  # type: ignore[attr-defined]
        return (total.log() + top)[:, 0]

    @staticmethod
    def backward(ctx: FunctionCtx, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gradients: softmax times the gradient, through the linear map."""
        h, w, exponentials, total = ctx.saved_tensors  # type: ignore[attr-defined]
        of_hidden, of_weight, of_bias = ctx.dtypes  # type: ignore[attr-defined]
        scaled = exponentials * (gradient[:, None] / total).to(exponentials.dtype)
        bias = scaled.sum(0, dtype=torch.float32).to(of_bias)
        return (scaled @ w).to(of_hidden), (scaled.T @ h).to(of_weight), bias


def _rows(wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return flat positions of ``wanted (B, T)``, padded to a multiple of `ROUND`, and which are not padding.

    oneDNN compiles its bf16 products for each new shape, so few shapes make steps fast on a CPU.
    """
    row = wanted.flatten().nonzero()[:, 0]
    size = max(ROUND, -(-len(row) // ROUND) * ROUND)
    original = torch.arange(size, device=row.device) < len(row)
    return F.pad(row, (0, size - len(row)), value=int(row[0])), original

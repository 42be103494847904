"""Build multilingual-e5-small, its embeddings in 4 bits, and encode: mean of the last states, of length 1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from amrx.device import length_buckets, pad_rows, progress
from amrx.e5.bert import Bert
from amrx.e5.weights import BLOCK, BLOCK_BYTES, E5Arrays, find, read_arrays
from amrx.vectors import normalise

if TYPE_CHECKING:
    from amrx.types import Vectors

_LAYER = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm", "fi": "intermediate.dense",
    "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


class QuantisedEmbedding(nn.Module):
    """Embed ids with a table in 4 bits; only requested rows are converted to float32.

    The table takes 54 MB instead of 384 MB in float32. It has no parameters, so it is never trained.

    Args:
        blocks: uint8 ``(rows, width / 32 * 18)``, as in `amrx.e5.weights`.
    """

    blocks: Tensor

    def __init__(self, blocks: Tensor) -> None:
        super().__init__()
        self.register_buffer("blocks", blocks, persistent=False)

    @property
    def width(self) -> int:
        """Numbers per row."""
        return self.blocks.shape[1] // BLOCK_BYTES * BLOCK

    def forward(self, ids: Tensor) -> Tensor:
        """Return the rows ``(..., width)`` of ids ``(...)``."""
        parts = self.blocks[ids].unflatten(-1, (-1, BLOCK_BYTES))  # (..., blocks, 18)
        scales = parts[..., :2].contiguous().view(torch.float16).float()  # (..., blocks, 1)
        codes = parts[..., 2:]
        both = torch.cat((codes & 0x0F, codes >> 4), -1).float() - 8  # (..., blocks, 32)
        rows: Tensor = (both * scales).flatten(-2)
        return rows


def load_model(folder: str | Path | None = None, layers: int | None = None) -> Bert:
    """Load the network, float32, in evaluation mode; only its first ``layers`` if they are given."""
    return build_model(read_arrays(find(folder), layers))


def build_model(arrays: E5Arrays) -> Bert:
    """Load arrays into the network, which must use every one of them."""
    model = build_empty(arrays)
    expected = model.state_dict()
    state = {}
    for name, values in arrays.tensors.items():
        target = _target(name)
        state[target] = torch.from_numpy(values).reshape(expected[target].shape)
    model.load_state_dict(state)
    return model


def build_empty(arrays: E5Arrays) -> Bert:
    """Build the network with its embedding table; all other weights are random.

    For a caller that overwrites them, such as a parser, which has its own.
    """
    return Bert(arrays.shape, QuantisedEmbedding(torch.from_numpy(arrays.table))).eval()


def _target(name: str) -> str:
    """Return the network's name of an array.

    Example:
        >>> _target("l3.ao.w"), _target("emb.ln.b")
        ('encoder.layer.3.attention.output.dense.weight', 'embeddings.LayerNorm.bias')
    """
    kinds = {"w": "weight", "b": "bias"}
    first, *rest = name.split(".")
    if first == "emb":
        if rest[0] == "ln":
            return f"embeddings.LayerNorm.{kinds[rest[1]]}"
        tables = {"pos": "position_embeddings", "type": "token_type_embeddings"}
        return f"embeddings.{tables[rest[0]]}.weight"
    return f"encoder.layer.{first[1:]}.{_LAYER[rest[0]]}.{kinds[rest[1]]}"


PREFIX = "query: "
"""Prefix, by the model card, of texts that are compared with each other."""


def mean_state(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean ``(B, d)`` of states ``(B, T, d)`` where the mask ``(B, T)`` is true."""
    weights = mask[..., None].to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)


def mean_states(
    model: Bert, ids: Sequence[Sequence[int]], *, pad: int, batch_size: int = 64, show: bool = False
) -> Vectors:
    """Return the mean of the last states of rows of ids ``(n, width)``, float32, in order.

    The rows include ``<s>`` and ``</s>``; longer ones are cut to the model's positions.
    """
    limit = model.shape.positions
    rows = [list(row) if len(row) <= limit else [*row[: limit - 1], row[-1]] for row in ids]
    means = np.zeros((len(rows), model.shape.width), np.float32)
    device = next(model.parameters()).device
    for batch in progress(
        length_buckets([len(row) for row in rows], batch_size), len(rows), "e5", show=show, size=len
    ):
        tokens = pad_rows([rows[index] for index in batch], pad).to(device)
        with torch.inference_mode():
            mask = tokens != pad
            means[batch] = mean_state(model(tokens, mask)[-1], mask).float().cpu().numpy()
    return means


def sentence_vectors(
    model: Bert, ids: Sequence[Sequence[int]], *, pad: int, batch_size: int = 64, show: bool = False
) -> Vectors:
    """Return unit vectors ``(n, width)``: `mean_states`, with the same arguments, scaled to length 1."""
    return normalise(mean_states(model, ids, pad=pad, batch_size=batch_size, show=show))

"""BERT's encoder (Devlin et al. 2019, after Vaswani et al. 2017), as transformers' ``BertModel`` computes it.

Its parameters have the names of that model, whose import takes longer than parsing a sentence::

    a = LayerNorm(x + W_o softmax(q k^T / sqrt(d / h)) v)        q, k, v: linear in x, h heads
    y = LayerNorm(a + W_2 gelu(W_1 a))
"""

from __future__ import annotations

from itertools import groupby
from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.e5.weights import BertShape

Groups: TypeAlias = list[tuple[int, int]]
"""Number and length of rows of equal length, in order."""
DROPOUT = 0.1
"""Dropout probability in training, for embeddings, attention and both outputs of a layer."""


class Layer(nn.Module):
    """One layer."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        width = shape.width
        own = nn.ModuleDict({name: nn.Linear(width, width) for name in ("query", "key", "value")})
        self.heads, self.plain = shape.heads, shape.plain
        self.attention = nn.ModuleDict({"self": own, "output": _output(width, shape)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(width, shape.inner)})
        self.output = _output(shape.inner, shape)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, mask: Tensor | Groups | None) -> Tensor:
        """Return states like ``x``.

        Args:
            x: States ``(B, S, d)``, or without padding ``(P, d)``.
            mask: ``(B, 1, 1, S)``, true where attention is allowed, or ``None`` to allow all. With plain
                attention, the logarithm of that mask. Without padding, the groups of rows.
        """
        query, key, value = (
            linear(x).unflatten(-1, (self.heads, -1))
            for linear in self.attention["self"].values()  # type: ignore[operator]
        )
        if isinstance(mask, list):
            mixed = _in_groups(query, key, value, mask)
        else:
            mixed = self._mixed(query, key, value, mask)
        x = self._add(x, mixed, self.attention["output"])
        return self._add(x, F.gelu(self.intermediate["dense"](x)), self.output)

    def _mixed(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        query, key, value = (part.transpose(1, 2) for part in (query, key, value))
        dropout = DROPOUT if self.training else 0.0
        if self.plain:
            scores = query @ key.transpose(2, 3) * query.shape[-1] ** -0.5
            shares = F.softmax(scores if mask is None else scores + mask, -1)
            mixed = F.dropout(shares, dropout, self.training) @ value
        else:
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        return mixed.transpose(1, 2).flatten(2)

    def _add(self, x: Tensor, update: Tensor, output: nn.Module) -> Tensor:
        return output.LayerNorm(x + self.dropout(output.dense(update)))  # type: ignore[no-any-return, operator]


def _in_groups(query: Tensor, key: Tensor, value: Tensor, groups: Groups) -> Tensor:
    """Return the attention of rows of pieces without padding ``(P, d)``, from ``(P, heads, d / heads)``."""
    mixed, begin = [], 0
    for count, length in groups:
        rows = slice(begin, begin + count * length)
        parts = (one[rows].unflatten(0, (count, length)).transpose(1, 2) for one in (query, key, value))
        mixed.append(F.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(0, 1))
        begin = rows.stop
    return torch.cat((*mixed, value[:0])).flatten(1)


def _logarithm(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """Return 0 where the mask is true, and the lowest number elsewhere."""
    return torch.where(mask, torch.zeros((), device=mask.device, dtype=dtype), torch.finfo(dtype).min)


def _output(width: int, shape: BertShape) -> nn.ModuleDict:
    norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
    return nn.ModuleDict({"dense": nn.Linear(width, shape.width), "LayerNorm": norm})


class Bert(nn.Module):
    """Embeddings and layers."""

    def __init__(self, shape: BertShape, words: nn.Module) -> None:
        super().__init__()
        self.shape = shape
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": words,
                "position_embeddings": nn.Embedding(shape.positions, shape.width),
                "token_type_embeddings": nn.Embedding(shape.types, shape.width),
                "LayerNorm": nn.LayerNorm(shape.width, eps=shape.epsilon),
            }
        )
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer(shape) for _ in range(shape.layers))})
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> list[Tensor]:
        """Return the states ``(B, S, d)`` before the first layer and after each.

        Args:
            ids: Piece ids ``(B, S)``, ``S <= positions``.
            mask: True at pieces, false at padding ``(B, S)``.
            types: Segment type of each piece ``(B, S)``; the first type when ``None``.
        """
        return self.states_of(self.embeddings["word_embeddings"](ids), mask, types)

    def states_of(self, words: Tensor, mask: Tensor, types: Tensor | None) -> list[Tensor]:
        """Return the states for embedded pieces ``(B, S, d)``; otherwise as ``forward``."""
        tables = self.embeddings
        places = torch.arange(words.shape[1], device=words.device)
        types = torch.zeros_like(mask, dtype=torch.long) if types is None else types
        x = words + tables["token_type_embeddings"](types)
        x = self.dropout(tables["LayerNorm"](x + tables["position_embeddings"](places)))
        bf16 = torch.is_autocast_enabled(x.device.type)  # which wants few shapes
        if x.device.type == "cpu" and not (self.training or torch.is_grad_enabled() or bf16):
            return self._without_padding(x, mask.bool())
        states: list[Tensor] = [x]
        allowed: Tensor | None = mask.bool()[:, None, None]
        if self.shape.plain:
            allowed = None if bool(mask.all()) else _logarithm(mask.bool()[:, None, None], x.dtype)
        for layer in self.encoder["layer"]:  # type: ignore[attr-defined]
            states.append(layer(states[-1], allowed))
        return states

    def _without_padding(self, x: Tensor, exists: Tensor) -> list[Tensor]:
        """Return what `states_of` does, zero at padding, from the first states.

        Attention is computed as if every row were alone. With `amrx.int8`, whose products are exact, its
        neighbours do not change a bit of it. Rows of equal length should be adjacent: they share a call.
        """
        groups = [(len(list(same)), length) for length, same in groupby(exists.sum(1).tolist())]
        states = [x[exists]]
        for layer in self.encoder["layer"]:  # type: ignore[attr-defined]
            states.append(layer(states[-1], groups))
        whole = []
        for state in states:
            whole.append(x.new_zeros(x.shape))
            whole[-1][exists] = state
        return whole

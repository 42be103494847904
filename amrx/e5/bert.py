"""BERT's encoder (Devlin et al. 2019, after Vaswani et al. 2017), as transformers' ``BertModel`` computes it.

Its parameters have the names of that model, whose import takes longer than parsing a sentence::

    a = LayerNorm(x + W_o softmax(q k^T / sqrt(d / h)) v)        q, k, v: linear in x, h heads
    y = LayerNorm(a + W_2 gelu(W_1 a))
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.e5.weights import BertShape

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

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Return states ``(B, S, d)``.

        Args:
            x: States ``(B, S, d)``.
            mask: ``(B, 1, 1, S)``, true where attention is allowed, or ``None`` to allow all. With plain
                attention, the logarithm of that mask.
        """
        query, key, value = (
            linear(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for linear in self.attention["self"].values()  # type: ignore[operator]
        )
        dropout = DROPOUT if self.training else 0.0
        if self.plain:
            scores = query @ key.transpose(2, 3) * query.shape[-1] ** -0.5
            shares = F.softmax(scores if mask is None else scores + mask, -1)
            mixed = F.dropout(shares, dropout, self.training) @ value
        else:
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        x = self._add(x, mixed.transpose(1, 2).flatten(2), self.attention["output"])
        return self._add(x, F.gelu(self.intermediate["dense"](x)), self.output)

    def _add(self, x: Tensor, update: Tensor, output: nn.Module) -> Tensor:
        return output.LayerNorm(x + self.dropout(output.dense(update)))  # type: ignore[no-any-return, operator]


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
        states: list[Tensor] = [x]
        allowed: Tensor | None = mask.bool()[:, None, None]
        if self.shape.plain:
            allowed = None if bool(mask.all()) else _logarithm(mask.bool()[:, None, None], x.dtype)
        for layer in self.encoder["layer"]:  # type: ignore[attr-defined]
            states.append(layer(states[-1], allowed))
        return states

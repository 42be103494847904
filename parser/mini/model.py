"""The network of the mini parser.

::

    mUSE token features (B, S, 1280), sentence vector (B, 512)      frozen
      -> one slot for the sentence, one a piece: memory (B, 1+S, d)  encoder, pre-norm
    previous symbol + depth + innermost open concept (B, T)
      -> hidden (B, T, d)                                            decoder, pre-norm, attends to memory
      -> meaning (B, T, m)                                           what it looks at, in the space of names
      -> scores (B, T, V + S): V symbols, tied to the input rows; S pieces to copy from

Words and concept names share one space: multilingual USE, frozen, puts *Hund*, *狗* and ``dog`` side by side.
So a symbol has, beside the row it learns, the fixed vector of its name, and the decoder mixes the vectors
of the words it looks at: a concept seen twice in training is found from a word never seen. With ``h`` the
hidden state, ``f_j`` the features of piece ``j``, ``k_j`` its memory and ``n_c`` the name of symbol ``c``::

    a   = softmax_j(Q h · K k_j / sqrt(m))
    z   = O h + sum_j a_j N f_j
    s_c = h · e_c + z · n_c + b_c

A symbol's probability is the sum over its ways: its own id and every word that yields it
(pointer-generator; See et al. 2017, without the gate: one softmax over both).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.muse.model import FEATURES, WIDTH
from parser.mini.symbols import DEPTHS

COPY_WIDTH = 128
MEANING = 128
MOST_STEPS = 256


@dataclass(frozen=True)
class Shape:
    """Sizes of the network.

    Attributes:
        symbols: Output symbols ``V``.
        width: Model width ``d``.
        heads: Attention heads.
        inner: Width of the feed-forward layers.
        encoder: Encoder layers.
        decoder: Decoder layers.
        dropout: Dropout probability in training.
        word_dropout: Probability in training that a source piece, the sentence's vector, a previous symbol or
            its parent is hidden whole: few distinct graphs are learnt by heart otherwise.
        meaning: Width ``m`` of the space of names.
    """

    symbols: int
    width: int = 512
    heads: int = 8
    inner: int = 1536
    encoder: int = 4
    decoder: int = 3
    dropout: float = 0.1
    word_dropout: float = 0.0
    meaning: int = MEANING


def positions(length: int, width: int) -> Tensor:
    """Sinusoidal positions ``(length, width)`` (Vaswani et al. 2017)."""
    angle = torch.arange(length)[:, None] * torch.exp(
        torch.arange(0, width, 2) * (-math.log(10000.0) / width)
    )
    return torch.stack((angle.sin(), angle.cos()), -1).flatten(1)


class Attention(nn.Module):
    """Multi-head attention; keys and values may be computed ahead and reused."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query = nn.Linear(shape.width, shape.width)
        self.keys = nn.Linear(shape.width, 2 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)

    def split(self, x: Tensor) -> Tensor:
        """``(B, T, d)`` to ``(B, heads, T, d / heads)``."""
        return x.view(*x.shape[:-1], self.heads, -1).transpose(1, 2)

    def remember(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of ``x (B, S, d)``."""
        keys, values = self.keys(x).chunk(2, -1)
        return self.split(keys), self.split(values)

    def forward(
        self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Attend from ``x (B, T, d)``; ``mask`` is true where attention is allowed."""
        query, (keys, values) = self.split(self.query(x)), memory
        if not self.training:
            # bf16 products are compiled anew for each length; in float32 they are not, and they are small
            query, keys, values = query.float(), keys.float(), values.float()
        # two plain products: on a CPU the fused kernel takes ten times as long for sequences this short
        scores = query @ keys.transpose(-1, -2) * query.shape[-1] ** -0.5  # (B, heads, T, S)
        if causal:
            mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril()
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        mixed = torch.softmax(scores, -1).to(values.dtype) @ values
        return self.out(mixed.transpose(1, 2).flatten(2).to(x.dtype))  # type: ignore[no-any-return]


class Block(nn.Module):
    """Pre-norm Transformer layer, with attention to a memory when ``cross``."""

    def __init__(self, shape: Shape, cross: bool) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(3 if cross else 2))
        self.self_attention = Attention(shape)
        self.cross_attention = Attention(shape) if cross else None
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.dropout = nn.Dropout(shape.dropout) if shape.dropout else nn.Identity()

    @property
    def across(self) -> Attention:
        """Attention to the memory, which only decoder layers have."""
        if self.cross_attention is None:
            raise TypeError("an encoder layer has no memory to attend to")
        return self.cross_attention

    def feed_forward(self, x: Tensor) -> Tensor:
        """Last sub-layer with its residual."""
        return x + self.dropout(self.down(F.gelu(self.up(self.norms[-1](x)))))  # type: ignore[no-any-return]

    def encode(self, x: Tensor, mask: Tensor) -> Tensor:
        """Encoder layer over ``x (B, S, d)``."""
        h = self.norms[0](x)
        x = x + self.dropout(self.self_attention(h, self.self_attention.remember(h), mask))
        return self.feed_forward(x)

    def decode(
        self, x: Tensor, past: tuple[Tensor, Tensor] | None, memory: tuple[Tensor, Tensor], mask: Tensor
    ) -> Tensor:
        """Decoder layer; ``past`` holds keys and values up to and including ``x`` in step-wise decoding."""
        h = self.norms[0](x)
        own = self.self_attention.remember(h) if past is None else past
        x = x + self.dropout(self.self_attention(h, own, None, causal=past is None))
        x = x + self.dropout(self.across(self.norms[1](x), memory, mask))
        return self.feed_forward(x)


class MiniNetwork(nn.Module):
    """Encoder, decoder, names and copy head; see the module's picture."""

    place: Tensor
    names: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.features = nn.Linear(FEATURES, shape.width)
        self.sentence = nn.Linear(WIDTH, shape.width)
        self.encoder = nn.ModuleList(Block(shape, cross=False) for _ in range(shape.encoder))
        self.encoder_norm = nn.LayerNorm(shape.width)
        self.symbols = nn.Embedding(shape.symbols, shape.width)
        self.parent = nn.Linear(shape.width, shape.width)
        self.depth = nn.Embedding(DEPTHS, shape.width)
        self.copied = nn.Linear(shape.width, shape.width)
        self.decoder = nn.ModuleList(Block(shape, cross=True) for _ in range(shape.decoder))
        self.decoder_norm = nn.LayerNorm(shape.width)
        self.bias = nn.Parameter(torch.zeros(shape.symbols))
        self.copy_query = nn.Linear(shape.width, COPY_WIDTH)
        self.copy_key = nn.Linear(shape.width, COPY_WIDTH)
        self.named = nn.Linear(shape.meaning, shape.width, bias=False)
        self.name_value = nn.Linear(FEATURES, shape.meaning)
        self.name_key = nn.Linear(shape.width, shape.meaning)
        self.name_query = nn.Linear(shape.width, shape.meaning)
        self.name_own = nn.Linear(shape.width, shape.meaning)
        self.dropout = nn.Dropout(shape.dropout) if shape.dropout else nn.Identity()
        self.register_buffer("names", torch.zeros(shape.symbols, shape.meaning))
        self.register_buffer("place", positions(MOST_STEPS, shape.width), persistent=False)
        nn.init.normal_(self.symbols.weight, std=shape.width**-0.5)
        nn.init.normal_(self.depth.weight, std=0.02)

    def hide(self, x: Tensor) -> Tensor:
        """Hide whole vectors of ``x (..., d)`` at random in training (Bowman et al. 2016, word dropout)."""
        if not (self.training and self.shape.word_dropout):
            return x
        return x * (torch.rand(x.shape[:-1], device=x.device) >= self.shape.word_dropout)[..., None]

    def encode(self, features: Tensor, vector: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Memory ``(B, 1+S, d)``, what its slots mean ``(B, 1+S, m)`` and its mask ``(B, 1+S)``.

        Slot 0 is the sentence vector and means nothing.
        """
        features = self.hide(self.dropout(features))
        pieces = self.features(features) + self.place[: features.shape[1]]
        x = torch.cat((self.hide(self.sentence(vector)[:, None] * WIDTH**0.5), pieces), 1)
        mask = F.pad(mask, (1, 0), value=True)
        x = self.dropout(x)
        for block in self.encoder:
            x = cast(Block, block).encode(x, mask[:, None, None])
        return self.encoder_norm(x), F.pad(self.name_value(features), (0, 0, 1, 0)), mask

    def look_up(self, ids: Tensor) -> Tensor:
        """Input rows ``(..., d)`` of symbols ``(...)``: what was learnt and what the name says."""
        rows = self.symbols(ids) * self.shape.width**0.5
        return rows + self.named(self.names[ids])  # type: ignore[no-any-return]

    def attend(self, hidden: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        """How much each step looks at each slot for its meaning, ``(B, T, 1+S)``; rows sum to one.

        Args:
            hidden: Decoder output ``(B, T, d)``.
            keys: ``name_key`` of the memory ``(B, 1+S, m)``.
            mask: Slots that exist ``(B, 1+S)``.
        """
        scores = (self.name_query(hidden).to(keys.dtype) @ keys.transpose(1, 2)) * self.shape.meaning**-0.5
        return torch.softmax(scores.masked_fill(~mask[:, None], torch.finfo(scores.dtype).min), -1)

    def mean(self, hidden: Tensor, shares: Tensor, values: Tensor) -> Tensor:
        """Hidden states ``(B, T, d)`` with what they mean: ``(B, T, d + m)``.

        Args:
            hidden: Decoder output.
            shares: From `attend`.
            values: What the slots mean ``(B, 1+S, m)``.
        """
        mixed = shares.to(values.dtype) @ values
        return torch.cat((hidden, (self.name_own(hidden) + mixed).to(hidden.dtype)), -1)

    def embed(
        self, ids: Tensor, depth: Tensor, parent: Tensor, copied: Tensor, memory: Tensor, step: int = 0
    ) -> Tensor:
        """Decoder input ``(B, T, d)``.

        Args:
            ids: Previous symbols ``(B, T)``.
            depth: Open nodes ``(B, T)``.
            parent: Concept ids of the innermost open nodes ``(B, T)``.
            copied: Memory slot that the previous symbol was copied from, 0 for none ``(B, T)``.
            memory: Encoder output.
            step: Position of the first column.
        """
        x = self.hide(self.look_up(ids)) + self.place[step : step + ids.shape[1]]
        x = x + self.hide(self.parent(self.look_up(parent))) + self.depth(depth)
        slots = memory.gather(1, copied[..., None].expand(-1, -1, memory.shape[-1]))
        return x + self.copied(slots) * (copied > 0)[..., None]  # type: ignore[no-any-return]

    def forward(
        self, features: Tensor, vector: Tensor, mask: Tensor, inputs: tuple[Tensor, Tensor, Tensor, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Hidden states and meanings of all steps at once ``(B, T, d + m)``, and the memory (training).

        ``inputs`` are ids, depth, parent, copied, each ``(B, T)``.
        """
        memory, values, memory_mask = self.encode(features, vector, mask)
        x = self.dropout(self.embed(*inputs, memory))
        for block in self.layers():
            x = block.decode(x, None, block.across.remember(memory), memory_mask[:, None, None])
        hidden = self.decoder_norm(x)
        shares = self.attend(hidden, self.name_key(memory), memory_mask)
        return self.mean(hidden, shares, values), memory

    def layers(self) -> list[Block]:
        """Decoder layers."""
        return [cast(Block, block) for block in self.decoder]

    def table(self) -> Tensor:
        """Output rows of all symbols ``(V, d + m)``: what was learnt, and the name."""
        return torch.cat((self.symbols.weight, self.names.to(self.symbols.weight.dtype)), 1)

    def low(self, hidden: Tensor, first: int) -> Tensor:
        """Scores ``(N, first)`` of specials, characters and roles, which have no names, for ``hidden``."""
        return F.linear(hidden[:, : self.shape.width], self.symbols.weight[:first], self.bias[:first])

    def full(self, hidden: Tensor, copy_keys: Tensor, table: Tensor, bias: Tensor) -> Tensor:
        """Scores ``(N, V' + 1+S)`` of nodes and of copying.

        Args:
            hidden: ``(N, d + m)``.
            copy_keys: ``(N, w, 1+S)``.
            table: The nodes' rows of `table` ``(V', d + m)``.
            bias: Their biases ``(V',)``.
        """
        return torch.cat((F.linear(hidden, table, bias), self.copy_scores(hidden, copy_keys)), -1)

    def copy_scores(self, hidden: Tensor, copy_keys: Tensor) -> Tensor:
        """Scores ``(N, 1+S)`` of copying each slot, for ``hidden (N, d + m)``."""
        query = self.copy_query(hidden[:, : self.shape.width]).to(copy_keys.dtype)
        return (query[:, None] @ copy_keys)[:, 0] * COPY_WIDTH**-0.5  # type: ignore[no-any-return]

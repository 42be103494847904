"""Define the network of the mini parser.

::

    features (B, S, f), sentence vector (B, v)                      `parser.mini.layers`
      -> one slot for the sentence, one per piece: memory (B, 1+S, d)  encoder, pre-norm
    previous symbol + depth + innermost open concept (B, T)
      -> hidden (B, T, d)                                            decoder, pre-norm, attends to memory
      -> meaning (B, T, m)                                           attended words, in the space of names
      -> scores (B, T, V + S): V symbols, tied to the input rows; S pieces to copy from

Words and concept names share one space: frozen vectors of multilingual USE, in which *Hund*, *狗* and ``dog``
are near each other. Besides its learned row, a symbol has the fixed vector of its name, and the decoder
averages the vectors of the words that it attends to. So it can predict a concept that is rare in training
from a word that does not occur there. With ``h`` the hidden state, ``f_j`` the features of piece ``j``,
``k_j`` its memory and ``n_c`` the name of symbol ``c``::

    a   = softmax_j(Q h · K k_j / sqrt(m))
    z   = O h + sum_j a_j N f_j
    s_c = h · e_c + z · n_c + b_c

A symbol's probability is the sum over all ways to produce it: its own id and every word that yields it
(pointer-generator; See et al. 2017, without the gate: one softmax over both).
"""

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.e5.bert import Bert
from parser.mini.layers import Block, E5Layers, Shape, positions
from parser.mini.symbols import DEPTHS

COPY_WIDTH = 128
MOST_STEPS = 256


class MiniNetwork(nn.Module):
    """Encoder, decoder, names and copy head; see the module docstring.

    Args:
        shape: Sizes.
        reader: Layers of multilingual-e5-small; those of the package when ``None``.

    Attributes:
        languages: ISO 639-1 codes of the training languages; empty if unknown.
    """

    place: Tensor
    names: Tensor
    recurs: Tensor

    def __init__(self, shape: Shape, reader: Bert | None = None) -> None:
        super().__init__()
        self.shape = shape
        self.languages: tuple[str, ...] = ()
        self.reader = E5Layers(shape.reader, reader)
        self.features = nn.Linear(shape.features, shape.width)
        self.sentence = nn.Linear(shape.vector, shape.width)
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
        self.name_value = nn.Linear(shape.features, shape.meaning)
        self.name_key = nn.Linear(shape.width, shape.meaning)
        self.name_query = nn.Linear(shape.width, shape.meaning)
        self.name_own = nn.Linear(shape.width, shape.meaning)
        self.dropout = nn.Dropout(shape.dropout) if shape.dropout else nn.Identity()
        self.register_buffer("names", torch.zeros(shape.symbols, shape.meaning))
        self.register_buffer("recurs", torch.zeros(shape.symbols))
        self.register_buffer("place", positions(MOST_STEPS, shape.width), persistent=False)
        nn.init.normal_(self.symbols.weight, std=shape.width**-0.5)
        nn.init.normal_(self.depth.weight, std=0.02)

    def hide(self, x: Tensor) -> Tensor:
        """Zero whole vectors of ``x (..., d)`` at random in training (Bowman et al. 2016, word dropout)."""
        if not (self.training and self.shape.word_dropout):
            return x
        return x * (torch.rand(x.shape[:-1], device=x.device) >= self.shape.word_dropout)[..., None]

    def encode(self, features: Tensor, vector: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return memory ``(B, 1+S, d)``, meanings of its slots ``(B, 1+S, m)`` and their mask ``(B, 1+S)``.

        Slot 0 is the sentence vector and has no meaning vector.
        """
        features = self.hide(self.dropout(features))
        pieces = self.features(features) + self.place[: features.shape[1]]
        x = torch.cat((self.hide(self.sentence(vector)[:, None] * self.shape.vector**0.5), pieces), 1)
        mask = F.pad(mask, (1, 0), value=True)
        x = self.dropout(x)
        for block in self.encoder:
            x = cast(Block, block).encode(x, mask[:, None, None])
        return self.encoder_norm(x), F.pad(self.name_value(features), (0, 0, 1, 0)), mask

    def look_up(self, ids: Tensor) -> Tensor:
        """Return the input rows ``(..., d)`` of symbols ``(...)``: learned row plus mapped name vector."""
        rows = self.symbols(ids) * self.shape.width**0.5
        return rows + self.named(self.names[ids])  # type: ignore[no-any-return]

    def attend(self, hidden: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        """Return each step's attention to each slot for its meaning, ``(B, T, 1+S)``; rows sum to one.

        Args:
            hidden: Decoder output ``(B, T, d)``.
            keys: ``name_key`` of the memory ``(B, 1+S, m)``.
            mask: Slots that exist ``(B, 1+S)``.
        """
        scores = (self.name_query(hidden).to(keys.dtype) @ keys.transpose(1, 2)) * self.shape.meaning**-0.5
        return torch.softmax(scores.masked_fill(~mask[:, None], torch.finfo(scores.dtype).min), -1)

    def mean(self, hidden: Tensor, shares: Tensor, values: Tensor) -> Tensor:
        """Append the meanings to hidden states ``(B, T, d)``: ``(B, T, d + m)``.

        Args:
            hidden: Decoder output.
            shares: From `attend`.
            values: Meanings of the slots ``(B, 1+S, m)``.
        """
        mixed = shares.to(values.dtype) @ values
        return torch.cat((hidden, (self.name_own(hidden) + mixed).to(hidden.dtype)), -1)

    def embed(self, ids: Tensor, depth: Tensor, parent: Tensor, copied: Tensor, memory: Tensor) -> Tensor:
        """Return the decoder input ``(B, T, d)``.

        Args:
            ids: Previous symbols ``(B, T)``.
            depth: Open nodes ``(B, T)``.
            parent: Concept ids of the innermost open nodes ``(B, T)``.
            copied: Memory slot that the previous symbol was copied from, 0 for none ``(B, T)``.
            memory: Encoder output.
        """
        x = self.hide(self.look_up(ids)) + self.place[: ids.shape[1]]
        x = x + self.hide(self.parent(self.look_up(parent))) + self.depth(depth)
        slots = memory.gather(1, copied[..., None].expand(-1, -1, memory.shape[-1]))
        return x + self.copied(slots) * (copied > 0)[..., None]  # type: ignore[no-any-return]

    def forward(
        self, features: Tensor, vector: Tensor, mask: Tensor, inputs: tuple[Tensor, Tensor, Tensor, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Return hidden states and meanings of all steps ``(B, T, d + m)``, and the memory (training).

        ``inputs`` are ids, depth, parent, copied, each ``(B, T)``.
        """
        memory, values, memory_mask = self.encode(features, vector, mask)
        x = self.dropout(self.embed(*inputs, memory))
        for block in self.layers():
            x = block.decode(x, block.across.remember(memory), memory_mask[:, None, None])
        hidden = self.decoder_norm(x)
        shares = self.attend(hidden, self.name_key(memory), memory_mask)
        return self.mean(hidden, shares, values), memory

    def layers(self) -> list[Block]:
        """Return the decoder layers."""
        return [cast(Block, block) for block in self.decoder]

    def table(self) -> Tensor:
        """Return the output rows of all symbols ``(V, d + m)``: learned row and name."""
        return torch.cat((self.symbols.weight, self.names.to(self.symbols.weight.dtype)), 1)

    def low(self, hidden: Tensor, first: int) -> Tensor:
        """Return scores ``(N, first)`` of specials, characters and roles, which have no names."""
        return F.linear(hidden[:, : self.shape.width], self.symbols.weight[:first], self.bias[:first])

    def full(self, hidden: Tensor, copy_keys: Tensor, table: Tensor, bias: Tensor, scores: Tensor) -> None:
        """Write the scores of nodes and of copying.

        Args:
            hidden: ``(N, d + m)``.
            copy_keys: ``(N, w, 1+S)``.
            table: The nodes' rows of `table` ``(V', d + m)``.
            bias: Their biases ``(V',)``.
            scores: Output array ``(N, V' + 1+S)``.
        """
        scores[:, : len(bias)] = F.linear(hidden, table, bias)
        scores[:, len(bias) :] = self.copy_scores(hidden, copy_keys)

    def copy_scores(self, hidden: Tensor, copy_keys: Tensor) -> Tensor:
        """Return scores ``(N, 1+S)`` of copying each slot, for ``hidden (N, d + m)``."""
        query = self.copy_query(hidden[:, : self.shape.width]).to(copy_keys.dtype)
        return (query[:, None] @ copy_keys)[:, 0] * COPY_WIDTH**-0.5  # type: ignore[no-any-return]

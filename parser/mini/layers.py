"""Define the layers of the mini parser's network: shape, reader, positions, attention, Transformer blocks."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.e5.bert import Bert
from amrx.e5.model import load_model as load_e5

MEANING = 128
E5_WIDTH = 384


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    symbols: int  # output symbols ``V``
    width: int = 512  # model width ``d``
    heads: int = 8  # attention heads
    inner: int = 1536  # width of the feed-forward layers
    encoder: int = 4  # encoder layers
    decoder: int = 3  # decoder layers
    dropout: float = 0.1  # dropout probability in training
    # probability in training that a source piece, the sentence's vector, a previous symbol or its parent is
    # masked: otherwise the network memorises the few distinct graphs
    word_dropout: float = 0.0
    meaning: int = MEANING  # width ``m`` of the space of names
    reader: int = 6  # number of layers of multilingual-e5-small, even, at least 2

    @property
    def features(self) -> int:
        """Width of the reader's features per piece."""
        return 3 * E5_WIDTH

    @property
    def vector(self) -> int:
        """Width of the reader's sentence vector."""
        return E5_WIDTH


def positions(length: int, width: int) -> Tensor:
    """Return sinusoidal positions ``(length, width)`` (Vaswani et al. 2017)."""
    angle = torch.arange(length)[:, None] * torch.exp(
        torch.arange(0, width, 2) * (-math.log(10000.0) / width)
    )
    return torch.stack((angle.sin(), angle.cos()), -1).flatten(1)


class Attention(nn.Module):
    """Multi-head attention; keys and values may be computed in advance and reused."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query = nn.Linear(shape.width, shape.width)
        self.keys = nn.Linear(shape.width, 2 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)

    def split(self, x: Tensor) -> Tensor:
        """Reshape ``(B, T, d)`` to ``(B, heads, T, d / heads)``."""
        return x.view(*x.shape[:-1], self.heads, -1).transpose(1, 2)

    def remember(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the keys and values of ``x (B, S, d)``."""
        keys, values = self.keys(x).chunk(2, -1)
        return self.split(keys), self.split(values)

    def forward(
        self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Attend from ``x (B, T, d)``; ``mask`` is true where attention is allowed."""
        return self.out(self.mix(self.query(x), memory, mask, causal).to(x.dtype))  # type: ignore[no-any-return]

    def mix(
        self, query: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Return the attended values of queries ``(B, T, d)``, the heads concatenated."""
        query, (keys, values) = self.split(query), memory
        if not self.training:
            # products are small; bf16 kernels would be compiled for each length, float32 kernels are not
            query, keys, values = query.float(), keys.float(), values.float()
        # no fused kernel: for sequences this short it takes ten times as long on a CPU
        scores = query @ keys.transpose(-1, -2) * query.shape[-1] ** -0.5  # (B, heads, T, S)
        if causal:
            mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=query.device).tril()
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        mixed = torch.softmax(scores, -1).to(values.dtype) @ values
        return mixed.transpose(1, 2).flatten(2)


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
        """Return the attention to the memory, which only decoder layers have."""
        if self.cross_attention is None:
            raise TypeError("an encoder layer has no memory to attend to")
        return self.cross_attention

    def feed_forward(self, x: Tensor) -> Tensor:
        """Apply the feed-forward sub-layer with its residual connection."""
        return x + self.dropout(self.down(F.gelu(self.up(self.norms[-1](x)))))  # type: ignore[no-any-return]

    def encode(self, x: Tensor, mask: Tensor) -> Tensor:
        """Apply an encoder layer to ``x (B, S, d)``."""
        h = self.norms[0](x)
        x = x + self.dropout(self.self_attention(h, self.self_attention.remember(h), mask))
        return self.feed_forward(x)

    def decode(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """Apply a decoder layer to all steps ``x (B, T, d)``; `parser.mini.decoder_step` does one step."""
        h = self.norms[0](x)
        x = x + self.dropout(self.self_attention(h, self.self_attention.remember(h), None, causal=True))
        x = x + self.dropout(self.across(self.norms[1](x), memory, mask))
        return self.feed_forward(x)


class E5Layers(nn.Module):
    """The first layers of multilingual-e5-small; all but the embeddings are trained.

    The features of a piece are the states before the first, after the middle and after the last layer,
    concatenated, ``(B, S, 3 * 384)``; the vector of a sentence is the mean of its last states, ``(B, 384)``.

    Args:
        layers: Number of layers.
        model: The layers; those of the package when ``None``.
    """

    def __init__(self, layers: int, model: Bert | None = None) -> None:
        super().__init__()
        self.model = load_e5(layers=layers) if model is None else model
        for parameter in self.model.embeddings.parameters():
            parameter.requires_grad_(False)
        self.middle = layers // 2

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return features and vectors of pieces ``(B, S)``."""
        states = self.model(ids * mask, mask)
        shares = mask[..., None].to(states[-1].dtype)
        vector = (states[-1] * shares).sum(1) / shares.sum(1).clamp_min(1)
        return torch.cat((states[0], states[self.middle], states[-1]), -1) * shares, vector

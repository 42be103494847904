"""Define the layers of the one-pass network: its shape, the reader, and Transformer layers."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.e5.bert import Bert
from amrx.e5.model import load_model as load_e5

E5_WIDTH = 384


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    labels: int  # labels of nodes ``V``, with the two that are no names
    roles: int  # roles ``R``
    width: int = 256  # width ``d`` of a query
    heads: int = 4  # attention heads
    inner: int = 1024  # width of the feed-forward layers
    layers: int = 2  # Transformer layers over the queries
    node_layers: int = 2  # Transformer layers over the nodes
    queries: int = 2  # queries per piece ``Q``
    label: int = 256  # width of the learned row of a label
    name: int = 128  # width ``m`` of the fixed vector of its name
    edge: int = 256  # width of both sides of an edge's product
    role: int = 192  # width of the hidden layer of roles
    copy: int = 128  # width of the pointer to a word
    reader: int = 12  # layers of multilingual-e5-small, even
    dropout: float = 0.1  # dropout probability of the query layers
    feature_dropout: float = 0.2  # dropout probability of the reader's features
    word_dropout: float = 0.0  # probability in training that the features of a piece are masked
    hint_dropout: float = 0.0  # probability in training that the hints of a piece are left out

    @property
    def features(self) -> int:
        """Width of the reader's features per piece."""
        return 3 * E5_WIDTH


class Reader(nn.Module):
    """The layers of multilingual-e5-small; all but the embeddings are trained.

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


class Block(nn.Module):
    """Pre-norm Transformer layer (Vaswani et al. 2017)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(2))
        self.attention = nn.Linear(shape.width, 3 * shape.width)
        self.mixed = nn.Linear(shape.width, shape.width)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Apply the layer to ``x (B, T, d)``; ``mask (B, 1, 1, T)`` is true at queries that exist."""
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.attention(self.norms[0](x)).chunk(3, -1)
        )
        scores = query @ key.transpose(2, 3) * query.shape[-1] ** -0.5  # (B, heads, T, T)
        shares = torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), -1)
        x = x + self.dropout(self.mixed((shares @ value).transpose(1, 2).flatten(2)))
        return x + self.dropout(self.down(F.gelu(self.up(self.norms[1](x)))))  # type: ignore[no-any-return]

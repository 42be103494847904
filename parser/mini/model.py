"""Define the one-pass network: all nodes, edges and the top of a graph at once.

::

    pieces (B, S)       -> features (B, S, f), sentence vector (B, v)        reader
    words               -> vectors of their English (B, S, m)                `parser.mini.hints`
    each piece          -> Q queries; self-attention: states (B, Q S, d)     query layers
    each query          -> gate: is it a node?  label (V scores)  pointer to a word's first piece
    nodes with labels   -> self-attention: nodes (B, N, d)                     node layers
    each node           -> top?
    each pair of nodes  -> presence (one score)  role (R scores)

After PERIN (Samuel & Straka 2020): in training the nodes of the gold graph are matched to queries anew in
each step (`parser.training.mini.matching`), so that no alignment of words and nodes is needed; in decoding
the queries with an open gate are the nodes.

Words and names of labels share one space, as fixed vectors of multilingual USE. With ``h`` the state of a
query, ``f`` the features of its piece, ``t`` the sum of the names of its hints, each by its share, ``e_c``
the learned row and ``n_c`` the name vector of a label::

    s_c = A h · e_c + (O h + N f + H t) · n_c + b_c
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from amrx.e5.bert import Bert
from parser.mini.layers import Block, Reader, Shape

LEVELS = 15
"""Shares of hints are multiples of its inverse."""


class States(NamedTuple):
    """Outputs of the network for every query; ``T = Q S``."""

    hidden: Tensor  # ``(B, T, d)``
    label: Tensor  # in the space of labels ``(B, T, label + m)``
    gate: Tensor  # logit of being a node ``(B, T)``
    mask: Tensor  # queries that exist ``(B, T)``
    pieces: Tensor  # keys of the pointer ``(B, S, copy)``


class MiniNetwork(nn.Module):
    """Reader, queries and heads; see the module docstring.

    Args:
        shape: Sizes.
        reader: Layers of multilingual-e5-small; those of the package when ``None``.

    Attributes:
        languages: ISO 639-1 codes of the training languages; empty if unknown.
    """

    names: Tensor

    def __init__(self, shape: Shape, reader: Bert | None = None) -> None:
        super().__init__()
        self.shape = shape
        self.languages: tuple[str, ...] = ()
        width = shape.width
        self.reader = Reader(shape.reader, reader)
        self.feature = nn.Linear(shape.features, width)
        self.sentence = nn.Linear(shape.features // 3, width)
        self.slot = nn.Parameter(torch.randn(shape.queries, width) * 0.5)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(width)
        self.node_label = nn.Linear(shape.label + shape.name, width, bias=False)
        self.node_blocks = nn.ModuleList(Block(shape) for _ in range(shape.node_layers))
        self.gate = nn.Linear(width, 1)
        self.top = nn.Linear(width, 1)
        self.label = nn.Linear(width, shape.label)
        self.name = nn.Linear(width, shape.name)
        self.name_value = nn.Linear(shape.features, shape.name)
        self.hint = nn.Linear(shape.name, width, bias=False)
        self.hint_name = nn.Linear(shape.name, shape.name, bias=False)
        nn.init.zeros_(self.hint.weight)
        nn.init.eye_(self.hint_name.weight)
        self.rows = nn.Parameter(torch.randn(shape.labels, shape.label) * shape.label**-0.5)
        self.bias = nn.Parameter(torch.zeros(shape.labels))
        self.register_buffer("names", torch.zeros(shape.labels, shape.name))
        self.edge_source = nn.Linear(width, shape.edge)
        self.edge_target = nn.Linear(width, shape.edge)
        self.edge = nn.Parameter(torch.randn(shape.edge + 1, shape.edge + 1) * 0.02)
        self.role_source = nn.Linear(width, shape.role)
        self.role_target = nn.Linear(width, shape.role)
        self.role = nn.Linear(shape.role, shape.roles)
        self.role_of_source = nn.Linear(width, shape.roles, bias=False)
        self.role_of_target = nn.Linear(width, shape.roles, bias=False)
        self.copy_query = nn.Linear(width, shape.copy)
        self.copy_key = nn.Linear(width, shape.copy)
        self.dropout = nn.Dropout(shape.feature_dropout)

    def forward(self, ids: Tensor, mask: Tensor, hints: Tensor) -> States:
        """Read pieces ``(B, S)``.

        Args:
            ids: The pieces.
            mask: True at pieces that exist.
            hints: Row, piece, label and level of each hint ``(H, 4)``.
        """
        features, vector = self.reader(ids, mask)
        return self.ask(features, vector, mask, hints)

    def ask(self, features: Tensor, vector: Tensor, mask: Tensor, hints: Tensor) -> States:
        """Return the states of all queries of the reader's features ``(B, S, f)`` and vectors ``(B, v)``."""
        features, told = self.dropout(features), self.told(hints, mask)
        if self.training and self.shape.word_dropout:
            features = (
                features * (torch.rand(mask.shape, device=mask.device) >= self.shape.word_dropout)[..., None]
            )
        count = self.shape.queries
        pieces = self.feature(features) + self.sentence(vector)[:, None] + self.hint(told)
        x = (pieces[:, :, None] + self.slot).flatten(1, 2)
        exists = mask.repeat_interleave(count, 1)
        for block in self.blocks:
            x = block(x, exists[:, None, None])
        hidden = self.norm(x)
        names = self.name_value(features) + self.hint_name(told)
        names = self.name(hidden) + names.repeat_interleave(count, 1)
        label = torch.cat((self.label(hidden), names), -1)
        return States(hidden, label, self.gate(hidden)[..., 0], exists, self.copy_key(pieces))

    def told(self, hints: Tensor, mask: Tensor) -> Tensor:
        """Return the sum of the names of the hints of each piece ``(B, S, m)``, each by its share.

        In training, the hints of a share `Shape.hint_dropout` of the pieces are left out.
        """
        row, piece, label, level = hints.unbind(1)
        told = self.names.new_zeros(*mask.shape, self.shape.name)
        shares = level[:, None].to(told.dtype) / LEVELS
        told.index_put_((row, piece), self.names[label] * shares, accumulate=True)
        if self.training and self.shape.hint_dropout:
            told = told * (torch.rand(mask.shape, device=mask.device) >= self.shape.hint_dropout)[..., None]
        return told

    def table(self) -> Tensor:
        """Return the rows of all labels ``(V, label + m)``."""
        return torch.cat((self.rows, self.names), 1)

    def relate(self, hidden: Tensor, labels: Tensor, exists: Tensor) -> Tensor:
        """Return the states of nodes ``(B, N, d)`` that know their labels and each other.

        Args:
            hidden: States of their queries ``(B, N, d)``.
            labels: Their labels ``(B, N)``.
            exists: Nodes that exist ``(B, N)``.
        """
        x = hidden + self.node_label(torch.cat((self.rows[labels], self.names[labels]), -1))
        for block in self.node_blocks:
            x = block(x, exists[:, None, None])
        return x  # type: ignore[no-any-return]

    def pointers(self, hidden: Tensor, pieces: Tensor) -> Tensor:
        """Return the scores of each query's being the word at each piece ``(..., T, S)``."""
        return self.copy_query(hidden) @ pieces.transpose(-1, -2) * self.shape.copy**-0.5  # type: ignore[no-any-return]

    def edges(self, nodes: Tensor) -> Tensor:
        """Return the logits ``(B, N, N)`` of an edge from one to another of the nodes ``(B, N, d)``."""
        source, target = self.edge_source(nodes), self.edge_target(nodes)
        one = torch.ones_like(source[..., :1])
        return torch.cat((source, one), -1) @ self.edge @ torch.cat((target, one), -1).transpose(-1, -2)

    def roles(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the scores ``(..., R)`` of the roles between nodes ``(..., d)``."""
        hidden = torch.relu(self.role_source(source) + self.role_target(target))
        return self.role(hidden) + self.role_of_source(source) + self.role_of_target(target)  # type: ignore[no-any-return]

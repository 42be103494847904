"""Give every piece of a linearized graph its place: the core role and the concept above it.

::

    ( bite-01 :ARG0 ( dog ) :ARG1 ( man :mod ( old ) ) :time ( night ) )
      top      ARG0   ARG0   ARG1   ARG1  ARG1   ARG1     top    top      zone, BERT's token type
               bite   bite   bite   bite  man    man      bite   bite     concept of the parent node

An exchange does not change the words of a graph, so the mean of their states hardly changes unless every
state depends on its place. Zones put the role into the input: if subtrees are exchanged, the input of each of
their pieces changes. Agents of two events have the same zone and different parents. Pretrained models have
one type for the whole sentence; the new types start near it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import torch

from amrx.errors import OptionError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

    from retrofit.amr.pieces import Ids, Ints

_CORE = re.compile(r":ARG(\d)(-of)?")
_FIRST = 2
"""Number of BERT's own types: the first and the second sentence of a pair."""
TYPES = _FIRST + 2 * 10
"""Token types of an encoder with zones: ``2 + 2 n`` for ``:ARGn``, ``3 + 2 n`` for ``:ARGn-of``."""
SPREAD = 0.05
"""Standard deviation of new types, about that of MiniLM's words: with equal types there is no gradient."""


class Zones:
    """Compute zones and parents of word-piece ids, for the vocabulary of one tokenizer.

    Law: the zone of a node is the core role (``:ARG0`` to ``:ARG9``, and inverses) that leads to it; below
    another role it is the zone of the parent node; the top has 0. A relation and a constant have the zone
    that a node in place of the constant would have. A token outside of brackets, as in an English sentence,
    has 0. The parent of the pieces of a node is the concept of the node above it, given by the place of its
    first piece; a relation and a constant have the concept of their own node, and the top and tokens outside
    of brackets 0, the place of [CLS].
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        vocabulary = tokenizer.get_vocab(with_added_tokens=True)
        self._opening, self._closing = vocabulary.get("(", -1), vocabulary.get(")", -1)
        size = max(vocabulary.values()) + 1
        self._relation = np.zeros(size, dtype=bool)
        self._core = np.zeros(size, dtype=np.int64)
        for token, number in vocabulary.items():
            self._relation[number] = token.startswith(":") and len(token) > 1
            core_role = _CORE.fullmatch(token)
            if core_role:
                self._core[number] = _FIRST + 2 * int(core_role[1]) + (core_role[2] is not None)

    def places(self, ids: Ids) -> tuple[Ints, Ints]:
        """Return token types and parents ``(B, T)`` of padded ids ``(B, T)``."""
        rows = np.arange(len(ids))
        opening, closing = ids == self._opening, ids == self._closing  # (B, T)
        relation, core = self._relation[ids], self._core[ids]
        above = np.zeros((len(ids), int(opening.sum(axis=1).max(initial=0)) + 1), dtype=np.int64)
        depth = np.zeros(len(ids), dtype=np.int64)  # above[:, depth] is the zone of the innermost open node
        zone = np.zeros(len(ids), dtype=np.int64)
        heads = np.zeros_like(above)  # place of the concept of the innermost open node
        inside = np.ones(len(ids), dtype=np.int64)  # 0 between a relation and the end of its node or constant
        types, parents = np.zeros(ids.shape, dtype=np.int64), np.zeros(ids.shape, dtype=np.int64)
        for column in range(ids.shape[1]):
            begins, ends = opening[:, column], closing[:, column] & (depth > 0)
            depth += begins
            above[rows[begins], depth[begins]] = zone[begins]
            heads[rows[begins], depth[begins]] = column + 1
            leads = core[:, column]
            zone = np.where(relation[:, column] & (leads == 0) | ends, above[rows, depth], zone)
            zone = np.where((leads > 0) & (depth > 0), leads, zone)
            types[:, column] = zone
            inside = np.where(relation[:, column], 0, np.where(begins | ends, 1, inside))
            parents[:, column] = heads[rows, np.maximum(depth - inside, 0)]
            depth -= ends
        return types, parents


def add_zones(backbone: PreTrainedModel) -> None:
    """Add the token types of the zones to a backbone, unless it has them.

    Each new type is the first type plus a random offset, which is the same in every run, so that the weights
    of several runs can be averaged (`retrofit.training.amr.average`).
    """
    embeddings = getattr(backbone, "embeddings", None)
    old = getattr(embeddings, "token_type_embeddings", None)
    if embeddings is None or old is None:
        raise OptionError("recipe key 'model.zones' needs a backbone with token types, such as BERT's")
    if len(old.weight) >= TYPES:
        return
    new = torch.nn.Embedding(TYPES, old.weight.shape[1])
    with torch.no_grad():
        new.weight.copy_(old.weight[:1].expand(TYPES, -1))
        drawn = torch.randn(new.weight.shape, generator=torch.Generator().manual_seed(0))
        new.weight += SPREAD * drawn
        new.weight[: len(old.weight)] = old.weight
    embeddings.token_type_embeddings = new
    backbone.config.type_vocab_size = TYPES

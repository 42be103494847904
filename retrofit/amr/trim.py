"""Leave out of a vocabulary what a corpus never uses, so that the shipped file stays small.

WordPiece takes the longest piece that fits: as every piece the corpus uses is kept, every word of the
corpus is cut as before, and single characters are kept so that no other word becomes unknown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from retrofit.amr.pieces import Ints, Rows

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

Mask = npt.NDArray[np.bool_]


def count_pieces(size: int, words: Rows, pieces: Rows, texts: Rows) -> Ints:
    """Count how often each of ``size`` pieces is used by the linearizations and by the texts, ``(size,)``."""
    uses = np.bincount(words.flat, minlength=len(pieces))  # of each word
    by_words = np.bincount(pieces.flat, weights=np.repeat(uses, pieces.lengths), minlength=size)
    return (by_words + np.bincount(texts.flat, minlength=size)).astype(np.int64)


def choose_pieces(tokenizer: Tokenizer, counts: Ints, min_count: int) -> Mask:
    """Tell which pieces stay: the used ones, special tokens, relations, and single characters."""
    keep: Mask = counts >= max(min_count, 1)
    for token, number in tokenizer.get_vocab(with_added_tokens=True).items():
        bare = token.removeprefix("##")
        special = token.startswith("[") and token.endswith("]") and not token.startswith("[unused")
        if special or len(bare) == 1 or (token.startswith(":") and len(token) > 1):
            keep[number] = True
    return keep


def trim_tokenizer(tokenizer: Tokenizer, keep: Mask) -> Tokenizer:
    """Return the same WordPiece tokenizer with only the kept pieces, numbered anew in the old order."""
    from tokenizers import Tokenizer as Loaded

    numbers = np.cumsum(keep) - 1
    state = json.loads(tokenizer.to_str())
    vocabulary = sorted(state["model"]["vocab"].items(), key=lambda item: item[1])
    state["model"]["vocab"] = {token: int(numbers[number]) for token, number in vocabulary if keep[number]}
    state["added_tokens"] = [
        {**added, "id": int(numbers[added["id"]])} for added in state["added_tokens"] if keep[added["id"]]
    ]
    for special in state["post_processor"].get("special_tokens", {}).values():
        special["ids"] = [int(numbers[number]) for number in special["ids"]]
    return Loaded.from_str(json.dumps(state))


def trim_embeddings(model: PreTrainedModel, keep: Mask) -> None:
    """Keep only the embedding rows of the kept pieces, in place."""
    import torch

    old = cast("torch.Tensor", model.get_input_embeddings().weight).detach()
    rows = torch.from_numpy(np.flatnonzero(keep))
    new = torch.nn.Embedding(len(rows), old.shape[1], padding_idx=0)
    new.weight.data.copy_(old[rows])
    model.set_input_embeddings(new)
    model.config.vocab_size = len(rows)


def renumber(rows: Rows, keep: Mask) -> Rows:
    """Give the pieces of rows their new numbers; every one of them must be kept."""
    numbers = (np.cumsum(keep) - 1).astype(np.int32)
    return Rows(numbers[rows.flat], rows.starts, rows.lengths)

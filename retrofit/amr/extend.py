"""Add the relations and frames of a corpus to the encoder's vocabulary, one token each.

A new row starts as the mean of its parts' rows: ``:ARG0-of`` of "relation argument 0 of", ``belong-01`` of
"belong 01". A frame joins when the corpus has it at least ``min_count`` times (the paper: 5), a relation
always.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

_RELATION = re.compile(r":[A-Za-z][A-Za-z0-9-]*")
_FRAME = re.compile(r"[a-z][a-z'.-]*-[0-9]{2,3}")
_ALWAYS = (":ARG0", ":ARG1", ":polarity")  # foils need them
_SPOKEN = {"arg": "argument", "op": "operator", "snt": "sentence", "mod": "modifier", "poss": "possession"}


def choose_symbols(words: Sequence[str], counts: npt.NDArray[np.int64], min_count: int) -> list[str]:
    """Return relations, each with its ``-of`` form, then frequent frames, in the order of ``words``.

    Example:
        >>> choose_symbols([":op1", "boy", "want-01", "go-02"], np.array([9, 9, 9, 1]), 2)[-3:]
        [':op1', ':op1-of', 'want-01']
    """
    relations: dict[str, None] = {}
    for word in (*_ALWAYS, *words):
        if _RELATION.fullmatch(word):
            relations |= {word: None, word.removesuffix("-of") + "-of": None}
    frames = [w for w, n in zip(words, counts, strict=True) if n >= min_count and _FRAME.fullmatch(w)]
    return [*relations, *frames]


def describe(symbol: str) -> str:
    """Say a symbol in words.

    Example:
        >>> describe(":ARG0-of"), describe("have-org-role-91")
        ('relation argument 0 of', 'have org role 91')
    """
    parts = re.findall(r"[A-Za-z.']+|[0-9]+", symbol)
    if not symbol.startswith(":"):
        return " ".join(parts)
    return " ".join(["relation", *(_SPOKEN.get(part.lower(), part.lower()) for part in parts)])


def extend(tokenizer: PreTrainedTokenizerFast, model: PreTrainedModel, symbols: Sequence[str]) -> None:
    """Add symbols to tokenizer and embedding, in place; what is there already stays as it is."""
    import torch
    from tokenizers import AddedToken

    backend = tokenizer.backend_tokenizer
    old = model.get_input_embeddings().weight.data
    new = [symbol for symbol in dict.fromkeys(symbols) if backend.token_to_id(symbol) is None]
    parts = [backend.encode(describe(symbol), add_special_tokens=False).ids for symbol in new]
    backend.add_tokens([AddedToken(symbol, normalized=False) for symbol in new])
    rows = [old[numbers].mean(dim=0) for numbers in parts]
    grown = torch.nn.Embedding(len(old) + len(new), old.shape[1], padding_idx=0)
    grown.weight.data.copy_(torch.cat([old, *(row[None] for row in rows)]))
    model.set_input_embeddings(grown)
    model.config.vocab_size = len(grown.weight)
    for symbol, number in zip(new, range(len(old), len(grown.weight)), strict=True):
        assert backend.token_to_id(symbol) == number, symbol

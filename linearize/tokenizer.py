"""Add the symbols of AMR to a pretrained tokenizer and model.

::

    before   ( want-01 :ARG0-of ...  ->  (  want  -  01  :  arg  ##0  -  of
    after                            ->  (  want-01  :ARG0-of

Every relation and frame becomes one token. Its new row starts as the mean of the rows of the words that
describe it: ``:ARG0`` of "relation argument 0", ``:ARG0-of`` of "relation argument 0 inverse of",
``belong-01`` of "belong 01". A language model's untied head gets new rows in the same way and keeps its old
rows.

This module avoids four problems: a token is found inside a longer word (``:op1`` in ``:op12``, ``go-02`` in
``forgo-02``); an uncased tokenizer lower-cases added tokens; a sentencepiece tokenizer leaves a single space
before an added token; on resizing, transformers ties the head of T5-v1.1, flan-T5 and mT5 to the embeddings,
which destroys the head.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from amrx.errors import AmrxError
from linearize.vocabulary import Vocabulary

if TYPE_CHECKING:
    import torch
    from tokenizers import AddedToken
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    class _Head(Protocol):
        """An output layer: weight ``(V, d)`` and bias ``(V,)``."""

        weight: torch.Tensor
        bias: torch.Tensor | None


_WORDS = {
    "ARG": "argument", "op": "operand", "snt": "sentence", "mod": "modifier", "poss": "possessor",
    "quant": "quantity", "ord": "ordinal", "li": "list item", "prep": "preposition", "rel": "relation",
    "org": "organization",
}  # fmt: skip
_PART = re.compile(r"[^\W\d_]+|\d+")


def extend(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, vocabulary: Vocabulary) -> int:
    """Add the relations and frames that ``tokenizer`` lacks to it and to ``model``, both in place.

    Returns:
        The number of new tokens, which is the number of new rows.
    """
    from tokenizers import AddedToken

    known = tokenizer.get_vocab()
    names = [name for name in (*vocabulary.relations, *vocabulary.frames) if name not in known]
    # match raw text (not lower-cased), whole words only, including the space before them
    added = [AddedToken(name, single_word=True, lstrip=True, normalized=False) for name in names]
    add(tokenizer, model, added, [spell(name) for name in names])
    return len(names)


def add(
    tokenizer: PreTrainedTokenizerBase,
    model: PreTrainedModel,
    tokens: Sequence[AddedToken],
    meanings: Sequence[str],
) -> None:
    """Add tokens to ``tokenizer`` and ``model``, both changed in place.

    Args:
        tokenizer: Any tokenizer of transformers.
        model: The model it belongs to, with or without a language-model head.
        tokens: New tokens, none of which ``tokenizer`` has; all of them are special, or none is.
        meanings: Words for each token: its row starts as the mean of their rows.
    """
    if not tokens:
        return
    parts = _part_ids(tokenizer, meanings)
    tokenizer.add_tokens(list(tokens), special_tokens=tokens[0].special)
    _resize(model, len(tokenizer))
    ids = tokenizer.get_vocab()
    rows = [ids[token.content] for token in tokens]
    table, head = _table(model), _head(model)
    _fill(table, rows, parts)
    if head is not None:
        if head.weight is not table:
            _fill(head.weight, rows, parts)
        if head.bias is not None:
            _fill(head.bias, rows, parts)


def spell(name: str) -> str:
    """Return a relation or frame in words.

    Example:
        >>> [spell(name) for name in (":ARG0", ":ARG0-of", ":op12", ":prep-with", ":consist-of")]
        ... # doctest: +NORMALIZE_WHITESPACE
        ['relation argument 0', 'relation argument 0 inverse of', 'relation operand 12',
         'relation preposition with', 'relation consist inverse of']
        >>> spell("belong-01"), spell("have-rel-role-91")
        ('belong 01', 'have relation role 91')
    """
    words = [_WORDS.get(part, part) for part in _PART.findall(name.removesuffix("-of"))]
    if not name.startswith(":"):
        return " ".join(words)
    return " ".join(["relation", *words, *(["inverse of"] if name.endswith("-of") else [])])


def _part_ids(tokenizer: PreTrainedTokenizerBase, meanings: Sequence[str]) -> list[list[int]]:
    """Return the piece ids of each meaning, without unknown pieces unless all are unknown."""
    encoded = cast("list[list[int]]", tokenizer(list(meanings), add_special_tokens=False)["input_ids"])
    unknown = tokenizer.unk_token_id
    return [[row for row in ids if row != unknown] or ids for ids in encoded]


def _resize(model: PreTrainedModel, size: int) -> None:
    """Resize ``model`` to at least ``size`` rows; old rows stay, and so does the tying of the head."""
    import torch
    from transformers import PreTrainedModel

    table, head = _table(model), _head(model)
    count = table.shape[0]
    if size <= count:  # mT5 has unused rows
        return
    old = [table.detach().clone()]
    if head is not None and head.weight is not table:
        old.append(head.weight.detach().clone())
        for module in model.modules():
            if isinstance(module, PreTrainedModel):
                module.config.tie_word_embeddings = False
    model.resize_token_embeddings(size, mean_resizing=False)
    table, head = _table(model), _head(model)
    new = [table] if head is None or head.weight is table else [table, head.weight]
    if len(new) != len(old) or not all(map(torch.equal, old, (rows[:count] for rows in new))):
        raise AmrxError(f"transformers changed old rows of {type(model).__name__} on resizing")


def _table(model: PreTrainedModel) -> torch.Tensor:
    """Return the input embeddings ``(V, d)``."""
    return cast("torch.Tensor", model.get_input_embeddings().weight)


def _head(model: PreTrainedModel) -> _Head | None:
    """Return the language-model head, if there is one."""
    return cast("_Head | None", model.get_output_embeddings())


def _fill(weight: torch.Tensor, rows: Sequence[int], parts: Sequence[Sequence[int]]) -> None:
    """Set row ``rows[i]`` of ``weight`` ``(V, d)`` or ``(V,)`` to the mean of its rows ``parts[i]``."""
    import torch

    with torch.no_grad():
        for row, ids in zip(rows, parts, strict=True):
            if ids:
                weight[row] = weight[list(ids)].float().mean(dim=0).to(weight.dtype)

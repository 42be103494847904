"""The symbols of AMR for a base that knows none: one token each, its row the mean of what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linearize.tokenizer import add, spell
from linearize.vocabulary import Vocabulary
from parser.seq2seq.dialect import END_LITERAL, LITERAL
from parser.seq2seq.published import new_tokens

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_SAY = {LITERAL: "begin of name", END_LITERAL: "end of name", "-of": "inverse of", "<stop>": "stop"}


def extend_base(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, vocabulary: Vocabulary, kind: str
) -> int:
    """Add the relations and frames of ``vocabulary``, pointers and marks; return how many are new.

    The tokens are written as those of the published checkpoints (see `parser.seq2seq.published`).

    Args:
        tokenizer: That of the base, changed in place.
        model: The base, changed in place.
        vocabulary: Relations and frames.
        kind: ``bart`` or ``mbart``.
    """
    from tokenizers import AddedToken

    names = [*vocabulary.relations, *vocabulary.frames, "-of"]
    tokens = new_tokens(names, tokenizer.get_vocab(), kind)
    meanings = [_SAY.get(token.strip()) or spell(token.strip()) for token in tokens]
    # special, so that a text that holds such a token can still be read as text
    added = [AddedToken(token, normalized=False, special=True) for token in tokens]
    add(tokenizer, model, added, meanings)
    return len(tokens)

"""The relations and frames that a training corpus uses, as the vocabulary the encoder is extended with."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linearize.tokens import kind_of
from linearize.vocabulary import Vocabulary, is_frame

_RELATION = re.compile(r":[A-Za-z][A-Za-z0-9-]*")
_ALWAYS = (":ARG0", ":ARG1", ":polarity")  # foils need them


def corpus_vocabulary(
    words: Sequence[str], counts: npt.NDArray[np.int64], min_frame_count: int
) -> Vocabulary:
    """Return relations, each with its ``-of`` form, and the frames used often enough (the paper: 5 times).

    Pointers stand among the relations: as these they carry structure and need no count.

    Args:
        words: Distinct words of the linearizations.
        counts: Uses of each word.
        min_frame_count: Uses that a frame needs; a relation needs none.

    Example:
        >>> made = corpus_vocabulary([":op1", "boy", "want-01", "go-02"], np.array([4, 9, 9, 1]), 2)
        >>> dict(made.frames), made.relations[":op1"], made.relations[":op1-of"]
        ({'want-01': 9}, 4, 0)
    """
    seen = dict(zip(words, counts.tolist(), strict=True))
    relations: dict[str, int] = {}
    for word in (*_ALWAYS, *filter(_RELATION.fullmatch, words)):
        for name in (word, word.removesuffix("-of") + "-of"):
            relations[name] = seen.get(name, 0)
    relations |= {word: uses for word, uses in seen.items() if kind_of(word) == "pointer"}
    frames = {word: uses for word, uses in seen.items() if uses >= min_frame_count and is_frame(word)}
    return Vocabulary(relations=relations, frames=frames, concepts={}, min_count=min_frame_count)

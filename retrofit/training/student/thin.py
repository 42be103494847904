"""A part of a corpus: as many rows of each language as its weight asks for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from retrofit.student.recipe import Recipe
from retrofit.training.student.corpus import Corpus, Ints
from retrofit.training.student.plan import language_weights


def thin(corpus: Corpus, recipe: Recipe) -> Corpus:
    """Return the rows of `kept_rows`, numbered anew; a pair that loses a side in English is left out."""
    kept = kept_rows(corpus, recipe)
    lengths = np.diff(corpus.ends, prepend=0)
    number = np.full(len(corpus.ends), -1, np.int64)
    number[kept] = np.arange(len(kept))
    inside = np.zeros(len(corpus.ends), np.bool_)
    inside[kept] = True
    graded = np.where(corpus.graded >= 0, number[corpus.graded], -1)
    english = corpus.languages.index("en")
    whole = (graded[:, :, english] >= 0).all(axis=1)
    ranked = number[corpus.ranked]
    both = (ranked >= 0).all(axis=1)
    return replace(
        corpus,
        ids=corpus.ids[np.repeat(inside, lengths)],
        ends=np.cumsum(lengths[kept]),
        meaning=corpus.meaning[kept],
        lang=corpus.lang[kept],
        graded=graded[whole],
        scores=corpus.scores[whole],
        ranked=ranked[both],
        labels=corpus.labels[both],
    )


def kept_rows(corpus: Corpus, recipe: Recipe) -> Ints:
    """Return the rows that stay, in order: all, or of each language ``recipe.keep`` times its weight.

    The English sides of graded pairs stay first; the others are evenly spaced, so that every source keeps
    its share.
    """
    if not recipe.keep:
        return np.arange(len(corpus.ends))
    chosen: list[npt.NDArray[np.int64]] = []
    for code, weight in enumerate(language_weights(corpus, recipe)):
        rows = np.flatnonzero(corpus.lang == code)
        first = rows[:0]
        if corpus.languages[code] == "en":
            first = np.unique(corpus.graded[:, :, code])
        others = np.setdiff1d(rows, first)
        room = min(len(others), max(0, int(weight * recipe.keep) - len(first)))
        chosen += [first, others[np.arange(room) * len(others) // max(1, room)]]
    return np.sort(np.concatenate(chosen))

"""Rows to anchors, positives and hard negatives, strategy by strategy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrofit.bases.msimcse.recipe import Recipe
from retrofit.bases.training.feed import pairs
from retrofit.bases.training.mixture import Row
from retrofit.bases.training.sources import COLUMNS

ENGLISH = "en"


class Drawer:
    """Makes the columns of a batch.

    Args:
        recipe: Its strategies.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._any_language = "cross-lingual-nli" in recipe.mix

    def __call__(self, rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
        """Return ``anchor``, ``positive`` and, if the recipe has them, ``negative``."""
        triplets = [self._triplet(row, random) for row in rows]
        columns = {
            "anchor": [triplet[0] for triplet in triplets],
            "positive": [triplet[1] for triplet in triplets],
        }
        if self._recipe.hard_negatives:
            columns["negative"] = [triplet[2] for triplet in triplets]
        return columns

    def _triplet(self, row: Row, random: np.random.Generator) -> tuple[str, ...]:
        """Return anchor, positive and, of NLI, negative."""
        if row.source.kind == "text":
            return row.texts * 2
        if row.source.kind == "parallel":
            both = pairs([row], random)
            return both["anchor"][0], both["positive"][0]
        languages = row.source.languages
        if self._any_language:
            chosen = random.integers(len(languages), size=COLUMNS).tolist()
        else:
            chosen = [languages.index(ENGLISH)] * COLUMNS
        return tuple(row.texts[COLUMNS * which + place] for place, which in enumerate(chosen))

"""The model card of an encoder folder, written from its recipe and its log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrofit.training.amr.recipe import Recipe

_TEXT = """# AMR encoder

Turns linearized AMR graphs (`linearize`, paper form) into sentence vectors; trained by
`amrx train-encoder` with Algorithm 1 of Cai et al. 2022 (which sentence or graph of a meaning is shown)
on the objectives below. Backbone: {backbone}; pooling: {pooling}; at most {max_tokens} word pieces a graph.

## Dev scores
Spearman x 100 on the dev pairs of the training corpus; `selection` is the score that chose the weights
({best} steps), `alone` is that of the AMR vectors without a base encoder.

{scores}

## Recipe
```json
{recipe}
```

## Data, licences, limits
See the description of the training corpus that this folder was trained on; name every source and its
licence here before sharing the weights. The encoder sees only what the parser put into the graph.
"""


def describe(recipe: Recipe, log: Sequence[Mapping[str, object]]) -> str:
    """Return the card of the encoder that a run of this recipe and log has made."""
    looks = [line for line in log if isinstance(line.get("selection"), float)]
    best = max(looks, key=lambda line: float(str(line["selection"])), default={})
    rows = [f"| {name} | {best[name]} |" for name in ("selection", "alone", "weight") if name in best]
    scores = "\n".join(["| score | value |", "|---|---|", *rows]) if rows else "No dev pairs were given."
    values = {**asdict(recipe), "languages": dict(recipe.languages)}
    return _TEXT.format(
        backbone=recipe.model.backbone, pooling=recipe.model.pooling, max_tokens=recipe.model.max_tokens,
        best=best.get("step", recipe.steps), scores=scores, recipe=json.dumps(values, indent=1),
    )  # fmt: skip

"""The card of a student's folder, written from its recipe and its log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from retrofit.student.recipe import Recipe

SPACES = {
    "minilm": "all-MiniLM-L6-v2 for the English sentence that a text means",
    "amr": "the AMR encoder for the graph of the English sentence that a text means",
}
_TEXT = """# Student

Gives text of any language the vector of {space}, without a parser;
trained by `amrx train-student` on frozen features of multilingual USE.

## Dev scores
Mean Spearman x 100 on STS-B dev ({rows}; en de es fr it zh, each alone and English with each) at step {step},
which was chosen by it: multilingual USE {dev_base}, with the student at weight {weight} {dev}, student alone
{dev_alone}.

## Recipe
```json
{recipe}
```

## Data, licences, limits
Name every source and its licence here before sharing the weights.
"""


def describe(recipe: Recipe, log: Sequence[Mapping[str, object]], best_step: int) -> str:
    """Return the card of the student that a run of this recipe and log has made."""
    best = next((line for line in log if line["step"] == best_step and "dev" in line), {})
    scores = {name: best.get(name, "not scored") for name in ("dev", "dev_base", "dev_alone", "weight")}
    rows = f"{recipe.dev_rows} rows" if recipe.dev_rows else "all rows"
    return _TEXT.format(
        space=SPACES[recipe.teacher], rows=rows, step=best_step, **scores,
        recipe=json.dumps(asdict(recipe), indent=1),
    )  # fmt: skip

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file

from amrx.errors import OptionError
from retrofit.commands.train_encoder import read_recipe
from retrofit.training.amr.recipe import Contrast, Distill, Foils, Inference, Recipe
from retrofit.training.amr.train import set_up, train
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]


@pytest.fixture
def alone(recipe: Recipe) -> Recipe:
    """The objective without any other."""
    none = Contrast()
    return dataclasses.replace(
        recipe, steps=60, evaluate_every=60, learning_rate=1e-2, nli=none, pairs=none, graded=none,
        distill=Distill(), foils=Foils(), inference=Inference(weight=1.0, batch=12),
    )  # fmt: skip


def test_the_classifier_of_inference_learns_and_does_not_ship(corpus: Path, alone: Recipe, tmp_path: Path):
    train(corpus, tmp_path, alone, "cpu")
    line = json.loads((tmp_path / "training/log.jsonl").read_text().splitlines()[-1])
    assert line["inference"] < 0.8 * np.log(2)  # two of the three classes are there, evenly
    shipped = load_file(tmp_path / "model.safetensors")
    assert not [name for name in shipped if "judge" in name]


def test_a_step_draws_graphs_of_both_sides_and_their_label(corpus: Path, alone: Recipe, tmp_path: Path):
    ready = set_up(corpus, tmp_path, alone, "cpu")
    plan = ready.objectives.plan(1)
    rows = plan.all_rows()
    assert plan.blocks == {"inference.0": (0, 12), "inference.1": (12, 24)} and len(plan.labels) == 12
    assert (rows < len(ready.corpus.parses)).all()  # no row is a sentence's text
    group = {int(row): number for number, held in enumerate(ready.corpus.table) for row in held}
    pairs = ready.corpus.inferences.tolist()
    label = {tuple(pair): place for pair, place in zip(pairs, ready.corpus.labels, strict=True)}
    for place, found in enumerate(plan.labels):
        assert label[group[int(rows[place])], group[int(rows[12 + place])]] == found


def test_recipe_infer_is_refine_and_the_objective():
    found = read_recipe("infer", [])
    assert found.inference == Inference(weight=1.0, batch=48)
    assert dataclasses.replace(found, inference=Inference()) == read_recipe("refine", ["steps=300"])
    with pytest.raises(OptionError, match="'inference.batch' must be at least 2"):
        read_recipe("infer", ["inference.batch=1"])

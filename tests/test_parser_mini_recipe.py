"""parser.training.mini.recipe: a recipe whose parts do not fit together is told."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from amrx.errors import OptionError
from amrx.recipes import load_config
from parser.training.mini.recipe import Recipe

STAGES = Path(__file__).parents[1] / "parser" / "training" / "mini"
RECIPE = Recipe(
    steps=9, learning_rate=(1.0,) * 3, dropout=(0.0,) * 3, word_dropout=(0.0,) * 3, project_at=(4, 7),
    project_words=(16,) * 2, project_pairs=(1,) * 2, project_beam=(1,) * 2, project_weight=(1.0,) * 2,
    project_exchange=(0.0,) * 2, project_exchanges=(0,) * 2, project_constructed=(0.0,) * 2,
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"project_at": (7, 4)}, "does not rise"),
        ({"project_at": (4, 9)}, "does not rise"),
        ({"project_at": (0, 4)}, "does not rise"),
        ({"dropout": (0.1, 0.1)}, "dropout holds 2 numbers, not 3"),
        ({"project_weight": (1.0,)}, "project_weight holds 1 numbers, not 2"),
        ({"project_words": (16,)}, "project_words holds 1 numbers, not 2"),
        ({"project_pairs": ()}, "project_pairs holds 0 numbers, not 2"),
        ({"project_beam": (1,)}, "project_beam holds 1 numbers, not 2"),
        ({"project_beam": (1, -1)}, r"project_beam \(1, -1\): at least 1, or 0 after the first"),
        ({"project_beam": (0, 1)}, r"project_beam \(0, 1\): at least 1, or 0 after the first"),
        ({"project_draws": (4,)}, "project_draws holds 1 numbers, not 2"),
        ({"project_scenes": (4,)}, "project_scenes holds 1 numbers, not 2"),
        ({"project_draws": (0, -1)}, r"project_draws \(0, -1\): 0 or more"),
        ({"project_draws": (0, 4), "project_beam": (1, 0)}, r"project_draws \(0, 4\): .* keeps the labels"),
        ({"soup": ()}, r"soup \(\): a share above 0 of the last stage"),
        ({"soup": (0.0, 1.0)}, "soup .*: a share above 0 of the last stage"),
        ({"soup": (1.0, -0.5)}, "soup .*: .* none below 0"),
        ({"project_exchange": (1.0,)}, "project_exchange holds 1 numbers, not 2"),
        ({"project_exchanges": (1,)}, "project_exchanges holds 1 numbers, not 2"),
        ({"project_constructed": (1.0,)}, "project_constructed holds 1 numbers, not 2"),
    ],
)
def test_a_recipe_whose_stages_do_not_add_up_is_told(change, told):
    with pytest.raises(OptionError, match=told):
        dataclasses.replace(RECIPE, **change)


def test_only_a_run_that_goes_on_labels_before_it_learns():
    begun = dataclasses.replace(RECIPE, start="mini", project_at=(0, 4))
    assert begun.stages() == [(0, 0), (0, 4), (4, 9)] and begun.stage(0) == 1
    with pytest.raises(OptionError, match="does not rise from 0 to 8"):
        dataclasses.replace(RECIPE, start="mini", project_at=(-1, 4))


def test_the_taught_stage_goes_on_from_what_ships_with_anothers_labels():
    recipe = load_config(Recipe, STAGES / "taught.toml", {"teacher": "causal:x"})
    assert recipe.start == "mini" and recipe.teacher == "causal:x"
    # the first stage has no updates: labels come first; and nothing of what the run began with is in the mean
    assert recipe.stages() == [(0, 0), (0, recipe.steps)] and recipe.soup == (1.0,)

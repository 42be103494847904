"""parser.training.mini.recipe: rates, and numbers out of range."""

from __future__ import annotations

import dataclasses
import math

import pytest

from amrx.errors import OptionError
from parser.training.mini.recipe import Recipe


def test_the_rate_warms_up_and_falls_as_a_cosine():
    recipe = Recipe(steps=100, warmup=5, learning_rate=0.5)
    for step in range(100):
        wanted = 0.5 * min(1.0, (step + 1) / 5) * (1 + math.cos(math.pi * step / 100)) / 2
        assert recipe.rate(step) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps' must be at least 1, got 0"),
        ({"warmup": 0}, "warmup' must be at least 1, got 0"),
        ({"decoder": -1}, "decoder' must be at least 1, got -1"),
        ({"reader": 5}, "reader' must be an even number of layers >= 2, got 5"),
        ({"reader": 0}, "reader' must be an even number of layers >= 2, got 0"),
        ({"width": 100}, "width' must be a multiple of 64, got 100"),
        ({"leave_out": ("fr", "en")}, "leave_out' must not hold 'en'"),
    ],
)
def test_numbers_out_of_range_are_refused(change, message):
    with pytest.raises(OptionError, match=message):
        dataclasses.replace(Recipe(), **change)

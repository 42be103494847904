"""retrofit.amr.train: steps without rows, losses that are not finite, data that changed."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from amrx.errors import AmrxError
from retrofit.amr.recipe import Contrast, Distill, Foils, Recipe
from retrofit.amr.setup import set_up
from retrofit.amr.train import train
from tests.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]


@pytest.fixture
def copied(corpus: Path, tmp_path: Path) -> Path:
    """A copy of the corpus, to be changed."""
    return Path(shutil.copytree(corpus, tmp_path / "corpus"))


@pytest.fixture
def unpaired(copied: Path, recipe: Recipe) -> Recipe:
    """A recipe by which no meaning of the copied corpus has two rows, so that ``pairs`` draws none."""
    (copied / "pairs.jsonl").unlink()
    return dataclasses.replace(recipe, languages={"en": 1.0}, english_text=0.0)


def test_an_objective_without_rows_is_left_out_of_the_sum(copied: Path, unpaired: Recipe, tmp_path: Path):
    lines: list[dict] = []
    train(copied, tmp_path / "out", unpaired, "cpu", report=lines.append)
    assert "pairs" in lines[0]["objectives"] and "pairs" not in lines[1]
    assert {"nli", "distill", "foils"} <= set(lines[1])


def test_a_step_without_any_row_changes_nothing(copied: Path, unpaired: Recipe, tmp_path: Path):
    none = Contrast()
    alone = dataclasses.replace(unpaired, nli=none, graded=none, distill=Distill(), foils=Foils())
    untrained = set_up(copied, tmp_path / "untrained", alone, "cpu").model.state_dict()
    assert train(copied, tmp_path / "out", alone, "cpu").steps == 6
    trained = load_file(tmp_path / "out" / "model.safetensors")
    assert all(torch.equal(untrained[name], trained[name]) for name in untrained)


def test_a_loss_that_is_not_finite_stops_the_run(corpus: Path, recipe: Recipe, tmp_path: Path):
    steep = dataclasses.replace(recipe, learning_rate=1e30)
    with pytest.raises(AmrxError, match=r"step \d is not finite \(nli nan, .*\); lower the rate"):
        train(corpus, tmp_path / "out", steep, "cpu")
    assert not (tmp_path / "out" / "model.safetensors").exists()

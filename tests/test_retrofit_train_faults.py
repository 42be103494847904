"""retrofit.training.amr.train: steps without rows, losses that are not finite, data that changed."""

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from amrx.errors import AmrxError, OptionError
from retrofit.training.amr.recipe import Contrast, Distill, Foils, Recipe
from retrofit.training.amr.train import set_up, train
from tests.support.amr_toys import backbone, corpus, recipe

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
    with pytest.raises(AmrxError, match=r"step \d of encoder is not finite \(nli nan, .*\); lower the rate"):
        train(corpus, tmp_path / "out", steep, "cpu")
    assert not (tmp_path / "out" / "model.safetensors").exists()


def reworded(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


CHANGES = {
    "triplets": ('{"premise": 0, "entailment": 0,', '{"premise": 0, "entailment": 2,'),
    "pairs": ('"score": 0.0416', '"score": 0.0516'),
    "sentences": ('"lang": "de"', '"lang": "fr"'),
    "parses": (":mod ( wild )", ":mod ( big )"),
    "dev_pairs": ('"score": 4', '"score": 5'),
    "dev_parses": (":mod ( wild )", ":mod ( big )"),
}


def test_whatever_changes_in_the_data_or_the_weights_begun_from_is_another_run(
    copied: Path, backbone: Path, recipe: Recipe, tmp_path: Path
):
    (own, other) = (Path(shutil.copytree(backbone, tmp_path / name)) for name in ("own", "other"))
    distill = dataclasses.replace(recipe.distill, teacher=str(other))
    recipe = dataclasses.replace(
        recipe, model=dataclasses.replace(recipe.model, backbone=str(own)), distill=distill
    )

    def run() -> str:
        english = dataclasses.replace(recipe, languages={"en": 1.0})  # German is renamed below
        return set_up(copied, tmp_path / "out", english, "cpu").fingerprint

    runs = [run()]
    assert run() == runs[0]
    for stem, change in CHANGES.items():
        reworded(copied / f"{stem}.jsonl", *change)
        runs.append(run())
    np.save(copied / "dev_base.npy", np.ones((16, 3)))
    runs.append(run())
    for folder in (own, other):
        weights = load_file(folder / "model.safetensors")
        save_file({name: tensor + 0.1 for name, tensor in weights.items()}, folder / "model.safetensors")
        runs.append(run())
    assert len(set(runs)) == len(runs) == 10


def test_a_checkpoint_of_other_data_is_refused(copied: Path, recipe: Recipe, tmp_path: Path):
    train(copied, tmp_path / "out", recipe, "cpu", time_limit=0.0)
    reworded(copied / "triplets.jsonl", *CHANGES["triplets"])
    with pytest.raises(OptionError, match="another recipe, start or input; .* or give --fresh"):
        train(copied, tmp_path / "out", recipe, "cpu")


def test_a_run_whose_best_weights_are_lost_names_the_way_out(corpus: Path, recipe: Recipe, tmp_path: Path):
    out = tmp_path / "out"
    often = dataclasses.replace(recipe, evaluate_every=1, checkpoint_every=1)
    assert train(corpus, out, often, "cpu", time_limit=0).best is not None
    [best] = (out / "training").glob("best-*.safetensors")
    best.unlink()
    for _ in range(2):
        with pytest.raises(OptionError, match=rf"{best.name} is missing, .*; give --fresh to start over"):
            train(corpus, out, often, "cpu")
    assert train(corpus, out, often, "cpu", resume=False).finished

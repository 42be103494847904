"""retrofit.training.student.train: a stopped run ends like an unbroken one; what it learns; the command."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import AmrxError, OptionError
from amrx.recipes import load_recipe
from retrofit.commands.train_student import RECIPES
from retrofit.load import load
from retrofit.student.encoder import load_student
from retrofit.student.shape import Shape
from retrofit.training.neighbours import Near
from retrofit.training.student.recipe import Recipe
from retrofit.training.student.train import StudentTask, train
from tests.support.student_toys import BAGS, GERMAN, RECIPE, data, muse, teacher

__all__ = ["data", "muse", "teacher"]
UNTIMED = {"steps_per_second": 0, "seconds": 0}


@pytest.mark.parametrize("bag", BAGS)
def test_a_stopped_run_ends_like_an_unbroken_one(bag, data, teacher, muse, tmp_path, monkeypatch):
    told: list[dict] = []
    recipe = dataclasses.replace(
        RECIPE, shape=dataclasses.replace(RECIPE.shape, bag=bag), near=Near(weight=2.0, block=5)
    )
    whole = train(data, tmp_path / "whole", recipe, "cpu", muse=muse, report=told.append)
    assert whole.finished and whole.steps == 10 and whole.best is not None
    assert told[0]["taught"] == told[0]["meanings"] - 1
    wanted = (tmp_path / "whole" / "model.safetensors").read_bytes()
    step = StudentTask.backward
    for stop in (2, 5, 9):

        def stopping(self, number, stop=stop):
            if number == stop:
                raise KeyboardInterrupt
            return step(self, number)

        monkeypatch.setattr(StudentTask, "backward", stopping)
        with pytest.raises(KeyboardInterrupt):
            train(data, tmp_path / "part", recipe, "cpu", muse=muse)
        monkeypatch.setattr(StudentTask, "backward", step)
    assert train(data, tmp_path / "part", recipe, "cpu", muse=muse) == whole
    assert (tmp_path / "part" / "model.safetensors").read_bytes() == wanted
    logs = [(tmp_path / name / "training" / "log.jsonl").read_text("utf-8") for name in ("whole", "part")]
    lines, others = ([json.loads(line) for line in log.splitlines()] for log in logs)
    assert [line["step"] for line in lines] == [0, 4, 8, 10]
    for line, other in zip(lines, others, strict=True):
        assert {**line, **UNTIMED} == {**other, **UNTIMED}


@pytest.mark.parametrize("bag", BAGS)
def test_it_learns_to_give_the_teachers_vectors(bag, data, teacher, muse, tmp_path):
    shape = dataclasses.replace(RECIPE.shape, dropout=0.0, bag=bag)
    recipe = dataclasses.replace(
        RECIPE, steps=60, warmup=5, learning_rate=2e-2, shape=shape, evaluate_every=60
    )
    train(data, tmp_path / "out", recipe, "cpu", muse=muse)
    student = load_student(tmp_path / "out", shared=muse)
    english, german = list(GERMAN), list(GERMAN.values())
    goal = teacher(english)
    made = student.encode(german)
    cosines = made @ (goal / np.linalg.norm(goal, axis=1, keepdims=True)).T
    assert (cosines.argmax(1) == np.arange(len(german))).mean() >= 0.9
    assert np.diag(cosines).mean() > 0.8


def test_the_card_of_a_run_that_was_stopped_is_that_of_its_end(data, teacher, muse, tmp_path):
    card = tmp_path / "out" / "README.md"
    train(data, tmp_path / "out", RECIPE, "cpu", muse=muse, time_limit=0)
    assert "student alone\nnot scored" in card.read_text("utf-8")
    ended = train(data, tmp_path / "out", RECIPE, "cpu", muse=muse)
    assert f"at step {ended.best_step}," in card.read_text("utf-8") and "not scored" not in card.read_text()


def test_a_checkpoint_of_another_recipe_is_refused(data, teacher, muse, tmp_path):
    train(data, tmp_path / "out", RECIPE, "cpu", muse=muse, time_limit=0)
    other = dataclasses.replace(RECIPE, learning_rate=1e-4)
    with pytest.raises(OptionError, match="belongs to another recipe"):
        train(data, tmp_path / "out", other, "cpu", muse=muse)
    assert train(data, tmp_path / "out", other, "cpu", muse=muse, resume=False, time_limit=0).steps == 1


def test_a_loss_that_is_not_finite_stops_the_run(data, teacher, muse, tmp_path):
    steep = dataclasses.replace(RECIPE, learning_rate=1e30)
    with pytest.raises(
        AmrxError, match=r"step \d of student is not finite \(distill nan, .*\); lower the rate"
    ):
        train(data, tmp_path / "out", steep, "cpu", muse=muse)
    assert not (tmp_path / "out" / "model.safetensors").exists()


def test_more_steps_may_be_asked_for_until_the_rate_decays(data, teacher, muse, tmp_path):
    shorter, longer = (dataclasses.replace(RECIPE, steps=steps, decay=0.5) for steps in (8, 10))
    train(data, tmp_path / "whole", longer, "cpu", muse=muse)
    train(data, tmp_path / "part", shorter, "cpu", muse=muse, time_limit=0)
    train(data, tmp_path / "part", longer, "cpu", muse=muse, time_limit=0)
    train(data, tmp_path / "part", longer, "cpu", muse=muse)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "part")]
    assert weights[0] == weights[1]
    with pytest.raises(OptionError, match="10 of 10 steps are done and the learning rate decays"):
        train(data, tmp_path / "part", dataclasses.replace(longer, steps=12), "cpu", muse=muse)


def test_the_shipped_recipe_can_be_read():
    recipe = load_recipe(Recipe, RECIPES, "student-text", ["steps=7"])
    assert recipe.steps == 7 and recipe.shape.bag == 1536


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"steps": 0}, "'steps' must be at least 1"),
        ({"shape": Shape(bag=-1)}, "'shape.bag' must not be negative"),
    ],
)
def test_a_senseless_recipe_is_refused(settings, said):
    with pytest.raises(OptionError, match=said):
        Recipe(**settings)


def test_the_command_trains_and_its_folder_is_an_encoder(data, teacher, muse, tmp_path, capsys):
    settings = ["steps=2", "warmup=1", "rows=8", "dev_rows=0", "shape.width=16",
                "shape.inner=16", "shape.layers=1", "shape.dimension=12", "distill.batch=8",
                "amounts.langs={de=1.0}", "amounts.sources={stsb=9}",
                "amounts.english_only=0"]  # fmt: skip
    told = [part for setting in settings for part in ("--set", setting)]
    out = str(tmp_path / "out")
    assert main(["train-student", str(data), "-o", out, *told]) == 0
    assert "2 steps, STS-B dev best" in capsys.readouterr().err
    encoder = load("muse", encoder=out, weight=0.5)
    assert encoder.encode(["Ein Hund."], lang="de").shape == (1, 524) and encoder.name == "muse+out"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "-o", "x"], "nowhere: no such folder"),
        ([".", "-o", "x", "--recipe", "big"], "is neither a TOML file nor one of: student-e5, student-text"),
        ([".", "-o", "x", "--set", "near.wait=1"], "unknown key 'near.wait'"),
    ],
)  # fmt: skip
def test_the_command_names_what_is_wrong(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["train-student", *arguments]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "x").exists()


def test_a_run_whose_best_weights_are_lost_names_the_way_out(data, teacher, muse, tmp_path):
    recipe = dataclasses.replace(RECIPE, evaluate_every=1, checkpoint_every=1)
    train(data, tmp_path / "out", recipe, "cpu", muse=muse, time_limit=0)
    [best] = (tmp_path / "out" / "training").glob("best-*.safetensors")
    best.unlink()
    with pytest.raises(OptionError, match=rf"{best.name} is missing, .*; give --fresh to start over"):
        train(data, tmp_path / "out", recipe, "cpu", muse=muse)
    assert train(data, tmp_path / "out", recipe, "cpu", muse=muse, resume=False).finished

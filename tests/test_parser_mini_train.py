"""parser.mini.train: the stages of a run, and that a stopped one ends like an unbroken one."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from parser.mini import train as module
from parser.mini.store import load_network
from parser.mini.trainer import Trainer
from tests.small_mini_run import PARALLEL, RECIPE, stopped


def test_the_rate_begins_anew_after_each_projection():
    recipe = dataclasses.replace(
        RECIPE, steps=100, project_at=(40, 70), warmup=5, learning_rate=(1.0, 0.5, 0.25)
    )
    trainer = object.__new__(Trainer)
    trainer.recipe = recipe
    rates = []
    for trainer.step in range(100):
        rates.append(trainer.rate())
    for peak, (begin, end) in zip((1.0, 0.5, 0.25), recipe.stages(), strict=True):
        for step in range(begin, end):
            warm = min(1.0, (step - begin + 1) / 5)
            wanted = peak * warm * (1 + math.cos(math.pi * (step - begin) / (end - begin))) / 2
            assert rates[step] == pytest.approx(wanted)


def test_every_stage_labels_anew_and_a_stopped_run_ends_like_an_unbroken_one(small, tmp_path, monkeypatch):
    data = tmp_path / "data"
    module.train(data, tmp_path / "whole", RECIPE, device="cpu")
    assert small == [list(PARALLEL)] * 2
    wanted = (tmp_path / "whole" / "model.safetensors").read_bytes()
    assert load_network(tmp_path / "whole")[0].names.any()
    assert load_network(tmp_path / "whole")[0].recurs.any()

    update, project, out = Trainer.update, module.projected_examples, tmp_path / "part"
    for stop in (3, 5, "label", 8):
        with monkeypatch.context() as patch:
            if stop == "label":
                patch.setattr(module, "projected_examples", stopped)
            else:
                patch.setattr(Trainer, "update", stopping_at(stop, update))
            with pytest.raises(KeyboardInterrupt):
                module.train(data, out, RECIPE, device="cpu")
        assert not (out / "config.json").exists()
    assert module.projected_examples is project
    module.train(data, out, RECIPE, device="cpu")
    assert (out / "model.safetensors").read_bytes() == wanted
    assert len(small) == 4
    assert not list((out / "training").glob("labels-*"))


def stopping_at(step, update):
    def stopping(trainer, batch):
        if trainer.step == step:
            raise KeyboardInterrupt
        return update(trainer, batch)

    return stopping


def test_dropout_and_the_weight_of_what_is_projected_are_those_of_the_stage(small, tmp_path, monkeypatch):
    seen: dict[int, tuple[float, float, float]] = {}
    update = Trainer.update

    def watched(trainer, batch):
        shape, weight = trainer.network.shape, trainer.corpus.arrays["pair_weight"]
        seen[trainer.step] = shape.dropout, shape.word_dropout, float(weight.sum())
        return update(trainer, batch)

    monkeypatch.setattr(Trainer, "update", watched)
    module.train(Path("nowhere"), tmp_path / "out", RECIPE, device="cpu")
    first, second, third = (0.2, 0.1, 3 * 8), (0.1, 0.05, 3 * 8 + 4), (0.0, 0.0, 3 * 8 + 4 * 0.25)
    assert list(seen.values()) == [first] * 4 + [second] * 3 + [third] * 2
    assert torch.isfinite(load_network(tmp_path / "out")[0].bias).all()


def test_the_soup_is_the_weighted_mean_of_the_means_at_the_ends_of_the_stages(small, tmp_path):
    soups = {"last": (1.0,), "two": (3.0, 1.0), "three": (0.5, 0.0, 0.25), "more": (0.5, 0.0, 0.25, 9.0)}
    for name, soup in soups.items():
        recipe = dataclasses.replace(RECIPE, soup=soup)
        module.train(tmp_path / "data", tmp_path / name, recipe, device="cpu")
    kept = {name: {f.name for f in (tmp_path / name / "training").glob("average-*")} for name in soups}
    assert kept["last"] == set() and kept["two"] == {"average-1.safetensors"}
    assert kept["three"] == {"average-0.safetensors"}
    first = load_file(tmp_path / "three" / "training" / "average-0.safetensors")
    second = load_file(tmp_path / "two" / "training" / "average-1.safetensors")
    last, two, three = (load_network(tmp_path / n)[0].state_dict() for n in ("last", "two", "three"))
    assert not torch.equal(first["bias"], second["bias"])
    for name in second:
        if name == "symbols.weight":  # rounded to int8
            continue
        wanted = (second[name] + 3 * last[name]) / 4
        torch.testing.assert_close(two[name], wanted, rtol=2e-3, atol=2e-4)
        wanted = (first[name] + 2 * last[name]) / 3
        torch.testing.assert_close(three[name], wanted, rtol=2e-3, atol=2e-4)
    more, three_ = (tmp_path / n / "model.safetensors" for n in ("more", "three"))
    assert more.read_bytes() == three_.read_bytes()  # there are no more stages


def test_each_projection_has_its_beams_and_its_number(small, tmp_path, monkeypatch):
    seen: list[tuple[int, int]] = []
    parser, project = module.MiniParser, module.projected_examples
    beams: list[int] = []

    def made(*arguments):
        beams.append(arguments[-1])
        return parser(*arguments)

    def projected(data, reserved, recipe, parse, projection):
        seen.append((projection, beams[-1]))
        return project(data, reserved, recipe, parse, projection)

    monkeypatch.setattr(module, "MiniParser", made)
    monkeypatch.setattr(module, "projected_examples", projected)
    module.train(tmp_path / "data", tmp_path / "out", RECIPE, device="cpu")
    assert seen == [(0, 1), (1, 2)]

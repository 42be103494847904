"""parser.training.mini.train: the stages of a run, and that a stopped one ends like an unbroken one."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import penman
import pytest
import torch
from safetensors.torch import load_file

from amrx.errors import OptionError
from amrx.threads import cores
from amrx.types import Parse
from parser.mini.store import load_network
from parser.training.mini import train as module
from parser.training.mini.task import MiniTask
from tests.support.small_mini_run import PARALLEL, RECIPE, stopped


def test_the_rate_begins_anew_after_each_projection():
    recipe = dataclasses.replace(
        RECIPE, steps=100, project_at=(40, 70), warmup=5, learning_rate=(1.0, 0.5, 0.25)
    )
    rates = [recipe.rate(step) for step in range(100)]
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

    backward, project, out = MiniTask.backward, module.projected_examples, tmp_path / "part"
    for stop in (3, 5, "label", 8):
        with monkeypatch.context() as patch:
            if stop == "label":
                patch.setattr(module, "projected_examples", stopped)
            else:
                patch.setattr(MiniTask, "backward", stopping_at(stop, backward))
            with pytest.raises(KeyboardInterrupt):
                module.train(data, out, RECIPE, device="cpu")
        assert not (out / "config.json").exists()
    assert module.projected_examples is project
    module.train(data, out, RECIPE, device="cpu")
    assert (out / "model.safetensors").read_bytes() == wanted
    assert len(small) == 4
    assert not list((out / "training").glob("labels-*"))


def stopping_at(stop, backward):
    def stopping(task, step):
        if step == stop:
            raise KeyboardInterrupt
        return backward(task, step)

    return stopping


def test_dropout_and_the_weight_of_what_is_projected_are_those_of_the_stage(small, tmp_path, monkeypatch):
    seen: dict[int, tuple[float, float, float]] = {}
    backward = MiniTask.backward

    def watched(task, step):
        shape, weight = task.network.shape, task.corpus.arrays["pair_weight"]
        seen[step] = shape.dropout, shape.word_dropout, float(weight.sum())
        return backward(task, step)

    monkeypatch.setattr(MiniTask, "backward", watched)
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


def test_a_run_goes_on_from_a_parser(small, tmp_path, monkeypatch):
    module.train(tmp_path / "data", tmp_path / "old", RECIPE, device="cpu")
    small.clear()
    steps: list[int] = []
    backward, whole = MiniTask.backward, tmp_path / "new"

    def watched(task, step):
        steps.append(len(small))  # of labellings before the update
        return backward(task, step)

    monkeypatch.setattr(MiniTask, "backward", watched)
    recipe = dataclasses.replace(
        RECIPE, start=f"mini:{tmp_path / 'old'}", steps=3, project_at=(0,), soup=(1.0, 1.0), least=2
    )
    module.train(tmp_path / "data", whole, recipe, device="cpu")
    assert steps == [1, 1, 1]  # labelled before the first update, by the parser gone on from
    old, new = (load_network(tmp_path / name) for name in ("old", "new"))
    assert new[1] == old[1]  # its symbols, although least is another
    before = load_file(whole / "training" / "average-0.safetensors")
    assert all(torch.equal(value, dict(old[0].named_parameters())[name]) for name, value in before.items())
    assert not torch.equal(old[0].bias, new[0].bias)

    out = tmp_path / "part"
    with monkeypatch.context() as patch:
        patch.setattr(MiniTask, "backward", stopping_at(2, backward))
        with pytest.raises(KeyboardInterrupt):
            module.train(tmp_path / "data", out, recipe, device="cpu")
    module.train(tmp_path / "data", out, recipe, device="cpu")
    assert (out / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"start": "voted:mini"}, "'voted:mini' is no mini parser"),
        ({"teacher": "none"}, "no parser 'none'"),
        ({"start": "mini"}, "the shape .*width=256.*, and the recipe .*width=64"),
    ],
)
def test_what_a_run_cannot_go_on_from_is_told(small, tmp_path, change, told):
    with pytest.raises(OptionError, match=told):
        module.train(tmp_path, tmp_path / "out", dataclasses.replace(RECIPE, **change), device="cpu")
    assert not (tmp_path / "out").exists()


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


def test_a_teacher_labels_in_place_of_the_parser_so_far(small, tmp_path, monkeypatch):
    class Teacher:
        fingerprint = "teacher-1"

        def parse(self, sentences, *, batch_size=64, progress=False):
            asked.extend(sentence.text for sentence in sentences)
            graph = penman.decode("(s / sing-01 :ARG0 (b / boy))")
            repaired = {"The dog sings.": ("no frame",)}
            return [
                Parse(
                    s.id, s.text, "en", graph, "repaired" if s.text in repaired else "ok",
                    repaired.get(s.text, ()), {}, self.fingerprint,
                )
                for s in sentences
            ]  # fmt: skip

    asked: list[str] = []
    labels: list[list[str] | None] = []
    project = module.projected_examples

    def projected(data, reserved, recipe, parse, projection):
        labels.extend(parse(list(PARALLEL)))
        return project(data, reserved, recipe, parse, projection)

    monkeypatch.setattr(module, "projected_examples", projected)

    def opened(name, workers, stack):
        workers_wanted.append(workers)
        return {"toy:x": Teacher()}[name]

    workers_wanted: list[int | None] = []
    monkeypatch.setattr(module, "load", {"toy:x": Teacher()}.__getitem__)
    monkeypatch.setattr(module, "open_parser", opened)
    recipe = dataclasses.replace(RECIPE, teacher="toy:x")
    module.train(tmp_path / "data", tmp_path / "out", recipe, device="cpu")
    # each projection asks once for each sentence, and takes what was not repaired
    assert sorted(asked) == sorted([*PARALLEL] * 2)
    assert labels == [["sing-01", ":ARG0", "boy"], None] * 2
    # on a processor each projection opens one process a core
    assert workers_wanted == [cores()] * 2

"""parser.mini.train: the stages of a run, and that a stopped one ends like an unbroken one."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import penman
import pytest
import torch

from amrx.errors import OptionError
from linearize import linearize
from parser.mini import train as module
from parser.mini.pack_data import Example
from parser.mini.recipe import Recipe
from parser.mini.store import load_network
from parser.mini.trainer import Trainer
from parser.packing import pack

TEXTS = {
    "The boy wants to go.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "He did not sing.": "(s / sing-01 :ARG0 (h / he) :polarity -)",
    "The dog sleeps.": "(s / sleep-01 :ARG0 (d / dog))",
}
PARALLEL = {"The boy sleeps.": "Der Junge schläft.", "The dog sings.": "Der Hund singt."}
RECIPE = Recipe(
    steps=9, batch=400, warmup=2, save_every=2, width=64, inner=64, encoder=1, decoder=1, least=1,
    learning_rate=(3e-3, 3e-3, 2e-3), average=0.5, project_at=(4, 7), dropout=(0.2, 0.1, 0.0),
    word_dropout=(0.1, 0.05, 0.0), project_weight=(1.0, 0.25), project_pairs=(2, 1), project_beam=(1, 2),
)  # fmt: skip


@pytest.fixture
def small(monkeypatch):
    """Three sentences as sembanks, two pairs as parallel text; returns the texts that were labelled."""
    labelled: list[list[str]] = []

    def sembanks(data, reserved):
        for text, graph in TEXTS.items():
            yield Example(text, pack(linearize(penman.decode(graph), form="pointer")), "en", 8.0)

    def projected(data, reserved, recipe, parse, projection):
        labelled.append(list(PARALLEL))
        graphs = parse(list(PARALLEL))
        assert len(graphs) == len(PARALLEL)
        known = pack(linearize(penman.decode(TEXTS["The dog sleeps."]), form="pointer"))
        for (english, german), graph in zip(PARALLEL.items(), graphs, strict=True):
            yield Example(english, graph or known, "en", 1.0)
            yield Example(german, graph or known, "de", 1.0)

    monkeypatch.setattr(module, "sembank_examples", sembanks)
    monkeypatch.setattr(module, "projected_examples", projected)
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset())
    return labelled


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


def stopped(*arguments):
    raise KeyboardInterrupt


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


@pytest.fixture
def exchanged(monkeypatch):
    """Two exchanged examples, one of them a sentence for measuring only; returns what they were made from."""
    asked: list[tuple[list[str], int, int]] = []

    def made(parser, examples, times, seed):
        asked.append(([example.text for example in examples], times, seed))
        graph = pack(linearize(penman.decode("(s / sing-01 :ARG0 (b / boy))"), form="pointer"))
        yield Example("The boy sings.", graph, "en", 3.0)
        yield Example("Measured.", graph, "en", 50.0)

    monkeypatch.setattr(module, "exchanged_examples", made)
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset({"Measured."}))
    return asked


def test_exchanged_parts_come_with_their_stage_and_labels_may_be_kept(
    small, exchanged, tmp_path, monkeypatch
):
    recipe = dataclasses.replace(
        RECIPE, project_exchange=(0.0, 2.0), project_beam=(1, 0), exchanges=6, seed=3
    )
    seen: dict[int, float] = {}
    update = Trainer.update

    def watched(trainer, batch):
        seen[trainer.step] = float(trainer.corpus.arrays["pair_weight"].sum())
        return update(trainer, batch)

    monkeypatch.setattr(Trainer, "update", watched)
    module.train(Path("nowhere"), tmp_path / "out", recipe, device="cpu")
    assert exchanged == [(list(TEXTS), 6, 3)]
    assert small == [list(PARALLEL)]
    assert list(seen.values()) == [24] * 4 + [24 + 4] * 3 + [24 + 4 * 0.25 + 3 * 2] * 2
    work = tmp_path / "out" / "training"
    assert (work / "projected-2.bin").read_bytes() == (work / "projected-1.bin").read_bytes()


def test_a_run_stopped_between_exchanges_and_labels_ends_like_an_unbroken_one(
    small, exchanged, tmp_path, monkeypatch
):
    recipe = dataclasses.replace(RECIPE, project_exchange=(0.0, 2.0))
    module.train(Path("nowhere"), tmp_path / "whole", recipe, device="cpu")
    project = module.projected_examples

    def stops(data, reserved, recipe, parse, projection):
        return stopped() if projection else project(data, reserved, recipe, parse, projection)

    monkeypatch.setattr(module, "projected_examples", stops)
    with pytest.raises(KeyboardInterrupt):
        module.train(Path("nowhere"), tmp_path / "part", recipe, device="cpu")
    monkeypatch.setattr(module, "projected_examples", project)
    module.train(Path("nowhere"), tmp_path / "part", recipe, device="cpu")
    assert len(exchanged) == 2  # once a run
    whole, part = (tmp_path / name / "model.safetensors" for name in ("whole", "part"))
    assert part.read_bytes() == whole.read_bytes()


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
        ({"project_exchange": (1.0,)}, "project_exchange holds 1 numbers, not 2"),
    ],
)
def test_a_recipe_whose_stages_do_not_add_up_is_told(change, told):
    with pytest.raises(OptionError, match=told):
        dataclasses.replace(RECIPE, **change)

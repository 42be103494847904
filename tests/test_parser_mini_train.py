"""parser.training.mini.train: a run from the data to a folder, whole or resumed."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from amrx.errors import InputError, MissingResourceError, OptionError
from parser.mini.store import load_network
from parser.training.corpora.silver import text_key, write_silver
from parser.training.example import Example
from parser.training.mini import train as module
from parser.training.mini.pack_data import read_arrays
from parser.training.mini.task import MiniTask
from tests.support.checkpoints import stopping_at
from tests.support.small_mini_run import RECIPE, TEXTS, packed


def test_a_stopped_run_ends_like_an_unbroken_one(small, tmp_path, monkeypatch):
    data = tmp_path / "data"
    monkeypatch.setattr("parser.training.mini.pack_data.LEAST_EXAMPLES", 1)
    module.train(data, tmp_path / "whole", RECIPE, device="cpu")
    out = tmp_path / "part"
    for stop in (3, 7):
        with monkeypatch.context() as patch:
            patch.setattr(MiniTask, "backward", stopping_at(stop, MiniTask))
            with pytest.raises(KeyboardInterrupt):
                module.train(data, out, RECIPE, device="cpu")
        assert not (out / "config.json").exists()
    module.train(data, out, RECIPE, device="cpu")
    assert (out / "model.safetensors").read_bytes() == (tmp_path / "whole/model.safetensors").read_bytes()
    network, _, _ = load_network(out)
    assert network.names.any() and network.recurs.any() and network.shape.reader == 2
    assert network.languages == ("en",)


def test_a_run_that_the_time_limit_stops_goes_on(small, tmp_path, monkeypatch, caplog):
    caplog.set_level("INFO", logger="parser")
    monkeypatch.setattr("parser.training.mini.pack_data.LEAST_EXAMPLES", 1)
    module.train(tmp_path / "data", tmp_path / "whole", RECIPE, device="cpu")
    out = tmp_path / "part"
    for steps in (1, 2):
        outcome = module.train(tmp_path / "data", out, RECIPE, device="cpu", time_limit=0.0)
        assert (outcome.steps, outcome.finished) == (steps, False)
        told = f"{out}: stopped by the time limit after step {steps} of 9; no parser yet, the same command"
        assert told in caplog.messages[-1] and not (out / "config.json").exists()
    assert module.train(tmp_path / "data", out, RECIPE, device="cpu", time_limit=1e6).finished
    assert (out / "model.safetensors").read_bytes() == (tmp_path / "whole/model.safetensors").read_bytes()


def test_all_kinds_of_examples_are_drawn_by_their_weights(small, tmp_path, monkeypatch):
    silver, older = tmp_path / "silver.xz", tmp_path / "older.xz"
    write_silver(silver, [("The cat sleeps.", packed("(s / sleep-01 :ARG0 (c / cat))"))])
    write_silver(older, [("The cat sleeps.", ["dog"]), ("A cat.", ["cat"])])

    def translated(data, reserved, recipe, graphs):
        assert "Measured." in reserved
        # that of the first file
        assert graphs[text_key("The cat sleeps.")] == packed("(s / sleep-01 :ARG0 (c / cat))")
        assert graphs[text_key("A cat.")] == ["cat"]
        graph = graphs[text_key("The cat sleeps.")]
        yield Example("Die Katze schläft.", graph, "de", recipe.silver_weight)

    def constructed(count, seed, reserved):
        assert (count, seed, "Measured." in reserved) == (2, 3, True)
        yield Example("A boy goes.", packed("(g / go-02 :ARG0 (b / boy))"), "en", 4.0)

    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset({"Measured."}))
    monkeypatch.setattr(module, "silver_examples", translated)

    def relative(examples, count, seed, reserved):
        assert {*TEXTS, "Die Katze schläft."} == {example.text for example in examples}
        assert (count, seed, "Measured." in reserved) == (2, 3, True)
        yield Example("The cat that sleeps.", packed(TEXTS["The dog sleeps."]), "en", 1.0)

    def composed(examples, count, seed, reserved):
        texts = {*TEXTS, "Die Katze schläft.", "The cat that sleeps."}
        assert texts == {example.text for example in examples}
        assert (count, seed, "Measured." in reserved) == (2, 3, True)
        yield Example("If a boy goes, the dog sleeps.", packed(TEXTS["The dog sleeps."]), "en", 1.0)

    monkeypatch.setattr(module, "constructed_examples", constructed)
    monkeypatch.setattr(module, "relative_examples", relative)
    monkeypatch.setattr(module, "composed_examples", composed)
    monkeypatch.setattr(module, "restyled", lambda examples, seed: examples)
    recipe = dataclasses.replace(
        RECIPE, seed=3, silver=f"{silver},{older}", silver_weight=2.0, constructed_weight=0.25, steps=1
    )
    module.train(tmp_path / "data", tmp_path / "out", recipe, device="cpu")
    weights = read_arrays(tmp_path / "out" / "training" / module.PACKED)["pair_weight"]
    assert weights.tolist() == [8.0] * len(TEXTS) + [2.0, 1.0, 1.0, 1.0]
    without = dataclasses.replace(recipe, leave_out=("de",))
    module.train(tmp_path / "data", tmp_path / "without", without, device="cpu")
    weights = read_arrays(tmp_path / "without" / "training" / module.PACKED)["pair_weight"]
    assert weights.tolist() == [8.0] * len(TEXTS) + [1.0, 1.0, 1.0]  # all but the German sentence


def test_a_run_goes_on_from_a_parser(small, tmp_path):
    module.train(tmp_path / "data", tmp_path / "old", RECIPE, device="cpu")
    recipe = dataclasses.replace(
        RECIPE, start=f"mini:{tmp_path / 'old'}", steps=3, learning_rate=1e-9, least=2
    )
    module.train(tmp_path / "data", tmp_path / "new", recipe, device="cpu")
    old, new = (load_network(tmp_path / name) for name in ("old", "new"))
    assert new[1] == old[1]  # its symbols, although least is another
    for name, weight in old[0].named_parameters():
        torch.testing.assert_close(dict(new[0].named_parameters())[name], weight, rtol=0.02, atol=1e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": "voted:mini"}, "start must be a mini parser, got 'voted:mini'"),
        ({"start": "mini"}, "the shape .*width=256.*, and the recipe .*width=64"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(small, tmp_path, change, message):
    with pytest.raises(OptionError, match=message):
        module.train(tmp_path, tmp_path / "out", dataclasses.replace(RECIPE, **change), device="cpu")
    assert not (tmp_path / "out" / "training").exists()


def test_a_damaged_silver_file_is_named(small, tmp_path):
    silver = tmp_path / "silver.xz"
    silver.write_bytes(b"no xz")
    with pytest.raises(InputError, match=r"silver\.xz"):
        module.train(
            tmp_path, tmp_path / "out", dataclasses.replace(RECIPE, silver=str(silver)), device="cpu"
        )


def test_weights_that_are_missing_end_the_run_before_the_data_is_read(small, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "sembank_examples", lambda data, reserved: pytest.fail("the data was read"))
    with pytest.raises(MissingResourceError, match=r"looked in .*nowhere"):
        module.train(tmp_path, tmp_path / "out", RECIPE, muse=tmp_path / "nowhere", device="cpu")


def test_another_recipe_does_not_go_on(small, tmp_path):
    module.train(tmp_path / "data", tmp_path / "out", RECIPE, device="cpu")
    with pytest.raises(OptionError, match="belongs to another recipe"):
        module.train(tmp_path / "data", tmp_path / "out", dataclasses.replace(RECIPE, seed=1), device="cpu")

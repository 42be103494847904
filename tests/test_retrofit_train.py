import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from amrx.cli import main
from amrx.errors import OptionError
from amrx.recipes import load_recipe
from amrx.training import read_checkpoint
from retrofit.amr.encoder import load_encoder
from retrofit.amr.model import Trainee
from retrofit.commands.train_encoder import RECIPES
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import EncoderTask, gradients, set_up, train
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]


def test_a_run_writes_an_encoder_that_loads(corpus: Path, recipe: Recipe, tmp_path: Path):
    ended = train(corpus, tmp_path / "out", recipe, "cpu")
    assert ended.finished and ended.steps == 6 and ended.best is not None
    log = [json.loads(line) for line in (tmp_path / "out/training/log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in log] == [0, 2, 4, 6]
    assert log[0]["parses"] == 48 and log[0]["cut"] == 0
    assert {"nli", "pairs", "distill", "graded", "foils", "selection", "alone"} <= set(log[1])
    encoder = load_encoder(tmp_path / "out")
    vectors = encoder.encode_tokens(["( see-01 :ARG0 ( dog ) )", "( see-01 :ARG1 ( dog ) )"])
    assert vectors.shape == (2, encoder.dimension) and vectors.dtype == np.float32
    assert not np.allclose(vectors[0], vectors[1])
    assert "Dev scores" in (tmp_path / "out/README.md").read_text()


def test_every_foil_knows_what_it_was_made_of(corpus: Path, recipe: Recipe, tmp_path: Path):
    ready = set_up(corpus, tmp_path / "out", recipe, "cpu")
    objectives, rows = ready.objectives, ready.prepared.rows
    assert objectives.names[-1] == "foils"
    plan = objectives.plan(3)
    assert len(plan.foils) == len(plan.foil_rows) > 4
    for foil, place in zip(plan.foils, plan.foil_rows, strict=True):
        own = rows.row(int(plan.all_rows()[place])).tolist()
        assert foil != own
        assert abs(len(foil) - len(own)) in (0, 2)  # a swap, or :polarity -
        assert set(foil) ^ set(own) <= {ready.prepared.signs.polarity, ready.prepared.signs.minus}


@pytest.mark.parametrize(("multiplied", "chosen"), [(torch.bfloat16, "bf16"), (torch.float32, "fp32")])
def test_auto_is_bf16_where_the_device_multiplies_it(
    multiplied: torch.dtype,
    chosen: str,
    corpus: Path,
    recipe: Recipe,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("amrx.muse.model.fastest_dtype", lambda device: multiplied)
    for precision in ("auto", chosen):
        train(corpus, tmp_path / precision, dataclasses.replace(recipe, precision=precision), "cpu")
    own, same = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("auto", chosen))
    assert own == same
    assert f'"precision": "{chosen}"' in (tmp_path / "auto" / "README.md").read_text()


class KilledError(Exception):
    pass


def test_killed_and_resumed_equals_an_uninterrupted_run_bit_for_bit(corpus, recipe, tmp_path, monkeypatch):
    recipe = dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, dropout=0.1))
    train(corpus, tmp_path / "whole", recipe, "cpu")
    with monkeypatch.context() as patch:
        backward = EncoderTask.backward

        def killing(task: EncoderTask, step: int) -> Mapping[str, float]:
            if step == 5:
                raise KilledError
            return backward(task, step)

        patch.setattr(EncoderTask, "backward", killing)
        with pytest.raises(KilledError):
            train(corpus, tmp_path / "parts", recipe, "cpu")
    assert not (tmp_path / "parts" / "model.safetensors").exists()
    train(corpus, tmp_path / "parts", recipe, "cpu")
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    parts, whole = (
        read_checkpoint(tmp_path / name / "training/checkpoint.safetensors", torch.device("cpu"))
        for name in ("parts", "whole")
    )
    assert all(torch.equal(parts.tensors[name], tensor) for name, tensor in whole.tensors.items())
    for number, moments in whole.moments.items():
        assert all(torch.equal(parts.moments[number][name], tensor) for name, tensor in moments.items())


def test_a_time_limit_stops_and_the_same_call_goes_on(corpus: Path, recipe: Recipe, tmp_path: Path):
    ended = train(corpus, tmp_path / "out", recipe, "cpu", time_limit=0.0)
    assert not ended.finished and 0 < ended.steps < 6
    while not ended.finished:
        before = ended.steps
        ended = train(corpus, tmp_path / "out", recipe, "cpu", time_limit=0.0)
        assert ended.steps > before
    train(corpus, tmp_path / "whole", recipe, "cpu")
    stopped, whole = (load_file(tmp_path / place / "model.safetensors") for place in ("out", "whole"))
    assert all(torch.equal(stopped[name], whole[name]) for name in whole)


def test_a_checkpoint_of_another_recipe_is_refused(corpus: Path, recipe: Recipe, tmp_path: Path):
    train(corpus, tmp_path / "out", dataclasses.replace(recipe, steps=2), "cpu")
    with pytest.raises(OptionError, match="belongs to another recipe"):
        train(corpus, tmp_path / "out", recipe, "cpu")
    assert train(corpus, tmp_path / "out", recipe, "cpu", resume=False).steps == 6


def test_the_gradient_cache_gives_the_same_gradients(corpus: Path, recipe: Recipe, tmp_path: Path):
    recipe = dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, dropout=0.1))
    ready = set_up(corpus, tmp_path, recipe, "cpu")
    found = []
    for cached in (False, True):
        option = dataclasses.replace(recipe, gradient_cache=cached)
        trainee = Trainee(ready.model, None).train()
        trainee.zero_grad()
        plan = ready.objectives.plan(1)
        gradients(trainee, ready.objectives, plan, ready.prepared.rows, option, 1)
        found.append([p.grad.clone() for p in trainee.parameters() if p.grad is not None])
    assert len(found[0]) == len(found[1]) > 10
    for plain, cached_gradient in zip(*found, strict=True):
        assert torch.allclose(plain, cached_gradient, atol=1e-6)


def test_training_learns(corpus: Path, recipe: Recipe, tmp_path: Path):
    recipe = dataclasses.replace(recipe, steps=40, evaluate_every=40, learning_rate=3e-3)
    train(corpus, tmp_path, recipe, "cpu")
    line = json.loads((tmp_path / "training/log.jsonl").read_text().splitlines()[-1])
    untrained = np.log(4 + 4)
    assert line["nli"] < untrained * 0.8


def test_recipes_say_what_is_wrong(tmp_path: Path):
    assert load_recipe(Recipe, RECIPES, "mini", ["nli.batch=16"]).nli.batch == 16
    for override, message in {
        "nli.bach=16": "unknown key 'nli.bach'",
        "steps=0": "'steps' must be at least 1",
        "foils.kinds=['odd']": "knows roles and polarity",
        "foils.weight=-1.0": "must not be negative",
        "foils.ceiling=2.0": "must lie in -1..1",
        "languages.de=-1": "'languages.de' must not be negative",
        "model.pooling=max": "must be one of",
    }.items():
        with pytest.raises(OptionError, match=message):
            load_recipe(Recipe, RECIPES, "mini", [override])
    with pytest.raises(OptionError, match="neither a TOML file nor one of: meaning, mini"):
        load_recipe(Recipe, RECIPES, "huge", [])


def test_more_pieces_than_the_backbone_reads_are_refused(corpus: Path, recipe: Recipe, tmp_path: Path):
    longer = dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, max_tokens=1000))
    with pytest.raises(OptionError, match=r"'model.max_tokens' is 1000, more pieces than the \d+ that"):
        train(corpus, tmp_path / "out", longer, "cpu")
    assert not (tmp_path / "out" / "model.safetensors").exists()


def test_the_command_trains_and_says_so(corpus, backbone, tmp_path, capsys):
    settings = ["steps=2", "evaluate_every=1", "precision='fp32'", "model.max_tokens=32", "nli.batch=4",
                "pairs.batch=4", "distill.batch=4", "graded.batch=4", "languages={en=1, de=1}",
                f"model.backbone='{backbone}'", f"distill.teacher='{backbone}'"]  # fmt: skip
    arguments = ["train-encoder", str(corpus), "-o", str(tmp_path / "out"), "--device", "cpu"]
    for setting in settings:
        arguments += ["--set", setting]
    assert main(arguments) == 0
    assert "2 steps, best dev score" in capsys.readouterr().err
    assert (tmp_path / "out" / "model.safetensors").is_file()
    assert main(["train-encoder", str(tmp_path), "-o", str(tmp_path / "other"), "--device", "cpu"]) == 2
    assert "sentences.jsonl: no such file" in capsys.readouterr().err

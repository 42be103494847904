"""The recipe xamr: what is wrong with files, base or recipe is said in one line."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import AmrxError, InputError, MissingResourceError, OptionError
from parser.training.writers.seq2seq import Seq2SeqTask, train
from tests.support.checkpoints import stopping_at
from tests.support.tiny_xamr import RECIPE, make_base, make_data, recipe


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("mbart") / "base")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return make_data(tmp_path / "data")


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("train.amr", "# ::id 1\n# ::snt a\n(w / want-01\n", "data/train.amr:3: is not an AMR graph"),
        ("train.amr", "# ::id 1\n# ::snt a\n(b / boy)\n\n# ::id 1\n# ::snt b\n(b / boy)\n",
         "data/train.amr: field 'id': sentence '1' occurs twice"),
        ("dev.amr", "(b / boy\n", "data/dev.amr:1: is not an AMR graph"),
        ("dev.amr", "# ::lang tlh\n(b / boy)\n", "dev.amr"),
        ("dev.amr", "# ::lang da\n(b / boy)\n",
         "data/dev.amr: holds 'da', which is not a language of the base"),
        ("teacher.jsonl", '{"id": "1"}\n', "data/teacher.jsonl:1: field 'graph': must be a string, got None"),
        ("teacher.jsonl", None, "data/teacher.jsonl: no such file or folder"),
        ("translated/de/00000.jsonl", '{"id": "1", "text": "a", "lang": "de"}\n{"text": "b"}\n',
         "00000.jsonl:2: field 'id': is missing"),
        ("translated/de/00000.jsonl", '{"id": 1}\n', "00000.jsonl:1: field 'id': must be a string, got 1"),
        ("translated/de/00000.jsonl", '{"id": "77", "text": "a", "lang": "de"}\n',
         "00000.jsonl:1: field 'id': no sentence '77' in"),
        ("translated/de/00000.jsonl", '{"id": "1", "text": "a", "lang": "da"}\n',
         "00000.jsonl:1: field 'lang': 'da' is not a language of the base"),
        ("translated/de/00000.jsonl", '{"id": "1", "text": "a", "lang": "xyz"}\n',
         "00000.jsonl:1: field 'lang'"),
        ("translated/de/00000.jsonl", "{\n", "00000.jsonl:1: field 'column 2': is not JSON"),
    ],
)  # fmt: skip
def test_faults_of_the_files_are_one_line(base, data, tmp_path, capsys, file, text, told):
    if text is None:
        (data / file).unlink()
    else:
        (data / file).write_text(text)
    run = [
        "train-parser",
        str(data),
        "-o",
        str(tmp_path / "out"),
        "--recipe",
        "xamr",
        "--set",
        f"base={base}",
    ]
    assert main(run) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert told in error
    assert not (tmp_path / "out" / "config.json").exists()


def test_a_run_of_another_recipe_is_not_gone_on_with(base, data, tmp_path, monkeypatch):
    monkeypatch.setattr(Seq2SeqTask, "backward", stopping_at(2, Seq2SeqTask))
    for seed, error in ((0, KeyboardInterrupt), (1, OptionError)):
        with pytest.raises(error, match="another recipe, model or data" if seed else None):
            train(data, tmp_path / "out", recipe(base, seed=seed), device="cpu")


def test_what_the_base_must_be(data, tmp_path, base):
    with pytest.raises(MissingResourceError, match="hf download no/where.*--set base=DIR"):
        train(data, tmp_path / "out", recipe(Path("no/where")))
    (tmp_path / "t5").mkdir()
    (tmp_path / "t5" / "config.json").write_text('{"model_type": "t5"}')
    with pytest.raises(InputError, match="model type must be BART or mBART-50, got 't5'"):
        train(data, tmp_path / "out", recipe(tmp_path / "t5"))
    with pytest.raises(InputError, match="has no training sentence"):
        train(data, tmp_path / "out", recipe(base, longest=3), device="cpu")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"batch": 0}, "batch' must be at least 1, got 0"),
        ({"warmup": -1}, "warmup' must not be negative, got -1"),
        ({"dropout": 1.0}, "dropout' must be >= 0 and < 1, got 1.0"),
        ({"distill_steps": 0, "tune_steps": 0}, "tune_steps' must be positive if distill_steps is 0"),
        ({"drop": ("blank",)}, "drop' must be of empty, another-language, cut, got 'blank'"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_told(change, told):
    with pytest.raises(OptionError, match=told):
        dataclasses.replace(RECIPE, **change)


def test_a_loss_that_is_not_finite_stops_the_run(base, data, tmp_path, monkeypatch):
    whole = Seq2SeqTask.backward

    def spoiled(task, step):
        losses = whole(task, step)
        return {name: float("nan") for name in losses} if step == 2 else losses

    monkeypatch.setattr(Seq2SeqTask, "backward", spoiled)
    with pytest.raises(AmrxError, match=r"step 2 of .* is not finite \(loss nan.*\); lower the rate"):
        train(data, tmp_path / "out", recipe(base), device="cpu")
    assert not (tmp_path / "out" / "config.json").exists()


def test_a_run_whose_best_weights_are_lost_names_the_way_out(base, data, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Seq2SeqTask, "backward", stopping_at(RECIPE.evaluate_every + 1, Seq2SeqTask))
        with pytest.raises(KeyboardInterrupt):
            train(data, tmp_path / "out", recipe(base), device="cpu")
    [best] = (tmp_path / "out" / "training").glob("best-*.safetensors")
    best.unlink()
    with pytest.raises(
        OptionError, match=rf"{best.name} is missing, .*; delete the training folder to start over"
    ):
        train(data, tmp_path / "out", recipe(base), device="cpu")

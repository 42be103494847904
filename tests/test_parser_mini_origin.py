"""parser.training.mini.train, parser.training.task.claim: a run goes on in its own folder alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from amrx.errors import OptionError, OutputError
from amrx.recipes import load_config
from parser.training.corpora.silver import write_silver
from parser.training.mini import train as module
from parser.training.mini.recipe import Recipe
from parser.training.mini.task import MiniTask
from parser.training.mini.train import run_fingerprint
from parser.training.task import claim
from tests.support.small_mini_run import RECIPE

SHORT = dataclasses.replace(RECIPE, steps=2)
REFUSED = "training belongs to another recipe, model or data; name another folder, or delete it"


def interrupted(*arguments):
    raise KeyboardInterrupt


def write(data: Path, name: str, text: str) -> None:
    (data / name).parent.mkdir(parents=True, exist_ok=True)
    (data / name).write_text(text)


def test_whatever_decides_a_run_is_in_its_fingerprint(tmp_path: Path):
    for name in ("amr/lpp/train.amr", "parallel/tatoeba/en-de.tsv.gz", "nli/snli/test.tsv"):
        write(tmp_path, name, "one")
    runs = [run_fingerprint(tmp_path, RECIPE, "mini-1")]
    write(tmp_path, "geometry/notes.txt", "of no part in training")
    assert run_fingerprint(tmp_path, RECIPE, "mini-1") == runs[0]
    runs.append(run_fingerprint(tmp_path, dataclasses.replace(RECIPE, seed=1), "mini-1"))
    runs.append(run_fingerprint(tmp_path, RECIPE, "mini-2"))
    for name in ("amr/lpp/train.amr", "parallel/tatoeba/en-de.tsv.gz", "nli/snli/test.tsv"):
        write(tmp_path, name, "two")  # as long as before
        runs.append(run_fingerprint(tmp_path, RECIPE, "mini-1"))
    write(tmp_path, "sts/stsb/de/train.csv", "new")
    runs.append(run_fingerprint(tmp_path, RECIPE, "mini-1"))
    assert len(set(runs)) == len(runs) == 7


def test_the_hash_is_the_first_file_of_a_folder(tmp_path: Path, monkeypatch):
    def killed(recipe):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("parser.training.task.to_toml", killed)
        with pytest.raises(KeyboardInterrupt):
            claim(tmp_path / "a" / "training", "1", RECIPE)
    assert [file.name for file in (tmp_path / "a" / "training").iterdir()] == ["run.key"]
    claim(tmp_path / "a" / "training", "1", RECIPE)
    assert load_config(Recipe, tmp_path / "a" / "training" / "recipe.toml", {}) == RECIPE
    with pytest.raises(OptionError, match=REFUSED):
        claim(tmp_path / "a" / "training", "2", RECIPE)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file/training: cannot be created"):
        claim(tmp_path / "file" / "training", "1", RECIPE)


def test_a_folder_of_another_recipe_or_data_is_refused(small, tmp_path: Path):
    data, out = tmp_path / "data", tmp_path / "out"
    module.train(data, out, SHORT, device="cpu")
    assert load_config(Recipe, out / "training" / "recipe.toml", {}) == SHORT
    kept = {file: file.read_bytes() for file in sorted(out.rglob("*")) if file.is_file()}
    write(tmp_path / "other", "amr/lpp/train.amr", "")
    for folder, recipe in ((data, dataclasses.replace(SHORT, seed=1)), (tmp_path / "other", SHORT)):
        with pytest.raises(OptionError, match=REFUSED):
            module.train(folder, out, recipe, device="cpu")
    assert {file: file.read_bytes() for file in sorted(out.rglob("*")) if file.is_file()} == kept


def test_other_silver_graphs_under_the_same_name_are_refused(small, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(module, "silver_examples", lambda *_: [])
    silver = tmp_path / "silver.xz"
    write_silver(silver, [("A dog.", ["dog"])])
    taught = dataclasses.replace(SHORT, silver=str(silver))
    module.train(tmp_path, tmp_path / "taught", taught, device="cpu")
    write_silver(silver, [("A dog.", ["cat"])])
    with pytest.raises(OptionError, match=REFUSED):
        module.train(tmp_path, tmp_path / "taught", taught, device="cpu")


def test_another_start_under_the_same_name_is_refused(small, tmp_path: Path):
    old, grown = tmp_path / "old", dataclasses.replace(SHORT, start=f"mini:{tmp_path / 'old'}")
    module.train(tmp_path, old, SHORT, device="cpu")
    module.train(tmp_path, tmp_path / "grown", grown, device="cpu")
    module.train(tmp_path, tmp_path / "new", dataclasses.replace(SHORT, learning_rate=1e-3), device="cpu")
    (tmp_path / "new" / "model.safetensors").replace(old / "model.safetensors")
    with pytest.raises(OptionError, match=REFUSED):
        module.train(tmp_path, tmp_path / "grown", grown, device="cpu")


def test_a_folder_of_before_there_was_a_hash_is_refused(small, tmp_path: Path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(MiniTask, "backward", interrupted)
        with pytest.raises(KeyboardInterrupt):
            module.train(tmp_path, tmp_path / "out", SHORT, device="cpu")
    (tmp_path / "out" / "training" / "run.key").unlink()
    with pytest.raises(OptionError, match=REFUSED):
        module.train(tmp_path, tmp_path / "out", SHORT, device="cpu")

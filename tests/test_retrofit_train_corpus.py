"""retrofit.training.amr.train: a corpus without something that the recipe counts on is refused, or said."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from amrx.errors import OptionError
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import train
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]


@pytest.fixture
def without_dev(corpus: Path, tmp_path: Path) -> Path:
    copied = Path(shutil.copytree(corpus, tmp_path / "corpus"))
    for file in copied.glob("dev_*"):
        file.unlink()
    return copied


def test_patience_without_dev_pairs_is_refused_before_a_step(without_dev, recipe, tmp_path):
    patient = dataclasses.replace(recipe, patience=2)
    with pytest.raises(OptionError, match=r"corpus: has no dev pairs, .* 'patience' .*--set patience=0"):
        train(without_dev, tmp_path / "out", patient, "cpu")
    with pytest.raises(OptionError, match=r"or train to the last of 999 epochs: --set patience=0"):
        train(without_dev, tmp_path / "out", dataclasses.replace(patient, epochs=999), "cpu")
    assert not list((tmp_path / "out").rglob("*.safetensors"))


def test_without_patience_the_first_line_says_that_nothing_is_selected(without_dev, corpus, recipe, tmp_path):
    lines: list[dict] = []
    train(without_dev, tmp_path / "out", recipe, "cpu", report=lines.append)
    assert lines[0]["dev_pairs"] == 0
    train(corpus, tmp_path / "whole", recipe, "cpu", report=(whole := []).append)
    assert whole[0]["dev_pairs"] > 0
    assert set(whole[0]["languages"]) == {"en", "de"}
    assert all(count > 0 for count in whole[0]["languages"].values())


@pytest.mark.parametrize(
    ("weights", "lacking"),
    [
        ({"en": 1.0, "de": 1.0, "es": 1.0, "ar": 2.0}, ["es", "ar"]),
        ({"en": 1.0, "zh": 0.5}, ["zh"]),
        ({"en": 1.0, "de": 1.0, "es": 0.0}, []),
        ({"de": 1.0}, []),
    ],
)
def test_a_language_of_the_recipe_without_parses_is_refused_with_the_list(
    weights: dict[str, float], lacking: list[str], corpus: Path, recipe: Recipe, tmp_path: Path
) -> None:
    drawn = dataclasses.replace(recipe, languages=weights)
    if not lacking:
        assert train(corpus, tmp_path / "out", drawn, "cpu").finished
        return
    off = " ".join(f"--set languages.{code}=0" for code in lacking)
    with pytest.raises(OptionError, match=f": has no parse in {', '.join(lacking)}, .*: {off}$"):
        train(corpus, tmp_path / "out", drawn, "cpu")


def test_a_language_whose_parses_all_failed_is_lacking(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(corpus, tmp_path / "corpus"))
    sentences = (copied / "sentences.jsonl").read_text().splitlines()
    german = {line.split('"id": ')[1].split(",")[0] for line in sentences if '"lang": "de"' in line}
    file = copied / "parses.jsonl"
    file.write_text(
        "".join(
            f"{line}\n"
            for line in file.read_text().splitlines()
            if line.split('"id": ')[1].split(",")[0] not in german
        )
    )
    with pytest.raises(OptionError, match="has no parse in de,"):
        train(copied, tmp_path / "out", recipe, "cpu")

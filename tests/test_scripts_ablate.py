"""scripts/ablate_encoder.py: recipes that load, runs that are not done twice, rows for the README."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from amrx.recipes import load_recipe
from retrofit.training.amr.recipe import Recipe

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture
def ablate(monkeypatch):
    """The script as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    yield importlib.import_module("ablate_encoder")
    for name in ("ablate_encoder", "evaluate_bamboo"):
        sys.modules.pop(name, None)


def test_every_variant_switches_off_what_its_name_says(ablate):
    made = {
        name: load_recipe(Recipe, ablate.RECIPES, "mini", {**ablate.SMALL, **changes})
        for name, changes in ablate.VARIANTS.items()
    }
    everything = made["all"]
    assert (
        min(getattr(everything, name).weight for name in ("nli", "pairs", "distill", "graded", "foils")) > 0
    )
    assert made["without foils"].foils.share == made["without foils"].foils.weight == 0
    for name, part in {
        "without distillation": "distill",
        "without graded pairs": "graded",
        "without translations and paraphrases": "pairs",
        "without NLI": "nli",
    }.items():
        assert getattr(made[name], part).weight == 0
    alone = made["Algorithm 1 alone"]
    assert (alone.distill.weight, alone.graded.weight, alone.foils.weight) == (0, 0, 0)
    assert alone.nli.weight > 0 and alone.pairs.weight > 0


def test_a_run_that_is_done_is_read_and_the_teacher_is_asked_once(ablate, monkeypatch, tmp_path):
    begun = []

    def train(corpus, folder, recipe):
        begun.append((recipe.seed, [path.name for path in (folder / "training").glob("*.npy")]))
        (folder / "training" / "teacher-1.npy").write_bytes(b"vectors")

    monkeypatch.setattr(ablate, "train", train)
    monkeypatch.setattr(ablate, "measure", lambda folder, data, cache: dict.fromkeys(ablate.MEASURES, 50.0))
    monkeypatch.setattr(ablate.ParseCache, "chosen", lambda: open(__file__, "rb"))
    monkeypatch.setattr(ablate, "VARIANTS", {"all": {}, "without NLI": {"nli.weight": 0.0}})
    out, runs = tmp_path / "out.json", tmp_path / "runs"
    command = ["corpus", "data", str(runs), str(out)]
    ablate.main([*command, "--seeds", "2"])
    assert begun == [(2, []), (2, ["teacher-1.npy"])] and not out.exists()
    assert not (runs / "all" / "seed-2" / "training").exists()
    ablate.main(command)
    assert [seed for seed, _ in begun] == [2, 2, 1, 1, 3, 3]
    rows = json.loads(out.read_text("utf-8"))
    assert len(rows) == 2 * 3 * 3
    assert {row["language"] for row in rows} == {"seed 1", "seed 2", "seed 3"}
    assert {row["value"] for row in rows} == {50.0}
    ablate.main([*command, "--only", "without NLI"])
    assert {row["encoder"] for row in json.loads(out.read_text("utf-8"))} == {"without NLI"}
    with pytest.raises(SystemExit):
        ablate.main([*command, "--only", "all,maybe"])

"""amrx train-base emma-x: it learns, survives a kill, and its folder is a base encoder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from amrx.cli import main
from amrx.training import alone
from retrofit.bases import load_base
from retrofit.training.bases.emma_x.objective import prior_nats
from retrofit.training.bases.train import ObjectiveTask
from tests.support.training_toys import PAIRS, SCRATCH, TIMED, settings, write_pairs

RECIPE: dict[str, object] = {
    **SCRATCH, "seed": 3, "run.log_every": 2, "run.checkpoint_every": 2,
    "pairs.steps": 5, "pairs.batch": 4, "pairs.encoder.peak": 1e-3, "pairs.encoder.warmup": 1,
    "text.steps": 5, "text.batch": 4, "text.queue": 6, "text.momentum": 0.9, "text.encoder.warmup": 1,
    "data.shuffle": 5, "data.temperature": 2.0, "ranks.steps": 60, "ranks.rate.peak": 3e-2,
}  # fmt: skip


def command(folder: Path, out: Path, recipe: dict[str, object]) -> list[str]:
    files = write_pairs(folder)
    text = ["--text", f"en:{files['text.en']}", "--text", f"de:{files['text.de']}"]
    return [
        "train-base", "emma-x", "-o", str(out), "--config", "small", "--device", "cpu",
        "--parallel", f"en-de:{files['pairs.tsv']}", *(text if recipe.get("text.steps") else []),
        *settings(recipe),
    ]  # fmt: skip


def curve(folder: Path, phase: str) -> list[dict[str, object]]:
    """The log without what depends on the clock."""
    lines = (folder / "training" / phase / "log.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key not in TIMED} for line in lines]


class KilledError(Exception):
    pass


def kill_after(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Let the loop die in the middle of the step after so many."""
    taken, backward = [0], ObjectiveTask.backward

    def dying(task: ObjectiveTask, step: int) -> Mapping[str, float]:
        if taken[0] == steps:
            raise KilledError
        taken[0] += 1
        return backward(task, step)

    monkeypatch.setattr(ObjectiveTask, "backward", dying)


def test_a_killed_run_goes_on_to_the_same_bits_and_its_folder_loads_both_ways(
    tmp_path: Path, monkeypatch, capsys
):
    from sentence_transformers import SentenceTransformer

    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(command(tmp_path, whole, RECIPE)) == 0
    assert capsys.readouterr().err.endswith(f"{whole}: a base encoder, for --base\n")
    for steps in (3, 9, 62):  # within phase 1, of whose 3 steps 1 is done again; between; within phase 2
        with monkeypatch.context() as patch:
            kill_after(patch, steps)
            with pytest.raises(KilledError):
                main(command(tmp_path, killed, RECIPE))
        assert not (killed / "amrx.json").exists()
    assert main(command(tmp_path, killed, RECIPE)) == 0
    one, other = load_file(whole / "model.safetensors"), load_file(killed / "model.safetensors")
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert curve(whole, "ranks-1") == curve(killed, "ranks-1")
    for phase in ("pairs", "text"):
        assert curve(whole, phase) == curve(killed, phase)
        assert [line["step"] for line in curve(whole, phase)] == [2, 4, 5]
    assert not list(whole.rglob("checkpoint.safetensors"))

    texts = [text for pair in PAIRS for text in pair] + [""]
    base = load_base(str(whole), "cpu")
    vectors = base.encode(texts, lang="en")
    assert vectors.shape == (25, 16) and base.dimension == 16
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    plain = SentenceTransformer(str(whole), device="cpu").encode(texts)
    np.testing.assert_array_equal(vectors, plain)
    after_pairs = load_base(str(whole / "training" / "after-pairs"), "cpu").encode(texts)
    assert np.abs(after_pairs - vectors).max() > 1e-4  # phase 2 moved the encoder


def test_a_short_run_on_real_pairs_lowers_every_loss(tmp_path: Path):
    recipe = RECIPE | {
        "backbone.pooling": "mean", "pairs.steps": 20, "pairs.batch": 12, "pairs.encoder.peak": 1e-2,
        "pairs.classifier.peak": 1e-2, "text.steps": 40, "text.batch": 12, "text.queue": 24,
        "text.encoder.peak": 1e-3, "text.classifier.peak": 1e-2, "run.log_every": 10,
        "run.checkpoint_every": 60, "data.shuffle": 16, "ranks.follow": 0.9,
    }  # fmt: skip
    assert main(command(tmp_path, tmp_path / "out", recipe)) == 0
    assert curve(tmp_path / "out", "ranks-1")[-1]["ranks"] < prior_nats(4)
    for phase, names in {"pairs": ("contrast", "ranks"), "text": ("ranking",)}.items():
        lines = curve(tmp_path / "out", phase)
        for name in names:
            assert lines[-1][name] < 0.9 * lines[0][name], (phase, name)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"pairs.batch": 1}, "'pairs.batch' must be at least 2, got 1"),
        ({"pairs.batch": 13}, "12 rows in all are less than one batch of 13"),
        ({"ranks.count": 3}, "'text.temperatures' needs 2 values"),
        ({"backbone.unit": False}, "'backbone.unit' must be true"),
        ({"pairs.stepz": 1}, "unknown key 'pairs.stepz'; did you mean 'pairs.steps'?"),
        (
            {"backbone.start": "pretrained", "backbone.name": "org/none"},
            "fetch: hf download org/none; or give a local copy with --set backbone.name=DIR",
        ),
    ],
)
def test_what_cannot_be_trained_is_said_before_anything_is_written(tmp_path, capsys, change, told):
    assert main(command(tmp_path, tmp_path / "out", RECIPE | change)) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_faulty_input_is_named_by_file_and_line(tmp_path: Path, capsys):
    arguments = command(tmp_path, tmp_path / "out", RECIPE)
    with (tmp_path / "text.de").open("a") as stream:
        stream.write("\n")
    assert main(arguments) == 2
    assert "text.de:13: is empty" in capsys.readouterr().err
    assert main([*arguments, "--nli", "en:a.tsv"]) == 2
    assert "emma-x does not read --nli" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_shipped_recipes_are_whole():
    from retrofit.commands.train_base import METHODS, read_recipe

    paper = read_recipe("emma-x", "paper", [])
    assert (paper.ranks.count, paper.text.queue, paper.text.momentum) == (4, 256, 0.999)
    assert (paper.pairs.batch, paper.pairs.temperature, paper.pairs.classifier.peak) == (1024, 0.04, 3e-5)
    assert (paper.backbone.name, paper.backbone.pooling) == ("FacebookAI/xlm-roberta-large", "cls")
    assert paper.backbone.unit and paper.text.classifier.peak == 3e-5 and paper.run.optimizer == "adamw"
    for phase in (paper.pairs, paper.text):
        assert (phase.encoder.peak, phase.encoder.schedule) == (5e-4, "cosine")
    assert list(paper.text.temperatures) == sorted(paper.text.temperatures) == [0.05, 0.075, 0.1]
    assert read_recipe("emma-x", "small", []).backbone.start == "scratch"
    assert "emma-x" in METHODS


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steep = RECIPE | {"text.steps": 0, "pairs.encoder.peak": 1e30, "pairs.encoder.warmup": 0}
    assert main(command(tmp_path, tmp_path / "out", steep)) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "of emma-x pairs is not finite (" in told and told.endswith("lower the rate")
    assert not (tmp_path / "out" / "amrx.json").exists()


def test_a_classifier_that_does_not_learn_the_ranks_stops_the_run(tmp_path: Path, capsys) -> None:
    hopeless = RECIPE | {"ranks.steps": 2, "ranks.rounds": 2, "ranks.rate.peak": 1e-9}
    assert main(command(tmp_path, tmp_path / "out", hopeless)) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "after 2 x 2 steps, and that of the shares of the ranks 1.215" in told
    assert not (tmp_path / "out" / "amrx.json").exists()


def test_other_settings_of_the_ranks_go_on_after_phase_1(tmp_path: Path, capsys, monkeypatch) -> None:
    hopeless = RECIPE | {"ranks.steps": 2, "ranks.rounds": 1, "ranks.rate.peak": 1e-9}
    out = tmp_path / "out"
    assert main(command(tmp_path, out, hopeless)) == 2
    assert "the same command with them goes on after phase 1" in capsys.readouterr().err
    phase_1, taken, backward = curve(out, "pairs"), [], ObjectiveTask.backward

    def counting(task: ObjectiveTask, step: int) -> Mapping[str, float]:
        taken.append(task.name)
        return backward(task, step)

    monkeypatch.setattr(ObjectiveTask, "backward", counting)
    assert main(command(tmp_path, out, RECIPE)) == 0
    assert "emma-x pairs" not in taken  # phase 1 is not trained again
    assert (taken.count("emma-x ranks-1"), taken.count("emma-x text")) == (60, 5)
    assert curve(out, "pairs") == phase_1
    whole = tmp_path / "whole"
    assert main(command(tmp_path, whole, RECIPE)) == 0
    one, other = load_file(whole / "model.safetensors"), load_file(out / "model.safetensors")
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_two_runs_never_write_one_folder(tmp_path: Path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    with alone(out):
        assert main(command(tmp_path, out, RECIPE | {"text.steps": 0})) == 2
    assert "another run" in capsys.readouterr().err
    assert sorted(file.name for file in out.iterdir()) == []

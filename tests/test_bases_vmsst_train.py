"""amrx train-base vmsst, contrastive, bitranslation: they learn, survive a kill, and write base encoders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from amrx.cli import main
from retrofit.bases import load_base
from retrofit.commands.train_base import DEFAULTS, read_recipe
from retrofit.training.bases.train import ObjectiveTask
from tests.support.training_toys import PAIRS, SCRATCH, TIMED, settings, write_pairs

TEXTS = [text for pair in PAIRS for text in pair]

RECIPE: dict[str, object] = {
    **SCRATCH, "backbone.scratch.pieces": 600, "seed": 3, "steps": 5, "batch": 4, "rate.warmup": 2,
    "latents.width": 12, "latents.kl_warmup": 3, "data.shuffle": 5,
    "run.log_every": 2, "run.checkpoint_every": 2,
}  # fmt: skip


def command(folder: Path, out: Path, method: str, recipe: dict[str, object], config: str) -> list[str]:
    files = write_pairs(folder)
    return [
        "train-base", method, "-o", str(out), "--config", config, "--device", "cpu",
        "--parallel", f"en-de:{files['pairs.tsv']}", *settings(recipe),
    ]  # fmt: skip


def curve(folder: Path) -> list[dict[str, float]]:
    """The log without what depends on the clock."""
    lines = (folder / "training" / "pairs" / "log.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key not in TIMED} for line in lines]


class KilledError(Exception):
    pass


def test_a_killed_run_goes_on_to_the_same_bits_and_its_folder_loads_every_way(tmp_path: Path, monkeypatch):
    from sentence_transformers import SentenceTransformer

    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(command(tmp_path, whole, "vmsst", RECIPE, "vmsst-contrastive-small")) == 0
    backward = ObjectiveTask.backward

    def dying(task: ObjectiveTask, step: int) -> Mapping[str, float]:
        if step == 3:  # after the checkpoint of step 2
            raise KilledError
        return backward(task, step)

    again = command(tmp_path, killed, "vmsst", RECIPE, "vmsst-contrastive-small")
    with monkeypatch.context() as patch:
        patch.setattr(ObjectiveTask, "backward", dying)
        with pytest.raises(KilledError):
            main(again)
    assert not (killed / "amrx.json").exists()
    assert main(again) == 0
    for file in ("model.safetensors", "2_Dense/model.safetensors"):
        one, other = load_file(whole / file), load_file(killed / file)
        assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert curve(whole) == curve(killed)
    assert [line["step"] for line in curve(whole)] == [2, 4, 5]

    base = load_base(f"vmsst:{whole}", "cpu")
    vectors = base.encode([*TEXTS, ""], lang="en")
    assert vectors.shape == (25, 12) and base.dimension == 12 and base.name == "vmsst:whole"
    np.testing.assert_array_equal(load_base(str(whole), "cpu").encode([*TEXTS, ""]), vectors)
    plain = SentenceTransformer(str(whole), device="cpu").encode([*TEXTS, ""])
    np.testing.assert_array_equal(vectors, plain)


LEARN = RECIPE | {
    "steps": 40, "batch": 12, "rate.peak": 5e-3, "rate.warmup": 5, "latents.kl_warmup": 1, "elbo": 0.5,
    "run.log_every": 8, "run.checkpoint_every": 40,
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "config", "kind", "names"),
    [
        ("vmsst", "vmsst-contrastive-small", "bert", ("translation", "reconstruction", "contrast")),
        ("bitranslation", "small", "mt5", ("translation",)),
        ("contrastive", "small", "mt5", ("contrast",)),
    ],
)
def test_a_short_run_on_real_pairs_lowers_every_loss(tmp_path: Path, method, config, kind, names):
    out = tmp_path / "out"
    assert main(command(tmp_path, out, method, LEARN | {"backbone.scratch.kind": kind}, config)) == 0
    lines = curve(out)
    assert set(names) == set(lines[0]) - {"step", "kl", "total", "rates", "gradient"}
    for name in (*names, "total"):
        assert lines[-1][name] < 0.9 * lines[0][name], name
    base = load_base(f"{method}:{out}", "cpu")
    assert base.encode(TEXTS).shape == (24, 12)
    np.testing.assert_array_equal(load_base(str(out), "cpu").encode(TEXTS), base.encode(TEXTS))


def test_vmsst_lowers_the_bound_and_its_kl_term_holds_the_latents_back(tmp_path: Path):
    """KL itself starts near 0, where the latents say nothing, and so it must rise; without its term, more."""
    last = {}
    for kl in (True, False):
        out = tmp_path / str(kl)
        assert main(command(tmp_path, out, "vmsst", LEARN | {"latents.kl": kl}, "small")) == 0
        first, *_, last[kl] = curve(out)
        for name in ("translation", "reconstruction", "total"):
            assert last[kl][name] < 0.9 * first[name], name
        if kl:
            assert last[kl]["reconstruction"] + last[kl]["kl"] < 0.9 * (first["reconstruction"] + first["kl"])
    assert last[True]["kl"] < 0.9 * last[False]["kl"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"batch": 1}, "'batch' must be at least 2, got 1"),
        ({"batch": 13}, "12 rows in all are less than one batch of 13"),
        ({"backbone.unit": True}, "'backbone.unit' must be false"),
        ({"backbone.pooling": "cls"}, "'backbone.pooling' must be 'mean'"),
        ({"decoder.layers": 0}, "'decoder.layers' must be at least 1"),
        ({"elbo": 0}, "'elbo' must be positive"),
        ({"method": "contrastive"}, "'method' is set by the command, here to 'vmsst'"),
        ({"latents.kll": False}, "unknown key 'latents.kll'"),
        (
            {"backbone.start": "pretrained", "backbone.name": "org/none"},
            "fetch: hf download org/none; or give a local copy with --set backbone.name=DIR",
        ),
    ],
)
def test_what_cannot_be_trained_is_said_in_one_line_before_anything_is_written(
    tmp_path, capsys, change, told
):
    assert main(command(tmp_path, tmp_path / "out", "vmsst", RECIPE | change, "small")) == 2
    said = capsys.readouterr().err
    assert told in said and len(said.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_faulty_input_is_named(tmp_path: Path, capsys):
    arguments = command(tmp_path, tmp_path / "out", "bitranslation", RECIPE, "small")
    assert main([*arguments, "--text", "en:a.txt"]) == 2
    assert "bitranslation does not read --text" in capsys.readouterr().err
    with (tmp_path / "pairs.tsv").open("a") as stream:
        stream.write("alone\t\n")
    assert main(arguments) == 2
    assert "pairs.tsv:13: column 2 is empty" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_shipped_recipes_are_whole():
    paper = read_recipe("vmsst", "paper", [])
    assert (paper.elbo, paper.decoder.layers, paper.backbone.name) == (0.025, 24, "google/mt5-large")
    assert (paper.rate.peak, paper.rate.warmup, paper.rate.schedule) == (1e-3, 4000, "inverse-sqrt")
    assert (paper.backbone.max_tokens, paper.run.optimizer) == (32, "adafactor")
    for layers in (6, 24):
        random = read_recipe("vmsst", f"random-{layers}", [])
        assert (random.elbo, random.backbone.scratch.layers, random.rate) == (0.1, layers, paper.rate)
        assert (random.backbone.start, random.backbone.scratch.kind) == ("scratch", "mt5")
        assert (random.backbone.scratch.width, random.decoder.layers) == (1024, layers)
    for method in ("vmsst", "contrastive", "bitranslation"):
        small = read_recipe(method, "small", [])
        assert (small.method, small.backbone.scratch.width, small.contrast) == (method, 256, 0)
        assert (small.similarity, small.temperature, small.backbone.dropout) == ("cosine", 0.05, None)
    small = read_recipe("vmsst", "vmsst-contrastive-small", [])
    assert (small.contrast, small.vmsst, small.similarity) == (1, 1, "cosine")


@pytest.mark.parametrize(
    ("network", "contrastive", "weight", "dropout"),
    [
        ("paper", "", 0.0005, 0.0),
        ("random-6", "-random-6", 0.0005, 0.0),
        ("random-24", "-random-24", 0.001, 0.1),
    ],
)
def test_the_recipes_are_section_6_4(network: str, contrastive: str, weight: float, dropout: float):
    """Dropout .1 for Contrastive and for VMSST Contrastive of 24 random layers, none for the others."""
    own = read_recipe("vmsst", network, [])
    alone = read_recipe("contrastive", f"contrastive{contrastive}", [])
    joint = read_recipe("vmsst", f"vmsst-contrastive{contrastive}", [])
    assert (own.contrast, own.vmsst) == (0, 1)
    assert (joint.contrast, joint.vmsst) == (1, weight)
    assert [one.backbone.dropout for one in (own, alone, joint)] == [0.0, 0.1, dropout]
    for one in (own, alone, joint):
        assert (one.steps, one.batch, one.latents.kl_warmup) == (100_000, 2048, 1_000_000)
        assert (one.backbone.max_tokens, one.run.optimizer) == (32, "adafactor")
        assert (one.rate.peak, one.rate.warmup, one.rate.schedule) == (1e-3, 4000, "inverse-sqrt")
        assert (one.similarity, one.temperature) == ("dot", 1.0)
        assert (one.elbo, one.backbone, one.decoder) == (
            own.elbo, replace(own.backbone, dropout=one.backbone.dropout), own.decoder,
        )  # fmt: skip
        assert one.latents.kl_weight(one.steps) == 0.1


def test_contrastive_takes_its_own_recipe_when_none_is_named():
    assert DEFAULTS["contrastive"] == "contrastive" and "vmsst" not in DEFAULTS

"""What a trainer starts from: a GGUF file, and which layers of a network are trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import OptionError
from amrx.pretrained.gguf import read_gguf
from retrofit.bases import load_base
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.recipe import Backbone, Scratch
from tests.support.tiny_gguf import gemma3
from tests.support.training_toys import PAIRS, settings, write_pairs


def command(folder: Path, name: Path, layers: int) -> list[str]:
    files = write_pairs(folder)
    recipe: dict[str, object] = {
        "mix": '["parallel"]', "steps": 3, "batch": 6, "encoder.peak": 1e-2, "backbone.name": name,
        "backbone.pooling": "mean", "backbone.max_tokens": 16, "backbone.train_layers": layers,
    }  # fmt: skip
    return [
        "train-base", "msimcse", "-o", str(folder / "out"), "--config", "parallel", "--device", "cpu",
        "--parallel", f"en-de:{files['pairs.tsv']}", *settings(recipe),
    ]  # fmt: skip


@pytest.mark.parametrize("kept", [0, 1])
def test_training_starts_from_a_gguf_file_and_moves_only_the_layers_asked_for(tmp_path: Path, kept: int):
    from sentence_transformers import SentenceTransformer

    file = gemma3(tmp_path / "tiny.gguf")
    assert main(command(tmp_path, file, kept)) == 0
    start, _ = read_gguf(file)
    plain = SentenceTransformer(str(tmp_path / "out"), device="cpu")
    end = plain[0].model.state_dict()
    moved = {name for name, array in start.state_dict().items() if not torch.equal(array, end[name])}
    parts = {name.split(".")[0] + (name.split(".")[1] if name[:6] == "layers" else "") for name in moved}
    assert parts == ({"embed_tokens", "layers0", "layers1", "norm"} if kept == 0 else {"layers1", "norm"})
    texts = [text for pair in PAIRS for text in pair]
    vectors = load_base(str(tmp_path / "out"), "cpu").encode(texts)
    assert vectors.shape == (24, 64)
    np.testing.assert_array_equal(plain.encode(texts), vectors)


def test_more_layers_than_there_are_is_said_before_anything_is_written(tmp_path: Path, capsys):
    assert main(command(tmp_path, gemma3(tmp_path / "tiny.gguf"), 3)) == 2
    assert "'backbone.train_layers' is 3, but there are 2 layers" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["bert", "mt5"])
def test_layers_of_every_kind_of_network_are_frozen(kind):
    small = Scratch(kind=kind, pieces=600, width=16, layers=3, heads=2)
    encoder = build_encoder(Backbone(start="scratch", scratch=small, train_layers=1), seed=0)
    trained = {name for name, part in encoder[0].model.named_parameters() if part.requires_grad}
    stem = "encoder.layer.2." if kind == "bert" else "encoder.block.2."
    assert any(name.startswith(stem) for name in trained)
    assert all(name.startswith((stem, "encoder.final_layer_norm")) for name in trained)
    with pytest.raises(OptionError, match="'backbone.train_layers' must not be negative, got -1"):
        Backbone(train_layers=-1)


@pytest.mark.parametrize("kind", ["bert", "mt5"])
def test_embeddings_may_start_from_multilingual_use_and_nothing_else_changes(kind):
    from amrx.muse.fast import piece_vectors

    random = Scratch(kind=kind, pieces=600, width=16, layers=1, heads=2)
    states = [
        build_encoder(Backbone(start="scratch", scratch=scratch), seed=3)[0].model
        for scratch in (random, replace(random, table="muse"))
    ]
    tables = [model.get_input_embeddings().weight.detach() for model in states]
    torch.testing.assert_close(tables[1], piece_vectors(600, 16) * tables[0].std(), rtol=1e-4, atol=1e-6)
    plain, taken = (model.state_dict() for model in states)
    moved = {name for name in plain if not torch.equal(plain[name], taken[name])}
    assert moved and all(taken[name].shape == tables[1].shape for name in moved)
    with pytest.raises(OptionError, match="width must be <= 512"):
        build_encoder(Backbone(start="scratch", scratch=Scratch(pieces=600, width=516, table="muse")), seed=0)

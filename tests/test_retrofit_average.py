"""The mean of several encoders' weights."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import InputError, OptionError
from retrofit.amr.tensor_files import read_weights, write_weights
from retrofit.folders import find_encoder
from retrofit.load import load_amr
from retrofit.training.amr.average import average_encoders

GRAPHS = ["( bite-01 :ARG0 ( dog ) :ARG1 ( man ) )", "( sleep-01 :polarity - :ARG0 ( cat ) )"]


def tensors(seed: int) -> dict[str, torch.Tensor]:
    draw = torch.Generator().manual_seed(seed)
    return {
        "table": torch.randn(5, 64, generator=draw),
        "bias": torch.randn(7, generator=draw),
        "position_ids": torch.arange(4),
    }


def folder(path: Path, seed: int, **config: object) -> Path:
    path.mkdir()
    (path / "config.json").write_text(json.dumps({"amrx": {}, **config}))
    (path / "tokenizer.json").write_text("{}")
    (path / "README.md").write_text(f"# AMR encoder\n\nSeed {seed}.\n\n## Recipe\nsteps\n")
    write_weights(path / "model.safetensors", tensors(seed), "float32")
    return path


def test_every_number_is_the_mean_in_float64(tmp_path: Path):
    folders = [folder(tmp_path / f"seed-{seed}", seed) for seed in range(3)]
    average_encoders(folders, tmp_path / "out", storage="float32")
    made = read_weights(tmp_path / "out" / "model.safetensors")
    for name in ("table", "bias"):
        slow = np.mean([tensors(seed)[name].numpy().astype(np.float64) for seed in range(3)], axis=0)
        assert np.abs(made[name].numpy() - slow).max() < 1e-6
    assert made["position_ids"].tolist() == [0, 1, 2, 3]
    card = (tmp_path / "out" / "README.md").read_text()
    assert "of 3 encoders" in card and "## seed-1\n\nSeed 1.\n\n### Recipe" in card
    average_encoders(folders[:2], tmp_path / "small")
    small = read_weights(tmp_path / "small" / "model.safetensors")
    both = (tensors(0)["table"] + tensors(1)["table"]) / 2
    assert float((small["table"] - both).abs().max()) < 0.02  # int8


def test_encoders_saved_by_different_versions_of_transformers(tmp_path: Path):
    versions = ("5.17.0", "5.23.0")
    folders = [
        folder(tmp_path / f"seed-{seed}", seed, backbone={"width": 64, "transformers_version": version})
        for seed, version in enumerate(versions)
    ]
    average_encoders(folders, tmp_path / "out", storage="float32")
    made = read_weights(tmp_path / "out" / "model.safetensors")
    assert float((made["bias"] - (tensors(0)["bias"] + tensors(1)["bias"]) / 2).abs().max()) < 1e-6
    folder(tmp_path / "wider", 2, backbone={"width": 65, "transformers_version": versions[0]})
    with pytest.raises(InputError, match=r"config\.json: does not fit"):
        average_encoders([folders[0], tmp_path / "wider"], tmp_path / "none")


def test_shares_weigh_the_mean(tmp_path: Path, capsys):
    folders = [folder(tmp_path / f"seed-{seed}", seed) for seed in range(3)]
    command = ["average-encoders", *map(str, folders), "--storage", "float32"]
    assert main([*command, "--shares", "2,1,0.5", "-o", str(tmp_path / "out")]) == 0
    made = read_weights(tmp_path / "out" / "model.safetensors")
    for name in ("table", "bias"):
        drawn = [tensors(seed)[name].numpy().astype(np.float64) for seed in range(3)]
        slow = (2 * drawn[0] + drawn[1] + 0.5 * drawn[2]) / 3.5
        assert np.abs(made[name].numpy() - slow).max() < 1e-6
    assert made["position_ids"].tolist() == [0, 1, 2, 3]
    assert "of 3 encoders, in shares of 2:1:0.5, written" in (tmp_path / "out" / "README.md").read_text()
    capsys.readouterr()
    for wrong, told in [
        ("2,1", "3 numbers above 0, one per encoder, got 2,1"),
        ("2,0,1", "above 0"),
        ("2,nan,1", "above 0"),
        ("2,x", "must be numbers, such as 2,1,1"),
    ]:
        assert main([*command, "--shares", wrong, "-o", str(tmp_path / "none")]) == 2
        assert told in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def grown(path: Path, words: int, types: int, tokenizer: dict[str, object], **config: object) -> Path:
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text(json.dumps(tokenizer))
    draw = torch.Generator().manual_seed(words)
    drawn = {
        "backbone.embeddings.word_embeddings.weight": torch.randn(words, 64, generator=draw),
        "backbone.embeddings.token_type_embeddings.weight": torch.randn(types, 64, generator=draw),
        "bias": torch.randn(7, generator=draw),
    }
    if dict(config.get("amrx", {})).get("parents"):
        drawn["above.weight"] = torch.randn(64, 64, generator=draw)
    write_weights(path / "model.safetensors", drawn, "float32")
    return path


def test_an_encoder_and_what_training_on_from_it_made(tmp_path: Path):
    """The older one gets the rows of the new words (its row 3 is padding), its first type for all new."""
    vocab = {"model": {"type": "WordPiece", "vocab": {"a": 0, "b": 1, "c": 2}}, "added_tokens": []}
    more = {**vocab, "added_tokens": [{"id": 3, "content": ":ARG0"}, {"id": 4, "content": ":mod"}]}
    before = grown(
        tmp_path / "before", 4, 2, vocab, backbone={"vocab_size": 4, "width": 64}, amrx={"form": "p"}
    )
    after = grown(
        tmp_path / "after",
        5,
        6,
        more,
        backbone={"vocab_size": 5, "width": 64},
        amrx={"form": "p", "zones": True, "parents": True},
    )
    average_encoders([before, after], tmp_path / "out", shares=[3, 1], storage="float32")
    options = json.loads((tmp_path / "out" / "config.json").read_text())["amrx"]
    assert options["zones"] is options["parents"] is True
    assert json.loads((tmp_path / "out" / "tokenizer.json").read_text()) == more
    old, new, made = (read_weights(path / "model.safetensors") for path in (before, after, tmp_path / "out"))
    words, types = (f"backbone.embeddings.{part}_embeddings.weight" for part in ("word", "token_type"))
    assert float((made["above.weight"] - new["above.weight"].double() / 4).abs().max()) < 1e-6
    slow = (3 * old[words].double()[:3] + new[words].double()[:3]) / 4
    assert float((made[words][:3] - slow).abs().max()) < 1e-6
    assert float((made[words][3:] - new[words][3:]).abs().max()) < 1e-6
    for number in range(6):
        slow = (3 * old[types][number if number < 2 else 0].double() + new[types][number].double()) / 4
        assert float((made[types][number] - slow).abs().max()) < 1e-6

    moved = {"model": {"type": "WordPiece", "vocab": {"a": 0, "b": 2, "c": 1}}, "added_tokens": []}
    other = grown(
        tmp_path / "moved", 4, 2, moved, backbone={"vocab_size": 4, "width": 64}, amrx={"form": "p"}
    )
    lower = {**vocab, "normalizer": {"lowercase": True}}
    cased = grown(
        tmp_path / "cased", 4, 2, lower, backbone={"vocab_size": 4, "width": 64}, amrx={"form": "p"}
    )
    for stranger in (other, cased):
        with pytest.raises(InputError, match=r"tokenizer\.json: does not fit .*after"):
            average_encoders([stranger, after], tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_encoders_with_words_of_different_corpora(tmp_path: Path):
    """The row of a word is the mean over the encoders that know it, whatever its number in each."""
    pieces = {"type": "WordPiece", "vocab": {"a": 0, "b": 1}}
    words = [{"say-01": 2, "go-02": 3, ":mod": 4}, {":mod": 2, "eat-01": 3}, {"go-02": 2, ":mod": 3}]
    folders = [
        grown(
            tmp_path / f"run-{place}",
            2 + len(own) + (place == 0),  # the first has a row of padding
            2,
            {"model": pieces, "added_tokens": [{"id": n, "content": token} for token, n in own.items()]},
            backbone={"vocab_size": 2 + len(own) + (place == 0)},
            amrx={"form": "p"},
        )
        for place, own in enumerate(words)
    ]
    shares = [2.0, 1.0, 0.5]
    average_encoders(folders, tmp_path / "out", shares=shares, storage="float32")
    told = json.loads((tmp_path / "out" / "tokenizer.json").read_text())
    numbers = {token["content"]: token["id"] for token in told["added_tokens"]}
    assert numbers == {"say-01": 2, "go-02": 3, ":mod": 4, "eat-01": 5}
    assert json.loads((tmp_path / "out" / "config.json").read_text())["backbone"]["vocab_size"] == 6
    name = "backbone.embeddings.word_embeddings.weight"
    tables = [read_weights(path / "model.safetensors")[name].double() for path in folders]
    made = read_weights(tmp_path / "out" / "model.safetensors")[name]
    assert made.shape == (6, 64)
    for token, number in ({"a": 0, "b": 1} | numbers).items():
        rows = [
            (share, table[({"a": 0, "b": 1} | own)[token]])
            for share, table, own in zip(shares, tables, words, strict=True)
            if token in ({"a": 0, "b": 1} | own)
        ]
        slow = sum(share * row for share, row in rows) / sum(share for share, _ in rows)
        assert float((made[number] - slow).abs().max()) < 1e-6, token


def test_the_mean_of_the_shipped_encoder_and_itself_is_that_encoder(tmp_path: Path, capsys):
    shipped = find_encoder("mini")
    twin = shutil.copytree(shipped, tmp_path / "twin")
    assert main(["average-encoders", str(shipped), str(twin), "-o", str(tmp_path / "out")]) == 0
    assert "mean of 2 encoders" in capsys.readouterr().err
    (twin / "structure.json").unlink()  # a mean has weights alone
    first, second = (
        load_amr(one, precision="fp32").encode_tokens(GRAPHS) for one in (twin, tmp_path / "out")
    )
    assert np.abs(first - second).max() < 1e-2 * np.abs(first).max()


def test_encoders_that_have_no_mean(tmp_path: Path, capsys):
    one, other = folder(tmp_path / "one", 0), folder(tmp_path / "other", 1)
    with pytest.raises(OptionError, match="a mean needs two or more encoders, got 1"):
        average_encoders([one], tmp_path / "out")
    with pytest.raises(OptionError, match="unknown --storage 'int4'; choose from int8"):
        average_encoders([one, other], tmp_path / "out", storage="int4")
    wide = folder(tmp_path / "wide", 2, backbone={"hidden_size": 3})
    with pytest.raises(InputError, match=r"wide/config\.json: does not fit"):
        average_encoders([one, wide], tmp_path / "out")
    write_weights(other / "model.safetensors", {**tensors(1), "bias": torch.zeros(2)})
    with pytest.raises(InputError, match=r"no tensor 'bias' of shape \(7,\)"):
        average_encoders([one, other], tmp_path / "out")
    (other / "tokenizer.json").unlink()
    assert main(["average-encoders", str(one), str(other), "-o", str(tmp_path / "out")]) == 2
    assert "tokenizer.json: no such file" in capsys.readouterr().err
    (other / "tokenizer.json").write_text("{}")
    (other / "config.json").write_text('{"amrx": []}')
    with pytest.raises(InputError, match=r"config\.json: does not fit"):
        average_encoders([one, other], tmp_path / "out")
    (other / "tokenizer.json").write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        average_encoders([one, other], tmp_path / "out")
    assert not (tmp_path / "out").exists()

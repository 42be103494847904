"""The AMR encoder: what its vectors depend on, how it is stored, and what a damaged folder is told as."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.errors import InputError, OptionError
from linearize import linearize
from linearize.forms import Form
from retrofit.amr.encoder import AmrEncoder, load_encoder, save_encoder
from retrofit.amr.model import embed_rows
from retrofit.amr.pieces import rows_of
from retrofit.amr.tensor_files import Storage, read_weights, write_weights
from retrofit.combine import RetrofittedEncoder
from retrofit.evaluated_encoders import Caches
from retrofit.folders import find_encoder
from retrofit.training.amr.recipe import ModelPart, Recipe
from retrofit.training.amr.train import set_up, train
from tests.support.amr_toys import ANIMALS, backbone, corpus, recipe
from tests.support.toy_parser import ToyParser
from tests.support.word_encoder import Words

__all__ = ["backbone", "corpus", "recipe"]


def saved(part: ModelPart) -> tuple[int, Form, Storage]:
    """Return the settings of a recipe that an encoder's folder holds."""
    return part.read_limit, part.form, part.storage


@pytest.mark.parametrize("pooling", ["mean", "cls", "mlp", "mlp-train"])
def test_padding_does_not_change_a_vector(corpus: Path, recipe: Recipe, tmp_path: Path, pooling: str):
    part = dataclasses.replace(recipe.model, pooling=pooling)
    ready = set_up(corpus, tmp_path, dataclasses.replace(recipe, model=part), "cpu")
    rows = rows_of([[2, 7, 8, 3], [2, *range(5, 25), 3], [2, 9, 3]])
    together = embed_rows(ready.model, rows, device=torch.device("cpu"))
    for i in range(3):
        alone = embed_rows(ready.model, rows_of([rows.row(i)]), device=torch.device("cpu"))
        assert together[i] == pytest.approx(alone[0], abs=1e-5)


def test_a_head_for_training_is_not_read(corpus: Path, recipe: Recipe, tmp_path: Path):
    """Released: trained with the pooler of SimCSE, run.ml.labse.sh reads `--pooler simcse_sup:cls`."""
    model = dataclasses.replace(recipe.model, pooling="mlp-train", dropout=0.0)
    ready = set_up(corpus, tmp_path / "run", dataclasses.replace(recipe, model=model), "cpu")
    network, ids = ready.model, torch.tensor([[2, 7, 8, 3]])
    mask = torch.ones_like(ids)
    states = network.backbone(input_ids=ids, attention_mask=mask).last_hidden_state
    with torch.no_grad():
        learnt = network.train()(ids, mask)
        read = network.eval()(ids, mask)
    first = states[:, 0].detach()
    torch.testing.assert_close(read, first)
    assert network.head is not None
    torch.testing.assert_close(learnt, torch.tanh(network.head(first)).detach())
    save_encoder(tmp_path / "saved", network, ready.prepared.tokenizer, *saved(model))
    again = load_encoder(tmp_path / "saved")
    own = AmrEncoder(network, ready.prepared.tokenizer, max_tokens=32)
    graphs = ["( see-01 :ARG0 ( dog ) )"]
    assert again.encode_tokens(graphs) == pytest.approx(own.encode_tokens(graphs), abs=1e-5)


@pytest.mark.parametrize(("storage", "least"), [("float32", 1 - 1e-6), ("float16", 0.99999), ("int8", 0.999)])
def test_storage_keeps_the_vectors(corpus: Path, recipe: Recipe, tmp_path: Path, storage: str, least: float):
    part = dataclasses.replace(recipe.model, storage=storage)
    recipe = dataclasses.replace(recipe, model=part)
    ready = set_up(corpus, tmp_path, recipe, "cpu")
    exact = AmrEncoder(ready.model, ready.prepared.tokenizer, max_tokens=32)
    save_encoder(tmp_path, ready.model.eval(), ready.prepared.tokenizer, *saved(recipe.model))
    graphs = [f"( see-01 :ARG0 ( {a} ) :ARG1 ( {b} ) )" for a in ANIMALS for b in ANIMALS]
    first, second = exact.encode_tokens(graphs), load_encoder(tmp_path).encode_tokens(graphs)
    cosines = (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    assert cosines.min() > least


def test_graphs_tokens_and_joined_tokens_agree(corpus: Path, recipe: Recipe, tmp_path: Path, amrs: dict):
    ready = set_up(corpus, tmp_path, recipe, "cpu")
    encoder = AmrEncoder(ready.model, ready.prepared.tokenizer, max_tokens=12)
    graph = amrs["boy"]
    tokens = linearize(graph, form="paper")
    by_graph, by_tokens = encoder.encode_graphs([graph]), encoder.encode_tokens([tokens, " ".join(tokens)])
    assert (by_tokens == by_graph).all()
    assert encoder.encode_tokens([]).shape == (0, encoder.dimension)


def test_the_fingerprint_follows_the_weights(corpus: Path, recipe: Recipe, tmp_path: Path):
    ready = set_up(corpus, tmp_path / "run", recipe, "cpu")
    for name in ("a", "b"):
        save_encoder(tmp_path / name, ready.model, ready.prepared.tokenizer, *saved(recipe.model))
        with torch.no_grad():
            next(ready.model.parameters()).add_(0.1)
    prints = [load_encoder(tmp_path / name).fingerprint.split(":")[1] for name in ("a", "b", "a")]
    assert prints[0] == prints[2] != prints[1]


def test_damaged_encoder_folders_are_named(corpus: Path, recipe: Recipe, tmp_path: Path):
    with pytest.raises(InputError, match="config.json: no such file"):
        load_encoder(tmp_path)
    ready = set_up(corpus, tmp_path / "run", recipe, "cpu")
    save_encoder(tmp_path, ready.model, ready.prepared.tokenizer, *saved(recipe.model))
    weights = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    with pytest.raises(InputError, match="not a complete safetensors file"):
        load_encoder(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="config.json: is not an encoder's config"):
        load_encoder(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_weights(tmp_path / "missing.safetensors")


def test_an_encoder_folder_without_weights_is_named(tmp_path: Path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"model\.safetensors: no such file; is this an encoder folder\?"):
        find_encoder(str(tmp_path))


def test_rows_without_their_scales_are_refused(tmp_path: Path):
    from safetensors.torch import load_file, save_file

    file, other = tmp_path / "model.safetensors", tmp_path / "other.safetensors"
    table = torch.randn(4, 128)
    write_weights(file, {"table": table, "bias": torch.ones(3)}, "int8")
    assert torch.allclose(read_weights(file)["table"], table, atol=0.03)
    arrays = load_file(file)
    save_file({name: array for name, array in arrays.items() if name != "table.row_scale"}, other)
    with pytest.raises(
        InputError, match=r"other\.safetensors: has no tensor 'table\.row_scale', the scales of"
    ):
        read_weights(other)
    for harm in (
        arrays["table.row_scale"][:3],
        arrays["table.row_scale"][:, :0],
        arrays["table.row_scale"][0],
    ):
        save_file(arrays | {"table.row_scale": harm.contiguous()}, other)
        with pytest.raises(InputError, match=r"tensor 'table' is \(4, 128\), its scales are \("):
            read_weights(other)
    save_file(arrays | {"table": arrays["table"][:, :-1].contiguous()}, other)
    with pytest.raises(InputError, match=r"tensor 'table' is \(4, 127\)"):
        read_weights(other)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("config.json", b"\xff\xfe", "is not an encoder's config: 'utf-8' codec"),
        (
            "config.json",
            {"model_type": "none"},
            "is not an encoder's config: Unrecognized model identifier: none",
        ),
        (
            "config.json",
            {"hidden_size": "a"},
            "is not an encoder's config: Validation error for .*'hidden_size'",
        ),
        ("config.json", {"num_attention_heads": 3}, "is not an encoder's config: The hidden size"),
        ("tokenizer.json", b"{}", "is not a tokenizer: Model missing"),
        ("tokenizer.json", b"\xff\xfe", "is not a tokenizer: "),
    ],
)
def test_damage_within_an_encoder_is_named(corpus, recipe, tmp_path, name, change, told):
    ready = set_up(corpus, tmp_path / "run", recipe, "cpu")
    save_encoder(tmp_path, ready.model, ready.prepared.tokenizer, *saved(recipe.model))
    if isinstance(change, dict):
        config = json.loads((tmp_path / name).read_text())
        config["backbone"] |= change
        change = json.dumps(config).encode()
    (tmp_path / name).write_bytes(change)
    with pytest.raises(InputError, match=f"{name}: {told}"):
        load_encoder(tmp_path)


def test_an_encoder_may_read_longer_graphs_than_it_was_trained_on(corpus, recipe, tmp_path):
    short, long = (" ".join(["( see-01 :ARG0 ( dog ) ", *[":mod ( cat )"] * n, ")"]) for n in (1, 7))
    encoders = []
    for name, read in (("as-trained", None), ("longer", 60)):
        part = dataclasses.replace(recipe.model, max_tokens=14, read_tokens=read)
        changed = dataclasses.replace(recipe, model=part, steps=1)
        lines: list[dict[str, object]] = []
        train(corpus, tmp_path / name, changed, "cpu", report=lambda line: lines.append(dict(line)))  # noqa: B023
        assert int(str(lines[0]["cut"])) > 0  # the training is cut at 14 either way
        encoders.append(load_encoder(tmp_path / name))
    cutting, whole = encoders
    assert (cutting.max_tokens, whole.max_tokens) == (14, 60)
    assert cutting.cut.summary() == whole.cut.summary() == ""
    same = [encoder.encode_tokens([short, long, long + " :mod ( bird )"]) for encoder in encoders]
    assert (same[0][1] == same[0][2]).all() and not np.allclose(same[1][1], same[1][2])
    assert cutting.cut.summary() == "amr-as-trained: 3 graphs were longer than 14 word pieces and were cut\n"
    assert whole.cut.summary() == ""


def test_the_encoder_reads_at_least_as_much_as_in_training(recipe: Recipe) -> None:
    with pytest.raises(OptionError, match=r"'model\.read_tokens' must be at least model\.max_tokens, got 8"):
        dataclasses.replace(recipe, model=ModelPart(max_tokens=14, read_tokens=8))


def test_the_commands_count_cut_graphs(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    train(corpus, tmp_path / "e", dataclasses.replace(recipe, steps=1), "cpu")
    encoder = load_encoder(tmp_path / "e")
    encoder.cut.count = 1234
    caches = Caches()
    caches.keep(RetrofittedEncoder(Words(), ToyParser(), encoder))
    caches.keep(Words())
    assert caches.summary().startswith("amr-e: 1,234 graphs were longer than ")

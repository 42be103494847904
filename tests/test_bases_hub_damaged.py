"""Folders of sentence-transformers that are not whole: one line, and no vectors of random weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import InputError
from retrofit.bases import load_base
from tests.support import damaged_models as damage
from tests.support import tiny_models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.sentence_model(tmp_path_factory.mktemp("st"), labse=True)


def retrofit(folder: Path, tmp_path: Path) -> int:
    (tmp_path / "s.txt").write_text("the boy wants to go .\n")
    argv = ["retrofit", str(tmp_path / "s.txt"), "--lang", "en", "--base", f"st:{folder}", "--no-cache"]
    return main([*argv, "--encoder", "student-text", "-o", str(tmp_path / "v.npy")])


def test_the_command_refuses_lost_weights_with_their_count_and_writes_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = damage.changed(folder, tmp_path / "lost", damage.without("encoder.layer.1."))
    assert retrofit(lost, tmp_path) == 2
    told = capsys.readouterr().err
    assert "lacks 16 arrays of the model, encoder.layer.1.attention.output.LayerNorm.bias first" in told
    assert told.count("\n") == 1
    assert not list(tmp_path.glob("v.npy*"))


def shards(folder: Path, to: Path) -> Path:
    """Copy a model with its weights in two files and their index."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, to)
    arrays = load_file(to / "model.safetensors")
    (to / "model.safetensors").unlink()
    names, of = sorted(arrays), {}
    for number, part in enumerate((names[::2], names[1::2]), start=1):
        file = f"model-{number:05}-of-00002.safetensors"
        save_file({name: arrays[name] for name in part}, to / file, metadata={"format": "pt"})
        of |= dict.fromkeys(part, file)
    index = {"metadata": {"total_size": 0}, "weight_map": of}
    (to / "model.safetensors.index.json").write_text(json.dumps(index))
    return to


def test_a_lost_shard_is_refused_and_whole_ones_are_the_same_model(folder: Path, tmp_path: Path) -> None:
    parts = shards(folder, tmp_path / "parts")
    whole = load_base(f"st:{folder}", "cpu").encode(tiny_models.TEXTS)
    np.testing.assert_array_equal(load_base(f"st:{parts}", "cpu").encode(tiny_models.TEXTS), whole)
    index = parts / "model.safetensors.index.json"
    read = json.loads(index.read_text())
    second = "model-00002-of-00002.safetensors"
    kept = {name: file for name, file in read["weight_map"].items() if file != second}
    index.write_text(json.dumps(read | {"weight_map": kept}))
    with pytest.raises(
        InputError, match=r"lacks 18 arrays of the model, embeddings\.LayerNorm\.weight first"
    ):
        load_base(f"st:{parts}", "cpu")
    index.write_text(json.dumps(read))
    (parts / second).unlink()
    with pytest.raises(InputError, match="cannot be loaded by sentence-transformers"):
        load_base(f"st:{parts}", "cpu")


@pytest.mark.parametrize(
    "kind",
    [
        "sentence_transformers.nothing.Here",
        "sentence_transformers.models.Nothing",
        "sentence_transformers.util.os",
    ],
)
def test_a_module_that_is_not_there_is_no_missing_package(
    kind: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    modules = json.loads((copy / "modules.json").read_text())
    modules[1]["type"] = kind
    (copy / "modules.json").write_text(json.dumps(modules))
    assert retrofit(copy, tmp_path) == 2
    told = capsys.readouterr().err
    assert f"{copy}: cannot be loaded by sentence-transformers" in told
    assert "not installed" not in told
    assert told.count("\n") == 1


def _set(file: Path, **values: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


HARMS = {
    "nested modules": lambda f: (f / "modules.json").write_text("[" * 100_000 + "]" * 100_000),
    "nested pooling": lambda f: (f / "1_Pooling/config.json").write_text("[" * 100_000 + "]" * 100_000),
    "activation that is not there": lambda f: _set(
        f / "2_Dense/config.json", activation_function="torch.nn.Nope"
    ),
    "dense of another width": lambda f: _set(f / "2_Dense/config.json", in_features=7),
    "dense that is cut off": lambda f: (f / "2_Dense/model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{"),
    "dense of nothing": lambda f: damage_dense(f),
    "pooling that is not there": lambda f: _set(f / "1_Pooling/config.json", pooling_mode="nope"),
    "pooling of another width": lambda f: _wider(f),
    "tokenizer cut off": lambda f: (f / "tokenizer.json").write_text("{"),
    "tokenizer of nothing": lambda f: (f / "tokenizer.json").write_text("{}"),
    "modules out of order": lambda f: _reversed(f),
    "no heads": lambda f: _set(f / "config.json", num_attention_heads=0),
    "endless": lambda f: (f / "config.json").write_text('{"model_type": "bert", "vocab_size": 1e999}'),
}


def _wider(folder: Path) -> None:
    """Let the last module be a pooling that names another width than the network has."""
    modules = json.loads((folder / "modules.json").read_text())
    (folder / "modules.json").write_text(json.dumps(modules[:2]))
    _set(folder / "1_Pooling/config.json", embedding_dimension=5)


def damage_dense(folder: Path) -> None:
    from safetensors.torch import save_file

    save_file({}, folder / "2_Dense/model.safetensors", metadata={"format": "pt"})


def _reversed(folder: Path) -> None:
    modules = json.loads((folder / "modules.json").read_text())
    (folder / "modules.json").write_text(json.dumps(modules[::-1]))


@pytest.mark.parametrize("harm", HARMS)
def test_damaged_settings_are_one_line(harm: str, folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    HARMS[harm](copy)
    with pytest.raises(InputError) as caught:
        load_base(f"st:{copy}", "cpu").encode(["a boy"])
    assert str(copy) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pooling_head_that_is_used_may_not_be_lost(folder: Path, tmp_path: Path) -> None:
    lost = damage.changed(folder, tmp_path / "lost", damage.without("pooler."))
    vectors = load_base(f"st:{lost}", "cpu").encode(tiny_models.TEXTS)
    np.testing.assert_array_equal(vectors, load_base(f"st:{folder}", "cpu").encode(tiny_models.TEXTS))
    file = lost / "sentence_bert_config.json"
    ways = json.loads(file.read_text())["modality_config"]
    ways["text"]["method_output_name"] = "pooler_output"
    _set(file, modality_config=ways, module_output_name="sentence_embedding")
    with pytest.raises(InputError, match=r"lacks 2 arrays of the model, pooler\.dense\.bias first"):
        load_base(f"st:{lost}", "cpu")


def test_parts_of_a_router_are_looked_at_like_modules(folder: Path, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Pooling, Router, Transformer

    texts = Transformer(str(folder), max_seq_length=32)
    body = [texts, Pooling(16, pooling_mode="mean")]
    router = Router.for_query_document([*body], [*body, Dense(16, 16)])
    routed = tmp_path / "routed"
    SentenceTransformer(modules=[router], device="cpu").save(str(routed), create_model_card=False)
    load_base(f"st:{routed}", "cpu")
    weights = next(routed.rglob("*Dense/model.safetensors"))
    kept = weights.read_bytes()
    weights.rename(weights.with_name("pytorch_model.bin"))
    with pytest.raises(InputError, match=r"Dense/pytorch_model\.bin: weights are pickled"):
        load_base(f"st:{routed}", "cpu")
    weights.write_bytes(kept)
    body = next(file for file in routed.rglob("*Transformer/model.safetensors"))
    from safetensors.torch import load_file, save_file

    arrays = damage.without("encoder.layer.1.")(load_file(body))
    save_file(arrays, body, metadata={"format": "pt"})
    with pytest.raises(InputError, match="lacks 16 arrays"):
        load_base(f"st:{routed}", "cpu")
    settings = next(file for file in routed.glob("router_config.json"))
    _set(settings, types={"a": "evil.Module"})
    with pytest.raises(InputError, match=r"evil\.Module.* not run"):
        load_base(f"st:{routed}", "cpu")


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ({"boy": 6, "wants": 6}, r"tokens '(boy|wants)' and '(boy|wants)' have one id, 6"),
        ({"boy": 4_000}, r"id 4000 of token 'boy' has no embedding; the model has \d+|more than the model"),
    ],
)
def test_a_damaged_tokenizer_is_refused(
    folder: Path, tmp_path: Path, damaged: dict[str, int], message: str
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    file = copy / "tokenizer.json"
    read = json.loads(file.read_text("utf-8"))
    assert damaged.keys() <= read["model"]["vocab"].keys()
    read["model"]["vocab"] |= damaged
    file.write_text(json.dumps(read), "utf-8")
    with pytest.raises(InputError, match=message):
        load_base(f"st:{copy}", "cpu")


def test_a_maximum_length_of_a_few_pieces_is_refused(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    file = copy / "tokenizer_config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"model_max_length": 3}), "utf-8")
    with pytest.raises(InputError, match="model_max_length must be at least 8, got 3"):
        load_base(f"st:{copy}", "cpu")

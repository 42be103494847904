"""GGUF files as base encoders: a Gemma 3 of random weights in the real format."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.gguf import read_gguf
from amrx.types import Encoder
from retrofit.bases import load_base
from tests.support.tiny_gguf import FEED, HEAD, HEADS, LAYERS, PIECES, WIDTH, arrays, gemma3, packed

TEXTS = ["the boy.", "a", "", "the then they"]
PARTS = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm", "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm", "post_ffw_norm": "post_feedforward_layernorm",
}  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return gemma3(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


def by_hand():
    """The same model from the arrays themselves: renamed, unpacked by the package gguf, norms less 1."""
    import gguf
    import torch
    from transformers import Gemma3TextConfig, Gemma3TextModel

    whole = {"token_embd": "embed_tokens", "output_norm": "norm"}
    weights = {}
    for name, array in arrays().items():
        if packed(name, array):
            kind = gguf.GGMLQuantizationType.Q8_0
            array = gguf.dequantize(gguf.quantize(array, kind), kind)
        stem = name.removesuffix(".weight")
        block = stem.split(".")
        renamed = whole.get(stem) or f"layers.{block[1]}.{PARTS[block[2]]}"
        weights[f"{renamed}.weight"] = torch.from_numpy(array - 1 if "norm" in stem else array)
    config = Gemma3TextConfig(
        vocab_size=len(PIECES), hidden_size=WIDTH, intermediate_size=FEED, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=1, head_dim=HEAD, sliding_window=16,
    )  # fmt: skip
    model = Gemma3TextModel(config)
    model.load_state_dict(weights)
    return model.eval()


def slow(pooling: str) -> np.ndarray:
    """One sentence at a time, spelled by hand: pieces are letters, but `the` is one."""
    import torch

    ids = {"the boy.": "<bos> the ▁ b o y .", "a": "<bos> a", "": "<bos>"}
    ids["the then they"] = "<bos> the ▁the n ▁the y"
    rows, model = [], by_hand()
    for text in TEXTS:
        numbers = [PIECES.index(piece) for piece in ids[text].split()]
        with torch.inference_mode():
            states = model(input_ids=torch.tensor([numbers])).last_hidden_state[0].double().numpy()
        rows.append(states.mean(axis=0) if pooling == "mean" else states[-1])
    return np.stack(rows)


@pytest.mark.parametrize("pooling", ["mean", "last"])
def test_a_file_gives_the_vectors_of_the_model_that_it_holds(file: Path, pooling: str) -> None:
    base = load_base(f"hf@{pooling}:{file}", "cpu")
    assert isinstance(base, Encoder)
    vectors = base.encode(TEXTS, batch_size=2)
    assert (vectors.dtype, vectors.shape, base.dimension) == (np.float32, (4, WIDTH), WIDTH)
    np.testing.assert_allclose(vectors, slow(pooling), atol=1e-5)


def test_a_file_and_a_folder_with_nothing_else_are_the_same_base(file: Path) -> None:
    names = {f"hf:{file}": "hf:tiny.gguf", str(file): "hf:tiny.gguf"}
    names |= {str(file.parent): f"hf:{file.parent.name}", f"hf:{file.parent}": f"hf:{file.parent.name}"}
    bases = {name: load_base(name, "cpu") for name in names}
    assert {name: base.name for name, base in bases.items()} == names
    first = bases[str(file)].encode(TEXTS)
    assert all(np.array_equal(base.encode(TEXTS), first) for base in bases.values())
    prints = {base.fingerprint.partition(":")[2].partition(":")[2] for base in bases.values()}
    assert len(prints) == 1  # of the file, however it was named


def test_other_weights_are_another_base(file: Path, tmp_path: Path) -> None:
    other = gemma3(tmp_path / "tiny.gguf", seed=1)
    assert load_base(str(other), "cpu").fingerprint != load_base(str(file), "cpu").fingerprint


def test_what_was_read_is_saved_as_a_plain_model(file: Path, tmp_path: Path) -> None:
    model, tokenizer = read_gguf(file)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    saved, read = load_base(str(tmp_path), "cpu"), load_base(str(file), "cpu")
    np.testing.assert_array_equal(saved.encode(TEXTS), read.encode(TEXTS))


def test_faulty_files_are_named(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.gguf", "b.gguf"):
        shutil.copy(file, tmp_path / name)
    with pytest.raises(InputError, match=r"holds a\.gguf, b\.gguf; name one of the files"):
        load_base(str(tmp_path))
    assert load_base(str(tmp_path / "b.gguf"), "cpu").dimension == WIDTH
    (tmp_path / "a.gguf").write_bytes(b"no such format")
    with pytest.raises(InputError, match=r"a\.gguf: is not a GGUF file"):
        load_base(str(tmp_path / "a.gguf"))
    (tmp_path / "a.gguf").write_bytes(file.read_bytes()[:3000])
    with pytest.raises(InputError, match=r"a\.gguf: cannot be loaded by transformers"):
        load_base(str(tmp_path / "a.gguf"))
    gemma3(tmp_path / "a.gguf", without="blk.1.ffn_up.weight")
    with pytest.raises(InputError, match=r"lacks 1 arrays of the model, layers\.1\.mlp\.up_proj"):
        load_base(str(tmp_path / "a.gguf"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="package gguf.*pip install gguf"):
        load_base(str(file))

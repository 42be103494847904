from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError, MissingResourceError
from retrofit.bases import load_base
from tests.support import tiny_models
from tests.support.tiny_models import TEXTS, WIDTH


@pytest.fixture(scope="module")
def xlmr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.xlmr(tmp_path_factory.mktemp("rows") / "xlmr")


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_e5_reads_query_before_each_sentence_and_bge_takes_cls(xlmr: Path) -> None:
    e5, bge = load_base(f"e5:{xlmr}", "cpu"), load_base(f"bge-m3:{xlmr}", "cpu")
    mean, cls = load_base(f"hf@mean:{xlmr}", "cpu"), load_base(f"hf@cls:{xlmr}", "cpu")
    expected = unit(mean.encode([f"query: {text}" for text in TEXTS]))
    np.testing.assert_allclose(e5.encode(TEXTS), expected, atol=1e-6)
    assert np.abs(e5.encode(TEXTS) - unit(mean.encode(TEXTS))).max() > 1e-3
    np.testing.assert_allclose(bge.encode(TEXTS), unit(cls.encode(TEXTS)), atol=1e-6)
    assert (e5.name, bge.name) == ("e5:xlmr", "bge-m3")


def test_the_command_that_converts_pickled_weights_gives_the_same_vectors(
    xlmr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from safetensors.torch import load_file

    published = tmp_path / "bge-m3"  # on the hub it has pytorch_model.bin alone
    shutil.copytree(xlmr, published)
    torch.save(load_file(published / "model.safetensors"), published / "pytorch_model.bin")
    (published / "model.safetensors").unlink()
    with pytest.raises(InputError, match="weights are pickled") as refused:
        load_base(f"bge-m3:{published}")
    command = re.search('python -c "(.*)" and give the folder (.*)', str(refused.value))
    assert command is not None
    monkeypatch.chdir(tmp_path)
    exec(command[1], {})
    found = load_base(f"bge-m3:{command[2]}", "cpu").encode(TEXTS)
    assert np.array_equal(found, load_base(f"bge-m3:{xlmr}", "cpu").encode(TEXTS))


def test_rows_that_were_not_fetched_name_their_models(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    models = {
        "e5": "intfloat/multilingual-e5-base",
        "e5:multilingual-e5-large": "intfloat/multilingual-e5-large",
        "bge-m3": "BAAI/bge-m3",
        "gte": "Alibaba-NLP/gte-multilingual-base",
    }
    for name, model in models.items():
        row = name.partition(":")[0]
        with pytest.raises(MissingResourceError, match=f"hf download {model}; or .* {row}:DIR"):
            load_base(name)


PUBLISHED = {
    "architectures": ["NewModel", "NewForTokenClassification"],
    "auto_map": {
        "AutoConfig": "Alibaba-NLP/new-impl--configuration.NewConfig",
        "AutoModel": "Alibaba-NLP/new-impl--modeling.NewModel",
    },
    "hidden_act": "gelu",
    "hidden_size": WIDTH,
    "intermediate_size": 24,
    "layer_norm_eps": 1e-12,
    "layer_norm_type": "layer_norm",
    "logn_attention_scale": False,
    "max_position_embeddings": 64,
    "model_type": "new",
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "pack_qkv": True,
    "pad_token_id": 1,
    "position_embedding_type": "rope",
    "rope_scaling": {"factor": 8.0, "type": "ntk"},
    "rope_theta": 20000,
    "torch_dtype": "float16",
    "type_vocab_size": 1,
    "unpad_inputs": False,
}
"""``config.json`` of gte-multilingual-base, with small numbers."""


@pytest.fixture(scope="module")
def gte(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, np.ndarray]]:
    """A folder with the names, the packing and the settings of the published one, and its arrays."""
    from safetensors.numpy import save_file

    folder = tmp_path_factory.mktemp("rows") / "gte"
    size = len(tiny_models.unigram(folder))
    random = np.random.default_rng(0)

    def array(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) * 0.3).astype(np.float32)

    arrays = {
        "embeddings.word_embeddings.weight": array(size, WIDTH),
        "embeddings.token_type_embeddings.weight": array(1, WIDTH),
        "embeddings.LayerNorm.weight": array(WIDTH) + 1,
        "embeddings.LayerNorm.bias": array(WIDTH),
    }
    for layer in range(2):
        inside = f"encoder.layer.{layer}"
        arrays |= {
            f"{inside}.attention.qkv_proj.weight": array(3 * WIDTH, WIDTH),
            f"{inside}.attention.qkv_proj.bias": array(3 * WIDTH),
            f"{inside}.attention.o_proj.weight": array(WIDTH, WIDTH),
            f"{inside}.attention.o_proj.bias": array(WIDTH),
            f"{inside}.mlp.up_gate_proj.weight": array(48, WIDTH),
            f"{inside}.mlp.down_proj.weight": array(WIDTH, 24),
            f"{inside}.mlp.down_proj.bias": array(WIDTH),
        }
        for norm in ("attn_ln", "mlp_ln"):
            arrays |= {f"{inside}.{norm}.weight": array(WIDTH) + 1, f"{inside}.{norm}.bias": array(WIDTH)}
    head = {"classifier.weight": array(1, WIDTH), "classifier.bias": array(1)}
    named = {f"new.{name}": value for name, value in arrays.items()}
    save_file({**named, **head}, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps({**PUBLISHED, "vocab_size": size}), "utf-8")
    return folder, {name: value.astype(np.float64) for name, value in arrays.items()}


def norm(x: np.ndarray, arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return centred / scale * arrays[f"{name}.weight"] + arrays[f"{name}.bias"]


def turned(x: np.ndarray) -> np.ndarray:
    """Rotate each half-pair of a head ``(T, d)`` by its place, with the frequencies of fixed NTK scaling."""
    width = x.shape[1]
    half = np.arange(0, width, 2) / width
    angles = np.outer(np.arange(len(x)), (8 * 20000.0) ** -half / 8 ** (2 / width))
    cos, sin = np.cos(angles), np.sin(angles)
    left, right = x[:, : width // 2], x[:, width // 2 :]
    return np.concatenate([left * cos - right * sin, right * cos + left * sin], axis=1)


def written_out(arrays: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """[CLS] of the published network, in float64, and unit length."""
    from scipy.special import erf, softmax

    x = arrays["embeddings.word_embeddings.weight"][ids] + arrays["embeddings.token_type_embeddings.weight"]
    x = norm(x, arrays, "embeddings.LayerNorm")
    for layer in range(2):
        inside = f"encoder.layer.{layer}"
        attention, mlp = f"{inside}.attention", f"{inside}.mlp"
        packed = x @ arrays[f"{attention}.qkv_proj.weight"].T + arrays[f"{attention}.qkv_proj.bias"]
        heads = []
        for head in range(2):
            q, k, v = (part[:, head * 8 : head * 8 + 8] for part in np.split(packed, 3, axis=1))
            heads.append(softmax(turned(q) @ turned(k).T / np.sqrt(8), axis=1) @ v)
        joined = np.concatenate(heads, axis=1)
        x = x + joined @ arrays[f"{attention}.o_proj.weight"].T + arrays[f"{attention}.o_proj.bias"]
        x = norm(x, arrays, f"{inside}.attn_ln")
        up, gate = np.split(x @ arrays[f"{mlp}.up_gate_proj.weight"].T, 2, axis=1)
        gelu = gate * (1 + erf(gate / np.sqrt(2))) / 2
        x = x + (gelu * up) @ arrays[f"{mlp}.down_proj.weight"].T + arrays[f"{mlp}.down_proj.bias"]
        x = norm(x, arrays, f"{inside}.mlp_ln")
    return x[0] / np.linalg.norm(x[0])


def test_gte_as_published_is_the_written_out_network_without_code_of_its_own(gte) -> None:
    from transformers import XLMRobertaTokenizer

    folder, arrays = gte
    base = load_base(f"gte:{folder}", "cpu")
    tokenizer = XLMRobertaTokenizer.from_pretrained(folder)
    expected = np.stack([written_out(arrays, tokenizer(text)["input_ids"]) for text in TEXTS])
    vectors = base.encode(TEXTS, batch_size=2)
    assert (base.name, vectors.dtype, vectors.shape) == ("gte", np.float32, (5, WIDTH))
    np.testing.assert_allclose(vectors, expected, atol=5e-6)
    np.testing.assert_allclose(base.encode(TEXTS, batch_size=64), vectors, atol=2e-6)


def test_gte_in_transformers_own_format_is_the_same(gte, tmp_path: Path) -> None:
    folder, _ = gte
    copy = tmp_path / "gte"
    shutil.copytree(folder, copy)
    settings = json.loads((copy / "config.json").read_text("utf-8"))
    for key in ("rope_scaling", "rope_theta", "auto_map", "architectures"):
        settings.pop(key)
    rope = {"rope_type": "linear", "rope_theta": 160000.0, "factor": 8 ** (2 / 8)}
    settings |= {"model_type": "gte", "rope_parameters": rope}
    (copy / "config.json").write_text(json.dumps(settings), "utf-8")
    ours, theirs = load_base(f"gte:{folder}", "cpu"), load_base(f"gte:{copy}", "cpu")
    assert np.array_equal(ours.encode(TEXTS), theirs.encode(TEXTS))


def test_settings_of_gte_that_transformers_cannot_do_are_refused(gte, monkeypatch, tmp_path: Path) -> None:
    folder, _ = gte
    copy = tmp_path / "gte"
    shutil.copytree(folder, copy)
    published = json.loads((copy / "config.json").read_text("utf-8"))
    cases = {
        "rope_scaling": ({"rope_scaling": {"type": "yarn", "factor": 2.0}}, "rope_scaling {'type': 'yarn'"),
        "positions": ({"position_embedding_type": "absolute"}, "does not have"),
        "widths": ({"hidden_size": None}, "has a wrong setting"),
    }
    for change, message in cases.values():
        (copy / "config.json").write_text(json.dumps({**published, **change}), "utf-8")
        with pytest.raises(InputError, match=message):
            load_base(f"gte:{copy}")
    monkeypatch.setattr("transformers.CONFIG_MAPPING", {"bert": None})
    with pytest.raises(InputError, match=r"code of its own, which is not run.*transformers>=5\.23"):
        load_base(f"gte:{folder}")

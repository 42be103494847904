"""A student as a second channel: loading, laws of its vectors, every command that takes one, its errors."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from amrx.errors import InputError
from amrx.types import Encoder
from retrofit.amr.tensor_files import read_weights
from retrofit.student.encoder import MOST, StudentEncoder, is_student, load_student, save_student
from retrofit.student.network import StudentNetwork
from tests.support.student_toys import BAGS, TINY, folder, muse, student

TEXTS = ["A dog runs in the park.", "Ein Hund läuft.", "", "كلب يركض في الحديقة.", "Go! " * 90]


__all__ = ["folder", "muse", "student"]


@pytest.mark.parametrize("bag", BAGS)
def test_vectors_follow_the_equations(bag: int, muse, tmp_path: Path):
    torch.manual_seed(2)
    save_student(tmp_path, StudentNetwork(dataclasses.replace(TINY, bag=bag)))
    w = {name: x.double().numpy() for name, x in read_weights(tmp_path / "model.safetensors").items()}
    made = load_student(tmp_path, shared=muse).encode(TEXTS[:4])

    def norm(name: str, x: np.ndarray) -> np.ndarray:
        return (x - x.mean()) / np.sqrt(x.var() + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def gelu(x: np.ndarray) -> np.ndarray:
        return torch.nn.functional.gelu(torch.from_numpy(x)).numpy()

    for text, vector in zip(TEXTS, made, strict=False):
        ids = muse[1].encode([text])[0]
        features = muse[0].token_features(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.bool))
        s = muse[0].sentence(features, torch.ones(1, len(ids)))[0].double().numpy()
        p = features[0].double().numpy().sum(0) / np.sqrt(len(ids))
        joined = np.concatenate([norm("features_norm", p), s * np.sqrt(512)])
        x = w["enter.weight"] @ joined + w["enter.bias"]
        if bag:
            words = [norm("bag.norm", e) for e in muse[0].embed(torch.tensor(ids)).double().numpy()]
            said = sum(gelu(w["bag.up.weight"] @ e + w["bag.up.bias"]) for e in words)
            x = x + w["enter_bag.weight"] @ norm("bag.sum_norm", said / np.sqrt(len(ids)))
        x = gelu(x)
        for layer in range(TINY.layers):
            b = f"layers.{layer}."
            inner = gelu(w[b + "up.weight"] @ norm(b + "norm", x) + w[b + "up.bias"])
            x = x + w[b + "down.weight"] @ inner + w[b + "down.bias"]
        y = w["out.weight"] @ norm("norm", x) + w["out.bias"] + w["shortcut.weight"] @ s
        assert vector == pytest.approx(y / np.linalg.norm(y), abs=5e-4)


def test_it_is_an_encoder_of_unit_vectors_in_order(student: StudentEncoder):
    assert isinstance(student, Encoder)
    vectors = student.encode(TEXTS)
    assert vectors.dtype == np.float32 and vectors.shape == (5, student.dimension) == (5, 12)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    assert student.encode([]).shape == (0, 12)
    assert student.encode(TEXTS[::-1])[::-1] == pytest.approx(vectors, abs=1e-5)


@pytest.mark.parametrize("batch_size", [1, 2, 64])
@pytest.mark.parametrize("bag", BAGS)
def test_a_vector_does_not_feel_its_batch(batch_size, bag, muse, tmp_path, monkeypatch):
    monkeypatch.setattr("retrofit.student.network.AT_ONCE", 2)
    save_student(tmp_path, StudentNetwork(dataclasses.replace(TINY, bag=bag)))
    student = load_student(tmp_path, shared=muse)
    alone = np.concatenate([student.encode([text]) for text in TEXTS])
    assert student.encode(TEXTS, batch_size=batch_size) == pytest.approx(alone, abs=1e-5)
    assert np.array_equal(student.encode(TEXTS), student.encode(TEXTS))


def test_a_long_sentence_is_cut(student: StudentEncoder, muse):
    assert len(muse[1].encode([TEXTS[4]])[0]) > MOST
    assert student.encode([TEXTS[4]]) == pytest.approx(student.encode([TEXTS[4] + "No?"]), abs=1e-6)


def test_matrices_are_saved_as_int8_and_the_fingerprint_tells_them(folder, student, muse, tmp_path):
    stored = load_file(folder / "model.safetensors")
    assert {str(x.dtype) for n, x in stored.items() if x.ndim == 2 and not n.endswith("_scale")} == {
        "torch.int8"
    }
    assert {str(x.dtype) for x in stored.values() if x.ndim == 1} == {"torch.float16"}
    torch.manual_seed(1)
    save_student(tmp_path / "encoder-tiny", StudentNetwork(TINY))
    other = load_student(tmp_path / "encoder-tiny", shared=muse)
    assert other.name == student.name == "tiny" and other.fingerprint != student.fingerprint
    assert load_student(folder, shared=muse).fingerprint == student.fingerprint


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"student": {"wide": 3}}', "unknown key 'wide'"),
        ('{"student": {"kind": "tokens"}}', "a student of kind 'tokens', which amrx cannot read"),
        (
            '{"student": {"width": 16, "kind": "pooled", "heads": 2, "inner": 16, "dimension": 5}}',
            "tensor 'out.weight' is",
        ),
        ('{"amrx": {}}', "it has no table 'student'"),
    ],
)
def test_a_damaged_folder_is_named(config, said, folder, tmp_path):
    (tmp_path / "config.json").write_text(config, "utf-8")
    (tmp_path / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    with pytest.raises(InputError, match=said) as caught:
        load_student(tmp_path)
    assert caught.value.file is not None and Path(caught.value.file).parent == tmp_path


def test_a_folder_without_config_is_named(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        is_student(tmp_path)

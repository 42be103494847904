"""A student as a second channel: loading, laws of its vectors, every command that takes one, its errors."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import InputError, OptionError
from amrx.muse.model import MuseModel, load_model
from amrx.muse.tokenize import MuseTokenizer
from amrx.types import Encoder
from retrofit import load
from retrofit.amr.weights import read_weights
from retrofit.bases import load_base
from retrofit.combine import RetrofittedEncoder, combine
from retrofit.fit import fit_on_stsb, stored_weights
from retrofit.load import load_amr
from retrofit.saved import load_saved
from retrofit.student.encoder import MOST, StudentEncoder, is_student, load_student, save_student
from retrofit.student.model import StudentNetwork
from retrofit.student.network import make_network
from retrofit.student.pooled import PooledNetwork
from retrofit.student.recipe import Shape
from tests.student_toys import DEV, muse, write_data
from tests.toy_parser import ToyParser

SHAPE = Shape(width=16, heads=2, inner=16, layers=2, dimension=12)
TEXTS = ["A dog runs in the park.", "Ein Hund läuft.", "", "كلب يركض في الحديقة.", "Go! " * 90]


__all__ = ["muse"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    place = tmp_path_factory.mktemp("models") / "encoder-tiny"
    save_student(place, StudentNetwork(SHAPE), "minilm")
    return place


@pytest.fixture(scope="module")
def student(folder: Path, muse: tuple[MuseModel, MuseTokenizer]) -> StudentEncoder:
    return load_student(folder, shared=muse)


def by_hand(folder: Path, muse: MuseModel, ids: list[int]) -> np.ndarray:
    """The equations of `retrofit.student.model`, one sentence and one head at a time, in float64."""
    w = {name: tensor.double().numpy() for name, tensor in read_weights(folder / "model.safetensors").items()}

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        return x @ w[f"{name}.weight"].T + w.get(f"{name}.bias", 0)

    def norm(name: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        unit = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return unit * w[f"{name}.weight"] + w[f"{name}.bias"]

    mask = torch.ones(1, len(ids), dtype=torch.bool)
    features = muse.token_features(torch.tensor([ids]), mask)
    s = muse.sentence(features, mask)[0].double().numpy()
    f, d = features[0].double().numpy(), SHAPE.width
    angle = np.arange(len(ids))[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    place = np.stack([np.sin(angle), np.cos(angle)], -1).reshape(len(ids), d)
    x = np.vstack(
        [linear("sentence", s * np.sqrt(512)), norm("features_norm", linear("features", f)) + place]
    )
    for layer in range(SHAPE.layers):
        b = f"blocks.{layer}."
        h = norm(b + "norms.0", x)
        q, kv = linear(b + "self_attention.query", h), linear(b + "self_attention.keys", h)
        mixed, size = [], d // SHAPE.heads
        for head in range(SHAPE.heads):
            part = slice(head * size, (head + 1) * size)
            scores = q[:, part] @ kv[:, part].T / np.sqrt(size)
            share = np.exp(scores - scores.max(1, keepdims=True))
            mixed.append(share / share.sum(1, keepdims=True) @ kv[:, d:][:, part])
        x = x + linear(b + "self_attention.out", np.hstack(mixed))
        up = torch.from_numpy(linear(b + "up", norm(b + "norms.1", x)))
        x = x + linear(b + "down", torch.nn.functional.gelu(up).numpy())
    x = norm("norm", x)
    y = linear("out", np.concatenate([x[0], x[1:].mean(0)])) + linear("shortcut", s)
    return y / np.linalg.norm(y)


def test_pooled_vectors_follow_the_equations(muse, tmp_path: Path):
    torch.manual_seed(2)
    save_student(tmp_path, PooledNetwork(dataclasses.replace(SHAPE, kind="pooled")), "minilm")
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
        x = gelu(w["enter.weight"] @ joined + w["enter.bias"])
        for layer in range(SHAPE.layers):
            b = f"layers.{layer}."
            inner = gelu(w[b + "up.weight"] @ norm(b + "norm", x) + w[b + "up.bias"])
            x = x + w[b + "down.weight"] @ inner + w[b + "down.bias"]
        y = w["out.weight"] @ norm("norm", x) + w["out.bias"] + w["shortcut.weight"] @ s
        assert vector == pytest.approx(y / np.linalg.norm(y), abs=5e-4)


@pytest.mark.parametrize("text", TEXTS[:4])
def test_vectors_follow_the_equations(text: str, student: StudentEncoder, folder: Path, muse):
    ids = muse[1].encode([text])[0]
    assert student.encode([text])[0] == pytest.approx(by_hand(folder, muse[0], ids), abs=2e-4)


def test_it_is_an_encoder_of_unit_vectors_in_order(student: StudentEncoder):
    assert isinstance(student, Encoder)
    vectors = student.encode(TEXTS)
    assert vectors.dtype == np.float32 and vectors.shape == (5, student.dimension) == (5, 12)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    assert student.encode([]).shape == (0, 12)
    assert student.encode(TEXTS[::-1])[::-1] == pytest.approx(vectors, abs=1e-5)


@pytest.mark.parametrize("batch_size", [1, 2, 64])
@pytest.mark.parametrize("kind", ["tokens", "pooled"])
def test_a_vector_does_not_feel_its_batch(batch_size: int, kind: str, muse, tmp_path: Path):
    save_student(tmp_path, make_network(dataclasses.replace(SHAPE, kind=kind)), "minilm")
    student = load_student(tmp_path, shared=muse)
    alone = np.concatenate([student.encode([text]) for text in TEXTS])
    assert student.encode(TEXTS, batch_size=batch_size) == pytest.approx(alone, abs=1e-5)
    assert np.array_equal(student.encode(TEXTS), student.encode(TEXTS))


def test_a_long_sentence_is_cut(student: StudentEncoder, muse):
    assert len(muse[1].encode([TEXTS[4]])[0]) > MOST
    assert student.encode([TEXTS[4]]) == pytest.approx(student.encode([TEXTS[4] + "No?"]), abs=1e-6)


def test_weights_are_saved_in_half_precision_and_the_fingerprint_tells_them(folder, student, muse, tmp_path):
    assert not read_weights(folder / "model.safetensors").keys() & {"positions"}
    torch.manual_seed(1)
    save_student(tmp_path / "encoder-tiny", StudentNetwork(SHAPE), "amr")
    other = load_student(tmp_path / "encoder-tiny", shared=muse)
    assert other.name == student.name == "tiny" and other.fingerprint != student.fingerprint
    assert load_student(folder, shared=muse).fingerprint == student.fingerprint


def test_beside_a_base_it_needs_no_parser_and_shares_its_model(folder: Path, monkeypatch):
    monkeypatch.setattr("parser.load", lambda name: pytest.fail("a parser was loaded"))
    loads = []
    real = load_model
    monkeypatch.setattr("amrx.muse.model.load_model", lambda *given: loads.append(given) or real(*given))
    encoder = load("muse", parser="no such parser", encoder=str(folder), weight=0.5)
    assert len(loads) == 1 and encoder.parser is None
    assert encoder.name == "muse+tiny" and encoder.dimension == 524
    base, side = encoder.base.encode(TEXTS), encoder.encoder.encode(TEXTS)
    made = encoder.encode(TEXTS, lang="en")
    assert made == pytest.approx(combine(base, side, weight=0.5), abs=1e-3)
    assert np.array_equal(encoder.with_weight(0).encode(TEXTS, lang="en"), base)
    assert encoder.fingerprint != encoder.with_weight(1).fingerprint
    assert encoder.encoder.fingerprint in encoder.fingerprint


def test_another_base_gets_a_student_with_a_model_of_its_own(folder: Path):
    base = load_base("muse")

    class Other:
        name, dimension, fingerprint = "other", 512, "other"
        encode = staticmethod(base.encode)

    made = RetrofittedEncoder(Other(), None, load_student(folder)).encode(["A dog."], lang="en")
    assert made == pytest.approx(load("muse", encoder=str(folder), weight=1.0).encode(["A dog."]), abs=1e-5)


def test_its_weight_is_fitted_and_remembered(folder, student, tmp_path, monkeypatch, capsys):
    data = write_data(tmp_path / "data")
    encoder = RetrofittedEncoder(load_base("muse"), None, student)
    fitted = fit_on_stsb(encoder, data)
    assert fitted.score >= fitted.base_score and len(DEV) == 3
    save_student(tmp_path / "mine", StudentNetwork(SHAPE), "minilm")
    (tmp_path / "s.txt").write_text("A dog.\n", "utf-8")
    command = ["retrofit", str(tmp_path / "s.txt"), "-o", str(tmp_path / "v.npy"), "--encoder",
               str(tmp_path / "mine")]  # fmt: skip
    assert main([*command, "--fit-weight", "--data", str(data)]) == 0
    stored = stored_weights(tmp_path / "mine")["muse"]
    assert f"weight {stored['weight']:g}" in capsys.readouterr().err
    assert load("muse", encoder=str(tmp_path / "mine")).weight == stored["weight"]


def test_a_saved_folder_holds_the_student(folder: Path, tmp_path: Path):
    encoder = load("muse", encoder=str(folder), weight=0.7)
    encoder.save(tmp_path / "saved")
    again = load_saved(tmp_path / "saved")
    assert again.parser is None and again.weight == 0.7
    assert np.array_equal(again.encode(TEXTS, lang="en"), encoder.encode(TEXTS, lang="en"))
    weights = tmp_path / "saved" / "encoder" / "encoder-tiny" / "model.safetensors"
    torch.manual_seed(5)
    save_student(weights.parent, StudentNetwork(SHAPE), "minilm")
    with pytest.raises(InputError, match="these are other weights"):
        load_saved(tmp_path / "saved")


def test_the_eval_command_scores_students_beside_the_base(folder, tmp_path, capsys):
    data = tmp_path / "data" / "sts" / "sts17"
    data.mkdir(parents=True)
    rows = [f"{a}\t{b}\t{score}\n" for a, b, score in DEV] * 84
    (data / "en-de.tsv").write_text("".join(rows[:250]), "utf-8")
    out = tmp_path / "rows.json"
    command = ["eval", "--tasks", "sts17", "--data", str(tmp_path / "data"), "--json", str(out)]
    assert main([*command, "--encoder", str(folder), "--weight", "0.3"]) == 0
    text = out.read_text("utf-8")
    assert "muse+tiny" in text and json.loads(text)
    assert "muse+tiny: AMR weight 0.3" in capsys.readouterr().err
    assert main([*command, "--encoder", "mini"]) == 2
    assert "they need --amr" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "A dog.", "Ein Hund.", "--encoder"], "tiny has no graphs: it reads sentences"),
        (
            ["eval", "--control", "amr", "--tasks", "stsb-dev", "--amr", "--encoder"],
            "is a student, which reads",
        ),
    ],
)
def test_what_needs_graphs_refuses_a_student(arguments, said, folder, capsys, tmp_path):
    extra = ["--data", str(write_data(tmp_path / "data"))] if arguments[0] == "eval" else []
    assert main([*arguments, str(folder), *extra]) == 2
    assert said in capsys.readouterr().err


def test_parser_and_encoder_must_fit(student: StudentEncoder):
    with pytest.raises(OptionError, match="tiny reads sentences, so that no parser belongs to it"):
        RetrofittedEncoder(load_base("muse"), ToyParser(), student)
    with pytest.raises(OptionError, match="reads graphs, which need a parser"):
        RetrofittedEncoder(load_base("muse"), None, load_amr("mini"))
    with pytest.raises(OptionError, match="has no graphs"):
        RetrofittedEncoder(load_base("muse"), None, student).parse(["A dog."], ["en"])
    with pytest.raises(OptionError, match="has no vectors of graphs"):
        RetrofittedEncoder(load_base("muse"), None, student).encode_parses([])


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("{", "is no encoder's config"),
        ("[]", "is no encoder's config"),
        ('{"student": {"wide": 3}}', "unknown key 'wide'"),
        ('{"student": {"width": 16, "heads": 2, "inner": 16, "dimension": 5}}', "tensor 'out.weight' is"),
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

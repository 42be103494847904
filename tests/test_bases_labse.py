from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import MissingResourceError
from retrofit.bases import load_base
from tests.support.tiny_models import TEXTS, WIDTH, as_published, sentence_model
from tests.support.toy_parser import ToyParser
from tests.support.vector_files import read_vectors


@pytest.fixture(scope="module")
def labse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentence_model(tmp_path_factory.mktemp("labse"), labse=True)


def written_out(folder: Path, text: str) -> np.ndarray:
    """normalise(tanh(W [CLS] + b)), in float64 from the saved arrays on."""
    import torch
    from safetensors.numpy import load_file
    from transformers import AutoTokenizer, BertModel

    bert = BertModel.from_pretrained(folder, dtype=torch.float64).eval()
    with torch.inference_mode():
        ids = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
        cls = bert(**ids).last_hidden_state[0, 0].numpy()
    dense = load_file(folder / "2_Dense" / "model.safetensors")
    weight, bias = (dense[f"linear.{name}"].astype(np.float64) for name in ("weight", "bias"))
    vector = np.tanh(weight @ cls + bias)
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("published", [False, True])
def test_labse_is_cls_dense_tanh_and_unit_length(labse: Path, tmp_path: Path, published: bool) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(labse, folder)
    if published:
        as_published(folder)
    base = load_base(f"labse:{folder}", "cpu")
    vectors = base.encode(TEXTS, batch_size=2)
    assert (base.name, base.dimension, vectors.dtype) == ("labse", WIDTH, np.float32)
    expected = np.stack([written_out(folder, text) for text in TEXTS])
    np.testing.assert_allclose(vectors, expected, atol=2e-6)
    np.testing.assert_allclose(base.encode(TEXTS, batch_size=64), vectors, atol=2e-6)


def test_labse_unscaled_is_the_pooler_of_the_released_evaluation(labse: Path) -> None:
    """test_labse.sh of MSE-AMR: `--pooler simcse_sup` is tanh(W [CLS] + b), which is not normalised."""
    raw, unit = load_base(f"labse@unscaled:{labse}", "cpu"), load_base(f"labse:{labse}", "cpu")
    vectors = raw.encode(TEXTS)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    assert np.abs(lengths - 1).max() > 0.1
    np.testing.assert_allclose(vectors / lengths, unit.encode(TEXTS), atol=2e-6)
    assert raw.name == "labse@unscaled" and raw.fingerprint != unit.fingerprint
    short = load_base(f"labse@4:{labse}", "cpu")
    assert short.name == "labse@4"
    assert np.array_equal(short.encode(["the boy wants to go"]), short.encode(["the boy girl"]))


def test_xpara_is_mean_pooled_under_its_name(tmp_path: Path) -> None:
    folder = sentence_model(tmp_path, labse=False)
    xpara, plain = load_base(f"xpara:{folder}", "cpu"), load_base(str(folder), "cpu")
    assert xpara.name == "xpara" and xpara.fingerprint.partition(":")[2] == plain.fingerprint.split(":")[2]
    assert np.array_equal(xpara.encode(TEXTS), plain.encode(TEXTS))


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("labse", "sentence-transformers/LaBSE"),
        ("xpara", "sentence-transformers/paraphrase-xlm-r-multilingual-v1"),
    ],
)
def test_weights_that_were_not_fetched_name_command_and_folder(monkeypatch, tmp_path, name, model) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingResourceError, match=rf"weights of {model}; .*{model}; or .* {name}:DIR"):
        load_base(name)
    with pytest.raises(MissingResourceError, match=rf"hf download {model} --local-dir no/such$"):
        load_base(f"{name}:no/such")


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    file = tmp_path / "in.txt"
    file.write_text("the boy wants to go .\na girl\n", "utf-8")
    return file


def test_the_command_retrofits_a_folder_of_labse(
    labse: Path, toy: ToyParser, sentences: Path, tmp_path: Path
) -> None:
    command = ["retrofit", "--base", f"labse:{labse}", "--parser", "toy", "--lang", "en", str(sentences)]
    assert main([*command, "-o", str(tmp_path / "v.npy")]) == 0
    assert main([*command, "-o", str(tmp_path / "w.npy"), "--weight", "0"]) == 0
    ids, joined = read_vectors(tmp_path / "v.npy")
    _, alone = read_vectors(tmp_path / "w.npy")
    assert ids == ["1", "2"] and alone.shape == (2, WIDTH) and joined.shape[1] > WIDTH
    np.testing.assert_allclose(joined[:, :WIDTH], alone, atol=1e-6)
    np.testing.assert_allclose(alone[0], written_out(labse, "the boy wants to go ."), atol=2e-6)


def test_without_weights_the_command_ends_in_one_line_and_writes_nothing(
    sentences: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    out = tmp_path / "v.npy"
    assert main(["retrofit", "--base", "labse", "--lang", "en", str(sentences), "-o", str(out)]) == 2
    error = capsys.readouterr().err
    assert error == (
        "amrx: error: missing on this machine: weights of sentence-transformers/LaBSE; fetch: "
        "hf download sentence-transformers/LaBSE; or give a local copy with labse:DIR\n"
    )
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.txt"]

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.types import Encoder
from retrofit.bases import load_base
from retrofit.bases.pooling import POOLINGS, read_pooling
from tests.support import tiny_models
from tests.support.tiny_models import TEXTS, WIDTH


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.bert(tmp_path_factory.mktemp("hf") / "bert")


@pytest.fixture(scope="module")
def xlmr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.xlmr(tmp_path_factory.mktemp("hf") / "xlmr")


def slow(folder: Path, pooling: str, texts: list[str]) -> np.ndarray:
    """One sentence at a time, unpadded, in float64, pooled token by token."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder, dtype=torch.float64).eval(), None
    tokenizer = AutoTokenizer.from_pretrained(folder)
    rows = []
    for text in texts:
        ids = tokenizer(text)["input_ids"] or [tokenizer.eos_token_id]
        with torch.inference_mode():
            found = model(input_ids=torch.tensor([ids]), output_hidden_states=True)
        embedded, first, last = (found.hidden_states[layer][0].numpy() for layer in (0, 1, -1))
        if pooling == "cls":
            rows.append(last[0])
        elif pooling == "last":
            rows.append(last[len(ids) - 1])
        else:
            total = np.zeros(WIDTH)
            for place in range(len(ids)):
                other = {"first-last": first, "embeddings-last": embedded}.get(pooling, last)
                total += (other[place] + last[place]) / 2
            rows.append(total / len(ids))
    return np.stack(rows)


@pytest.mark.parametrize("pooling", POOLINGS)
@pytest.mark.parametrize("kind", ["bert", "xlmr"])
def test_every_pooling_is_that_of_the_slow_reference_for_every_batch_size(
    kind: str, pooling: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(kind)
    base = load_base(f"hf@{pooling}:{folder}", "cpu")
    assert isinstance(base, Encoder)
    vectors = base.encode(TEXTS, lang="en", batch_size=2)
    assert (vectors.dtype, vectors.shape, base.dimension) == (np.float32, (5, WIDTH), WIDTH)
    np.testing.assert_allclose(vectors, slow(folder, pooling, TEXTS), atol=2e-6)
    for size in (1, 3, 64):
        np.testing.assert_allclose(base.encode(TEXTS, batch_size=size), vectors, atol=1e-6)
    assert base.encode([]).shape == (0, WIDTH)


def test_a_number_of_pieces_cuts_every_input(bert: Path) -> None:
    """mSimCSE's scripts encode with max_length=32, special tokens included."""
    from transformers import AutoTokenizer

    long = "the boy wants to go and the girl wants to go"
    cut, whole = load_base(f"hf@cls@6:{bert}", "cpu"), load_base(f"hf@cls:{bert}", "cpu")
    ids = AutoTokenizer.from_pretrained(bert)(long, truncation=True, max_length=6)["input_ids"]
    assert len(ids) == 6
    pieces = AutoTokenizer.from_pretrained(bert).decode(ids[1:-1])
    np.testing.assert_allclose(cut.encode([long]), whole.encode([pieces]), atol=1e-6)
    assert np.abs(cut.encode([long]) - whole.encode([long])).max() > 1e-3
    assert (cut.name, cut.cut.limit, cut.cut.count) == ("hf@cls@6:bert", 6, 2)
    assert cut.fingerprint != whole.fingerprint
    with pytest.raises(OptionError, match=r"'hf@cls@9999:bert' reads at most \d+ pieces, got 9999"):
        load_base(f"hf@cls@9999:{bert}", "cpu")


def test_a_decoder_is_pooled_at_its_last_real_token(tmp_path: Path) -> None:
    folder = tiny_models.gpt2(tmp_path / "gpt2")
    base = load_base(f"hf@last:{folder}", "cpu")
    texts = ["the boy", "a", "", "the girl wants to go"]
    np.testing.assert_allclose(base.encode(texts), slow(folder, "last", texts), atol=2e-6)


def test_weights_saved_in_half_precision_are_computed_in_float32(bert: Path, tmp_path: Path) -> None:
    import torch
    from transformers import BertModel

    half = tmp_path / "half"
    shutil.copytree(bert, half)
    BertModel.from_pretrained(bert, dtype=torch.bfloat16).save_pretrained(half)
    vectors = load_base(f"hf:{half}", "cpu").encode(TEXTS)
    np.testing.assert_allclose(vectors, slow(half, "mean", TEXTS), atol=2e-6)
    assert np.abs(vectors - slow(bert, "mean", TEXTS)).max() > 1e-5


@pytest.mark.parametrize("kind", ["bert", "xlmr"])
def test_what_is_too_long_is_cut_at_the_models_32_places(kind: str, request: pytest.FixtureRequest) -> None:
    base = load_base(f"hf:{request.getfixturevalue(kind)}", "cpu")
    longest, longer, shorter = base.encode(["a " * 30, "a " * 300, "a " * 29])
    assert np.array_equal(longest, longer) and np.abs(longest - shorter).max() > 1e-4


def test_names_tell_model_and_pooling(bert: Path, xlmr: Path) -> None:
    names = {
        f"hf:{bert}": "hf:bert",
        f"hf@cls:{bert}": "hf@cls:bert",
        str(bert): "hf:bert",
        f"mbert:{bert}": "mbert",
        f"mbert@mean:{bert}": "mbert",
        f"mbert@first-last:{bert}": "mbert@first-last",
        f"xlmr:{xlmr}": "xlmr:xlmr",
    }
    bases = {name: load_base(name, "cpu") for name in names}
    assert {name: base.name for name, base in bases.items()} == names
    assert bases[f"mbert:{bert}"].fingerprint != bases[f"mbert@first-last:{bert}"].fingerprint
    mean, named = bases[f"hf:{bert}"].encode(TEXTS), bases[f"mbert:{bert}"].encode(TEXTS)
    assert np.array_equal(mean, named)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("muse@cls", r"takes no pooling; write muse\[:DIR\]"),
        ("hf@max:x", "unknown pooling 'max'; choose from cls, mean, last, first-last"),
        ("hf@:x", "unknown pooling ''"),
        ("labse@cls:x", "unknown pooling 'cls'; choose from unscaled"),
        ("hf@cls@mean:x", "has a setting twice; write NAME"),
        ("hf@32@16:x", "has a setting twice; write NAME"),
        ("hf@2:x", "pieces must be at least 3, got 2"),
        ("muse@32", r"takes no number of pieces; write muse\[:DIR\]"),
        ("hf", r"names no model; write hf\[@POOLING\]:ID_OR_DIR"),
        ("mbertt", "did you mean 'mbert'"),
    ],
)
def test_a_wrong_pooling_says_what_is_right(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load_base(name)


@pytest.mark.parametrize("published", [False, True])
def test_pooling_is_read_from_a_folder_that_tells_it(tmp_path: Path, published: bool) -> None:
    plain = tiny_models.sentence_model(tmp_path, labse=False)
    labse = tiny_models.sentence_model(tmp_path, labse=True)
    if published:
        tiny_models.as_published(plain)
        tiny_models.as_published(labse)
    assert read_pooling(plain) == ("mean", False)
    with pytest.raises(InputError, match="module 'Dense'; load it as st:"):
        read_pooling(labse)
    settings = plain / "1_Pooling" / "config.json"
    for mode, key, ours in [("cls", "cls_token", "cls"), ("lasttoken", "lasttoken", "last")]:
        told = {f"pooling_mode_{key}": True} if published else {"pooling_mode": mode}
        settings.write_text(json.dumps(told), "utf-8")
        assert read_pooling(plain) == (ours, False)
    for wrong in ({"pooling_mode": "max"}, {"pooling_mode": ["cls", "mean"]}, {}, []):
        settings.write_text(json.dumps(wrong), "utf-8")
        with pytest.raises(InputError, match="pooling"):
            read_pooling(plain)


def test_a_model_that_was_not_fetched_names_the_command(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    wanted = {
        "hf:org/model-7": "hf download org/model-7; .* hf:DIR",
        "mbert": "hf download google-bert/bert-base-multilingual-cased; .* mbert:DIR",
        "xlmr@first-last": "hf download FacebookAI/xlm-roberta-base; .* xlmr:DIR",
        "xlmr:xlm-roberta-large": "hf download FacebookAI/xlm-roberta-large; .* xlmr:DIR",
    }
    for name, message in wanted.items():
        with pytest.raises(MissingResourceError, match=message):
            load_base(name)


def test_a_model_in_the_hubs_cache_is_found_with_and_without_its_owner(
    bert: Path, monkeypatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    for repository in ("models--FacebookAI--xlm-roberta-base", "models--bert-base-multilingual-cased"):
        shutil.copytree(bert, tmp_path / repository / "snapshots" / "0123abc")
        (tmp_path / repository / "refs").mkdir()
        (tmp_path / repository / "refs" / "main").write_text("0123abc")
    for name in ("xlmr", "xlmr:xlm-roberta-base", "hf:FacebookAI/xlm-roberta-base", "mbert"):
        assert load_base(name, "cpu").name == name
    with pytest.raises(MissingResourceError):
        load_base("hf:someone/bert-base-multilingual-cased")


def test_folders_that_are_no_model_are_refused(bert: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    copy = tmp_path / "model"
    shutil.copytree(bert, copy)
    weights = load_file(copy / "model.safetensors")
    removed = weights.pop("encoder.layer.1.output.dense.weight")
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lacks 1 arrays .* encoder\.layer\.1\.output\.dense\.weight first"):
        load_base(str(copy))
    weights["encoder.layer.1.output.dense.weight"] = removed[:, :-1].copy()
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"has 1 arrays of another shape .* \(16, 31\) in the file"):
        load_base(str(copy))
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"pytorch_model\.bin: weights are pickled; .*save_pretrained"):
        load_base(str(copy))
    (copy / "pytorch_model.bin").unlink()
    with pytest.raises(MissingResourceError, match="weights of the model"):
        load_base(str(copy))
    (copy / "model.safetensors").touch()
    settings = copy / "config.json"
    settings.write_text(json.dumps({"model_type": "evil", "auto_map": {"AutoModel": "evil.Model"}}), "utf-8")
    with pytest.raises(InputError, match="model type 'evil' is unknown .* not run"):
        load_base(str(copy))
    settings.write_text("[", "utf-8")
    with pytest.raises(InputError, match="is not JSON"):
        load_base(str(copy))
    settings.unlink()
    with pytest.raises(InputError, match="is this a transformers model"):
        load_base(f"hf:{copy}")


def test_a_tokenizer_of_another_model_is_refused(bert: Path, xlmr: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed"
    shutil.copytree(bert, mixed)
    for file in xlmr.glob("tokenizer*"):
        shutil.copy(file, mixed)
    with pytest.raises(InputError, match="more than the model"):
        load_base(f"hf:{mixed}")


def test_a_lone_surrogate_is_named(bert: Path) -> None:
    with pytest.raises(InputError, match="sentence 2 holds a lone surrogate"):
        load_base(f"hf:{bert}", "cpu").encode(["a", "b\ud800"])

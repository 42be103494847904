from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.types import Encoder
from retrofit.bases import load_base

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "boy", "wants", "to", "go", "a", "girl", "."]
TEXTS = ["the boy wants to go .", "a girl", "the", "", "a boy wants a girl to go ."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real BERT of random weights, saved by sentence-transformers itself."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    root = tmp_path_factory.mktemp("hub")
    (root / "vocab.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=32,
    )  # fmt: skip
    BertModel(config).save_pretrained(root / "bert")
    BertTokenizer(vocab=str(root / "vocab.txt")).save_pretrained(root / "bert")
    transformer = Transformer(str(root / "bert"), max_seq_length=32)
    model = SentenceTransformer(modules=[transformer, Pooling(16, pooling_mode="mean")], device="cpu")
    model.save(str(root / "tiny"), create_model_card=False)
    return root / "tiny"


def mean_pooled(folder: Path, text: str) -> np.ndarray:
    """The same vector without sentence-transformers."""
    import torch
    from transformers import AutoTokenizer, BertModel

    tokenizer, bert = AutoTokenizer.from_pretrained(folder), BertModel.from_pretrained(folder).eval()
    assert len(tokenizer) == len(WORDS)
    with torch.inference_mode():
        states = bert(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
    return states.mean(dim=0).numpy()


def test_vectors_are_the_mean_pooled_states_in_order(folder: Path) -> None:
    base = load_base(f"st:{folder}", "cpu")
    vectors = base.encode(TEXTS, lang="en", batch_size=2)
    assert isinstance(base, Encoder)
    assert (vectors.dtype, vectors.shape, base.dimension) == (np.float32, (5, 16), 16)
    for text, vector in zip(TEXTS, vectors, strict=True):
        np.testing.assert_allclose(vector, mean_pooled(folder, text), atol=1e-5)
    assert base.encode([]).shape == (0, 16)


def test_a_plain_folder_is_a_model_and_its_fingerprint_follows_the_weights(
    folder: Path, tmp_path: Path
) -> None:
    from safetensors.numpy import load_file, save_file

    plain, prefixed = load_base(str(folder), "cpu"), load_base(f"st:{folder}", "cpu")
    assert plain.fingerprint == prefixed.fingerprint
    assert plain.name == f"st:{folder.name}"
    other = tmp_path / folder.name
    shutil.copytree(folder, other)
    assert load_base(str(other), "cpu").fingerprint == plain.fingerprint
    weights = load_file(other / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][5, :3] += 1
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    changed = load_base(str(other), "cpu")
    assert changed.fingerprint != plain.fingerprint
    assert not np.allclose(changed.encode(["the"]), plain.encode(["the"]))


def test_a_model_that_was_not_fetched_names_the_command(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    ids = {"LaBSE": "sentence-transformers/LaBSE", "org/no-model-7": "org/no-model-7"}
    for name, full in ids.items():
        with pytest.raises(MissingResourceError, match=rf"hf download {full}; or .* st:DIR"):
            load_base(f"st:{name}")
    with pytest.raises(MissingResourceError, match="hf download"):
        load_base("st:no/such/folder/here")


def test_pickled_weights_and_foreign_code_are_refused(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(folder, copy)
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"pytorch_model\.bin: weights are pickled"):
        load_base(str(copy))
    (copy / "pytorch_model.bin").unlink()
    with pytest.raises(InputError, match="cannot be loaded"):
        load_base(str(copy))
    modules = [{"idx": 0, "name": "0", "path": "", "type": "evil.Module"}]
    (copy / "modules.json").write_text(json.dumps(modules), "utf-8")
    with pytest.raises(InputError, match=r"evil\.Module.*not run"):
        load_base(str(copy))
    (copy / "modules.json").write_text("{}[", "utf-8")
    with pytest.raises(InputError, match="not a list of modules"):
        load_base(str(copy))
    (copy / "modules.json").unlink()
    with pytest.raises(InputError, match="is this a sentence-transformers model"):
        load_base(f"st:{copy}")


def test_the_fingerprint_is_of_every_file_through_links_whatever_folders_are_called(
    folder: Path, tmp_path: Path
) -> None:
    from amrx.pretrained.hub import hash_model

    model, other = tmp_path / "model", tmp_path / "elsewhere"
    shutil.copytree(folder, model)
    (model / "1_Pooling").rename(other)
    (model / "1_Pooling").symlink_to(other, target_is_directory=True)
    (model / "training").mkdir()  # a module's folder may have this name
    (model / "training" / "weights.npy").write_bytes(b"0")
    (model / "loop").symlink_to(model, target_is_directory=True)
    before = hash_model(model)
    files = [
        path for path in [*model.rglob("*"), *other.iterdir()] if path.is_file() and path.suffix != ".md"
    ]
    assert len(files) > 6
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole + b" ")
        assert hash_model(model) != before, file
        file.write_bytes(whole)
    assert hash_model(model) == before
    (model / "training" / "run.key").write_text("a run's state")
    state = hash_model(model)
    (model / "training" / "weights.npy").write_bytes(b"1")
    assert hash_model(model) == state

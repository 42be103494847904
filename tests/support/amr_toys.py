"""A tiny backbone, corpus and recipe for trainings of the AMR encoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from retrofit.training.amr.recipe import Contrast, Distill, Foils, ModelPart, Recipe

ANIMALS = ["dog", "cat", "bird", "cow", "pig", "hen", "fox", "owl"]
SIZES = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}


@pytest.fixture(scope="module")
def backbone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of random weights with a vocabulary of letters."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789()-.:"
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *(f"##{x}" for x in letters[:36]),
        "boy",
    ]
    tokenizer = Tokenizer(models.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens(pieces[:5])
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(pieces), max_position_embeddings=64, **SIZES)
    folder = tmp_path_factory.mktemp("backbone")
    save_file(BertModel(config, add_pooling_layer=False).state_dict(), folder / "model.safetensors")
    (folder / "config.json").write_text(config.to_json_string())
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Who sees whom, in two languages, with triplets, pairs and dev pairs."""
    folder = tmp_path_factory.mktemp("corpus")
    files: dict[str, list[dict[str, object]]] = {
        name: [] for name in ("sentences", "parses", "triplets", "pairs")
    }
    for group in range(24):
        who, whom = ANIMALS[group % 8], ANIMALS[(group * 3 + 1) % 8]
        for lang in ("en", "de"):
            number = len(files["sentences"])
            files["sentences"].append(
                {"id": number, "group": group, "lang": lang, "text": f"the {who} sees the {whom}"}
            )
            tokens = f"( see-01 :ARG0 ( {who} ) :ARG1 ( {whom} {':mod ( wild )' * (lang == 'de')} ) )"
            files["parses"].append({"id": number, "tokens": " ".join(tokens.split()), "status": "ok"})
        other = (group + 5) % 24
        files["triplets"].append({"premise": group, "entailment": group, "contradiction": other})
        files["pairs"].append({"a": group, "b": other, "score": None if group % 3 == 0 else group / 24})
    dev = [{**row, "id": row["id"]} for row in files["sentences"][:16]]
    files |= {
        "dev_sentences": dev,
        "dev_parses": files["parses"][:16],
        "dev_pairs": [{"a": i, "b": i + 3, "score": (i * 7) % 5, "lang": "de"} for i in range(12)],
    }
    for stem, records in files.items():
        (folder / f"{stem}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


@pytest.fixture
def recipe(backbone: Path) -> Recipe:
    return Recipe(
        seed=3, steps=6, learning_rate=1e-3, warmup=2, precision="fp32", chunk_tokens=256,
        evaluate_every=2, checkpoint_every=2, languages={"en": 1.0, "de": 2.0},
        model=ModelPart(backbone=str(backbone), max_tokens=32, min_frame_count=1, storage="float32"),
        nli=Contrast(1.0, 4), pairs=Contrast(0.5, 6), graded=Contrast(0.1, 6),
        distill=Distill(1.0, 8, teacher=str(backbone)), foils=Foils(0.5, weight=0.5),
    )  # fmt: skip

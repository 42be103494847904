"""Tiny models of random weights, of the real architectures, saved in the real file formats."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "boy", "wants", "to", "go", "a", "girl", "."]
TEXTS = ["the boy wants to go .", "a girl", "the", "", "a boy wants a girl to go ."]
WIDTH = 16


def bert(folder: Path) -> Path:
    """A BERT with its tokenizer, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    words = folder.with_suffix(".txt")
    words.write_text("\n".join(WORDS) + "\n", "utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=32,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    BertTokenizer(vocab=str(words)).save_pretrained(folder)
    return folder


def sentence_model(root: Path, *, labse: bool) -> Path:
    """A BERT in sentence-transformers' format: mean pooling, or LaBSE's cls, dense, tanh and unit length."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer

    torch.manual_seed(1)
    modules = [Transformer(str(bert(root / "bert")), max_seq_length=32)]
    modules += [Pooling(WIDTH, pooling_mode="cls" if labse else "mean")]
    if labse:
        modules += [Dense(WIDTH, WIDTH, activation_function=torch.nn.Tanh()), Normalize()]
    folder = root / ("labse" if labse else "tiny")
    SentenceTransformer(modules=modules, device="cpu").save(str(folder), create_model_card=False)
    return folder


def as_published(folder: Path) -> None:
    """Write the settings as the models of 2021 on the hub still have them."""
    listing = folder / "modules.json"
    rows = json.loads(listing.read_text("utf-8"))
    for row in rows:
        row["type"] = f"sentence_transformers.models.{row['type'].rpartition('.')[2]}"
    listing.write_text(json.dumps(rows), "utf-8")
    pooling = folder / "1_Pooling" / "config.json"
    mode = json.loads(pooling.read_text("utf-8"))["pooling_mode"]
    old = {"cls": "cls_token", "mean": "mean_tokens", "lasttoken": "lasttoken", "max": "max_tokens"}
    flags = {f"pooling_mode_{key}": name == mode for name, key in old.items()}
    pooling.write_text(json.dumps({"word_embedding_dimension": WIDTH, **flags}), "utf-8")
    settings = {"max_seq_length": 32, "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(settings), "utf-8")


def xlmr(folder: Path) -> Path:
    """An XLM-R with its unigram tokenizer, saved with the head it was trained with and without a pooler."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForMaskedLM

    tokenizer = unigram(folder)
    torch.manual_seed(2)
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer), hidden_size=WIDTH, num_hidden_layers=3, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=34, type_vocab_size=1, pad_token_id=1,
    )  # fmt: skip
    XLMRobertaForMaskedLM(config).save_pretrained(folder)
    return folder


def unigram(folder: Path):
    """XLM-R's tokenizer over a few words and all letters, saved into the folder."""
    from transformers import XLMRobertaTokenizer

    words = [f"▁{word}" for word in WORDS[5:]] + ["▁query", ":", "▁"] + list("abcdefghijklmnopqrstuvwxyz")
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *words, "<mask>"]
    tokenizer = XLMRobertaTokenizer(vocab=[(piece, -float(len(pieces) > 5)) for piece in pieces])
    tokenizer.save_pretrained(folder)
    return tokenizer


def gpt2(folder: Path) -> Path:
    """A decoder whose tokenizer has no padding and gives an empty sentence no token."""
    import torch
    from transformers import GPT2Config, GPT2Model, GPT2Tokenizer

    letters = ["<|endoftext|>", "Ġ", ".", *"abcdefghijklmnopqrstuvwxyz"]
    vocabulary = {letter: place for place, letter in enumerate([*letters, "th", "the"])}
    GPT2Tokenizer(vocab=vocabulary, merges=[("t", "h"), ("th", "e")]).save_pretrained(folder)
    torch.manual_seed(3)
    config = GPT2Config(vocab_size=len(vocabulary), n_embd=WIDTH, n_layer=2, n_head=2, n_positions=64)
    GPT2Model(config).save_pretrained(folder)
    return folder

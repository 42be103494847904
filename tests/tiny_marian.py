"""Tiny Marian models with their real tokenizer files."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

from tests.tiny_seq2seq import sentencepiece_model

PAIRS = {
    "The boy goes.": "Der Junge geht.",
    "The girl does not see the dog.": "Das Mädchen sieht den Hund nicht.",
    "Two dogs sleep in the house.": "Zwei Hunde schlafen im Haus.",
    "Yes.": "Ja.",
}


def save(folder: Path, pairs=PAIRS, *, marks=(), steps: int = 0, seed: int = 0) -> Path:
    """Write a model of ``pairs`` as OPUS-MT is published; ``steps`` of training, or random weights."""
    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder.mkdir(parents=True)
    pieces: dict[str, int] = {"</s>": 0, "<unk>": 1}
    for name, texts in (("source", pairs.keys()), ("target", pairs.values())):
        proto = sentencepiece_model(texts, vocab_size=60)
        (folder / f"{name}.spm").write_bytes(proto)
        learnt = sentencepiece.SentencePieceProcessor(model_proto=proto)
        for row in range(len(learnt)):
            pieces.setdefault(learnt.id_to_piece(row), len(pieces))
    for mark in (*marks, "<pad>"):
        pieces[mark] = len(pieces)
    (folder / "vocab.json").write_text(json.dumps(pieces, ensure_ascii=False), "utf-8")
    (folder / "tokenizer_config.json").write_text('{"source_lang": "eng", "target_lang": "deu"}')
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
        tokenizer = MarianTokenizer.from_pretrained(folder)
    pad = pieces["<pad>"]
    torch.manual_seed(seed)
    model = MarianMTModel(
        MarianConfig(
            vocab_size=len(pieces), decoder_vocab_size=len(pieces), d_model=32, encoder_layers=1,
            decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64,
            decoder_ffn_dim=64, max_position_embeddings=64, init_std=0.05 if steps else 0.5, dropout=0.0,
            pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad, forced_eos_token_id=0,
            scale_embedding=True,
        )
    )  # fmt: skip
    if steps:
        _train(model, tokenizer, pairs, pad, steps)
    model.save_pretrained(folder)
    return folder


def _train(model, tokenizer, pairs, pad: int, steps: int) -> None:
    import torch

    batch = tokenizer(list(pairs), text_target=list(pairs.values()), return_tensors="pt", padding=True)
    labels = batch["labels"].masked_fill(batch["labels"] == pad, -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=8e-3)
    model.train()
    for _ in range(steps):
        loss = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()


def lines(folder: Path) -> dict[str, list]:
    files = sorted(folder.rglob("*.jsonl"))
    return {
        str(file.relative_to(folder)): [json.loads(line) for line in file.read_text().splitlines()]
        for file in files
    }

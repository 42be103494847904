"""Tiny Marian models with their real tokenizer files."""

from __future__ import annotations

import gzip
import json
import re
import warnings
from collections import Counter
from pathlib import Path

from tests.support.tiny_seq2seq import sentencepiece_model

PAIRS = {
    "The boy goes.": "Der Junge geht.",
    "The girl does not see the dog.": "Das Mädchen sieht den Hund nicht.",
    "Two dogs sleep in the house.": "Zwei Hunde schlafen im Haus.",
    "Yes.": "Ja.",
}


def open_pairs(file: Path, words: int = 100) -> dict[str, str]:
    """Return the short pairs of a Tatoeba file made of its most frequent words; the first of each."""
    with gzip.open(file, "rt", encoding="utf-8-sig") as stream:
        rows = [line.rstrip("\n").split("\t")[:2] for line in stream]
    short = [(one, other) for one, other in rows if len(one.split()) <= 4 and len(other.split()) <= 5]
    sides = [[set(re.findall(r"\w+|[^\w\s]", text)) for text in side] for side in zip(*short, strict=True)]
    counted = [Counter(word for own in side for word in own) for side in sides]
    sizes = words, words * 3 // 2
    known = [{word for word, _ in count.most_common(n)} for count, n in zip(counted, sizes, strict=True)]
    chosen: dict[str, str] = {}
    for (one, other), own, others in zip(short, *sides, strict=True):
        if own <= known[0] and others <= known[1] and " " in one:
            chosen.setdefault(one, other)
    return chosen


def save(
    folder: Path,
    pairs=PAIRS,
    *,
    marks=(),
    steps: int = 0,
    seed: int = 0,
    width: int = 32,
    pieces_of: int = 60,
) -> Path:
    """Write a model of ``pairs`` as OPUS-MT is published; ``steps`` of training, or random weights."""
    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder.mkdir(parents=True)
    pieces: dict[str, int] = {"</s>": 0, "<unk>": 1}
    for name, texts in (("source", pairs.keys()), ("target", pairs.values())):
        proto = sentencepiece_model(texts, vocab_size=pieces_of)
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
            vocab_size=len(pieces), decoder_vocab_size=len(pieces), d_model=width, encoder_layers=1,
            decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=2 * width,
            decoder_ffn_dim=2 * width, max_position_embeddings=64, dropout=0.0,
            init_std=0.05 if steps else 0.5, pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad,
            forced_eos_token_id=0, scale_embedding=True,
        )
    )  # fmt: skip
    if steps:
        _train(model, tokenizer, pairs, pad, steps)
    model.save_pretrained(folder)
    return folder


def _train(model, tokenizer, pairs, pad: int, steps: int) -> None:
    """Adam, its rate rising at first and falling in the second half; at most 128 pairs a step."""
    import torch

    batch = tokenizer(list(pairs), text_target=list(pairs.values()), return_tensors="pt", padding=True)
    labels = batch["labels"].masked_fill(batch["labels"] == pad, -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=8e-3)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min((s + 1) / 10, 1, 2 - 2 * s / steps))
    model.train()
    for _ in range(steps):
        rows = torch.randperm(len(pairs))[:128]
        ids, mask = batch["input_ids"][rows], batch["attention_mask"][rows]
        loss = model(input_ids=ids, attention_mask=mask, labels=labels[rows]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
    model.eval()


def lines(folder: Path) -> dict[str, list]:
    files = sorted(folder.rglob("*.jsonl"))
    return {
        str(file.relative_to(folder)): [json.loads(line) for line in file.read_text().splitlines()]
        for file in files
    }

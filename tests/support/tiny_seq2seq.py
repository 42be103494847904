"""Tiny BART and mBART-50 models with their real tokenizer classes, in the real file format."""

from __future__ import annotations

import io
from pathlib import Path

import penman

from linearize import linearize
from parser.writers.parser import Pieces
from parser.writers.words import to_spring as to_words

GOLD = {
    "The boy wants to go.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    # four brackets in a row: the trigram of three comes twice
    "The girl does not want the boy to believe in New York.": "(w / want-01 :polarity - :ARG0 (g / girl)"
    " :ARG1 (b / believe-01 :ARG0 (b2 / boy) :ARG1 (c / city :wiki - :name"
    ' (n / name :op1 "New" :op2 "York"))))',
    "Who goes?": "(g / go-02 :ARG0 (a / amr-unknown :ARG0-of (b / bark-01)))",
}
TEXTS = [
    *GOLD,
    "( ) : want go believe girl dogs cats 12 3 <stop> unknown amr city name bark :op1 :polarity - 01",
]
SYMBOLS = "want-01 go-02 believe-01 :ARG0 :ARG1 :op1 :op2 :name :polarity :wiki".split()
MARKS = [*(f"<pointer:{number}>" for number in range(8)), "<pointer>", "<stop>", "<lit>", "</lit>"]


def add_symbols(tokenizer, symbols=(*SYMBOLS, *MARKS), suffixes=("-of", "-01")):
    """Add the symbols of AMR as `amrx convert-checkpoint` does."""
    from tokenizers import AddedToken

    names = [*(f" {name}" for name in symbols), *suffixes]
    tokenizer.add_tokens([AddedToken(name, normalized=False) for name in names], special_tokens=True)
    return tokenizer


def bart_tokenizer(folder: Path):
    """A byte-level BPE of the texts above, from vocab.json and merges.txt."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import BartTokenizer

    learner = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    learner.train_from_iterator(
        TEXTS * 3, vocab_size=340, min_frequency=1, special_tokens=special, show_progress=False
    )
    folder.mkdir(parents=True, exist_ok=True)
    learner.save_model(str(folder))
    return BartTokenizer.from_pretrained(str(folder), add_prefix_space=True)


def sentencepiece_model(texts, **options) -> bytes:
    """Learn a sentencepiece model as its users save it."""
    import sentencepiece

    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(list(texts) * 20), model_writer=made, hard_vocab_limit=False, minloglevel=2,
        **{"vocab_size": 70, **options},
    )  # fmt: skip
    return made.getvalue()


def mbart_tokenizer():
    """A tokenizer of mBART-50 with its 52 language codes over few pieces."""
    import sentencepiece
    from transformers import MBart50Tokenizer

    learnt = sentencepiece.SentencePieceProcessor(model_proto=sentencepiece_model(TEXTS))
    return MBart50Tokenizer(vocab=[(learnt.id_to_piece(i), learnt.get_score(i)) for i in range(len(learnt))])


def tiny_model(kind: str, rows: int, *, seed: int = 0, init_std: float = 0.5, **options):
    """A BART or mBART of random weights."""
    import torch
    from transformers import (
        BartConfig,
        BartForConditionalGeneration,
        MBartConfig,
        MBartForConditionalGeneration,
    )

    torch.manual_seed(seed)
    shape = {
        "vocab_size": rows, "d_model": 32, "encoder_layers": 1, "decoder_layers": 1,
        "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64, "max_position_embeddings": 96, "init_std": init_std, "dropout": 0.0,
        "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2,
    } | options  # fmt: skip
    if kind == "bart":
        return BartForConditionalGeneration(BartConfig(decoder_start_token_id=0, **shape)).eval()
    model = MBartForConditionalGeneration(MBartConfig(decoder_start_token_id=2, **shape)).eval()
    model.generation_config.forced_bos_token_id = 0
    return model


def save(folder: Path, model, tokenizer) -> Path:
    """Save both as a user's training run would."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def train(model, tokenizer, read, steps: int = 90) -> None:
    """Teach a tiny BART the graphs of `GOLD` by heart."""
    import torch

    pieces = Pieces(tokenizer)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-3)
    rows = []
    for text, amr in GOLD.items():
        tokens = linearize(penman.decode(amr), form="pointer", keep_wiki=True)
        rows.append((read(text), pieces.ids(to_words(tokens))))
    width, length = max(len(source) for source, _ in rows), max(len(ids) for _, ids in rows) + 1
    source, target, goal = (torch.full((len(rows), n), 1) for n in (width, length, length))
    for row, (text_ids, ids) in enumerate(rows):
        source[row, : len(text_ids)] = torch.tensor(text_ids)
        target[row, : len(ids) + 1] = torch.tensor([0, *ids])
        goal[row, : len(ids) + 1] = torch.tensor([*ids, 2])
    goal[goal == 1] = -100
    for _ in range(steps):
        loss = model(input_ids=source, attention_mask=source != 1, decoder_input_ids=target, labels=goal).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()

"""A tiny mBART-50 that learnt to translate a few sentences to two languages, in the real file format."""

from __future__ import annotations

from pathlib import Path

from tests.support import tiny_seq2seq

PAIRS = {
    "de_DE": {"The boy goes.": "Der Junge geht.", "Two dogs sleep.": "Zwei Hunde schlafen.", "Yes.": "Ja."},
    "fr_XX": {"The boy goes.": "Le garçon va.", "Two dogs sleep.": "Deux chiens dorment.", "Yes.": "Oui."},
}


def tokenizer():
    """A tokenizer of mBART-50, its 52 language codes over few pieces."""
    import sentencepiece
    from transformers import MBart50Tokenizer

    texts = [text for pairs in PAIRS.values() for pair in pairs.items() for text in pair]
    proto = tiny_seq2seq.sentencepiece_model(texts, vocab_size=80)
    learnt = sentencepiece.SentencePieceProcessor(model_proto=proto)
    vocab = [(learnt.id_to_piece(row), learnt.get_score(row)) for row in range(len(learnt))]
    return MBart50Tokenizer(vocab=vocab)


def save(folder: Path, *, steps: int = 0) -> Path:
    """Write a model after ``steps`` of training, or of random weights, with settings as on the hub."""
    import torch

    made = tokenizer()
    model = tiny_seq2seq.tiny_model(
        "mbart", len(made), init_std=0.05 if steps else 0.5, max_position_embeddings=64, scale_embedding=True
    )
    model.generation_config.forced_bos_token_id = None
    model.generation_config.max_length = 200
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-3)
    model.train()
    for _ in range(steps):
        loss = torch.stack([_loss(model, made, code) for code in PAIRS]).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return tiny_seq2seq.save(folder, model.eval(), made)


def _loss(model, made, code: str):
    """Teach ``en_XX text </s>`` to become ``</s> de_DE text </s>``."""
    made.src_lang, made.tgt_lang = "en_XX", code
    pairs = PAIRS[code]
    batch = made(list(pairs), text_target=list(pairs.values()), return_tensors="pt", padding=True)
    batch["labels"] = batch["labels"].masked_fill(batch["labels"] == made.pad_token_id, -100)
    return model(**batch).loss

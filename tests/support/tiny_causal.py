"""A tiny Llama with a byte-level BPE, in the real file format, and three sentences for it to learn."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import penman

from linearize import linearize
from linearize.packed import pack
from parser.training.writers.causal import Recipe
from parser.writers.words import to_packed_words as to_words
from tests.support.tiny_seq2seq import GOLD, TEXTS

RECIPE = Recipe(
    base="base", steps=6, batch=300, longest=96, learning_rate=8e-3, warmup=2, floor=0.1, save_every=2,
    compiled=False, precision="fp32",
)  # fmt: skip


def graphs() -> dict[str, list[str]]:
    """The sentences with their packed graphs."""
    return {text: pack(linearize(penman.decode(amr), form="pointer")) for text, amr in GOLD.items()}


def sembanks(data=None):
    """Return sembanks as `parser.training.writers.causal.read_sembanks` does."""
    return [(text, to_words(symbols), 1.5) for text, symbols in graphs().items()]


def make_base(folder: Path, seed: int = 0) -> Path:
    """Save a Llama that knows no AMR, its head tied to its embeddings as SmolLM2's is."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    learner = ByteLevelBPETokenizer()
    learner.train_from_iterator(
        TEXTS * 3, vocab_size=320, min_frequency=1, special_tokens=["<end>"], show_progress=False
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=learner._tokenizer, eos_token="<end>")
    torch.manual_seed(seed)
    shape = {
        "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": True,
        "bos_token_id": 0, "eos_token_id": 0, "initializer_range": 0.1,
    }  # fmt: skip
    LlamaForCausalLM(LlamaConfig(**shape)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def recipe(base: Path, **changes) -> Recipe:
    return dataclasses.replace(RECIPE, base=str(base), **changes)

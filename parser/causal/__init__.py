"""AMR parsing by a causal language model, fine-tuned to write a sentence's graph after it."""

from parser.causal.parser import CausalParser, load_causal

__all__ = ["CausalParser", "load_causal"]

"""Parse with a causal language model that was fine-tuned to write the graph after the sentence."""

from parser.causal.parser import CausalParser, load_causal

__all__ = ["CausalParser", "load_causal"]

"""Parse with mBART-50 or BART, fine-tuned to write linearized AMR: the parser ``seq2seq``."""

from parser.seq2seq.parser import Seq2SeqParser, load_seq2seq

__all__ = ["Seq2SeqParser", "load_seq2seq"]

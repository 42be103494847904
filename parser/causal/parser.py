"""The causal parser as a `Parser`: sentences in, valid graphs out.

::

    text <amr> ──decoder, token after token──> words ──> packed form ──delinearize──> graph
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.device import length_buckets, pick_device
from amrx.errors import InputError
from amrx.muse.model import fastest_dtype
from amrx.pretrained.generate import text_ids
from amrx.pretrained.hub import hash_model
from amrx.types import Sentence
from linearize.frames import LAW, unknown_frame
from linearize.packed import unpack
from parser.causal.base import GRAPH, SENSE, load_folder
from parser.causal.generate import continue_texts
from parser.causal.words import from_words
from parser.writing import WritingParser, check_folder

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MOST_PIECES = 256
"""A longer sentence is cut here, and says so."""
FEWEST, MOST = 20, 5
"""A graph has at most ``FEWEST + MOST * n`` tokens, ``n`` those of the longest sentence of its batch."""
LONGEST_WORD = 16
"""Tokens that a verb is looked for in."""
LANG = "en"


class CausalParser(WritingParser):
    """A fine-tuned decoder that writes the graph of an English sentence, greedily.

    A frame outside PropBank's lexicon is never written. With another batch size rounding may differ, and with
    it the graph where two are almost as probable. A sentence of more than `MOST_PIECES` subwords is cut.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str) -> None:
        super().__init__(model, tokenizer, name, length_buckets, lambda words: unpack(from_words(words)))
        self.eos = cast("int", tokenizer.eos_token_id)
        self.graph = cast("int", tokenizer.convert_tokens_to_ids(GRAPH))
        self.senses = {row: text for row, text in self.pieces.added.items() if SENSE.fullmatch(text)}

    def languages(self, sentences: Sequence[Sentence]) -> list[str]:
        """Return the given languages, and English where there is none."""
        return [sentence.lang or LANG for sentence in sentences]

    def read(self, text: str, lang: str = LANG) -> tuple[list[int], list[str]]:
        """Return the ids of a sentence, the mark of its graph last, and what had to be changed.

        Raises:
            InputError: The text holds a lone surrogate.
        """
        ids = text_ids(self.tokenizer, f" {text.strip()}")
        notes = [f"sentence cut at {MOST_PIECES} subwords"] if len(ids) > MOST_PIECES else []
        if lang != LANG:
            notes.append(f"language {lang!r} is none of the model's; read as English")
        return [*ids[:MOST_PIECES], self.graph], notes

    def _write(self, rows: list[list[int]]) -> list[tuple[list[int], bool]]:
        most = FEWEST + MOST * max(map(len, rows))
        return continue_texts(self.model, rows, most, self.eos, self.refuse)

    def refuse(self, written: list[int], token: int) -> bool:
        """Tell whether ``token`` turns the last word of ``written`` into a frame that PropBank lacks."""
        if token not in self.senses:
            return False
        words = self.pieces.words(written[-LONGEST_WORD:])
        return not words or unknown_frame(words[-1] + self.senses[token])


def load_causal(folder: str | Path | None, *, device: str | None = None) -> CausalParser:
    """Load a parser from a folder that ``amrx train-parser --recipe causal`` wrote.

    Raises:
        OptionError: No folder is named.
        MissingResourceError: The folder is not on this machine.
        InputError: It is no causal AMR parser, or its weights are pickled.
    """
    path = check_folder("causal", folder, "amrx train-parser DATA -o DIR --recipe causal")
    model, tokenizer = load_folder(path)
    if GRAPH not in tokenizer.get_vocab():
        raise InputError(f"the tokenizer has no token {GRAPH}; is this a causal parser to AMR?", file=path)
    chosen = pick_device(device)
    # the stub of its own ``to`` is wrapped
    cast("torch.nn.Module", model).to(chosen, fastest_dtype(chosen)).eval()
    return CausalParser(model, tokenizer, f"causal-{hash_model(path)}.{LAW}")

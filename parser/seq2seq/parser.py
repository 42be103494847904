"""Wrap the sequence-to-sequence model as a `Parser` that returns valid graphs.

::

    text ──ids, source language──> BART / mBART-50 ──ids──> words ──> pointer form ──delinearize──> graph
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from amrx.device import pick_device
from amrx.errors import InputError, check_least
from amrx.pretrained.generate import Generator, Room, batches, source_codes, text_ids
from amrx.pretrained.hub import check_sentencepiece, check_weights, hash_model, loading
from amrx.pretrained.loading import load_network
from linearize.frames import LAW, unknown_frame
from parser.pieces import Pieces
from parser.protocols import CUT
from parser.seq2seq.base import base_kind
from parser.seq2seq.dialect import from_words
from parser.writing import WritingParser, check_folder

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MOST_PIECES = 512
"""Maximum subwords of a sentence (or the model's positions); a longer one is cut, with a note."""
ROOM = Room(64, 10)
"""Maximum output tokens per input token; graphs need only a few, far below ten."""
FALLBACK = "en_XX"
"""Language code used for languages that mBART-50 was not trained on."""
_POINTERS = ("<pointer:0>", "<R0>", "<0>")


class Seq2SeqParser(WritingParser):
    """A fine-tuned BART or mBART-50; the same graph for every batch size.

    A token that is a frame outside PropBank's lexicon is never written; a spelled one is repaired. A
    sentence of more than `MOST_PIECES` subwords is cut.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str, beam: int = 1
    ) -> None:
        super().__init__(model, tokenizer, name, batches, from_words)
        self.beam, self.generate = beam, Generator(model, ROOM, beam)
        self.generate.forbid(row for row, text in self.pieces.added.items() if unknown_frame(text.strip()))
        self.codes = source_codes(getattr(tokenizer, "lang_code_to_id", None) or {})
        self.longest = min(MOST_PIECES, int(model.config.max_position_embeddings))

    @property
    def fingerprint(self) -> str:
        """Name and weight hash, and the number of beams if it is above 1."""
        return self.name if self.beam == 1 else f"{self.name}-beam{self.beam}"

    def with_beam(self, beam: int) -> Seq2SeqParser:
        """Return this parser with a search of ``beam`` beams, over the same weights."""
        check_least("beam", beam)
        return Seq2SeqParser(self.model, self.tokenizer, self.name, beam)

    def read(self, text: str, lang: str) -> tuple[list[int], list[str]]:
        """Return the ids of a sentence in the format of the training, and the notes on changes.

        BART reads ``<s> text </s>``, mBART-50 ``de_DE text </s>``.
        """
        ids, most = text_ids(self.tokenizer, text), self.longest - 2
        notes = [f"{CUT} at {self.longest} subwords"] if len(ids) > most else []
        first = cast("int", self.tokenizer.bos_token_id)
        if self.codes:
            if lang not in self.codes:
                notes.append(f"the model does not know language {lang!r}; read as English")
            first = cast("int", self.tokenizer.convert_tokens_to_ids(self.codes.get(lang, FALLBACK)))
        return [first, *ids[:most], cast("int", self.tokenizer.eos_token_id)], notes

    def _write(self, rows: list[list[int]]) -> list[tuple[list[int], bool]]:
        return self.generate(rows)


def load_seq2seq(folder: str | Path | None, *, device: str | None = None) -> Seq2SeqParser:
    """Load a parser from a Hugging Face folder."""
    command = "amrx convert-checkpoint FILE.pt -o DIR (of a published SPRING or XAMR checkpoint)"
    path = check_folder("seq2seq", folder, command)
    base_kind(path)
    check_weights(path)
    check_sentencepiece(path)
    settings = path / "tokenizer_config.json"  # without it the first word is tokenised differently
    if not settings.is_file():
        raise InputError("no such file", file=settings)
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with loading(path):
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
    model: Any = load_network(AutoModelForSeq2SeqLM, path)  # the stub of its own ``to`` is wrapped
    check_tokenizer(tokenizer, model, path)
    return Seq2SeqParser(model.to(pick_device(device)), tokenizer, f"seq2seq-{hash_model(path)}.{LAW}")


def check_tokenizer(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, folder: Path) -> None:
    """Raise InputError if the tokenizer does not fit the model or lacks AMR's tokens."""
    rows = cast("Tensor", model.get_input_embeddings().weight).shape[0]
    if len(tokenizer) > rows:
        raise InputError(f"the tokenizer has {len(tokenizer)} tokens, the model {rows} rows", file=folder)
    if model.config.model_type == "mbart" and not getattr(tokenizer, "lang_code_to_id", {}):
        raise InputError(f"{type(tokenizer).__name__} is not the tokenizer of an mBART-50", file=folder)
    pieces = Pieces(tokenizer)
    if not any(pieces.knows(name) for name in _POINTERS):
        raise InputError("the tokenizer has no pointer tokens; is this a parser to AMR?", file=folder)

"""The causal parser as a `Parser`: sentences in, valid graphs out.

::

    text <amr> ──decoder, token after token──> words ──> packed form ──delinearize──> graph
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.device import length_buckets, pick_device
from amrx.device import progress as show_progress
from amrx.encoder import as_sentences
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.muse.model import fastest_dtype
from amrx.pretrained.hub import hash_model
from amrx.types import Parse, Sentence, Sentences, Status
from linearize.frames import LAW, mend_frames, unknown_frame
from linearize.packed import unpack
from linearize.restore import delinearize
from parser.causal.base import GRAPH, SENSE, load_folder
from parser.causal.generate import continue_texts
from parser.causal.words import from_words
from parser.seq2seq.pieces import Pieces

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


class CausalParser:
    """A fine-tuned decoder that writes the graph of an English sentence, greedily.

    A frame outside PropBank's lexicon is never written. With another batch size rounding may differ, and with
    it the graph where two are almost as probable.

    Args:
        model: With its language-model head.
        tokenizer: With the symbols of AMR among its tokens.
        name: Name and weight hash.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str) -> None:
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.pieces = Pieces(tokenizer)
        self.eos = cast("int", tokenizer.eos_token_id)
        self.graph = cast("int", tokenizer.convert_tokens_to_ids(GRAPH))
        self.senses = {row: text for row, text in self.pieces.added.items() if SENSE.fullmatch(text)}

    @property
    def fingerprint(self) -> str:
        """Name and weight hash."""
        return self.name

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order.

        A sentence of more than `MOST_PIECES` subwords is cut there, one in another language than English is
        read as English, and both say so in ``repairs``. A blank one fails.

        Raises:
            InputError: A sentence holds a lone surrogate.
        """
        records = as_sentences(sentences, lang)
        sources = [self.read(sentence.text) for sentence in records]
        parses: list[Parse | None] = [None] * len(records)
        buckets = length_buckets([len(ids) for ids, _ in sources], batch_size)
        for bucket in show_progress(buckets, len(buckets), "parsing", show=progress):
            rows = [sources[i][0] for i in bucket]
            made = continue_texts(
                self.model, rows, FEWEST + MOST * max(map(len, rows)), self.eos, self.refuse
            )
            for i, (ids, finished) in zip(bucket, made, strict=True):
                notes = [*sources[i][1], *([] if finished else ["graph cut at the longest length"])]
                parses[i] = self._to_parse(records[i], ids, notes)
        return [parse for parse in parses if parse is not None]

    def read(self, text: str) -> tuple[list[int], list[str]]:
        """Return the ids of a sentence, the mark of its graph last, and what had to be changed.

        Symbols of AMR in the text are text.

        Raises:
            InputError: The text holds a lone surrogate.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"{text[:40]!r} holds a lone surrogate and is no text") from error
        tokens = self.tokenizer(f" {text.strip()}", add_special_tokens=False, split_special_tokens=True)
        ids, notes = cast("list[int]", tokens["input_ids"]), []
        if len(ids) > MOST_PIECES:
            ids = ids[:MOST_PIECES]
            notes.append(f"sentence cut at {MOST_PIECES} subwords")
        return [*ids, self.graph], notes

    def refuse(self, made: list[int], token: int) -> bool:
        """Tell whether ``token`` makes a frame that PropBank has not of the word that ``made`` ends with."""
        if token not in self.senses:
            return False
        words = self.pieces.words(made[-LONGEST_WORD:])
        return not words or unknown_frame(words[-1] + self.senses[token])

    def _to_parse(self, sentence: Sentence, ids: list[int], notes: list[str]) -> Parse:
        blank = not sentence.text.strip()
        lang = sentence.lang or LANG
        if lang != LANG:
            notes = [*notes, f"language {lang!r} is none of the model's; read as English"]
        restored = delinearize([] if blank else unpack(from_words(self.pieces.words(ids))))
        graph, frames = mend_frames(restored.graph)
        repairs = [*restored.repairs, *frames, *([] if blank else notes)]
        failed = "nothing usable" in restored.repairs
        status: Status = "failed" if failed else "repaired" if repairs else "ok"
        return Parse(sentence.id, sentence.text, lang, graph, status, tuple(repairs), {}, self.fingerprint)


def load_causal(folder: str | Path | None, *, device: str | None = None) -> CausalParser:
    """Load a parser from a folder that ``amrx train-parser --recipe causal`` wrote.

    Args:
        folder: A folder of transformers.
        device: Torch device; the best there is when ``None``.

    Raises:
        OptionError: No folder is named.
        MissingResourceError: The folder is not on this machine.
        InputError: It is no causal AMR parser, or its weights are pickled.
    """
    fetch = "amrx train-parser DATA -o DIR --recipe causal"
    if folder is None:
        raise OptionError(f"parser 'causal' needs a folder: causal:DIR, from {fetch}")
    path = Path(folder)
    if not path.is_dir():
        raise MissingResourceError(f"weights of the parser {path}", fetch=fetch, local="causal:DIR")
    model, tokenizer = load_folder(path)
    if GRAPH not in tokenizer.get_vocab():
        raise InputError(f"the tokenizer has no token {GRAPH}; is this a causal parser to AMR?", file=path)
    place = pick_device(device)
    # the stub of its own ``to`` is wrapped
    cast("torch.nn.Module", model).to(place, fastest_dtype(place)).eval()
    return CausalParser(model, tokenizer, f"causal-{hash_model(path)}.{LAW}")

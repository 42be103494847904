"""The sequence-to-sequence parser as a `Parser`: sentences in, valid graphs out.

::

    text ──ids, source language──> BART / mBART-50 ──ids──> words ──> pointer form ──delinearize──> graph
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from amrx.device import pick_device
from amrx.device import progress as show_progress
from amrx.encoder import as_sentences
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.langid import detect
from amrx.pretrained.generate import Generator, Room, batches, source_codes
from amrx.pretrained.hub import check_sentencepiece, check_weights, hash_model, loading
from amrx.pretrained.loading import load_network
from amrx.types import Parse, Sentence, Sentences, Status
from linearize.frames import LAW, mend_frames, unknown_frame
from linearize.restore import delinearize
from parser.seq2seq.base import base_kind
from parser.seq2seq.dialect import from_words
from parser.seq2seq.pieces import Pieces

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MOST_PIECES = 512
"""A longer sentence is cut here (or where the model's positions end), and says so."""
ROOM = Room(64, 10)
"""A graph has a few tokens for each of its sentence; ten are far beyond what AMR needs."""
FALLBACK = "en_XX"
"""What an mBART-50 reads a language as that it was not trained on."""
_POINTERS = ("<pointer:0>", "<R0>", "<0>")


class Seq2SeqParser:
    """A fine-tuned BART or mBART-50; the same graph for every batch size.

    A token that is a frame outside PropBank's lexicon is never written; one that is spelled is mended.

    Args:
        model: With its language-model head.
        tokenizer: With the symbols of AMR among its tokens; that of an mBART-50 has codes of languages.
        name: Name and weight hash.
        beam: Beams of the search; 1 is greedy.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str, beam: int = 1
    ) -> None:
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.pieces, self.beam = Pieces(tokenizer), beam
        self.generate = Generator(model, ROOM, beam)
        self.generate.forbid(row for row, text in self.pieces.added.items() if unknown_frame(text.strip()))
        self.codes = source_codes(getattr(tokenizer, "lang_code_to_id", None) or {})
        self.longest = min(MOST_PIECES, int(model.config.max_position_embeddings))

    @property
    def fingerprint(self) -> str:
        """Name and weight hash, and the beams where there are more than one."""
        return self.name if self.beam == 1 else f"{self.name}-beam{self.beam}"

    def with_beam(self, beam: int) -> Seq2SeqParser:
        """Return this parser with a search of ``beam`` beams, over the same weights.

        Raises:
            OptionError: ``beam`` is below 1.
        """
        if beam < 1:
            raise OptionError(f"a search with {beam} beams finds nothing; give 1 or more")
        return Seq2SeqParser(self.model, self.tokenizer, self.name, beam)

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order.

        A sentence of more than `MOST_PIECES` subwords is cut there, one in a language that an mBART-50 was
        not trained on is read as English, and both say so in ``repairs``. A blank one fails.

        Raises:
            InputError: A sentence holds a lone surrogate.
        """
        records = as_sentences(sentences, lang)
        unknown = [i for i, sentence in enumerate(records) if sentence.lang is None]
        found = dict(zip(unknown, detect([records[i].text for i in unknown]), strict=True))
        langs = [sentence.lang or found[i] for i, sentence in enumerate(records)]
        sources = [self.read(sentence.text, lang) for sentence, lang in zip(records, langs, strict=True)]
        parses: list[Parse | None] = [None] * len(records)
        buckets = batches([len(ids) for ids, _ in sources], batch_size)
        for bucket in show_progress(buckets, len(buckets), "parsing", show=progress):
            made = self.generate([sources[i][0] for i in bucket])
            for i, (ids, finished) in zip(bucket, made, strict=True):
                notes = [*sources[i][1], *([] if finished else ["graph cut at the longest length"])]
                parses[i] = self._to_parse(records[i], langs[i], ids, notes)
        return [parse for parse in parses if parse is not None]

    def read(self, text: str, lang: str) -> tuple[list[int], list[str]]:
        """Return the ids of a sentence, as the model was trained to read it, and what had to be changed.

        BART reads ``<s> text </s>``, mBART-50 ``de_DE text </s>``. Symbols of AMR in the text are text.

        Raises:
            InputError: The text holds a lone surrogate.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"{text[:40]!r} holds a lone surrogate and is no text") from error
        tokens = self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)
        ids, notes = cast("list[int]", tokens["input_ids"]), []
        if len(ids) > self.longest - 2:
            ids = ids[: self.longest - 2]
            notes.append(f"sentence cut at {self.longest} subwords")
        first = cast("int", self.tokenizer.bos_token_id)
        if self.codes:
            if lang not in self.codes:
                notes.append(f"language {lang!r} is none of the model's; read as English")
            first = cast("int", self.tokenizer.convert_tokens_to_ids(self.codes.get(lang, FALLBACK)))
        return [first, *ids, cast("int", self.tokenizer.eos_token_id)], notes

    def _to_parse(self, sentence: Sentence, lang: str, ids: list[int], notes: list[str]) -> Parse:
        blank = not sentence.text.strip()
        restored = delinearize([] if blank else from_words(self.pieces.words(ids)))
        graph, frames = mend_frames(restored.graph)
        repairs = [*restored.repairs, *frames, *([] if blank else notes)]
        failed = "nothing usable" in restored.repairs
        status: Status = "failed" if failed else "repaired" if repairs else "ok"
        return Parse(sentence.id, sentence.text, lang, graph, status, tuple(repairs), {}, self.fingerprint)


def load_seq2seq(folder: str | Path | None, *, device: str | None = None) -> Seq2SeqParser:
    """Load a parser from a Hugging Face folder.

    Args:
        folder: As ``amrx convert-checkpoint`` and ``save_pretrained`` write it.
        device: Torch device; the best there is when ``None``.

    Raises:
        OptionError: No folder is named.
        MissingResourceError: The folder is not on this machine, or the package that reads its tokenizer.
        InputError: It is no AMR parser of a kind known here, or its weights are pickled.
    """
    fetch = "amrx convert-checkpoint FILE.pt -o DIR (of a published SPRING or XAMR checkpoint)"
    if folder is None:
        raise OptionError(f"parser 'seq2seq' needs a folder: seq2seq:DIR, from {fetch}")
    path = Path(folder)
    if not path.is_dir():
        raise MissingResourceError(f"weights of the parser {path}", fetch=fetch, local="seq2seq:DIR")
    base_kind(path)
    check_weights(path)
    check_sentencepiece(path)
    settings = path / "tokenizer_config.json"  # without it the first word is read in another way
    if not settings.is_file():
        raise InputError("no such file", file=settings)
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with loading(path):
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
    model: Any = load_network(AutoModelForSeq2SeqLM, path)  # the stub of its own ``to`` is wrapped
    check_tokenizer(tokenizer, model, path)
    return Seq2SeqParser(model.to(pick_device(device)), tokenizer, f"seq2seq-{hash_model(path)}.{LAW}")


def check_tokenizer(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, folder: Path) -> None:
    """Raise InputError when the tokenizer does not fit the model or does not know AMR."""
    rows = cast("Tensor", model.get_input_embeddings().weight).shape[0]
    if len(tokenizer) > rows:
        raise InputError(f"the tokenizer has {len(tokenizer)} tokens, the model {rows} rows", file=folder)
    if model.config.model_type == "mbart" and not getattr(tokenizer, "lang_code_to_id", {}):
        raise InputError(f"{type(tokenizer).__name__} is not the tokenizer of an mBART-50", file=folder)
    pieces = Pieces(tokenizer)
    if not any(pieces.knows(name) for name in _POINTERS):
        raise InputError("the tokenizer has no pointer tokens; is this a parser to AMR?", file=folder)

"""Parse with a language model that writes the graph: base of the parsers ``seq2seq`` and ``causal``.

::

    text ──read──> ids ──write──> ids of the graph ──words──restore──> graph, repairs
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.device import progress as show_progress
from amrx.errors import MissingResourceError, OptionError
from amrx.langid import fill_languages
from amrx.types import Parse, Sentence, Status
from linearize.frames import mend_frames
from linearize.restore import delinearize
from parser.pieces import Pieces
from parser.protocols import TextParser

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Batches = Callable[[Sequence[int], int], list[list[int]]]
"""Function of sentence lengths and batch size that returns batches of positions."""


class WritingParser(TextParser):
    """A language model that was fine-tuned to write graphs; is itself a parser.

    ``name`` has the hash of the weights; ``to_tokens`` converts the model's words to tokens of a graph.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        name: str,
        batches: Batches,
        to_tokens: Callable[[Sequence[str]], list[str]],
    ) -> None:
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.pieces = Pieces(tokenizer)
        self._batches, self._to_tokens = batches, to_tokens

    @property
    def fingerprint(self) -> str:
        """Name and weight hash."""
        return self.name

    def languages(self, sentences: Sequence[Sentence]) -> list[str]:
        """Return the language of each sentence, detected if it is missing."""
        return fill_languages(sentences)

    @abstractmethod
    def read(self, text: str, lang: str) -> tuple[list[int], list[str]]:
        """Return the ids for the model, and the notes on changes to the sentence."""

    @abstractmethod
    def _write(self, rows: list[list[int]]) -> list[tuple[list[int], bool]]:
        """Return for each row of `read` the ids of its graph, and whether the graph is complete."""

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order.

        A sentence that is too long is cut, and one in a language that the model does not know is read as
        English; both are noted in ``repairs``. A blank sentence fails.
        """
        langs = self.languages(records)
        sources = [self.read(record.text, code) for record, code in zip(records, langs, strict=True)]
        parses: list[Parse | None] = [None] * len(records)
        buckets = self._batches([len(ids) for ids, _ in sources], batch_size)
        for bucket in show_progress(buckets, len(records), "parsing", show=progress, size=len):
            graphs = self._write([sources[i][0] for i in bucket])
            for i, (ids, finished) in zip(bucket, graphs, strict=True):
                notes = [*sources[i][1], *([] if finished else ["graph cut at the longest length"])]
                parses[i] = self._to_parse(records[i], langs[i], ids, notes)
        return [parse for parse in parses if parse is not None]

    def _to_parse(self, sentence: Sentence, lang: str, ids: list[int], notes: list[str]) -> Parse:
        blank = not sentence.text.strip()
        restored = delinearize([] if blank else self._to_tokens(self.pieces.words(ids)))
        graph, frames = mend_frames(restored.graph)
        repairs = [*restored.repairs, *frames, *([] if blank else notes)]
        failed = "nothing usable" in restored.repairs
        status: Status = "failed" if failed else "repaired" if repairs else "ok"
        return Parse(sentence.id, sentence.text, lang, graph, status, tuple(repairs), {}, self.fingerprint)


def check_folder(kind: str, folder: str | Path | None, fetch: str) -> Path:
    """Return the folder of a parser."""
    if folder is None:
        raise OptionError(f"parser {kind!r} needs a folder: {kind}:DIR, from {fetch}")
    path = Path(folder)
    if not path.is_dir():
        raise MissingResourceError(f"weights of the parser {path}", fetch=fetch, local=f"{kind}:DIR")
    return path

"""Parse with a language model that writes the graph: base of the parsers ``seq2seq`` and ``causal``.

::

    text     ──read──> ids ──write──> ids of the graph ──words──restore──> graph, repairs

    ids      [314, 320, 75, 88, 316]
    pieces   ' ('  ' <pointer:0>'  'Ġwant'  's'  '-01'
    words    (  <pointer:0>  wants-01

A tokenizer has one added token for each AMR symbol, and spells all other words in its subwords. An added
token is a word of its own; only a suffix (``-of``, ``-01``, ``_1``) belongs to the word before it. A subword
begins a word if it has the mark of a space (``Ġ`` of byte-level BPE, ``▁`` of sentencepiece).
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from amrx.device import progress as show_progress
from amrx.errors import MissingResourceError, OptionError
from amrx.langid import fill_languages
from amrx.types import Parse, Sentence, Status
from linearize.frames import mend_frames
from linearize.restore import delinearize
from parser.protocols import TextParser

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


_MARKS = "Ġ▁"
_SUFFIX = re.compile(r"-of|-[0-9]{2,3}|_[0-9]+")
_SYMBOL = re.compile(r"<[^<>\s]+>|:[A-Za-z][A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_FRAME = re.compile(r"(.+)(-[0-9]{2,3})")


class _Piece(NamedTuple):
    """A piece: its text in the tokenizer, and how it is joined to its neighbours."""

    text: str
    whole: bool
    suffix: bool
    begins: bool


class Pieces:
    """Read and write linearized AMR with one tokenizer, which is not changed."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self.tokenizer = tokenizer
        codes = getattr(tokenizer, "lang_code_to_id", None) or {}
        named = ("bos", "eos", "pad", "unk", "mask", "cls", "sep")
        self.silent = {getattr(tokenizer, f"{name}_token_id") for name in named} | set(codes.values())
        self.added = {
            row: token.content
            for row, token in tokenizer.added_tokens_decoder.items()
            if row not in self.silent
        }
        self.whole = {text.strip(): row for row, text in self.added.items()}
        self._pieces: dict[int, _Piece] = {}

    def knows(self, word: str) -> bool:
        """Return whether ``word`` is one token, added or of the base vocabulary."""
        known = self.tokenizer.convert_tokens_to_ids
        marked = (known(mark + word) for mark in _MARKS)
        return word in self.whole or any(row not in (None, self.tokenizer.unk_token_id) for row in marked)

    def words(self, ids: Iterable[int]) -> list[str]:
        """Join the pieces of ``ids`` to words; ignore control tokens."""
        groups: list[list[_Piece]] = []
        for row in ids:
            if row in self.silent:
                continue
            piece = self._pieces.get(row) or self._look_up(row)
            joins = groups and not piece.begins and (piece.suffix or not groups[-1][-1].whole)
            if joins:
                groups[-1].append(piece)
            else:
                groups.append([piece])
        return [word for group in groups if (word := self._spell(group))]

    def ids(self, words: Iterable[str]) -> list[int]:
        """Write words as ids; the inverse of `words` for words without white space.

        A relation or a frame without a token of its own is split as in SPRING: ``:ARG3-of`` to
        ``:ARG3`` and ``-of``, ``foo-01`` to ``foo`` and ``-01``.
        """
        ids: list[int] = []
        for word in words:
            frame = _FRAME.fullmatch(word)
            stem = word.removesuffix("-of")
            if word in self.whole:
                ids.append(self.whole[word])
            elif stem != word and stem in self.whole and "-of" in self.whole:
                ids += [self.whole[stem], self.whole["-of"]]
            elif frame and frame[2] in self.whole:
                ids += [*self._subwords(frame[1]), self.whole[frame[2]]]
            else:
                ids += self._subwords(word)
        return ids

    def _subwords(self, word: str) -> list[int]:
        """Return the subwords of a word, without searching it for added tokens."""
        tokens = self.tokenizer(f" {word}", add_special_tokens=False, split_special_tokens=True)
        return cast("list[int]", tokens["input_ids"])

    def _look_up(self, row: int) -> _Piece:
        text = self.added.get(row)
        if text is None:
            text = str(self.tokenizer.convert_ids_to_tokens(row) or "")
            bare = text.lstrip(_MARKS)
            whole = bare != text and _SYMBOL.fullmatch(bare) is not None
            piece = _Piece(bare if whole else text, whole, _SUFFIX.fullmatch(text) is not None, bare != text)
        else:
            suffix = _SUFFIX.fullmatch(text) is not None
            piece = _Piece(text.strip(), not suffix, suffix, not suffix)
        self._pieces[row] = piece
        return piece

    def _spell(self, group: Sequence[_Piece]) -> str:
        """Return the word that the pieces spell; a suffix or a whole symbol is its own text."""
        word = ""
        plain: list[str] = []
        for piece in group:
            if piece.whole or piece.suffix:
                word += self._text(plain) + piece.text
                plain = []
            else:
                plain.append(piece.text)
        return (word + self._text(plain)).strip()

    def _text(self, plain: list[str]) -> str:
        return self.tokenizer.convert_tokens_to_string(plain).strip() if plain else ""


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

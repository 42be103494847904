"""Convert the ids of a tokenizer to words of linearized AMR and back.

::

    ids      [314, 320, 75, 88, 316]
    pieces   ' ('  ' <pointer:0>'  'Ġwant'  's'  '-01'
    words    (  <pointer:0>  wants-01

A tokenizer has one added token for each AMR symbol, and spells all other words in its subwords. An added
token is a word of its own; only a suffix (``-of``, ``-01``, ``_1``) belongs to the word before it. A subword
begins a word if it has the mark of a space (``Ġ`` of byte-level BPE, ``▁`` of sentencepiece).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

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

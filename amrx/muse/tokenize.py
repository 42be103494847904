"""Split text into subword ids, with the span of every piece in the given text.

::

    "Der Junge will  gehen."
    ids    <s>    ▁Der   ▁Junge  ▁will   ▁gehen   .        </s>
    spans  (0,0)  (0,3)  (4,9)   (10,14) (16,21)  (21,22)  (22,22)
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import sentencepiece

from amrx.muse.weights import find, read_checked
from amrx.texts import as_texts, check_characters

BOS, EOS = 1, 2
Span = tuple[int, int]


class MuseTokenizer:
    """The unigram model of multilingual USE (128,000 pieces), with ``<s>`` and ``</s>`` added."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self._processor = sentencepiece.SentencePieceProcessor()
        self._processor.LoadFromSerializedProto(read_checked(find(folder).tokenizer))

    def __len__(self) -> int:
        return int(self._processor.GetPieceSize())

    def encode(self, texts: str | Iterable[str]) -> list[list[int]]:
        """Return ids ``[<s>, …, </s>]`` of every text; an empty text gives ``[<s>, </s>]``."""
        batch = as_texts(texts)
        ids: list[list[int]] = self._processor.Encode(batch, add_bos=True, add_eos=True, num_threads=1)
        return ids

    def pieces_with_spans(self, text: str) -> tuple[list[int], list[Span]]:
        """Return the ids of ``encode`` and the span of each in code points of ``text``.

        Spans refer to ``text`` before normalisation (NFKC, several blanks to one) and exclude the blank
        before a word. ``<s>`` and ``</s>`` have empty spans at the ends.
        """
        check_characters(text, "sentence", 1)
        pieces = self._processor.Encode(text, return_type="offset_mapping")
        spans = [_without_blanks(text, begin, end) for begin, end in pieces["offsets"]]
        return [BOS, *pieces["ids"], EOS], [(0, 0), *spans, (len(text), len(text))]

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the text of every piece; ``▁`` marks the start of a word."""
        return [str(self._processor.IdToPiece(index)) for index in ids]


def _without_blanks(text: str, begin: int, end: int) -> Span:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return begin, end

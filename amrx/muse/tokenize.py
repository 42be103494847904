"""Split text into subword ids."""

from collections.abc import Iterable
from pathlib import Path

import sentencepiece

from amrx.muse.weights import find, read_checked
from amrx.texts import as_texts

BOS, EOS = 1, 2


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

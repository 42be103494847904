"""Define the interfaces of translators.

::

    Translators   find, load and release models: `OpusTranslator`, `MBartTranslator`
    └── Pair      a model set to one pair of languages: `Marian`, `MBart`
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from amrx.device import progress
from amrx.pretrained.generate import Generator, Room, batches, text_ids
from amrx.texts import as_texts

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ROOM = Room(32, 3)
"""A translation has about as many tokens as its sentence."""
MOST = 512
"""Maximum tokens of a sentence, including its marks, if the model has as many positions."""


class Translation(NamedTuple):
    """A translated sentence."""

    text: str  # the translation; empty for a blank sentence
    cut: bool  # whether the sentence or its translation exceeded the model's length and was cut


class Pair(ABC):
    """A model that reads one language and writes another."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, generate: Generator, before: Sequence[int], longest: int
    ) -> None:
        self.tokenizer, self.generate, self.before, self.longest = tokenizer, generate, list(before), longest

    def translate(
        self, sentences: str | Iterable[str], *, batch_size: int = 64, show: bool | None = False
    ) -> list[Translation]:
        """Translate sentences; equal ones are translated once, blank ones give an empty translation.

        A translation depends neither on the other sentences nor on ``batch_size``.
        """
        texts = as_texts(sentences)
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        sources = [self.read(text) for text in distinct]
        translations = {text: Translation("", cut=False) for text in texts if not text.strip()}
        buckets = batches([len(ids) for ids, _ in sources], batch_size)
        for bucket in progress(buckets, len(distinct), "translating", show=show, size=len):
            outputs = self.generate([sources[i][0] for i in bucket])
            for i, (ids, finished) in zip(bucket, outputs, strict=True):
                translations[distinct[i]] = Translation(
                    self.write(ids).strip(), sources[i][1] or not finished
                )
        return [translations[text] for text in texts]

    def read(self, text: str) -> tuple[list[int], bool]:
        """Return the ids of a sentence and whether it had to be cut."""
        ids = [*self.before, *text_ids(self.tokenizer, text)]
        end = cast("int", self.tokenizer.eos_token_id)
        return [*ids[: self.longest - 1], end], len(ids) >= self.longest

    @abstractmethod
    def write(self, ids: list[int]) -> str:
        """Return the text of output ids."""


class Translators(ABC):
    """Find, load and release the models of pairs."""

    beam: int  # beams of the search

    @abstractmethod
    def find(self, source: str, target: str) -> Path:
        """Return the folder of the model that translates ``source`` to ``target``."""

    @abstractmethod
    def pair(self, source: str, target: str) -> Pair:
        """Return the model of a pair, which stays loaded."""

    @abstractmethod
    def forget(self, source: str, target: str) -> None:
        """Release the memory that no other pair needs."""

    def translate(
        self, sentences: str | Iterable[str], *, source: str, target: str, batch_size: int = 64
    ) -> list[str]:
        """Return one translation per sentence, in order; blank sentences stay empty."""
        translations = self.pair(source, target).translate(sentences, batch_size=batch_size)
        return [translation.text for translation in translations]

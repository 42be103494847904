"""Define the interface of a translator from one language to another.

::

    Translators   find a model, load it, give it back: `OpusTranslator`, `MBartTranslator`
    └── Pair      one model set to one pair of languages: `Marian`, `MBart`
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from amrx.device import progress
from amrx.pretrained.generate import Generator, Room, batches, text_ids
from amrx.texts import as_texts

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ROOM = Room(32, 3)
"""A translation has about as many tokens as its sentence."""
MOST = 512
"""Tokens of the longest sentence, its marks included, where the model has as many positions."""


class Translation(NamedTuple):
    """A translated sentence.

    Attributes:
        text: The translation; empty for a blank sentence.
        cut: Whether the sentence or its translation went over the model's length and was cut.
    """

    text: str
    cut: bool


class Pair(ABC):
    """A model that reads one language and writes another.

    Args:
        tokenizer: Of the model.
        generate: Source ids to target ids.
        before: Ids that stand before a sentence's own.
        longest: Most ids of a sentence, those before it and its end included.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, generate: Generator, before: Sequence[int], longest: int
    ) -> None:
        self.tokenizer, self.generate, self.before, self.longest = tokenizer, generate, list(before), longest

    def translate(
        self, sentences: str | Iterable[str], *, batch_size: int = 64, show: bool | None = False
    ) -> list[Translation]:
        """Translate sentences; equal ones are translated once, blank ones are not.

        A translation does not depend on the others, nor on ``batch_size``.

        Raises:
            InputError: A sentence is not text, or holds a lone surrogate.
        """
        texts = as_texts(sentences)
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        sources = [self.read(text) for text in distinct]
        made = {text: Translation("", cut=False) for text in texts if not text.strip()}
        buckets = batches([len(ids) for ids, _ in sources], batch_size)
        for bucket in progress(buckets, len(distinct), "translating", show=show, size=len):
            written = self.generate([sources[i][0] for i in bucket])
            for i, (ids, finished) in zip(bucket, written, strict=True):
                made[distinct[i]] = Translation(self.write(ids).strip(), sources[i][1] or not finished)
        return [made[text] for text in texts]

    def read(self, text: str) -> tuple[list[int], bool]:
        """Return the ids of a sentence and whether it had to be cut.

        Raises:
            InputError: The sentence holds a lone surrogate.
        """
        ids = [*self.before, *text_ids(self.tokenizer, text)]
        end = cast("int", self.tokenizer.eos_token_id)
        return [*ids[: self.longest - 1], end], len(ids) >= self.longest

    @abstractmethod
    def write(self, ids: list[int]) -> str:
        """Return the text of what the model wrote."""


class Translators(Protocol):
    """Where the models of `amrx.translate.files` come from."""

    @property
    def beam(self) -> int:
        """Beams of the search."""

    def find(self, source: str, target: str) -> Path:
        """Return the folder of the model that translates ``source`` to ``target``."""

    def pair(self, source: str, target: str) -> Pair:
        """Return that model, which stays loaded."""

    def forget(self, source: str, target: str) -> None:
        """Give back the memory that no other pair needs."""

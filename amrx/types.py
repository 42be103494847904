"""Records and protocols that all stages share.

::

    Sentence ──Parser──> Parse ──linearize──> tokens ──Encoder──> (n, d) float32
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import penman

Vectors = npt.NDArray[np.float32]
Status = Literal["ok", "repaired", "failed"]
Codes = str | list[str] | None
"""One language code of all sentences, one per sentence, or ``None``: to be detected."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One input sentence.

    Attributes:
        id: Identifier kept from the input, or its 1-based position.
        text: The sentence; may be empty.
        lang: ISO 639-1 code; detected when ``None``.
    """

    id: str
    text: str
    lang: str | None = None


Sentences = str | Sentence | Iterable[str | Sentence]
"""Input of a parser: strings or records, one or several."""


@dataclass(frozen=True, slots=True)
class Parse:
    """One parsed sentence; a parser returns one per input sentence, in input order.

    Attributes:
        id: Identifier of the sentence.
        text: The sentence.
        lang: ISO 639-1 code.
        graph: A valid AMR graph; ``(a / amr-empty)`` when ``status`` is ``failed``.
        status: ``ok``, ``repaired`` (see ``repairs``) or ``failed``.
        repairs: One short phrase per repair.
        alignments: Node variable to character span ``(start, end)`` in ``text``.
        parser: Fingerprint of the parser.
        sentences: The graph of each sentence of a text of several (`parser.document`); otherwise empty.
        confidence: Expected Smatch of the graph, 0 to 1 (`parser.mini.confidence`); ``None`` if the parser
            does not estimate it.
        missing: Numbers, names and negations of the sentence that the graph does not hold
            (`parser.values.lost_values`).
    """

    id: str
    text: str
    lang: str
    graph: penman.Graph
    status: Status = "ok"
    repairs: tuple[str, ...] = ()
    alignments: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    parser: str = ""
    sentences: tuple[penman.Graph, ...] = ()
    confidence: float | None = None
    missing: tuple[str, ...] = ()

    @property
    def graphs(self) -> tuple[penman.Graph, ...]:
        """The graph of each sentence: the input of the AMR side."""
        return self.sentences or (self.graph,)


@runtime_checkable
class Parser(Protocol):
    """Parse text of any language to AMR graphs."""

    @property
    def fingerprint(self) -> str:
        """Name and weight hash; equal fingerprints give equal graphs."""

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order, the same for every batch size.

        Args:
            sentences: Records, or strings, which get their positions as ids (`amrx.encoder.as_sentences`).
            lang: ISO 639-1 code of all strings, or one code per sentence; detected when ``None``.
            batch_size: Sentences per batch of the model.
            progress: Draw a bar on standard error.
        """


class Named(Protocol):
    """An encoder, of text or of graphs, as a table and a cache know it."""

    @property
    def name(self) -> str:
        """Short name for tables."""

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""

    @property
    def fingerprint(self) -> str:
        """Name and weight hash; equal fingerprints give equal vectors."""


@runtime_checkable
class Encoder(Named, Protocol):
    """Encode text of any language as vectors."""

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        """Return float32 ``(len(sentences), d)``; ``lang`` is detected when ``None``."""

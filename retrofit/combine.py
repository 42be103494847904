"""A base encoder combined with the AMR encoder (Cai et al. 2022, section 4.2), or with a student of it.

::

    concat       s ⊕ w h                    (n, d_base + d_amr)
    add          s + w h                    (n, d), d_base = d_amr
    norm-concat  s/|s| ⊕ w h/|h|            the default; w = 1 is the paper's
    norm-add     s/|s| + w h/|h|            (n, d), d_base = d_amr

Weight 0 switches the AMR side off: the result is the base encoder's own array, bit for bit and of its own
width, whatever the integration; nothing is parsed. A failed parse has ``h = 0``.

``h`` is the AMR encoder's vector of the sentence's graph (the mean over all readings, where the parser made
several), or, where there is no parser, what a student (`retrofit.student`) gives for the sentence
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from amrx.encoder import TextEncoder, as_sentences
from amrx.errors import OptionError
from amrx.langid import fill_languages
from amrx.texts import as_texts
from amrx.types import Encoder, Parse, Parser, Sentence, Vectors
from amrx.validation import check_finite, encode_checked
from amrx.vectors import normalise

if TYPE_CHECKING:
    from pathlib import Path

    import penman

    from retrofit.saved_format import Source


class GraphEncoder(Protocol):
    """AMR graphs to vectors."""

    @property
    def name(self) -> str:
        """Short name for tables."""

    @property
    def dimension(self) -> int:
        """Width of the vectors."""

    @property
    def fingerprint(self) -> str:
        """Name and weight hash."""

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        """Return float32 ``(n, d)``."""


@dataclass(frozen=True, slots=True)
class Side:
    """The second channel of some sentences.

    Attributes:
        vectors: ``h``, ``(n, d_amr)``; zero where there is none.
        there: Whether each sentence has one: false where its parse failed ``(n,)``.
    """

    vectors: Vectors
    there: npt.NDArray[np.bool_]


Integration = Literal["concat", "add", "norm-concat", "norm-add"]
INTEGRATIONS: tuple[str, ...] = get_args(Integration)
LARGEST = float(np.finfo(np.float32).max)
"""A larger weight would be infinite in float32."""


def combine(base: Vectors, amr: Vectors, *, weight: float = 1.0, integration: str = "norm-concat") -> Vectors:
    """Combine row by row; rows of ``amr`` that are zero stay zero.

    Args:
        base: ``s``, ``(n, d_base)``.
        amr: ``h``, ``(n, d_amr)``.
        weight: ``w``; 0 returns ``base`` itself.
        integration: One of the four in the module's docstring.

    Raises:
        OptionError: Unknown integration, a negative weight, or ``add`` of unequal widths.

    Example:
        >>> s, h = np.array([[3.0, 4.0]], dtype=np.float32), np.array([[0.0, 2.0]], dtype=np.float32)
        >>> combine(s, h, weight=0.5).tolist()
        [[0.6000000238418579, 0.800000011920929, 0.0, 0.5]]
    """
    check_integration(integration, weight, base.shape[1], amr.shape[1])
    if weight == 0:
        return base
    if integration.startswith("norm-"):
        base, amr = normalise(base), normalise(amr)
    with np.errstate(over="ignore"):  # the caller, who knows the sentences, refuses what is infinite
        scaled = np.float32(weight) * amr
        joined = np.hstack([base, scaled]) if integration.endswith("concat") else base + scaled
    return joined.astype(np.float32, copy=False)


def check_weight(weight: float) -> None:
    """Raise OptionError for a weight that is none."""
    if not 0 <= weight <= LARGEST:
        raise OptionError(f"weight must be a finite float32 >= 0, got {weight!r}")


def check_integration(integration: str, weight: float, base_width: int, amr_width: int) -> None:
    """Raise OptionError for an unknown integration, a weight that is none, or widths that cannot be added."""
    if integration not in INTEGRATIONS:
        raise OptionError(f"integration {integration!r} is none of {', '.join(INTEGRATIONS)}")
    check_weight(weight)
    if integration.endswith("add") and base_width != amr_width and weight != 0:
        raise OptionError(
            f"integration {integration!r} adds vectors of one width, but the base gives {base_width} and the "
            f"AMR encoder {amr_width}; use norm-concat, or an AMR encoder of width {base_width}"
        )


BLOCK = 4096
"""Sentences whose graphs are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Retrofitted:
    """Vectors of a block of sentences.

    Attributes:
        vectors: ``(n, d)`` float32.
        failed: Positions of the sentences whose parse failed and whose AMR part is zero.
    """

    vectors: Vectors
    failed: tuple[int, ...]


class RetrofittedEncoder(TextEncoder):
    """A base encoder with an AMR side; is itself an `amrx.types.Encoder`.

    Args:
        base: The encoder to retrofit.
        parser: Text to graphs; ``None`` where ``encoder`` reads the sentence itself.
        encoder: Graphs to vectors, or a student.
        weight: Weight of the AMR side; 0 gives the base alone.
        integration: One of `retrofit.combine.INTEGRATIONS`.
        source: By which names the three were loaded; without it they cannot be saved.

    Raises:
        OptionError: An encoder of graphs comes without a parser, or a student with one.
    """

    def __init__(
        self,
        base: Encoder,
        parser: Parser | None,
        encoder: GraphEncoder | Encoder,
        *,
        weight: float = 1.0,
        integration: str = "norm-concat",
        source: Source | None = None,
    ) -> None:
        check_integration(integration, weight, base.dimension, encoder.dimension)
        if (parser is None) != isinstance(encoder, Encoder):
            reads = "graphs, which need a" if parser is None else "sentences, which need no"
            raise OptionError(f"{encoder.name} reads {reads} parser")
        self.base, self.parser, self.encoder, self.source = base, parser, encoder, source
        self.weight, self.integration = float(weight), integration

    @property
    def name(self) -> str:
        """Short name for tables."""
        return self.base.name if self.weight == 0 else f"{self.base.name}+{self.encoder.name}"

    @property
    def dimension(self) -> int:
        """Width of the vectors; that of the base where the weight is 0 or vectors are added."""
        alone = self.weight == 0 or self.integration.endswith("add")
        return self.base.dimension if alone else self.base.dimension + self.encoder.dimension

    @property
    def fingerprint(self) -> str:
        """Fingerprints of all three parts, weight and integration."""
        if self.weight == 0:
            return self.base.fingerprint
        parser = "" if self.parser is None else f"{self.parser.fingerprint}|"
        parts = f"{self.base.fingerprint}|{parser}{self.encoder.fingerprint}"
        return f"{parts}|{self.integration}|{self.weight!r}"

    def with_weight(self, weight: float) -> RetrofittedEncoder:
        """Return the same encoder with another weight; models are shared."""
        return RetrofittedEncoder(
            self.base, self.parser, self.encoder,
            weight=weight, integration=self.integration, source=self.source,
        )  # fmt: skip

    def save(self, folder: str | Path) -> None:
        """Write a folder in sentence-transformers' format (see `retrofit.saved_format`).

        Raises:
            OptionError: The parts were not loaded by `retrofit.load`.
            OutputError: The folder is not empty or cannot be written.
        """
        from retrofit.save import save

        save(self, folder)

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``; `retrofit` also tells which parses failed.

        Raises:
            OptionError: A language code is unknown.
            AmrxError: A vector is not finite.
        """
        return self.retrofit(as_sentences(texts, lang), batch_size=batch_size, progress=progress).vectors

    def __repr__(self) -> str:
        """Return the three parts, weight and integration."""
        parser = "" if self.parser is None else f", parser={self.parser.fingerprint!r}"
        return (
            f"RetrofittedEncoder(base={self.base.name!r}{parser}, encoder={self.encoder.name!r}, "
            f"weight={self.weight:g}, integration={self.integration!r}, dimension={self.dimension})"
        )

    def retrofit(
        self, sentences: Iterable[Sentence], *, batch_size: int = 64, progress: bool = False, prompt: str = ""
    ) -> Retrofitted:
        """Encode records; equal (text, language) are worked on once. Undetermined languages are detected.

        The base encoder reads ``prompt`` before every sentence; the parser does not.

        Raises:
            AmrxError: A vector of a part, or the combined one, is not finite; the message names the sentence.
        """
        records = as_sentences(sentences)
        if not records:
            return Retrofitted(np.zeros((0, self.dimension), dtype=np.float32), ())
        keys: dict[tuple[str, str], int] = {}
        place = [
            keys.setdefault((record.text, code), len(keys))
            for record, code in zip(records, fill_languages(records), strict=True)
        ]
        texts, langs = [text for text, _ in keys], [code for _, code in keys]
        firsts = np.unique(place, return_index=True)[1]  # where each distinct one is first
        ids = [records[first].id for first in firsts]
        base = encode_checked(
            self.base, [prompt + text for text in texts], langs,
            batch_size=batch_size, progress=progress, ids=ids,
        )  # fmt: skip
        if self.weight == 0:
            return Retrofitted(_expand(base, place), ())
        side = self.side(texts, langs, batch_size=batch_size, progress=progress, ids=ids)
        vectors = combine(base, side.vectors, weight=self.weight, integration=self.integration)
        check_finite(vectors, texts, f"weight {self.weight:g}", ids)
        failed = tuple(i for i, once in enumerate(place) if not side.there[once])
        return Retrofitted(_expand(vectors, place), failed)

    def side(
        self,
        texts: Sequence[str],
        langs: Sequence[str],
        *,
        batch_size: int = 64,
        progress: bool = False,
        ids: Sequence[str] | None = None,
    ) -> Side:
        """Return the second channel of sentences of known languages, in order.

        Raises:
            AmrxError: A vector is not finite; the message names the sentence by ``ids``, or its position.
        """
        if isinstance(self.encoder, Encoder):
            student = encode_checked(
                self.encoder, texts, langs, batch_size=batch_size, progress=progress, ids=ids
            )
            return Side(student, np.ones(len(texts), dtype=np.bool_))
        vectors = np.empty((len(texts), self.encoder.dimension), dtype=np.float32)
        there = np.empty(len(texts), dtype=np.bool_)
        for start in range(0, len(texts), BLOCK):
            block = slice(start, start + BLOCK)
            parses = self.parse(texts[block], langs[block], batch_size=batch_size, progress=progress)
            vectors[block] = self.encode_parses(parses)
            there[block] = [parse.status != "failed" for parse in parses]
        check_finite(vectors, texts, f"encoder {self.encoder.name}", ids)
        return Side(vectors, there)

    def parse(
        self, texts: Sequence[str], langs: Sequence[str], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        """Parse sentences of known languages, in order.

        Raises:
            OptionError: There is no parser.
        """
        if self.parser is None:
            raise OptionError(f"{self.encoder.name} has no graphs: it reads sentences")
        return self.parser.parse(
            as_sentences(as_texts(texts), langs), batch_size=batch_size, progress=progress
        )

    def encode_parses(self, parses: Sequence[Parse]) -> Vectors:
        """Return the AMR vectors ``(n, d_amr)``, zero where the parse failed.

        Where the parser made several graphs of a sentence (`parser.ensemble`), the mean over these.

        Raises:
            OptionError: The encoder is a student.
        """
        if isinstance(self.encoder, Encoder):
            raise OptionError(f"{self.encoder.name} has no vectors of graphs: it reads sentences")
        amr = np.zeros((len(parses), self.encoder.dimension), dtype=np.float32)
        there = [i for i, parse in enumerate(parses) if parse.status != "failed"]
        if there:
            readings = [parses[i].graphs for i in there]
            vectors = self.encoder.encode_graphs([graph for graphs in readings for graph in graphs])
            counts = np.array([len(graphs) for graphs in readings])
            amr[there] = np.add.reduceat(vectors, np.cumsum(counts) - counts) / counts[:, None]
        return amr


def _expand(vectors: Vectors, place: Sequence[int]) -> Vectors:
    """Return the vector of each sentence from those of the distinct ones."""
    return vectors if len(place) == len(vectors) else vectors[np.array(place)]

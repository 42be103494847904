"""Combine a base encoder with channels: AMR encoders (Cai et al. 2022, section 4.2), students, others.

With ``s`` the base's vector, ``h_1 ... h_n`` those of the channels and ``w_1 ... w_n`` their weights::

    concat       s ⊕ w_1 h_1 ⊕ ... ⊕ w_n h_n                  (n, d_base + d_1 + ... + d_n)
    add          s + w_1 h_1 + ... + w_n h_n                  (n, d), all widths equal
    norm-concat  s/|s| ⊕ w_1 h_1/|h_1| ⊕ ... ⊕ w_n h_n/|h_n|  the default; n = 1, w = 1 is the paper's
    norm-add     s/|s| + w_1 h_1/|h_1| + ... + w_n h_n/|h_n|  (n, d), all widths equal

A channel of weight 0 is dropped: it is not computed and has no columns. Without channels the result is the
base encoder's own array, bit for bit, for every integration. A failed parse has ``h = 0``.

``h`` is an AMR encoder's vector of the sentence's graph (of a text of several sentences, the mean over their
graphs), or the vector of the sentence itself from a student (`retrofit.student`) or another encoder. All AMR
encoders read the same parse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from amrx.encoder import TextEncoder, as_sentences
from amrx.errors import OptionError, check_choice
from amrx.langid import fill_languages
from amrx.texts import as_texts
from amrx.types import Encoder, Named, Parse, Parser, Sentence, Vectors
from amrx.validation import check_finite, encode_checked, parse_checked
from amrx.vector_cache import CachedEncoder
from amrx.vectors import normalise

if TYPE_CHECKING:
    from pathlib import Path

    import penman

    from retrofit.amr.encoder import Cut
    from retrofit.saved_format import Source


class GraphEncoder(Named, Protocol):
    """Protocol of an encoder of AMR graphs."""

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        """Return float32 ``(n, d)``."""


@dataclass(frozen=True, slots=True)
class Side:
    """The vectors of some sentences in one channel."""

    vectors: Vectors  # ``h``, ``(n, d)``; zero if there is none
    present: npt.NDArray[np.bool_]  # whether each sentence has a vector; false if its parse failed ``(n,)``

    @classmethod
    def whole(cls, vectors: Vectors) -> Side:
        """Return the side of a channel with a vector for every sentence."""
        return cls(vectors, np.ones(len(vectors), dtype=np.bool_))


Channel = GraphEncoder | Encoder
"""An encoder of graphs, or of sentences."""
Weights = float | Sequence[float]
"""One weight for every channel, or one per channel."""

Integration = Literal["concat", "add", "norm-concat", "norm-add"]
INTEGRATIONS: tuple[str, ...] = get_args(Integration)
LARGEST = float(np.finfo(np.float32).max)
"""Maximum weight; a larger one would be infinite in float32."""


def combine(
    base: Vectors, *channels: Vectors, weight: Weights = 1.0, integration: str = "norm-concat"
) -> Vectors:
    """Combine row by row, by the law in the module's docstring; rows of a channel that are zero stay zero.

    Args:
        base: ``s``, ``(n, d_base)``.
        channels: ``h_1 ... h_n``, ``(n, d_i)`` each.
        weight: ``w_1 ... w_n``, or one number for all; if all are 0, ``base`` itself is returned.
        integration: One of `INTEGRATIONS`.

    Raises:
        OptionError: The integration is unknown, a weight is invalid, the number of weights is wrong, or
            ``add`` has unequal widths.

    Example:
        >>> s, h = np.array([[3.0, 4.0]], dtype=np.float32), np.array([[0.0, 2.0]], dtype=np.float32)
        >>> combine(s, h, weight=0.5).tolist()
        [[0.6000000238418579, 0.800000011920929, 0.0, 0.5]]
        >>> combine(s, h, h, weight=(0, 1), integration="add").tolist()
        [[3.0, 6.0]]
    """
    weights = spread(weight, len(channels))
    check_integration(integration, weights, base.shape[1], [channel.shape[1] for channel in channels])
    kept = [(channel, one) for channel, one in zip(channels, weights, strict=True) if one]
    if not kept:
        return base
    scale = normalise if integration.startswith("norm-") else np.asarray
    with np.errstate(over="ignore"):  # the caller, which has the sentences, reports infinite values
        parts = [scale(base), *(np.float32(one) * scale(channel) for channel, one in kept)]
        joined = np.hstack(parts) if integration.endswith("concat") else reduce(np.add, parts)
    return joined.astype(np.float32, copy=False)


def spread(weight: Weights, count: int) -> tuple[float, ...]:
    """Return one weight per channel."""
    if isinstance(weight, int | float):
        return (float(weight),) * count
    weights = tuple(map(float, weight))
    if len(weights) == 1:
        weights *= count
    if len(weights) != count:
        raise OptionError(f"{len(weights)} weights for {count} channels; give one per channel")
    return weights


def check_weight(weight: float) -> None:
    """Raise OptionError for an invalid weight."""
    if not 0 <= weight <= LARGEST:
        raise OptionError(f"weight must be a finite float32 >= 0, got {weight!r}")


def check_integration(
    integration: str, weights: Sequence[float], base_width: int, widths: Sequence[int]
) -> None:
    """Raise OptionError for an unknown integration, an invalid weight, or widths that cannot be added."""
    check_choice("integration", integration, INTEGRATIONS)
    for weight, width in zip(weights, widths, strict=True):
        check_weight(weight)
        if integration.endswith("add") and base_width != width and weight != 0:
            raise OptionError(
                f"integration {integration!r} adds vectors of one width, but the base gives {base_width} and "
                f"the channel {width}; use norm-concat, or a channel of width {base_width}"
            )


BLOCK = 4096
"""Number of sentences whose graphs are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Retrofitted:
    """Vectors of a block of sentences."""

    vectors: Vectors  # ``(n, d)`` float32
    failed: tuple[int, ...]  # positions of sentences whose parse failed; their AMR part is zero


class RetrofittedEncoder(TextEncoder):
    """A base encoder combined with channels; is itself an `amrx.types.Encoder`.

    Args:
        base: The encoder to retrofit.
        parser: Converts text to graphs; ``None`` if all channels read the sentence itself.
        encoders: The channels; a single one needs no sequence.
        weight: Weight of each channel, or one for all; a channel of weight 0 is dropped.
        integration: One of `retrofit.combine.INTEGRATIONS`.
        source: Names by which the parts were loaded; without them the encoder cannot be saved.
        dimensions: Width to which vectors are reduced (`retrofit.reduce`); not reduced when ``None``.

    Attributes:
        encoders: The channels, including those of weight 0.
        weights: One per channel.
    """

    def __init__(
        self,
        base: Encoder,
        parser: Parser | None,
        encoders: Channel | Sequence[Channel],
        *,
        weight: Weights = 1.0,
        integration: str = "norm-concat",
        source: Source | None = None,
        dimensions: int | None = None,
    ) -> None:
        self.encoders = tuple(encoders) if isinstance(encoders, Sequence) else (encoders,)
        self.weights = spread(weight, len(self.encoders))
        check_integration(integration, self.weights, base.dimension, [one.dimension for one in self.encoders])
        graphs = [encoder.name for encoder in self.encoders if not isinstance(encoder, Encoder)]
        if parser is None and graphs:
            raise OptionError(f"{graphs[0]} reads graphs, which need a parser")
        if parser is not None and not graphs:
            names = ", ".join(encoder.name for encoder in self.encoders)
            raise OptionError(f"{names} reads sentences, which need no parser")
        self.base, self.parser, self.integration, self.source = base, parser, integration, source
        self.dimensions = dimensions
        self._kept = [encoder for encoder, one in zip(self.encoders, self.weights, strict=True) if one]

    @property
    def name(self) -> str:
        """Short name for tables: the base and the channels with a weight above 0."""
        return "+".join(part.name for part in (self.base, *self._kept))

    @property
    def dimension(self) -> int:
        """Width of the vectors; the width of the base if all channels are dropped or vectors are added."""
        if self.dimensions is not None:
            return self.dimensions
        added = self.integration.endswith("add")
        return self.base.dimension + sum(0 if added else encoder.dimension for encoder in self._kept)

    @property
    def fingerprint(self) -> str:
        """Fingerprints of the parts that are used, integration, weights and reduction."""
        from retrofit.reduce import digest

        parts = [self.base.fingerprint]
        if self.parser is not None and not all(isinstance(encoder, Encoder) for encoder in self._kept):
            parts.append(self.parser.fingerprint)
        parts += [encoder.fingerprint for encoder in self._kept]
        if self._kept:
            parts += [self.integration, *(repr(one) for one in self.weights if one)]
        if self.dimensions is not None:
            parts.append(f"{self.dimensions}:{digest()}")
        return "|".join(parts)

    @cached_property
    def _projection(self) -> Vectors:
        from retrofit.reduce import projection

        if self.dimensions is None or self.integration != "norm-concat":
            raise OptionError(f"dimensions needs integration norm-concat, got {self.integration!r}")
        weights = [1.0, *(one for one in self.weights if one)]
        return projection([self.base, *self._kept], weights, self.dimensions)

    def check_dimensions(self) -> None:
        """Raise OptionError if vectors cannot be reduced to the requested width."""
        if self.dimensions is not None:
            self._projection  # noqa: B018  # computed once

    @property
    def summary(self) -> str:
        """Name and weights, for a log line."""
        return f"{self.name}: weight {', '.join(f'{one:g}' for one in self.weights)}"

    def with_weight(self, weight: Weights) -> RetrofittedEncoder:
        """Return the same encoder with other weights; the models are shared."""
        return RetrofittedEncoder(
            self.base, self.parser, self.encoders,
            weight=weight, integration=self.integration, source=self.source, dimensions=self.dimensions,
        )  # fmt: skip

    def save(self, folder: str | Path) -> None:
        """Write a folder in sentence-transformers' format (see `retrofit.saved_format`).

        Raises:
            OptionError: The parts were not loaded by `retrofit.load`.
            OutputError: The folder is not empty or cannot be written.
        """
        from retrofit.saved_format import write_saved

        parser = "" if self.parser is None else self.parser.fingerprint
        fingerprints = [self.base.fingerprint, parser, *(encoder.fingerprint for encoder in self.encoders)]
        write_saved(
            folder, self.name, self.source, fingerprints, self.weights, self.integration, self.dimensions
        )

    @property
    def cuts(self) -> list[Cut | None]:
        """The counts of cut inputs of the base and of each channel; ``None`` for a part that counts none."""
        base = self.base.encoder if isinstance(self.base, CachedEncoder) else self.base
        return [getattr(part, "cut", None) for part in (base, *self.encoders)]

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``; `retrofit` also returns which parses failed."""
        return self.retrofit(as_sentences(texts, lang), batch_size=batch_size, progress=progress).vectors

    def __repr__(self) -> str:
        """Return the parts, weights and integration."""
        parser = "" if self.parser is None else f", parser={self.parser.fingerprint!r}"
        channels = ", ".join(encoder.name for encoder in self.encoders)
        weights = ", ".join(f"{one:g}" for one in self.weights)
        return (
            f"RetrofittedEncoder(base={self.base.name!r}{parser}, encoder={channels!r}, "
            f"weight={weights}, integration={self.integration!r}, dimension={self.dimension})"
        )

    def retrofit(
        self, sentences: Iterable[Sentence], *, batch_size: int = 64, progress: bool = False, prompt: str = ""
    ) -> Retrofitted:
        """Encode records; equal (text, language) pairs are encoded once. Missing languages are detected.

        ``prompt`` is put before every sentence for the base encoder, but not for the parser.
        """
        records = as_sentences(sentences)
        if self.dimensions is not None:
            _ = self._projection  # raise its errors before any work
        if not records:
            return Retrofitted(np.zeros((0, self.dimension), dtype=np.float32), ())
        keys: dict[tuple[str, str], int] = {}
        inverse = [
            keys.setdefault((record.text, code), len(keys))
            for record, code in zip(records, fill_languages(records), strict=True)
        ]
        texts, langs = [text for text, _ in keys], [code for _, code in keys]
        firsts = np.unique(inverse, return_index=True)[1]  # first position of each distinct record
        ids = [records[first].id for first in firsts]
        base = encode_checked(
            self.base, [prompt + text for text in texts], langs,
            batch_size=batch_size, progress=progress, ids=ids,
        )  # fmt: skip
        sides = self.sides(texts, langs, batch_size=batch_size, progress=progress, ids=ids)
        weights = [one for one in self.weights if one]
        channels = [side.vectors for side in sides]
        vectors = combine(base, *channels, weight=weights, integration=self.integration)
        if self.dimensions is not None:
            vectors = vectors @ self._projection
        check_finite(vectors, texts, self.summary, ids)
        failed = tuple(i for i, once in enumerate(inverse) if not all(side.present[once] for side in sides))
        return Retrofitted(_expand(vectors, inverse), failed)

    def sides(
        self,
        texts: Sequence[str],
        langs: Sequence[str],
        *,
        encoders: Sequence[Channel] | None = None,
        parses: Sequence[Parse] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        ids: Sequence[str] | None = None,
    ) -> list[Side]:
        """Return the channels of sentences with known languages, in order.

        Args:
            texts: The sentences.
            langs: Their languages.
            encoders: Requested channels; those with a weight above 0 when ``None``.
            parses: Their parses, if they exist already.
            batch_size: Sentences per batch of the models.
            progress: Draw bars.
            ids: Identifiers of the sentences in messages; default: their positions.
        """
        wanted = self._kept if encoders is None else encoders
        graphs = {i: one for i, one in enumerate(wanted) if not isinstance(one, Encoder)}
        vectors = [
            encode_checked(one, texts, langs, ids=ids, batch_size=batch_size, progress=progress)
            if isinstance(one, Encoder)
            else np.empty((len(texts), one.dimension), dtype=np.float32)
            for one in wanted
        ]
        present_rows = np.ones((len(vectors), len(texts)), dtype=np.bool_)
        for start in range(0, len(texts) if graphs else 0, BLOCK):
            block = slice(start, start + BLOCK)
            if parses is None:
                parsed = self.parse(texts[block], langs[block], batch_size=batch_size, progress=progress)
            else:
                parsed = list(parses[block])
            present_rows[list(graphs), block] = [parse.status != "failed" for parse in parsed]
            for i, encoder in graphs.items():
                vectors[i][block] = encode_parses(encoder, parsed)
        for i, encoder in graphs.items():
            check_finite(vectors[i], texts, f"encoder {encoder.name}", ids)
        return [Side(rows, present) for rows, present in zip(vectors, present_rows, strict=True)]

    def parse(
        self, texts: Sequence[str], langs: Sequence[str], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        """Parse sentences with known languages, in order."""
        if self.parser is None:
            names = ", ".join(encoder.name for encoder in self.encoders)
            raise OptionError(f"{names} has no graphs: it reads sentences; use preset graph or best")
        records = as_sentences(as_texts(texts), langs)
        return parse_checked(self.parser, records, batch_size=batch_size, progress=progress)


def encode_parses(encoder: GraphEncoder, parses: Sequence[Parse]) -> Vectors:
    """Return an encoder's vectors of parses ``(n, d)``, zero for failed parses.

    The vector of a text of several sentences is the mean over their graphs.
    """
    amr = np.zeros((len(parses), encoder.dimension), dtype=np.float32)
    parsed = [i for i, parse in enumerate(parses) if parse.status != "failed"]
    if parsed:
        texts = [parses[i].graphs for i in parsed]
        vectors = encoder.encode_graphs([graph for graphs in texts for graph in graphs])
        counts = np.array([len(graphs) for graphs in texts])
        amr[parsed] = np.add.reduceat(vectors, np.cumsum(counts) - counts) / counts[:, None]
    return amr


def _expand(vectors: Vectors, inverse: Sequence[int]) -> Vectors:
    """Return the vector of each sentence from those of the distinct sentences."""
    return vectors if len(inverse) == len(vectors) else vectors[np.array(inverse)]

"""Find sentences of similar meaning: queries in a corpus, pairs in one file or between two.

::

    queries ──1,024 at a time──> the k nearest of the corpus ──cosines──> Match, Match, ...
    one side or two ──neighbours──> pairs, the best first    ──cosines──> Match, Match, ...

``rerank=N`` chooses N candidates by the base alone and parses only these: N parses per query instead of one
per sentence of the corpus.

Pairs of similar meaning are joined to groups::

    a ─ b   b ─ c   d ─ e    ──>    {a, b, c}   {d, e}

Two sentences are in one group if a chain of pairs leads from one to the other, so the ends of a long chain
may be less near than the threshold of the pairs. `Group.lowest` is the weakest pair of the group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from amrx.encoder import as_sentences
from amrx.errors import OptionError
from amrx.evaluation.neighbours.mining import Floats, Mined, Places, by_cosine, by_margin
from amrx.texts import blocks_of, stream_items
from amrx.types import Parse, Parser, Sentence, Sentences
from amrx.validation import parse_checked
from amrx.vector_cache import VectorCache
from parser.graphs.diff import compare
from retrofit.combine import RetrofittedEncoder
from retrofit.contradictions import contradictions as contradictions_of
from retrofit.explain import differences
from retrofit.index import BLOCK, Index, cosines

DIGITS = 6
"""Digits of a score after the point, where it is written and where a threshold is applied."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two sentences of similar meaning, each with its language, which is detected if it was not given."""

    a: Sentence  # the query, or the first of a pair
    b: Sentence  # the other one
    base: float  # cosine of the base's vectors
    # cosine of the channels (the AMR side, a student), without the base; ``None`` if a sentence has no
    # vector, for example because its parse failed
    channels: float | None
    combined: float  # cosine of the combined vectors
    margin: float | None = None  # the ratio margin, if requested
    differ: tuple[str, ...] | None = None  # the differences of the graphs, if requested
    contradictions: tuple[str, ...] | None = None  # statements that contradict each other, if requested


@dataclass(frozen=True, slots=True)
class Search:
    """Settings of a search; its numbers are checked on construction."""

    top: int = 5  # number of nearest sentences of each sentence
    threshold: float | None = None  # lowest score: the combined cosine, or the margin
    # number of candidates chosen by the base; only these are parsed. Per query, or of all pairs.
    rerank: int | None = None
    margin: bool = False  # whether pairs of two sides are scored by the ratio margin over ``top`` neighbours
    why: bool = False  # whether to add the differences of the graphs
    # whether to add the statements of the graphs that contradict each other (`retrofit.contradictions`)
    contradictions: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not isinstance(self.top, Integral) or self.top < 1:
            raise OptionError(f"top must be a whole number >= 1, got {self.top!r}")
        if self.threshold is not None:
            lowest, highest = (0.0, np.inf) if self.margin else (-1.0, 1.0)
            number = isinstance(self.threshold, Real)
            if not (number and lowest <= self.threshold <= highest and np.isfinite(self.threshold)):
                limits = "a margin >= 0" if self.margin else "a cosine from -1 to 1"
                raise OptionError(f"threshold must be {limits}, got {self.threshold!r}")
        if self.rerank is not None and (not isinstance(self.rerank, Integral) or self.rerank < self.top):
            raise OptionError(f"rerank must be a whole number >= top ({self.top}), got {self.rerank!r}")
        if self.rerank is not None and self.margin:
            raise OptionError("rerank and margin contradict each other: a margin is over all neighbours")

    def check(self, encoder: RetrofittedEncoder) -> None:
        """Raise OptionError if an encoder does not support the settings."""
        if encoder.dimensions is not None:
            raise OptionError("search needs unreduced vectors; load the encoder without dimensions")
        if self.rerank is not None and not any(encoder.weights):
            raise OptionError("rerank needs a channel with a weight above 0")

    @property
    def reads_graphs(self) -> bool:
        """Whether the graphs of matches are read, whatever the encoder reads."""
        return self.why or self.contradictions


def search(
    queries: Sentences,
    corpus: Sentences | Index,
    *,
    encoder: RetrofittedEncoder | None = None,
    lang: str | None = None,
    top: int = 5,
    threshold: float | None = None,
    rerank: int | None = None,
    why: bool = False,
    contradictions: bool = False,
    parser: Parser | None = None,
    cache: VectorCache | None = None,
    progress: bool = False,
) -> Iterator[Match]:
    """Return the nearest sentences of a corpus for each query, the nearest first, as they are found.

    Args:
        queries: Strings or records, read block by block.
        corpus: Strings or records; or an `Index`, which is built once for many calls.
        encoder: The encoder; when ``None``, that of the index, or the default one.
        lang: ISO 639-1 code of all strings; detected when ``None``.
        top: Number of results per query.
        threshold: Lowest combined cosine.
        rerank: Candidates per query, chosen by the base; only these are parsed; at least ``top``.
        why: Add the differences of the graphs.
        contradictions: Add the statements of the graphs that contradict each other.
        parser: Parser of the matches, for these two; the encoder's or else the default one when ``None``.
        cache: Cache of vectors.
        progress: Show the progress of encoding and searching.

    Raises:
        OptionError: A number is out of range.
        InputError: The corpus has no sentence, or a query is not a string.
    """
    how = Search(top, threshold, rerank, why=why, contradictions=contradictions)
    if isinstance(corpus, Index):
        index = corpus
        if (rerank is not None) != index.lazy and any(index.encoder.weights):
            raise OptionError(
                "a lazy index needs rerank=N" if index.lazy else "rerank=N needs Index(lazy=True)"
            )
    else:
        loaded = _loaded(encoder, how)
        index = Index(loaded, corpus, lang=lang, lazy=rerank is not None, cache=cache, progress=progress)
    how.check(index.encoder)
    asked = [queries] if isinstance(queries, str | Sentence) else queries
    records: Iterator[str | Sentence] = stream_items(asked, (str, Sentence), "sentence")
    return _search(records, index, how, _reader(index.encoder, parser, how), lang, cache)


def _loaded(encoder: RetrofittedEncoder | None, how: Search) -> RetrofittedEncoder:
    from retrofit.load import load

    chosen = load() if encoder is None else encoder
    how.check(chosen)
    return chosen


def _reader(encoder: RetrofittedEncoder, parser: Parser | None, how: Search) -> Parser | None:
    """Return the parser of the matches, loaded before the search, or ``None`` if none is needed."""
    from retrofit.load import load_reader

    if not how.reads_graphs:
        return None
    return parser or encoder.parser or load_reader()


def _search(
    queries: Iterator[str | Sentence],
    index: Index,
    how: Search,
    reader: Parser | None,
    lang: str | None,
    cache: VectorCache | None,
) -> Iterator[Match]:
    first = 0
    for block in blocks_of(queries, BLOCK):
        records = [
            Sentence(str(first + offset), one, lang) if isinstance(one, str) else one
            for offset, one in enumerate(block, start=1)
        ]
        asked = Index(
            index.encoder, records, lang=lang, lazy=index.lazy, cache=cache, progress=index.progress
        )
        near = index.nearest(asked, how.rerank or how.top).places
        rows = np.repeat(np.arange(len(near)), near.shape[1])
        scores = cosines(asked, index, rows, near.ravel())
        order = np.argsort(-scores[2].reshape(near.shape), axis=1, kind="stable")[:, : how.top]
        chosen = (order + np.arange(len(near))[:, None] * near.shape[1]).ravel()
        mined = Mined(rows[chosen], near.ravel()[chosen], scores[2, chosen])
        yield from _matches(asked, index, mined, scores[:, chosen], how, reader)
        first += len(block)


def pairs(
    sentences: Sentences,
    others: Sentences | None = None,
    *,
    encoder: RetrofittedEncoder | None = None,
    lang: str | None = None,
    top: int = 5,
    threshold: float | None = None,
    rerank: int | None = None,
    margin: bool = False,
    why: bool = False,
    contradictions: bool = False,
    parser: Parser | None = None,
    cache: VectorCache | None = None,
    progress: bool = False,
) -> Iterator[Match]:
    """Return pairs of similar meaning, the best first.

    With one side (duplicates, paraphrases) the pairs are every sentence with each of its ``top`` nearest
    others, each pair once. With two sides (translations) each sentence is in at most one pair
    (`amrx.evaluation.neighbours.mining`).

    Args:
        sentences: Strings or records.
        others: The second side.
        encoder: The default one when ``None``.
        lang: ISO 639-1 code of all strings; detected when ``None``.
        top: Neighbours of each sentence.
        threshold: Lowest combined cosine, or margin.
        rerank: Number of pairs, the best by the base, for which AMR is computed.
        margin: Score pairs of two sides by the ratio margin (Artetxe and Schwenk 2019).
        why: Add the differences of the graphs.
        contradictions: Add the statements of the graphs that contradict each other.
        parser: Parser of the matches, for these two; the encoder's or else the default one when ``None``.
        cache: Cache of vectors.
        progress: Show the progress of encoding and searching.

    Raises:
        OptionError: A number is out of range, or options contradict each other.
        InputError: A side has no sentence.
    """
    how = Search(top, threshold, rerank, margin, why, contradictions)
    if margin and others is None:
        raise OptionError("margin is for the translations of two sides")
    loaded = _loaded(encoder, how)
    reader = _reader(loaded, parser, how)
    one, other = (
        None
        if side is None
        else Index(loaded, side, lang=lang, lazy=rerank is not None, cache=cache, progress=progress)
        for side in (sentences, others)
    )
    assert one is not None  # only the second side may be missing
    mined = _duplicates(one, how.top) if other is None else _translations(one, other, how)
    return _pairs(one, one if other is None else other, mined, how, reader)


def _pairs(one: Index, other: Index, mined: Mined, how: Search, reader: Parser | None) -> Iterator[Match]:
    """Yield pairs in the order of their final scores; with ``rerank`` only the best by the base."""
    best = slice(how.rerank)
    first, second = mined.first[best], mined.second[best]
    scores = cosines(one, other, first, second)
    final = mined.scores if how.margin else scores[2]
    order = np.argsort(-final, kind="stable")
    chosen = Mined(first[order], second[order], final[order])
    return _matches(one, other, chosen, scores[:, order], how, reader)


def _translations(one: Index, other: Index, how: Search) -> Mined:
    mine = by_margin if how.margin else by_cosine
    return mine(other.nearest(one, how.top), one.nearest(other, how.top))


def _duplicates(index: Index, top: int) -> Mined:
    """Return each sentence paired with its nearest others, every pair once, the best first."""
    near = index.nearest(index, top + 1)
    count = len(near.places)
    rows = np.arange(count)[:, None]
    # with many equal sentences, a sentence may be missing among its own neighbours
    others = np.argsort(near.places == rows, axis=1, kind="stable")[:, : min(top, count - 1)]
    places = np.take_along_axis(near.places, others, axis=1)
    codes = (np.minimum(rows, places) * count + np.maximum(rows, places)).ravel()
    codes, where = np.unique(codes, return_index=True)
    scores = np.take_along_axis(near.cosines, others, axis=1).ravel()[where].astype(np.float64)
    order = np.argsort(-scores, kind="stable")
    return Mined(codes[order] // count, codes[order] % count, scores[order])


def _matches(
    one: Index, other: Index, mined: Mined, scores: Floats, how: Search, reader: Parser | None
) -> Iterator[Match]:
    """Yield pairs of rows as records; graphs are compared block by block."""
    kept = np.arange(len(mined.scores))
    if how.threshold is not None:
        # as the scores are written: the cosine of a sentence with itself may be 1 - 1e-16
        kept = np.flatnonzero(np.round(mined.scores, DIGITS) >= how.threshold)
    for start in range(0, len(kept), BLOCK):
        rows = kept[start : start + BLOCK]
        told: Sequence[_Told] = [(None, None)] * len(rows)
        if reader is not None:
            parses = _parses(one, other, mined.first[rows], mined.second[rows], reader)
            told = [_compared(a, b, how) for a, b in parses]
        for row, (differ, against) in zip(rows.tolist(), told, strict=True):
            base, channels, combined = scores[:, row].tolist()
            yield Match(
                one.sentence(mined.first[row]), other.sentence(mined.second[row]),
                base, None if np.isnan(channels) else channels, combined,
                margin=float(mined.scores[row]) if how.margin else None,
                differ=differ, contradictions=against,
            )  # fmt: skip


def _parses(
    one: Index, other: Index, first: Places, second: Places, reader: Parser
) -> list[tuple[Parse, Parse]]:
    """Parse the sentences of pairs of rows, each once."""
    rows: dict[tuple[str, str], int] = {}
    places = [
        [rows.setdefault((side.sentences[row].text, side.langs[row]), len(rows)) for row in column]
        for side, column in ((one, first), (other, second))
    ]
    texts, langs = [text for text, _ in rows], [code for _, code in rows]
    parses = parse_checked(reader, as_sentences(texts, langs), batch_size=64, progress=other.progress)
    return [(parses[a], parses[b]) for a, b in zip(*places, strict=True)]


_Told = tuple[tuple[str, ...] | None, tuple[str, ...] | None]
"""Differences and contradictions of two graphs, each if requested."""


def _compared(one: Parse, other: Parse, how: Search) -> _Told:
    """Compare two graphs; those of failed parses have no differences."""
    if "failed" in (one.status, other.status):
        return () if how.why else None, () if how.contradictions else None
    comparison = compare(one.graph, other.graph)
    against = contradictions_of(comparison, one.graph, other.graph) if how.contradictions else ()
    return (
        differences(comparison) if how.why else None,
        tuple(entry.words for entry in against) if how.contradictions else None,
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that pairs connect."""

    members: tuple[Sentence, ...]  # those of the best pairs first
    lowest: float  # lowest combined cosine of its pairs


def join_pairs(matches: Iterable[Match]) -> list[Group]:
    """Return the groups of pairs from one file, the largest first; sentences are told apart by their ids.

    Example:
        >>> from retrofit.search import Match
        >>> a, b, c, d = (Sentence(name, name, "en") for name in "abcd")
        >>> groups = join_pairs([Match(a, b, 0, 0, 0.9), Match(c, d, 0, 0, 0.8), Match(d, a, 0, 0, 0.7)])
        >>> [("".join(one.id for one in group.members), group.lowest) for group in groups]
        [('abcd', 0.7)]
    """
    parents: dict[str, str] = {}
    sentences: dict[str, Sentence] = {}
    scores: list[tuple[str, float]] = []
    for match in matches:
        for one in (match.a, match.b):
            sentences.setdefault(one.id, one)
            parents.setdefault(one.id, one.id)
        parents[_root(parents, match.b.id)] = _root(parents, match.a.id)
        scores.append((match.a.id, match.combined))
    members: defaultdict[str, list[Sentence]] = defaultdict(list)
    for name, sentence in sentences.items():
        members[_root(parents, name)].append(sentence)
    lowest: dict[str, float] = {}
    for name, score in scores:
        root = _root(parents, name)
        lowest[root] = min(score, lowest.get(root, score))
    groups = [Group(tuple(one), lowest[root]) for root, one in members.items()]
    return sorted(groups, key=lambda group: -len(group.members))


def _root(parents: dict[str, str], name: str) -> str:
    """Return the representative of a sentence's group; shorten the way to it."""
    while parents[name] != name:
        parents[name] = parents[parents[name]]
        name = parents[name]
    return name

"""Explain why two sentences match: the cosine of each channel, and the facts of both graphs.

::

    two Sentences ──parser──> two Parses ──explain──> Explanation ──> as_text, as_json, explain_page
                 └──base, channels──> Cosines ─────┘

An encoder without graphs gives the cosines alone (`score_pair`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from amrx.control_characters import visible
from amrx.types import Parse, Parser, Sentence
from parser.draw.page import bare
from parser.graphs.diff import FACETS, Comparison, Fact, compare
from retrofit.contradictions import are_opposites, contradictions

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder
    from retrofit.marks import Marks

HEADINGS = {
    "concept": "concepts", "role": "roles", "polarity": "polarity", "name": "names", "quantity": "quantities",
    "time": "times",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChannelCosine:
    """The similarity of two sentences in the base, or in one channel."""

    name: str  # name of the encoder
    weight: float  # 1 for the base
    cosine: float | None  # ``None`` if a parse failed
    # product of the lengths of its parts in both combined vectors, divided by that of the whole vectors;
    # ``None`` if vectors are added
    share: float | None


@dataclass(frozen=True, slots=True)
class Cosines:
    """The similarity of two sentences; for concatenated vectors ``combined = sum(share * cosine)``."""

    channels: tuple[ChannelCosine, ...]  # the base first
    combined: float  # cosine of the combined vectors
    integration: str  # integration of the vectors
    # usual cosines of each channel, and of the combined vectors; ``None`` if not measured
    marks: tuple[Marks | None, ...] = ()

    @property
    def on_base_scale(self) -> float | None:
        """The combined cosine on the scale of the base's marks (`retrofit.marks.Marks.on_scale_of`)."""
        if not self.marks or self.marks[0] is None or self.marks[-1] is None:
            return None
        return self.marks[-1].on_scale_of(self.marks[0], self.combined)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Two parses, their cosines, and the comparison of their graphs."""

    parses: tuple[Parse, Parse]
    cosines: Cosines
    comparison: Comparison
    ids: tuple[str, str] | None = None  # identifiers of the sentences of a file

    @property
    def title(self) -> str:
        """The identifiers in one line, or an empty text."""
        return _title(self.ids)

    @property
    def failed(self) -> bool:
        """Whether a parse failed, so that there are no two graphs."""
        return any(parse.status == "failed" for parse in self.parses)

    @property
    def contradictions(self) -> tuple[str, ...]:
        """The statements in which the graphs contradict each other while the rest agrees, in words."""
        if self.failed:
            return ()
        one, other = (parse.graph for parse in self.parses)
        return tuple(entry.words for entry in contradictions(self.comparison, one, other))

    @property
    def summary(self) -> str:
        """One line on the number of shared triples."""
        if self.failed:
            return "A parse failed, so there are no two graphs to compare."
        comparison = self.comparison
        triples = f"{comparison.shared} of {comparison.sizes[0]} and {comparison.sizes[1]} triples"
        return f"The graphs share {triples} (Smatch {comparison.smatch:.1f})."


@dataclass(frozen=True, slots=True)
class Scored:
    """Two sentences and their cosines, without graphs."""

    sentences: tuple[Sentence, Sentence]  # with their languages
    cosines: Cosines
    ids: tuple[str, str] | None = None  # identifiers of the sentences of a file


def _title(ids: tuple[str, str] | None) -> str:
    if ids is None:
        return ""
    one, other = ids
    return f"id {one}" if one == other else f"ids {one} | {other}"


def explain(parses: tuple[Parse, Parse], cosines: Cosines) -> Explanation:
    """Explain two parses with known cosines; needs no model.

    If a parse failed, nothing is compared: no nodes are paired, and there are no facts.
    """
    comparison = compare(parses[0].graph, parses[1].graph)
    if any(parse.status == "failed" for parse in parses):
        comparison = replace(comparison, pairs=(), agree=(), differ=(), shared=0)
    return Explanation(parses, cosines, comparison)


def compare_channels(
    encoder: RetrofittedEncoder, texts: Sequence[str], codes: Sequence[str], parses: Sequence[Parse] | None
) -> Cosines:
    """Return the cosines of two sentences in every channel, including those of weight 0.

    Sentences without ``parses`` are parsed if a channel reads graphs.
    """
    from amrx.validation import encode_checked
    from amrx.vectors import cosine, normalise
    from retrofit.combine import Side, combine
    from retrofit.marks import marks_of

    base = encode_checked(encoder.base, texts, codes, batch_size=64, progress=False)
    sides = [Side.whole(base), *encoder.sides(texts, codes, encoders=encoder.encoders, parses=parses)]
    vectors, weights = [side.vectors for side in sides], (1.0, *encoder.weights)
    joined = combine(*vectors, weight=encoder.weights, integration=encoder.integration)
    scale = normalise if encoder.integration.startswith("norm-") else np.asarray
    parts = zip(weights, vectors, strict=True)
    lengths = np.array([weight * np.linalg.norm(scale(part), axis=1) for weight, part in parts])  # (1 + k, 2)
    shares = np.prod(lengths, axis=1) / max(float(np.prod(np.linalg.norm(lengths, axis=0))), 1e-30)
    channels = tuple(
        ChannelCosine(
            part.name, weight,
            float(cosine(side.vectors[:1], side.vectors[1:])[0]) if side.present.all() else None,
            None if encoder.integration.endswith("add") else float(share),
        )
        for part, weight, side, share in zip(
            (encoder.base, *encoder.encoders), weights, sides, shares, strict=True
        )
    )  # fmt: skip
    combined = float(cosine(joined[:1], joined[1:])[0])
    return Cosines(channels, combined, encoder.integration, marks_of(encoder))


def explain_pair(
    one: str,
    other: str,
    *,
    lang: str | tuple[str | None, str | None] | None = None,
    encoder: RetrofittedEncoder | None = None,
    parser: Parser | None = None,
) -> Explanation:
    """Explain why two sentences match; ``print`` the result for a text.

    Args:
        one: First sentence.
        other: Second sentence.
        lang: ISO 639-1 code of both, or one code each; detected when ``None``.
        encoder: The encoder; the default one, loaded in every call, when ``None``.
        parser: Parser of the graphs for an encoder that reads none; such an encoder needs it.

    Raises:
        OptionError: A language code is unknown, or there is no parser.
        MissingResourceError: A model of the default encoder is not on this machine.
    """
    from amrx.encoder import as_sentences
    from amrx.validation import parse_checked
    from retrofit.load import load

    chosen = load() if encoder is None else encoder
    texts, codes = [one, other], _codes(one, other, lang)
    if chosen.parser is None and parser is not None:
        first, second = parse_checked(parser, as_sentences(texts, codes), batch_size=64, progress=False)
    else:
        first, second = chosen.parse(texts, codes)
    return explain((first, second), compare_channels(chosen, texts, codes, (first, second)))


def score_pair(
    one: str,
    other: str,
    *,
    encoder: RetrofittedEncoder,
    lang: str | tuple[str | None, str | None] | None = None,
) -> Scored:
    """Return the cosines of two sentences; they are parsed only if a channel reads graphs.

    Args:
        one: First sentence.
        other: Second sentence.
        encoder: The encoder.
        lang: ISO 639-1 code of both, or one code each; detected when ``None``.

    Raises:
        OptionError: A language code is unknown.
    """
    texts, codes = [one, other], _codes(one, other, lang)
    first, second = (Sentence(*row) for row in zip("ab", texts, codes, strict=True))
    return Scored((first, second), compare_channels(encoder, texts, codes, None))


def _codes(one: str, other: str, lang: str | tuple[str | None, str | None] | None) -> list[str]:
    """Return the languages of two sentences, detected if they are not given."""
    from amrx.encoder import languages_of

    langs = lang if isinstance(lang, tuple) else (lang, lang)
    return [languages_of([text], code)[0] for text, code in zip((one, other), langs, strict=True)]


def as_text(explanation: Explanation | Scored) -> str:
    """Return identifiers, cosines, both graphs, then the shared and the differing facts, one per line.

    Without graphs the sentences follow the cosines.
    """
    if isinstance(explanation, Scored):
        sentences = [f"{letter} [{sentence.lang}] {sentence.text}"
                     for letter, sentence in zip("ab", explanation.sentences, strict=True)]  # fmt: skip
        title = [_title(explanation.ids)] if explanation.ids else []
        return visible("\n".join([*title, *_cosines(explanation.cosines), "", *sentences]), lines=True) + "\n"
    first, second = explanation.parses
    comparison = explanation.comparison
    lines = [
        *([explanation.title] if explanation.ids else []),
        *_cosines(explanation.cosines), "",
        *_sentence("a", first), "", *_sentence("b", second), "",
        explanation.summary,
        "", *_facts("agree", comparison.agree), "", *_facts("differ (a | b)", comparison.differ),
    ]  # fmt: skip
    return visible("\n".join(lines), lines=True) + "\n"


def cosine_rows(cosines: Cosines) -> list[tuple[str, float | None, float | None, str]]:
    """Return name, cosine, share and marks of the base, of each channel and of the combination."""
    base, *channels = cosines.channels
    rows = [
        (f"base ({base.name})", base.cosine, base.share),
        *((f"{one.name} (weight {one.weight:g})", one.cosine, one.share) for one in channels),
        (f"combined ({cosines.integration})", cosines.combined, None),
    ]
    marks = cosines.marks or (None,) * len(rows)
    shown = [(*row, f"usual: {mark}" if mark else "") for row, mark in zip(rows, marks, strict=True)]
    if cosines.on_base_scale is not None and len(shown) > 2:
        shown.append(("combined, on the base's scale", cosines.on_base_scale, None, f"usual: {marks[0]}"))
    return shown


def by_facet(facts: Sequence[Fact]) -> list[tuple[str, list[Fact]]]:
    """Group facts by kind, with headings; kinds without facts are left out."""
    groups = [(HEADINGS[facet], [fact for fact in facts if fact.facet == facet]) for facet in FACETS]
    return [(heading, members) for heading, members in groups if members]


_DIFFERENCES = ("negation", "antonym", "swapped role", "quantity", "time", "name", "role", "concept")
"""Kinds of differences; first those that change the meaning although the words are similar."""


def differences(comparison: Comparison) -> tuple[str, ...]:
    """Return each difference of two graphs in words: negations, opposites, swapped roles and amounts first.

    A role is swapped if one of its fillers has another role of the same node in the other graph.

    Example:
        >>> import penman
        >>> differences(compare(penman.decode("(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))"),
        ...                     penman.decode("(b / bite-01 :polarity - :ARG0 (m / man) :ARG1 (d / dog))")))
        ... # doctest: +NORMALIZE_WHITESPACE
        ('negation: :polarity of bite-01: (none) | -',
         'swapped role: :ARG0 of bite-01: dog | man', 'swapped role: :ARG1 of bite-01: man | dog')
    """
    roles = [fact for fact in comparison.differ if fact.facet == "role"]
    left, right = {(fact.of, fact.left) for fact in roles}, {(fact.of, fact.right) for fact in roles}

    def kind(fact: Fact) -> str:
        both = fact.facet == "role" and fact.left is not None and fact.right is not None
        if fact.left and fact.right and are_opposites(fact.left, fact.right):
            return "antonym"
        if both and ((fact.of, fact.left) in right or (fact.of, fact.right) in left):
            return "swapped role"
        return "negation" if fact.facet == "polarity" else fact.facet

    kinds = [(kind(fact), fact) for fact in comparison.differ]
    kinds.sort(key=lambda pair: _DIFFERENCES.index(pair[0]))
    return tuple(f"{name}: {fact.words.removeprefix('concept: ')}" for name, fact in kinds)


def _cosines(cosines: Cosines) -> Iterator[str]:
    rows = cosine_rows(cosines)
    width = max(len(name) for name, *_ in rows)
    for name, value, share, marks in rows:
        shown_value = "none: a parse failed" if value is None else f"{value:6.3f}"
        shown = "" if share is None or value is None else f"  share {share:.2f}"
        yield f"{name:<{width}}  {shown_value}{shown or '            ' if marks else shown}" + (
            marks and f"  {marks}"
        )


def _sentence(letter: str, parse: Parse) -> Iterator[str]:
    why = f" ({'; '.join(parse.repairs)})" if parse.repairs else ""
    yield f"{letter} [{parse.lang}] {parse.text}" + ("" if parse.status == "ok" else f"  {parse.status}{why}")
    yield bare(parse.graph)
    if parse.missing:
        yield f"not in this graph: {', '.join(parse.missing)}"


def _facts(title: str, facts: Sequence[Fact]) -> Iterator[str]:
    yield title if facts else f"{title}: nothing"
    for heading, members in by_facet(facts):
        yield f"  {heading}"
        yield from (f"    {fact.words.removeprefix('concept: ')}" for fact in members)


def as_json(explanation: Explanation | Scored) -> str:
    """Return the explanation as a JSON object; a side of a fact is ``null`` if that graph lacks it.

    ``ids`` are there for the pairs of a file; all keys about graphs are missing without graphs.
    """
    cosines = explanation.cosines
    sentences: list[dict[str, object]]
    if isinstance(explanation, Scored):
        sentences, graphs = [{"text": one.text, "lang": one.lang} for one in explanation.sentences], {}
    else:
        sentences, graphs = [_parse(parse) for parse in explanation.parses], _graphs(explanation)
    record = {
        **({"ids": explanation.ids} if explanation.ids else {}),
        "sentences": sentences,
        "channels": [asdict(channel) for channel in cosines.channels],
        "combined": cosines.combined,
        "integration": cosines.integration,
        "on_base_scale": cosines.on_base_scale,
        "marks": [None if marks is None else asdict(marks) for marks in cosines.marks],
        **graphs,
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _graphs(explanation: Explanation) -> dict[str, object]:
    """Return the keys about the graphs."""
    comparison = explanation.comparison
    concepts = [{i.source: i.target for i in parse.graph.instances()} for parse in explanation.parses]
    return {
        "smatch": {"f1": comparison.smatch, "shared": comparison.shared, "triples": comparison.sizes},
        "nodes": [
            {"a": a, "b": b, "concepts": [concepts[0][a], concepts[1][b]]} for a, b in comparison.pairs
        ],
        "agree": [_fact(fact) for fact in comparison.agree],
        "differ": [_fact(fact) for fact in comparison.differ],
    }


def _parse(parse: Parse) -> dict[str, object]:
    return {
        "text": parse.text, "lang": parse.lang, "graph": bare(parse.graph), "status": parse.status,
        "repairs": parse.repairs, "missing": parse.missing,
    }  # fmt: skip


def _fact(fact: Fact) -> dict[str, object]:
    return {
        "facet": fact.facet, "role": fact.role, "of": fact.of, "a": fact.left, "b": fact.right,
        "words": fact.words,
    }  # fmt: skip

"""Why two sentences match: three cosines, and what their graphs say alike and what not.

::

    two Sentences ──parser──> two Parses ──explain──> Explanation ──> explain_text, explain_json, explain_page
                 └──base, AMR encoder──> Cosines ──┘
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from amrx.types import Parse
from parser.graphs.diff import Comparison, compare

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder


@dataclass(frozen=True, slots=True)
class Cosines:
    """How near two sentences are."""

    base: float
    amr: float | None
    combined: float
    weight: float
    integration: str
    base_name: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Two parses, their cosines, and their graphs compared."""

    parses: tuple[Parse, Parse]
    cosines: Cosines
    comparison: Comparison

    @property
    def summary(self) -> str:
        """One line on how much the graphs share."""
        if any(parse.status == "failed" for parse in self.parses):
            return "A parse failed, so that there are no two graphs to compare."
        found = self.comparison
        triples = f"{found.shared} of {found.sizes[0]} and {found.sizes[1]} triples"
        return f"The graphs share {triples} (Smatch {found.smatch:.1f})."


def explain(parses: tuple[Parse, Parse], cosines: Cosines) -> Explanation:
    """Explain two parses whose cosines are known; needs no model.

    Where a parse failed nothing is compared: no node is paired, nothing agrees or differs.

    Raises:
        InputError: A graph is not connected.
    """
    found = compare(parses[0].graph, parses[1].graph)
    if any(parse.status == "failed" for parse in parses):
        found = replace(found, pairs=(), agree=(), differ=(), shared=0)
    return Explanation(parses, cosines, found)


def explain_sentences(
    encoder: RetrofittedEncoder, one: str, other: str, *, langs: tuple[str | None, str | None] = (None, None)
) -> Explanation:
    """Parse and encode two sentences and explain them.

    Raises:
        OptionError: A language code is none.
        AmrxError: A vector is not finite.
    """
    from amrx.encoder import languages_of
    from amrx.validation import check_finite, encode_checked
    from amrx.vectors import cosine
    from retrofit.combine import combine

    texts = [one, other]
    codes = [languages_of([text], lang)[0] for text, lang in zip(texts, langs, strict=True)]
    first, second = encoder.parse(texts, codes)
    base = encode_checked(encoder.base, texts, codes, batch_size=64, progress=False)
    amr = encoder.encode_parses([first, second])
    check_finite(amr, texts, f"encoder {encoder.encoder.name}")
    joined = combine(base, amr, weight=encoder.weight, integration=encoder.integration)
    near = [float(cosine(vectors[:1], vectors[1:])[0]) for vectors in (base, amr, joined)]
    failed = "failed" in (first.status, second.status)
    found = Cosines(
        base=near[0], amr=None if failed else near[1], combined=near[2],
        weight=encoder.weight, integration=encoder.integration, base_name=encoder.base.name,
    )  # fmt: skip
    return explain((first, second), found)


def explain_pair(
    one: str,
    other: str,
    *,
    lang: str | tuple[str | None, str | None] | None = None,
    encoder: RetrofittedEncoder | None = None,
) -> Explanation:
    """Explain why two sentences match; ``print`` of the result says it in words.

    Args:
        one: First sentence.
        other: Second sentence.
        lang: ISO 639-1 code of both, or one code each; detected when ``None``.
        encoder: An encoder with a parser; the default one, loaded in every call, when ``None``.

    Raises:
        OptionError: A language code is unknown.
        MissingResourceError: A model of the default encoder is not on this machine.
    """
    from retrofit.load import load

    langs = lang if isinstance(lang, tuple) else (lang, lang)
    return explain_sentences(load() if encoder is None else encoder, one, other, langs=langs)

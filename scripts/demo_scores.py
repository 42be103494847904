"""Measure the demo's examples: translations against foils, and graphs against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import penman

from amrx.examples import Example
from amrx.types import Vectors
from parser.graphs.matching import groups
from parser.score.smatch import corpus_smatch

KINDS = ("role-swap", "negation")


@dataclass(frozen=True, slots=True)
class Channel:
    """The vectors of one encoder.

    Attributes:
        name: Name in the tables.
        vectors: (meaning, kind, language) to the vector ``(d,)``, scaled to length 1 (zero stays zero).
    """

    name: str
    vectors: Mapping[tuple[str, str, str], Vectors]

    def cosine(self, one: tuple[str, str, str], other: tuple[str, str, str]) -> float:
        """Return the cosine of two sentences, each given by (meaning, kind, language)."""
        return float(self.vectors[one] @ self.vectors[other])


@dataclass(frozen=True, slots=True)
class Choice:
    """Counts of choices between a translation and the foil in the same language.

    Attributes:
        foil_cosine: Mean cosine of a sentence and its own foil, same language.
        pairs: Number of such pairs.
        right: Number of choices in which the translation was nearer, by language of translation and foil; a
            tie is wrong.
        asked: Number of choices, by the same language.
    """

    foil_cosine: float
    pairs: int
    right: Mapping[str, int]
    asked: Mapping[str, int]


def channel(name: str, examples: Sequence[Example], vectors: Vectors) -> Channel:
    """Return the rows of ``vectors`` ``(n, d)`` by meaning, kind and language of the examples."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    keys = [(example.meaning, example.kind, example.lang) for example in examples]
    return Channel(name, dict(zip(keys, unit, strict=True)))


def translation_cosines(chosen: Channel) -> list[float]:
    """Return the cosine of every pair of translations, each pair once."""
    keys = [key for key in chosen.vectors if key[1] == "meaning"]
    pairs = [(one, two) for index, one in enumerate(keys) for two in keys[index + 1 :] if one[0] == two[0]]
    return [chosen.cosine(one, two) for one, two in pairs]


def choose(chosen: Channel, kind: str) -> Choice:
    """Count, for each sentence and each other language, whether its translation is nearer than the foil."""
    foils = [key for key in chosen.vectors if key[1] == kind]
    own = [chosen.cosine((meaning, "meaning", lang), (meaning, kind, lang)) for meaning, _, lang in foils]
    languages = list(dict.fromkeys(lang for _, _, lang in foils))
    right, asked = dict.fromkeys(languages, 0), dict.fromkeys(languages, 0)
    for meaning, _, lang in foils:
        for source in chosen.vectors:
            if source[:2] == (meaning, "meaning") and source[2] != lang:
                translation = chosen.cosine(source, (meaning, "meaning", lang))
                right[lang] += translation > chosen.cosine(source, (meaning, kind, lang))
                asked[lang] += 1
    return Choice(sum(own) / len(own), len(own), right, asked)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Similarity of the graphs of one meaning.

    Attributes:
        same: Size of the largest set of languages with equal graphs.
        languages: Number of languages.
        smatch: Smatch F1 (0-100) of the other languages' graphs against the English one.
    """

    same: int
    languages: int
    smatch: float


def agreement(graphs: Mapping[str, penman.Graph]) -> Agreement:
    """Compare the graphs of one meaning, given by language."""
    numbers = groups(list(graphs.values()))
    others = [graph for lang, graph in graphs.items() if lang != "en"]
    same = max(numbers.count(number) for number in numbers)
    return Agreement(same, len(graphs), corpus_smatch([graphs["en"]] * len(others), others).f1)

"""Pictures of the three geometric properties: t-SNE maps of vectors onto a plane.

::

    invariance       sentences of ten languages, a colour a language: the colours should mix
    canonical form   twelve sentences in every language, a colour a sentence: each should be a clump
    isotropy         sentences of all languages in turn, one colour: they should fill the plane evenly

Source: van der Maaten and Hinton 2008; Guo et al. 2023 (Emma-X) draw such maps. Distances between
clumps mean nothing in such a map, and the maps of two encoders are turned at random.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amrx.evaluation.results.rows import Cloud
from amrx.types import Vectors

INVARIANCE, CANONICAL, ISOTROPY = "invariance", "canonical form", "isotropy"
LANGUAGES, MEANINGS, POINTS = 10, 12, 400
PERPLEXITY, SEED = 30.0, 1


def clouds(sides: Sequence[Vectors], codes: Sequence[str]) -> tuple[Cloud, ...]:
    """Return the three maps; each has at most 400 points, evenly spaced over languages and sentences.

    Args:
        sides: ``(n, d)`` of each language, line by line translations of each other.
        codes: The languages.
    """
    count = len(sides[0])
    some = _spaced(len(sides), LANGUAGES)
    lines = _spaced(count, POINTS // len(some))
    meanings = _spaced(count, MEANINGS)
    many = _spaced(len(sides), POINTS // len(meanings))
    spread = _spaced(count, POINTS)
    return (
        _cloud(INVARIANCE, [(sides[side][line], codes[side]) for side in some for line in lines]),
        _cloud(CANONICAL, [(sides[side][line], f"line {line + 1}") for line in meanings for side in many]),
        _cloud(ISOTROPY, [(sides[turn % len(sides)][line], "all") for turn, line in enumerate(spread)]),
    )


def _spaced(count: int, wanted: int) -> list[int]:
    """Return at most ``wanted`` of the numbers below ``count``, evenly spaced."""
    return [place * count // min(wanted, count) for place in range(min(wanted, count))]


def _cloud(title: str, points: Sequence[tuple[Vectors, str]]) -> Cloud:
    flat = project(np.stack([vector for vector, _ in points]))
    return Cloud(title, flat, tuple(group for _, group in points))


def project(x: Vectors) -> Vectors:
    """Return the t-SNE map of vectors: float32 ``(n, 2)``, each side of the picture from 0 to 1.

    It starts at the first two principal components, and the perplexity is 30, or a third of the points where
    there are fewer than 91, so that equal vectors give equal maps. Where every vector is the same, all points
    lie in the middle.

    Args:
        x: ``(n, d)``, ``n >= 4``.
    """
    from sklearn.manifold import TSNE

    if not np.ptp(x, axis=0).any():
        return np.full((len(x), 2), 0.5, dtype=np.float32)
    perplexity = min(PERPLEXITY, (len(x) - 1) / 3)
    mapped = TSNE(perplexity=perplexity, init="pca", random_state=SEED).fit_transform(x.astype(np.float64))
    low, high = mapped.min(axis=0), mapped.max(axis=0)
    scaled: Vectors = ((mapped - low) / np.where(high > low, high - low, 1)).astype(np.float32)
    return scaled

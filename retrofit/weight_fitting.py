"""Fit the weight of the AMR side on STS-B dev, and remember it beside the AMR encoder.

The rows of STS-B dev are the same pairs in every language, so a sentence can be compared with the second
sentence of its row in its own language or in another one. The weight serves both uses, so it is fitted on
both: each language alone, and English against each of the others.

``fitted_weights.json`` of an encoder folder: base name -> parser name, empty for a student -> weight, data
that it was fitted on, and the mean Spearman with it and without the AMR side.

With unit vectors ``s`` and ``h`` the combined vector is ``s + w h`` side by side, so that

``cos_w(a, b) = (s_a.s_b + w^2 h_a.h_b) / sqrt((1 + w^2 p_a) (1 + w^2 p_b))``

where p is 1 for a parsed sentence and 0 for a failed one, whose AMR part is zero. The whole grid costs no
further encoding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError, OutputError
from amrx.evaluation.data_folders import Data
from amrx.evaluation.tasks.scored_pairs import Pair, read_csv
from amrx.evaluation.tasks.sts import STSB_DEV
from amrx.records import atomic_path
from amrx.records.locks import locked
from amrx.types import Vectors
from amrx.validation import encode_checked
from amrx.vectors import cosine

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder


Floats = npt.NDArray[np.float64]
GRID: tuple[float, ...] = tuple(round(0.05 * step, 2) for step in range(41))


@dataclass(frozen=True, slots=True)
class PairCosines:
    """Similarities of ``n`` dev pairs.

    Attributes:
        base: Cosine of the base vectors ``(n,)``.
        amr: Cosine of the AMR vectors, 0 where a side failed ``(n,)``.
        parsed: Whether each side has an AMR part, ``(n, 2)``.
        gold: Human score ``(n,)``.
        languages: Language, or pair of languages, of each pair.
    """

    base: Floats
    amr: Floats
    parsed: npt.NDArray[np.bool_]
    gold: Floats
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """The best weight of the grid, and the mean Spearman (0-100) with it and without the AMR side."""

    weight: float
    score: float
    base_score: float


def combined_cosines(pairs: PairCosines, weight: float) -> Floats:
    """Return the cosines of the combined vectors ``(n,)`` (formula in the module's docstring)."""
    square = weight * weight
    norms = np.sqrt(np.prod(1 + square * pairs.parsed, axis=1))
    result: Floats = (pairs.base + square * pairs.amr) / norms
    return result


def spearman_by_language(cosines: Floats, gold: Floats, languages: Sequence[str]) -> dict[str, float]:
    """Return Spearman's correlation on the 0-100 scale for each language; 0 where one side is constant.

    Example:
        >>> spearman_by_language(np.array([0.1, 0.5, 0.9]), np.array([1.0, 2.0, 5.0]), ["de"] * 3)
        {'de': 100.0}
    """
    from scipy.stats import spearmanr

    found: dict[str, float] = {}
    names = np.array(languages)
    for language in dict.fromkeys(languages):
        inside = names == language
        varied = np.ptp(cosines[inside]) > 0 and np.ptp(gold[inside]) > 0
        value = spearmanr(cosines[inside], gold[inside]).statistic if varied else 0.0
        found[language] = round(float(value) * 100, 4)
    return found


def mean_spearman(pairs: PairCosines, weight: float) -> float:
    """Return the mean over languages of Spearman with one weight, 0-100."""
    scores = spearman_by_language(combined_cosines(pairs, weight), pairs.gold, pairs.languages)
    return float(np.mean(list(scores.values())))


def fit_weight(pairs: PairCosines, grid: Sequence[float] = GRID) -> FittedWeight:
    """Return the weight with the best mean Spearman; the smallest one if several are equal."""
    scores = [mean_spearman(pairs, weight) for weight in grid]
    best = int(np.argmax(scores))
    return FittedWeight(grid[best], scores[best], mean_spearman(pairs, 0.0))


LANGUAGES: tuple[str, ...] = ("en", "de", "es", "fr", "it", "zh")
FILE = "fitted_weights.json"


class StoredWeight(TypedDict):
    """One entry of ``fitted_weights.json``."""

    weight: float
    data: str
    score: float
    base_score: float


def stsb_pairs(data: Data, language: str) -> tuple[Pair, ...]:
    """Read ``sts/stsb/<language>/dev.csv``.

    Raises:
        InputError: The file is missing (says what to fetch) or a row is wrong.
    """
    path = data / f"sts/stsb/{language}/dev.csv"
    if not path.exists():
        raise InputError(f"no such file; fetch {STSB_DEV.fetch}", file=path)
    return read_csv(path)


@dataclass(frozen=True, slots=True)
class StsbDev:
    """The same pairs in several languages.

    Attributes:
        gold: Human scores ``(n,)``.
        texts: Language -> the first sentences of all rows, then the second ones (2n).
    """

    gold: Floats
    texts: Mapping[str, list[str]]

    def tracks(self) -> list[tuple[str, str]]:
        """Return the languages of first and second sentence: each alone, the first against the others.

        Example:
            >>> StsbDev(np.zeros(0), {"en": [], "de": [], "zh": []}).tracks()
            [('en', 'en'), ('de', 'de'), ('zh', 'zh'), ('en', 'de'), ('en', 'zh')]
        """
        first, *others = self.texts
        return [(code, code) for code in self.texts] + [(first, code) for code in others]

    def pairs(
        self,
        base: Mapping[str, Vectors],
        amr: Mapping[str, Vectors],
        parsed: Mapping[str, npt.NDArray[np.bool_]],
    ) -> PairCosines:
        """Return similarities on all tracks of vectors ``(2n, d)`` and parse marks ``(2n,)`` by language."""
        n, tracks = len(self.gold), self.tracks()
        return PairCosines(
            base=np.concatenate([cosine(base[a][:n], base[b][n:]) for a, b in tracks]),
            amr=np.concatenate([cosine(amr[a][:n], amr[b][n:]) for a, b in tracks]),
            parsed=np.concatenate([np.stack([parsed[a][:n], parsed[b][n:]], axis=1) for a, b in tracks]),
            gold=np.tile(self.gold, len(tracks)),
            languages=[a if a == b else f"{a}-{b}" for a, b in tracks for _ in range(n)],
        )


def stsb_dev(data: Data, languages: Sequence[str] = LANGUAGES, *, limit: int | None = None) -> StsbDev:
    """Read STS-B dev in several languages.

    Args:
        data: Folder that holds ``sts/stsb/<language>/dev.csv``.
        languages: Languages.
        limit: How many rows, evenly spaced; all where there are fewer, and when ``None``.

    Raises:
        InputError: A file is missing, a row is wrong, or the scores differ between languages.
    """
    gold: list[float] = []
    texts: dict[str, list[str]] = {}
    for language in languages:
        pairs = stsb_pairs(data, language)
        count = len(pairs) if limit is None else min(limit, len(pairs))
        pairs = tuple(pairs[place * len(pairs) // count] for place in range(count))
        scores = [pair.score for pair in pairs]
        if texts and scores != gold:
            path = data / f"sts/stsb/{language}/dev.csv"
            raise InputError(f"its scores are not those of {languages[0]}, row by row", file=path)
        gold = scores
        texts[language] = [pair.first for pair in pairs] + [pair.second for pair in pairs]
    return StsbDev(np.array(gold), texts)


def fit_on_stsb(
    encoder: RetrofittedEncoder,
    data: Path,
    languages: Sequence[str] = LANGUAGES,
    *,
    limit: int | None = None,
    progress: bool = False,
) -> FittedWeight:
    """Return the weight with the best mean Spearman over the tracks of `StsbDev.tracks`."""
    dev = stsb_dev(data, languages, limit=limit)
    base: dict[str, Vectors] = {}
    amr: dict[str, Vectors] = {}
    parsed: dict[str, npt.NDArray[np.bool_]] = {}
    for language, texts in dev.texts.items():
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        place = np.array([number[text] for text in texts])
        codes = [language] * len(number)
        distinct = encode_checked(encoder.base, list(number), codes, batch_size=64, progress=progress)
        base[language] = distinct[place]
        side = encoder.side(list(number), codes, progress=progress)
        amr[language], parsed[language] = side.vectors[place], side.there[place]
    return fit_weight(dev.pairs(base, amr, parsed))


def store_weight(folder: Path, base: str, fitted: FittedWeight, *, parser: str, data: str) -> None:
    """Write or replace the entry of one base and parser in ``folder/fitted_weights.json``.

    Others may do so at the same time: no entry is lost.

    Raises:
        InputError: The file is damaged.
        OutputError: The folder cannot be written (an installed package); the message says what to do.
    """
    entry: StoredWeight = {
        "weight": fitted.weight,
        "data": data,
        "score": round(fitted.score, 2),
        "base_score": round(fitted.base_score, 2),
    }
    try:
        with locked(folder / FILE), atomic_path(folder / FILE) as temporary:
            entries = stored_weights(folder)
            entries.setdefault(base, {})[parser] = entry
            temporary.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n", "utf-8")
    except OutputError as error:
        raise OutputError(f"{error}; give the fitted weight with --weight {fitted.weight}") from error


def stored_weight(folder: Path, base: str, parser: str, *, otherwise: str) -> float | None:
    """Return the weight fitted for a base and a parser; without one that of the base and another parser.

    ``None`` where none was fitted for the base.

    Args:
        folder: An encoder folder.
        base: Name of the base encoder.
        parser: Name of the parser, empty for a student.
        otherwise: Name of the parser whose weight stands in for one that was not fitted; where that was not
            either (a parser from a folder was), the first in the table does.

    Raises:
        InputError: The table is damaged.
    """
    entries = stored_weights(folder).get(base, {})
    entry = entries.get(parser) or entries.get(otherwise) or next(iter(entries.values()), None)
    return None if entry is None else entry["weight"]


def stored_weights(folder: Path) -> dict[str, dict[str, StoredWeight]]:
    """Return the entries of ``folder/fitted_weights.json``; none if there is no such file.

    Raises:
        InputError: The file is damaged.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        entries: dict[str, dict[str, StoredWeight]] = json.loads(path.read_text("utf-8"))
        for entry in (entry for parsers in entries.values() for entry in parsers.values()):
            float(entry["weight"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(f"is no table of weights: {error}", file=path) from None
    return entries

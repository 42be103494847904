"""Fit the weights of all channels jointly on STS-B dev, and store each in the folder of its encoder.

The rows of STS-B dev are the same pairs in every language, so a sentence can be compared with the second
sentence of its row in the same or in another language. The weights are for both uses, so they are fitted on
both: each language alone, and English with each of the others.

With unit vectors ``v_0`` (the base's) and ``v_1 ... v_n``, and ``w_0 = 1``, the combined vector is the
concatenation of all ``w_i v_i``, so that

``cos_w(a, b) = sum_i w_i^2 v_ia.v_ib / sqrt((sum_i w_i^2 p_ia) (sum_i w_i^2 p_ib))``

where p is 1, or 0 for a channel whose parse failed and whose vector is zero. The grid search needs no further
encoding. Several weights are fitted by coordinate descent over the grid, until none changes.

The best weights have the highest mean correlation within the genres of STS-B dev (`within_genres`). The
correlation over all rows also rewards weights with which captions, say, are judged more alike than news, as
they are in this sample; texts that a user compares are mostly of one kind. The scores that are stored and
printed are correlations over all rows, as published results are.

The best weights lie on a plateau: many others score as well within the noise of the sample. Human scores of
similarity hardly depend on who did what to whom, so on that plateau `prefer_graphs` takes the weights with
the largest share ``sum_graphs w_i^2 / sum_i w_i^2`` of the channels that read graphs.

``fitted_weights.json`` of an encoder folder maps the name of a base, then a key (the parser's name, empty if
no parser is used, with ``+NAME`` for each other channel of the same fit), to the weight, the data of the fit,
and the mean Spearman with all channels and of the base alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt

from amrx.device import progress as bar
from amrx.errors import InputError, OutputError
from amrx.records import atomic_path
from amrx.records.files import reading
from amrx.records.json_lines import read_json
from amrx.records.locks import locked
from amrx.types import Encoder
from amrx.validation import encode_checked
from amrx.vectors import cosine
from parser.load import SPLIT

if TYPE_CHECKING:
    from amrx.evaluation.data_folders import Data
    from amrx.evaluation.tasks.scored_pairs import Pair
    from retrofit.combine import RetrofittedEncoder, Side


Floats = npt.NDArray[np.float64]
GRID: tuple[float, ...] = tuple(round(0.05 * step, 2) for step in range(61))
PLATEAU = 0.1
"""Points of `within_genres` by which weights on the plateau may be below the best."""
MEANING_LOSS = 1.0
"""Points of mean correlation that `largest_weights` may lose."""
GENRES = {"captions": 625, "forums": 375, "news": 500}
"""Rows of STS-B dev in the order of its file (Cer et al. 2017, the table of the STS Benchmark)."""


@dataclass(frozen=True, slots=True)
class PairCosines:
    """Similarities of ``n`` dev pairs in the base and ``k`` channels."""

    cosines: Floats  # of the base, then of each channel, 0 if a side failed ``(1 + k, n)``
    present: npt.NDArray[np.bool_]  # whether each side has a vector, ``(1 + k, n, 2)``
    gold: Floats  # human score ``(n,)``
    languages: Sequence[str]  # language, or pair of languages, of each pair
    genres: Sequence[str] = ()  # genre of each pair; of one genre if empty


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """The best weights of the grid, and `mean_spearman` with them and of the base alone."""

    weights: tuple[float, ...]
    score: float
    base_score: float


def combined_cosines(pairs: PairCosines, weights: Sequence[float]) -> Floats:
    """Return the cosines of the combined vectors ``(n,)`` (formula in the module's docstring)."""
    squares = np.array([1.0, *weights]) ** 2
    norms = np.sqrt(np.prod(np.tensordot(squares, pairs.present.astype(np.float64), 1), axis=1))
    result: Floats = squares @ pairs.cosines / norms
    return result


def spearman_by_language(cosines: Floats, gold: Floats, languages: Sequence[str]) -> dict[str, float]:
    """Return Spearman's correlation for each language, 0-100; 0 if one side is constant."""
    from scipy.stats import rankdata

    correlations: dict[str, float] = {}
    names = np.array(languages)
    for language in dict.fromkeys(languages):
        inside = names == language
        varied = np.ptp(cosines[inside]) > 0 and np.ptp(gold[inside]) > 0
        ranks = rankdata(cosines[inside]), rankdata(gold[inside])  # spearmanr is slow
        value = np.corrcoef(*ranks)[0, 1] if varied else 0.0
        correlations[language] = round(float(value) * 100, 4)
    return correlations


def mean_spearman(pairs: PairCosines, weights: Sequence[float]) -> float:
    """Return the mean Spearman over languages with the given weights, 0-100."""
    scores = spearman_by_language(combined_cosines(pairs, weights), pairs.gold, pairs.languages)
    return float(np.mean(list(scores.values())))


def within_genres(pairs: PairCosines, weights: Sequence[float]) -> float:
    """Return the mean of Spearman's correlations within each genre of each language, 0-100."""
    genres = pairs.genres or [""] * len(pairs.languages)
    groups = [f"{language} {genre}" for language, genre in zip(pairs.languages, genres, strict=True)]
    scores = spearman_by_language(combined_cosines(pairs, weights), pairs.gold, groups)
    return float(np.mean(list(scores.values())))


def curve(pairs: PairCosines, weights: Sequence[float], channel: int) -> list[float]:
    """Return `within_genres` for each weight of the grid in one channel, with the other weights fixed."""
    before, after = weights[:channel], weights[channel + 1 :]
    return [within_genres(pairs, [*before, weight, *after]) for weight in GRID]


def fit_weights(pairs: PairCosines) -> FittedWeights:
    """Return the weights with the best `within_genres`; the smallest one if several are equal."""
    weights = [0.0] * (len(pairs.cosines) - 1)
    best, base = within_genres(pairs, weights), mean_spearman(pairs, weights)
    improved = bool(weights)
    while improved:
        improved = False
        for channel in range(len(weights)):
            scores = curve(pairs, weights, channel)
            if max(scores) > best:
                best, improved = max(scores), True
                weights[channel] = GRID[int(np.argmax(scores))]
    return FittedWeights(tuple(weights), mean_spearman(pairs, weights), base)


def prefer_graphs(pairs: PairCosines, fitted: FittedWeights, reads_graphs: Sequence[bool]) -> FittedWeights:
    """Move to the weights with the largest share of the graphs among those within `PLATEAU` of the best.

    From the best weights, one weight at a time moves to the next value of the grid, always where the share
    grows most, while the score stays on the plateau.

    Args:
        pairs: Similarities that the weights were fitted on.
        fitted: The best weights.
        reads_graphs: Whether each channel reads graphs.
    """
    graphs = np.array([False, *reads_graphs])

    def share(weights: Sequence[float]) -> float:
        squares = np.array([1.0, *weights]) ** 2
        return float(squares[graphs].sum() / squares.sum())

    weights, least = fitted.weights, within_genres(pairs, fitted.weights) - PLATEAU
    while True:
        moves = sorted(_next_on_grid(weights), key=share, reverse=True)
        larger = (move for move in moves if share(move) > share(weights))
        step = next((move for move in larger if within_genres(pairs, move) >= least), None)
        if step is None:
            return replace(fitted, weights=weights, score=mean_spearman(pairs, weights))
        weights = step


def largest_weights(pairs: PairCosines, fitted: FittedWeights, reads_graphs: Sequence[bool]) -> FittedWeights:
    """Increase the weights of channels that read graphs while the score loses at most `MEANING_LOSS`.

    Graphs tell sentences apart that other channels do not, which judgements of similarity hardly reward: the
    result is the end of what similarity allows, where `prefer_graphs` stays near its best.

    Args:
        pairs: Similarities that the weights were fitted on.
        fitted: The best weights.
        reads_graphs: Whether each channel reads graphs.
    """
    best = fitted
    for factor in np.arange(1.0, 4.01, 0.05):
        weights = tuple(
            round(float(weight * factor), 2) if graphs else weight
            for weight, graphs in zip(fitted.weights, reads_graphs, strict=True)
        )
        score = mean_spearman(pairs, weights)
        if score >= fitted.score - MEANING_LOSS:
            best = replace(fitted, weights=weights, score=score)
    return best


def _next_on_grid(weights: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Return the weights that differ in one weight, which is not 0, by one step of the grid."""
    moved = []
    for channel, weight in enumerate(weights):
        index = GRID.index(weight)
        for other in {GRID[index - 1], *GRID[index + 1 : index + 2]} if index else ():
            moved.append((*weights[:channel], other, *weights[channel + 1 :]))
    return moved


LANGUAGES: tuple[str, ...] = ("en", "de", "es", "fr", "it", "zh")
FILE = "fitted_weights.json"


class StoredWeight(TypedDict):
    """One entry of ``fitted_weights.json``."""

    weight: float
    data: str
    score: float
    base_score: float


def stsb_pairs(data: Data, language: str) -> tuple[Pair, ...]:
    """Read ``sts/stsb/<language>/dev.csv``."""
    # imported here, because looking up a weight needs no tasks
    from amrx.evaluation.tasks.scored_pairs import read_csv
    from amrx.evaluation.tasks.sts import STSB_DEV

    path = data / f"sts/stsb/{language}/dev.csv"
    if not path.exists():
        raise InputError(f"no such file; fetch {STSB_DEV.fetch}", file=path)
    return read_csv(path)


@dataclass(frozen=True, slots=True)
class StsbDev:
    """The same pairs in several languages."""

    gold: Floats  # human scores ``(n,)``
    texts: Mapping[str, list[str]]  # language -> the first sentences of all rows, then the second ones (2n)
    genres: Sequence[str] = ()  # genre of each row ``(n,)``; of one genre if empty

    def tracks(self) -> list[tuple[str, str]]:
        """Return the languages of first and second sentence: each alone, and the first with each other.

        Example:
            >>> StsbDev(np.zeros(0), {"en": [], "de": [], "zh": []}).tracks()
            [('en', 'en'), ('de', 'de'), ('zh', 'zh'), ('en', 'de'), ('en', 'zh')]
        """
        first, *others = self.texts
        return [(code, code) for code in self.texts] + [(first, code) for code in others]

    def pairs(self, *channels: Mapping[str, Side]) -> PairCosines:
        """Return the cosines on all tracks, from the ``2n`` vectors per language of base and channels."""
        n, tracks = len(self.gold), self.tracks()
        return PairCosines(
            cosines=np.array(
                [
                    np.concatenate([cosine(one[a].vectors[:n], one[b].vectors[n:]) for a, b in tracks])
                    for one in channels
                ]
            ),
            present=np.array(
                [
                    np.concatenate([np.stack([one[a].present[:n], one[b].present[n:]], 1) for a, b in tracks])
                    for one in channels
                ]
            ),
            gold=np.tile(self.gold, len(tracks)),
            languages=[a if a == b else f"{a}-{b}" for a, b in tracks for _ in range(n)],
            genres=[*self.genres] * len(tracks),
        )


def stsb_dev(data: Data, languages: Sequence[str] = LANGUAGES, *, limit: int | None = None) -> StsbDev:
    """Read STS-B dev in several languages; at most ``limit`` rows, evenly spaced.

    Rows of a file with another number of rows than STS-B dev have no genre.
    """
    gold: list[float] = []
    genres: list[str] = []
    texts: dict[str, list[str]] = {}
    for language in languages:
        pairs = stsb_pairs(data, language)
        count = len(pairs) if limit is None else min(limit, len(pairs))
        rows = [index * len(pairs) // count for index in range(count)]
        known = [genre for genre, size in GENRES.items() for _ in range(size)]
        genres = [known[row] for row in rows] if len(known) == len(pairs) else []
        pairs = tuple(pairs[row] for row in rows)
        scores = [pair.score for pair in pairs]
        if texts and scores != gold:
            path = data / f"sts/stsb/{language}/dev.csv"
            raise InputError(
                f"scores must equal those of {languages[0]}/dev.csv row by row; fetch the file again",
                file=path,
            )
        gold = scores
        texts[language] = [pair.first for pair in pairs] + [pair.second for pair in pairs]
    return StsbDev(np.array(gold), texts, genres)


def stsb_cosines(
    encoder: RetrofittedEncoder,
    data: Data,
    languages: Sequence[str] = LANGUAGES,
    *,
    limit: int | None = None,
    progress: bool = False,
) -> PairCosines:
    """Return the cosines of base and channels, including those of weight 0, on `StsbDev.tracks`."""
    from retrofit.combine import Side

    dev = stsb_dev(data, languages, limit=limit)
    channels: list[dict[str, Side]] = [{} for _ in range(1 + len(encoder.encoders))]
    languages_shown = bar(list(dev.texts.items()), description="STS-B dev, languages", show=progress)
    for language, texts in languages_shown:
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        rows = np.array([number[text] for text in texts])
        codes = [language] * len(number)
        base = encode_checked(encoder.base, list(number), codes, batch_size=64, progress=progress)
        sides = encoder.sides(list(number), codes, encoders=encoder.encoders, progress=progress)
        for channel, side in zip(channels, [Side.whole(base), *sides], strict=True):
            channel[language] = Side(side.vectors[rows], side.present[rows])
    return dev.pairs(*channels)


def fit_on_stsb(
    encoder: RetrofittedEncoder,
    data: Data,
    languages: Sequence[str] = LANGUAGES,
    *,
    limit: int | None = None,
    progress: bool = False,
) -> FittedWeights:
    """Return the best weights on the tracks of `StsbDev.tracks`; `prefer_graphs` chooses on the plateau."""
    pairs = stsb_cosines(encoder, data, languages, limit=limit, progress=progress)
    graphs = [not isinstance(channel, Encoder) for channel in encoder.encoders]
    return prefer_graphs(pairs, fit_weights(pairs), graphs)


def key_of(parser: str, others: Iterable[str]) -> str:
    """Return the key of a channel's weight below its base: its parser and the channels beside it.

    Example:
        >>> key_of("mini", ()), key_of("", ["student-text", "amr-encoder-mini"])
        ('mini', '+amr-encoder-mini+student-text')
    """
    return parser + "".join(f"+{name}" for name in sorted(others))


def base_key(base: Encoder) -> str:
    """Return the key of a base: its name, or the fingerprint of a model that is not amrx's choice.

    The name of such a model is ``st:`` and the last part of its path, which other models share.
    """
    return base.fingerprint if ":" in base.name else base.name


def store_weight(folder: Path, base: str, key: str, weight: float, fitted: FittedWeights, data: str) -> None:
    """Write or replace one entry in ``folder/fitted_weights.json``.

    Several processes may do so at the same time; no entry is lost.

    Raises:
        OutputError: The folder cannot be written (an installed package); the message names a way out.
    """
    entry: StoredWeight = {
        "weight": weight,
        "data": data,
        "score": round(fitted.score, 2),
        "base_score": round(fitted.base_score, 2),
    }
    try:
        with locked(folder / FILE), atomic_path(folder / FILE) as temporary:
            entries = stored_weights(folder)
            entries.setdefault(base, {})[key] = entry
            temporary.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n", "utf-8")
    except OutputError as error:
        weights = ",".join(f"{one:g}" for one in fitted.weights)
        raise OutputError(f"{error}; give the fitted weight with --weight {weights}") from error


def stored_weight(
    folder: Path, base: str, parser: str, others: Sequence[str] = (), *, otherwise: str
) -> float | None:
    """Return the weight fitted for a base, a parser and the channels beside it.

    If there is none, return the weight for the parser inside ``split:``, for another parser with the same
    channels, or for the channel alone with the base, in that order; ``None`` if none was fitted for the base.

    ``parser`` is empty for a channel without parser. ``otherwise`` is the parser whose weight replaces a
    missing one; without that one too, the first weight in the table is used.
    """
    entries = stored_weights(folder).get(base, {})
    for beside in dict.fromkeys((key_of("", others), "")):
        alike = [key for key in entries if key.removeprefix(key.partition("+")[0]) == beside]
        for key in (parser + beside, parser.removeprefix(f"{SPLIT}:") + beside, otherwise + beside, *alike):
            if key in entries:
                return entries[key]["weight"]
    return None


def stored_weights(folder: Path) -> dict[str, dict[str, StoredWeight]]:
    """Return the entries of ``folder/fitted_weights.json``; none if there is no such file."""
    path = folder / FILE
    if not path.is_file():
        return {}
    with reading(path, "is not a table of weights"):
        entries: dict[str, dict[str, StoredWeight]] = read_json(path)
        for entry in (entry for parsers in entries.values() for entry in parsers.values()):
            float(entry["weight"])
        return entries

"""Fit the weight of the AMR side on STS-B dev, and remember it beside the AMR encoder.

``fitted_weights.json`` of an encoder folder: base name -> weight, the data it was fitted on, and the mean
Spearman with it and without the AMR side.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from amrx.errors import InputError, OutputError
from amrx.records import atomic_path
from amrx.records.files import read_lines
from amrx.vectors import cosine
from retrofit.weight import FittedWeight, PairCosines, fit_weight

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder

LANGUAGES: tuple[str, ...] = ("en", "de", "es", "fr", "it", "zh")
FILE = "fitted_weights.json"


class StoredWeight(TypedDict):
    """One entry of ``fitted_weights.json``."""

    weight: float
    parser: str
    data: str
    score: float
    base_score: float


def stsb_pairs(data: Path, language: str) -> list[tuple[str, str, float]]:
    """Read ``sts/stsb/<language>/dev.csv``: sentence, sentence, score 0-5.

    Raises:
        InputError: The file is missing or a row is wrong.
    """
    path = data / "sts" / "stsb" / language / "dev.csv"
    pairs: list[tuple[str, str, float]] = []
    rows = csv.reader(read_lines(path))
    for row in rows:
        try:
            first, second, score = row
            pairs.append((first, second, float(score)))
        except ValueError:
            raise InputError(
                f"{row!r} is not sentence,sentence,score", file=path, line=rows.line_num
            ) from None
    return pairs


def measure_pairs(
    encoder: RetrofittedEncoder,
    pairs: Sequence[tuple[str, str, float]],
    language: str,
    *,
    progress: bool = False,
) -> PairCosines:
    """Encode both sides of pairs of one language once and return base and AMR cosines."""
    texts = list(dict.fromkeys(text for first, second, _ in pairs for text in (first, second)))
    number = {text: i for i, text in enumerate(texts)}
    left = np.array([number[first] for first, _, _ in pairs])
    right = np.array([number[second] for _, second, _ in pairs])
    base = encoder.base.encode(texts, lang=[language] * len(texts), progress=progress)
    parses = encoder.parse(texts, [language] * len(texts), progress=progress)
    amr = encoder.encode_parses(parses)
    parsed = np.array([parse.status != "failed" for parse in parses])
    return PairCosines(
        base=cosine(base[left], base[right]),
        amr=cosine(amr[left], amr[right]),
        parsed=np.stack([parsed[left], parsed[right]], axis=1),
        gold=np.array([score for _, _, score in pairs]),
        languages=[language] * len(pairs),
    )


def fit_on_stsb(
    encoder: RetrofittedEncoder,
    data: Path,
    languages: Sequence[str] = LANGUAGES,
    *,
    limit: int | None = None,
    progress: bool = False,
) -> FittedWeight:
    """Return the weight with the best mean Spearman over the dev sets of the languages.

    Args:
        encoder: Base, parser and AMR encoder; its own weight does not matter.
        data: Folder that holds ``sts/stsb/<language>/dev.csv``.
        languages: Languages of the mean.
        limit: Evenly spaced pairs taken of each language; all when ``None``.
        progress: Show bars.
    """
    parts = []
    for language in languages:
        pairs = stsb_pairs(data, language)
        step = 1 if limit is None else max(1, len(pairs) // limit)
        parts.append(measure_pairs(encoder, pairs[::step], language, progress=progress))
    return fit_weight(
        PairCosines(
            base=np.concatenate([part.base for part in parts]),
            amr=np.concatenate([part.amr for part in parts]),
            parsed=np.concatenate([part.parsed for part in parts]),
            gold=np.concatenate([part.gold for part in parts]),
            languages=[language for part in parts for language in part.languages],
        )
    )


def store_weight(folder: Path, base: str, fitted: FittedWeight, *, parser: str, data: str) -> None:
    """Write or replace the entry of one base in ``folder/fitted_weights.json``.

    Raises:
        OutputError: The folder cannot be written (an installed package); the message says what to do.
    """
    entries = stored_weights(folder)
    entries[base] = {
        "weight": fitted.weight,
        "parser": parser,
        "data": data,
        "score": round(fitted.score, 2),
        "base_score": round(fitted.base_score, 2),
    }
    try:
        with atomic_path(folder / FILE) as temporary:
            temporary.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n", "utf-8")
    except OutputError as error:
        raise OutputError(f"{error}; give the fitted weight with --weight {fitted.weight}") from error


def stored_weights(folder: Path) -> dict[str, StoredWeight]:
    """Return the entries of ``folder/fitted_weights.json``; none if there is no such file.

    Raises:
        InputError: The file is damaged.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        entries: dict[str, StoredWeight] = json.loads(path.read_text("utf-8"))
        for entry in entries.values():
            float(entry["weight"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"is no table of weights: {error}", file=path) from None
    return entries

"""Score dev pairs for model selection: Spearman of AMR vectors alone or combined with base vectors.

::

    dev_sentences.jsonl   as sentences.jsonl
    dev_parses.jsonl      as parses.jsonl
    dev_pairs.jsonl       {"a": id, "b": id, "score": 3.8, "lang": "de"}
    dev_base.npy          (sentences, d), optional
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.records.files import reading
from amrx.records.json_lines import Node, find_file, read_objects
from linearize.forms import Form
from retrofit.amr.pieces import Ints, Rows, WordRows, ends, expand, tokenize_words
from retrofit.training.amr.corpus import known, required_file, usable_tokens
from retrofit.weight_fitting import PairCosines, fit_weights, spearman_by_language

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from amrx.types import Vectors


_SENTENCE = "sentence of dev_sentences.jsonl"


@dataclass(frozen=True, slots=True)
class DevSet:
    """Dev pairs with their graphs."""

    words: tuple[str, ...]  # distinct words of the graphs
    parses: Rows  # word numbers of each usable parse
    row: Ints  # row in ``parses`` of each sentence, or -1 for a failed one ``(S,)``
    pairs: Ints  # sentences of both sides ``(n, 2)``
    gold: npt.NDArray[np.float64]  # score of each pair ``(n,)``
    languages: tuple[str, ...]  # language of each pair
    base: Vectors | None  # unit base vectors ``(S, d)``, or ``None``


@dataclass(frozen=True, slots=True)
class DevScore:
    """Mean Spearman (0-100) for the selection and of the AMR vectors alone, and the best weight."""

    selection: float
    alone: float
    weight: float | None
    by_language: dict[str, float]


def read_dev(folder: Path, *, form: Form = "paper") -> DevSet | None:
    """Read the dev files of a corpus folder; ``None`` if there are no ``dev_pairs``.

    ``form`` is as in `retrofit.training.amr.corpus.read_corpus`.
    """
    if find_file(folder, "dev_sentences"):
        required_file(folder, "dev_parses")
    path = find_file(folder, "dev_pairs")
    if path is None:
        return None
    places: dict[int, int] = {}
    for record in read_objects(required_file(folder, "dev_sentences"), sparse=True):
        places[record.get("id").identifier()] = len(places)
    words = WordRows()
    row = np.full(len(places), -1, dtype=np.int64)
    for record in read_objects(required_file(folder, "dev_parses"), sparse=True):
        tokens = usable_tokens(record, form)
        if tokens is not None:
            row[known(record.get("id"), places, _SENTENCE)] = words.add(tokens)
    pairs, gold, languages = [], [], []
    for record in read_objects(path, sparse=True):
        pairs.append([known(record.get(side), places, _SENTENCE) for side in ("a", "b")])
        gold.append(_gold(record.get("score")))
        languages.append(record.get("lang").string())
    if not pairs:
        raise InputError("holds no pair", file=path)
    return DevSet(
        words.words, words.rows(), row, np.array(pairs), np.array(gold), tuple(languages),
        _read_base(folder / "dev_base.npy", len(places)),
    )  # fmt: skip


def dev_rows(dev: DevSet, tokenizer: Tokenizer, max_tokens: int) -> Rows:
    """Return the word pieces of the dev graphs."""
    pieces = tokenize_words(dev.words, tokenizer)
    first, last = ends(tokenizer)
    return expand(dev.parses, pieces, first=first, last=last, max_tokens=max_tokens)[0]


def score_dev(dev: DevSet, vectors: Vectors) -> DevScore:
    """Score the vectors of the dev graphs ``(R, d)``.

    With base vectors the selection score is that of the combined vector at the best weight of the grid,
    otherwise that of the AMR vectors alone.
    """
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    parsed = dev.row[dev.pairs] >= 0  # (n, 2)
    amr = np.einsum("nd,nd->n", unit[dev.row[dev.pairs[:, 0]]], unit[dev.row[dev.pairs[:, 1]]])
    amr = np.where(parsed.all(axis=1), amr, 0).astype(np.float64)
    alone = spearman_by_language(amr, dev.gold, dev.languages)
    mean = float(np.mean(list(alone.values())))
    if dev.base is None:
        return DevScore(mean, mean, None, alone)
    base = np.einsum("nd,nd->n", dev.base[dev.pairs[:, 0]], dev.base[dev.pairs[:, 1]]).astype(np.float64)
    present = np.stack([np.ones_like(parsed), parsed])
    fitted = fit_weights(PairCosines(np.stack([base, amr]), present, dev.gold, dev.languages))
    return DevScore(fitted.score, mean, fitted.weights[0], alone)


def _gold(score: Node) -> float:
    if isinstance(score.value, bool) or not isinstance(score.value, int | float):
        raise score.error(f"must be a number, got {score.value!r}")
    return float(score.value)


def _read_base(path: Path, sentences: int) -> Vectors | None:
    if not path.is_file():
        return None
    with reading(path, "is not an array"):
        base = np.load(path, allow_pickle=False)
    if base.ndim != 2 or len(base) != sentences:
        raise InputError(f"has shape {base.shape}, not ({sentences}, d) as dev_sentences.jsonl", file=path)
    unit: Vectors = (base / np.maximum(np.linalg.norm(base, axis=1, keepdims=True), 1e-12)).astype(np.float32)
    return unit

#!/usr/bin/env python
"""Fit the thresholds of ``amrx pairs`` on duplicates and near misses; print precision and recall.

    scripts/evaluate_duplicates.py [PRESET ...]

``scripts/duplicates.tsv`` has short texts in eleven languages, written for this measurement: 35 cases of one
meaning in several languages (``a``) with near misses (``b``: a negation, an opposite, another amount or name,
exchanged roles), and unrelated texts of one shape (*Where is my pen?*). Two texts are duplicates if case and
meaning are equal. Three tables:

* contradictions: share of duplicates and of near misses with a contradiction (`retrofit.contradictions`), by
  the required agreement, on these texts; `fit` chooses the agreement;
* the same on the long sentences of ``amrx/examples/users.tsv``, whose wrong marks were read while the kinds
  of contradictions were written: no blind measure;
* thresholds: for each preset the threshold of the best F1 over all pairs, without and with
  ``--contradictions drop``. It is fitted on every second case, and measured on the others.

Parses are cached (``AMRX_CACHE``).
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.examples import users
from amrx.threads import set_threads
from amrx.types import Parse, Parser, Sentence
from amrx.vectors import normalise
from parser.graphs.diff import compare
from parser.run.cache import ParseCache
from retrofit.contradictions import AGREEMENT, contradictions
from retrofit.load import PRESETS, load, load_reader

TEXTS = Path(__file__).with_name("duplicates.tsv")
AGREEMENTS = (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
KEPT = 0.95
"""Share of the best recall of contradictions that the chosen agreement keeps."""
COMPARED = 1500
"""Number of pairs per preset, the best by cosine, whose graphs are compared."""


class Text(NamedTuple):
    """A line of ``duplicates.tsv``."""

    case: str
    kind: str  # of the near misses: ``negation``, ``antonym``, ``amount``, ``name``, ``swap``; or ``shape``
    meaning: str
    lang: str
    text: str


class Pair(NamedTuple):
    """Two parses and the relation of their texts."""

    relation: str  # ``duplicate``, or the kind of a near miss
    one: Parse
    other: Parse


def read_texts() -> list[Text]:
    """Read the texts, in file order."""
    with TEXTS.open(encoding="utf-8", newline="") as lines:
        return [Text(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def own_pairs(texts: Sequence[Text], parses: Sequence[Parse]) -> Iterator[Pair]:
    """Yield the pairs of each case; those of one shape are near misses."""
    for (one, first), (other, second) in combinations(zip(texts, parses, strict=True), 2):
        if one.case == other.case:
            relation = "duplicate" if one.meaning == other.meaning else one.kind
            yield Pair(relation, first, second)


def user_pairs(parser: Parser) -> Iterator[Pair]:
    """Yield each sentence with its paraphrase, its translation and its foil."""
    for user in users():
        texts = [
            (user.text, user.lang), (user.paraphrase, user.lang),
            (user.translation, user.translation_lang), (user.foil, user.lang),
        ]  # fmt: skip
        own, *others = parser.parse([Sentence(user.id, text, lang) for text, lang in texts])
        for relation, other in zip(("paraphrase", "translation", user.kind), others, strict=True):
            yield Pair(relation, own, other)


def marked(pairs: Sequence[Pair]) -> dict[str, npt.NDArray[np.bool_]]:
    """Return by relation whether each pair is marked, by agreement: ``(n, len(AGREEMENTS))``."""
    rows: defaultdict[str, list[list[bool]]] = defaultdict(list)
    for pair in pairs:
        one, other = pair.one.graph, pair.other.graph
        comparison = compare(one, other)
        rows[pair.relation].append(
            [bool(contradictions(comparison, one, other, agreement=level)) for level in AGREEMENTS]
        )
    return {relation: np.array(row) for relation, row in rows.items()}


def fit(marks: Mapping[str, npt.NDArray[np.bool_]]) -> float:
    """Return the largest agreement that keeps `KEPT` of the best share of marked near misses."""
    near = np.concatenate([rows for name, rows in marks.items() if name not in ("duplicate", "shape")])
    shares = near.mean(0)
    return AGREEMENTS[int(np.flatnonzero(shares >= KEPT * shares.max())[-1])]


def print_marks(title: str, marks: Mapping[str, npt.NDArray[np.bool_]]) -> None:
    """Print the share of marked pairs by relation, in percent."""
    print(f"\n{title}\n\n| marked, in % | pairs | {' | '.join(f'{level:g}' for level in AGREEMENTS)} |")
    print(f"| --- | --: |{' --: |' * len(AGREEMENTS)}")
    for relation, rows in marks.items():
        shares = " | ".join(f"{100 * share:.0f}" for share in rows.mean(0))
        print(f"| {relation} | {len(rows)} | {shares} |")


def score(cosines: npt.NDArray[np.float64], same: npt.NDArray[np.bool_], dropped: npt.NDArray[np.bool_],
          threshold: float) -> tuple[float, float, float]:  # fmt: skip
    """Return precision, recall and F1 of the pairs at or above a threshold that are not dropped."""
    chosen = (cosines >= threshold) & ~dropped
    right = int((chosen & same).sum())
    precision, recall = right / max(int(chosen.sum()), 1), right / int(same.sum())
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def print_thresholds(texts: Sequence[Text], parses: Sequence[Parse], presets: Sequence[str]) -> None:
    """Fit the threshold of each preset on every second case; print its precision and recall on the others."""
    cases = list(dict.fromkeys(text.case for text in texts))
    places = np.array(list(combinations(range(len(texts)), 2)))
    half = np.array([cases.index(text.case) % 2 for text in texts])[places]
    same = np.array([
        (texts[a].case, texts[a].meaning) == (texts[b].case, texts[b].meaning) for a, b in places
    ])  # fmt: skip

    @cache
    def contradict(a: int, b: int) -> bool:
        one, other = parses[a].graph, parses[b].graph
        return bool(contradictions(compare(one, other), one, other))

    print("\n| preset | | threshold | precision | recall | with 0.05 more |")
    print("| --- | --- | --: | --: | --: | --: |")
    for preset in presets:
        encoder = load(preset=preset, cache=ParseCache.chosen())
        vectors = normalise(encoder.encode([one.text for one in texts], lang=[one.lang for one in texts]))
        cosines = (vectors.astype(np.float64) @ vectors.T)[tuple(places.T)]
        near = np.argsort(-cosines)[:COMPARED]
        dropped = np.zeros(len(places), dtype=np.bool_)
        dropped[near] = [contradict(int(a), int(b)) for a, b in places[near]]
        for name, left_out in (("all", np.zeros_like(dropped)), ("drop", dropped)):
            fitted, measured = ((half == side).all(1) for side in (0, 1))
            grid = [round(level, 2) for level in np.arange(0.3, 1, 0.01)]
            best = max(grid, key=lambda t: score(cosines[fitted], same[fitted], left_out[fitted], t)[2])
            shown = [
                "{:.2f} / {:.2f}".format(*score(cosines[measured], same[measured], left_out[measured], t)[:2])
                for t in (best, best + 0.05)
            ]
            precision, _, recall = shown[0].partition(" / ")
            print(f"| `{preset}` | {name} | {best:.2f} | {precision} | {recall} | {shown[1]} |", flush=True)


def main(presets: Sequence[str]) -> None:
    """Parse, measure and print."""
    set_threads()
    texts = read_texts()
    with ExitStack() as stack:
        kept = ParseCache.chosen()
        if kept is not None:
            stack.enter_context(kept)
        parser = load_reader(cache=kept)
        parses = parser.parse([Sentence(str(i), one.text, one.lang) for i, one in enumerate(texts)])
        marks = marked(list(own_pairs(texts, parses)))
        print_marks("Own short texts", marks)
        print(f"\nagreement: fitted {fit(marks):g}, in use {AGREEMENT:g}")
        print_marks("users.tsv", marked(list(user_pairs(parser))))
        print_thresholds(texts, parses, presets or tuple(PRESETS))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Compare document graphs and sentence graphs: ``python scripts/evaluate_documents.py DATA OUT.json [ROWS]``.

Predicts the stars of reviews (MARC dev in English and German) and whether a passage answers a question (QAM
dev in English, German and French), ROWS (2,000) random rows each, from multilingual USE, from the AMR side of
the whole text, from that of its sentences (`parser.document`), and from USE combined with each.

* ``muse + AMR of ...``: weight 1;
* ``..., fitted weight``: the weight (0.25, 0.5, 1, 2, 4) is chosen within each fold;
* ``AMR of the nearest sentence`` (QAM): a passage has the vector of the one sentence whose graph is nearest
  to the question's, since one sentence answers a question.

The features of a question and its passage are abs(u-v) and u*v. The score is accuracy by five-fold
cross-validation of a logistic regression, whose C (0.1, 1, 10) is chosen within each fold. ``gain`` is the
difference from ``muse`` with its 95 % interval (paired bootstrap of the rows). The parser is ``mini``, one
graph per sentence; parses are in the cache of ``amrx parse``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from amrx.evaluation.tasks.transfer.classifier import features
from amrx.evaluation.tasks.transfer.logistic import USUAL
from amrx.evaluation.tasks.transfer.task_table import MARC, QAM
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Encoder, Parse, Parser, Sentence, Vectors
from amrx.vectors import normalise
from parser import load as load_parser
from parser.document import SplitParser
from parser.run.cache import CachedParser, ParseCache
from retrofit.bases import load_base
from retrofit.combine import GraphEncoder, combine, encode_parses
from retrofit.load import load_amr

Floats = npt.NDArray[np.floating]
Labels = npt.NDArray[np.int64]
WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0)
TASKS = (
    (MARC, "Stars of reviews, five-fold on MARC dev", ("en", "de")),
    (QAM, "Questions and passages, five-fold on QAM dev", ("en", "de", "fr")),
)


@dataclass(frozen=True, slots=True)
class System:
    """A base with AMR vectors beside it; one of the two may be missing."""

    name: str
    base: Sequence[Vectors] | None  # of the first texts, then of the second ones, ``(n, d)`` each
    side: Sequence[Vectors] | None
    weights: tuple[float, ...] = (1.0,)

    def features(self) -> list[Floats]:
        """Return the features of the rows for each weight."""
        if self.base is None or self.side is None:
            return [_pair(self.base or self.side or ())]
        columns = list(zip(self.base, self.side, strict=True))
        return [_pair([combine(*column, weight=weight) for column in columns]) for weight in self.weights]


def _pair(columns: Sequence[Vectors]) -> Floats:
    return columns[0] if len(columns) == 1 else features(columns, USUAL)


def predictions(choices: Sequence[Floats], labels: Labels) -> Labels:
    """Return the cross-validated labels; each fold chooses among the features and the values of C."""
    predicted = np.empty_like(labels)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(labels, labels):
        models = [
            GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.1, 1.0, 10.0]}, cv=3).fit(
                choice[train], labels[train]
            )
            for choice in choices
        ]
        best = max(range(len(models)), key=lambda i: models[i].best_score_)
        predicted[test] = models[best].predict(choices[best][test])
    return predicted


def gain(right: npt.NDArray[np.bool_], base: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return the difference of two accuracies and its 95 % interval by 2,000 paired resamples, in points."""
    differences = 100 * (right.astype(float) - base)
    rows = np.random.default_rng(0).integers(len(differences), size=(2000, len(differences)))
    low, high = np.percentile(differences[rows].mean(axis=1), [2.5, 97.5])
    return round(float(differences.mean()), 2), round(float(low), 2), round(float(high), 2)


def nearest_sentences(questions: Vectors, passages: Sequence[Parse], encoder: GraphEncoder) -> Vectors:
    """Return for each passage the vector of the sentence nearest to its question ``(n, d)``."""
    vectors = np.zeros_like(questions)
    for row, passage in enumerate(passages):
        if passage.graphs:
            sentences = normalise(encoder.encode_graphs(passage.graphs))
            vectors[row] = sentences[int(np.argmax(sentences @ questions[row]))]
    return vectors


def systems(
    columns: Sequence[Sequence[str]], lang: str, base: Encoder, encoder: GraphEncoder, parser: Parser
) -> list[System]:
    """Return the systems for texts, or for pairs of texts."""
    sentences = [[Sentence(str(i), text, lang) for i, text in enumerate(column, 1)] for column in columns]
    bases = [normalise(base.encode(list(column), lang=lang)) for column in columns]
    split = SplitParser(parser)
    by_sentence = [split.parse(column) for column in sentences]
    whole = [normalise(encode_parses(encoder, parser.parse(column))) for column in sentences]
    pooled = [normalise(encode_parses(encoder, column)) for column in by_sentence]
    sides = {"AMR of whole texts": whole, "AMR of sentences": pooled}
    if len(columns) == 2:
        sides["AMR of the nearest sentence"] = [
            pooled[0],
            nearest_sentences(pooled[0], by_sentence[1], encoder),
        ]
    made = [System("muse", bases, None)]
    for name, side in sides.items():
        made += [System(name, None, side), System(f"muse + {name}", bases, side)]
        if name != "AMR of whole texts":
            made.append(System(f"muse + {name}, fitted weight", bases, side, WEIGHTS))
    return made


def main(data: Path, out: Path, count: str = "2000") -> None:
    """Parse, encode, classify and write the table."""
    set_threads()
    base, encoder = load_base("muse"), load_amr("mini")
    rows: list[dict[str, object]] = []
    cache = ParseCache.chosen()
    parser: Parser = load_parser("mini")
    if cache is not None:
        parser = CachedParser(parser, cache)
    for task, title, langs in TASKS:
        for lang in langs:
            items = task.reader(task.plans[0].select.find(data, lang))
            chosen = random.Random(0).sample(items, int(count))  # noqa: S311
            labels = np.array([item.label for item in chosen])
            columns = list(zip(*(item.texts for item in chosen), strict=True))
            of_base = None
            for system in systems(columns, lang, base, encoder, parser):
                right = predictions(system.features(), labels) == labels
                of_base = right if of_base is None else of_base
                row = {
                    "encoder": system.name,
                    "task": title,
                    "language": lang,
                    "metric": "accuracy",
                    "value": round(100 * float(right.mean()), 2),
                    "n": len(labels),
                    "gain": gain(right, of_base),
                }
                print(*row.values(), flush=True)
                rows.append(row)
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

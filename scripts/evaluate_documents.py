"""Compare document graphs and sentence graphs: ``python scripts/evaluate_documents.py DATA OUT.json [ROWS]``.

Predicts the stars of reviews (ROWS (1,000) random rows of MARC dev in English and German each) from
multilingual USE, from the AMR side of the whole review, from that of its sentences (`parser.document`), and
from USE combined with each, at weight 1. The score is accuracy by five-fold cross-validation of a logistic
regression, whose C (0.1, 1, 10) is chosen within each fold. The parser is ``mini``, with one graph per
sentence; parses are in the cache of ``amrx parse``.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict

from amrx.evaluation.tasks.transfer.tasks import MARC
from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Sentence, Vectors
from amrx.vectors import normalise
from parser import load as load_parser
from parser.document import split_first
from parser.run.cache import CachedParser, open_cache
from retrofit.bases import load_base
from retrofit.combine import combine, encode_parses
from retrofit.load import load_amr


def accuracy(vectors: Vectors, labels: npt.NDArray[np.int64]) -> float:
    """Return the cross-validated accuracy, 0-100."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.1, 1.0, 10.0]}, cv=3)
    return 100 * float((cross_val_predict(model, vectors, labels, cv=folds) == labels).mean())


def main(data: Path, out: Path, count: str = "1000") -> None:
    """Parse, encode, classify and write the table."""
    set_threads()
    base, encoder, rows = load_base("muse"), load_amr("mini"), []
    cache = open_cache(None)
    whole = load_parser("mini")
    if cache is not None:
        whole = CachedParser(whole, cache)
    for lang in ("en", "de"):
        items = MARC.reader(MARC.plans[0].select.find(data, lang))
        chosen = random.Random(0).sample(items, int(count))  # noqa: S311
        texts, labels = [item.texts[0] for item in chosen], np.array([item.label for item in chosen])
        sentences = [Sentence(str(number), text, lang) for number, text in enumerate(texts, 1)]
        vectors = {"muse": normalise(base.encode(texts, lang=lang))}
        for name, parser in (("whole texts", whole), ("sentences", split_first(whole))):
            side = normalise(encode_parses(encoder, parser.parse(sentences)))
            vectors |= {f"AMR of {name}": side, f"muse + AMR of {name}": combine(vectors["muse"], side)}
        for name, features in vectors.items():
            value = accuracy(features, labels)
            print(f"{lang} {name}: {value:.1f}", flush=True)
            rows.append(
                {
                    "encoder": name,
                    "task": "Stars of reviews, five-fold on MARC dev",
                    "language": lang,
                    "metric": "accuracy",
                    "value": round(value, 2),
                    "n": len(labels),
                }
            )
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

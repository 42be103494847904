"""Compare document graphs and sentence graphs: ``python scripts/evaluate_documents.py DATA OUT.json [ROWS]``.

Predicts the stars of reviews (MARC dev in English and German) and whether a passage answers a question (QAM
dev in English, German and French), ROWS (1,000) random rows each, from multilingual USE, from the AMR side of
the whole text, from that of its sentences (`parser.document`), and from USE combined with each, at weight 1.
The features of a question and its passage are abs(u-v) and u*v. The score is accuracy by five-fold
cross-validation of a logistic regression, whose C (0.1, 1, 10) is chosen within each fold. The parser is
``mini``, with one graph per sentence; parses are in the cache of ``amrx parse``.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict

from amrx.evaluation.tasks.transfer.classifier import features
from amrx.evaluation.tasks.transfer.logistic import USUAL
from amrx.evaluation.tasks.transfer.tasks import MARC, QAM
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Encoder, Parser, Sentence, Vectors
from amrx.vectors import normalise
from parser import load as load_parser
from parser.document import SplitParser
from parser.run.cache import CachedParser, open_cache
from retrofit.bases import load_base
from retrofit.combine import GraphEncoder, combine, encode_parses
from retrofit.load import load_amr

TASKS = (
    (MARC, "Stars of reviews, five-fold on MARC dev", ("en", "de")),
    (QAM, "Questions and passages, five-fold on QAM dev", ("en", "de", "fr")),
)


def accuracy(vectors: Vectors, labels: npt.NDArray[np.int64]) -> float:
    """Return the cross-validated accuracy, 0-100."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.1, 1.0, 10.0]}, cv=3)
    return 100 * float((cross_val_predict(model, vectors, labels, cv=folds) == labels).mean())


def sides(
    texts: list[str], lang: str, base: Encoder, encoder: GraphEncoder, parser: Parser
) -> dict[str, Vectors]:
    """Return the vectors of the texts by the name of the system."""
    sentences = [Sentence(str(number), text, lang) for number, text in enumerate(texts, 1)]
    vectors = {"muse": normalise(base.encode(texts, lang=lang))}
    for name, reader in (("whole texts", parser), ("sentences", SplitParser(parser))):
        side = normalise(encode_parses(encoder, reader.parse(sentences)))
        vectors |= {f"AMR of {name}": side, f"muse + AMR of {name}": combine(vectors["muse"], side)}
    return vectors


def main(data: Path, out: Path, count: str = "1000") -> None:
    """Parse, encode, classify and write the table."""
    set_threads()
    base, encoder = load_base("muse"), load_amr("mini")
    rows: list[dict[str, str | float]] = []
    cache = open_cache(None)
    parser: Parser = load_parser("mini")
    if cache is not None:
        parser = CachedParser(parser, cache)
    for task, title, langs in TASKS:
        for lang in langs:
            items = task.reader(task.plans[0].select.find(data, lang))
            chosen = random.Random(0).sample(items, int(count))  # noqa: S311
            labels = np.array([item.label for item in chosen])
            # of the first texts of all rows, then of the second ones
            columns = [
                sides(list(texts), lang, base, encoder, parser)
                for texts in zip(*(item.texts for item in chosen), strict=True)
            ]
            for name in columns[0]:
                found = [column[name] for column in columns]
                value = accuracy(found[0] if len(found) == 1 else features(found, USUAL), labels)
                print(f"{task.name} {lang} {name}: {value:.1f}", flush=True)
                rows.append(
                    {
                        "encoder": name,
                        "task": title,
                        "language": lang,
                        "metric": "accuracy",
                        "value": round(value, 2),
                        "n": len(labels),
                    }
                )
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

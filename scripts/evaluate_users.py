"""Compare hand-written sentences with their foils.

    scripts/evaluate_users.py OUT.json [ENCODER ...]

On `amrx.examples.users` (200 realistic sentences in twelve languages, never trained on), with mUSE as base;
ENCODER is an AMR encoder or a student, by name or folder (``mini student-text``). For each kind of foil and
group of languages, for the base, the encoder alone and both:

* translation: share of sentences whose translation is nearer than the foil;
* paraphrase: share of sentences whose paraphrase is nearer than the foil.

A tie counts against the encoder. Shares are on the 0-100 scale; ``low`` and ``high`` are their 95 % interval
(Wilson). Rows with the metric ``100 x cosine`` are means over all languages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from amrx.examples import UserSentence, users
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Vectors
from parser.run.cache import ParseCache
from retrofit.combine import RetrofittedEncoder, combine
from retrofit.load import load

ENCODERS = ("mini", "meaning", "student-text", "student-e5")
KINDS = ("swap", "negation", "antonym", "amount")
OTHERS = ("translation", "paraphrase", "foil")
GROUPS = ("en", "de es fr it", "nl pl pt ru tr", "ar zh")
Row = dict[str, str | float]
Cosines = Mapping[str, npt.NDArray[np.float64]]


def sides(encoder: RetrofittedEncoder, sentences: Sequence[UserSentence]) -> dict[str, Cosines]:
    """Return the cosines by base, second channel alone and both, as ``amrx explain`` computes them."""
    texts = [getattr(s, field) for field in ("text", *OTHERS) for s in sentences]
    own = [s.lang for s in sentences]
    langs = [*own, *(s.translation_lang for s in sentences), *own, *own]
    base = encoder.base.encode(texts, lang=langs)
    side = encoder.sides(texts, langs, progress=True)[0].vectors
    both = combine(base, side, weight=encoder.weights, integration=encoder.integration)
    base_name = encoder.base.name
    alone = f"{encoder.name.removeprefix(f'{base_name}+')} alone"
    return {
        name: cosines(vectors)
        for name, vectors in zip((base_name, alone, encoder.name), (base, side, both), strict=True)
    }


def cosines(vectors: Vectors) -> Cosines:
    """Return the cosine of each sentence to its translation, paraphrase and foil.

    Args:
        vectors: ``(4n, d)``: the n sentences, then all of each of `OTHERS`.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, norms, out=np.zeros(vectors.shape), where=norms > 0)
    text, *others = np.split(unit, 4)
    return {name: (text * other).sum(1) for name, other in zip(OTHERS, others, strict=True)}


def measure(encoders: Mapping[str, Cosines], sentences: Sequence[UserSentence]) -> Iterator[Row]:
    """Yield the rows of all measures, ready for ``results/``."""
    kinds = np.array([s.kind for s in sentences])
    langs = np.array([s.lang for s in sentences])
    for task, of_kind in {"foils": kinds != "", **{kind: kinds == kind for kind in KINDS}}.items():
        for near in ("translation", "paraphrase"):
            for name, cosine in encoders.items():
                right = cosine[near] > cosine["foil"]
                for group in ("all", *GROUPS):
                    asked = right[of_kind & (np.isin(langs, group.split()) | (group == "all"))]
                    yield _share(name, f"Hand-written {task}: the {near} nearer than the foil", group, asked)
        for other in OTHERS:
            for name, cosine in encoders.items():
                yield {
                    "encoder": name, "task": f"Hand-written {task}: cosine to the {other}", "language": "all",
                    "metric": "100 x cosine", "value": round(100 * float(cosine[other][of_kind].mean()), 2),
                    "n": int(of_kind.sum()),
                }  # fmt: skip


def _share(name: str, task: str, group: str, right: npt.NDArray[np.bool_]) -> Row:
    interval = binomtest(int(right.sum()), len(right)).proportion_ci(method="wilson")
    return {
        "encoder": name, "task": task, "language": group, "metric": "share",
        "value": round(100 * float(right.mean()), 2), "n": len(right),
        "low": round(100 * interval.low, 1), "high": round(100 * interval.high, 1),
    }  # fmt: skip


def main(out: Path, names: Sequence[str]) -> None:
    """Encode, measure, print and write the rows."""
    set_threads()
    sentences = users()
    encoders: dict[str, Cosines] = {}
    for name in names or ENCODERS:
        encoders |= sides(load(encoder=name, cache=ParseCache.chosen()), sentences)
    rows = list(measure(encoders, sentences))
    for row in rows:
        if row["language"] == "all":
            span = f"  {row['low']:.0f}-{row['high']:.0f}" if "low" in row else ""
            print(f"{row['task']:60} {row['encoder']:28} {row['value']:5.1f}{span}")
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""Compare variants of Cai et al. 2022: ``python scripts/compare_variants.py CORPUS DATA RUNS OUT.json``.

Variants 1, 3, 4 and 5 of their section 6.4 on the open data: MiniLM in place of BERT, the graphs of ``mini``
in place of the parser on mBART, and Eq. 1 on the triplets of SNLI dev and on translations, with draws of
Algorithm 1, in place of translated SNLI and MultiNLI. No other objective of the shipped encoder is used, and
no sketch. Variant 2 needs a parser that was trained without French; there is none.

Each variant is trained with five seeds on the corpus of ``amrx gather``. Beside multilingual USE, at the
weight fitted on 300 rows of STS-B dev, it is scored as in Tables 2 and 3: the mean Spearman on STS17 of the
three tracks within and the seven between languages. The table that is printed has means over seeds, the
deviation over seeds, and the difference from variant 5 with half the width of its 95 % interval (Student's t
over pairs of equal seed).

A run that is done is not done again (``RUNS/NUMBER/seed-N/measured.json``).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean, stdev

from scipy.stats import t as student

import amrx
import retrofit.training.amr
from amrx.recipes import load_recipe
from amrx.records import atomic_path, write_json
from amrx.threads import set_threads
from amrx.types import Encoder
from parser.run.cache import ParseCache, open_cache
from retrofit.bases import load_base
from retrofit.load import load
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import train
from retrofit.weight_fitting import LANGUAGES, fit_on_stsb

RECIPES = Path(retrofit.training.amr.__file__).parent / "recipes"
ROWS = 300
SEEDS = (1, 2, 3, 4, 5)
SEEN = ("en", "de", "es", "it", "zh", "fr", "ar")
EQUATION_1: Mapping[str, object] = {
    "steps": 60, "warmup": 8, "evaluate_every": 60, "checkpoint_every": 60, "model.max_tokens": 128,
    "nli.weight": 1.0, "nli.batch": 8, "pairs.weight": 1.0, "pairs.batch": 32,
    "distill.weight": 0.0, "graded.weight": 0.0, "foils.share": 0.0, "foils.weight": 0.0,
}  # fmt: skip
VARIANTS: Mapping[int, tuple[tuple[str, ...], float]] = {
    1: (("en",), 0.5),
    3: (("en", "de", "es", "it", "zh"), 0.5),
    4: (SEEN, 0.0),
    5: (SEEN, 0.5),
}
"""Languages, and the probability that an English draw is the sentence itself."""
WITHIN, BETWEEN = "STS17 within languages", "STS17 between languages"
TRACKS = {WITHIN: 3, BETWEEN: 7}


def sts17(encoder: Encoder, data: Path) -> dict[str, float]:
    """Return the mean Spearman within and between languages."""
    found: dict[str, list[float]] = {WITHIN: [], BETWEEN: []}
    for row in amrx.evaluate(encoder, "sts17", data):
        if row.metric == "spearman":
            languages = row.language.split("-")
            found[WITHIN if len(set(languages)) == 1 else BETWEEN].append(row.value)
    if {task: len(values) for task, values in found.items()} != TRACKS:
        raise SystemExit(f"STS17 has other tracks: {found}")
    return {task: fmean(values) for task, values in found.items()}


def measured(
    corpus: Path, data: Path, folder: Path, number: int, seed: int, cache: ParseCache | None
) -> dict[str, float]:
    """Train and score one encoder, unless that is done; return its scores."""
    done = folder / "measured.json"
    if not done.is_file():
        languages, english_text = VARIANTS[number]
        settings = {
            **EQUATION_1, "seed": seed, "english_text": english_text,
            "languages": dict.fromkeys(languages, 1.0),
        }  # fmt: skip
        train(corpus, folder, load_recipe(Recipe, RECIPES, "mini", settings))
        encoder = load(encoder=str(folder), parser="mini", cache=cache, split=False)
        weight = fit_on_stsb(encoder, data, LANGUAGES, limit=ROWS).weights
        best = load(encoder=str(folder), parser="mini", cache=cache, split=False, weight=weight)
        with atomic_path(done) as temporary:
            scores = {**sts17(best, data), "weight": weight[0]}
            temporary.write_text(json.dumps(scores) + "\n", encoding="utf-8")
    scores = json.loads(done.read_text(encoding="utf-8"))
    return dict(scores)


def interval(values: list[float]) -> float:
    """Return half the width of the 95 % interval of the mean (Student's t)."""
    quantile = float(student.ppf(0.975, len(values) - 1))
    return quantile * stdev(values) / math.sqrt(len(values))


def table(base: Mapping[str, float], scores: Mapping[tuple[int, int], Mapping[str, float]]) -> str:
    """Return the table of means, deviations and differences, in Markdown."""
    lines = [
        "| variant | within | difference from 5 | between | difference from 5 |",
        "|---|---|---|---|---|",
    ]
    lines.append(f"| base | {base[WITHIN]:.2f} | | {base[BETWEEN]:.2f} | |")
    for number in VARIANTS:
        cells = [f"muse++ {number}"]
        for task in TRACKS:
            values = [scores[number, seed][task] for seed in SEEDS]
            less = [value - scores[5, seed][task] for value, seed in zip(values, SEEDS, strict=True)]
            cells.append(f"{fmean(values):.2f} ± {stdev(values):.2f}")
            cells.append(f"{fmean(less):+.2f} ({interval(less):.2f})" if number != 5 else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Train, score, print and write what is not there yet."""
    layout = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    for name in ("corpus", "data", "runs", "out"):
        options.add_argument(name, type=Path)
    asked = options.parse_args()
    set_threads()
    scores: dict[tuple[int, int], dict[str, float]] = {}
    base = sts17(load_base("muse"), asked.data)
    with open_cache(None) or nullcontext() as cache:
        for seed in SEEDS:
            for number in VARIANTS:
                folder = asked.runs / str(number) / f"seed-{seed}"
                scores[number, seed] = measured(asked.corpus, asked.data, folder, number, seed, cache)
                print(f"seed {seed}  variant {number}  {scores[number, seed]}", flush=True)
    rows = [{"encoder": "muse", "task": task, "language": "mean", "metric": "spearman",
             "value": round(base[task], 2), "n": count} for task, count in TRACKS.items()]  # fmt: skip
    rows += [
        {"encoder": f"muse++ {number}", "task": task, "language": f"seed {seed}", "metric": "spearman",
         "value": round(found[task], 2), "n": TRACKS[task]}
        for task in TRACKS
        for (number, seed), found in scores.items()
    ]  # fmt: skip
    write_json(asked.out, rows)
    print(table(base, scores))


if __name__ == "__main__":
    main()

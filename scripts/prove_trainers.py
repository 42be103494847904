"""Prove that the trainers of base encoders learn: ``python scripts/prove_trainers.py DATA``.

Every method of `amrx train-base` trains the same small network (multilingual USE's pieces, random weights)
for the same number of steps on the open parallel data, once a seed; then Tatoeba both ways and STS17 are
measured, beside the untrained network. Phase 2 of Emma-X reads text of two languages that no pair is of.

``--work`` keeps inputs, encoders and scores: a finished run is not made again, a killed one goes on at its
last checkpoint, and the same command ends what is left. Each process computes with one thread, ``--workers``
of them at a time. Writes to ``--out``, as far as runs have finished::

    trainers.json           rows {"encoder", "task", "language", "metric", "value", "n", "method", "seed", …}
    trainers.md             the means over the seeds, with their standard deviation
    trainers-losses.jsonl   every line of every log, with method, seed and phase
    trainers-losses.svg     every loss over the steps, a line a seed
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from proof_inputs import write_inputs
from proof_report import write_report
from proof_runs import TRAINERS, UNTRAINED, Asked, run

from amrx.errors import AmrxError

ROOT = Path(__file__).resolve().parents[1]


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="prove that the trainers of base encoders learn")
    parser.add_argument("data", type=Path, help="data folder")
    parser.add_argument("--out", type=Path, default=ROOT / "results", help="folder of trainers.json")
    parser.add_argument("--work", type=Path, default=ROOT / "runs" / "trainers", help="folder of the runs")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each method")
    parser.add_argument("--steps", type=int, default=600, help="of training")
    parser.add_argument("--batch", type=int, default=32, help="rows of a step")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time, one thread each")
    parser.add_argument("--methods", default=",".join((UNTRAINED, *TRAINERS)), help="with commas")
    parser.add_argument("--one", help=argparse.SUPPRESS)  # METHOD:SEED, in a process of its own
    found = parser.parse_args(argv)
    unknown = [name for name in found.methods.split(",") if name not in (UNTRAINED, *TRAINERS)]
    if unknown:
        parser.error(f"no method {', '.join(unknown)}; there are: {', '.join((UNTRAINED, *TRAINERS))}")
    return found


def one(given: argparse.Namespace) -> None:
    """Make one run in this process."""
    import torch

    torch.set_num_threads(1)
    method, _, seed = given.one.rpartition(":")
    asked = Asked(method, int(seed), given.steps, given.batch, given.work)
    run(asked, write_inputs(given.data, given.work / "input"), given.data)


def everything(given: argparse.Namespace) -> list[str]:
    """Make all runs, the first seed of every method before the second; return those that failed."""
    write_inputs(given.data, given.work / "input")
    jobs = [f"{method}:{seed}" for seed in range(given.seeds) for method in given.methods.split(",")]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    same = [f"--{key}={getattr(given, key)}" for key in ("work", "steps", "batch")]
    failed = []

    def start(job: str) -> None:
        command = [sys.executable, __file__, str(given.data), *same, f"--one={job}"]
        with (given.work / f"{job.replace(':', '-')}.log").open("w", encoding="utf-8") as log:
            done = subprocess.run(command, env=environment, stdout=log, stderr=log, check=False)
        if done.returncode:
            failed.append(f"{job} (see {log.name})")
        write_report(given.work, given.out, given.steps, given.batch)
        print(f"{job}: {'failed' if done.returncode else 'done'}", flush=True)

    with ThreadPoolExecutor(given.workers) as pool:
        list(pool.map(start, jobs))
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

"""Measure time and memory of ``amrx eval`` with muse, start-up included, and of retrieval of BUCC's size.

::

    python scripts/bench_eval.py --data DIR [--only sts17,tatoeba,xnli,again,retrieval] [--json FILE]

Each task runs in a process of its own without caches; ``again`` is sts17 with a cache of vectors that an
earlier run has filled. ``retrieval`` finds the four nearest of N random vectors of 512 numbers for N others,
by faiss, as BUCC does, and by numpy, as tasks with small pools do. Wall time says little on a busy machine,
so processor time is reported as well. The rows have the format of ``amrx eval --json``, with the measured
task as ``encoder`` and the number of cores as ``language``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from amrx.threads import default_threads

TARGETS = {"sts17": 5, "tatoeba": 60, "xnli": 180}
"""Target times in seconds, on two idle cores."""

SEARCH = """
import sys, numpy as np
from amrx.threads import set_threads
from amrx.evaluation.neighbours.nearest import nearest_of_many
from amrx.evaluation.neighbours.nearest import nearest
set_threads()
draw = np.random.default_rng(0)
x, y = (draw.standard_normal((int(sys.argv[1]), 512), dtype=np.float32) for _ in range(2))
{"faiss": nearest_of_many, "numpy": nearest}[sys.argv[2]](x, y, 4)
"""


def main() -> None:
    """Measure, print and write."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--only", default="sts17,again,tatoeba,xnli,retrieval", help="what to measure")
    parser.add_argument("--count", type=int, default=100_000, help="number of vectors for retrieval, N")
    parser.add_argument("--json", type=Path, help="file for the rows")
    options = parser.parse_args()
    measured: dict[str, Callable[[], dict[str, float]]] = {
        "sts17": lambda: run(evaluation("sts17", options.data, "--no-cache")),
        "again": lambda: again(options.data),
        "tatoeba": lambda: run(evaluation("tatoeba", options.data, "--no-cache")),
        "xnli": lambda: run(evaluation("xnli", options.data, "--no-cache")),
    }
    rows = []
    for name in options.only.split(","):
        if name == "retrieval":
            for how in ("faiss", "numpy"):
                measures = run(search(options.count, how))
                rows += told(f"{options.count} x {options.count}, {how}", measures)
        else:
            rows += told(name, measured[name]())
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def evaluation(task: str, data: Path, *more: str) -> list[str]:
    """Return the command that scores muse on a task."""
    return [
        sys.executable,
        "-m",
        "amrx",
        "eval",
        "--base",
        "muse",
        "--tasks",
        task,
        "--data",
        str(data),
        *more,
    ]


def search(count: int, how: str) -> list[str]:
    """Return the command that searches random vectors."""
    return [sys.executable, "-c", SEARCH, str(count), how]


def again(data: Path) -> dict[str, float]:
    """Measure the second run of sts17 with one cache of vectors."""
    with tempfile.TemporaryDirectory() as folder:
        command = evaluation("sts17", data, "--vector-cache", f"{folder}/vectors.sqlite")
        run(command)
        return run(command)


def run(command: Sequence[str]) -> dict[str, float]:
    """Run a command; return its wall time, processor time (seconds) and peak memory (MB)."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise SystemExit(f"{' '.join(command[:6])} ended with {status}: {errors.decode()[-500:]}")
    return {
        "seconds": seconds,
        "processor seconds": usage.ru_utime + usage.ru_stime,
        "MB at most": usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1024),
    }


def told(name: str, measures: dict[str, float]) -> list[dict[str, object]]:
    """Print one line; return a row for each measure."""
    target = f"  (target {TARGETS[name]} s on 2 idle cores)" if name in TARGETS else ""
    print(f"{name:28} " + ", ".join(f"{value:.1f} {metric}" for metric, value in measures.items()) + target)
    return [
        {
            "encoder": name,
            "task": "speed",
            "language": f"{default_threads()} cores",
            "metric": metric,
            "value": round(value, 1),
            "n": 1,
        }
        for metric, value in measures.items()
    ]


if __name__ == "__main__":
    main()

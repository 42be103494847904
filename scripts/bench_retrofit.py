"""Time ``amrx retrofit`` by the number of workers: ``python scripts/bench_retrofit.py DATA OUT.json``.

Runs the command on sentences of Tatoeba, without caches, with one and with two workers, for two numbers of
sentences each. The two times give start-up and rate::

    seconds = start-up + sentences / rate

The driver (the process that reads and writes) uses ``d`` seconds of processor time per sentence. So ``W``
workers cannot exceed ``min(W rate_1, 1 / d)``; rows for 8, 64 and 512 workers are computed so, not measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from parser.training.corpora.lines import read_columns

ROOT = Path(__file__).resolve().parents[1]
AMOUNTS = {"fast": (4_000, 16_000), "graph": (128, 384)}
BLOCK = {"fast": 1_000, "graph": 32}
RECKONED = (8, 64, 512)


def seconds(source: Path, preset: str, workers: int, folder: Path) -> tuple[float, float]:
    """Return the wall time of a run and the processor time of its driver, in seconds."""
    out = folder / "v.npy"
    command = [
        sys.executable, "-m", "amrx", "retrofit", str(source), "-o", str(out), "--preset", preset,
        "--lang", "en", "--no-cache", "--block", str(BLOCK[preset]), "--workers", str(workers), "--quiet",
    ]  # fmt: skip
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"})
    # read before the process is reaped, so that the time of its children is not included
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    driver = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    if process.wait():
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.perf_counter() - start, driver


def measure(texts: list[str], preset: str, workers: int) -> tuple[float, float, float]:
    """Return start-up in seconds, sentences per second, and the driver's seconds per sentence."""
    small, large = AMOUNTS[preset]
    times: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as name:
        for amount in (small, large):
            source = Path(name) / f"{amount}.txt"
            source.write_text("\n".join(texts[:amount]) + "\n", "utf-8")
            times.append(seconds(source, preset, workers, Path(name)))
    (short, little), (long, much) = times
    rate = (large - small) / (long - short)
    return short - small / rate, rate, max(0.0, (much - little) / (large - small))


def main() -> None:
    """Print a table per preset and write the rows."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    data, out = map(Path, sys.argv[1:])
    english = (columns[0] for columns in read_columns(data / "parallel" / "tatoeba" / "en-de.tsv.gz", 2))
    texts = list(islice(dict.fromkeys(english), max(large for _, large in AMOUNTS.values())))
    rows = []

    def row(preset: str, metric: str, workers: int, value: float, count: int) -> None:
        rows.append(
            {"encoder": f"{preset}, {workers} workers", "task": "workers", "language": metric,
             "metric": "bench", "value": round(value, 5), "n": count}
        )  # fmt: skip

    for preset, (_, large) in AMOUNTS.items():
        rates = {}
        for workers in (1, 2):
            start, rates[workers], driver = measure(texts, preset, workers)
            row(preset, "start-up, seconds", workers, start, large)
            row(preset, "sentences per second", workers, rates[workers], large)
            row(preset, "driver, seconds per 1,000 sentences", workers, 1000 * driver, large)
            print(f"{preset}, {workers} workers: {start:.1f} s + n / {rates[workers]:.1f}", flush=True)
        print(f"{preset}: two workers are {rates[2] / rates[1]:.2f} times one", flush=True)
        for workers in RECKONED:
            most = 1 / driver if driver else float("inf")
            row(preset, "sentences per second, reckoned", workers, min(workers * rates[1], most), large)
    out.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

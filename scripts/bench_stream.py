"""Measure the peak memory of training by the size of the corpus: ``python scripts/bench_stream.py``.

Trains a tiny `contrastive` encoder for a few steps on 10,000 generated pairs, then on a hundred times as
many, in a process each, and prints the peak memory of each. All rows are checked before training, and drawn
from blocks of 4,096. Law: the second peak is at most a few MB above the first.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROWS = (10_000, 1_000_000)
SETTINGS = (
    "steps=4", "batch=16", "rate.warmup=2", "data.shuffle=4096", "backbone.max_tokens=16",
    "backbone.scratch.pieces=600", "backbone.scratch.width=16", "backbone.scratch.layers=1",
    "backbone.scratch.heads=2",
)  # fmt: skip


def peak(folder: Path, rows: int) -> int:
    """Return the peak memory of training on ``rows`` pairs, in kB; raise if it fails."""
    pairs = folder / f"{rows}.tsv"
    with pairs.open("w", encoding="utf-8") as stream:
        for row in range(rows):
            stream.write(f"This is the English sentence {row}.\tDies ist der deutsche Satz {row}.\n")
    command = [
        sys.executable, "-m", "amrx", "train-base", "contrastive", "-o", str(folder / f"out-{rows}"),
        "--config", "small", "--device", "cpu", "--parallel", f"en-de:{pairs}",
        *(part for setting in SETTINGS for part in ("--set", setting)),
    ]  # fmt: skip
    # a process in between, because the system reports the peak over all children of a process
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=2);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def main() -> None:
    """Print one line per size."""
    unit = 1 if sys.platform != "darwin" else 1024  # Linux counts kB, macOS bytes
    with tempfile.TemporaryDirectory() as folder:
        for rows in ROWS:
            print(f"{rows:9,} pairs: peak {peak(Path(folder), rows) / unit / 1024:,.0f} MB", flush=True)


if __name__ == "__main__":
    main()

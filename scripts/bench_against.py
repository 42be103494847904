"""Compare the speed of two commits: ``python scripts/bench_against.py CHECKOUT DATA OUT.json``.

CHECKOUT is a work tree of the other commit (``git worktree add``) that the same interpreter can run. Each
command runs in both trees by turns, without caches and with its default number of threads and processes, on
two amounts of Tatoeba's English sentences; the amounts give start-up and seconds per sentence::

    seconds = start-up + sentences * (seconds per sentence)

The ratios are the other commit's seconds divided by this checkout's: above 1, this checkout is faster.
Processor time, which other load disturbs less than wall time, has a ratio of its own. The least of the rounds
counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from amrx.records import write_json
from parser.training.corpora.lines import read_columns

ROOT = Path(__file__).resolve().parent.parent
FIRST = 1  # sentences of the runs that measure start-up


class Case(NamedTuple):
    """A command and the two amounts of sentences that it runs on."""

    arguments: tuple[str, ...]
    small: int
    large: int


CASES = {
    "amrx parse --workers 2": Case(("parse", "--workers", "2", "-o", "o.amr"), 128, 2048),
    "amrx parse --parser mini": Case(("parse", "--parser", "mini", "-o", "o.amr"), 128, 8192),
    "amrx retrofit": Case(("retrofit", "-o", "o.npy"), 64, 4096),
    "amrx retrofit --encoder student-text": Case(
        ("retrofit", "--encoder", "student-text", "-o", "o.npy"), 1024, 32768
    ),
    "amrx parse of one sentence": Case(("parse", "-o", "o.amr"), FIRST, FIRST),
    "amrx retrofit of one sentence": Case(("retrofit", "-o", "o.npy"), FIRST, FIRST),
}
"""Commands that both commits know. The larger amounts take long enough for several processes to start."""


class Seconds(NamedTuple):
    """How long a run took."""

    wall: float
    processor: float


def run(root: Path, arguments: tuple[str, ...], texts: list[str]) -> Seconds:
    """Run ``amrx`` of a checkout on the texts."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        verb, *options = arguments
        command = [sys.executable, "-m", "amrx", verb, "in.txt", "--lang", "en", "--no-cache", *options]
        environment = {**os.environ, "PYTHONPATH": str(root.resolve())}
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{root}: {' '.join(command)} failed:\n{done.stderr}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(wall, processor)


def per_sentence(case: Case, small: list[Seconds], large: list[Seconds]) -> Seconds:
    """Return seconds per sentence of the least times; of a single sentence, start-up included."""
    little, much = (Seconds(*map(min, zip(*runs, strict=True))) for runs in (small, large))
    if case.small == case.large:
        return little
    more = case.large - case.small
    found = Seconds((much.wall - little.wall) / more, (much.processor - little.processor) / more)
    if min(found) <= 0:
        raise SystemExit(f"{case.large} sentences took no longer than {case.small}: too much other load")
    return found


def main() -> None:
    """Measure, print and write the rows."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("checkout", "data", "out"):
        options.add_argument(name, type=Path)
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    english = (
        columns[0] for columns in read_columns(asked.data / "parallel" / "tatoeba" / "en-de.tsv.gz", 2)
    )
    texts = list(islice(dict.fromkeys(english), max(case.large for case in CASES.values())))
    rows: list[dict[str, str | float]] = []
    for title, case in CASES.items():
        times: dict[tuple[Path, int], list[Seconds]] = {}
        for _ in range(asked.rounds):
            for root in (asked.checkout, ROOT):
                for amount in {case.small, case.large}:
                    seconds = run(root, case.arguments, texts[:amount])
                    times.setdefault((root, amount), []).append(seconds)
        other, this = (
            per_sentence(case, times[root, case.small], times[root, case.large])
            for root in (asked.checkout, ROOT)
        )
        ratios = {"wall": other.wall / this.wall, "processor": other.processor / this.processor}
        print(f"{title:38} {' '.join(f'{kind} {ratio:.2f}' for kind, ratio in ratios.items())}", flush=True)
        rows += [
            {
                "encoder": title, "task": "speed", "language": f"{kind} time, ratio", "metric": "bench",
                "value": round(ratio, 2), "n": case.large,
            }
            for kind, ratio in ratios.items()
        ]  # fmt: skip
    write_json(asked.out, rows)


if __name__ == "__main__":
    main()

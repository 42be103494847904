"""Memory of ``amrx parse`` over many sentences: ``python scripts/bench_memory.py FILE [N ...]``.

Each N (20,000 and 100,000) is a run of the command of its own, without a cache, on the sentences of FILE
over and over; its arguments follow ``--``, such as ``-- --lang en --parser mini:DIR``. Prints the highest
memory that each run held and how many sentences it parsed a second. Law: memory does not grow with N.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

_CHILD = """
import resource, sys
from amrx.cli import main
status = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
sys.exit(status)
"""


def main(source: Path, counts: Sequence[int], arguments: Sequence[str]) -> None:
    """Measure each count in a process of its own and print a line."""
    texts = [line for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    for count in counts:
        peak, seconds = measure(list(islice(cycle(texts), count)), arguments)
        print(f"{count:9,d} sentences  peak {peak:6.0f} MB  {count / seconds:6.0f} sentences/s", flush=True)


def measure(texts: Sequence[str], arguments: Sequence[str]) -> tuple[float, float]:
    """Return peak memory in MB and seconds of one run of ``amrx parse``."""
    with tempfile.TemporaryDirectory() as folder:
        asked, made = Path(folder) / "asked.txt", Path(folder) / "made.amr"
        asked.write_text("\n".join(texts) + "\n", encoding="utf-8")
        command = ["parse", str(asked), "-o", str(made), "--no-cache", *arguments]
        began = time.perf_counter()
        child = [sys.executable, "-c", _CHILD, *command]
        ran = subprocess.run(child, check=True, stdout=subprocess.PIPE, text=True)
        return int(ran.stdout.split()[-1]) / 1024, time.perf_counter() - began


if __name__ == "__main__":
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    main(Path(given[0]), [int(number) for number in given[1:end]] or [20_000, 100_000], given[end + 1 :])

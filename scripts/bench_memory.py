"""Measure the memory of ``amrx parse`` over many sentences: ``python scripts/bench_memory.py FILE [N ...]``.

Each N (default 20,000 and 100,000) is a separate run of the command, without a cache, on N sentences that
repeat those of FILE. Arguments of the command follow ``--``, such as ``-- --lang en --parser mini:DIR``.
Prints the peak memory and the sentences per second of each run. Law: memory does not grow with N.
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
        source, output = Path(folder) / "asked.txt", Path(folder) / "made.amr"
        source.write_text("\n".join(texts) + "\n", encoding="utf-8")
        command = ["parse", str(source), "-o", str(output), "--no-cache", *arguments]
        began = time.perf_counter()
        child = [sys.executable, "-c", _CHILD, *command]
        ran = subprocess.run(child, check=True, stdout=subprocess.PIPE, text=True)
        return int(ran.stdout.split()[-1]) / 1024, time.perf_counter() - began


if __name__ == "__main__":
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    main(Path(given[0]), [int(number) for number in given[1:end]] or [20_000, 100_000], given[end + 1 :])

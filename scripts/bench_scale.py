"""Measure time, memory and disk of many sentences: ``python scripts/bench_scale.py DATA OUT.json [N]``.

N (20,000 by default) distinct sentences of Tatoeba in five languages go through ``amrx retrofit`` with each
preset, with two workers, and once with two workers of Ray; through ``amrx search`` (100 queries) and ``amrx
pairs``. No run has a cache. A row is the seconds, the largest memory of all processes together (proportional
set size, twice a second), what the output holds, and the most that lay in the temporary folder. Beside OUT a
picture shows the memory over time.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from amrx.records import write_json

LANGS = ("ar", "de", "tr", "zh")
QUERIES = 100
RUNS = {
    **{
        name: f"retrofit texts.tsv -o vectors.npy --preset {name} --workers 2"
        for name in ("fast", "text", "graph")
    },
    "graph on Ray": "retrofit texts.tsv -o vectors.npy --preset graph --engine ray --workers 2",
    "search by fast": "search queries.tsv texts.tsv -o found.tsv --preset fast",
    "pairs by fast": "pairs texts.tsv -o found.tsv --preset fast --threshold 0.9",
}
"""Commands by name."""
EVERY = 0.5
"""Seconds between two looks at memory and disk."""
MB = 1 << 20


class Look(NamedTuple):
    """Memory and disk of a run at one moment."""

    seconds: float
    memory: float  # MB
    temporary: float  # MB


def sentences(data: Path, count: int) -> list[tuple[str, str]]:
    """Return distinct sentences with their languages, in turn."""
    files = [gzip.open(data / f"parallel/tatoeba/en-{lang}.tsv.gz", "rt", encoding="utf-8") for lang in LANGS]
    found: dict[str, str] = {}
    for lines in zip(*files, strict=False):
        for lang, line in zip(LANGS, lines, strict=True):
            english, foreign = line.rstrip("\n").split("\t")[:2]
            found.setdefault(foreign, lang)
            found.setdefault(english, "en")
        if len(found) >= count:
            break
    for file in files:
        file.close()
    if len(found) < count:
        raise SystemExit(f"bench_scale: {data} has {len(found)} sentences, not {count}")
    return list(found.items())[:count]


def memory_of(process: int) -> int:
    """Return the proportional set size of a process and all below it, in bytes."""
    total = 0
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
        total += 1024 * next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        for task in Path(f"/proc/{process}/task").iterdir():
            total += sum(memory_of(int(child)) for child in (task / "children").read_text("ascii").split())
    except (OSError, StopIteration):
        return total  # it ended meanwhile
    return total


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    total = 0
    for root, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.stat(os.path.join(root, name)).st_size
            except OSError:
                continue  # it was removed meanwhile
    return total


def run(command: str, folder: Path) -> tuple[list[Look], int]:
    """Run a command in a folder; return the looks at it, and the bytes of its output."""
    temporary, began = folder / "temporary", time.perf_counter()
    temporary.mkdir(exist_ok=True)
    environment = os.environ | {"TMPDIR": str(temporary)}
    child = [sys.executable, "-m", "amrx", *command.split(), "--no-cache", "--quiet"]
    given = size_of(folder)
    started = subprocess.Popen(child, cwd=folder, env=environment)
    looks = []
    while started.poll() is None:
        held = memory_of(started.pid) / MB, (size_of(folder) - given) / MB
        looks.append(Look(time.perf_counter() - began, *held))
        time.sleep(EVERY)
    if started.returncode:
        raise SystemExit(f"bench_scale: amrx {command} ended with {started.returncode}")
    looks.append(Look(time.perf_counter() - began, 0.0, 0.0))
    return looks, size_of(folder) - given


def rows_of(name: str, looks: Sequence[Look], written: int, count: int) -> Iterator[dict[str, object]]:
    """Yield the rows of a run."""
    values = {
        "seconds": looks[-1].seconds, "memory, MB": max(one.memory for one in looks),
        "output, MB": written / MB, "disk at most, MB": max(one.temporary for one in looks),
    }  # fmt: skip
    for metric, value in values.items():
        yield {
            "encoder": name, "task": "scale", "language": "ar de en tr zh", "metric": metric,
            "value": round(value, 1), "n": count,
        }  # fmt: skip


def draw(runs: dict[str, Sequence[Look]], file: Path) -> None:
    """Draw the memory of each run over the share of its time."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.2), layout="constrained")
    for name, looks in runs.items():
        seconds = looks[-1].seconds
        axes.plot(
            [one.seconds / seconds for one in looks[:-1]], [one.memory for one in looks[:-1]], label=name
        )
    axes.set(xlabel="share of the time", ylabel="memory, MB", ylim=(0, None), xlim=(0, 1))
    axes.legend(fontsize="small", ncols=2)
    figure.savefig(file, metadata={"Date": None})


def main(data: Path, out: Path, count: int = 20_000) -> None:
    """Run every command on the sentences, and write rows and picture."""
    texts, rows, runs = sentences(data, count), [], {}
    for name, command in RUNS.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            for file, some in (("texts.tsv", texts), ("queries.tsv", texts[:QUERIES])):
                lines = ["id\tlang\ttext", *(f"{i}\t{lang}\t{text}" for i, (text, lang) in enumerate(some))]
                (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
            runs[name], written = run(command, folder)
        rows += rows_of(name, runs[name], written, count)
        print(name, *(f"{row['metric']} {row['value']}" for row in rows[-4:]), sep=", ", flush=True)
    write_json(out, rows)
    draw(runs, out.with_suffix(".svg"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))

"""Measure a parser's speed on all STS17 sentences, in one process and in workers of one thread each.

::

    python scripts/bench_parse.py --data DIR [--parser mini] [--workers 2] [--rounds 3] [--amrlib 128]
    python scripts/bench_parse.py --start [--rounds 5] [--against FOLDER]

Prints the sentences per second of the fastest round without loading, the peak memory of this process, and the
time of ``amrx parse`` for one sentence, including start-up. ``--amrlib N`` also measures amrlib's parse_xfm
on N of the sentences (see ``bench_amrlib.py``), and prints how many times as fast our parser is in one
process.

``--start`` prints instead the time of each command for one sentence and one thread, including start-up: wall
and processor seconds of the fastest round. ``--against`` measures the checkout of another commit in turns
with this one, and prints how many times as long it takes.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import parser as parsers
from amrx.evaluation.run import load
from amrx.evaluation.tasks.sts import STS17
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser.run.pool import WorkersParser

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Measure and print."""
    layout = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    options.add_argument("--data", type=Path, help="folder that holds sts/sts17")
    options.add_argument("--start", action="store_true", help="measure the start of each command alone")
    options.add_argument("--against", type=Path, metavar="FOLDER", help="checkout to compare --start with")
    options.add_argument("--parser", default="mini")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--batch-size", type=int, default=64)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--amrlib", type=int, default=0, metavar="N", help="sentences for amrlib")
    chosen = options.parse_args()
    if chosen.start:
        print_starts(chosen.rounds, chosen.against)
        return
    if chosen.data is None:
        options.error("--data DIR is missing")
    sentences = sts17_sentences(chosen.data)
    threads = set_threads()
    started = time.perf_counter()
    alone = parsers.load(chosen.parser)
    print(f"{len(sentences)} sentences; {alone.fingerprint} loaded in {time.perf_counter() - started:.2f} s")
    speed = fastest(alone, sentences, chosen.batch_size, chosen.rounds)
    print(f"1 process, {threads} threads   {speed:6.0f} sentences/s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with WorkersParser(chosen.parser, chosen.workers) as workers:
        shared = fastest(workers, sentences, chosen.batch_size, chosen.rounds)
    print(f"{chosen.workers} workers, 1 thread    {shared:6.0f} sentences/s  ({shared / speed:.2f} x)")
    print(f"peak memory of the one process {peak:.0f} MB")
    print(f"amrx parse of one sentence {start_up(chosen.parser):.2f} s")
    if chosen.amrlib:
        from bench_amrlib import amrlib_speed

        some = sentences[:: max(1, len(sentences) // chosen.amrlib)]
        theirs = amrlib_speed(alone.parse(some), chosen.batch_size)
        print(f"amrlib's parse_xfm   {theirs:8.2f} sentences/s of {len(some)}  ({speed / theirs:.0f} x)")


def sts17_sentences(data: Path) -> list[Sentence]:
    """Return the distinct sentences of the ten tracks, with their languages."""
    distinct: dict[tuple[str, str], None] = {}
    for part in load([STS17], data)[0]:
        for pair in part.pairs:
            for text, lang in zip((pair.first, pair.second), part.track.columns, strict=True):
                distinct[text, lang] = None
    return [Sentence(str(i), text, lang) for i, (text, lang) in enumerate(distinct)]


def fastest(parser: Parser, sentences: list[Sentence], batch_size: int, rounds: int) -> float:
    """Return the sentences per second of the fastest round, after a warm-up round."""
    best = 0.0
    for number in range(rounds + 1):
        started = time.perf_counter()
        parser.parse(sentences, batch_size=batch_size)
        best = max(best, number and len(sentences) / (time.perf_counter() - started))
    return best


SENTENCE = "Der Junge will gehen."
_FILE = ["one.txt", "--lang", "de", "--no-cache"]
STARTS = {
    "import torch": ["-c", "import torch"],
    "amrx parse": ["-m", "amrx", "parse", *_FILE, "-o", "one.amr"],
    **{
        f"amrx retrofit --preset {preset}": [
            "-m", "amrx", "retrofit", *_FILE, "--preset", preset, "-o", "one.npy",
        ]
        for preset in ("fast", "text", "graph", "best")
    },
    "amrx explain A B": [
        "-m", "amrx", "explain", SENTENCE, "The boy wants to go.", "--lang-a", "de", "--lang-b", "en",
    ],
    "amrx.parse([A])": ["-c", f"import amrx; amrx.parse([{SENTENCE!r}], lang='de')"],
}  # fmt: skip
"""Arguments of the interpreter; the first is a lower bound of the others."""


class Seconds(NamedTuple):
    """Wall and processor time of one run, in seconds."""

    wall: float
    processor: float


def start_up(name: str) -> float:
    """Return the seconds of the command for one sentence: interpreter, imports, weights, parse."""
    return seconds([*STARTS["amrx parse"], "--parser", name], ROOT).wall


def seconds(arguments: list[str], root: Path) -> Seconds:
    """Return the time of the interpreter on one sentence, with the packages of a checkout."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "one.txt").write_text(f"{SENTENCE}\n", encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(root.resolve()), "OMP_NUM_THREADS": "1"}
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments], check=True, capture_output=True, cwd=folder, env=environment
        )
        wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Seconds(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def print_starts(rounds: int, against: Path | None) -> None:
    """Print the lowest time of each of `STARTS`, of this checkout and of another."""
    roots = [ROOT] if against is None else [against, ROOT]
    print(f"{'seconds (of processor time)':<30}{''.join(f'{root.resolve().name:>20}' for root in roots)}")
    for name, arguments in STARTS.items():
        runs = [[seconds(arguments, root) for root in roots] for _ in range(rounds)]
        least = [Seconds(*map(min, zip(*of_root, strict=True))) for of_root in zip(*runs, strict=True)]
        cells = "".join(f"{f'{one.wall:.2f} ({one.processor:.2f})':>20}" for one in least)
        ratio = f"{least[0].wall / least[-1].wall:8.2f} x ({least[0].processor / least[-1].processor:.2f} x)"
        print(f"{name:<30}{cells}{ratio if against else ''}", flush=True)


if __name__ == "__main__":
    main()

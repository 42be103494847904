"""Speed of a parser on all STS17 sentences, in one process with all cores and in workers of one thread each.

::

    python scripts/bench_parse.py --data DIR [--parser mini] [--workers 2] [--rounds 3] [--amrlib 128]

Prints sentences a second of the fastest round, loading left out, the peak memory of this process, and how
long ``amrx parse`` takes for a single sentence, start-up and all. ``--amrlib N`` also measures amrlib's
parse_xfm on N of the sentences (see ``bench_amrlib.py``), and prints how many times as fast one process of
ours is.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import parser as parsers
from amrx.evaluation.run import load
from amrx.evaluation.tasks.sts import STS17
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser.run.pool import WorkersParser


def main() -> None:
    """Measure and print."""
    layout = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    options.add_argument("--data", type=Path, required=True, help="folder that holds sts/sts17")
    options.add_argument("--parser", default="mini")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--batch-size", type=int, default=64)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--amrlib", type=int, default=0, metavar="N", help="sentences for amrlib")
    chosen = options.parse_args()
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
    """Every sentence of the ten tracks once, with its language."""
    found: dict[tuple[str, str], None] = {}
    for part in load([STS17], data)[0]:
        for pair in part.pairs:
            for text, lang in zip((pair.first, pair.second), part.track.columns, strict=True):
                found[text, lang] = None
    return [Sentence(str(i), text, lang) for i, (text, lang) in enumerate(found)]


def fastest(parser: Parser, sentences: list[Sentence], batch_size: int, rounds: int) -> float:
    """Sentences a second of the fastest round, after one that is not counted."""
    best = 0.0
    for number in range(rounds + 1):
        started = time.perf_counter()
        parser.parse(sentences, batch_size=batch_size)
        best = max(best, number and len(sentences) / (time.perf_counter() - started))
    return best


def start_up(name: str) -> float:
    """Seconds that the command takes for one sentence: interpreter, imports, weights, parse."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.txt"
        source.write_text("The boy wants to go.\n", encoding="utf-8")
        words = [
            "parse",
            str(source),
            "--lang",
            "en",
            "-o",
            f"{folder}/one.amr",
            "--parser",
            name,
            "--no-cache",
        ]
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "amrx", *words], check=True, capture_output=True)
        return time.perf_counter() - started


if __name__ == "__main__":
    main()

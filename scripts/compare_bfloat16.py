"""Compare products in bfloat16 with float32: ``python scripts/compare_bfloat16.py DATA OUT.json``.

For ``mini``, on 100 sentences of each dev set of `evaluate_parser.py`: Smatch of both, the share of equal
graphs, and how many times as fast bfloat16 is. Both parse each set twice, in turns; the faster time counts.
Run it on a quiet machine. ``--voted`` compares ``voted:mini`` instead.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from evaluate_parser import tasks

import parser
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parse, Parser, Sentence
from parser.score.smatch import corpus_smatch

SENTENCES = 100
Row = dict[str, str | float]


def timed(loaded: Parser, sentences: list[Sentence]) -> tuple[float, list[Parse]]:
    """Return the seconds of a parse, and the parses."""
    began = time.perf_counter()
    parses = loaded.parse(sentences)
    return time.perf_counter() - began, parses


def compare(plain: str, half: str, data: Path) -> list[Row]:
    """Return the rows of two parsers, and print them."""
    loaded = [parser.load(name) for name in (plain, half)]
    rows: list[Row] = []
    total = [0.0, 0.0]
    for task, lang, texts, gold in tasks(data):
        rows_used = [n * len(texts) // SENTENCES for n in range(SENTENCES)]
        sentences = [Sentence(str(n), texts[n], lang) for n in rows_used]
        runs = [[timed(one, sentences) for one in loaded] for _ in range(2)]
        parses = [own for _, own in runs[0]]
        for side in range(2):
            total[side] += min(run[side][0] for run in runs)
        same = sum(one.graph == other.graph for one, other in zip(*parses, strict=True)) / len(sentences)
        scores = [
            corpus_smatch([gold[n] for n in rows_used], [parse.graph for parse in own]).f1 for own in parses
        ]
        row = {"task": task, "language": lang, "n": len(sentences)}
        for name, score in zip((plain, half), scores, strict=True):
            rows.append({"encoder": name, **row, "metric": "smatch", "value": round(score, 2)})
        rows.append({"encoder": half, **row, "metric": "equal graphs", "value": round(100 * same, 2)})
        print(f"{task} {lang}  {scores[0]:.2f} {scores[1]:.2f}  equal {same:.1%}", flush=True)
    ratio = total[0] / total[1]
    print(f"{half} is {ratio:.2f} times as fast as {plain}")
    count = sum(int(row["n"]) for row in rows if row["metric"] == "equal graphs")
    speed = {"task": "speed", "language": "wall time, ratio", "metric": "bench", "n": count}
    return [*rows, {"encoder": half, **speed, "value": round(ratio, 2)}]


def main(data: Path, out: Path, before: str) -> None:
    """Compare, print and write."""
    set_threads()
    write_json(out, compare(f"{before}mini", f"{before}bf16:mini", data))


if __name__ == "__main__":
    voted = "--voted" in sys.argv
    given = [argument for argument in sys.argv[1:] if argument != "--voted"]
    if len(given) != 2:
        raise SystemExit(__doc__)
    main(Path(given[0]), Path(given[1]), "voted:" if voted else "")

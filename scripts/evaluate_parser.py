"""Smatch of the shipped parser: ``python scripts/evaluate_parser.py DATA OUT.json [ROWS]``.

STS-B dev is taken in six languages against the graphs of BAMBOO (first sentences of ``ROWS`` random rows, the
same in every language; all rows when 0), The Little Prince dev in English and Chinese, Bio dev in English.
"""

from __future__ import annotations

import csv
import json
import random
import sys
import time
from pathlib import Path

import penman

import parser
from amrx.records import atomic_path
from amrx.types import Sentence
from parser.corpora.sembanks import bamboo_pairs, bio, lpp
from parser.smatch import corpus_smatch

LANGS = ("en", "de", "es", "fr", "it", "zh")
Task = tuple[str, str, list[str], list[penman.Graph]]


def tasks(data: Path, rows: int) -> list[Task]:
    """Name, language, sentences and gold graphs of every dev set."""
    pairs = list(bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev"))
    chosen = random.Random(0).sample(range(len(pairs)), rows) if rows else list(range(len(pairs)))
    made: list[Task] = []
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        made.append(("stsb-dev", lang, [texts[i] for i in chosen], [pairs[i].source.graph for i in chosen]))
    prince = list(lpp(data, "dev"))
    made.append(("lpp-dev", "en", [e.snt for e in prince], [e.graph for e in prince]))
    chinese = [e for e in prince if e.metadata.get("snt_zh")]
    made.append(("lpp-dev", "zh", [e.metadata["snt_zh"] for e in chinese], [e.graph for e in chinese]))
    medical = list(bio(data, "dev"))[: rows or None]
    made.append(("bio-dev", "en", [e.snt for e in medical], [e.graph for e in medical]))
    return made


def main(data: Path, out: Path, rows: int) -> None:
    """Parse, score, print and write the rows."""
    loaded = parser.load("mini")
    table = []
    for task, lang, texts, gold in tasks(data, rows):
        begun = time.monotonic()
        parses = loaded.parse([Sentence(str(i), text, lang) for i, text in enumerate(texts)])
        speed = len(texts) / (time.monotonic() - begun)
        score = corpus_smatch(gold, [parse.graph for parse in parses])
        whole = sum(parse.status == "ok" for parse in parses) / len(parses)
        print(f"{task:9} {lang}  Smatch {score.f1:5.1f}  n {len(texts):4}  ok {whole:.0%}  {speed:.0f}/s")
        row = {"encoder": loaded.fingerprint, "task": task, "language": lang, "metric": "smatch"}
        table.append({**row, "value": round(score.f1, 2), "n": len(texts)})
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)

"""A parser from own graphs: ``python scripts/evaluate_own_sembank.py DATA OUT.json``.

QALD-9-AMR, gold graphs of 408 questions that the parser ``mini`` was not trained on, is the own sembank: 100
questions to measure, 50 to select the weights, 50, 100 and 200 to learn from (each set holds the smaller
one). Every row is Smatch before (0 graphs) or after `amrx train-parser --sembank` with its defaults, of the
100 questions, and, as a parser forgets, of the first 100 sentences of The Little Prince dev.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path

import penman

import parser
from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Sentence
from parser.score.smatch import corpus_smatch
from parser.training.corpora.sembanks import Entry, lpp, read_sembank
from parser.training.mini.own_sembank import OwnRecipe, train

SIZES = (50, 100, 200)
MEASURED, SELECTING = 100, 50


def smatch(name: str, entries: list[Entry]) -> float:
    """Return Smatch F1 of a parser on entries of a sembank."""
    parses = parser.load(name).parse([Sentence(str(i), entry.snt, "en") for i, entry in enumerate(entries)])
    return round(corpus_smatch([e.graph for e in entries], [parse.graph for parse in parses]).f1, 2)


def write(path: Path, entries: list[Entry]) -> Path:
    """Write entries as a sembank."""
    path.write_text("\n\n".join(penman.encode(entry.graph) for entry in entries) + "\n", encoding="utf-8")
    return path


def main(data: Path, out: Path) -> None:
    """Train on each number of graphs, score, write the rows."""
    set_threads()
    entries = list(read_sembank(data / "amr" / "qald9" / "train.amr"))
    random.Random(0).shuffle(entries)
    sets = {"QALD-9": entries[:MEASURED], "The Little Prince dev": list(lpp(data, "dev"))[:MEASURED]}
    learnt = entries[MEASURED + SELECTING :]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dev = write(folder / "dev.amr", entries[MEASURED : MEASURED + SELECTING])
        for size in (0, *SIZES):
            student = f"mini:{folder / str(size)}" if size else "mini"
            if size:
                train(write(folder / "train.amr", learnt[:size]), dev, folder / str(size), OwnRecipe())
            for task, measured in sets.items():
                value = smatch(student, measured)
                row = {"encoder": f"mini, {size} own graphs", "task": f"Own sembank, {task}"}
                rows.append(row | {"language": "en", "metric": "smatch", "value": value, "n": MEASURED})
                print(f"{size:4} graphs  {task:22} Smatch {value:5.2f}", flush=True)
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

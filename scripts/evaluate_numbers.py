"""Score readings of numbers and meanings: ``python scripts/evaluate_numbers.py OUT.json [TASKS]``.

``readings.tsv`` has the sentences by task and language, each with a check of its graph (`graph_checks` or
`clause_checks`) and the check's arguments as JSON. Tasks in `VALUES` are numbers, dates and so on; the others
are what the network has to learn. The score is the share of graphs, in percent, that pass: by the parser
``mini``, and by its network alone, without `parser.values` on the graph.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import NamedTuple
from unittest.mock import patch

import clause_checks
import graph_checks
import penman
from graph_checks import Check

from amrx.composed_text import Span
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser import load as load_parser

SENTENCES = Path(__file__).with_name("readings.tsv")
VALUES = frozenset(
    """Numbers in words, Numbers in digits, Decimals in words, Fractions in words, Bounds, Weekdays, Months,
    Two weekdays, Ranges, Halves, Units after words, Full hours, Dates in words, Numbers of things,
    Before - after - until - since""".replace("\n    ", " ").split(", ")
)
"""Tasks about values, which `parser.values` reads."""
HELD_OUT = ("pt", "sv", "uk")
"""Languages that no constructed sentence of the training text has."""
Placed = tuple[penman.Graph, Mapping[str, Span]]


class Case(NamedTuple):
    """The sentences of a task and language, and what their graphs must have."""

    task: str
    lang: str
    texts: Sequence[str]
    checks: Sequence[Check]


def read_cases(file: Path = SENTENCES) -> Iterator[Case]:
    """Yield the sentences of every task and language."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    for (task, lang), group in groupby(rows, key=lambda row: (row["task"], row["lang"])):
        alike = list(group)
        checks = [_check(row["check"], json.loads(row["arguments"])) for row in alike]
        yield Case(task, lang, [row["text"] for row in alike], checks)


def _check(name: str, arguments: Sequence[object]) -> Check:
    make = getattr(graph_checks, name, None) or getattr(clause_checks, name)
    return make(*arguments) if arguments else make  # type: ignore[no-any-return]


def share(parser: Parser, case: Case) -> float:
    """Return the share of right graphs, 0-100."""
    parses = parser.parse([Sentence(str(i), text, case.lang) for i, text in enumerate(case.texts)])
    right = [check(parse.graph) for check, parse in zip(case.checks, parses, strict=True)]
    return 100 * sum(right) / len(right)


def without_values(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span], digits: object = None
) -> Placed:
    """Return a graph as the network wrote it."""
    return graph, alignments


def main(out: Path, tasks: str = "") -> None:
    """Score every task and language and write the rows; ``tasks`` names some, separated by commas."""
    set_threads()
    parser = load_parser("mini")
    rows = []
    for case in read_cases():
        if tasks and case.task not in tasks.split(","):
            continue
        with patch("parser.mini.parser.with_values", without_values):
            before = share(parser, case)
        for name, value in (("mini", share(parser, case)), ("mini without values", before)):
            print(f"{case.task} {case.lang} {name}: {value:.1f}", flush=True)
            row = {"encoder": name, "task": case.task, "language": case.lang, "metric": "right"}
            rows.append({**row, "value": round(value, 2), "n": len(case.texts)})
    for name in ("mini", "mini without values"):
        for title, chosen in groups(row for row in rows if row["encoder"] == name):
            print(f"{name}, {title}: {chosen:.1f}")
    write_json(out, rows)


def groups(rows: Iterable[Mapping[str, object]]) -> Iterator[tuple[str, float]]:
    """Yield the mean over tasks of values, of the others, and of the others in `HELD_OUT`."""
    shares: dict[str, dict[str, list[float]]] = {"values": {}, "other tasks": {}, "other tasks, held out": {}}
    for row in rows:
        task, value = str(row["task"]), float(str(row["value"]))
        title = "values" if task in VALUES else "other tasks"
        shares[title].setdefault(task, []).append(value)
        if row["language"] in HELD_OUT and title != "values":
            shares["other tasks, held out"].setdefault(task, []).append(value)
    for title, tasks in shares.items():
        if tasks:
            yield title, mean(map(mean, tasks.values()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

#!/usr/bin/env python
"""Write the README's table of results from results/*.json, so that no number there is typed by hand.

    scripts/reproduce_tables.py            rewrite the block between the markers
    scripts/reproduce_tables.py --check    exit 1 if the README says anything else
    scripts/reproduce_tables.py --papers tables.md --data DIR
                                           run `amrx eval papers`: every table of the three papers that data
                                           and weights allow, and for each row whether the weights are here

Every ``results/NAME.json`` is a list of rows ``{"encoder", "task", "language", "metric", "value", "n"}`` with
the value on the 0-100 scale, as ``amrx eval --json`` writes it; ``results/first.txt`` (and ``first.svg``) is
the top of the README. ``results/commands.tsv`` (columns file, command) holds the command that made each of
these files; a file without one is an error.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIRST = "first.txt"
NO_FIRST = "Run `scripts/demo` to see a German sentence, its graph, and its similarity before and after."
NO_RESULTS = """\
No results are committed yet. They are made so, and put here by `scripts/reproduce_tables.py`:

```
amrx eval --base muse --amr --control minilm,amr --tasks sts17 --data "$AMRX_DATA" --json results/sts17.json
```"""


class ResultsError(Exception):
    """Results that cannot be tabulated; the text is one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number.

    Attributes:
        encoder: What was measured.
        task: On what.
        language: A code, or a pair such as ``en-de``.
        metric: Name of the measure.
        value: 0-100.
        n: Number of items behind it.
    """

    encoder: str
    task: str
    language: str
    metric: str
    value: float
    n: int


def read_rows(file: Path) -> list[Row]:
    """Return the rows of one results file.

    Raises:
        ResultsError: It is no list of rows with these fields.
    """
    try:
        records = json.loads(file.read_text(encoding="utf-8"))
        return [
            Row(
                encoder=str(record["encoder"]),
                task=str(record["task"]),
                language=str(record["language"]),
                metric=str(record["metric"]),
                value=float(record["value"]),
                n=int(record["n"]),
            )
            for record in records
        ]
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise ResultsError(
            f"{file.name}: no list of result rows ({type(error).__name__}: {error})"
        ) from error


def read_commands(folder: Path) -> dict[str, str]:
    """Return file name to command from ``commands.tsv``, empty when there is none."""
    file = folder / "commands.tsv"
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            row["file"]: row["command"]
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


def means(values: dict[str, float]) -> dict[str, float]:
    """Return the means that sum up a row: mono- and cross-lingual for pairs, one mean for plain languages.

    Example:
        >>> means({"en-en": 80.0, "es-es": 90.0, "en-de": 70.0})
        {'monolingual': 85.0, 'cross-lingual': 70.0}
        >>> means({"en": 60.0, "de": 50.0}), means({"en": 60.0})
        ({'mean': 55.0}, {})
    """
    kinds: dict[str, list[float]] = {}
    for language, value in values.items():
        one, dash, other = language.partition("-")
        kind = "mean" if not dash else "monolingual" if one == other else "cross-lingual"
        kinds.setdefault(kind, []).append(value)
    return {
        kind: sum(found) / len(found) for kind, found in kinds.items() if len(found) > 1 or kind != "mean"
    }


def table(rows: Sequence[Row]) -> str:
    """Return the rows of one task and metric as a Markdown table: an encoder a line, a language a column."""
    encoders = list(dict.fromkeys(row.encoder for row in rows))
    languages = list(dict.fromkeys(row.language for row in rows))
    scores = {name: {row.language: row.value for row in rows if row.encoder == name} for name in encoders}
    totals = {name: means(scores[name]) for name in encoders if set(scores[name]) == set(languages)}
    kinds = list(dict.fromkeys(kind for found in totals.values() for kind in found))
    lines = [[f"{rows[0].metric}", *(f"**{kind}**" for kind in kinds), *languages]]
    lines.append(["---"] + ["--:"] * (len(kinds) + len(languages)))
    for name in encoders:
        mean_cells = [_number(totals.get(name, {}).get(kind), bold=True) for kind in kinds]
        lines.append([name, *mean_cells, *(_number(scores[name].get(language)) for language in languages)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _number(value: float | None, *, bold: bool = False) -> str:
    if value is None:
        return "–"
    return f"**{value:.2f}**" if bold else f"{value:.1f}"


def first_block(folder: Path, commands: dict[str, str]) -> str:
    """Return ``first.txt`` and its command, or how to see it when it is not committed.

    Raises:
        ResultsError: It has no command.
    """
    file = folder / FIRST
    if not file.is_file():
        return NO_FIRST
    if FIRST not in commands:
        raise ResultsError(f"{FIRST}: no command in {folder.name}/commands.tsv")
    picture = folder / "first.svg"
    tag = (
        f'<img align="right" alt="its graph" src="{folder.name}/{picture.name}">\n\n'
        if picture.is_file()
        else ""
    )
    return f"{tag}```\n{file.read_text(encoding='utf-8').rstrip()}\n```"


def results_block(folder: Path, commands: dict[str, str]) -> str:
    """Return every table with the command that made it.

    Raises:
        ResultsError: A file is malformed or has no command.
    """
    parts = []
    for file in sorted(folder.glob("*.json")):
        if file.name not in commands:
            raise ResultsError(f"{file.name}: no command in {folder.name}/commands.tsv")
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in read_rows(file):
            groups.setdefault((row.task, row.metric), []).append(row)
        for (task, _), rows in groups.items():
            counts = sorted({row.n for row in rows})
            size = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
            parts.append(f"**{task}** (n = {size} a column)\n\n{table(rows)}")
        parts.append(f"`{file.parent.name}/{file.name}` is written by\n\n```\n{commands[file.name]}\n```")
    return "\n\n".join(parts) or NO_RESULTS


def rewrite(readme: str, name: str, new: str) -> str:
    r"""Return the README with the block between the markers of ``name`` replaced.

    Raises:
        ResultsError: The markers are missing, doubled or in the wrong order.

    Example:
        >>> rewrite("a <!-- x:start -->old<!-- x:end --> z", "x", "new").split("\n")
        ['a <!-- x:start -->', 'new', '<!-- x:end --> z']
    """
    start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    if readme.count(start) != 1 or readme.count(end) != 1 or readme.index(start) > readme.index(end):
        raise ResultsError(f"README.md needs {start} and then {end}, once each")
    head, _, rest = readme.partition(start)
    return f"{head}{start}\n{new}\n{end}{rest.partition(end)[2]}"


def put(file: Path, old: str, new: str, *, check: bool, told: str) -> int:
    """Write a new text over the old one; with ``check`` only tell, and return 1, if they differ."""
    if check:
        if new != old:
            print(told, file=sys.stderr)
        return int(new != old)
    if new != old:
        temporary = file.with_suffix(".partial")
        temporary.write_text(new, encoding="utf-8")
        temporary.replace(file)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 done or equal, 1 the README differs, 2 the results cannot be read."""
    options = argparse.ArgumentParser(description="write the README's results from results/*.json")
    options.add_argument("--check", action="store_true", help="change nothing; exit 1 if the README differs")
    options.add_argument("--root", type=Path, default=ROOT, help="folder of README.md and results/")
    options.add_argument("--papers", type=Path, help="file for the tables of the papers; the README is left")
    options.add_argument("--data", type=Path, help="data folder of --papers; default $AMRX_DATA")
    arguments = options.parse_args(argv)
    if arguments.papers is not None:
        from amrx.cli import main as amrx

        data = [] if arguments.data is None else ["--data", str(arguments.data)]
        return amrx(["eval", "papers", "--out", str(arguments.papers), *data])
    readme = arguments.root / "README.md"
    try:
        old = readme.read_text(encoding="utf-8")
        folder = arguments.root / "results"
        commands = read_commands(folder)
        new = rewrite(old, "first", first_block(folder, commands))
        new = rewrite(new, "results", results_block(folder, commands))
    except (ResultsError, OSError) as error:
        print(f"reproduce_tables: {error}", file=sys.stderr)
        return 2
    told = "README.md does not show results/*.json; run scripts/reproduce_tables.py"
    return put(readme, old, new, check=arguments.check, told=told)


if __name__ == "__main__":
    sys.exit(main())

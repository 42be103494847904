"""Run ``amrx smatch``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.cli_options import AllowInvalid
from amrx.errors import InputError, OptionError
from amrx.records import check_writable, count_missing_graphs, read_graphs, write_json
from amrx.records.files import STDIN
from amrx.records.writing import naming
from amrx.types import Parse

if TYPE_CHECKING:
    from parser.score.fine_grained import Report

ALL = "all"
_WIDE = 10_000
FEWEST = 10
"""Minimum number of graphs for which an interval is shown."""


def smatch(
    gold: Annotated[Path, typer.Argument(help="Gold graphs: PENMAN or .jsonl file; - is stdin.")],
    predicted: Annotated[Path, typer.Argument(help="Graphs to score, in the same order; - is stdin.")],
    json_: Annotated[Path | None, typer.Option("--json", help="File for the scores, as JSON rows.")] = None,
    restarts: Annotated[int, typer.Option(help="Random restarts per pair.", min=0)] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the restarts and of the bootstrap.", min=0)] = 0,
    processes: Annotated[
        int, typer.Option(help="Worker processes; the scores do not depend on it.", min=1)
    ] = 1,
    wiki: Annotated[bool, typer.Option("--wiki/--no-wiki", help="Score the :wiki of both files.")] = True,
    allow_invalid: AllowInvalid = False,
) -> None:
    """Score graphs against gold graphs with Smatch, per language if there are several.

    Scores are on the 0-100 scale. F1 is printed with its 95% bootstrap interval and the sub-scores
    of Damonte et al. 2017: unlabelled, no word sense, concepts, named entities, negation, wikification,
    reentrancies and SRL. --allow-invalid is for the predicted graphs; gold graphs must be valid.
    """
    from parser.graphs.triples import without_constants
    from parser.score.fine_grained import report

    if json_ is not None:
        check_writable(json_, gold, predicted)
    if str(gold) == str(predicted) == STDIN:
        raise OptionError("only one of the files can be standard input")
    truth, guess = list(read_graphs(gold)), list(read_graphs(predicted, allow_invalid=allow_invalid))
    check_pairs(truth, guess, gold, predicted)
    for file, parses in ((gold, truth), (predicted, guess)):
        if lacking := count_missing_graphs(parses):
            sys.stderr.write(
                f"{file}: {lacking} of {len(parses)} sentences have no valid graph; scored as amr-empty\n"
            )
    if differ := count_other_texts(truth, guess):
        sys.stderr.write(
            f"{differ} of {len(truth)} pairs have different sentences (# ::snt); graphs are paired in order\n"
        )
    reports = {}
    for lang, places in by_language(guess).items():
        left, right = ([side[position].graph for position in places] for side in (truth, guess))
        if not wiki:
            left, right = ([without_constants(one, ":wiki") for one in side] for side in (left, right))
        reports[lang] = report(left, right, seed=seed, restarts=restarts, processes=processes)
    _print(reports)
    if any(one.smatch.n < FEWEST for one in reports.values()):
        sys.stderr.write(f"95%: - means no interval, which needs {FEWEST} graphs\n")
    if json_ is not None:
        result_rows = rows(
            reports, "+".join(sorted({parse.parser for parse in guess if parse.parser})) or None
        )
        write_json(json_, result_rows)


def check_pairs(truth: Sequence[Parse], guess: Sequence[Parse], gold: Path, predicted: Path) -> None:
    """Raise InputError when the two files cannot be paired one by one."""
    if len(truth) != len(guess):
        raise InputError(f"holds {len(guess)} graphs, but {gold} holds {len(truth)}", file=predicted)
    ids = [[parse.id for parse in side] for side in (truth, guess)]
    if ids[0] != ids[1] and sorted(ids[0]) == sorted(ids[1]):
        raise OptionError(f"{predicted} has the ids of {gold} in another order; sort one of them")


def count_other_texts(truth: Sequence[Parse], guess: Sequence[Parse]) -> int:
    """Count pairs of the same language whose sentences differ in more than spaces."""
    pairs = [pair for pair in zip(truth, guess, strict=True) if pair[0].lang == pair[1].lang]
    texts = [tuple("".join(parse.text.split()) for parse in pair) for pair in pairs]
    return sum(bool(one and other) and one != other for one, other in texts)


def by_language(parses: Sequence[Parse]) -> dict[str, list[int]]:
    """Return positions by language; the first entry has all positions.

    Example:
        >>> import penman
        >>> graph = penman.decode("(a / amr-empty)")
        >>> by_language([Parse("1", "x", "de", graph), Parse("2", "x", "en", graph)])
        {'all': [0, 1], 'de': [0], 'en': [1]}
        >>> by_language([Parse("1", "x", "de", graph)])
        {'de': [0]}
    """
    languages = sorted({parse.lang for parse in parses})
    groups = {} if len(languages) == 1 else {ALL: list(range(len(parses)))}
    for lang in languages:
        groups[lang] = [position for position, parse in enumerate(parses) if parse.lang == lang]
    return groups


def rows(reports: Mapping[str, Report], parser: str | None) -> list[dict[str, object]]:
    """Return one row per number: parser, task, language, metric, value (0-100), n; F1 has an interval."""
    result_rows: list[dict[str, object]] = []
    for lang, report in reports.items():
        whole = report.smatch
        head = {"parser": parser, "task": "smatch", "language": lang}
        low, high = report.interval
        result_rows.append(head | {"metric": "f1", "value": whole.f1, "n": whole.n, "low": low, "high": high})
        others = {"precision": whole.precision, "recall": whole.recall}
        others |= {f"f1 {name}": part.f1 for name, part in report.parts.items() if part is not None}
        for name, value in others.items():
            result_rows.append(head | {"metric": name, "value": value, "n": whole.n})
    return result_rows


def _interval(report: Report) -> str:
    """Return the interval of F1; a dash for a few graphs, whose samples are nearly the same."""
    low, high = report.interval
    return "-" if report.smatch.n < FEWEST else f"{low:.1f}-{high:.1f}"


def _print(reports: Mapping[str, Report]) -> None:
    from rich.table import Table

    from amrx.console import Console

    table = Table("", *reports, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    columns = list(reports.values())
    table.add_row("graphs", *(str(one.smatch.n) for one in columns))
    table.add_row("Smatch F1", *(f"{one.smatch.f1:.1f}" for one in columns), style="bold")
    table.add_row("  95%", *map(_interval, columns))
    table.add_row("precision", *(f"{one.smatch.precision:.1f}" for one in columns))
    table.add_row("recall", *(f"{one.smatch.recall:.1f}" for one in columns))
    for name in columns[0].parts:
        parts = (one.parts[name] for one in columns)
        table.add_row(name, *("-" if part is None else f"{part.f1:.1f}" for part in parts))
    # full width: a wrapped line is better than a truncated number
    with naming("standard output"):
        Console(highlight=False, width=_WIDE).print(table)

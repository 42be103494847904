"""Run ``amrx smatch``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.cli_options import AllowInvalid
from amrx.errors import InputError, OptionError
from amrx.records import check_writable, count_missing_graphs, read_graphs, write_json, write_text
from amrx.records.files import STDIN
from amrx.records.writing import naming
from amrx.types import Parse

if TYPE_CHECKING:
    from rich.table import Table

    from amrx.evaluation.results.bootstrap import Interval
    from parser.score.fine_grained import Report, Tally

ALL = "all"
_WIDE = 10_000
FEWEST = 10
"""Minimum number of graphs for which an interval is shown."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A file of graphs and its counts."""

    file: Path
    parses: Sequence[Parse]
    counts: Tally
    reports: Mapping[str, Report]  # by language


def smatch(
    gold: Annotated[Path, typer.Argument(help="Gold graphs: PENMAN or .jsonl file; - is stdin.")],
    predicted: Annotated[Path, typer.Argument(help="Graphs to score, in the same order; - is stdin.")],
    other: Annotated[
        Path | None, typer.Argument(help="Graphs of a second parser, to compare with the first.")
    ] = None,
    json_: Annotated[Path | None, typer.Option("--json", help="File for the scores, as JSON rows.")] = None,
    per_sentence: Annotated[
        Path | None, typer.Option(help="File for the scores of each pair, a tab-separated table.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Page of the pairs that differ, side by side; the worst first.")
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="Prove the score of large graphs too, with up to 20 s of solving per pair."
        ),
    ] = False,
    restarts: Annotated[
        int, typer.Option(help="Random restarts for a pair whose score is not proved.", min=0)
    ] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the restarts and of the bootstrap.", min=0)] = 0,
    processes: Annotated[
        int, typer.Option(help="Worker processes; the scores do not depend on it.", min=1)
    ] = 1,
    wiki: Annotated[bool, typer.Option("--wiki/--no-wiki", help="Score the :wiki of all files.")] = True,
    allow_invalid: AllowInvalid = False,
) -> None:
    """Score graphs against gold graphs with Smatch, per language if there are several.

    Scores are on the 0-100 scale. F1 is printed with its 95% bootstrap interval and the sub-scores
    of Damonte et al. 2017: unlabelled, no word sense, concepts, named entities, negation, wikification,
    reentrancies and SRL. --allow-invalid is for the predicted graphs; gold graphs must be valid.

    The mapping of nodes is proved to be the best one for all but large graphs; "proved" counts the pairs.
    Others are scored by hill climbing, a lower bound, and "F1 at most" is the upper bound. --exact proves
    large graphs too if the solver ends in time; it is for Smatch itself, not for the sub-scores.

    With the graphs of a second parser, the difference of F1 (second minus first) is printed with its 95%
    interval and p-value from a paired bootstrap over the sentences.
    """
    files = (predicted,) if other is None else (predicted, other)
    _check_files(gold, files, [file for file in (json_, per_sentence, html) if file is not None])
    if other is not None and html is not None:
        raise OptionError("--html shows one parser; leave out the second file")
    truth = list(read_graphs(gold))
    guesses = [list(read_graphs(file, allow_invalid=allow_invalid)) for file in files]
    for file, parses in zip(files, guesses, strict=True):
        check_pairs(truth, parses, gold, file)
    _note_gaps({gold: truth} | dict(zip(files, guesses, strict=True)))
    if not wiki:
        truth, *guesses = map(without_wiki, (truth, *guesses))
    scored = []
    for file, parses in zip(files, guesses, strict=True):
        counts = count(truth, parses, exact=exact, seed=seed, restarts=restarts, processes=processes)
        scored.append(Scored(file, parses, counts, report_by_language(parses, counts, seed=seed)))
    differences = compare_parsers(*scored, seed=seed) if len(scored) > 1 else {}
    _show(scored, differences)
    if json_ is not None:
        write_json(json_, json_rows(scored, differences))
    if per_sentence is not None:
        from parser.score.smatch import table

        write_text(per_sentence, table({str(one.file): (one.parses, one.counts.whole) for one in scored}))
    if html is not None:
        write_text(html, page(truth, scored[0], title=f"{gold.name} and {predicted.name}"))


def _check_files(gold: Path, files: Sequence[Path], outputs: Sequence[Path]) -> None:
    for number, output in enumerate(outputs):
        check_writable(output, gold, *files)
        if output in outputs[:number]:
            raise OptionError(f"{output} is named for two outputs")
    if [str(file) for file in (gold, *files)].count(STDIN) > 1:
        raise OptionError("only one of the files can be standard input")
    if len(set(files)) < len(files):
        raise OptionError(f"{files[0]} is compared with itself; name the graphs of two parsers")


def _note_gaps(files: Mapping[Path, Sequence[Parse]]) -> None:
    """Note sentences without a graph, and graphs of other sentences than those of the first file."""
    truth = next(iter(files.values()))
    for file, parses in files.items():
        if lacking := count_missing_graphs(parses):
            sys.stderr.write(
                f"{file}: {lacking} of {len(parses)} sentences have no valid graph; scored as amr-empty\n"
            )
        if differ := count_other_texts(truth, parses):
            which = f"{differ} of {len(truth)} pairs have different sentences in one language (# ::snt)"
            sys.stderr.write(f"{which}; graphs are paired in order\n")


def count(
    truth: Sequence[Parse],
    guess: Sequence[Parse],
    *,
    exact: bool = False,
    seed: int = 0,
    restarts: int = 4,
    processes: int = 1,
) -> Tally:
    """Count the triples of all scores, pair by pair."""
    from parser.score.exact import QUICK, THOROUGH
    from parser.score.fine_grained import tally

    left, right = ([parse.graph for parse in side] for side in (truth, guess))
    effort = THOROUGH if exact else QUICK
    return tally(left, right, seed=seed, restarts=restarts, processes=processes, effort=effort)


def without_wiki(parses: Sequence[Parse]) -> list[Parse]:
    """Remove the constants of ``:wiki`` from graphs."""
    from parser.graphs.triples import without_constants

    return [replace(parse, graph=without_constants(parse.graph, ":wiki")) for parse in parses]


def report_by_language(parses: Sequence[Parse], counts: Tally, *, seed: int = 0) -> dict[str, Report]:
    """Sum counts for each language."""
    from parser.score.fine_grained import summarise

    languages = by_language(parses)
    return {lang: summarise(counts.of(places), seed=seed) for lang, places in languages.items()}


def compare_parsers(one: Scored, other: Scored, *, seed: int = 0) -> dict[str, Interval]:
    """Return F1 of the second parser minus F1 of the first, for each language of the first."""
    from parser.score.smatch import difference

    sides = one.counts.whole, other.counts.whole
    return {
        lang: difference(*(counts[places] for counts in sides), seed=seed)
        for lang, places in by_language(one.parses).items()
    }


def page(truth: Sequence[Parse], scored: Scored, *, title: str) -> str:
    """Return a page of the pairs that differ, the lowest F1 first."""
    from parser.draw.page import Scene, side_by_side

    rows = zip(truth, scored.parses, scored.counts.whole.tolist(), strict=True)
    scenes = []
    for gold, predicted, (shared, n_predicted, n_gold, bound) in rows:
        if shared < max(n_predicted, n_gold):
            f1 = 200 * shared / (n_predicted + n_gold)
            triples = f"{shared} of {n_gold} gold and {n_predicted} parsed triples"
            sign = "" if shared == bound else ", at least"
            scenes.append((f1, Scene(gold, predicted, f"Smatch {f1:.1f}{sign} ({triples})")))
    scenes.sort(key=lambda scene: scene[0])
    note = f"{len(scenes)} of {len(truth)} pairs differ; the lowest F1 first."
    return side_by_side([scene for _, scene in scenes], title=title, note=note)


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
    """Return one row per number: parser, task, language, metric, value (0-100), n.

    The row of F1 has its interval, the number of pairs whose score is proved, and the bound of F1.
    """
    result_rows: list[dict[str, object]] = []
    for lang, report in reports.items():
        whole = report.smatch
        head = {"parser": parser, "task": "smatch", "language": lang}
        low, high = report.interval
        proof = {"proved": report.proved, "bound": report.bound}
        result_rows.append(
            head | {"metric": "f1", "value": whole.f1, "n": whole.n, "low": low, "high": high} | proof
        )
        others = {"precision": whole.precision, "recall": whole.recall}
        others |= {f"f1 {name}": part.f1 for name, part in report.parts.items() if part is not None}
        for name, value in others.items():
            result_rows.append(head | {"metric": name, "value": value, "n": whole.n})
    return result_rows


def json_rows(scored: Sequence[Scored], differences: Mapping[str, Interval]) -> list[dict[str, object]]:
    """Return the `rows` of each file, with the file if there are two, and the differences."""
    result_rows: list[dict[str, object]] = []
    for one in scored:
        parser = "+".join(sorted({parse.parser for parse in one.parses if parse.parser})) or None
        file = {"file": str(one.file)} if len(scored) > 1 else {}
        result_rows += [row | file for row in rows(one.reports, parser)]
    for lang, found in differences.items():
        n = scored[0].reports[lang].smatch.n
        head: dict[str, object] = {"task": "smatch", "language": lang, "metric": "f1 difference"}
        values = {"value": found.difference, "n": n, "low": found.low, "high": found.high, "p": found.p}
        result_rows.append(head | values)
    return result_rows


def _interval(report: Report) -> str:
    """Return the interval of F1; a dash for a few graphs, whose samples are nearly the same."""
    low, high = report.interval
    return "-" if report.smatch.n < FEWEST else f"{low:.1f}-{high:.1f}"


def _show(scored: Sequence[Scored], differences: Mapping[str, Interval]) -> None:
    """Print a table per file, and that of the differences."""
    from amrx.console import Console
    from amrx.control_characters import visible

    # full width: a wrapped line is better than a truncated number
    console = Console(highlight=False, width=_WIDE)
    with naming("standard output"):
        for one in scored:
            if differences:
                console.print(visible(str(one.file)), markup=False)
            console.print(_table(one.reports))
            if differences:
                console.print()
        if differences:
            console.print("second minus first")
            console.print(_difference_table(differences, scored[0].reports))
    if any(one.smatch.n < FEWEST for one in scored[0].reports.values()):
        sys.stderr.write(f"95%: - means no interval, which needs {FEWEST} graphs\n")


def _columns(languages: Sequence[str]) -> Table:
    from rich.table import Table

    table = Table("", *languages, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _table(reports: Mapping[str, Report]) -> Table:
    table = _columns(list(reports))
    columns = list(reports.values())
    table.add_row("graphs", *(str(one.smatch.n) for one in columns))
    table.add_row("  proved", *(str(one.proved) for one in columns))
    table.add_row("Smatch F1", *(f"{one.smatch.f1:.1f}" for one in columns), style="bold")
    if any(one.proved < one.smatch.n for one in columns):
        table.add_row("  F1 at most", *(f"{one.bound:.1f}" for one in columns))
    table.add_row("  95%", *map(_interval, columns))
    table.add_row("precision", *(f"{one.smatch.precision:.1f}" for one in columns))
    table.add_row("recall", *(f"{one.smatch.recall:.1f}" for one in columns))
    for name in columns[0].parts:
        parts = (one.parts[name] for one in columns)
        table.add_row(name, *("-" if part is None else f"{part.f1:.1f}" for part in parts))
    return table


def _difference_table(differences: Mapping[str, Interval], reports: Mapping[str, Report]) -> Table:
    table = _columns(list(differences))
    enough = [reports[lang].smatch.n >= FEWEST for lang in differences]
    shown = list(zip(differences.values(), enough, strict=True))
    table.add_row("Smatch F1", *(f"{one.difference:+.1f}" for one, _ in shown), style="bold")
    table.add_row("  95%", *(f"{one.low:+.1f} to {one.high:+.1f}" if many else "-" for one, many in shown))
    table.add_row("  p", *(one.p_text if many else "-" for one, many in shown))
    return table

"""Format the tables of ``results/*.json``: all of them, and those of the README and docs/results.md."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ALL = "all"
"""Language of a number for all languages together."""


class ResultsError(Exception):
    """The results cannot be tabulated; the message is one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number.

    Attributes:
        encoder: Name of the measured encoder or parser.
        task: Name of the task.
        language: A code, or a pair such as ``en-de``.
        metric: Name of the metric.
        value: The value, 0-100.
        n: Number of items.
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
        ResultsError: It is not a list of rows with these fields.
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
    """Return the command of each file name from ``commands.tsv``; empty if there is no such file."""
    file = folder / "commands.tsv"
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            row["file"]: row["command"]
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


def means(values: dict[str, float]) -> dict[str, float]:
    """Return the means of a row: mono- and cross-lingual for pairs, one mean for single languages.

    Groups of languages differ in size, so their mean is the measured value of ``all``.

    Example:
        >>> means({"en-en": 80.0, "es-es": 90.0, "en-de": 70.0})
        {'monolingual': 85.0, 'cross-lingual': 70.0}
        >>> means({"en": 60.0, "de": 50.0}), means({"en": 60.0})
        ({'mean': 55.0}, {})
        >>> means({"all": 52.0, "en": 60.0, "ar zh": 40.0})
        {'all': 52.0}
    """
    if ALL in values and len(values) > 1:
        return {ALL: values[ALL]}
    kinds: dict[str, list[float]] = {}
    for language, value in values.items():
        one, dash, other = language.partition("-")
        kind = "mean" if not dash else "monolingual" if one == other else "cross-lingual"
        kinds.setdefault(kind, []).append(value)
    return {
        kind: sum(group) / len(group) for kind, group in kinds.items() if len(group) > 1 or kind != "mean"
    }


def table(rows: Sequence[Row], *, means_only: bool = False) -> str:
    """Return a Markdown table of the rows of one task and metric: encoders as lines, languages as columns."""
    encoders = list(dict.fromkeys(row.encoder for row in rows))
    languages = [language for language in dict.fromkeys(row.language for row in rows) if language != ALL] or [
        ALL
    ]
    scores = {name: {row.language: row.value for row in rows if row.encoder == name} for name in encoders}
    totals = {name: means(scores[name]) for name in encoders if set(scores[name]) >= set(languages)}
    kinds = list(dict.fromkeys(kind for groups in totals.values() for kind in groups))
    if means_only:
        languages = []
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


@dataclass(frozen=True, slots=True)
class Headline:
    """A table of docs/results.md.

    Attributes:
        title: Title above the table.
        file: Results file.
        metric: Name of the metric; rows of other metrics are left out.
        tasks: Tasks by column heading. A single task has a column per language; several tasks have a column
            each, with the mean over languages.
        encoders: Encoders to show; empty for all.
        means_only: Leave out the columns of languages, which ``results/tables.md`` has.
    """

    title: str
    file: str
    metric: str
    tasks: Mapping[str, str]
    encoders: tuple[str, ...] = ()
    means_only: bool = False


def _foils(kind: str) -> dict[str, str]:
    name = kind.replace("-", " ")
    return {
        f"{near} nearer than the {name}": f"Generated {kind}s: the {near} nearer than the foil"
        for near in ("paraphrase", "translation")
    }


FITTED = "accuracy, fitted on dev-en"
HEADLINES = (
    Headline(
        title="Similarity within and between languages: STS17, Spearman's correlation with judgements",
        file="sts17.json",
        metric="spearman",
        tasks={"": "sts17"},
        means_only=True,
    ),
    Headline(
        title="Who did what to whom: how often of 100 generated sentences, mean of en de es fr zh ar",
        file="foils.json",
        metric="share",
        tasks=_foils("role-swap") | _foils("negation"),
    ),
    Headline(
        title="The same on 200 hand-written sentences of twelve languages: tickets, reviews, mails",
        file="users.json",
        metric="share",
        tasks={
            f"translation nearer: {kind}": f"Hand-written {kind}: the translation nearer than the foil"
            for kind in ("swap", "negation", "antonym", "amount")
        }
        | {"paraphrase nearer: all kinds": "Hand-written foils: the paraphrase nearer than the foil"},
    ),
    Headline(
        title="XNLI and PAWS-X by a classifier on frozen vectors, mean of their languages",
        file="transfer.json",
        metric=FITTED,
        tasks={"XNLI": "xnli", "PAWS-X": "pawsx"},
    ),
    Headline(
        title="The parser: Smatch on STS-B dev, gold by a strong parser",
        file="parser-mini.json",
        metric="smatch",
        tasks={"": "stsb-dev"},
    ),
    Headline(
        title="The AMR encoder on graphs of a strong parser: BAMBOO dev, correlation with judgements",
        file="bamboo.json",
        metric="pearson",
        tasks={"": "BAMBOO dev, main"},
    ),
)


def _pivot(headline: Headline, rows: Sequence[Row]) -> str:
    """Return a table of the means over languages: a line per encoder, a column per task."""
    encoders = list(dict.fromkeys(row.encoder for row in rows))
    lines = [[headline.metric, *headline.tasks], ["---", *["--:"] * len(headline.tasks)]]
    for name in encoders:
        by_task = {
            task: means({row.language: row.value for row in rows if (row.encoder, row.task) == (name, task)})
            for task in headline.tasks.values()
        }
        lines.append(
            [
                name,
                *(
                    _number(by_task[task].get(ALL, by_task[task].get("mean")))
                    for task in headline.tasks.values()
                ),
            ]
        )
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def headlines_block(
    folder: Path, commands: Mapping[str, str], headlines: Sequence[Headline] = HEADLINES
) -> str:
    """Return the main tables, each with its command; tables without a results file are left out.

    Raises:
        ResultsError: A file is malformed, or has no row for its table.
    """
    parts = []
    for headline in headlines:
        file = folder / headline.file
        if not file.is_file():
            continue
        rows = [
            row
            for row in read_rows(file)
            if row.metric == headline.metric
            and row.task in headline.tasks.values()
            and (not headline.encoders or row.encoder in headline.encoders)
        ]
        if not rows:
            raise ResultsError(f"{file.name}: no rows for the table '{headline.title}'")
        single = len(headline.tasks) == 1
        shown = table(rows, means_only=headline.means_only) if single else _pivot(headline, rows)
        parts.append(f"**{headline.title}**\n\n{shown}\n\n<sub>`{commands[headline.file]}`</sub>")
    return "\n\n".join(parts)


def results_page(folder: Path, commands: dict[str, str]) -> str:
    """Return all tables of all files, each file with its command.

    Raises:
        ResultsError: A file is malformed or has no command.
    """
    parts = []
    for file in sorted(folder.glob("*.json")):
        if file.name not in commands:
            raise ResultsError(f"{file.name}: no command in {folder.name}/commands.tsv")
        parts.append(f"## {file.name}\n\n```\n{commands[file.name]}\n```")
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in read_rows(file):
            groups.setdefault((row.task, row.metric), []).append(row)
        for (task, _), rows in groups.items():
            counts = sorted({row.n for row in rows})
            size = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
            parts.append(f"**{task}** (n = {size} a column)\n\n{table(rows)}")
    return "\n\n".join(parts)


SETTINGS = "settings.json"
COLUMNS = {
    "STS17 within": "STS17 within languages",
    "STS17 between": "STS17 between languages",
    "hand-written foils": "hand-written foils",
    "Tatoeba": "Tatoeba, 20 pairs per language",
    "sentences per second": "speed, one thread",
}
"""Tasks of the table of settings, by column heading."""
ENCODERS = {
    "base alone": "muse", "fast": "muse+student-text", "text": "muse+student-e5",
    "graph": "muse+amr-encoder-mini", "best": "muse+amr-encoder-mini+student-e5+e5-small",
}  # fmt: skip
"""Encoders of ``sts17.json``, by setting."""


def settings_block(folder: Path, commands: Mapping[str, str]) -> str:
    """Return the table of settings with its command; empty if it was not measured.

    Its STS17 columns are those of ``sts17.json``, whose values have all digits.

    Raises:
        ResultsError: A file is malformed, or a setting lacks a column.
    """
    file, sts17 = folder / SETTINGS, folder / "sts17.json"
    if not (file.is_file() and sts17.is_file()):
        return ""
    scores = _settings(file)
    for name, (within, between) in _sts17(sts17).items():
        scores[name] |= {COLUMNS["STS17 within"]: within, COLUMNS["STS17 between"]: between}
    base = next(iter(scores.values()))["speed, one thread"]
    lines = [["setting", *COLUMNS, "time"], ["---"] + ["--:"] * (len(COLUMNS) + 1)]
    for name, values in scores.items():
        slower = base / values["speed, one thread"]
        lines.append([f"`{name}`", *(f"{values[task]:.1f}" for task in COLUMNS.values()), f"{slower:.1f} x"])
    shown = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{shown}\n\n<sub>`{commands[SETTINGS]}`</sub>"


def headline(folder: Path) -> str:
    """Return the sentence of main numbers; empty if they were not measured.

    Raises:
        ResultsError: A file is malformed, or a number is missing.
    """
    settings, foils, sts17 = folder / SETTINGS, folder / "foils.json", folder / "sts17.json"
    if not (settings.is_file() and foils.is_file() and sts17.is_file()):
        return ""
    scores, speed = _settings(settings), "speed, one thread"
    base = scores["base alone"]
    task = "Generated role-swaps: the paraphrase nearer than the foil"
    swaps: dict[str, dict[str, float]] = {}
    for row in read_rows(foils):
        if row.task == task:
            swaps.setdefault(row.encoder, {})[row.language] = row.value
    alone, both = (means(swaps[name])["mean"] for name in ("muse", "muse+amr-encoder-mini"))
    shown = {one: f"{within:.1f} / {between:.1f}" for one, (within, between) in _sts17(sts17).items()}
    slower = {one: base[speed] / values[speed] for one, values in scores.items()}
    return (
        "STS17 (correlation with people's judgements of similarity) within / between languages: multilingual "
        f"USE alone {shown['base alone']}. With the graphs (`graph`) **{shown['graph']}** at "
        f"{slower['graph']:.0f} times the cost. With a *student*, a small network that reads the sentence "
        f"itself and needs no graph (`fast`), **{shown['fast']}** at {slower['fast']:.1f} times; with a "
        f"student made of multilingual E5 small (`text`) **{shown['text']}** at {slower['text']:.0f} times. "
        f"With graphs, this student and E5 small (`best`) **{shown['best']}** at {slower['best']:.0f} times. "
        f"In {alone:.0f} % of generated sentences USE alone places the paraphrase nearer than the sentence "
        f"with exchanged roles; with graphs in **{both:.0f} %**."
    )


def _sts17(file: Path) -> dict[str, tuple[float, float]]:
    """Return the mean correlation of each setting on STS17, within and between languages.

    Raises:
        ResultsError: The file is malformed, or lacks an encoder.
    """
    tracks: dict[str, dict[str, float]] = {}
    for row in read_rows(file):
        if (row.task, row.metric) == ("sts17", "spearman"):
            tracks.setdefault(row.encoder, {})[row.language] = row.value
    scores = {}
    for setting, encoder in ENCODERS.items():
        if encoder not in tracks:
            raise ResultsError(f"{file.name}: no rows of {encoder!r}")
        groups = means(tracks[encoder])
        scores[setting] = groups["monolingual"], groups["cross-lingual"]
    return scores


def _settings(file: Path) -> dict[str, dict[str, float]]:
    """Return the values of each setting by task."""
    scores: dict[str, dict[str, float]] = {}
    for row in read_rows(file):
        scores.setdefault(row.encoder, {})[row.task] = row.value
    for name, values in scores.items():
        missing = set(COLUMNS.values()) - values.keys()
        if missing:
            raise ResultsError(f"{file.name}: setting {name!r} has no {min(missing)!r}")
    return scores

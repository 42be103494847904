#!/usr/bin/env python
"""Write results/history.md, the scores of each version of the shipped weights, from git's history.

    scripts/model_history.py            write the table
    scripts/model_history.py --check    exit 1 if results/history.md differs

``results/history.tsv`` (columns commit, weights, change) names for each version a commit with its scores, in
``results/`` and beside the encoder; ``.`` is the working tree. A score is left out if its file did not exist
yet or was measured on other rows.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reproduce_tables import put
from results_tables import means

ROOT = Path(__file__).resolve().parents[1]
FIVE = ("de", "es", "fr", "it", "zh")
FOILED = ("en", "de", "es", "fr", "zh", "ar")
AMR, STUDENTS = "muse+amr-encoder-mini", ("muse+student-e5", "muse+student-text")
FITTED = ("mini", "readings:mini", "voted:mini")
"""Names of all parsers that have been the default of the AMR side."""
FITTED_ON = "STS-B dev, en de es fr it zh, each alone and English with each"
HEAD = """\
# Every version of the shipped weights

Written by `scripts/model_history.py` from `history.tsv` and git (`git show COMMIT:results/FILE`). What was
tried and did not ship has no figures; the cards describe it.

- en, five, LPP (`parser-mini.json`): Smatch of ``mini``'s graph on STS-B dev, English and the mean of de es
  fr it zh, and on LPP dev, English / Chinese
- ar, tr (`parser-mini.json`): Smatch of their graphs against those of the English side, held-out half of XNLI
  dev
- STS-B (`fitted_weights.json` of the encoder): Spearman on STS-B dev of muse + AMR, at the fitted weight
- STS17, student (`sts17.json`): Spearman of muse + AMR and of muse + student (student-e5 where
  there is one), within / between languages
- foils (`foils.json`): of 100 generated sentences the share whose paraphrase lies nearer than the role swap /
  than the negation, by muse + AMR, mean of en de es fr zh ar
- XNLI, PAWS-X (`xnli-amr.json`, `pawsx-amr.json`): what the AMR side adds to the accuracy in the seen
  languages; none where they were not measured again

"""
Json = Any
Read = Callable[[str], Json]
Rows = Sequence[Mapping[str, Any]]


class HistoryError(Exception):
    """The history cannot be read; the message is one line."""


def from_commit(root: Path, commit: str) -> Read:
    """Return a function that reads a JSON file of a commit; ``None`` if the commit lacks the file.

    Raises:
        HistoryError: The repository has no such commit.
    """

    def git(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603

    if git("cat-file", "-e", f"{commit}^{{commit}}").returncode:
        raise HistoryError(f"history.tsv: no commit {commit} here; it needs the whole history of git")

    def read(name: str) -> Json:
        shown = git("show", f"{commit}:{name}")
        return None if shown.returncode else json.loads(shown.stdout)

    return read


def from_folder(root: Path) -> Read:
    """Return a function that reads a JSON file of the working tree; ``None`` if there is no such file."""

    def read(name: str) -> Json:
        file = root / name
        return json.loads(file.read_text("utf-8")) if file.is_file() else None

    return read


def mean(
    rows: Rows | None, encoder: str, task: str, languages: Sequence[str], n: int, metric: str
) -> float | None:
    """Return the mean over languages; ``None`` unless all of them were measured, on ``n`` items each."""
    by_language = {
        row["language"]: row["value"]
        for row in rows or ()
        if (row["encoder"], row["task"], row["metric"], row["n"]) == (encoder, task, metric, n)
    }
    if not all(language in by_language for language in languages):
        return None
    return sum(by_language[language] for language in languages) / len(languages)


def gain(rows: Rows | None, task: str) -> float | None:
    """Return the mean gain in accuracy by the AMR side; ``None`` if either side was not measured."""
    test = [row for row in rows or () if row["task"] == task and not row["metric"].startswith("dev")]
    values = {
        encoder: [row["value"] for row in test if row["encoder"] == encoder] for encoder in ("muse", AMR)
    }
    if not test or len(values["muse"]) != len(values[AMR]):
        return None
    return (sum(values[AMR]) - sum(values["muse"])) / len(values[AMR])


def fitted(weights: Json) -> float | None:
    """Return the highest score of a fit on STS-B dev with one of the parsers `FITTED`."""
    stored = (weights or {}).get("muse", {})
    fits = [stored] if "score" in stored else [stored[name] for name in FITTED if name in stored]
    return max((fit["score"] for fit in fits if fit["data"] == FITTED_ON), default=None)


def scores(read: Read, before: Read) -> list[str]:
    """Return the table cells of a version; ``before`` reads the files of the previous version."""
    smatch, sts17 = read("results/parser-mini.json"), read("results/sts17.json")
    foils = read("results/foils.json")

    def parser(task: str, n: int, *languages: str) -> str:
        return _cell(mean(smatch, "parser-mini", task, languages, n, "smatch"))

    def sts(encoder: str) -> str:
        tracks = {
            row["language"]: row["value"]
            for row in sts17 or ()
            if (row["encoder"], row["metric"]) == (encoder, "spearman")
        }
        groups = means(tracks)
        return " / ".join(_cell(groups[kind]) for kind in ("monolingual", "cross-lingual")) if groups else "–"

    def below(kind: str) -> str:
        task = f"Generated {kind}s: the paraphrase nearer than the foil"
        return _cell(mean(foils, AMR, task, FOILED, 100, "share"), ".1f")

    def again(task: str) -> str:
        name = f"results/{task}-amr.json"
        rows = read(name)
        return _cell(None if rows == before(name) else gain(rows, task), "+.2f")

    return [
        parser("stsb-dev", 1500, "en"),
        parser("stsb-dev", 1500, *FIVE),
        f"{parser('lpp-dev', 145, 'en')} / {parser('lpp-dev', 145, 'zh')}",
        parser("xnli-agreement", 1660, "ar"),
        parser("xnli-agreement", 1660, "tr"),
        _cell(fitted(read("amrx/models/encoder-mini/fitted_weights.json"))),
        sts(AMR),
        next((cell for cell in map(sts, STUDENTS) if cell != "–"), "–"),
        f"{below('role-swap')} / {below('negation')}",
        again("xnli"),
        again("pawsx"),
    ]


def _cell(value: float | None, form: str = ".2f") -> str:
    return "–" if value is None else format(value, form)


def history(root: Path) -> str:
    """Return the text of ``results/history.md``.

    Raises:
        HistoryError: ``history.tsv`` does not exist, or git lacks a commit that it names.
    """
    file = root / "results" / "history.tsv"
    if not file.is_file():
        raise HistoryError(f"{file}: no such file")
    with file.open(encoding="utf-8", newline="") as lines:
        versions = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = "commit weights change en five LPP ar tr STS-B STS17 student foils XNLI PAWS-X".split()
    table = [names, ["---"] * 3 + ["--:"] * (len(names) - 3)]
    before: Read = {}.get
    for version in versions:
        commit = version["commit"]
        read = from_folder(root) if commit == "." else from_commit(root, commit)
        cells = scores(read, before)
        table.append(["here" if commit == "." else commit, version["weights"], version["change"], *cells])
        before = read
    return HEAD + "\n".join(f"| {' | '.join(cells)} |" for cells in table) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if done or equal, 1 if the table differs, 2 if history cannot be read."""
    options = argparse.ArgumentParser(description="write results/history.md from git's history")
    options.add_argument("--check", action="store_true", help="change nothing; exit 1 if the table differs")
    options.add_argument("--root", type=Path, default=ROOT, help="folder of results/ and .git")
    arguments = options.parse_args(argv)
    file = arguments.root / "results" / "history.md"
    try:
        new = history(arguments.root)
        old = file.read_text("utf-8") if file.is_file() else ""
    except (HistoryError, OSError) as error:
        print(f"model_history: {error}", file=sys.stderr)
        return 2
    return put(file, old, new, check=arguments.check, by="scripts/model_history.py")


if __name__ == "__main__":
    sys.exit(main())

"""Natural language inference as it is published, to triplets of premise, entailment, contradiction.

::

    SimCSE       .csv           sent0, sent1, hard_neg                     a triplet a row
    SNLI, MNLI   .jsonl .tsv    sentence1, sentence2, gold_label           a pair a row, also GLUE's columns
    XNLI         .jsonl .tsv    the same and language, pairID              its languages are translations
    XNLI train   .tsv           premise, hypo, label (contradictory)
    others       .jsonl .tsv    premise, hypothesis, label; or these three columns without a header

A label is a word or 0, 1, 2 (entailment, neutral, contradiction); ``-`` is none. Every premise gives one
triplet, of its first entailment and its first contradiction; one that lacks either is skipped and counted.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from amrx.errors import InputError, OptionError
from amrx.records.files import kind_of, read_lines, require_file
from amrx.records.graphs import read_object
from amrx.records.rows import numbered_rows
from amrx.records.tables import Tabs

ENTAILMENT, NEUTRAL, CONTRADICTION, NONE = "entailment", "neutral", "contradiction", ""
TRIPLET = ("sent0", "sent1", "hard_neg")
_LABELS = {
    "entailment": ENTAILMENT, "neutral": NEUTRAL, "contradiction": CONTRADICTION,
    "contradictory": CONTRADICTION, "0": ENTAILMENT, "1": NEUTRAL, "2": CONTRADICTION,
    "-": NONE, "-1": NONE, "": NONE,
}  # fmt: skip
_PAIRS = (
    ("sentence1", "sentence2", "gold_label"),
    ("sentence1", "sentence2", "label"),
    ("premise", "hypothesis", "label"),
    ("premise", "hypothesis", "gold_label"),
    ("premise", "hypo", "label"),
)
_BY_PLACE = ("1", "2", "3")


class NliRow(NamedTuple):
    """One row of a file.

    Attributes:
        texts: Premise and hypothesis, or premise, entailment and contradiction.
        label: One of the four of this module; ``entailment`` for a whole triplet.
        lang: Language of the row, where the file names one, else ``en``.
        pair: What rows of several languages share, or empty.
    """

    texts: tuple[str, ...]
    label: str
    lang: str
    pair: str


@dataclass(slots=True)
class Triplets:
    """What files of NLI give.

    Attributes:
        rows: Premise, entailment, contradiction.
        skipped: Premises without an entailment or without a contradiction.
        unlabelled: Pairs on whose label the annotators did not agree.
        reserved: Triplets with a sentence that may only be measured on.
    """

    rows: list[tuple[str, str, str]] = field(default_factory=list)
    skipped: int = 0
    unlabelled: int = 0
    reserved: int = 0


def columns_of(path: Path) -> tuple[str, ...]:
    """Return the names of the columns: three of `TRIPLET`, or of premise, hypothesis and label.

    Raises:
        InputError: The file is missing, or its columns are none of those in the module's docstring.
        OptionError: It is no ``.csv``, ``.tsv`` or ``.jsonl``.
    """
    kind = kind_of(path)
    if kind not in ("csv", "tsv", "jsonl"):
        raise OptionError(f"{path}: NLI is read from .csv, .tsv or .jsonl (SNLI and MNLI ship a .jsonl)")
    require_file(path)
    first = next((line for line in read_lines(path) if line.strip()), "")
    if kind == "jsonl":
        names = list(read_object(first, path, 1))
    else:
        names = next(csv.reader([first], Tabs if kind == "tsv" else csv.excel), [])
    for usual in (TRIPLET, *_PAIRS):
        if set(usual) <= set(names):
            return usual
    if kind != "jsonl" and len(names) >= 3 and names[2].strip() in _LABELS:
        return _BY_PLACE
    told = "no columns of NLI, such as premise, hypothesis, label or sent0, sent1, hard_neg; they are: "
    raise InputError(told + ", ".join(names)[:200], file=path, line=1)


def text_columns(path: Path) -> tuple[str, ...]:
    """Return the names of the columns of text, as `columns_of`."""
    columns = columns_of(path)
    return columns if columns == TRIPLET else columns[:2]


def read_nli(path: Path) -> Iterator[NliRow]:
    """Stream the rows of a file, all of them and in order, as ``amrx translate`` counts them.

    Raises:
        InputError: A row is wrong; names file, line and column.
        OptionError: The file is of another kind.
    """
    columns, texts = columns_of(path), text_columns(path)
    for line, row, _ in numbered_rows(path, texts):
        label = ENTAILMENT
        if columns != TRIPLET:
            said = row.get(columns[2])
            if said is None or str(said).strip() not in _LABELS:
                told = "is missing" if said is None else f"{said!r} is no label of NLI"
                raise InputError(told, file=path, line=line, field=columns[2])
            label = _LABELS[str(said).strip()]
        found = tuple(row[name].strip() for name in texts)
        yield NliRow(found, label, str(row.get("language", "en")), str(row.get("pairID", "")))


def read_triplets(path: Path, into: Triplets) -> None:
    """Add the English triplets of a file; those of a premise that other files have too stay apart.

    Raises:
        InputError: A row is wrong.
        OptionError: The file is of another kind.
    """
    sides: dict[str, dict[str, str]] = {}
    for row in read_nli(path):
        if row.lang != "en":
            continue
        if len(row.texts) == 3:
            whole = all(row.texts)
            into.skipped += not whole
            if whole:
                into.rows.append((row.texts[0], row.texts[1], row.texts[2]))
        elif row.label == NONE:
            into.unlabelled += 1
        elif all(row.texts):
            sides.setdefault(row.texts[0], {}).setdefault(row.label, row.texts[1])
    for premise, side in sides.items():
        if ENTAILMENT in side and CONTRADICTION in side:
            into.rows.append((premise, side[ENTAILMENT], side[CONTRADICTION]))
        else:
            into.skipped += 1

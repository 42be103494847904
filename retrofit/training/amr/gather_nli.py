"""Build a corpus for ``amrx train-encoder`` from NLI triplets and translations, as in the paper (4.1).

::

    nli.csv ──amrx translate──> DIR/de/00000.jsonl ...      row n of DIR/de is row n of nli.csv
       └───────────────┬───────────────┘
                 gather_nli ──> groups: one English sentence and its translations; triplets of groups

Published files of natural language inference are converted to triplets (premise, entailment, contradiction).

::

    SimCSE       .csv           sent0, sent1, hard_neg                     one triplet per row
    SNLI, MNLI   .jsonl .tsv    sentence1, sentence2, gold_label           a pair per row, also GLUE's columns
    XNLI         .jsonl .tsv    the same and language, pairID              its languages are translations
    XNLI train   .tsv           premise, hypo, label (contradictory)
    others       .jsonl .tsv    premise, hypothesis, label; or these three columns without a header

A label is a word or 0, 1, 2 (entailment, neutral, contradiction); ``-`` is none. Every premise gives one
triplet, with its first entailment and its first contradiction; premises without one of them are skipped and
counted.
"""

import csv
import hashlib
import json
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.records.files import kind_of, read_lines, reading, require_file
from amrx.records.json_lines import read_object
from amrx.records.rows import Tabs, numbered_rows
from amrx.translate.files import LISTING
from retrofit.training.amr.gather import Gathered

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
HEADERS = (TRIPLET, *_PAIRS)
"""Columns by which a published file is known."""
_BY_PLACE = ("1", "2", "3")


class NliRow(NamedTuple):
    """One row of a file."""

    texts: tuple[str, ...]  # premise and hypothesis, or premise, entailment and contradiction
    label: str  # one of the four of this module; ``entailment`` for a whole triplet
    lang: str  # language of the row if the file has it, else ``en``
    pair: str  # id shared by the rows of several languages, or empty
    line: int = 0  # number of its last line in the file


@dataclass(slots=True)
class Triplets:
    """Contents of NLI files."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)  # premise, entailment, contradiction
    skipped: int = 0  # number of premises without an entailment or without a contradiction
    unlabelled: int = 0  # number of pairs without an agreed label
    reserved: int = 0  # number of triplets with a reserved test sentence


def columns_of(path: Path) -> tuple[str, ...]:
    """Return the names of the columns: those of `TRIPLET`, or of premise, hypothesis and label."""
    kind = kind_of(path)
    if kind not in ("csv", "tsv", "jsonl"):
        raise OptionError(f"{path}: NLI is read from .csv, .tsv or .jsonl (SNLI and MNLI ship a .jsonl)")
    require_file(path)
    first = next((line for line in read_lines(path) if line.strip()), "")
    if kind == "jsonl":
        names = list(read_object(first, path, 1))
    else:
        names = next(csv.reader([first], Tabs if kind == "tsv" else csv.excel), [])
    for usual in HEADERS:
        if set(usual) <= set(names):
            return usual
    if kind != "jsonl" and len(names) >= 3 and names[2].strip() in _LABELS:
        return _BY_PLACE
    message = "no columns of NLI, such as premise, hypothesis, label or sent0, sent1, hard_neg; they are: "
    raise InputError(message + ", ".join(names)[:200], file=path, line=1)


def text_columns(path: Path) -> tuple[str, ...]:
    """Return the names of the text columns, found as in `columns_of`."""
    columns = columns_of(path)
    return columns if columns == TRIPLET else columns[:2]


def read_nli(path: Path) -> Iterator[NliRow]:
    """Stream all rows of a file in order, as counted by ``amrx translate``."""
    columns, texts = columns_of(path), text_columns(path)
    for line, row, _ in numbered_rows(path, texts):
        label = ENTAILMENT
        if columns != TRIPLET:
            value = row.get(columns[2])
            if value is None or str(value).strip() not in _LABELS:
                message = "is missing" if value is None else f"unknown NLI label {value!r}"
                raise InputError(message, file=path, line=line, field=columns[2])
            label = _LABELS[str(value).strip()]
        sentences = tuple(row[name].strip() for name in texts)
        yield NliRow(sentences, label, str(row.get("language", "en")), str(row.get("pairID", "")), line)


def read_triplets(path: Path, into: Triplets) -> None:
    """Add the English triplets of a file; premises of different files are separate."""
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


DROPPED = frozenset(("empty", "cut"))
"""Flags of ``amrx translate``; rows with one of them are not used."""


def gather_nli(
    files: Sequence[Path], translations: Sequence[Path], reserved: Container[str] = frozenset()
) -> tuple[Gathered, Triplets]:
    """Collect triplets and translations, and count the skipped rows; parse nothing yet."""
    sources = {_hash(file): file for file in files}
    folders = [(folder, _source(folder, sources)) for folder in translations]
    read = Triplets()
    for file in files:
        read_triplets(file, read)
    free = [row for row in read.rows if not any(text in reserved for text in row)]
    read.rows, read.reserved = free, len(read.rows) - len(free)
    gathered = Gathered()
    for row in read.rows:
        premise, entailment, contradiction = map(gathered.group, row)
        gathered.triplets.append(
            {"premise": premise, "entailment": entailment, "contradiction": contradiction}
        )
    seen: set[tuple[int, str]] = set()
    for file in files:
        _add(gathered, seen, _own_translations(file))
    for folder, file in folders:
        for subfolder in sorted(entry for entry in folder.iterdir() if entry.is_dir()):
            _add(gathered, seen, _translations(file, subfolder))
    return gathered, read


def _add(gathered: Gathered, seen: set[tuple[int, str]], texts: Iterator[tuple[str, str, str]]) -> None:
    """Add translations of sentences in triplets; only the first one per language is used."""
    for english, lang, text in texts:
        group = gathered.groups.get(english)
        if group is not None and text.strip() and (group, lang) not in seen:
            seen.add((group, lang))
            gathered.sentences.append((group, lang, text))


def _own_translations(file: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the translations in a file with several languages, such as XNLI's."""
    english = {row.pair: row.texts for row in read_nli(file) if row.lang == "en" and row.pair}
    for row in read_nli(file):
        if row.lang != "en" and row.pair in english:
            for original, text in zip(english[row.pair], row.texts, strict=True):
                yield original, row.lang, text


def _translations(file: Path, subfolder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the translations of the rows of a file, from the shards of one language."""
    lang = langid.check(subfolder.name)
    columns = text_columns(file)
    for row, record in zip_longest(read_nli(file), _shards(subfolder)):
        if row is None or record is None:
            raise InputError(f"has other rows than {file}; is the translation finished?", file=subfolder)
        shard, line, values = record
        for original, name in zip(row.texts, columns, strict=True):
            if not isinstance(values.get(name), str):
                raise InputError("is missing, or not text", file=shard, line=line, field=name)
            if not DROPPED & set(values.get("flags", ())):
                yield original, lang, values[name]


def _shards(subfolder: Path) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    for shard in sorted(subfolder.glob("*.jsonl")):
        for line, text in enumerate(read_lines(shard), start=1):
            yield shard, line, read_object(text, shard, line)


def _source(folder: Path, sources: dict[str, Path]) -> Path:
    """Return the source file of a folder of translations."""
    listing = folder / LISTING
    if not listing.is_file():
        raise InputError("no such file; is this a folder of amrx translate?", file=listing)
    with reading(listing, "is not a plan of a translation"):
        content = json.loads(listing.read_text("utf-8"))["input"]
    if content not in sources:
        names = ", ".join(str(file) for file in sources.values())
        raise OptionError(f"--translations {folder}: is not a translation of {names}")
    return sources[content]


def _hash(file: Path) -> str:
    columns_of(file)  # its errors come first
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

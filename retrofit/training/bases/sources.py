"""Read and check the input files of a trainer, named ``LANGUAGES:FILES``.

::

    --parallel en-de:pairs.tsv.gz                 two columns per line
    --parallel en-de:corpus.en.gz,corpus.de.gz    or two files, line by line
    --text de:news.txt                            one sentence per line
    --triplets en:nli.tsv                         sentence, paraphrase, contradiction
    --nli en-de:xnli.en.tsv,xnli.de.tsv           premise, hypothesis, label; one file per language

Triplets and NLI may be published files: SimCSE's CSV, SNLI and MultiNLI with their header or as .jsonl, and
XNLI-MT (`retrofit.training.amr.gather_nli`). Rows without an agreed label or with an empty text are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from amrx.device import progress
from amrx.errors import InputError, OptionError
from amrx.langid import check as check_language
from amrx.records.files import kind_of, read_lines
from amrx.records.rereading import read_once
from retrofit.training.amr.gather_nli import HEADERS, TRIPLET, columns_of, read_nli


def count_rows(source: Source) -> int:
    """Check every row and return the number of rows; for NLI the number of entailments."""
    for file in filter(read_once, source.files):
        raise InputError("must be a file, because training reads it several times", file=file)
    number, labels = 0, Counter[str]()
    for rows in progress(rows_of(source), description=f"check {source.name}"):
        number += 1
        if source.kind == "nli":
            labels[rows[0][-1]] += 1
    if source.kind != "nli":
        return number
    for label in ("entailment", "contradiction"):
        if not labels[label]:
            raise InputError(f"has no row of {label}", file=source.files[0])
    return labels["entailment"]


def rows_of(source: Source) -> Iterator[list[list[str]]]:
    """Yield the cells of each row, file by file; rows of published files without a label are left out.

    Raises:
        InputError: A file is shorter than another, or a row is wrong; names file and line.
    """
    files = source.files
    rows = [_file_rows(source, file, code) for file, code in zip(files, source.languages, strict=False)]
    before = 0
    for row in zip_longest(*rows):
        for one, file in zip(row, files, strict=True):
            if one is None:
                longer = files[next(i for i, other in enumerate(row) if other is not None)]
                raise InputError(f"ends here, but {longer} has more lines", file=file, line=before)
        before = row[0][0]
        if any(not all(cells) for _, cells in row):
            continue  # of a published file
        if source.kind == "nli":
            for (line, own), file in zip(row, files, strict=True):
                _check_label(own[-1], row[0][1][-1], file, line, files[0])
        yield [cells for _, cells in row]


def _file_rows(source: Source, file: Path, language: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the line and the cells of each row of one file."""
    if not is_published(source, file):
        for line, text in enumerate(read_lines(file), start=1):
            yield line, cells(text, source.width, file, line)
        return
    triplets = source.kind == "triplets"
    if triplets != (columns_of(file) == TRIPLET):
        raise InputError(f"has other columns than --{source.kind} reads", file=file, line=1)
    for row in read_nli(file):
        if row.lang not in (ENGLISH, language):
            message = f"row is in {row.lang!r}, not {language!r}; give one file per language"
            raise InputError(message, file=file, line=row.line)
        texts = [" ".join(text.split()) for text in row.texts]
        yield row.line, texts if triplets else [*texts, row.label]


def is_published(source: Source, file: Path) -> bool:
    """Return whether a file of triplets or NLI has the form of its publication, not three plain columns."""
    if source.kind not in ("triplets", "nli"):
        return False
    if kind_of(file) in ("csv", "jsonl"):
        return True
    first = next(iter(read_lines(file)), "").rstrip("\r\n").split("\t")
    return any(set(header) <= set(first) for header in HEADERS)


def _check_label(label: str, other: str, file: Path, line: int, first: Path) -> None:
    """Raise for an unknown label, and for one that differs from that of the first language."""
    if label not in LABELS:
        raise InputError(f"label must be one of {', '.join(LABELS)}, got {label!r}", file=file, line=line)
    if label != other:
        raise InputError(f"is {label!r}, but {other!r} in {first}", file=file, line=line)


def count_all(sources: Sequence[Source], *, batch: int, what: str) -> tuple[int, ...]:
    """Return the number of rows of every source."""
    if not sources:
        raise OptionError(f"no input; give {what}")
    counts = tuple(count_rows(source) for source in sources)
    if sum(counts) < batch:
        names = ", ".join(source.name for source in sources)
        raise OptionError(f"{names}: {sum(counts)} rows in all are less than one batch of {batch}")
    return counts


ENGLISH = "en"
Kind = Literal["parallel", "text", "triplets", "nli"]

COLUMNS = 3
"""Number of columns of a file of triplets or of NLI."""

LABELS = ("entailment", "neutral", "contradiction")
"""Of NLI."""


@dataclass(frozen=True, slots=True)
class Source:
    """Parallel files; a row consists of one line of each file."""

    kind: Kind  # kind of rows
    languages: tuple[str, ...]  # ISO 639-1 codes
    files: tuple[Path, ...]  # one or several files with the same number of lines
    width: int = 1  # columns of each file, separated by tabs; with 1 the whole line is one cell

    @property
    def name(self) -> str:
        """The source as written by the user."""
        return f"{'-'.join(self.languages)}:{','.join(map(str, self.files))}"


def read_source(kind: Kind, text: str) -> Source:
    """Parse a source ``LANGUAGES:FILES``.

    Example:
        >>> source = read_source("parallel", "en-de:a.tsv.gz")
        >>> source.languages, source.width
        (('en', 'de'), 2)
    """
    codes, colon, places = text.partition(":")
    if not colon or not places:
        raise OptionError(f"--{kind} must be LANGUAGES:FILES, got {text!r}; for example {_EXAMPLES[kind]}")
    try:
        languages = tuple(check_language(code) for code in codes.split("-"))
    except OptionError as error:
        raise OptionError(f"--{kind} {text!r}: {error}") from None
    files = tuple(Path(path) for path in places.split(","))
    wanted = {"parallel": 2, "text": 1}.get(kind)
    if wanted not in (None, len(languages)) or len(set(languages)) < len(languages):
        raise OptionError(f"--{kind} {text!r}: wrong number of languages; write {_EXAMPLES[kind]}")
    if kind == "parallel" and len(files) == 1:
        return Source(kind, languages, files, width=2)
    if len(files) != len(languages):
        raise OptionError(f"--{kind} {text!r}: {len(files)} files for {len(languages)} languages")
    return Source(kind, languages, files, width=1 if kind in ("parallel", "text") else COLUMNS)


_EXAMPLES: dict[Kind, str] = {
    "parallel": "en-de:pairs.tsv or en-de:corpus.en,corpus.de",
    "text": "de:news.txt",
    "triplets": "en:triplets.tsv",
    "nli": "en:nli.tsv or en-de:nli.en.tsv,nli.de.tsv",
}


def cells(text: str, width: int, file: Path, line: int) -> list[str]:
    """Return the cells of one line."""
    columns = text.rstrip("\r\n").split("\t") if width > 1 else [text]
    if len(columns) != width:
        raise InputError(f"has {len(columns)} columns, not {width}", file=file, line=line)
    stripped = [cell.strip() for cell in columns]
    if "" in stripped:
        which = f"column {stripped.index('') + 1} is empty" if width > 1 else "is empty"
        raise InputError(which, file=file, line=line)
    return stripped

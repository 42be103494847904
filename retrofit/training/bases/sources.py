"""Read and check the input files of a trainer, named ``LANGUAGES:FILES``.

::

    --parallel en-de:pairs.tsv.gz                 two columns per line
    --parallel en-de:corpus.en.gz,corpus.de.gz    or two files, line by line
    --text de:news.txt                            one sentence per line
    --triplets en:nli.tsv                         sentence, paraphrase, contradiction
    --nli en-de:xnli.en.tsv,xnli.de.tsv           premise, hypothesis, label; one file per language
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from amrx.device import progress
from amrx.errors import InputError, OptionError
from amrx.langid import check as check_language
from amrx.records.files import read_lines
from amrx.records.rereading import read_once


def count_rows(source: Source) -> int:
    """Check every row and return the number of rows; for NLI the number of entailments."""
    for file in filter(read_once, source.files):
        raise InputError("must be a file, because training reads it several times", file=file)
    lines = [read_lines(file) for file in source.files]
    number, labels = 0, Counter[str]()
    for row in progress(zip_longest(*lines), description=f"check {source.name}"):
        file_labels = []
        for text, file in zip(row, source.files, strict=True):
            if text is None:
                longer = source.files[next(i for i, other in enumerate(row) if other is not None)]
                raise InputError(f"ends here, but {longer} has more lines", file=file, line=number)
            file_labels.append(cells(text, source.width, file, number + 1)[-1])
        number += 1
        if source.kind == "nli":
            _check_labels(file_labels, source.files, number)
            labels[file_labels[0]] += 1
    if source.kind != "nli":
        return number
    for label in ("entailment", "contradiction"):
        if not labels[label]:
            raise InputError(f"has no row of {label}", file=source.files[0])
    return labels["entailment"]


def _check_labels(file_labels: Sequence[str], files: Sequence[Path], line: int) -> None:
    """Raise for an unknown label, and for labels that differ between two languages."""
    for label, file in zip(file_labels, files, strict=True):
        if label not in LABELS:
            raise InputError(f"label must be one of {', '.join(LABELS)}, got {label!r}", file=file, line=line)
        if label != file_labels[0]:
            raise InputError(f"is {label!r}, but {file_labels[0]!r} in {files[0]}", file=file, line=line)


def count_all(sources: Sequence[Source], *, batch: int, what: str) -> tuple[int, ...]:
    """Return the number of rows of every source."""
    if not sources:
        raise OptionError(f"no input; give {what}")
    counts = tuple(count_rows(source) for source in sources)
    if sum(counts) < batch:
        names = ", ".join(source.name for source in sources)
        raise OptionError(f"{names}: {sum(counts)} rows in all are less than one batch of {batch}")
    return counts


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

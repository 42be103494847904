r"""Read sentences from text, tables, JSON lines and PENMAN files, one at a time.

::

    .txt or any other suffix   one sentence per line; an empty line is an empty sentence
    .tsv .csv                  a header and rows, the column chosen by name; or rows without a header, the
                               column chosen by 1-based position: a number always means a position
    .jsonl .json               one object per line
    .parquet                   one record per row
    .amr .penman               the ``# ::snt`` lines of graphs
    -                          standard input, one sentence per line
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.records.blocks import INVALID, check_lang
from amrx.records.files import STDIN, kind_of, read_lines, require_file
from amrx.records.graphs import KINDS as GRAPH_KINDS
from amrx.records.graphs import read_graphs
from amrx.records.json_lines import numbered_objects
from amrx.records.rows import check_unique, read_table
from amrx.types import Sentence

TEXT_COLUMNS = ("text", "sentence")
"""Columns tried, in order, if none is named."""
LANG_COLUMNS = ("lang",)
"""Columns of the language tried, in order, if none is named; the file need not have them."""
ID_COLUMNS = ("id",)
"""Columns of the identifier tried likewise."""

_GRAPH_HEADERS = ("# ::id ", "# ::snt ", "# ::tok ")
"""Starts of lines that no sentence has."""
_NUMBER = re.compile("[1-9][0-9]{0,17}")
"""An identifier that may be the position of a row."""
_BATCH = 1024
"""Rows of a Parquet file that are held at a time."""


@dataclass(frozen=True, slots=True)
class _Columns:
    """Column names given by the user; ``None`` takes the usual name if the file has it."""

    text: str | None
    lang: str | None
    id: str | None
    fallback_lang: str | None
    usual_langs: Sequence[str] = LANG_COLUMNS
    usual_ids: Sequence[str] = ID_COLUMNS

    def lang_in(self, header: Sequence[str]) -> str:
        """Return the name of the language column; the last usual one if the file has none."""
        return self.lang or next((name for name in self.usual_langs if name in header), self.usual_langs[-1])

    def id_in(self, header: Sequence[str]) -> str:
        """Return the name of the identifier's column; the last usual one if the file has none."""
        return self.id or next((name for name in self.usual_ids if name in header), self.usual_ids[-1])


def read_sentences(
    path: str | Path,
    *,
    column: str | None = None,
    lang_column: str | None = None,
    lang: str | None = None,
    id_column: str | None = None,
    usual_langs: Sequence[str] = LANG_COLUMNS,
    usual_ids: Sequence[str] = ID_COLUMNS,
) -> Iterator[Sentence]:
    """Stream the sentences of a file; the file is checked at once, its lines as they are read.

    Args:
        path: A file of one of the formats above, those of text also with ``.gz`` or ``.zst``, or ``-``.
        column: Column or key of the text; default ``text``, else ``sentence``. A number is a 1-based position
            in a table without a header; all columns are then chosen by position.
        lang_column: Column or key of the language; default: the first of ``usual_langs`` that the file has.
        lang: ISO 639-1 code of sentences for which the file gives none.
        id_column: Column or key of the identifier; default ``id`` if the file has it, else the sentence's
            1-based position. A JSON object without ``id`` has its position too.
        usual_langs: Columns of the language, tried in order if none is named.
        usual_ids: Columns of the identifier, likewise.

    Raises:
        InputError: The file is missing, empty or not UTF-8, a column is missing, a row is longer than the
            first, a language code is unknown, or an identifier is empty or may be another row's position.
        OptionError: ``lang`` is unknown, or columns are named for a file without columns.
    """
    if lang is not None:
        langid.check(lang)
    require_file(path)
    columns = _Columns(column, lang_column, id_column, lang, usual_langs, usual_ids)
    kind = kind_of(path)
    if kind in ("tsv", "csv"):
        return _from_rows(path, columns)
    if kind in ("jsonl", "json"):
        return _from_objects(path, columns)
    if kind == "parquet":
        return _from_parquet(path, columns)
    if column is not None or lang_column is not None or id_column is not None:
        raise OptionError(f"{path} has no columns to choose; only .tsv, .csv, .jsonl and .parquet files do")
    if kind in GRAPH_KINDS:
        return _from_graphs(path, lang)
    return _from_lines(path, lang)


def _from_lines(path: str | Path, lang: str | None) -> Iterator[Sentence]:
    """Yield the lines of a text; the header of a graph is an error: releases of AMR are .txt files."""
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith(_GRAPH_HEADERS):
            name = "standard input" if str(path) == STDIN else path
            problem = f"{line.strip()[:40]!r} is the header of a graph, not a sentence; name the file .amr"
            raise InputError(problem, file=name, line=number)
        yield Sentence(str(number), line.rstrip("\r\n"), lang)


def _from_graphs(path: str | Path, lang: str | None) -> Iterator[Sentence]:
    """Yield the sentences of the headers of graphs; the language of a header is ``# ::lang``."""
    for parse in read_graphs(path, allow_invalid=True):  # only their sentences are used
        if "snt" not in parse.graph.metadata:
            if parse.status == "failed" and parse.repairs:
                raise InputError(parse.repairs[0].removeprefix(f"{INVALID}: "))
            raise InputError(f"graph {parse.id!r} has no sentence (# ::snt)", file=path)
        yield Sentence(parse.id, parse.text, parse.graph.metadata.get("lang") or lang)


def _from_rows(path: str | Path, columns: _Columns) -> Iterator[Sentence]:
    header, rows = read_table(path, by_position=(columns.text or "").isdecimal())
    _find_text(header, columns, path, line=1)
    position = 0
    for position, (line, record) in enumerate(rows, start=1):
        yield _sentence(record, header, columns, path, line=line, position=position)
    if position == 0:
        raise InputError("has a header but no rows", file=path)


def _from_objects(path: str | Path, columns: _Columns) -> Iterator[Sentence]:
    """Yield the sentences of JSON lines."""
    numbers = _Numbers(columns.id_in(()), path)
    for position, (line, record) in enumerate(numbered_objects(path), start=1):
        sentence = _sentence(record, list(record), columns, path, line=line, position=position)
        numbers.add(sentence.id, position, line, given=columns.id_in(list(record)) in record)
        yield sentence


class _Numbers:
    """Detect a given identifier that may equal the position used as the identifier of another row.

    Only the ranges of both are kept, because sets would grow with the file. An identifier that equals the
    position of its own row is always valid.
    """

    def __init__(self, field: str, path: str | Path) -> None:
        self.field, self.path = field, path
        self.given: tuple[int, int] | None = None  # least and greatest given identifier that is a number
        self.positions: tuple[int, int] | None = None  # first and last position used as an identifier

    def add(self, identifier: str, position: int, line: int, *, given: bool) -> None:
        """Add the identifier of a row."""
        if given and (identifier == str(position) or not _NUMBER.fullmatch(identifier)):
            return
        number, others = int(identifier), self.positions if given else self.given
        if others is not None and others[0] <= number <= others[1]:
            low, high = others
            if given:
                problem = f"{number} may be the number of a row without an identifier (rows {low} to {high})"
            else:
                problem = f"is missing, and {number} may be another row's identifier (given: {low} to {high})"
            raise InputError(problem, file=self.path, line=line, field=self.field)
        if given:
            low, high = self.given or (number, number)
            self.given = min(low, number), max(high, number)
        else:
            self.positions = (self.positions or (number,))[0], number


def _from_parquet(path: str | Path, columns: _Columns) -> Iterator[Sentence]:
    """Yield the sentences of a Parquet file; only the needed columns are read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            header = file.schema_arrow.names
            text = _find_text(header, columns, path, line=1)
            wanted = dict.fromkeys((text, columns.lang_in(header), columns.id_in(header)))
            batches = file.iter_batches(_BATCH, columns=[name for name in wanted if name in header])
            position = 0
            for record in (record for batch in batches for record in batch.to_pylist()):
                position += 1
                yield _sentence(record, header, columns, path, line=position, position=position)
            if position == 0:
                raise InputError("has no rows", file=path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"is not a complete Parquet file: {error}", file=path) from error


def _find_text(header: Sequence[str], columns: _Columns, path: str | Path, *, line: int) -> str:
    """Return the name of the text column, or raise InputError that lists the columns of the file."""
    wanted = TEXT_COLUMNS if columns.text is None else (columns.text,)
    for name in wanted:
        if name in header:
            check_unique(name, header, path, line=line)
            return name
    problem = f"no column {columns.text!r}" if columns.text else "no column 'text'; choose one by --column"
    raise InputError(f"{problem}; {_listed(header)}", file=path, line=line)


def _listed(header: Sequence[str]) -> str:
    """Return the columns of a file for an error, with a hint if another mark separates them."""
    columns = f"the columns are: {', '.join(header)}"
    other = next((mark for mark in (";", "\t", "|", ",") if len(header) == 1 and mark in header[0]), None)
    if other is None:
        return columns
    return f"{columns}; {other!r} does not separate columns: commas do in .csv, tabs in .tsv"


def _sentence(
    record: Mapping[str, object],
    header: Sequence[str],
    columns: _Columns,
    path: str | Path,
    *,
    line: int,
    position: int,
) -> Sentence:
    """Build the sentence of one row or object."""

    def cell(name: str | None, usual: str) -> str | None:
        """Return a cell: a named column must exist, the usual one need not."""
        if name is not None and name not in header:
            problem = f"no column {name!r}; {_listed(header)}"
            raise InputError(problem, file=path, line=line)
        value = record.get(name or usual)
        if value is None:
            return None
        if isinstance(value, bool | bytes | list | dict) or isinstance(value, float) and math.isnan(value):
            problem = f"must be a string or a number, got {value!r}"
            raise InputError(problem, file=path, line=line, field=name or usual)
        check_unique(name or usual, header, path, line=line)
        return str(value)

    name = _find_text(header, columns, path, line=line)
    text = record.get(name)
    if not isinstance(text, str):
        hint = "; drop the row or write an empty text" if text is None else ""
        problem = f"must be a string, got {text!r}{hint}" if name in record else "the row is too short"
        raise InputError(problem, file=path, line=line, field=name)
    lang_name = columns.lang_in(header)
    lang = cell(columns.lang, lang_name) or columns.fallback_lang
    if lang is not None:
        check_lang(lang, path, line, lang_name)
    named = columns.id_in(header)
    identifier = cell(columns.id, named)
    if named in header and not (identifier or "").strip():
        got = f"must be a non-blank string or a number, got {record.get(named)!r}"
        problem = got if named in record else "the row is too short"
        raise InputError(problem, file=path, line=line, field=named)
    return Sentence(str(position) if identifier is None else identifier, text, lang)

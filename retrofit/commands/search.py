"""Run ``amrx search`` and ``amrx pairs``: find sentences of similar meaning."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx import cli_options as options
from amrx.control_characters import visible
from amrx.device import use_device
from amrx.errors import OptionError, OutputError
from amrx.threads import limit_threads
from retrofit.commands.input_sentences import Columns, OwnParser, note_graphs

if TYPE_CHECKING:
    from amrx.records.writing import Writes
    from amrx.types import Parser, Sentence
    from retrofit.combine import RetrofittedEncoder
    from retrofit.evaluated_encoders import Caches
    from retrofit.search import Match, Search


class Contradictions(StrEnum):
    """Uses of contradictions between the graphs of a pair."""

    mark = "mark"
    drop = "drop"


class Format(StrEnum):
    """Formats of matches."""

    jsonl = "jsonl"
    tsv = "tsv"


Output = Annotated[
    str, typer.Option("--output", "-o", help="File to write: .jsonl, .tsv, or - for standard output.")
]
Formats = Annotated[
    Format | None, typer.Option("--format", help="Default by the suffix of the output, else jsonl.")
]
Threshold = Annotated[
    float | None, typer.Option(help="Lowest combined cosine, or margin; docs/cosines.md has values.")
]
Why = Annotated[
    bool,
    typer.Option(
        "--why", help="Add how the graphs differ; for what they share: amrx explain --pairs HITS.tsv."
    ),
]
Against = Annotated[
    Contradictions | None,
    typer.Option(
        help="mark adds a column of contradictions between the graphs of a match, drop leaves it out."
        " A contradiction is a negation, antonym, amount, name or exchanged roles, while the rest agrees."
    ),
]
EncoderName = Annotated[str | None, typer.Option(help="Channels, with commas; default mini.")]
Top = Annotated[int, typer.Option("--top", "-k", help="Number of nearest sentences per query.", min=1)]
Rerank = Annotated[
    int | None, typer.Option(help="Candidates per query, chosen by the base; only these are parsed.", min=1)
]

_TABLES = ("tsv", "csv", "jsonl", "json", "parquet")


def search(
    queries: Annotated[
        str, typer.Argument(help="Text, .tsv, .csv, .jsonl, .amr, or - for standard input, as text.")
    ],
    corpus: Annotated[str, typer.Argument(help="Corpus to search; a file of one of these formats.")],
    output: Output = "-",
    format_: Formats = None,
    top: Top = 5,
    threshold: Threshold = None,
    rerank: Rerank = None,
    why: Why = False,
    contradictions: Against = None,
    base: options.Base = "muse",
    weight: options.Weight = None,
    parser: OwnParser = None,
    encoder: EncoderName = None,
    preset: options.Preset = None,
    split: options.Split = True,
    lang: options.Lang = None,
    column: options.Column = None,
    lang_column: options.LangColumn = None,
    id_column: options.IdColumn = None,
    cache: options.ParsesCached = None,
    vector_cache: options.VectorsCached = None,
    no_cache: options.NoCache = False,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Find the sentences of a corpus with the meaning of a query, in any language.

    The output has one line per match, the nearest first: ids and texts (a is the query), the cosines of
    base, channels (AMR side, student) and both, and the languages. Every sentence of the corpus is
    parsed unless --rerank N chooses candidates by the base first. Parses and vectors are cached, so that the
    next search of the same corpus computes only those of the queries. Empty texts are left out. amrx explain
    --pairs reads the output.
    """
    limit_threads(threads)
    use_device(device)
    from retrofit.evaluated_encoders import open_caches
    from retrofit.load import channels_beside, load, load_reader
    from retrofit.search import Search
    from retrofit.search import search as find

    against = contradictions is not None
    how = Search(top, threshold, rerank, why=why, contradictions=against)
    asked = partial(find, top=top, threshold=threshold, rerank=rerank, why=why, contradictions=against)
    channels = channels_beside(base, encoder, preset)
    loaded = partial(load, base, parser, channels, weight, split=split)
    caches = partial(open_caches, cache, vector_cache, off=no_cache)
    columns = Columns(column, lang_column, id_column, lang)
    note_graphs([queries, corpus], parser, channels, used=how.reads_graphs)
    reader = partial(load_reader, parser, split=split)
    target = _Target(output, format_, contradictions)
    _write([queries, corpus], columns, loaded, reader, caches, how, asked, target)


def pairs(
    file: Annotated[
        str, typer.Argument(help="Text, .tsv, .csv, .jsonl, .amr, or - for standard input, as text.")
    ],
    file2: Annotated[str | None, typer.Argument(help="The second file, such as the translations.")] = None,
    output: Output = "-",
    format_: Formats = None,
    top: Annotated[int, typer.Option("--top", "-k", help="Number of neighbours per sentence.", min=1)] = 5,
    threshold: Threshold = None,
    rerank: Annotated[
        int | None, typer.Option(help="Number of pairs, the best by the base; only these are parsed.", min=1)
    ] = None,
    margin: Annotated[
        bool,
        typer.Option("--margin", help="Score pairs of two files by the ratio margin over --top neighbours."),
    ] = False,
    groups: Annotated[
        bool,
        typer.Option(
            "--groups", help="Write one line per group of sentences that pairs connect; needs --threshold."
        ),
    ] = False,
    why: Why = False,
    contradictions: Against = None,
    base: options.Base = "muse",
    weight: options.Weight = None,
    parser: OwnParser = None,
    encoder: EncoderName = None,
    preset: options.Preset = None,
    split: options.Split = True,
    lang: options.Lang = None,
    column: options.Column = None,
    lang_column: options.LangColumn = None,
    id_column: options.IdColumn = None,
    cache: options.ParsesCached = None,
    vector_cache: options.VectorsCached = None,
    no_cache: options.NoCache = False,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Find duplicates and paraphrases in one file, or translations between two; the best first.

    In one file every sentence is paired with each of its nearest neighbours. Between two files each sentence
    is in at most one pair. The output has one line per pair: ids, texts, the cosines of base, channels and
    both, and the languages. Empty texts are left out. amrx explain --pairs reads it. With --groups
    a line has the ids, texts and languages of a group, the largest first, and its lowest combined cosine.
    """
    limit_threads(threads)
    use_device(device)
    from retrofit.evaluated_encoders import open_caches
    from retrofit.load import channels_beside, load, load_reader
    from retrofit.search import Search
    from retrofit.search import pairs as find

    if margin and file2 is None:
        raise OptionError("--margin is for the translations of two files; give FILE2")
    if groups:
        _check_groups(file2, threshold, why, contradictions)
    against = contradictions is not None
    how = Search(top, threshold, rerank, margin, why, against)
    asked = partial(
        find, top=top, threshold=threshold, rerank=rerank, margin=margin, why=why, contradictions=against
    )
    channels = channels_beside(base, encoder, preset)
    loaded = partial(load, base, parser, channels, weight, split=split)
    caches = partial(open_caches, cache, vector_cache, off=no_cache)
    files = [file] if file2 is None else [file, file2]
    columns = Columns(column, lang_column, id_column, lang)
    note_graphs(files, parser, channels, used=how.reads_graphs)
    reader = partial(load_reader, parser, split=split)
    target = _Target(output, format_, contradictions, groups)
    _write(files, columns, loaded, reader, caches, how, asked, target)


@dataclass(frozen=True, slots=True)
class _Target:
    """The output of a command."""

    output: str  # a path, or ``-``
    format_: Format | None  # by the suffix of the output when ``None``
    contradictions: Contradictions | None  # whether pairs that contradict each other are marked or dropped
    groups: bool = False  # whether lines are groups, not pairs


def _write(
    files: Sequence[str],
    columns: Columns,
    load: Callable[..., RetrofittedEncoder],
    load_reader: Callable[..., Parser],
    open_caches: Callable[..., Caches],
    how: Search,
    find: Callable[..., Iterator[Match]],
    target: _Target,
) -> None:
    """Check the whole input, then load the models and write the matches."""
    from amrx.records import check_writable
    from amrx.records.writing import open_text
    from amrx.threads import set_threads

    kind = _format(target.output, target.format_)
    check_writable(target.output, *files)
    sides = _sides(files, columns)
    if kind is Format.tsv:
        _check_ids(sides, target.output)
    if target.groups:
        _check_distinct(sides[0], files[0])
    with ExitStack() as stack:
        caches = open_caches(stack)
        set_threads()
        loaded = load(cache=caches.parses)
        how.check(loaded)
        reader = load_reader(cache=caches.parses) if how.reads_graphs and loaded.parser is None else None
        matches = find(*sides, encoder=loaded, parser=reader, cache=caches.vectors, progress=True)
        with open_text(target.output) as stream:
            if target.groups:
                count, dropped = _write_groups(matches, stream, kind)
            else:
                count, dropped = _write_matches(matches, stream, kind, how, target.contradictions)
    name = "standard output" if target.output == "-" else target.output
    left_out = f"; {dropped} left out: their graphs contradict each other" if dropped else ""
    sys.stderr.write(visible(f"{name}: {count} lines{left_out}") + "\n")
    sys.stderr.write("".join(cut.summary() for cut in loaded.cuts if cut))


def _format(output: str, format_: Format | None) -> Format:
    suffix = Path(output).suffix.lower().removeprefix(".")
    named = Format(suffix) if suffix in list(Format) else None
    if format_ is not None and named not in (None, format_):
        raise OptionError(f"--format {format_} and the suffix of {output} disagree")
    if output != "-" and named is None and format_ is None:
        raise OptionError(f"{output}: name a .jsonl or .tsv file, or give --format")
    return format_ or named or Format.jsonl


def _sides(files: Sequence[str], columns: Columns) -> list[list[Sentence]]:
    """Read the files, without empty texts.

    The options on columns apply to the files with columns, if any.
    """
    from amrx.records.files import STDIN, kind_of

    if list(files).count(STDIN) > 1:
        raise OptionError("standard input can be one of the files, not both")
    tables = [kind_of(file) in _TABLES for file in files]
    bare = Columns(lang=columns.lang)
    return [
        filled((columns if table or not any(tables) else bare).read(file), file)
        for file, table in zip(files, tables, strict=True)
    ]


def filled(sentences: Iterable[Sentence], file: str) -> list[Sentence]:
    """Return the sentences that are not blank: blank ones would be the nearest to each other."""
    from amrx.errors import InputError

    every = list(sentences)
    filled = [sentence for sentence in every if sentence.text.strip()]
    name = "standard input" if file == "-" else file
    if not filled:
        raise InputError("every text is empty", file=name)
    if len(filled) < len(every):
        note = f"{name}: {len(every) - len(filled)} of {len(every)} texts are empty; left out"
        sys.stderr.write(visible(note) + "\n")
    return filled


def _check_ids(sides: Sequence[Sequence[Sentence]], output: str) -> None:
    """Check that a table keeps the identifiers as they are."""
    from amrx.records.one_line import spaced

    for sentence in (sentence for side in sides for sentence in side):
        if "\t" in sentence.id or spaced(sentence.id) != sentence.id:
            raise OutputError(f"{output}: id {sentence.id!r} has a tab or line break; write .jsonl")


def _check_groups(
    file2: str | None, threshold: float | None, why: bool, contradictions: Contradictions | None
) -> None:
    """Raise OptionError for options that contradict ``--groups``."""
    if file2 is not None:
        raise OptionError("--groups is for the duplicates of one file")
    if threshold is None:
        raise OptionError("--groups needs --threshold; docs/cosines.md has values")
    if why or contradictions is Contradictions.mark:
        raise OptionError("--groups has no lines of pairs: leave out --why and --contradictions mark")


def _check_distinct(sentences: Sequence[Sentence], file: str) -> None:
    """Raise InputError if two sentences have one identifier, by which groups tell them apart."""
    from amrx.errors import InputError

    seen: set[str] = set()
    for sentence in sentences:
        if sentence.id in seen:
            raise InputError(f"--groups needs distinct ids, and {sentence.id!r} is there twice", file=file)
        seen.add(sentence.id)


def _write_groups(matches: Iterator[Match], stream: Writes, kind: Format) -> tuple[int, int]:
    """Write one line per group, after a header in a .tsv file; return the numbers of lines and of dropped."""
    from amrx.records.one_line import escaped
    from retrofit.search import DIGITS, join_pairs

    every = list(matches)
    kept = [match for match in every if not match.contradictions]
    names = ("size", "lowest", "ids", "texts", "langs")
    if kind is Format.tsv:
        stream.write("\t".join(names) + "\n")
    groups = join_pairs(kept)
    for group in groups:
        members = zip(*((one.id, one.text, str(one.lang)) for one in group.members), strict=True)
        values = (len(group.members), round(group.lowest, DIGITS), *members)
        record = dict(zip(names, values, strict=True))
        stream.write((escaped(record) if kind is Format.jsonl else _row(record)) + "\n")
    return len(groups), len(every) - len(kept)


def _write_matches(
    matches: Iterator[Match], stream: Writes, kind: Format, how: Search, against: Contradictions | None
) -> tuple[int, int]:
    """Write one line per match, after a header in a .tsv file; return the numbers of lines and of dropped."""
    from amrx.records.one_line import escaped

    marked = against is Contradictions.mark
    names = ["id_a", "text_a", "id_b", "text_b", "base", "channels", "combined"]
    names += ["margin"] * how.margin + ["differ"] * how.why + ["contradictions"] * marked
    names += ["lang_a", "lang_b"]  # last: other columns keep their positions
    if kind is Format.tsv:
        stream.write("\t".join(names) + "\n")
    count = dropped = 0
    for match in matches:
        if against is Contradictions.drop and match.contradictions:
            dropped += 1
            continue
        record = dict(zip(names, _values(match, how, marked), strict=True))
        stream.write((escaped(record) if kind is Format.jsonl else _row(record)) + "\n")
        count += 1
    return count, dropped


def _values(match: Match, how: Search, marked: bool) -> Iterator[object]:
    from retrofit.search import DIGITS

    yield from (match.a.id, match.a.text, match.b.id, match.b.text)
    scores = (match.base, match.channels, match.combined, match.margin)
    yield from (None if score is None else round(score, DIGITS) for score in scores[: 3 + how.margin])
    if how.why:
        yield match.differ
    if marked:
        yield match.contradictions
    yield from (match.a.lang, match.b.lang)


def _row(record: dict[str, object]) -> str:
    """Return a line of a table, in which each tab or line break of a text is a space."""
    from amrx.records.one_line import spaced

    cells = ("; ".join(cell) if isinstance(cell, tuple) else cell for cell in record.values())
    return "\t".join("" if cell is None else spaced(str(cell)).replace("\t", " ") for cell in cells)

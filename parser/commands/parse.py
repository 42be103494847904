"""Run ``amrx parse``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from amrx import cli_options as options
from amrx.control_characters import visible
from amrx.device import progress as bar
from amrx.device import use_device
from amrx.langid import detection_note
from amrx.records import check_writable, read_sentences, write_graphs
from amrx.records.files import STDIN
from amrx.records.graphs import GraphFormat, graph_format
from amrx.records.locks import lock_beside, locked_output
from amrx.records.rereading import Steady, read_once
from amrx.threads import limit_threads
from amrx.types import Parse, Sentence
from parser.load import PARSER, PARSERS, with_split
from parser.protocols import CUT, UNKNOWN_LANGUAGE
from parser.run.cache import CachedParser, ParseCache
from parser.run.pool import WorkersParser, open_parser
from parser.run.stream import BLOCK, parse_stream

LONG = 10_000
"""Minimum number of characters of a text that is named because it takes long."""
_MISSING, _DETECTED = "missing", "detected"


def parse(
    sentences: Annotated[
        str,
        typer.Argument(
            help="Text, .tsv, .csv, .jsonl, .amr, also with .gz, or - for standard input, as text."
        ),
    ],
    output: Annotated[
        str,
        typer.Option("--output", "-o", help="Graphs to write: .amr, .txt, .jsonl, or - for standard output."),
    ] = "-",
    lang: options.Lang = None,
    lang_column: options.LangColumn = None,
    column: options.Column = None,
    id_column: options.IdColumn = None,
    format_: Annotated[
        GraphFormat | None,
        typer.Option("--format", help="Default by the suffix of the output; any other suffix needs it."),
    ] = None,
    parser: Annotated[
        str, typer.Option(help=f"Parser: {', '.join(kind.form for kind in PARSERS.values())}.")
    ] = PARSER,
    split: Annotated[
        bool,
        typer.Option(
            "--split/--no-split", help="Parse each sentence of a text; its graph is multi-sentence."
        ),
    ] = True,
    beam: options.Beam = None,
    batch_size: options.BatchSize = 64,
    workers: options.Workers = None,
    engine: options.Engine = options.EngineName.local,
    cache: Annotated[
        Path | None, typer.Option(help="Cache of parses; default $AMRX_CACHE, or in the user's cache folder.")
    ] = None,
    no_cache: options.NoCache = False,
    progress: options.ShowBar = None,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Parse text of any language to AMR graphs, one per line, in order.

    Earlier parses come from the cache, so the same command resumes a killed run. The graph of an empty
    sentence is (a / amr-empty). A file must not change until it is parsed; a pipe is read once.
    """
    limit_threads(threads)
    use_device(device)
    kind = graph_format(output, format_)
    check_writable(output, sentences, working=[lock_beside(output)])

    def read() -> Iterator[Sentence]:
        return read_sentences(
            sentences, column=column, lang_column=lang_column, lang=lang, id_column=id_column
        )

    steady = Steady(sentences)
    # check the whole file before loading the parser, so that an error in the last line is reported at once
    total = None if read_once(sentences) else _count(read(), sentences)
    with ExitStack() as stack:
        stack.enter_context(locked_output(output))
        kept = ParseCache.chosen(cache, off=no_cache, stack=stack)
        counts = Counter[str]()
        name = with_split(parser) if split else parser
        opened = open_parser(name, workers, stack, beam, engine)
        cached = None if kept is None else CachedParser(opened, kept)
        asked = _without_language(steady.read(read(), total), counts)
        block = BLOCK * (opened.engine.workers if isinstance(opened, WorkersParser) else 1)
        parses = parse_stream(cached or opened, asked, batch_size=batch_size, block=block)
        shown = bar(_counted(parses, counts), total, "parsing", show=progress)
        write_graphs(shown, output, json_lines=kind is GraphFormat.jsonl)
    sys.stderr.write(summary(output, counts, cached.hits if cached else 0))


def _without_language(records: Iterable[Sentence], counts: Counter[str]) -> Iterator[Sentence]:
    for record in records:
        counts[_DETECTED] += record.lang is None
        yield record


def _count(records: Iterable[Sentence], file: str) -> int:
    """Return the number of texts; name the longest one if it takes as long as a hundred sentences."""
    total, longest = 0, Sentence("", "")
    for total, record in enumerate(records, start=1):  # noqa: B007  # the count is the result
        longest = max(longest, record, key=lambda one: len(one.text))
    if (length := len(longest.text)) >= LONG:
        note = f"{file}: text {longest.id!r} has {length:,} characters: about {length // 100} sentences"
        sys.stderr.write(f"{visible(note)}\n")
    return total


def summary(output: str, counts: Counter[str], hits: int) -> str:
    """Return a line that counts written parses and those from the cache, and one on detected languages."""
    counted = [f"{counts[status]} {status}" for status in ("repaired", "failed") if counts[status]]
    if counts[UNKNOWN_LANGUAGE]:
        counted.append(f"{counts[UNKNOWN_LANGUAGE]} in a language that the parser was not trained on")
    if counts[CUT]:
        counted.append(f"{counts[CUT]} without the end of a sentence that is too long")
    if counts[_MISSING]:
        counted.append(f"{counts[_MISSING]} without a number, name or negation of the sentence (# ::missing)")
    if hits:
        counted.append(f"{hits} from the cache")
    graphs = sum(counts[status] for status in ("ok", "repaired", "failed"))
    what = ", ".join([f"{graphs} graphs", *counted])
    line = visible(f"{'standard output' if output == STDIN else output}: {what}")
    return f"{line}\n{detection_note(counts[_DETECTED], graphs)}"


def _counted(parses: Iterable[Parse], counts: Counter[str]) -> Iterator[Parse]:
    for parse in parses:
        counts[parse.status] += 1
        counts[_MISSING] += bool(parse.missing)
        for phrase in (CUT, UNKNOWN_LANGUAGE):
            counts[phrase] += any(phrase in note for note in parse.repairs)
        yield parse

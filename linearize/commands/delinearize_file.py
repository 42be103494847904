"""Run ``amrx delinearize``: restore graphs from lines of tokens."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from amrx.control_characters import visible
from amrx.records import check_writable, write_graphs
from amrx.records.files import STDIN
from amrx.records.graphs import GraphFormat, graph_format
from amrx.records.locks import lock_beside, locked_output
from amrx.types import Parse, Status
from linearize.restore import EMPTY_CONCEPT, delinearize
from linearize.token_files import error_at, is_json, read_token_lines
from linearize.tokens import kind_of as token_kind
from linearize.tokens import split_tokens
from linearize.walk import INSTANCE

NO_POINTERS = "no pointers: repeated nodes are separate nodes"
"""Repair of a line in the form ``paper`` or ``released``."""


def delinearize_file(
    tokens: Annotated[
        str,
        typer.Argument(help="Lines or .jsonl of amrx linearize, also with .gz or .zst; - is standard input."),
    ],
    output: Annotated[
        str,
        typer.Option("--output", "-o", help="Graphs to write: .amr, .txt, .jsonl, or - for standard output."),
    ] = "-",
    format_: Annotated[
        GraphFormat | None,
        typer.Option("--format", help="Default by the suffix of the output; any other suffix needs it."),
    ] = None,
) -> int:
    """Write the graph of each line of tokens, and return the number of graphs.

    Only --form pointer with --keep-wiki loses nothing of a graph but the names of its variables; in the other
    forms a repeated node becomes several. Plain lines keep neither ids nor sentences: a graph's id is the
    number of its line. Status and repairs are noted as by amrx parse; an empty line gives (a / amr-empty).
    """
    kind = graph_format(output, format_)
    check_writable(output, tokens, working=[lock_beside(output)])
    is_json(tokens)  # an error if it has the name of another format
    counts = Counter[str]()
    with locked_output(output):
        number = write_graphs(
            _counted(restored(tokens), counts), output, json_lines=kind is GraphFormat.jsonl
        )
    sys.stderr.write(_summary(output, number, counts))
    return number


def restored(path: str) -> Iterator[Parse]:
    """Yield the graph of each line of a file.

    Raises:
        InputError: The file cannot be read, or a line has neither a bracket nor a pointer, or is JSON.
    """
    for line in read_token_lines(path):
        words = split_tokens(line.tokens)
        kinds = {token_kind(word) for word in words}
        if words and (words[0].startswith('{"') or not kinds & {"open", "close", "pointer"}):
            hint = "; name a file of JSON lines .jsonl" if words[0].startswith('{"') else ""
            problem = f"{line.tokens.strip()[:40]!r} is not a line of tokens{hint}"
            raise error_at(line, path, problem)
        result = delinearize(words)
        repairs = result.repairs
        if words and "pointer" not in kinds:
            repairs = (NO_POINTERS, *(note for note in repairs if not note.startswith("numbered ")))
        empty = result.graph.triples == [(result.graph.top, INSTANCE, EMPTY_CONCEPT)]
        failed = empty or line.status == "failed"
        status: Status = "failed" if failed else "repaired" if repairs else line.status
        yield Parse(line.id, line.text, line.lang, result.graph, status, (*line.repairs, *repairs))


def _counted(parses: Iterable[Parse], counts: Counter[str]) -> Iterator[Parse]:
    for parse in parses:
        counts[parse.status] += 1
        counts[NO_POINTERS] += NO_POINTERS in parse.repairs
        yield parse


def _summary(output: str, number: int, counts: Counter[str]) -> str:
    counted = [f"{counts[status]} {status}" for status in ("repaired", "failed") if counts[status]]
    if counts[NO_POINTERS]:
        counted.append(f"{counts[NO_POINTERS]} with {NO_POINTERS} (amrx linearize --form pointer keeps them)")
    what = ", ".join([f"{number} graphs", *counted])
    return visible(f"{'standard output' if output == STDIN else output}: {what}") + "\n"

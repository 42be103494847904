"""Run ``amrx linearize``: convert graphs to tokens, one graph per line."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from amrx.cli_options import AllowInvalid
from amrx.control_characters import visible
from amrx.errors import InputError
from amrx.records import check_writable, count_missing_graphs, read_graphs
from amrx.records.files import STDIN
from amrx.records.locks import lock_beside, locked_output
from amrx.records.writing import open_text
from linearize.forms import Form, linearize
from linearize.token_files import format_line, is_json
from linearize.tokens import join_tokens


def linearize_file(
    graphs: Annotated[str, typer.Argument(help="Graphs, in PENMAN notation or .jsonl; - is standard input.")],
    form: Annotated[
        Form,
        typer.Option(
            help="For encoders: paper, or released (as that paper's code writes it); for parsers: pointer, "
            "lossless with --keep-wiki."
        ),
    ] = "paper",
    keep_wiki: Annotated[bool, typer.Option("--keep-wiki", help="Keep :wiki attributes.")] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Tokens: .txt, .jsonl (with ids), or - for standard output.")
    ] = "-",
    allow_invalid: AllowInvalid = False,
) -> int:
    """Write each graph as one line of tokens, depth first from its top, and return the number of graphs.

    A sentence without a graph in the file is written as the line of (a / amr-empty). A .jsonl file has the
    keys id, text, lang, tokens, status and repairs.
    """
    check_writable(output, graphs, working=[lock_beside(output)])
    json_lines = is_json(output)
    number = lacking = 0
    with locked_output(output), open_text(output) as stream:
        for number, parse in enumerate(read_graphs(graphs, allow_invalid=allow_invalid), start=1):  # noqa: B007  # the result
            lacking += count_missing_graphs([parse])
            try:
                tokens = linearize(parse.graph, form=form, keep_wiki=keep_wiki)
            except InputError as error:
                raise InputError(f"graph {parse.id!r}: {error}", file=graphs) from None
            stream.write(format_line(parse, join_tokens(tokens), json_lines=json_lines))
    if lacking:
        sys.stderr.write(
            f"{graphs}: {lacking} of {number} sentences have no valid graph; written as amr-empty\n"
        )
    if output != STDIN:
        sys.stderr.write(visible(f"{output}: {number} graphs") + "\n")
    return number

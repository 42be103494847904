"""Run ``amrx vocabulary``: count the symbols of sembanks."""

from __future__ import annotations

import os.path
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import penman
import typer

from amrx.errors import InputError, check_least
from amrx.records import check_writable, count_missing_graphs, read_graphs
from linearize.vocabulary import Vocabulary, count


def vocabulary(
    files: Annotated[list[str], typer.Argument(help="Sembanks, in PENMAN notation or .jsonl.")],
    min_count: Annotated[int, typer.Option("--min-count", help="Leave out entries with a lower count.")] = 5,
    note: Annotated[
        list[str] | None,
        typer.Option("--note", help="Source and licence of the sembanks, stored in the file."),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="JSON file to write.")] = "vocabulary.json",
) -> Vocabulary:
    """Count relations, frames and other concepts of sembanks into a JSON file, and return them."""
    check_least("--min-count", min_count)
    check_writable(output, *files)
    position, lacking = "", 0

    def graphs() -> Iterator[penman.Graph]:
        nonlocal position, lacking
        for file in files:
            for parse in read_graphs(file):
                if count_missing_graphs([parse]):
                    lacking += 1
                    continue
                position = f"graph {parse.id!r} of {file}"
                yield parse.graph
                position = ""

    try:
        counted = count(graphs(), min_count=min_count, sources=[*_names(files), *(note or [])])
    except InputError as error:
        raise InputError(f"{position}: {error}" if position else str(error)) from None
    counted.save(output)
    if lacking:
        sys.stderr.write(f"{lacking} sentences have no graph; left out\n")
    return counted


def _names(files: list[str]) -> list[str]:
    """Return the file paths without their common folder, which exists on this machine only."""
    folders = [os.path.abspath(Path(file).parent) for file in files]
    shared = os.path.commonpath(folders)
    return [
        os.path.normpath(os.path.join(os.path.relpath(folder, shared), Path(file).name))
        for folder, file in zip(folders, files, strict=True)
    ]

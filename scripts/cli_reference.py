#!/usr/bin/env python
"""Write docs/cli.md from the help texts of the commands; with ``--check`` exit 1 if the page differs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import typer

from amrx.cli import COMMANDS
from amrx.records import write_text

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"
HEAD = """\
# Commands

Written by `scripts/cli_reference.py` from the help texts; `amrx COMMAND --help` prints the same.

All commands take `--quiet` (no output on standard error except errors), `--verbose` (progress every 5 seconds
where there is no terminal) and `--debug` (tracebacks). Exit status: 0 done; 2 wrong input, a missing package
or file, a full disk, with one line on standard error; 130 interrupted; 141 the reader closed the output.

Input is plain text (one text per line), `.tsv`, `.csv`, `.jsonl` or `.amr`, also with `.gz`; `-` is standard
input. A killed run leaves no partial file, and the same command resumes it.
"""


def page() -> str:
    """Return the page: a list of the commands, then a section for each."""
    listed = [f"| [`amrx {name}`](#{_anchor(name)}) | {command.help} |" for name, command in COMMANDS.items()]
    table = "\n".join(["| command | purpose |", "|---|---|", *listed])
    return "\n".join([HEAD, table, "", *map(section, COMMANDS)]).rstrip() + "\n"


def section(name: str) -> str:
    """Return the section of a command: description, usage, and a table of its arguments and options."""
    function = getattr(importlib.import_module(COMMANDS[name].module), COMMANDS[name].function)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(function)
    command = typer.main.get_command(app)
    context = command.make_context(f"amrx {name}", [], resilient_parsing=True)
    usage = " ".join([f"amrx {name}", *command.collect_usage_pieces(context)])
    return "\n".join(
        [f"## amrx {name}", "", dedent(command.help or "").strip(), "", f"```\n{usage}\n```", "",
         *_table(list(_records(command, context))), ""]
    )  # fmt: skip


def _records(command: typer.core.TyperCommand, context: typer.Context) -> Iterator[tuple[str, str]]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[0] != "--help":
            yield record


def _table(records: Sequence[tuple[str, str]]) -> list[str]:
    cells = [(f"`{names}`".replace("|", r"\|"), _escaped(help)) for names, help in records]
    return [
        "| argument or option | meaning |",
        "|---|---|",
        *(f"| {names} | {text} |" for names, text in cells),
    ]


def _escaped(text: str) -> str:
    """Return a text as a table shows it, on one line."""
    for sign in "\\|<*_[":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _anchor(name: str) -> str:
    return f"amrx-{name.replace(' ', '-')}"


def main(arguments: Sequence[str]) -> int:
    """Write the page, or compare it with ``--check``."""
    new = page()
    if arguments == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != new:
            print("docs/cli.md differs from the help texts; run scripts/cli_reference.py", file=sys.stderr)
            return 1
        return 0
    write_text(PAGE, new)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

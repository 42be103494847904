#!/usr/bin/env python
"""Write docs/cli.md from the help texts of the commands; with ``--check`` exit 1 if the page differs."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
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
COMMON = "## Common options\n\nOptions of several commands, which name them.\n"
SHARED = 3
"""An option of so many commands, with one text, stands in the table of common ones."""
Record = tuple[str, str]
"""Names of an argument or option, and its help."""


def page() -> str:
    """Return the page: a list of the commands, then a section for each."""
    listed = [f"| [`amrx {name}`](#{_anchor(name)}) | {command.help} |" for name, command in COMMANDS.items()]
    table = "\n".join(["| command | purpose |", "|---|---|", *listed])
    commands = {name: list(_records(name)) for name in COMMANDS}
    counts = Counter(record for records in commands.values() for record in dict.fromkeys(records))
    shared = [one for one, count in counts.items() if count >= SHARED and "[required]" not in one[1]]
    sections = (section(name, records, shared) for name, records in commands.items())
    return "\n".join([HEAD, table, "", COMMON, *_table(shared), "", *sections]).rstrip() + "\n"


def section(name: str, records: Sequence[Record], shared: Sequence[Record]) -> str:
    """Return the section of a command: description, usage, and a table of its arguments and options."""
    command, context = _command(name)
    usage = " ".join([f"amrx {name}", *command.collect_usage_pieces(context)])
    own = [record for record in records if record not in shared]
    common = ", ".join(f"`{_short(names)}`" for names, text in records if (names, text) in shared)
    description = dedent(command.help or "").strip()
    lines = [f"## amrx {name}", "", description, "", f"```\n{usage}\n```", "", *_table(own)]
    return "\n".join([*lines, *(["", f"Common: {common}."] if common else []), ""])


def _command(name: str) -> tuple[typer.core.TyperCommand, typer.Context]:
    function = getattr(importlib.import_module(COMMANDS[name].module), COMMANDS[name].function)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(function)
    command = typer.main.get_command(app)
    context = command.make_context(f"amrx {name}", [], resilient_parsing=True)
    return command, context


def _records(name: str) -> Iterator[Record]:
    command, context = _command(name)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[0] != "--help":
            yield record


def _short(names: str) -> str:
    """Return the last name of an option, without its type.

    Example:
        >>> _short("-o, --output <path>"), _short("--split / --no-split")
        ('--output', '--split')
    """
    return names.split(" / ")[0].split(" <")[0].split(", ")[-1].split(" ")[0]


def _table(records: Sequence[Record]) -> list[str]:
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

#!/usr/bin/env python
"""Write docs/cli.md from the help texts of the commands; with ``--check`` exit 1 if the page differs."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import typer

from amrx.cli import COMMANDS
from amrx.records import write_text

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"
HEAD = """\
# Commands

Written by `scripts/cli_reference.py` from the help texts: names, defaults and one line per option.
`amrx COMMAND --help` has types, ranges and details. `{argument}` is required, `[argument]` is not;
after the meaning of an option its default is in brackets.

All commands take `--quiet` (no output on standard error except errors), `--verbose` (progress every 5 seconds
where there is no terminal) and `--debug` (tracebacks). Exit status: 0 done; 2 wrong input, a missing package
or file, a full disk, with one line on standard error; 130 interrupted; 141 the reader closed the output.

Input is plain text (one text per line), `.tsv`, `.csv`, `.jsonl` or `.amr`, also with `.gz`; `-` is standard
input. A killed run leaves no partial file, and the same command resumes it.
"""
GROUPS = {
    "input": ("--lang", "--lang-column", "--column", "--id-column"),
    "encoder": ("--base", "--weight", "--parser", "--preset", "--split", "--cache", "--no-cache"),
    "machine": ("--device", "--threads"),
}
"""Common options that many commands have together; a section names the group if it has all of them."""
SHARED = 3
"""An option of so many commands, with one text, is in the list of common ones."""
Record = tuple[str, str]
"""Names of an argument or option, and its help."""


def page() -> str:
    """Return the page: the common options, then a section per command."""
    commands = {name: list(_records(name)) for name in COMMANDS}
    shared = _shared(commands.values())
    sections = (section(name, records, shared) for name, records in commands.items())
    return "\n".join([HEAD, *_common(shared), *sections]).rstrip() + "\n"


def _common(shared: Sequence[Record]) -> Iterator[str]:
    """Yield the lines of the section of common options: each group, then the others."""
    yield "## Common options\n"
    grouped = {name for group in GROUPS.values() for name in group}
    for title, group in GROUPS.items():
        yield from (f"Group *{title}*:\n", *_list([one for one in shared if _short(one[0]) in group]), "")
    yield from ("Others:\n", *_list([one for one in shared if _short(one[0]) not in grouped]), "")


def _named(names: Sequence[str]) -> str:
    """Return the names of a command's common options, groups for those that are complete.

    Example:
        >>> _named(["--beam", "--device", "--threads", "--base"])
        '*machine*, `--beam`, `--base`'
    """
    groups = {title: group for title, group in GROUPS.items() if set(group) <= set(names)}
    covered = {name for group in groups.values() for name in group}
    return ", ".join(
        [*(f"*{title}*" for title in groups), *(f"`{one}`" for one in names if one not in covered)]
    )


def section(name: str, records: Sequence[Record], shared: Sequence[Record]) -> str:
    """Return the section of a command: purpose, arguments and options."""
    own = [record for record in records if record not in shared]
    common = _named([_short(names) for names, text in records if (names, text) in shared])
    purpose = COMMANDS[name].help
    lines = [f"## amrx {name}", "", f"{purpose[0].upper()}{purpose[1:]}.", "", *_list(own)]
    return "\n".join([*lines, *([f"- common: {common}"] if common else []), ""])


def _shared(commands: Iterable[Sequence[Record]]) -> list[Record]:
    """Return the records of several commands: of at least `SHARED`, or of two where no other has its name.

    Example:
        >>> _shared([[("-o", "File."), ("-k", "Number.")], [("-o", "File."), ("-k", "Width.")]])
        [('-o', 'File.')]
        >>> _shared([[("-o", "File.")], [("-o", "File.")], [("-o", "Folder.")]])
        []
    """
    counts = Counter(record for records in commands for record in dict.fromkeys(records))
    texts = Counter(_short(names) for names, _ in counts)
    return [
        (names, text)
        for (names, text), count in counts.items()
        if (count >= SHARED or (count > 1 and texts[_short(names)] == 1)) and "required" not in text
    ]


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


def _list(records: Sequence[Record]) -> list[str]:
    return [f"- `{_untyped(names, help)}`: {_escaped(_line(names, help))}" for names, help in records]


def _untyped(names: str, help: str) -> str:
    """Return the names of an option, with its values if they are listed, or an argument in its brackets.

    Example:
        >>> _untyped("-o, --output <path>", ""), _untyped("--by <id|lang>", ""), _untyped("--a / --no-a", "")
        ('-o, --output', '--by id|lang', '--a / --no-a')
        >>> _untyped("file <str>", "A file.  [required]"), _untyped("file2 <str>", "Another.")
        ('{file}', '[file2]')
    """
    name = re.sub(r" <(.*)>", lambda match: f" {match[1]}" if "|" in match[1] else "", names)
    if names.startswith("-"):
        return name
    return f"{{{name}}}" if "[required]" in help else f"[{name}]"


def _line(names: str, help: str) -> str:
    """Return the first sentence of a help text, with an option's default but without a range.

    Example:
        >>> _line("--width", "Width, even. Or so.  [default: 64; x>=1]"), _line("--to", "A, ...  [required]")
        ('Width, even. [64]', 'A, ... [required]')
        >>> _line("file", "A file.  [required]")
        'A file.'
    """
    text, _, note = help.partition("  [")
    first = re.split(r"(?<=[^.]\.) ", text)[0]
    notes = [part for part in note.rstrip("]").split("; ") if part and not re.search(r"\bx[<>]|<x", part)]
    notes = [
        part.replace("default: ", "").replace("env var: ", "$") for part in notes if part != "default: -"
    ]
    return f"{first} [{'; '.join(notes)}]" if notes and names.startswith("-") else first


def _escaped(text: str) -> str:
    """Return a text as Markdown shows it, on one line."""
    for sign in "\\<*_[":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


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

#!/usr/bin/env python
"""Write the tables of results from results/*.json, so that no number is typed by hand.

    scripts/reproduce_tables.py            rewrite the blocks between markers of README.md, docs/results.md,
                                           docs/cosines.md and docs/scale.md, and results/tables.md
    scripts/reproduce_tables.py --check    exit 1 if one of them differs
    scripts/reproduce_tables.py --papers tables.md --data DIR [OPTIONS of amrx eval papers]
                                           run `amrx eval papers`: every table of the three papers that data
                                           and weights allow, and for each row whether there are weights

Every ``results/NAME.json`` is a list of rows ``{"encoder", "task", "language", "metric", "value", "n"}`` with
the value on the 0-100 scale, as ``amrx eval --json`` writes it. ``results/first.txt`` and ``first.svg`` are
the top of the README; the picture is also copied to docs/. The README has the table of settings,
``docs/results.md`` the tables of `results_tables.HEADLINES`, ``results/tables.md`` all tables.
``results/commands.tsv`` (columns file, command) has the command of each of these files; a file without a
command is an error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cosine_tables import cosine_blocks
from hours_table import hours_block
from results_tables import (
    ResultsError,
    headline,
    headlines_block,
    read_commands,
    results_page,
    settings_block,
)

ROOT = Path(__file__).resolve().parents[1]
FIRST, PICTURE = "first.txt", "first.svg"
NO_FIRST = "Run `scripts/demo` to see a German sentence, its graph, and its similarity before and after."
NO_RESULTS = """\
No results are committed yet. They are made so, and put here by `scripts/reproduce_tables.py`:

```
amrx eval --base muse --amr --control minilm,amr --tasks sts17 --data "$AMRX_DATA" --json results/sts17.json
```"""

HEAD = """\
# All measured results

Written by `scripts/reproduce_tables.py` from the `.json` files of this folder; [README.md](README.md) says
how to read them.

"""


def first_block(folder: Path, commands: dict[str, str]) -> str:
    """Return the block of ``first.txt`` and ``first.svg``; without the file, the command that shows them.

    Raises:
        ResultsError: It has no command.
    """
    file = folder / FIRST
    if not file.is_file():
        return NO_FIRST
    if FIRST not in commands:
        raise ResultsError(f"{FIRST}: no command in {folder.name}/commands.tsv")
    picture = folder / PICTURE
    tag = (
        f'<img align="right" alt="its graph" src="{folder.name}/{picture.name}">\n\n'
        if picture.is_file()
        else ""
    )
    return f"{tag}```\n{file.read_text(encoding='utf-8').rstrip()}\n```"


def rewrite(page: str, name: str, new: str) -> str:
    r"""Return a page with the block between the markers of ``name`` replaced.

    Raises:
        ResultsError: The markers are missing, doubled or in the wrong order.

    Example:
        >>> rewrite("a <!-- x:start -->old<!-- x:end --> z", "x", "new").split("\n")
        ['a <!-- x:start -->', 'new', '<!-- x:end --> z']
    """
    start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    if page.count(start) != 1 or page.count(end) != 1 or page.index(start) > page.index(end):
        raise ResultsError(f"a page needs {start} and then {end}, once each")
    head, _, rest = page.partition(start)
    return f"{head}{start}\n{new}\n{end}{rest.partition(end)[2]}"


def put(file: Path, old: str, new: str, *, check: bool, by: str = "scripts/reproduce_tables.py") -> int:
    """Write a new text over the old one; with ``check`` only print that they differ, and return 1."""
    if check:
        if new != old:
            print(f"{file.name} is out of date; run {by}", file=sys.stderr)
        return int(new != old)
    if new != old:
        from amrx.records import write_text

        write_text(file, new)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if done or equal, 1 if pages differ, 2 if the results cannot be read."""
    options = argparse.ArgumentParser(description="write the tables of results from results/*.json")
    options.add_argument("--check", action="store_true", help="change nothing; exit 1 if they differ")
    options.add_argument("--root", type=Path, default=ROOT, help="folder of README.md and results/")
    options.add_argument("--papers", type=Path, help="write only the tables of the papers, to this file")
    arguments, rest = options.parse_known_args(argv)
    if arguments.papers is not None:
        from amrx.cli import main as amrx

        return amrx(["eval", "papers", "--output", str(arguments.papers), *rest])
    if rest:
        options.error(f"unrecognized arguments: {' '.join(rest)}")
    root = arguments.root
    try:
        folder = root / "results"
        commands = read_commands(folder)
        blocks = {
            root / "README.md": {
                "first": first_block(folder, commands),
                "headline": headline(folder),
                "settings": settings_block(folder, commands),
            },
            root / "docs" / "results.md": {"results": headlines_block(folder, commands) or NO_RESULTS},
        }
        if cosines := cosine_blocks(folder):
            blocks[root / "docs" / "cosines.md"] = cosines
        if hours := hours_block(folder):
            blocks[root / "docs" / "scale.md"] = {"hours": hours}
        pages = {folder / "tables.md": HEAD + results_page(folder, commands) + "\n"}
        if (folder / PICTURE).is_file():  # the site of docs/ holds no other folder
            pages[root / "docs" / PICTURE] = (folder / PICTURE).read_text(encoding="utf-8")
        for file, parts in blocks.items():
            pages[file] = file.read_text(encoding="utf-8")
            for name, block in parts.items():
                pages[file] = rewrite(pages[file], name, block)
        old = {file: file.read_text(encoding="utf-8") if file.is_file() else "" for file in pages}
    except (ResultsError, OSError) as error:
        print(f"reproduce_tables: {error}", file=sys.stderr)
        return 2
    return max(put(file, old[file], pages[file], check=arguments.check) for file in pages)


if __name__ == "__main__":
    sys.exit(main())

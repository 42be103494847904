"""README and docs/: links lead somewhere, the page of commands is the help texts', and the site builds."""

import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from amrx.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {
        re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for match in LINK.finditer(text):
        file, _, anchor = (match[1] or match[2]).partition("#")
        target = page.parent / file if file else page
        if "://" not in file and not (
            target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors(target))
        ):
            broken.append(match[0])
    assert not broken


def test_a_broken_anchor_would_be_seen(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("# A `code` heading, and more\n```\n# no heading\n```\n", encoding="utf-8")
    assert anchors(page) == {"a-code-heading-and-more"}


def test_every_page_is_in_the_readme_and_the_index():
    readme, index = ((ROOT / file).read_text(encoding="utf-8") for file in ("README.md", "docs/index.md"))
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or (f"docs/{page.name}" in readme and f"({page.name})" in index)


def test_headline_and_table_of_the_readme_have_the_same_scores():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    headline = dict(re.findall(r"\(`(\w+)`\),? \*\*([\d.]+ / [\d.]+)\*\*", readme))
    table = {
        name: f"{within} / {between}"
        for name, within, between in re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", readme, re.M)
    }
    assert headline.keys() == {"fast", "text", "graph", "best"}
    assert headline.items() <= table.items()


def test_the_page_of_commands_is_made_of_the_help_texts():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "cli_reference.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_site_builds(tmp_path: Path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed; fetch: pip install mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-f", "scripts/mkdocs.yml", "-d"]
    done = subprocess.run([*command, tmp_path / "site"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {page.stem for page in (tmp_path / "site").glob("*.html")} >= {
        page.stem for page in (ROOT / "docs").glob("*.md")
    }


def commands(page: Path) -> list[list[str]]:
    """Return the ``amrx`` commands of a page: lines of code blocks, and code in tables and text."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()] + re.findall(r"`(amrx [^`]+)`", text)
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("amrx ")]


COMMAND_PAGES = [page for page in PAGES if page.name not in ("cli.md", "CONTRIBUTING.md")] + sorted(
    (ROOT / "results" / "papers").glob("reproduce-*.md")
)


@pytest.mark.parametrize("page", COMMAND_PAGES, ids=lambda page: page.name)
def test_commands_of_pages_have_their_options(page: Path):
    for name, *arguments in commands(page):
        if arguments and f"{name} {arguments[0]}" in COMMANDS:
            name = f"{name} {arguments.pop(0)}"
        if name == "COMMAND":  # a placeholder
            continue
        known = {"--help", "-h"} | {spelling for spellings in options_of(name) for spelling in spellings}
        unknown = [word for word in arguments if word.startswith("-") and word != "-" and word not in known]
        assert not unknown, f"amrx {name} {' '.join(arguments)}"


def options_of(command: str) -> list[list[str]]:
    """Return the spellings of a command's options."""
    place = COMMANDS[command]
    app = typer.Typer(add_completion=False)
    app.command()(getattr(importlib.import_module(place.module), place.function))
    return [[*one.opts, *one.secondary_opts] for one in typer.main.get_command(app).params]


def test_commands_are_read_from_pages(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        '```\namrx parse "a b.txt" --lang de  # so\nls\n```\nor `amrx show x.amr`\n', encoding="utf-8"
    )
    assert commands(page) == [["parse", "a b.txt", "--lang", "de"], ["show", "x.amr"]]

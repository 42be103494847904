"""The pages that say where the statements of a paper are done."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "results" / "papers").glob("*.md"))
TASKS = "amrx/evaluation/tasks"
BELOW = {  # folders that a page names files below, besides the repository and its tests
    "emma-x": ("retrofit/training/bases/emma_x", TASKS),
    "msimcse": ("retrofit/training/bases/msimcse", "retrofit/training/bases/msimcse/recipes", TASKS),
    "vmsst": ("retrofit/training/bases/vmsst", "retrofit/training/bases/vmsst/recipes", TASKS),
}
FILE = re.compile(r"(?<![\w/.*-])((?:\.\./)?[\w*/-]+\.(?:py|toml))\b`?(?: `(\w+)`)?")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_files_that_a_page_names_are_there(page: Path) -> None:
    named = set(re.findall(r"`((?:amrx|linearize|parser|retrofit)/[^`]+)`", page.read_text("utf-8")))
    assert named or page.stem.startswith("reproduce-")  # which names tests
    assert [name for name in sorted(named) if not list(ROOT.glob(name))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_file_named_below_a_folder_of_its_page_is_there_with_what_it_defines(page: Path) -> None:
    folders = [ROOT / folder for folder in (".", "tests", "results/papers", *BELOW.get(page.stem, ()))]
    lacking, named = [], FILE.findall(page.read_text("utf-8"))
    assert named
    for name, defined in named:
        files = [file for folder in folders for file in _matches(folder, name)]
        if not any(re.search(rf"\b{defined}\b", file.read_text("utf-8")) for file in files):
            lacking.append((name, defined))
    assert lacking == []


def _matches(folder: Path, name: str) -> list[Path]:
    return list(folder.parent.glob(name[3:]) if name.startswith("../") else folder.glob(name))


def test_every_faithful_statement_names_its_test() -> None:
    lines = [line for page in PAGES for line in page.read_text("utf-8").splitlines()]
    faithful = [line for line in lines if line.startswith("|") and "faithful" in line]
    assert faithful
    assert [line for line in faithful if not re.search(r" test_\w+\.py `test_\w+` \|$", line)] == []

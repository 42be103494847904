"""The pages that say where the statements of a paper are done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", sorted((ROOT / "results" / "papers").glob("*.md")), ids=str)
def test_the_files_that_a_page_names_are_there(page: Path) -> None:
    named = set(re.findall(r"`((?:amrx|linearize|parser|retrofit)/[^`]+)`", page.read_text("utf-8")))
    assert named
    assert [name for name in sorted(named) if not list(ROOT.glob(name))] == []

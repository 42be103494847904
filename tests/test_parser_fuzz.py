"""A few thousand of the random outputs that scripts/fuzz_decoders.py checks by the hundred thousand."""

from __future__ import annotations

import runpy
from pathlib import Path

import penman
import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "fuzz_decoders.py"


@pytest.fixture(scope="module")
def fuzz():
    return runpy.run_path(str(SCRIPT))


def test_every_random_output_is_a_graph_that_penman_reads_back(fuzz, capsys):
    assert fuzz["main"](2000) == 0
    told = capsys.readouterr().out
    assert told.startswith("2000 random outputs, 2000 graphs that penman reads back; ")
    assert 0 < int(told.split()[-4]) < 2000  # both whole and broken ones are among them


def test_the_check_can_fail(fuzz, monkeypatch):
    main, broken = fuzz["main"], fuzz["broken"]
    odd = penman.Graph([("a", ":instance", "x"), ("a", ":op1", "two words")])
    monkeypatch.setitem(broken.__globals__, "mend_frames", lambda graph: (odd, []))
    assert broken(["boy"])[0]
    assert main(1) == 1
    monkeypatch.setitem(broken.__globals__, "mend_frames", lambda graph: (penman.decode("(w / want-99)"), []))
    assert broken(["boy"]) == ("frames ['want-99']", False)

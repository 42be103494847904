"""Control characters of sentences, names and identifiers: seen, not obeyed."""

import io
import json
import sys
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.cli import main
from amrx.control_characters import markup, visible
from amrx.records import write_graphs
from amrx.types import Parse
from parser.draw.page import Group, page
from parser.draw.svg import draw
from retrofit.explain import as_text

__all__ = ["as_text"]

HOSTILE = "\x1b]0;pwned\x07\x1b[31mred\x9b2J\x00"


def is_inert(text: str) -> bool:
    return not any(unicodedata.category(sign) == "Cc" and sign not in "\t\n" for sign in text)


def test_a_byte_of_a_file_name_that_is_no_utf8_is_written_out():
    assert visible("a\udc80b") == "a\\udc80b"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_nothing_is_obeyed_and_nothing_else_changes(text: str):
    shown = visible(text)
    assert len(shown) == len(text) and is_inert(shown) and "\n" not in shown
    shown.encode("utf-8")
    for sign, seen in zip(text, shown, strict=True):
        assert sign == seen or unicodedata.category(sign) in ("Cc", "Cn")


@given(st.text(st.characters()))
def test_marked_up_text_is_xml_and_comes_back(text: str):
    element = ElementTree.fromstring(f'<a b="{markup(text)}">{markup(text)}</a>')  # noqa: S314
    assert (element.text or "") == visible(text, lines=True)


@given(st.text(st.characters(), max_size=20), st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_a_picture_of_any_sentence_and_constant_is_xml(text: str, constant: str):
    graph = penman.Graph([("b", ":instance", "boy"), ("b", ":op1", json.dumps(constant, ensure_ascii=False))])
    parse = Parse("1", text, "en", graph, alignments={"b": (0, len(text))})
    ElementTree.fromstring(draw(parse))  # noqa: S314
    html = page([Group(text, [parse], note=text)], title=text)
    assert is_inert(html)
    html.encode("utf-8")


def hostile_graph(tmp_path: Path, suffix: str) -> Path:
    graph = penman.Graph([("b", ":instance", "boy"), ("b", ":op1", f'"{HOSTILE}"')])
    write_graphs([Parse(HOSTILE, HOSTILE, "en", graph)], tmp_path / f"g.{suffix}")
    return tmp_path / f"g.{suffix}"


def test_show_draws_for_a_terminal_what_it_would_obey(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["show", str(hostile_graph(tmp_path, "jsonl"))]) == 0
    shown = capsys.readouterr().out
    assert is_inert(shown) and shown.count("␛[31mred") == 3


@pytest.mark.parametrize("arguments", [["parse"], ["show"], ["linearize"], ["retrofit", "-o", "v.npy"]])
@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_an_error_line_quotes_names_visibly(arguments, debug, tmp_path, capsys):
    name = str(tmp_path / "no\x1b[31m\x9b.csv")
    command, *options = arguments
    options = ["-o", str(tmp_path / "o.amr")] if command == "parse" else options
    assert main([command, name, *options, *debug]) == 2
    told = capsys.readouterr().err
    assert is_inert(told) and "no␛[31m" in told


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_a_file_keeps_the_characters_and_a_terminal_does_not(terminal, tmp_path, monkeypatch):
    graphs = hostile_graph(tmp_path, "jsonl")
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["linearize", str(graphs)]) == 0
    write_graphs([Parse("1", HOSTILE, "en", penman.decode("(b / boy)"))], "-")
    assert is_inert(stream.getvalue()) == terminal
    assert stream.getvalue().endswith("\n")

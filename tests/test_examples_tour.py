"""The tour of real text: its graphs, and how scripts/evaluate_tour.py shows them."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import penman
import pytest
from penman.models.amr import model as amr_model

from amrx.examples import path
from amrx.records.graphs import read_graphs
from linearize.vocabulary import frames
from tests.support.script_modules import load_script

TOUR = list(read_graphs(path("tour.amr")))
ORDINARY = list(read_graphs(path("ordinary.amr")))
PAGE = Path(__file__).resolve().parents[1] / "docs" / "tour.md"


def roles_of_frames(data: Path) -> dict[str, set[str]]:
    file = data / "amr" / "propbank-amr-frames-arg-descr.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: set(re.findall(r"(ARG[0-9]):", line)) for line in lines if line.strip()}


def test_fifty_inputs_of_twelve_languages_and_seventeen_kinds() -> None:
    assert len({parse.id for parse in TOUR}) == len({parse.text for parse in TOUR}) == 50
    langs = Counter(parse.lang for parse in TOUR)
    assert set(langs) == set("en de es fr it pt nl pl ru tr ar zh".split()) and min(langs.values()) >= 4
    kinds = Counter(parse.graph.metadata["kind"] for parse in TOUR)
    assert len(kinds) == 17 and min(kinds.values()) >= 2
    assert all(parse.id == f"{parse.lang}-{parse.graph.metadata['kind']}" for parse in TOUR)


def test_twenty_ordinary_meanings_each_in_two_languages() -> None:
    assert Counter(parse.lang for parse in ORDINARY) == dict.fromkeys("en de es fr it tr zh ru".split(), 5)
    kinds = Counter(parse.graph.metadata["kind"] for parse in ORDINARY)
    assert kinds == dict.fromkeys(("relative", "coordination", "long", "conditional", "quantity"), 8)
    graphs = Counter(penman.encode(penman.Graph(parse.graph.triples)) for parse in ORDINARY)
    assert len(graphs) == 20 and set(graphs.values()) == {2}


def test_graphs_are_amr_with_frames_of_propbank() -> None:
    for parse in [*TOUR, *ORDINARY]:
        graph = parse.graph
        assert not amr_model.errors(graph), parse.id
        concepts = {node: str(concept) for node, _, concept in graph.instances()}
        framed = {concept for concept in concepts.values() if re.search(r"-[0-9]{2}$", concept)}
        assert framed <= frames(), parse.id
        assert penman.decode(penman.encode(graph, model=amr_model)).triples
        several = [role for _, role, _ in graph.edges() if role.startswith(":snt")]
        assert several == [f":snt{n}" for n in range(1, len(several) + 1)]
        assert (concepts[graph.top] == "multi-sentence") == bool(several), parse.id


def test_frames_have_the_roles_that_propbank_gives_them(data_dir: Path) -> None:
    known = roles_of_frames(data_dir)
    for parse in [*TOUR, *ORDINARY]:
        concepts = {variable: concept for variable, _, concept in parse.graph.instances()}
        for source, role, _ in parse.graph.edges():
            if role.startswith(":ARG"):
                assert role[1:] in known[concepts[source] or ""], (parse.id, concepts[source], role)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("evaluate_tour")


def test_the_page_lists_the_worst_last_and_keeps_notes(script: ModuleType) -> None:
    wrong = replace(TOUR[0], graph=penman.decode("(n / nurse)"), repairs=("left out emoji",))
    pairs = [(TOUR[0], wrong), *((parse, parse) for parse in TOUR[1:])]
    rows = list(script.measure("split:fake", pairs))
    shown = script.page("split:fake", pairs, rows, "A note.")
    headings = re.findall(r"^## (\S+): ([0-9.]+)$", shown, re.MULTILINE)
    assert len(headings) == script.WORST and headings[-1][0] == TOUR[0].id and float(headings[-1][1]) < 50
    assert {score for _, score in headings[:-1]} == {"100.0"}
    assert f"{script.START}\nA note.\n{script.END}" in shown
    assert shown.endswith("Repairs: left out emoji\n\nAccepted:\n" + shown.partition("Accepted:\n")[2])
    assert shown.endswith("Parsed:\n```\n(n / nurse)\n```\n")
    values = {(row["task"].rpartition(" ")[2], row["language"]): row["value"] for row in rows}
    assert values["language", "de"] == values["kind", "html"] == 100
    assert values["kind", "relative"] < values["kind", "all"] == values["language", "all"] < 100


def test_the_page_shows_the_accepted_graphs(script: ModuleType) -> None:
    shown = PAGE.read_text(encoding="utf-8")
    named = [parse for parse in TOUR if f"## {parse.id}: " in shown]
    assert len({parse.graph.metadata["kind"] for parse in named}) == len(named) == script.WORST
    assert all(re.search(rf"\b{parse.graph.metadata['kind']} [0-9.]+[,.]\n?", shown) for parse in TOUR)
    for parse in named:
        assert script.encode(parse.graph, indent=-1, name=parse.id) in shown
        assert parse.text in shown

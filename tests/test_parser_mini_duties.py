"""parser.mini.rules.duties: duties and prohibitions that were taken for each other."""

import penman
import pytest

from parser.mini.rules.duties import with_duties


def changed(graph: str, text: str, lang: str) -> str:
    """Return the changed graph in one line."""
    return penman.encode(with_duties(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    "text",
    [
        "私は働かなければならない。",
        "私は働かなければなりませんでした。",
        "私は働かなくてはいけない。",
        "私は働かないといけない。",
    ],
)
@pytest.mark.parametrize(
    "graph",
    [
        "(p / possible-01 :polarity - :ARG1 (w / work-01 :ARG0 (i / i)))",
        "(p / permit-01 :polarity - :ARG1 (w / work-01 :polarity - :ARG0 (i / i)))",
    ],
)
def test_duty(graph: str, text: str) -> None:
    assert changed(graph, text, "ja") == "(p / obligate-01 :ARG1 (i / i) :ARG2 (w / work-01 :ARG0 i))"


@pytest.mark.parametrize(
    ("text", "lang"),
    [("Tu nie wolno palić.", "pl"), ("Тут не можна палити.", "uk"), ("Здесь нельзя курить.", "ru")],
)
@pytest.mark.parametrize("agent", ["outside", "inside"])
def test_prohibition(text: str, lang: str, agent: str) -> None:
    outside = "(o / obligate-01 :polarity - :ARG1 (t / they) :ARG2 (s / smoke-02))"
    inside = "(o / obligate-01 :polarity - :ARG2 (s / smoke-02 :ARG0 (t / they)))"
    right = "(o / permit-01 :polarity - :ARG1 (s / smoke-02 :ARG0 (t / they)))"
    assert changed(outside if agent == "outside" else inside, text, lang) == right


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(p / possible-01 :polarity - :ARG1 (w / work-01))", "働けない。", "ja"),
        ("(o / obligate-01 :polarity - :ARG2 (s / smoke-02))", "Nie musisz palić.", "pl"),
        ("(o / obligate-01 :ARG2 (s / smoke-02))", "Здесь нельзя курить.", "ru"),
        (
            "(a / and :op1 (p / possible-01 :polarity - :ARG1 (w / work-01)) :op2 (o / obligate-01))",
            "働かなければならない。",
            "ja",
        ),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    assert changed(graph, text, lang) == graph

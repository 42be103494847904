"""Nobody is a disease."""

import penman
import pytest

from parser.mini.rules.illness import with_illness


def _mended(graph: str, text: str) -> str:
    return penman.encode(with_illness(penman.decode(graph), text), indent=None)


@pytest.mark.parametrize(
    ("disease", "text"),
    [
        ("(d / disease :domain s)", "Sie kam nicht, weil sie krank war."),
        ('(d / disease :name (n / name :op1 "she"))', "She did not come because she was ill."),
    ],
)
def test_who_is_read_as_a_disease_is_ill(disease: str, text: str) -> None:
    graph = f"(c / come-01 :polarity - :ARG1 (s / she) :ARG1-of (c2 / cause-01 :ARG0 {disease}))"
    mended = "(c / come-01 :polarity - :ARG1 (s / she) :ARG1-of (c2 / cause-01 :ARG0 (d / ill-01 :ARG1 s)))"
    assert _mended(graph, text) == mended


def test_a_pronoun_that_the_graph_lacks_is_written() -> None:
    graph = '(c / cause-01 :ARG0 (d / disease :name (n / name :op1 "he")))'
    assert _mended(graph, "because he was ill") == "(c / cause-01 :ARG0 (d / ill-01 :ARG1 (h / he)))"


def test_a_name_that_the_sentence_lacks_is_removed() -> None:
    graph = '(c / cause-01 :ARG0 (d / disease :name (n / name :op1 "Health" :op2 "Hospital")))'
    assert _mended(graph, "Hasta olduğu için gelmedi.") == "(c / cause-01 :ARG0 (d / disease))"


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        ('(d / disease :name (n / name :op1 "Ebola"))', "Ebola is a disease."),
        ('(d / disease :name (n / name :op1 "Parkinson"))', "パーキンソン病"),
        ("(d / disease :domain (c / cancer))", "Cancer is a disease."),
        ("(d / disease :domain (h / he) :mod (b / bad))", "He is a bad disease."),
    ],
)
def test_diseases_stay(graph: str, text: str) -> None:
    given = penman.decode(graph)
    assert with_illness(given, text) is given

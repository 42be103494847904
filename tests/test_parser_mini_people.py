"""Occupations are nouns, where another verb or office was read (``parser.mini.rules.people``)."""

import penman
import pytest

from parser.mini.rules.dictionaries import near_words
from parser.mini.rules.people import OCCUPATIONS, with_occupations

NURSE = "Die Krankenschwester schläft."
NURSE_SPANS = {"s": (21, 28), "p": (4, 20), "h": (4, 20), "x": (4, 20)}


def after(graph: str, text: str, lang: str, spans: dict[str, tuple[int, int]]) -> str:
    return penman.encode(with_occupations(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    "below",
    [
        ":ARG0-of (h / run-02)",
        ":ARG0-of (h / have-org-role-91)",
        ":ARG0-of (h / have-org-role-91 :ARG2 (x / colonel))",
    ],
)
def test_the_concepts_of_another_occupation_become_the_noun(below: str) -> None:
    graph = f"(s / sleep-01 :ARG0 (p / person {below}))"
    assert after(graph, NURSE, "de", NURSE_SPANS) == "(s / sleep-01 :ARG0 (p / nurse))"


@pytest.mark.parametrize(
    "graph",
    [
        "(s / sleep-01 :ARG0 (p / person :ARG0-of (h / nurse-01)))",
        "(s / sleep-01 :ARG0 (p / person :ARG0-of (h / have-org-role-91 :ARG2 (x / nurse))))",
        "(s / sleep-01 :ARG0 (p / person :ARG0-of (h / run-02 :ARG1 (c / company))))",
        '(s / sleep-01 :ARG0 (p / person :name (n / name :op1 "Ada") :ARG0-of (h / run-02)))',
        "(h / run-02 :ARG0 (p / person))",
    ],
)
def test_what_may_be_right_or_says_more_stays(graph: str) -> None:
    assert after(graph, NURSE, "de", NURSE_SPANS) == graph


def test_a_frame_of_another_word_stays() -> None:
    graph = "(s / sleep-01 :ARG0 (p / person :ARG0-of (h / run-02)))"
    assert after(graph, NURSE, "de", NURSE_SPANS | {"h": (21, 28)}) == graph


def test_other_nouns_stay() -> None:
    graph = "(s / sleep-01 :ARG0 (p / person :ARG0-of (h / run-02)))"
    assert after(graph, "Der Leser schläft.", "de", {"s": (10, 17), "p": (4, 9), "h": (4, 9)}) == graph


def test_all_occupations_are_nouns_of_the_dictionary() -> None:
    assert not OCCUPATIONS - near_words("nouns").keys()

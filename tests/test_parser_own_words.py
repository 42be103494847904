"""parser.own_words: nodes are aligned with the words that name them."""

import penman
import pytest

from amrx.types import Parse
from parser import own_words
from parser.own_words import forms_of, with_own_words

TEXT = "He eats an apple."
GRAPH = penman.decode("(e / eat-01 :ARG0 (h / he) :ARG1 (a / apple))")


def test_a_node_moves_to_its_own_word_and_the_graph_stays() -> None:
    parse = Parse("1", TEXT, "en", GRAPH, alignments={"e": (3, 7), "h": (0, 2), "a": (8, 10)})
    moved = with_own_words(parse)
    assert moved.alignments == {"e": (3, 7), "h": (0, 2), "a": (11, 16)} and moved.graph is GRAPH


def test_two_nodes_of_one_concept_get_two_words() -> None:
    graph = penman.decode("(m / meet-01 :ARG0 (a / man) :ARG1 (b / man))")
    parse = Parse("1", "A man met a man.", "en", graph, alignments={"a": (2, 5), "b": (10, 11)})
    assert with_own_words(parse).alignments == {"a": (2, 5), "b": (12, 15)}


def test_a_tie_is_won_by_the_first_word_of_any_form() -> None:
    graph = penman.decode("(d / dog)")
    parse = Parse("1", "Dogs: a dog.", "en", graph, alignments={"d": (4, 5)})
    assert with_own_words(parse).alignments == {"d": (0, 4)}


def test_words_are_read_once_per_node_concept_not_per_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    forms = own_words.forms_of
    monkeypatch.setattr(own_words, "forms_of", lambda concept: asked.append(concept) or forms(concept))
    parse = Parse("1", TEXT * 50, "en", GRAPH, alignments={"e": (3, 7), "h": (0, 2), "a": (8, 10)})
    assert with_own_words(parse).alignments["a"] == (11, 16)
    assert sorted(asked) == ["apple", "eat-01", "he"]


def test_other_languages_and_nodes_without_a_word_stay() -> None:
    german = Parse("1", "Die Apple war da.", "de", GRAPH, alignments={"a": (0, 3)})
    assert with_own_words(german) is german
    absent = Parse("1", "An egg.", "en", GRAPH, alignments={"a": (0, 2)})
    assert with_own_words(absent).alignments == {"a": (0, 2)}


@pytest.mark.parametrize(
    ("word", "concept", "form"),
    [("Apples", "apple", True), ("tried", "try-01", True), ("making", "make-01", True), ("me", "i", True),
     ("children", "child", True), ("an", "apple", False), ("in", "snow", False), ("cart", "car", False)],
)  # fmt: skip
def test_forms(word: str, concept: str, form: bool) -> None:
    assert (word.lower() in forms_of(concept)) is form

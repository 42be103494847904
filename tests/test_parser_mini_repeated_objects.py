"""parser.mini.rules.repeated_objects: take the book and put it into the bag."""

import penman
import pytest

from parser.mini.rules.repeated_objects import with_repeated_objects


@pytest.mark.parametrize("role", [":ARG2", ":ARG4", ":location", ":destination"])
def test_object_is_that_of_the_verb_before(role: str) -> None:
    graph = penman.decode(
        f"(a / and :op1 (t / take-01 :ARG0 (s / she) :ARG1 (b / book))"
        f" :op2 (p / put-01 :ARG1 (b2 / bag) {role} (b3 / bag :poss s)))"
    )
    assert penman.encode(with_repeated_objects(graph), indent=None) == (
        f"(a / and :op1 (t / take-01 :ARG0 (s / she) :ARG1 (b / book))"
        f" :op2 (p / put-01 :ARG1 b {role} (b3 / bag :poss s)))"
    )


@pytest.mark.parametrize(
    "text",
    [
        # another object, an object that says more, no verb before, the same object before
        "(a / and :op1 (t / take-01 :ARG1 (b / book)) :op2 (p / put-01 :ARG1 (c / cup) :ARG2 (b2 / bag)))",
        "(a / and :op1 (t / take-01 :ARG1 (b / book))"
        " :op2 (p / put-01 :ARG1 (b2 / bag :mod (r / red-02)) :ARG2 (b3 / bag)))",
        "(p / put-01 :ARG1 (b2 / bag) :ARG2 (b3 / bag))",
        "(a / and :op1 (t / take-01 :ARG1 (b / bag)) :op2 (p / put-01 :ARG1 (b2 / bag) :ARG2 (b3 / bag)))",
    ],
)
def test_other_objects_stay(text: str) -> None:
    graph = penman.decode(text)
    assert with_repeated_objects(graph) is graph

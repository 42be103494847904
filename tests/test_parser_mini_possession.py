"""A thing is owned by whom the sentence names."""

import penman
import pytest

from parser.mini.rules.possession import with_owners


def _owned(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_owners(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "word"),
    [
        ("The teacher's dog barks.", "en", "dog"),
        ("Der Hund des Lehrers bellt.", "de", "Hund"),
        ("Le chien du professeur aboie.", "fr", "chien"),
        ("El perro del profesor ladra.", "es", "perro"),
        ("Собака учителя лает.", "ru", "Собака"),
        ("كلب المعلم ينبح.", "ar", "كلب"),
    ],
)
def test_the_owner_does_it_not_the_thing(text: str, lang: str, word: str) -> None:
    graph = "(b / bark-01 :ARG0 (d / dog :ARG0-of (t / teach-01)))"
    mended = "(b / bark-01 :ARG0 (d / dog :poss (p / person :ARG0-of (t / teach-01))))"
    assert _owned(graph, text, lang, d=word) == mended


def test_an_owner_without_a_verb_gets_it() -> None:
    graph = "(c / car :poss (p / person) :ARG0-of (d / drive-01))"
    mended = "(c / car :poss (p / person :ARG0-of (d / drive-01)))"
    assert _owned(graph, "das Auto des Fahrers", "de", c="Auto") == mended


NEIGHBOR = "(c / car :poss (p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (n / neighbor))))"


@pytest.mark.parametrize(
    "graph",
    [
        "(c / car :poss (i / i))",
        "(c / car :poss (i / i) :ARG0-of (x / have-03))",
        "(c / car :poss (i / i :ARG1-of (h / have-rel-role-91 :ARG0 c :ARG2 (n / neighbor))))",
        "(c / car :poss (i / i) :ARG1-of (h / have-rel-role-91 :ARG2 (n / neighbor)))",
        "(c / car :poss (p / person :ARG0-of (h / have-rel-role-91 :ARG1 i :ARG2 (n / neighbor)))"
        " :poss (i / i))",
    ],
)
def test_the_neighbor_owns_the_car(graph: str) -> None:
    assert _owned(graph, "el coche de mi vecino", "es", c="coche", i="mi") == NEIGHBOR


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        ("(d / dog :ARG0-of (t / teach-01))", "The dog that teaches.", "en", {"d": "dog"}),
        ("(l / lawyer :ARG0-of (d / defend-01))", "l'avvocato difensore", "it", {"l": "avvocato"}),
        (
            "(p / person :poss (h2 / he) :ARG0-of (h / have-rel-role-91 :ARG1 h2 :ARG2 (b / brother)))",
            "i suoi fratelli",
            "it",
            {},
        ),
        ("(t / teach-01 :ARG0 (d / dog))", "The dog is a teacher.", "en", {"d": "dog"}),
        ("(c / car :poss (i / i))", "mi coche y el vecino", "es", {"c": "coche", "i": "mi"}),
        ("(f / fellow :poss (i / i))", "mi vecino", "es", {"f": "vecino", "i": "mi"}),
        (NEIGHBOR, "el coche de mi vecino", "es", {"c": "coche", "i": "mi"}),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert _owned(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)

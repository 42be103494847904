"""parser.mini.rules.tall_people and propbank_places."""

import penman
import pytest

from parser.mini.rules.propbank_places import with_propbank_places
from parser.mini.rules.tall_people import with_tall_people


def changed(graph: str, text: str, lang: str, word: str) -> str:
    """Return the changed graph in one line; ``word`` is the word of the adjective ``a``."""
    span = text.index(word), text.index(word) + len(word)
    return penman.encode(with_tall_people(penman.decode(graph), text, lang, {"a": span}), indent=None)


@pytest.mark.parametrize(
    ("concept", "text", "lang", "word"),
    [
        ("high-02", "La niña es más alta que el niño.", "es", "alta"),
        ("large", "Das Mädchen ist größer als der Junge.", "de", "größer"),
        ("big", "La fille est plus grande que le garçon.", "fr", "grande"),
        ("high-02", "女孩比男孩高。", "zh", "高"),
        ("high-02", "Девочка выше мальчика.", "ru", "выше"),
        ("long-03", "Kız oğlandan daha uzun.", "tr", "uzun"),
    ],
)
def test_people_are_tall(concept: str, text: str, lang: str, word: str) -> None:
    own = " :ARG1 g" if "-" in concept else ""
    graph = (
        f"(h / have-degree-91 :ARG1 (g / girl) :ARG2 (a / {concept}{own}) :ARG3 (m / more) :ARG4 (b / boy))"
    )
    right = "(h / have-degree-91 :ARG1 (g / girl) :ARG2 (a / tall) :ARG3 (m / more) :ARG4 (b / boy))"
    assert changed(graph, text, lang, word) == right


@pytest.mark.parametrize(
    ("graph", "text", "lang", "word"),
    [
        ("(a / high-02 :ARG1 (t / tree))", "El árbol es alto.", "es", "alto"),
        ("(a / large :domain (h / house))", "Das Haus ist groß.", "de", "groß"),
        ("(a / old :domain (g / girl))", "Das Mädchen ist groß.", "de", "groß"),
        ("(a / big :domain (b / boy))", "The boy is big.", "en", "big"),
    ],
)
def test_other_things_stay(graph: str, text: str, lang: str, word: str) -> None:
    assert changed(graph, text, lang, word) == graph


def test_relatives_are_people() -> None:
    sister = "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (s / sister)))"
    given = changed(f"(a / high-02 :ARG1 {sister})", "Mi hermana es alta.", "es", "alta")
    assert given == f"(a / tall :domain {sister})"


@pytest.mark.parametrize(
    ("graph", "right"),
    [
        (
            "(s / stay-01 :ARG1 (c / child) :ARG2 (h / home))",
            "(s / stay-01 :ARG1 (c / child) :location (h / home))",
        ),
        (
            "(a / arrive-01 :ARG1 (t / train) :location (c / city))",
            "(a / arrive-01 :ARG1 (t / train) :ARG4 (c / city))",
        ),
        ("(s / stay-01 :ARG1 (c / child) :ARG2 (h / he))", "(s / stay-01 :ARG1 (c / child) :ARG2 (h / he))"),
        ("(g / go-02 :location (c / city))", "(g / go-02 :location (c / city))"),
        (
            "(a / arrive-01 :ARG4 (c / city) :location (p / platform))",
            "(a / arrive-01 :ARG4 (c / city) :location (p / platform))",
        ),
    ],
)
def test_places_of_staying_and_arriving(graph: str, right: str) -> None:
    assert penman.encode(with_propbank_places(penman.decode(graph)), indent=None) == right

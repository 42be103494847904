"""The noun after *whose* is an argument of the event, and the noun before it its owner."""

import penman
import pytest

from parser.mini.rules.whose import with_relative_owners


def _spans(text: str, **words: str) -> dict[str, tuple[int, int]]:
    return {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}


@pytest.mark.parametrize("roles", [(":ARG1-of", ":ARG0"), (":ARG0-of", ":ARG1")])
@pytest.mark.parametrize(
    ("text", "lang", "man", "car"),
    [
        ("der Mann, dessen Auto gestohlen wurde", "de", "Mann", "Auto"),
        ("the man whose car was stolen", "en", "man", "car"),
        ("el hombre cuyo coche fue robado", "es", "hombre", "coche"),
        ("l'homme dont la voiture a été volée", "fr", "homme", "voiture"),
        ("l'uomo la cui auto è stata rubata", "it", "uomo", "auto"),
        ("de man wiens auto gestolen is", "nl", "man", "auto"),
        ("mężczyzna, którego samochód został skradziony", "pl", "mężczyzna", "samochód"),
        ("o homem cujo carro foi roubado", "pt", "homem", "carro"),
        ("мужчина, чья машина была украдена", "ru", "мужчина", "машина"),
    ],
)
def test_passives(roles: tuple[str, str], text: str, lang: str, man: str, car: str) -> None:
    graph = penman.decode(f"(s2 / see-01 :ARG1 (m / man {roles[0]} (s / steal-01 {roles[1]} (c / car))))")
    mended = with_relative_owners(graph, text, lang, _spans(text, m=man, c=car))
    assert penman.encode(mended, indent=None) == (
        "(s2 / see-01 :ARG1 (m / man :poss-of (c / car :ARG1-of (s / steal-01))))"
    )


def test_active() -> None:
    text = "I know a boy whose dog bites me."
    graph = penman.decode(
        "(k / know-01 :ARG0 (i / i) :ARG1 (b / boy :ARG0-of (b2 / bite-01 :ARG1 (d / dog :poss i))))"
    )
    mended = with_relative_owners(graph, text, "en", _spans(text, i="I", b="boy", d="dog"))
    assert penman.encode(mended, indent=None) == (
        "(k / know-01 :ARG0 (i / i) :ARG1 (b / boy :poss-of (d / dog :ARG0-of (b2 / bite-01))))"
    )


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(m / man :poss-of (c / car :ARG1-of (s / steal-01)))", "the man whose car was stolen", "en"),
        ("(m / man :ARG0-of (h / have-03 :ARG1 (c / car)))", "the man whose car is old", "en"),
        (
            "(s / steal-01 :ARG0 (m / man) :ARG1 (c / car))",
            "the man whose car was stolen",
            "en",
        ),  # the main verb
        (
            "(m / man :ARG0-of (s / steal-01 :ARG1 (c / car) :ARG2 (d / dog)))",
            "the man who stole a car",
            "en",
        ),
        ("(m / man :ARG1-of (s / steal-01 :ARG0 (c / car)))", "Whose man stole a car?", "en"),
        (
            "(m / man :ARG2-of (s / steal-01 :ARG1 (d / dog) :ARG0 (c / car)))",
            "the man whose car was stolen",
            "en",
        ),
        ("(m / man :ARG1-of (s / steal-01 :ARG0 (c / car)))", "the man whose car was stolen", "xx"),
        ("(m / man :mod (c / car))", "the man whose car was stolen", "en"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_relative_owners(given, text, lang, _spans(text, m="man", c="car")) is given

"""How many times something happened."""

import penman
import pytest

from parser.mini.rules.repetitions import with_asked_frequency, with_repetitions

CALLED = "(c / call-02 :ARG0 (i / i))"


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_repetitions(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "verb", "number"),
    [
        ("I called twice.", "en", "called", 2), ("I called 3 times yesterday.", "en", "called", 3),
        ("Ich habe zweimal angerufen.", "de", "angerufen", 2), ("Ich rief drei Mal an.", "de", "rief", 3),
        ("Llamé dos veces.", "es", "Llamé", 2), ("J'ai appelé deux fois.", "fr", "appelé", 2),
        ("Ho chiamato due volte.", "it", "chiamato", 2), ("Telefonei três vezes.", "pt", "Telefonei", 3),
        ("Ik heb twee keer gebeld.", "nl", "gebeld", 2), ("Dzwoniłem dwa razy.", "pl", "Dzwoniłem", 2),
        ("Я звонил дважды.", "ru", "звонил", 2), ("İki kez aradım.", "tr", "aradım", 2),
    ],
)  # fmt: skip
def test_the_number_of_times_goes_to_its_verb(text: str, lang: str, verb: str, number: int) -> None:
    assert _mended(CALLED, text, lang, c=verb) == f"(c / call-02 :ARG0 (i / i) :frequency {number})"


def test_the_verb_between_the_same_commas_counts() -> None:
    graph = "(c / contrast-01 :ARG1 (r / ring-01) :ARG2 (a / answer-01 :polarity -))"
    mended = "(c / contrast-01 :ARG1 (r / ring-01 :frequency 2) :ARG2 (a / answer-01 :polarity -))"
    assert (
        _mended(graph, "Ich rief an zweimal, doch antwortet er nie.", "de", r="rief", a="antwortet") == mended
    )


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (CALLED, "He called three times as often.", "en"),
        (CALLED, "He called twice a day.", "en"),
        (CALLED, "Er rief einmal an, called.", "de"),
        (CALLED, "Called, twice.", "en"),
        ("(c / call-02 :ARG0 (b / boy :quant 2))", "Two boys called twice.", "en"),
        ("(c / call-02 :frequency (r / rate-entity-91))", "He called twice.", "en"),
        (CALLED, "He called twice, then three times.", "en"),
    ],
)
def test_other_numbers_stay(graph: str, text: str, lang: str) -> None:
    assert _mended(graph, text, lang, c="alled") == penman.encode(penman.decode(graph), indent=None)


@pytest.mark.parametrize(
    "given",
    [
        "(s / swim-01 :ARG0 (y / you) :frequency (o / often))",
        "(s / swim-01 :ARG0 (y / you) :frequency (o / often :quant (a / amr-unknown)))",
        "(s / swim-01 :ARG0 (y / you) :frequency (o / often) :polarity (a / amr-unknown))",
        "(s / swim-01 :ARG0 (y / you) :duration (t / temporal-quantity :quant 1 :unit (t2 / time)))",
        "(s / swim-01 :ARG0 (y / you))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("How often do you swim?", "en"), ("Wie oft schwimmst du?", "de"),
        ("¿Con qué frecuencia nadas?", "es"),
        ("À quelle fréquence nages-tu ?", "fr"), ("Как часто ты плаваешь?", "ru"), ("你多久游泳一次？", "zh"),
    ],
)  # fmt: skip
def test_how_often(given: str, text: str, lang: str) -> None:
    graph = with_asked_frequency(penman.decode(given), text, lang)
    assert penman.encode(graph, indent=None) == "(s / swim-01 :ARG0 (y / you) :frequency (a / amr-unknown))"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("(s / swim-01 :ARG0 (y / you) :frequency (a / amr-unknown))", "How often do you swim?"),
        ("(s / swim-01 :frequency (o / often))", "Do you often swim?"),
        ("(k / know-01 :ARG1 (s / swim-01 :frequency (o / often)))", "I know how often you swim."),
        ("(d / dog :frequency (o / often))", "How often dogs?"),
        ("(s / swim-01 :frequency (o / often))", "How often do you swim, and where?"),
    ],
)
def test_no_question_for_the_frequency(given: str, text: str) -> None:
    graph = penman.decode(given)
    assert with_asked_frequency(graph, text, "en") is graph

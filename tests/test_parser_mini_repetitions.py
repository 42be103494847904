"""How many times something happened."""

import penman
import pytest

from parser.mini.rules.repetitions import with_repetitions

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

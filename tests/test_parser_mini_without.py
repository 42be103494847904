"""Without negates the words after it."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.without import with_negated_absence


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "A man is riding a bike without a helmet."),
        ("de", "Ein Mann fährt ohne Helm Fahrrad."),
        ("fr", "Un homme fait du vélo sans casque."),
        ("es", "Un hombre monta en bicicleta sin casco."),
        ("it", "Un uomo va in bicicletta senza casco."),
        ("pt", "Um homem anda de bicicleta sem capacete."),
        ("nl", "Een man fietst zonder helm."),
        ("pl", "Mężczyzna jedzie na rowerze bez kasku."),
        ("ru", "Мужчина едет на велосипеде без шлема."),
        ("uk", "Чоловік їде на велосипеді без шолома."),
    ],
)
def test_the_parser_does_not_negate_the_verb(lang: str, text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    assert (parse.graph.top, ":polarity", "-") not in parse.graph.triples


def mend(text: str, lang: str, given: str, words: dict[str, str]) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_negated_absence(penman.decode(given), text, lang, spans), indent=None)


def test_the_highest_node_of_the_phrase_is_negated() -> None:
    given = "(g / go-02 :polarity - :ARG0 (h / he) :manner (e / eat-01 :ARG1 (b / breakfast)))"
    words = {"g": "went", "h": "He", "e": "eating", "b": "breakfast"}
    assert mend("He went without eating breakfast.", "en", given, words) == (
        "(g / go-02 :ARG0 (h / he) :manner (e / eat-01 :polarity - :ARG1 (b / breakfast)))"
    )


def test_a_frame_of_without_itself_is_negated() -> None:
    given = "(d / drink-01 :polarity - :ARG1 (c / coffee :ARG1-of (f / full-09 :ARG2 (s / sugar))))"
    words = {"d": "trinkt", "c": "Kaffee", "f": "ohne", "s": "Zucker"}
    assert mend("Er trinkt Kaffee ohne Zucker.", "de", given, words) == (
        "(d / drink-01 :ARG1 (c / coffee :ARG1-of (f / full-09 :polarity - :ARG2 (s / sugar))))"
    )


@pytest.mark.parametrize(
    ("lang", "text", "given", "words"),
    [
        ("en", "He did not go without her.", "(g / go-02 :polarity -)", {"g": "go"}),
        ("en", "Without her, he stays.", "(s / stay-01 :polarity -)", {"s": "stays"}),
        ("en", "Unhappy men live without her.", "(h / happy-01 :polarity -)", {"h": "Unhappy"}),
        ("de", "Sie geht ohne Hut.", "(g / go-02 :ARG1 (h / hat :polarity -))", {"g": "geht", "h": "Hut"}),
        ("pt", "Estado: Sem fundos.", "(f / fund-01 :polarity -)", {"f": "fundos"}),
        ("es", "Se fue sin llaves.", "(h / have-03 :polarity - :ARG1 (k / key))", {"k": "llaves"}),
    ],
)
def test_other_negations_stay(lang: str, text: str, given: str, words: dict[str, str]) -> None:
    assert mend(text, lang, given, words) == given


def test_a_time_after_the_phrase_is_not_what_is_lacking() -> None:
    graph = penman.decode(
        "(w / work-01 :polarity - :time (d / date-entity :month 3) :manner (y / yesterday))"
    )
    text = "Ha lavorato senza pausa il 2 marzo ieri."
    spans = {"w": (3, 11), "d": (24, 34), "y": (35, 39)}
    positive = penman.decode("(w / work-01 :time (d / date-entity :month 3) :manner (y / yesterday))")
    assert with_negated_absence(graph, text, "it", spans) == positive

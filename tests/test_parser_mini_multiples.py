"""Comparisons have their number of times."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.multiples import with_multiples


def mend(text: str, lang: str, given: str) -> str:
    return penman.encode(with_multiples(penman.decode(given), text, lang), indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "number"),
    [
        ("da", "Hunden er tre gange så tung som katten.", 3),
        ("de", "Der Hund ist dreimal so schwer wie die Katze.", 3),
        ("de", "Der Hund ist doppelt so schwer wie die Katze.", 2),
        ("en", "The dog is twenty times as heavy as the cat.", 20),
        ("en", "The dog is three times heavier than the cat.", 3),
        ("en", "The dog is twice as heavy.", 2),
        ("es", "El perro es tres veces más pesado que el gato.", 3),
        ("es", "El perro es el doble de pesado que el gato.", 2),
        ("fr", "Le chien est trois fois plus lourd que le chat.", 3),
        ("it", "Il cane è tre volte più pesante del gatto.", 3),
        ("nb", "Hunden er dobbelt så tung som katten.", 2),
        ("nl", "De hond is drie keer zo zwaar als de kat.", 3),
        ("pl", "Pies jest trzy razy cięższy niż kot.", 3),
        ("pt", "O cão é três vezes mais pesado do que o gato.", 3),
        ("ru", "Собака в три раза тяжелее кошки.", 3),
        ("sv", "Hunden är tre gånger så tung som katten.", 3),
        ("tr", "Köpek kediden üç kat daha ağır.", 3),
        ("uk", "Собака у три рази важча за кішку.", 3),
    ],
)
def test_the_degree_has_the_number(lang: str, text: str, number: int) -> None:
    right = f"(h / have-degree-91 :ARG1 (d / dog) :ARG3 (t / times :quant {number}))"
    assert mend(text, lang, "(h / have-degree-91 :ARG1 (d / dog) :ARG3 (e / equal))") == right
    given = f"(h / have-degree-91 :frequency {number} :ARG1 (d / dog) :ARG3 (m / more :quant {number}))"
    assert mend(text, lang, given) == right
    assert mend(text, lang, right) == right


def test_half_is_equal_by_half() -> None:
    given = "(h / have-degree-91 :ARG1 (b / box) :ARG2 (b2 / big) :ARG3 (e / equal))"
    assert mend("Die Kiste ist halb so groß.", "de", given) == (
        '(h / have-degree-91 :ARG1 (b / box) :ARG2 (b2 / big) :ARG3 (e / equal :quant "1/2"))'
    )


@pytest.mark.parametrize(
    ("lang", "text", "given"),
    [
        ("en", "It is as big.", "(h / have-degree-91 :ARG3 (e / equal))"),
        ("en", "It is twice as little.", "(h / have-degree-91 :ARG3 (m / more))"),
        ("en", "It is twice as often bigger.", "(h / have-degree-91 :ARG3 (m / more))"),
        ("en", "He came three times.", "(h / have-degree-91 :ARG3 (m / more))"),
        ("en", "It is twice as big and three times as old.", "(h / have-degree-91 :ARG3 (e / equal))"),
        ("en", "The 3 dogs are three times as big.", "(h / have-degree-91 :ARG3 (e / equal))"),
        ("en", "It is twice as big.", "(h / have-degree-91 :ARG3 (m / most))"),
        ("en", "It is twice as big.", "(h / have-degree-91 :ARG3 (m / more :quant 5))"),
        ("en", "It is twice as big.", "(l / long-03 :ARG2 (t / temporal-quantity :quant 2))"),
        ("fr", "Il gagne deux fois moins.", "(h / have-degree-91 :ARG3 (m / more))"),
        (
            "it",
            "È tre volte più grande.",
            "(h / have-degree-91 :ARG3 (m / more) :duration (t / temporal-quantity :quant 3))",
        ),
    ],
)
def test_other_graphs_stay(lang: str, text: str, given: str) -> None:
    assert mend(text, lang, given) == given


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Your house is three times as large as mine."),
        ("fr", "Mon chien est trois fois plus lourd que ton chat."),
    ],
)
def test_the_parser_writes_the_number(lang: str, text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    times = next(node for node, _, concept in parse.graph.instances() if concept == "times")
    assert (times, ":quant", "3") in parse.graph.triples

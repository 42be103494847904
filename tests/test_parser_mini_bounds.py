"""Bounds of numbers are those of the sentence."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.bounds import bounds_in, with_bounds

LESS = "(c / come-01 :ARG1 (p / person :quant (a / less-than :op1 5)))"
MOST = "(c / come-01 :ARG1 (p / person :quant (a / at-most :op1 5)))"
WRONG = "(c / come-01 :ARG1 (p / person :quant (a / at-least :op1 5)))"


def mend(text: str, lang: str, given: str) -> str:
    return penman.encode(with_bounds(penman.decode(given), text, lang), indent=None)


@pytest.mark.parametrize(
    ("lang", "less", "most"),
    [
        ("en", "Fewer than five people came.", "At most 5 people came."),
        ("de", "Weniger als fünf Leute kamen.", "Es kamen nicht mehr als 5 Leute."),
        ("fr", "Moins de cinq personnes sont venues.", "Au plus 5 personnes sont venues."),
        ("es", "Vinieron menos de cinco personas.", "Vinieron como máximo 5 personas."),
        ("it", "Sono venute meno di cinque persone.", "Sono venute al massimo 5 persone."),
        ("pt", "Menos de cinco pessoas vieram.", "No máximo 5 pessoas vieram."),
        ("nl", "Er kwamen minder dan vijf mensen.", "Er kwamen hoogstens 5 mensen."),
        ("pl", "Przyszło mniej niż pięć osób.", "Przyszło co najwyżej 5 osób."),
        ("ru", "Пришло меньше 5 человек.", "Пришло не более 5 человек."),
        ("uk", "Прийшло менше 5 людей.", "Прийшло щонайбільше 5 людей."),
        ("tr", "5'ten az kişi geldi.", "En fazla 5 kişi geldi."),
        ("zh", "不到五个人来了。", "最多5个人来了。"),
        ("ja", "5人未満が来た。", "最大5人が来た。"),
        ("ko", "5명 미만이 왔다.", "최대 5명이 왔다."),
    ],
)
def test_less_and_at_most_are_not_their_opposite(lang: str, less: str, most: str) -> None:
    assert mend(less, lang, WRONG) == LESS
    assert mend(most, lang, WRONG) == MOST
    (parse,) = load_mini().parse([Sentence("1", less, lang)])
    assert "less-than" in {target for _, _, target in parse.graph.instances()}


def test_up_to_is_one_bound_with_at_most() -> None:
    given = "(c / come-01 :ARG1 (p / person :quant (a / up-to :op1 5)))"
    assert mend("Es kamen höchstens 5 Leute.", "de", given) == MOST
    assert mend("Es kamen bis zu 5 Leute.", "de", given) == given


def test_a_missing_bound_is_written_around_its_number_or_quantity() -> None:
    given = "(w / wait-01 :duration (t / temporal-quantity :quant 5 :unit (h / hour)))"
    expected = "(w / wait-01 :duration (a / at-most :op1 (t / temporal-quantity :quant 5 :unit (h / hour))))"
    assert mend("Nous avons attendu au plus 5 heures.", "fr", given) == expected
    assert mend("Environ 50 livres", "fr", "(b / book :quant 50)") == "(b / book :quant (a / about :op1 50))"


@pytest.mark.parametrize(
    ("lang", "text", "given"),
    [
        ("en", "At least you bought 5 books.", "(b / book :quant 5)"),
        ("en", "More than 5 of 5 books", "(a / and :op1 (b / book :quant 5) :op2 (c / book :quant 5))"),
        ("en", "Over 5 men came.", WRONG),
        ("ru", "около 5 домов", "(h / house :quant (a / around :op1 5))"),
        ("ja", "5人以上が来た。", "(p / person :quant (m / more-than :op1 5))"),
    ],
)
def test_other_graphs_stay(lang: str, text: str, given: str) -> None:
    graph = penman.decode(given)
    assert with_bounds(graph, text, lang) is graph


def test_not_more_than_beside_a_negation_is_more_than() -> None:
    given = "(h / have-03 :polarity - :ARG1 (e / euro :quant (m / more-than :op1 5)))"
    graph = penman.decode(given)
    assert with_bounds(graph, "Il n'a pas plus de 5 euros.", "fr") is graph


def test_bounds_of_fractions_and_money() -> None:
    assert [
        tuple(bound) for bound in bounds_in("More than half, at least two thirds, less than $50", "en")
    ] == [
        ("at-least", '"2/3"'),
        ("less-than", "50"),
    ]


def test_an_amount_is_not_written_beside_its_bound() -> None:
    graph = penman.decode("(p / pill :quant 2 :quant (m / more-than :op1 2))")
    assert with_bounds(graph, "Take pills.", "en") == penman.decode(
        "(p / pill :quant (m / more-than :op1 2))"
    )
    other = penman.decode("(p / pill :quant 3 :quant (m / more-than :op1 2))")
    assert with_bounds(other, "Take pills.", "en") is other


def test_a_number_beside_its_bound_is_bound() -> None:
    given = penman.decode("(w / work-01 :ARG0 (m / man :quant 15 :quant (m2 / more-than :op1 15)))")
    graph = with_bounds(given, "Am 4. Juli arbeiteten höchstens 15 Männer.", "de")
    assert penman.encode(graph, indent=None) == "(w / work-01 :ARG0 (m / man :quant (m2 / at-most :op1 15)))"


def test_a_bound_beside_a_number_written_twice_is_corrected() -> None:
    graph = penman.decode(
        "(c / come-01 :ARG1 (p / person :quant (a / at-least :op1 5)) :ARG4 (p2 / person :quant 5))"
    )
    mended = with_bounds(graph, "Przyszło mniej niż 5 osób.", "pl")
    assert ("a", ":instance", "less-than") in mended.triples
    assert ("p2", ":quant", "5") in mended.triples
    # two bounds of the same number: which is which is not clear
    text = "Od mniej niż 5 do więcej niż 5 osób."
    assert with_bounds(graph, text, "pl") is graph

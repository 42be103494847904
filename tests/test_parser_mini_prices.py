"""Prices per amount are rates."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.prices import with_prices


def mend(text: str, lang: str, given: str) -> str:
    return penman.encode(with_prices(penman.decode(given), text, lang), indent=None)


def price(quantity: str, unit: str, variables: str) -> str:
    amount, noun = variables
    return (
        "(c / cost-01 :ARG2 (r / rate-entity-91 :ARG1 (q / monetary-quantity :quant 3 :unit (e / euro))"
        f" :ARG2 ({amount} / {quantity} :quant 1 :unit ({noun} / {unit}))))"
    )


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Bread costs 3 euros per kilo."),
        ("en", "Bread costs 3 euros a kilogram."),
        ("de", "Brot kostet 3 Euro pro Kilo."),
        ("de", "Brot kostet drei Euro das Kilo."),
        ("es", "El pan cuesta 3 euros el kilo."),
        ("fr", "Le pain coûte 3 euros le kilo."),
        ("it", "Il pane costa 3 euro al chilo."),
        ("nl", "Brood kost 3 euro per kilo."),
        ("pl", "Chleb kosztuje 3 euro za kilogram."),
        ("pt", "O pão custa 3 euros por quilo."),
        ("ru", "Хлеб стоит 3 евро за килограмм."),
        ("sv", "Brödet kostar 3 euro per kilo."),
        ("uk", "Хліб коштує 3 євро за кілограм."),
    ],
)
def test_a_price_has_its_amount(lang: str, text: str) -> None:
    given = "(c / cost-01 :ARG2 (q / monetary-quantity :quant 3 :unit (e / euro)))"
    assert mend(text, lang, given) == price("mass-quantity", "kilogram", "mk")


@pytest.mark.parametrize("role", [":frequency (f / rate-entity-91 :ARG3 {})", ":duration {}", ":time {}"])
def test_a_period_is_that_of_the_price(role: str) -> None:
    period = role.format("(p / temporal-quantity :quant 1 :unit (h / hour))")
    given = f"(c / cost-01 :ARG2 (q / monetary-quantity :quant 3 :unit (e / euro)) {period})"
    assert mend("Das kostet 3 Euro pro Stunde.", "de", given) == price("temporal-quantity", "hour", "th")


def test_a_bound_stays_around_the_sum() -> None:
    given = "(p / pay-01 :ARG1 (a / about :op1 (m / monetary-quantity :quant 5 :unit (d / dollar))))"
    assert mend("It pays about 5 dollars a day.", "en", given) == (
        "(p / pay-01 :ARG1 (r / rate-entity-91 :ARG1 (a / about :op1 (m / monetary-quantity :quant 5"
        " :unit (d / dollar))) :ARG2 (t / temporal-quantity :quant 1 :unit (d2 / day))))"
    )


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "He paid 5 dollars a week ago."),
        ("en", "He paid 5 dollars a man."),
        ("en", "It costs 5 dollars a kilo or 7 dollars a pound."),
        ("en", "The car drives 5 miles per hour."),
        ("es", "Costó 5 dólares el año pasado."),
        ("it", "Pagano 5 dollari per l'invasione."),
        ("pl", "To kosztuje 5 dolarów na lata 2004-05."),
    ],
)
def test_other_sentences_stay(lang: str, text: str) -> None:
    given = "(c / cost-01 :ARG2 (m / monetary-quantity :quant 5 :unit (d / dollar)))"
    assert mend(text, lang, given) == given


def test_a_rate_stays() -> None:
    given = (
        "(r / rate-entity-91 :ARG1 (m / monetary-quantity :quant 5 :unit (d / dollar))"
        " :ARG2 (t / temporal-quantity :quant 1 :unit (d2 / day)))"
    )
    assert mend("5 dollars a day.", "en", given) == given


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "Gold rose to 1,200 dollars an ounce."), ("fr", "L'or est monté à 1200 dollars l'once.")],
)
def test_the_parser_writes_the_rate(lang: str, text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    concepts = {str(concept) for _, _, concept in parse.graph.instances()}
    assert {"rate-entity-91", "monetary-quantity", "mass-quantity", "ounce"} <= concepts

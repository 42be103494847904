"""parser.mini.rules.hundreds: hundreds of people, a dozen eggs."""

import penman
import pytest

from parser.mini.rules.hundreds import with_hundreds


def changed(quantity: str, text: str, lang: str) -> str:
    """Return the changed quantity of people."""
    graph = penman.decode(f"(c / come-01 :ARG1 (p / person :quant {quantity}))")
    mended = penman.encode(with_hundreds(graph, text, lang), indent=None)
    return mended.removeprefix("(c / come-01 :ARG1 (p / person :quant ").removesuffix("))")


@pytest.mark.parametrize(
    "quantity", ["(m / multiple :op1 12)", "(m / hundred :op1 100 :mod (o / one))", "(m / lot)"]
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Hundreds of people came.", "en"),
        ("Cientos de personas vinieron.", "es"),
        ("Centinaia di persone sono venute.", "it"),
        ("Yüzlerce insan geldi.", "tr"),
        ("数百人来了。", "zh"),
        ("Пришли сотни людей.", "ru"),
    ],
)
def test_hundreds(quantity: str, text: str, lang: str) -> None:
    assert changed(quantity, text, lang) == "(m / multiple :op1 100)"


@pytest.mark.parametrize(
    ("text", "lang"), [("A dozen people came.", "en"), ("Une douzaine de personnes sont venues.", "fr")]
)
def test_a_dozen(text: str, lang: str) -> None:
    assert changed("(d / dozen :op1 12)", text, lang) == "12"
    assert changed("(a / about :op1 (d / dozen))", text, lang) == "(a / about :op1 12)"


@pytest.mark.parametrize(
    ("quantity", "text", "lang"),
    [
        ("(m / multiple :op1 100)", "Hundreds of people came.", "en"),
        ("(m / multiple :op1 12)", "Many people came.", "en"),
        ("(m / multiple :op1 12)", "Hundreds or thousands came.", "en"),
        ("(m / many)", "Hundreds of people came.", "en"),
        ("(m / multiple :op1 500)", "数百人来了500次。", "zh"),
    ],
)
def test_other_quantities_stay(quantity: str, text: str, lang: str) -> None:
    graph = penman.decode(f"(c / come-01 :ARG1 (p / person :quant {quantity}))")
    assert with_hundreds(graph, text, lang) is graph

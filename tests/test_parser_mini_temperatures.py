"""Temperatures have their sign and scale."""

import penman
import pytest

from parser.mini.rules.temperatures import temperatures_in, with_temperatures

FALL = "(f / fall-01 :ARG4 (d / temperature-quantity :quant -12))"


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "It fell to 12 degrees below zero."),
        ("de", "Sie fiel auf minus zwölf Grad."),
        ("fr", "Elle est tombée à moins douze degrés."),
        ("es", "Bajó a doce grados bajo cero."),
        ("it", "È scesa a meno dodici gradi."),
        ("pt", "Caiu para -12 graus."),
        ("ru", "Она упала до минус двенадцати градусов."),
        ("uk", "Вона впала до мінус 12 градусів."),
        ("tr", "Eksi on iki dereceye düştü."),
        ("zh", "降到零下十二度。"),
        ("ja", "マイナス12度に下がった。"),
    ],
)
def test_a_negative_temperature(lang: str, text: str) -> None:
    given = "(f / fall-01 :ARG4 (d / distance-quantity :quant 12 :unit (i / inch)))"
    assert penman.encode(with_temperatures(penman.decode(given), text, lang), indent=None) == FALL


def test_a_percentage_with_a_scale_is_a_temperature() -> None:
    given = "(f / fall-01 :ARG4 (p / percentage-entity :value -12))"
    assert penman.encode(
        with_temperatures(penman.decode(given), "It fell to -12 °C.", "en"), indent=None
    ) == ("(f / fall-01 :ARG4 (p / temperature-quantity :quant -12 :scale (c / celsius)))")


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Turn it by 90 degrees.", "(t / turn-01 :ARG2 (d / distance-quantity :quant 90 :unit (i / inch)))"),
        ("-5 °C and 5 °C", "(a / and :op1 (d / distance-quantity :quant 5 :unit (i / inch)))"),
        ("At -5 °C 5 men came.", "(c / come-01 :ARG1 (m / man :quant 5))"),
    ],
)
def test_other_graphs_stay(text: str, given: str) -> None:
    graph = penman.decode(given)
    assert with_temperatures(graph, text, "en") is graph


def test_fahrenheit_is_no_celsius() -> None:
    assert [t.scale for t in temperatures_in("at 350 °F, 20 degrees Celsius", "en")] == [
        "fahrenheit",
        "celsius",
    ]

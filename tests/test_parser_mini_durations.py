"""parser.mini.rules.durations: how long something lasts."""

import penman
import pytest

from parser.mini.rules.durations import with_durations


def changed(graph: str, text: str, lang: str) -> str:
    """Return the changed graph in one line."""
    return penman.encode(with_durations(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("I need a room for four nights.", "en"),
        ("Il me faut une chambre pour quatre nuits.", "fr"),
        ("Una camera per quattro notti.", "it"),
        ("Ein Zimmer für 4 Nächte.", "de"),
        ("Dört gece için bir oda.", "tr"),
        ("住四晚的房间。", "zh"),
    ],
)
def test_nights_are_no_rate(text: str, lang: str) -> None:
    quantity = "(t / temporal-quantity :quant 4 :unit (n / night))"
    rate = f"(r / room :frequency (r2 / rate-entity-91 :ARG3 {quantity}))"
    assert changed(rate, text, lang) == f"(r / room :duration {quantity})"


@pytest.mark.parametrize(
    ("text", "lang"),
    [("por cuatro noches", "es"), ("на четыре ночи", "ru"), ("por quatro noites", "pt"), ("4 nachten", "nl")],
)
@pytest.mark.parametrize("more", ["", " :mod (t / today)"])
def test_nights_are_no_part_of_a_date(text: str, lang: str, more: str) -> None:
    graph = f"(r / room :time (d / date-entity :dayperiod (n / night :quant 4){more}))"
    assert (
        changed(graph, text, lang)
        == "(r / room :duration (d / temporal-quantity :unit (n / night) :quant 4))"
    )


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Il tousse depuis trois jours.", "fr"),
        ("Er hustet seit drei Tagen.", "de"),
        ("Tose desde hace tres días.", "es"),
        ("Он кашляет уже 3 дня.", "ru"),
    ],
)
def test_days_are_no_age(text: str, lang: str) -> None:
    days = "(t / temporal-quantity :quant 3 :unit (d / day))"
    graph = f"(c / cough-01 :ARG0 (h / he :age {days}))"
    assert changed(graph, text, lang) == f"(c / cough-01 :ARG0 (h / he) :duration {days})"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        # a rate, one period, an age, a date with more, two times
        (
            "(c / call-02 :frequency (r / rate-entity-91 :ARG3"
            " (t / temporal-quantity :quant 3 :unit (d / day))))",
            "She calls every three days.",
            "en",
        ),
        (
            "(c / call-02 :frequency (r / rate-entity-91 :ARG3"
            " (t / temporal-quantity :quant 1 :unit (d / day))))",
            "Er ruft einen Tag lang.",
            "de",
        ),
        (
            "(s / sleep-01 :ARG0 (b / baby :age (t / temporal-quantity :quant 3 :unit (d / day))))",
            "Das drei Tage alte Baby schläft.",
            "de",
        ),
        (
            "(r / room :time (d / date-entity :month 5 :dayperiod (n / night :quant 4)))",
            "four nights in May",
            "en",
        ),
        (
            "(c / call-02 :frequency (r / rate-entity-91 :ARG3"
            " (t / temporal-quantity :quant 3 :unit (d / day))))",
            "three days and two weeks",
            "en",
        ),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    assert changed(graph, text, lang) == graph

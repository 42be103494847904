"""Rates have the number of times, and recurring weekdays the day."""

import penman
import pytest

from parser.mini.rules.rates import with_rates


def rate(rest: str) -> str:
    return f"(c / call-02 :frequency (r / rate-entity-91 {rest}))"


def period(number: int, unit: str = "(u / day)") -> str:
    return f"(t / temporal-quantity :quant {number} :unit {unit})"


def mend(text: str, lang: str, given: str) -> str:
    return penman.encode(with_rates(penman.decode(given), text, lang), indent=None)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "He calls three times a day."),
        ("de", "Er ruft dreimal am Tag an."),
        ("fr", "Il appelle trois fois par jour."),
        ("es", "Llama tres veces al día."),
        ("it", "Chiama tre volte al giorno."),
        ("pt", "Ele liga três vezes por dia."),
        ("nl", "Hij belt drie keer per dag."),
        ("ru", "Он звонит три раза в день."),
        ("uk", "Він дзвонить три рази на день."),
    ],
)
def test_times_in_a_day(lang: str, text: str) -> None:
    right = rate(f":ARG1 3 :ARG2 {period(1)}")
    assert mend(text, lang, rate(f":ARG3 {period(3)}")) == right
    assert mend(text, lang, rate(f":ARG3 {period(1)}")) == right
    assert mend(text, lang, f"(c / call-02 :duration {period(3)})") == right


def test_twice_a_week() -> None:
    expected = rate(f":ARG1 2 :ARG2 {period(1, '(u / week)')}")
    assert mend("He calls twice a week.", "en", rate(f":ARG3 {period(1)}")) == expected


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "He calls every Monday."),
        ("de", "Er ruft jeden Montag an."),
        ("ru", "Он звонит каждый понедельник."),
        ("zh", "他每周一打电话。"),
    ],
)
def test_a_weekday_recurs(lang: str, text: str) -> None:
    expected = rate(":ARG4 (d / date-entity :weekday (m / monday))")
    assert mend(text, lang, rate(f":ARG3 {period(1)}")) == expected


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("He calls every three days.", rate(f":ARG3 {period(3)}")),
        ("He calls every day since Monday.", rate(f":ARG3 {period(1)}")),
        ("Three times he called for 2 days.", f"(c / call-02 :duration {period(2)})"),
        ("He calls three times a day.", rate(f":ARG1 5 :ARG2 {period(1)}")),
    ],
)
def test_other_rates_stay(text: str, given: str) -> None:
    graph = penman.decode(given)
    assert with_rates(graph, text, "en") is graph

"""An exception from all does not take part."""

import penman
import pytest

from parser.mini.rules.exceptions import with_exceptions


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_exceptions(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "word", "cook"),
    [
        ("Everybody sang except the cook.", "en", "except", "cook"),
        ("Alle außer dem Koch sangen.", "de", "außer", "Koch"),
        ("Todos cantaron excepto el cocinero.", "es", "excepto", "cocinero"),
        ("Wszyscy śpiewali oprócz kucharza.", "pl", "oprócz", "kucharza"),
        ("Все пели, кроме повара.", "ru", "кроме", "повара"),
    ],
)
@pytest.mark.parametrize(
    "exception",
    [
        "(p / person :mod (e / every)) :ARG4 (c / cook)",
        "(p / person :mod (e / every)) :mod (o / only) :time (c / cook)",
        "(p / person :mod (e / every)) :ARG1-of (o / cause-01 :ARG0 (c / cook))",
        "(p / person :mod (e / every) :ARG1-of (o / include-91 :ARG2 (c / cook) :ARG3 (m / more)))",
    ],
)
def test_another_participant_becomes_an_exception(
    text: str, lang: str, word: str, cook: str, exception: str
) -> None:
    mended = "(s / sing-01 :ARG0 (p / person :mod (e / every) :ARG2-of (e2 / except-01 :ARG1 (c / cook))))"
    spans = {"c": cook} | ({"o": word} if "(o /" in exception else {})
    assert _mended(f"(s / sing-01 :ARG0 {exception})", text, lang, **spans) == mended


def test_a_lost_weekday_is_an_exception_from_every_day() -> None:
    every_day = "(r / rate-entity-91 :ARG3 (t / temporal-quantity :quant 1 :unit (d / day))"
    graph = f"(o / open-01 :frequency {every_day}) :time (d2 / date-entity :weekday (t2 / tuesday)))"
    exception = ":ARG2-of (e / except-01 :ARG1 (d2 / date-entity :weekday (t2 / tuesday)))"
    mended = f"(o / open-01 :frequency {every_day} {exception}))"
    text = "Die Praxis ist jeden Tag außer Dienstag geöffnet."
    assert _mended(graph, text, "de", o="geöffnet", r="jeden", d="Tag") == mended


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        # nothing is said of all
        ("(s / sing-01 :ARG0 (p / person) :ARG4 (c / cook))", "People sang except the cook."),
        ("(s / sing-01 :ARG0 (p / person :mod (e / every)) :ARG4 (c / cook))", "All sang for the cook."),
        # a property is no participant
        ("(s / sing-01 :ARG0 (p / person :mod (e / every) :mod (c / cook)))", "Everybody sang except cook."),
        # two nodes for all
        ("(s / sing-01 :ARG0 (p / person :mod (e / every)) :ARG1 (e2 / everything) :ARG4 (c / cook))",
         "Everybody sang everything except the cook."),
        # the exception is lost; other arguments of the verb are not exceptions
        ("(k / know-01 :ARG0 (p / person :mod (e / every)) :ARG1 (c / cook))",
         "Everybody except Tom knew the cook."),
        ("(s / sing-01 :ARG0 (p / person :mod (e / every)))", "Everybody sang except the cook."),
    ],
)  # fmt: skip
def test_other_graphs_stay(graph: str, text: str) -> None:
    words = {"c": "cook"} if "(c /" in graph else {}
    words |= {"k": "knew"} if "(k /" in graph else {}
    assert _mended(graph, text, "en", **words) == penman.encode(penman.decode(graph), indent=None)

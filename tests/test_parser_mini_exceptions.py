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


EVERY_DAY = "(r / rate-entity-91 :ARG3 (t / temporal-quantity :quant 1 :unit (d / day)){})"
MONDAY = " :ARG2-of (e / except-01 :ARG1 (d2 / date-entity :weekday (m / monday)))"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("We are open daily except Monday.", "en"), ("Wir haben täglich außer Montag geöffnet.", "de"),
        ("Открыто каждый день, кроме понедельника.", "ru"), ("Otwarte codziennie oprócz poniedziałku.", "pl"),
        ("Vi har öppet alla dagar utom måndag.", "sv"), ("Abre todos os dias exceto segunda-feira.", "pt"),
    ],
)  # fmt: skip
def test_a_weekday_is_excepted_from_every_day_whichever_is_lost(text: str, lang: str) -> None:
    mended = f"(o / open-01 :frequency {EVERY_DAY.format(MONDAY)})"
    lost_day = f"(o / open-01 :frequency {EVERY_DAY.format('')})"
    assert _mended(lost_day, text, lang) == mended
    lost_all = "(o / open-01 :time (d2 / date-entity :weekday (m / monday)))"
    found = penman.decode(_mended(lost_all, text, lang))
    assert sorted(str(concept) for _, _, concept in found.instances()) == sorted(
        str(concept) for _, _, concept in penman.decode(mended).instances()
    )
    (exception,) = (node for node, _, concept in found.instances() if concept == "except-01")
    concepts = {node: concept for node, _, concept in found.instances()}
    assert [concepts[edge.target] for edge in found.edges(exception, ":ARG1")] == ["date-entity"]
    assert [concepts[edge.target] for edge in found.edges(exception, ":ARG2")] == ["rate-entity-91"]


@pytest.mark.parametrize(
    ("text", "lang", "all_of", "wine"),
    [
        ("Tutto era economico tranne il vino.", "it", "Tutto", "vino"),
        ("Tudo era barato exceto o vinho.", "pt", "Tudo", "vinho"),
        ("Усе було дешевим, крім вина.", "uk", "Усе", "вина"),
    ],
)
def test_all_is_not_compared_with_the_exception(text: str, lang: str, all_of: str, wine: str) -> None:
    graph = "(h / have-degree-91 :ARG1 (i / it) :ARG2 (c / cheap-02) :ARG3 (m / more) :ARG4 (w / wine))"
    mended = "(c / cheap-02 :ARG1 (i / everything :ARG2-of (e / except-01 :ARG1 (w / wine))))"
    assert _mended(graph, text, lang, i=all_of, w=wine) == mended
    same = graph.replace("(i / it)", "(i / everything)")
    assert _mended(same, "Everything was cheaper than the wine.", "en", i="Everything", w="wine") == same


def test_an_exception_without_a_word_is_the_only_node_without_one() -> None:
    graph = "(s / sleep-01 :ARG0 (a / animal :mod (a2 / all)) :ARG2 (d / dog))"
    mended = "(s / sleep-01 :ARG0 (a / animal :mod (a2 / all) :ARG2-of (e / except-01 :ARG1 (d / dog))))"
    text = "Все животные спали, кроме собаки."
    assert _mended(graph, text, "ru", s="спали", a="животные", a2="Все") == mended

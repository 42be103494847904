"""To recommend is not that one should suggest."""

import penman
import pytest

from parser.mini.rules.recommendations import with_one_recommendation

ONCE = "(s / recommend-01 :polarity - :ARG0 (i / i) :ARG1 (h / hotel))"
TWICE = "(r / recommend-01 :ARG1 (s / suggest-01 :polarity - :ARG0 (i / i) :ARG1 (h / hotel)))"


@pytest.mark.parametrize("concept", ["suggest-01", "advise-01", "recommend-01"])
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Ich empfehle das Hotel nicht.", "de"), ("I would not recommend this hotel.", "en"),
        ("No recomiendo este hotel.", "es"), ("Je ne recommande pas cet hôtel.", "fr"),
        ("Non consiglio questo albergo.", "it"), ("Ik raad dit hotel niet aan.", "nl"),
        ("Nie polecam tego hotelu.", "pl"), ("Não recomendo este hotel.", "pt"),
        ("Я не рекомендую этот отель.", "ru"), ("Jag rekommenderar inte hotellet.", "sv"),
        ("Bu oteli tavsiye etmem.", "tr"), ("我不推荐这家酒店。", "zh"),
    ],
)  # fmt: skip
def test_one_recommendation(concept: str, text: str, lang: str) -> None:
    given = penman.decode(TWICE.replace("suggest-01", concept))
    assert penman.encode(with_one_recommendation(given, text, lang), indent=None) == ONCE


def test_what_is_said_of_the_outer_one_stays() -> None:
    given = "(k / know-01 :ARG1 (r / recommend-01 :polarity - :ARG0 (i / i) :ARG1 (s / suggest-01 :ARG0 i)))"
    graph = with_one_recommendation(penman.decode(given), "You know that I do not recommend it.", "en")
    assert (
        penman.encode(graph, indent=None)
        == "(k / know-01 :ARG1 (s / recommend-01 :polarity - :ARG0 (i / i)))"
    )


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (ONCE, "I do not recommend this hotel.", "en"),
        (TWICE, "You should recommend this hotel.", "en"),
        (TWICE, "We suggest this hotel.", "en"),
        (TWICE, "I recommend what you recommend.", "en"),
        (TWICE, "I recommend it.", "xx"),
        ("(r / recommend-01 :ARG1 (v / visit-01))", "I recommend a visit.", "en"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_one_recommendation(given, text, lang) is given

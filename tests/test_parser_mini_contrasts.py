"""*Tea, not coffee*: coffee is negated, and nothing before it."""

import penman
import pytest

from parser.mini.rules.contrasts import with_contrasts

TEA = "(o / order-01{} :ARG0 (i / i) :ARG1 (a / and :op1 (t / tea) :op2 (c / coffee{})))"
RIGHT = TEA.format("", " :polarity -")


def _mended(graph: str, text: str, lang: str = "en", **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_contrasts(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize("main", ["", " :polarity -"])
@pytest.mark.parametrize("coffee_is", ["", " :polarity -"])
@pytest.mark.parametrize(
    ("text", "lang", "tea", "coffee"),
    [
        ("Ich bestellte Tee, nicht Kaffee.", "de", "Tee", "Kaffee"),
        ("Ich bestellte Tee, keinen Kaffee.", "de", "Tee", "Kaffee"),
        ("I ordered tea, not coffee.", "en", "tea", "coffee"),
        ("I ordered tea, and not any coffee.", "en", "tea", "coffee"),
        ("Pedí té, no café.", "es", "té", "café"), ("J'ai pris du thé, pas du café.", "fr", "thé", "café"),
        ("Ho ordinato tè, non caffè.", "it", "tè", "caffè"),
        ("Ik nam thee, geen koffie.", "nl", "thee", "koffie"),
        ("Zamówiłem herbatę, a nie kawę.", "pl", "herbatę", "kawę"),
        ("Eu pedi chá, não café.", "pt", "chá", "café"),
        ("Я заказал чай, а не кофе.", "ru", "чай", "кофе"), ("Jag tog te, inte kaffe.", "sv", "te", "kaffe"),
    ],
)  # fmt: skip
def test_only_what_is_rejected_is_negated(
    main: str, coffee_is: str, text: str, lang: str, tea: str, coffee: str
) -> None:
    assert _mended(TEA.format(main, coffee_is), text, lang, t=tea, c=coffee) == RIGHT


def test_what_is_lost_negates_nothing() -> None:
    given = "(d / doctor :polarity - :domain (h / he))"
    mended = _mended(given, "He is a doctor, not a nurse.", d="doctor", h="He")
    assert mended == "(d / doctor :domain (h / he))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (RIGHT, "I ordered tea, not coffee.", "en"),
        (TEA.format(" :polarity -", ""), "I did not order tea, not even coffee.", "en"),
        (TEA.format(" :polarity -", ""), "I never order tea, not coffee.", "en"),  # another negation
        (TEA.format(" :polarity -", ""), "I do not order tea and coffee.", "en"),
        (TEA.format("", ""), "I order tea, not what you and she and I call coffee.", "en"),  # too long
        (TEA.format("", ""), "Du magst Tee und coffee, nicht wahr?", "de"),
        (TEA.format("", ""), "Today, tea, not coffee.", "en"),
        (TEA.format("", ""), "I order tea, not coffee.", "xx"),
        ("(c / coffee :mod (t / tea))", "tea, not coffee", "en"),
    ],
)
def test_other_sentences_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    spans = {"c": (text.index("coffee"), text.index("coffee") + 6)}
    assert with_contrasts(given, text, lang, spans) is given

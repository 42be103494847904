"""Times and places in a relative clause belong to its verb."""

import penman
import pytest

from parser.mini.rules.relative_clauses import with_relative_clauses

GIVEN = "(b / break-01 :ARG1 (l / lamp :ARG1-of (o / order-01)) :time (y / yesterday))"
MENDED = "(b / break-01 :ARG1 (l / lamp :ARG1-of (o / order-01 :time (y / yesterday))))"


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_relative_clauses(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "lamp", "ordered", "yesterday", "broken"),
    [
        ("Lampen, der blev bestilt i går, gik itu.", "da", "Lampen", "bestilt", "i går", "itu"),
        (
            "Die Lampe, die ich gestern bestellte, ist kaputt.",
            "de",
            "Lampe",
            "bestellt",
            "gestern",
            "kaputt",
        ),
        ("The lamp that I ordered yesterday is broken.", "en", "lamp", "ordered", "yesterday", "broken"),
        ("La lámpara que pedí ayer está rota.", "es", "lámpara", "pedí", "ayer", "rota"),
        ("La lampe que j'ai commandée hier est cassée.", "fr", "lampe", "commandée", "hier", "cassée"),
        ("La lampada che ho ordinato ieri è rotta.", "it", "lampada", "ordinato", "ieri", "rotta"),
        ("昨日注文したランプが壊れている。", "ja", "ランプ", "注文", "昨日", "壊れ"),
        ("De lamp die ik gisteren bestelde is kapot.", "nl", "lamp", "bestelde", "gisteren", "kapot"),
        ("Lampa, którą zamówiłem wczoraj, zepsuła się.", "pl", "Lampa", "zamówiłem", "wczoraj", "zepsuła"),
        ("A lâmpada que pedi ontem está quebrada.", "pt", "lâmpada", "pedi", "ontem", "quebrada"),
        ("Лампа, которую я заказал вчера, сломалась.", "ru", "Лампа", "заказал", "вчера", "сломалась"),
        ("Lampan som jag beställde i går är trasig.", "sv", "Lampan", "beställde", "i går", "trasig"),
        ("Dün sipariş ettiğim lamba bozuldu.", "tr", "lamba", "sipariş", "Dün", "bozuldu"),
        ("我昨天订的灯坏了。", "zh", "灯", "订", "昨天", "坏"),
    ],
)
def test_languages(text: str, lang: str, lamp: str, ordered: str, yesterday: str, broken: str) -> None:
    words = {"l": lamp, "o": ordered, "y": yesterday, "b": broken}
    assert _mended(GIVEN, text, lang, **words) == MENDED


def test_a_main_verb_without_a_place_is_last() -> None:
    words = {"l": "lamp", "o": "ordered", "y": "yesterday"}
    assert _mended(GIVEN, "The lamp that I ordered yesterday is broken.", "en", **words) == MENDED


@pytest.mark.parametrize("role", [":duration", ":location"])
def test_places_and_durations(role: str) -> None:
    given, mended = GIVEN.replace(":time", role), MENDED.replace(":time", role)
    words = {"l": "lamp", "o": "ordered", "y": "Rome", "b": "broken"}
    assert _mended(given, "The lamp ordered in Rome is broken.", "en", **words) == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (GIVEN, "The lamp I ordered broke yesterday.", "en"),
        (GIVEN, "Yesterday the lamp I ordered broke.", "en"),
        (GIVEN, "The lamp I ordered, yesterday broke.", "en"),
        (GIVEN, "The lamp I ordered is yesterday broke.", "en"),  # behind the finite verb
        (GIVEN, "Die lamp, die ich ordered, ist yesterday broke.", "de"),  # behind the comma
        (GIVEN, "lamp ordered yesterday broke", "xx"),
        (GIVEN.replace("yesterday", "already"), "The lamp I ordered yesterday broke.", "en"),
        (GIVEN.replace("order-01", "order-01 :time (n / now)"), "The lamp I ordered yesterday broke.", "en"),
        (GIVEN.replace(":ARG1-of", ":mod"), "The lamp I ordered yesterday broke.", "en"),
        (GIVEN.replace("order-01", "have-rel-role-91"), "The lamp I ordered yesterday broke.", "en"),
        (GIVEN, "ordered lampは yesterdayは broke.", "ja"),
    ],
)
def test_other_times_stay(graph: str, text: str, lang: str) -> None:
    words = {"l": "lamp", "o": "ordered", "y": "esterday", "b": "broke"}
    assert _mended(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)

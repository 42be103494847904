"""The noun before *where* is the place."""

import penman
import pytest

from parser.mini.rules.where import with_relative_places


def _spans(text: str, **words: str) -> dict[str, tuple[int, int]]:
    return {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}


@pytest.mark.parametrize("role", [":ARG0-of", ":ARG1-of"])
@pytest.mark.parametrize(
    ("text", "lang", "shop", "buy"),
    [
        ("der Laden, wo ich kaufe", "de", "Laden", "kaufe"), ("the shop where I buy", "en", "shop", "buy"),
        ("le magasin où j'achète", "fr", "magasin", "achète"),
        ("de winkel waar ik koop", "nl", "winkel", "koop"),
        ("магазин, где я покупаю", "ru", "магазин", "покупаю"),
        ("butiken där jag köper", "sv", "butiken", "köper"),
        ("магазин, де я купую", "uk", "магазин", "купую"),
    ],
)  # fmt: skip
def test_the_pronoun_behind_it_is_the_subject(role: str, text: str, lang: str, shop: str, buy: str) -> None:
    graph = penman.decode(f"(s / shop {role} (b / buy-01 :ARG3 (c / coat)))")
    mended = with_relative_places(graph, text, lang, _spans(text, s=shop, b=buy))
    assert penman.encode(mended, indent=None) == (
        "(s / shop :location-of (b / buy-01 :ARG3 (c / coat) :ARG0 (i / i)))"
    )


@pytest.mark.parametrize(
    ("given", "text", "mended"),
    [
        ("(c / city :ARG0-of (e / work-01 :ARG1 (s / she)))", "the city where she works",
         "(c / city :location-of (e / work-01 :ARG0 (s / she)))"),
        ("(c / city :ARG0-of (e / stay-01 :ARG1 (w / we)))", "the city where we works",
         "(c / city :location-of (e / stay-01 :ARG1 (w / we)))"),
        ("(c / city :poss (i / i) :ARG1-of (e / bear-02))", "the city where I works",
         "(c / city :location-of (e / bear-02 :ARG1 (i / i)))"),
        ("(c / city :ARG0-of (e / work-01 :ARG1 (d / dog)))", "the city where dogs works",
         "(c / city :location-of (e / work-01 :ARG1 (d / dog)))"),
        ("(c / city :ARG0-of (e / work-01 :ARG1 (h / he)))", "the city in which works",
         "(c / city :location-of (e / work-01 :ARG0 (h / he)))"),
    ],
)  # fmt: skip
def test_subjects(given: str, text: str, mended: str) -> None:
    graph = with_relative_places(penman.decode(given), text, "en", _spans(text, c="city", e="works"))
    assert penman.encode(graph, indent=None) == mended


@pytest.mark.parametrize("text", ["El pueblo donde vive", "il paese in cui vive", "a aldeia em que vive"])
def test_languages_without_pronouns(text: str) -> None:
    lang, noun = {"E": ("es", "pueblo"), "i": ("it", "paese"), "a": ("pt", "aldeia")}[text[0]]
    graph = penman.decode("(v / village :ARG0-of (l / live-01))")
    mended = with_relative_places(graph, text, lang, _spans(text, v=noun, l="vive"))
    assert penman.encode(mended, indent=None) == "(v / village :location-of (l / live-01))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(c / city :location-of (e / work-01 :ARG0 (s / she)))", "the city where she works", "en"),
        ("(e / work-01 :ARG0 (c / city))", "the city where she works", "en"),  # the main verb
        ("(c / city :ARG0-of (e / work-01))", "the city, she knows where she works", "en"),
        ("(c / city :ARG0-of (e / work-01))", "she works in the city where", "en"),  # before *where*
        ("(c / city :ARG0-of (e / work-01))", "the city where works and where", "en"),
        ("(c / city :ARG0-of (e / work-01 :location (h / here)))", "the city where she works", "en"),
        ("(c / city :ARG0-of (e / work-01))", "the city where she works", "xx"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_relative_places(given, text, lang, _spans(text, c="city", e="works")) is given

"""The agent of a passive is the agent."""

import penman
import pytest

from parser.mini.rules.passives import with_passive_agents


def _roles(graph: str, text: str, lang: str, *words: str) -> str:
    spans = {
        node: (text.index(word), text.index(word) + len(word))
        for node, word in zip("sav", words, strict=True)
    }
    mended = with_passive_agents(penman.decode(graph), text, lang, spans)
    return " ".join(
        f"{edge.role}={edge.target}" for edge in sorted(mended.edges(), key=lambda edge: edge.role)
    )


EXCHANGED = "(v / bite-01 :ARG0 (s / man) :ARG1 (a / dog))"
INSTRUMENT = "(v / kill-01 :ARG1 (s / king) :ARG2 (a / soldier))"


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        (EXCHANGED, "男は犬に噛まれた。", "ja", ("男", "犬", "噛")),
        (INSTRUMENT, "王は兵士に殺された。", "ja", ("王", "兵士", "殺")),
        (INSTRUMENT, "王は兵士によって殺された。", "ja", ("王", "兵士", "殺")),
        (EXCHANGED, "남자는 개에게 물렸다.", "ko", ("남자는", "개에게", "물렸다")),
        ("(v / arrest-01 :ARG1 (s / man) :location (a / police))", "남자는 경찰에 체포되었다.", "ko",
         ("남자는", "경찰에", "체포되었다")),
        (INSTRUMENT, "Король был убит солдатом.", "ru", ("Король", "солдатом", "убит")),
        (INSTRUMENT, "Король був убитий солдатом.", "uk", ("Король", "солдатом", "убитий")),
    ],
)  # fmt: skip
def test_the_marked_noun_is_the_agent(graph: str, text: str, lang: str, words: tuple[str, ...]) -> None:
    assert _roles(graph, text, lang, *words) == ":ARG0=a :ARG1=s"


def test_who_is_told_is_no_patient() -> None:
    graph = "(v / tell-01 :ARG0 (s / boy) :ARG1 (a / nurse))"
    assert _roles(graph, "少年は看護師に言われた。", "ja", "少年", "看護師", "言") == ":ARG0=a :ARG2=s"


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        (EXCHANGED, "男は犬に触れた。", "ja", ("男", "犬", "触")),  # no passive
        (EXCHANGED, "男は犬に会った。", "ja", ("男", "犬", "会")),
        (EXCHANGED, "犬に男は噛まれた。", "ja", ("男", "犬", "噛")),  # the subject is not first
        ("(v / carry-01 :ARG1 (s / man) :ARG2 (a / hospital))", "男は病院に運ばれた。", "ja",
         ("男", "病院", "運")),
        (EXCHANGED, "남자는 개에게 말했다.", "ko", ("남자는", "개에게", "말했다")),
        ("(v / give-01 :ARG0 (s / man) :ARG2 (a / dog))", "남자는 개에게 받았다.", "ko",
         ("남자는", "개에게", "받았다")),
        (EXCHANGED, "Мужчина был доволен собакой.", "ru", ("Мужчина", "собакой", "доволен")),
        (EXCHANGED, "Мужчина был солдатом.", "ru", ("Мужчина", "солдатом", "был")),
        (EXCHANGED, "The man was bitten by the dog.", "en", ("man", "dog", "bitten")),
    ],
)  # fmt: skip
def test_nothing_else_changes(graph: str, text: str, lang: str, words: tuple[str, ...]) -> None:
    given = penman.decode(graph)
    spans = {
        node: (text.index(word), text.index(word) + len(word))
        for node, word in zip("sav", words, strict=True)
    }
    assert with_passive_agents(given, text, lang, spans) is given

"""*My wife and I*: the speaker is one of the two."""

import penman
import pytest

from parser.mini.rules.speakers import with_speakers

_WIFE = "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (w / wife)))"


def _live(other: str, first: str = _WIFE, more: str = "") -> str:
    return f"(l / live-01 :ARG0 (a / and :op1 {first} :op2 {other}{more}))"


def _mended(graph: str, text: str, lang: str = "en") -> str:
    return penman.encode(with_speakers(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    "other",
    [
        "(p2 / person)",
        "(p2 / person :ARG0-of (h2 / have-rel-role-91))",
        "(p2 / person :ARG0-of (h2 / have-rel-role-91 :ARG1 p))",
        "(p2 / person :ARG0-of (h2 / have-rel-role-91 :ARG1 p :ARG2 (f / friend)))",
        "(p2 / woman :ARG0-of (h2 / have-rel-role-91 :ARG2 w))",
        "w",
    ],
)
def test_another_relative_is_the_speaker(other: str) -> None:
    assert _mended(_live(other), "My wife and I live there.") == _live("i")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Min kone og jeg bor i Berlin.", "da"), ("Meine Frau und ich wohnen in Berlin.", "de"),
        ("I and my wife live there.", "en"), ("They know my old boss and me.", "en"),
        ("Mi esposa y yo vivimos en Berlín.", "es"), ("Ma femme et moi habitons à Berlin.", "fr"),
        ("Mia moglie ed io viviamo a Berlino.", "it"), ("妻と私はベルリンに住んでいます。", "ja"),
        ("아내와 나는 베를린에 산다.", "ko"), ("Min kone og jeg bor i Berlin.", "nb"),
        ("Mijn vrouw en ik wonen in Berlijn.", "nl"), ("Moja żona i ja mieszkamy w Berlinie.", "pl"),
        ("Minha esposa e eu moramos em Berlim.", "pt"), ("Моя жена и я живём в Берлине.", "ru"),
        ("Min fru och jag bor i Berlin.", "sv"), ("Eşim ve ben Berlin'de yaşıyoruz.", "tr"),
        ("Моя дружина та я живемо в Берліні.", "uk"), ("我和妻子住在柏林。", "zh"),
    ],
)  # fmt: skip
def test_languages(text: str, lang: str) -> None:
    assert _mended(_live("(p2 / person)"), text, lang) == _live("i")


@pytest.mark.parametrize("agent", ["", " :ARG0 h", " :ARG0 i"])
def test_the_two_are_the_subject_of_the_other_member(agent: str) -> None:
    graph = f"(a / and :op1 {_WIFE} :op2 (l / live-01{agent} :location (h2 / here)))"
    mended = f"(l / live-01 :location (h2 / here) :ARG0 (a / and :op1 {_WIFE} :op2 i))"
    assert _mended(graph, "Моя жена и я живём здесь.", "ru") == mended


def test_one_of_three() -> None:
    son = "(p3 / person :ARG0-of (h3 / have-rel-role-91 :ARG1 i :ARG2 (s / son)))"
    graph, mended = _live("(p2 / person)", more=f" :op3 {son}"), _live("i", more=f" :op3 {son}")
    assert _mended(graph, "My wife, my son and I live there.") == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (_live("i"), "My wife and I live there.", "en"),  # nobody is lost
        (_live("(p2 / person)"), "My wife and a friend live there.", "en"),
        (_live("(p2 / person)"), "My wife and her friend live where I do.", "en"),
        (_live("(p2 / person)"), "My wife and I live there.", "fi"),  # a language without words
        (_live('(p2 / person :name (n / name :op1 "Anna"))'), "My wife and I and Anna live there.", "en"),
        (_live("(p2 / person :ARG0-of (s / sing-01))"), "My wife and I live there.", "en"),
        (_live("(p2 / person :quant 2)"), "My wife and I live there.", "en"),
        (
            _live("(p2 / person :ARG0-of (h2 / have-rel-role-91 :time (n / now)))"),
            "My wife and I live.",
            "en",
        ),
        (_live("(d / dog)"), "My wife and I live there.", "en"),
        (_live("(p2 / person)").replace("and", "or"), "My wife and I live there.", "en"),
        (
            _live("(p2 / person)", more=" :op3 (p3 / person)"),
            "My wife and I live there.",
            "en",
        ),  # two could be
        (_live("(p2 / person)", first=_WIFE.replace("i / i", "h4 / he")), "My wife and I live there.", "en"),
        (f"(a / and :op1 {_WIFE} :op2 (l / live-01 :ARG0 (h4 / he)))", "My wife and I live there.", "en"),
        (f"(s / see-01 :ARG0 (a / and :op1 {_WIFE} :op2 (l / live-01)))", "My wife and I live there.", "en"),
        ("(w / we)", "My wife and I live there.", "en"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_speakers(given, text, lang) is given

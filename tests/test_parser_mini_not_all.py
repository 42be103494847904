"""The negation of *not all* is at *all*."""

import penman
import pytest

from parser.mini.rules.not_all import with_not_all

GRAPH = "(c / come-01 :polarity - :ARG1 (g / guest :mod (a / all)))"


def _mended(graph: str, text: str, lang: str) -> str:
    return penman.encode(with_not_all(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Not all guests came.", "en"), ("Nicht alle Gäste kamen.", "de"),
        ("No todos los invitados vinieron.", "es"), ("Les invités ne sont pas tous venus.", "fr"),
        ("Non tutti gli ospiti sono venuti.", "it"), ("Nem todos os convidados vieram.", "pt"),
        ("Niet alle gasten kwamen.", "nl"), ("Nie wszyscy goście przyszli.", "pl"),
        ("Не все гости пришли.", "ru"), ("Не всі гості прийшли.", "uk"), ("不是所有客人都来了。", "zh"),
        ("すべての客が来たわけではない。", "ja"), ("모든 손님이 온 것은 아니다.", "ko"),
    ],
)  # fmt: skip
def test_not_all_is_negated(text: str, lang: str) -> None:
    assert _mended(GRAPH, text, lang) == "(c / come-01 :ARG1 (g / guest :mod (a / all :polarity -)))"


def test_not_always_is_not_never() -> None:
    graph = _mended("(s / sleep-01 :polarity - :time (e / ever))", "Er schläft nicht immer.", "de")
    assert graph == "(s / sleep-01 :time (e / always :polarity -))"


def test_a_lost_negation_is_written() -> None:
    graph = _mended("(p / punctual :domain (t / train) :time (a / always))", "火车不总是准时。", "zh")
    assert graph == "(p / punctual :domain (t / train) :time (a / always :polarity -))"


def test_not_everyone_has_one_word() -> None:
    graph = "(c / come-01 :polarity - :ARG1 (p / everyone :mod (e / every)))"
    mended = _mended(graph, "Not everyone came.", "en")
    assert mended == "(c / come-01 :ARG1 (p / everyone :mod (e / every :polarity -)))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (GRAPH, "All guests did not come.", "en"),
        (GRAPH, "Not all guests did not come.", "en"),  # another negation
        (GRAPH, "Aucun invité n'est venu, pas tous.", "fr"),
        ("(c / come-01 :polarity - :ARG1 (g / guest))", "Not all guests came.", "en"),
        ("(a / and :polarity - :op1 (a2 / all) :op2 (e / every))", "not all", "en"),
        ("(c / come-01 :ARG1 (g / guest :mod (a / all :polarity -)))", "Not all guests came.", "en"),
        (GRAPH, "Inte alla gäster kom.", "sv"),
    ],
)
def test_nothing_else_changes(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_not_all(given, text, lang) is given

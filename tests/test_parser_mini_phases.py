"""Who stops doing something does not do it."""

import penman
import pytest

from parser.mini.rules.phases import with_stops


def _stopped(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_stops(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "stop", "action"),
    [
        ("Él dejó de fumar.", "es", "dejó", "fumar"),
        ("Lui ha smesso di fumare.", "it", "smesso", "fumare"),
        ("Ele parou de fumar.", "pt", "parou", "fumar"),
        ("Він перестав курити.", "uk", "перестав", "курити"),
        ("他戒烟了。", "zh", "戒", "烟"),
    ],
)
def test_one_node_for_both_verbs_becomes_two(text: str, lang: str, stop: str, action: str) -> None:
    graph = "(s / smoke-02 :ARG0 (h / he) :ARG1 (c / cigarette))"
    mended = "(s2 / stop-01 :ARG0 (h / he) :ARG1 (s / smoke-02 :ARG0 h))"
    assert _stopped(graph, text, lang, s=stop, c=action) == mended


@pytest.mark.parametrize(
    ("text", "lang", "stop", "action"),
    [
        ("Il a arrêté de boire.", "fr", "arrêté", "boire"),
        ("Er hat aufgehört zu trinken.", "de", "aufgehört", "trinken"),
        ("Он бросил пить.", "ru", "бросил", "пить"),
        ("O içmeyi bıraktı.", "tr", "bıraktı", "içmeyi"),
    ],
)
def test_another_verb_becomes_stop(text: str, lang: str, stop: str, action: str) -> None:
    graph = "(t / take-off-07 :ARG0 (h / he) :ARG1 (d / drink-01 :ARG0 (i / i)) :beneficiary i)"
    mended = "(t / stop-01 :ARG0 (h / he) :ARG1 (d / drink-01 :ARG0 h) :beneficiary (i / i))"
    assert _stopped(graph, text, lang, t=stop, d=action) == mended


def test_another_subject_with_relations_of_its_own_stays() -> None:
    graph = "(t / take-off-07 :ARG0 (h / he) :ARG1 (d / drink-01 :ARG0 (p / person :ARG0-of (w / work-01))))"
    mended = _stopped(graph, "Он бросил пить.", "ru", t="бросил", d="пить")
    assert mended == graph.replace("take-off-07", "stop-01")


def test_a_negation_that_no_word_says_goes() -> None:
    graph = "(s / stop-01 :polarity - :ARG1 (w / work-01))"
    kept = "(s / stop-01 :ARG1 (w / work-01))"
    assert _stopped(graph, "Принтер перестал работать.", "ru", w="работать") == kept
    assert _stopped("(f / forget-01 :polarity -)", "Ödemeyi unuttu.", "tr") == "(f / forget-01)"
    assert _stopped("(f / fail-01 :polarity -)", "The engine failed to start.", "en") == "(f / fail-01)"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(q / quit-01 :ARG1 (s / smoke-02))", "Él dejó de fumar.", "es"),
        ("(s / smoke-02 :polarity -)", "No dejó de fumar.", "es"),
        ("(l / let-01 :ARG1 (s / smoke-02))", "Él me dejó fumar.", "es"),
        (
            "(t / take-off-07 :ARG0 (h / he) :ARG1 (c / cigarette) :ARG2 (s / smoke-02))",
            "Él dejó de fumar.",
            "es",
        ),
        ("(f / forget-01 :polarity -)", "O unutmadı.", "tr"),
        ("(f / fail-01 :polarity -)", "The engine didn't fail to start.", "en"),
        ("(f / forget-01 :polarity - :mode imperative)", "Unutma!", "tr"),
        ("(p / person :ARG0-of (s / smoke-02))", "Lui ha smesso di fumare.", "it"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    words = {"s": text.split()[-1], "t": text.split()[len(text.split()) > 1]}
    assert _stopped(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)


def test_a_verb_that_says_both_stays() -> None:
    graph = "(s / shut-down-05 :ARG1 (p / printer))"
    assert _stopped(graph, "Принтер перестал работать.", "ru", s="работать", p="Принтер") == graph

"""The clause after *although* is a concession, that of *unless* is a condition."""

import penman
import pytest

from parser.mini.rules.clauses import with_clauses


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_clauses(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        ("(g / go-02 :time (r / rain-01))", "Er ging, obwohl es regnete.", "de",
         {"g": "ging", "r": "regnete"}),
        ("(g / go-02 :condition (r / rain-01))", "Hoewel het regende, ging hij.", "nl",
         {"g": "ging", "r": "regende"}),
        ("(g / go-02 :condition (r / rain-01))", "Он ушёл, хотя шёл дождь.", "ru",
         {"g": "ушёл", "r": "дождь"}),
        ("(g / go-02 :ARG1-of (c / cause-01 :ARG0 (r / rain-01)))", "虽然下雨，他走了。", "zh",
         {"g": "走", "c": "虽然", "r": "下雨"}),
        ("(g / go-02 :time (r / rain-01))", "Il part bien qu'il pleuve.", "fr", {"g": "part", "r": "pleuve"}),
    ],
)  # fmt: skip
def test_another_relation_becomes_a_concession(
    graph: str, text: str, lang: str, words: dict[str, str]
) -> None:
    assert _mended(graph, text, lang, **words) == "(g / go-02 :concession (r / rain-01))"


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        ("(g / go-02 :concession (r / rain-01))", "Er ging, obwohl es regnete.", "de",
         {"g": "ging", "r": "regnete"}),
        # *knowing well that*
        ("(g / go-02 :time (r / rain-01))", "Il part, sachant bien qu'il pleut.", "fr",
         {"g": "part", "r": "pleut"}),
        # a condition as well
        ("(g / go-02 :condition (r / rain-01))", "Er geht, obwohl, wenn es regnet.", "de",
         {"g": "geht", "r": "regnet"}),
        # the event of the time is no part of the clause
        ("(g / go-02 :time (s / sleep-01))", "Er ging als er schlief, obwohl es regnete.", "de",
         {"g": "ging", "s": "schlief"}),
        # the end of the clause is unknown
        ("(g / go-02 :time (r / rain-01))", "Obwohl es regnete ging er.", "de",
         {"g": "ging", "r": "regnete"}),
        # an argument is no circumstance
        ("(k / know-01 :ARG1 (r / rain-01))", "Er wusste, obwohl es regnete.", "de",
         {"k": "wusste", "r": "regnete"}),
        ("(g / go-02 :time (r / rain-01))", "Vychází, i když prší.", "cs", {"g": "Vychází", "r": "prší"}),
    ],
)  # fmt: skip
def test_nothing_else_changes(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert _mended(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        ("(g / go-02 :condition (p / pay-01))", "We gaan tenzij je betaalt.", "nl",
         {"g": "gaan", "p": "betaalt"}),
        ("(g / go-02 :polarity - :condition (p / pay-01))", "We go unless you pay.", "en",
         {"g": "go", "p": "pay"}),
        ("(g / go-02 :ARG4 (p / pay-01))", "Wir gehen, es sei denn, du bezahlst.", "de",
         {"g": "gehen", "p": "bezahlst"}),
        ("(g / go-02 :concession (p / pay-01))", "Vamos a menos que você pague.", "pt",
         {"g": "Vamos", "p": "pague"}),
        ("(g / go-02 :condition (p / pay-01 :polarity -))", "We go unless you pay.", "en",
         {"g": "go", "p": "pay"}),
    ],
)  # fmt: skip
def test_unless_negates_its_clause(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert _mended(graph, text, lang, **words) == "(g / go-02 :condition (p / pay-01 :polarity -))"


@pytest.mark.parametrize(
    ("graph", "text", "words"),
    [
        ("(g / go-02 :condition (p / pay-01))", "If you ask, we go unless you pay.", {"g": "go", "p": "pay"}),
        ("(g / go-02 :ARG1 (p / pay-01))", "We go unless you pay.", {"g": "go", "p": "pay"}),
    ],
)  # fmt: skip
def test_another_unless_stays(graph: str, text: str, words: dict[str, str]) -> None:
    assert _mended(graph, text, "en", **words) == penman.encode(penman.decode(graph), indent=None)


def test_unless_behind_a_negated_verb_is_negated_too() -> None:
    graph = "(g / go-02 :polarity - :condition (p / pay-01))"
    mended = _mended(graph, "We do not go unless you pay.", "en", g="go", p="pay")
    assert mended == "(g / go-02 :polarity - :condition (p / pay-01 :polarity -))"


def test_unless_that_was_read_as_a_coordination_is_a_condition() -> None:
    graph = "(s / say-01 :ARG1 (a / and :op1 (g / go-02) :op2 (p / pay-01)))"
    mended = _mended(graph, "Er sagt: wir gehen, es sei denn, du bezahlst.", "de", g="gehen", p="bezahlst")
    assert mended == "(s / say-01 :ARG1 (g / go-02 :condition (p / pay-01 :polarity -)))"


def test_a_verb_aligned_to_the_conjunction_is_in_its_clause() -> None:
    mended = _mended("(g / go-02 :time (p / pay-01))", "Vamos a menos que pagues.", "es", g="Vamos", p="que")
    assert mended == "(g / go-02 :condition (p / pay-01 :polarity -))"


@pytest.mark.parametrize(
    ("given", "mended"),
    [
        # the event of the clause is a contrast itself
        (
            "(c / contrast-01 :ARG1 (g / go-02) :ARG2 (s / stay-01) :time (r / rain-01))",
            "(c / contrast-01 :ARG1 (g / go-02) :ARG2 (s / stay-01) :concession (r / rain-01))",
        ),
        # another node has the cause as its argument
        (
            "(k / know-01 :ARG1 (c / cause-01 :ARG0 (r / rain-01) :ARG1 (g / go-02)))",
            "(k / know-01 :ARG1 (c / cause-01 :ARG0 (r / rain-01) :ARG1 (g / go-02)))",
        ),
    ],
)
def test_no_part_of_the_graph_is_lost(given: str, mended: str) -> None:
    assert _mended(given, "Er ging, obwohl es regnete.", "de", g="ging", r="regnete") == mended


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Trods X gik de.", "da"), ("De gik på trods af X.", "da"), ("Trotz X gingen sie.", "de"),
        ("Despite X, they go.", "en"), ("They go in spite of X.", "en"), ("A pesar del X, van.", "es"),
        ("Malgré X, on sort.", "fr"), ("Nonostante X, escono.", "it"), ("Til tross for X gikk de.", "nb"),
        ("Ondanks X gingen ze.", "nl"), ("Pomimo X oni idą.", "pl"), ("Apesar do X, eles vão.", "pt"),
        ("Они идут, несмотря на X.", "ru"), ("Trots X gick de.", "sv"), ("Попри X, вони йдуть.", "uk"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("role", [":time", ":condition", ":location", ":ARG4"])
def test_what_follows_despite_is_a_concession(text: str, lang: str, role: str) -> None:
    mended = _mended(f"(g / go-02 {role} (x / noise))", text, lang, x="X")
    assert mended == "(g / go-02 :concession (x / noise))"


@pytest.mark.parametrize(
    ("given", "mended"),
    [
        # a cause; a part of the noun; what *despite* itself was read as
        ("(g / go-02 :ARG1-of (c / cause-01 :ARG0 (x / rain-01)))", "(g / go-02 :concession (x / rain-01))"),
        (
            "(g / go-02 :time (x / rain-01) :ARG0 (w / we))",
            "(g / go-02 :concession (x / rain-01) :ARG0 (w / we))",
        ),
        (
            "(g / go-02 :ARG1 (w / we) :ARG2 (x / rain-01))",
            "(g / go-02 :ARG1 (w / we) :concession (x / rain-01))",
        ),
        (
            "(g / go-02 :time (x / rain-01 :ARG1 (h / heavy)))",
            "(g / go-02 :concession (x / rain-01 :ARG1 (h / heavy)))",
        ),
        ("(g / go-02 :ARG4 (b / beyond) :time (x / rain-01))", "(g / go-02 :concession (x / rain-01))"),
    ],
)
def test_readings_of_despite(given: str, mended: str) -> None:
    text = "Trotz des heftigen Regens gingen wir."
    assert _mended(given, text, "de", b="Trotz", h="heftigen", x="Regens", g="gingen", w="wir") == mended


def test_a_noun_may_be_aligned_to_despite() -> None:
    mended = _mended("(p / play-01 :location (s / snow))", "They play in spite of snow.", "en", s="spite")
    assert mended == "(p / play-01 :concession (s / snow))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(g / go-02 :concession (r / rain-01) :time (x / night))", "Despite rain, they go at X.", "en"),
        ("(g / go-02 :time (x / night))", "They go at X.", "en"),
        ("(g / go-02 :time (x / night) :location (y / park))", "Despite X Y, they go.", "en"),  # two could be
        ("(g / go-02 :time (x / night))", "Despite rain, they go at X.", "en"),  # behind the comma
        ("(g / go-02 :time (x / night))", "Despite X and despite Y they go.", "en"),
        ("(g / go-02 :ARG1 (x / we))", "Trotzdem gehen X.", "de"),
        ("(g / go-02 :ARG1 (x / we))", "Trotz allem gehen X.", "de"),  # a pronoun
        ("(g / go-02 :poss (x / night))", "Despite X, they go.", "en"),
        ("(g / go-02 :time (x / night))", "Despite X, they go.", "fi"),
    ],
)
def test_nothing_else_is_a_concession(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    spans = {name.lower(): (text.index(name), text.index(name) + 1) for name in ("X", "Y") if name in text}
    assert with_clauses(given, text, lang, spans) is given

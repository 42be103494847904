"""When, where, how and why something is, is said below the verb of asking."""

import penman
import pytest

from parser.mini.rules.indirect_questions import with_indirect_questions


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_indirect_questions(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "ask", "sing"),
    [
        ("They asked when the choir sings.", "en", "asked", "sings"),
        ("Sie fragten, wann der Chor singt.", "de", "fragten", "singt"),
        ("Zapytali, kiedy chór śpiewa.", "pl", "Zapytali", "śpiewa"),
        ("Koronun ne zaman şarkı söylediğini sordular.", "tr", "sordular", "söylediğini"),
        ("他们问合唱团什么时候唱歌。", "zh", "问", "唱歌"),
    ],
)
@pytest.mark.parametrize(
    "clause",
    [
        ":ARG1 (s / sing-01 :ARG0 (c / choir))",
        ":ARG1 (r / truth-value :polarity-of (s / sing-01 :ARG0 (c / choir)))",
        ":ARG1 (s / sing-01 :polarity (r / truth-value) :ARG0 (c / choir))",
        ":time (s / sing-01 :ARG0 (c / choir))",
    ],
)
def test_a_time_is_asked_for(text: str, lang: str, ask: str, sing: str, clause: str) -> None:
    mended = "(a / ask-01 :ARG0 (t / they) :ARG1 (t2 / time :time-of (s / sing-01 :ARG0 (c / choir))))"
    assert _mended(f"(a / ask-01 :ARG0 (t / they) {clause})", text, lang, a=ask, s=sing) == mended


@pytest.mark.parametrize(
    "clause",
    [
        "(c / cause-01 :ARG0 (s / sing-01))",
        "(t / thing :ARG1-of (c / cause-01 :ARG0 (s / sing-01)))",
        "(t / thing :manner-of (s / sing-01))",
        "(s / sing-01)",
    ],
)
def test_a_cause_is_asked_for(clause: str) -> None:
    graph = f"(k / know-01 :polarity - :ARG0 (i / i) :ARG1 {clause})"
    thing = "(t / thing :ARG0-of (c / cause-01 :ARG1 (s / sing-01)))"
    mended = f"(k / know-01 :polarity - :ARG0 (i / i) :ARG1 {thing})"
    assert _mended(graph, "No sé por qué canta.", "es", k="sé", s="canta") == mended


def test_the_hearer_is_not_what_is_told() -> None:
    graph = "(t / tell-01 :ARG0 (y / you) :ARG1 (i / i) :time (s / sing-01 :ARG0 (s2 / she)))"
    mended = (
        "(t / tell-01 :ARG0 (y / you) :ARG1 (l / location :location-of (s / sing-01 :ARG0 (s2 / she))) "
        ":ARG2 (i / i))"
    )
    assert _mended(graph, "Tell me where she sings.", "en", t="Tell", s="sings") == mended


def test_a_place_has_one_node() -> None:
    graph = "(w / wonder-01 :ARG0 (i / i) :ARG1 (b / be-located-at-91 :ARG1 (c / cat) :ARG2 (p / place)))"
    mended = (
        "(w / wonder-01 :ARG0 (i / i) :ARG1 (l / location :ARG2-of (b / be-located-at-91 :ARG1 (c / cat))))"
    )
    assert _mended(graph, "I wonder where the cat is.", "en", w="wonder", b="is", c="cat") == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        # a time, not a question
        ("(c / call-02 :ARG1 (i / i) :time (s / sing-01))", "Call me when she sings.", "en"),
        ("(k / say-01 :ARG1 (s / sing-01))", "They know when she sings.", "en"),
        # a direct question
        ("(s / sing-01 :time (a / amr-unknown))", "When did she say that she sings?", "en"),
        # the question is said already
        ("(k / know-01 :ARG1 (t / thing :manner-of (s / sing-01)))", "I know how she sings.", "en"),
        # a degree, and an infinitive
        ("(k / know-01 :ARG1 (s / sing-01))", "I know how well she sings.", "en"),
        ("(k / know-01 :ARG1 (s / sing-01))", "I know how to sings.", "en"),
        # something is sung
        ("(k / know-01 :ARG1 (t / thing :ARG1-of (s / sing-01)))", "I know how she sings.", "en"),
        # two question words
        ("(k / know-01 :ARG1 (s / sing-01))", "I know where and why she sings.", "en"),
        # the clause has ended
        ("(k / know-01 :ARG1 (s / sing-01))", "I know why, but she sings.", "en"),
        # another argument
        ("(k / know-01 :ARG1 (b / boy) :ARG2 (s / sing-01))", "I know where the boy sings.", "en"),
        ("(k / know-01 :ARG1 (s / sing-01))", "Vím, kde zpívá sings.", "cs"),
    ],
)  # fmt: skip
def test_other_clauses_stay(graph: str, text: str, lang: str) -> None:
    words = (
        {"s": "sings"} | ({"k": "know"} if "know" in text else {}) | ({"b": "boy"} if "boy" in text else {})
    )
    assert _mended(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "verb"),
    [
        ("(k / remember-01 :time (s / sing-01))", "We remembered when she sings.", "remembered"),
        ("(k / understand-01 :ARG1 (s / sing-01))", "We understood when she sings.", "understood"),
        ("(k / say-01 :ARG1 (c / cause-01 :polarity - :ARG0 (s / sing-01)))", "I did not say why she sings.",
         "say"),
    ],
)  # fmt: skip
def test_times_and_an_only_negation_stay(graph: str, text: str, verb: str) -> None:
    """Both would be lost."""
    assert _mended(graph, text, "en", k=verb, s="sings") == penman.encode(penman.decode(graph), indent=None)

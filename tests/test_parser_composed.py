"""Sentences composed of two others: their graphs by hand, after the AMR guidelines 1.2.6."""

import penman
import pytest

from linearize.packed import pack_graph, unpack
from linearize.restore import delinearize
from parser.training.composed.draw import composed_examples, patterns
from parser.training.composed.graphs import compose
from parser.training.corpora.leakage import Reserved
from parser.training.example import Example


def packed(text: str) -> list[str]:
    graph = pack_graph(penman.decode(text))
    assert graph is not None
    return graph


def triples(symbols: list[str]) -> set[tuple[str, str, str]]:
    """The triples of a packed graph, its nodes by their concepts; each concept occurs once here."""
    graph = delinearize(unpack(symbols)).graph
    concepts = {name: concept for name, _, concept in graph.instances()}
    edges = [*graph.edges(), *graph.attributes()]
    found = {(concepts[s], role, concepts.get(t, t)) for s, role, t in edges}
    return found | {("TOP", "", concepts[graph.top])}


RAIN = "(r / rain-01)"
HELP = "(h / help-01 :ARG0 (i / i) :ARG1 (y / you))"
CALL = "(c / call-02 :ARG0 (y / you) :ARG1 (i / i))"
SLEEP = "(s / sleep-01 :ARG0 (d / dog))"


@pytest.mark.parametrize(("link", "first", "second", "whole"), [
    ("condition", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :condition (r / rain-01))"),
    ("unless", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :condition (r / rain-01 :polarity -))"),
    ("concession", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :concession (r / rain-01))"),
    ("cause", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :ARG1-of (c / cause-01 :ARG0 (r / rain-01)))"),
    ("result", RAIN, SLEEP, "(c / cause-01 :ARG0 (r / rain-01) :ARG1 (s / sleep-01 :ARG0 (d / dog)))"),
    ("time", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :time (r / rain-01))"),
    ("until", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :time (u / until :op1 (r / rain-01)))"),
    ("but", RAIN, SLEEP, "(c / contrast-01 :ARG1 (r / rain-01) :ARG2 (s / sleep-01 :ARG0 (d / dog)))"),
    ("or", RAIN, SLEEP, "(o / or :op1 (r / rain-01) :op2 (s / sleep-01 :ARG0 (d / dog)))"),
    ("possible", RAIN, SLEEP, "(p / possible-01 :ARG1 (s / sleep-01 :ARG0 (d / dog)))"),
    ("frequency 2", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :frequency 2)"),
    ("every day", RAIN, SLEEP,
     "(s / sleep-01 :ARG0 (d / dog) :frequency (r / rate-entity-91 :ARG3 (t / temporal-quantity"
     " :quant 1 :unit (d2 / day))))"),
    ("ago year", RAIN, SLEEP,
     "(s / sleep-01 :ARG0 (d / dog) :time (b / before :op1 (n / now) :quant (t / temporal-quantity"
     " :quant 7 :unit (y / year))))"),
    ("for hour", RAIN, SLEEP,
     "(s / sleep-01 :ARG0 (d / dog) :duration (t / temporal-quantity :quant 7 :unit (h / hour)))"),
    ("at tomorrow", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :time (t / tomorrow))"),
    ("at week last", RAIN, SLEEP, "(s / sleep-01 :ARG0 (d / dog) :time (w / week :mod (l / last)))"),
    ("think-01 i -", RAIN, SLEEP,
     "(t / think-01 :polarity - :ARG0 (i / i) :ARG1 (s / sleep-01 :ARG0 (d / dog)))"),
    ("ask-01 she ?", RAIN, SLEEP,
     "(a / ask-01 :ARG0 (s / she) :ARG1 (t / truth-value :polarity-of (s2 / sleep-01 :ARG0 (d / dog))))"),
    # I and you are the same in both sentences
    ("condition", CALL, HELP,
     "(h / help-01 :ARG0 (i / i) :ARG1 (y / you) :condition (c / call-02 :ARG0 y :ARG1 i))"),
    ("know-01 i", RAIN, HELP, "(k / know-01 :ARG0 (i / i) :ARG1 (h / help-01 :ARG0 i :ARG1 (y / you)))"),
])  # fmt: skip
def test_a_composed_graph_is_the_one_written_by_hand(link, first, second, whole):
    assert triples(compose(link, packed(first), packed(second), 7)) == triples(packed(whole))


def test_nodes_named_again_stay_those_of_their_own_sentence():
    go = packed("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b) :time (n / now))")
    sing = packed("(t / try-01 :ARG0 (g / girl) :ARG1 (s / sing-01 :ARG0 g))")
    both = triples(compose("but", go, sing, 0))
    assert both == (triples(go) | triples(sing)) - {("TOP", "", "want-01"), ("TOP", "", "try-01")} | {
        ("TOP", "", "contrast-01"), ("contrast-01", ":ARG1", "want-01"), ("contrast-01", ":ARG2", "try-01"),
    }  # fmt: skip


def test_every_pattern_has_the_sentences_that_its_link_takes():
    one = ("possible", "frequency", "every", "ago", "at", "for")
    for lang, links in patterns().items():
        for link, found in links.items():
            single = link.split()[0] in one or "-01" in link
            numbered = link.split()[0] in ("ago", "for")
            for pattern in found:
                assert pattern.count("{b}") == 1, (lang, pattern)
                assert pattern.count("{a}") == (0 if single else 1), (lang, pattern)
                assert pattern.count("{n}") == numbered, (lang, pattern)
            assert unpack(compose(link, packed(RAIN), packed(SLEEP), 7))


def examples() -> list[Example]:
    english = {
        "The dog sleeps.": SLEEP, "It rains.": RAIN, "Anna sings.": "(s / sing-01 :ARG0 (p / person))",
        "He fled.": "(f / flee-01 :ARG0 (h / he))",
        "Who sleeps?": "(s / sleep-01 :ARG0 (a / amr-unknown))", "A dog.": "(d / dog)",
    }  # fmt: skip
    found = [Example(text, packed(graph), "en", 1.0) for text, graph in english.items()]
    filler = Example("When the dog saw it he fled and it rains he said", packed(RAIN), "en", 1.0)
    return [*found, filler, filler]  # the words have a small letter elsewhere


def test_only_statements_are_composed_and_their_letters_fit_the_place():
    drawn = list(composed_examples(examples(), 300, 0, ()))
    assert len(drawn) == 300
    texts = [example.text for example in drawn]
    assert not [text for text in texts if "Who" in text or "A dog" in text]
    assert "If it rains, the dog sleeps." in texts
    assert {text[0] for text in texts} == {text[0].upper() for text in texts}
    # a name keeps its capital
    assert any(" Anna sings" in text for text in texts)
    assert not [text for text in texts if "anna" in text]
    assert not [text for text in texts if ". " in text or text.count(".") > 1]


def test_composed_examples_follow_from_the_seed_and_leave_out_what_is_reserved():
    drawn = [example.text for example in composed_examples(examples(), 200, 4, ())]
    assert drawn == [example.text for example in composed_examples(examples(), 200, 4, ())]
    assert drawn != [example.text for example in composed_examples(examples(), 200, 5, ())]
    left = [example.text for example in composed_examples(examples(), 200, 4, Reserved([drawn[0]]))]
    assert left == [text for text in drawn if text != drawn[0]]
    assert not list(composed_examples(examples()[:1], 5, 0, ()))

"""Adjectives that the parser misreads are translated, and lost ones are added."""

import penman
import pytest

from amrx.composed_text import Span
from amrx.types import Sentence
from linearize.frames import frames
from linearize.vocabulary import is_frame
from parser.mini.parser import load_mini
from parser.mini.rules.adjectives import adjectives, adjectives_of, near, with_translated_adjectives
from parser.mini.rules.nouns import lemma


def mend(graph: str, text: str, lang: str, words: dict[str, str]) -> str:
    """Mend a graph whose nodes are aligned to ``words`` of the text."""
    alignments: dict[str, Span] = {
        node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()
    }
    mended = with_translated_adjectives(penman.decode(graph), text, lang, alignments)
    return penman.encode(mended, indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "right"),
    [
        (
            "(k / knife :ARG1-of (r / red-02))", "Ein rostiges Messer.", "de",
            {"k": "Messer", "r": "rostiges"}, "(k / knife :mod (r / rusty))",
        ),
        (
            "(c / sing-01 :ARG1 (t / towel))", "Das Handtuch ist feucht.", "de",
            {"t": "Handtuch", "c": "feucht"}, "(c / humid-02 :ARG1 (t / towel))",
        ),
        (
            "(b / boat :mod (c / cup))", "Podłoga jest lepka, nóż ostry.", "pl",
            {"b": "nóż", "c": "ostry"}, "(b / boat :ARG1-of (c / sharp-02))",
        ),
        (
            "(p / peel-01 :ARG1 (s / soup))", "La zuppa è piccante.", "it",
            {"s": "zuppa", "p": "piccante"}, "(p / spicy :domain (s / soup))",
        ),
    ],
)  # fmt: skip
def test_a_misread_adjective_is_translated_and_its_relation_follows(
    graph: str, text: str, lang: str, words: dict[str, str], right: str
) -> None:
    assert mend(graph, text, lang, words) == right


def test_a_lost_adjective_is_added_to_the_noun_beside_it() -> None:
    assert (
        mend("(l / lie-07 :ARG1 (k / knife))", "Dort lag ein rostiges Messer.", "de", {"k": "Messer"})
        == "(l / lie-07 :ARG1 (k / knife :mod (a2 / rusty)))"
    )
    brother = "(h / have-03 :ARG1 (p / person :ARG0-of (r / have-rel-role-91 :ARG2 (b / brother))))"
    words = {"p": "terco", "b": "hermano"}
    mended = mend(brother, "Tiene un hermano terco.", "es", words)
    assert mended == f"{brother[:-2]} :mod (a2 / stubborn)))"
    for text in ("Dort lag rostig, ein Messer.", "Das Messer ist rostig."):  # no noun follows directly
        assert mend("(k / knife)", text, "de", {"k": "Messer"}) == "(k / knife)"


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        ("(k / knife :ARG1-of (c / erode-01))", {"k": "Messer", "c": "rostiges"}),  # near the translation
        ("(k / knife :ARG1-of (r / rust-01))", {"k": "Messer", "r": "rostiges"}),  # written like it
        ("(k / knife :mod (r / hammer))", {"k": "Messer", "r": "rostiges"}),  # of the word *Hammer*
        ("(c / cut-01 :ARG0 (i / i) :ARG1 (k / knife))", {"c": "rostiges", "k": "Messer"}),  # two arguments
        ('(k / knife :name (n / name :op1 "X"))', {"k": "rostiges"}),
    ],
)
def test_other_nodes_stay(graph: str, words: dict[str, str]) -> None:
    assert mend(graph, "Ein rostiges Messer und Hammer.", "de", words) == graph


def test_nouns_and_names_are_no_adjectives() -> None:
    assert mend("(c / cut-01)", "Das ist das Rostige.", "de", {"c": "Rostige"}) == "(c / cut-01)"


def test_the_graph_is_the_same_object_if_nothing_changes() -> None:
    graph = penman.decode("(c / cut-01)")
    for lang in ("de", "en", "xx"):
        assert with_translated_adjectives(graph, "Er schneidet.", lang, {"c": (3, 12)}) is graph


def test_the_tables_hold_roles_and_concepts_and_each_is_near_itself() -> None:
    for lang in "bg ca de el es fi fr id it ja nb nl pl pt ru sv tr".split():
        table = adjectives_of(lang)
        assert len(table) > 300
        pairs = {tuple(english.split()) for english in table.values()}
        assert all((role == ":domain") != is_frame(concept) for role, concept in pairs)
        assert {concept for role, concept in pairs if role != ":domain"} <= frames()
        assert all(lemma(concept) in near(lemma(concept)) for _, concept in pairs)


def test_the_parser_translates() -> None:
    [parse] = load_mini().parse([Sentence("", "Ein rostiges Messer lag dort.", "de")])
    assert "rusty" in {str(concept) for _, _, concept in parse.graph.instances()}


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        ("(s / sleep-01 :ARG0 (l / lion))", "Лев спит.", "ru", {"l": "Лев", "s": "спит"}),
        ("(c / close-01 :ARG1 (r / road))", "Дорога закрыта.", "ru", {"r": "Дорога", "c": "закрыта"}),
        (
            "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (n / neighbor)))",
            "La mia vicina.", "it", {"n": "vicina", "i": "mia"},
        ),
        ("(i / interest-01 :polarity - :ARG0 (p / person))", "нет интереса", "ru", {"i": "интереса"}),
    ],
)  # fmt: skip
def test_nouns_of_the_same_letters_stay(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert mend(graph, text, lang, words) == graph


@pytest.mark.parametrize(
    ("text", "lang", "concepts"),
    [
        ("她的弟弟很害羞。", "zh", ["shy-04"]),
        ("一个愚蠢的商人来了。", "zh", ["stupid"]),
        ("我们要司法公正。", "zh", []),  # a part of a longer noun
        ("害羞草长大。", "zh", []),  # neither an adverb of degree nor *de*
        ("鋭い刀がある。", "ja", ["sharp-02"]),  # before a kanji
        ("超頑固者だ。", "ja", []),
        ("Komşumuz cimriydi.", "tr", ["stingy"]),
        ("심각한 사고였다.", "ko", ["serious-02"]),
    ],
)
def test_adjectives_by_hand_are_whole_words(text: str, lang: str, concepts: list[str]) -> None:
    assert [adjective.concept for adjective in adjectives(text, lang)] == concepts


def test_a_misread_chinese_adjective_is_translated() -> None:
    mended = mend("(d / dog :mod (g / guard-01))", "一只懒惰的狗", "zh", {"d": "狗", "g": "懒惰"})
    assert mended == "(d / dog :mod (g / lazy))"

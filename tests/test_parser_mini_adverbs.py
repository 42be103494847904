"""Everyday adverbs that the parser loses or misreads are written."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.adverbs import with_adverbs


def mend(text: str, given: str, words: dict[str, str], lang: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_adverbs(penman.decode(given), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "concept"),
    [
        ("fr", "Malheureusement, le magasin est fermé.", "unfortunate"),
        ("nl", "Hij las stiekem de brief.", "secret"),
        ("nl", "Hij dronk stiekem de wijn.", "secret"),
        ("ru", "Она осторожно закрыла дверь.", "careful"),
    ],
)
def test_the_parser_writes_the_adverb(lang: str, text: str, concept: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    assert concept in {one for _, _, one in parse.graph.instances()}


def test_a_misread_leaf_is_replaced() -> None:
    given = "(d / dance-01 :ARG0 (h / he) :location (b / box))"
    assert mend("Il danse en cachette.", given, {"d": "danse", "b": "cachette"}, "fr") == (
        "(d / dance-01 :ARG0 (h / he) :manner (s / secret))"
    )


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Zwykle mówi, że śpi.", "(s / say-01 :ARG0 (h / he) :ARG1 (s2 / sleep-01 :ARG0 h))"),
        ("Zwykle mówi, że śpi.", "(s / sleep-01 :ARG0 (h / he))"),
        ("Zwykle nie śpi.", "(s / sleep-01 :polarity - :ARG0 (h / he))"),
        ("Zwykle śpi.", "(s / sleep-01 :ARG0 (h / he) :mod (n / normal-02))"),
        ("Zwykle pies.", "(d / dog)"),
    ],
)
def test_other_clauses_negations_and_known_adverbs_stay(text: str, given: str) -> None:
    assert mend(text, given, {}, "pl") == given


@pytest.mark.parametrize(
    ("lang", "text", "given"),
    [
        # perhaps, in a question
        ("it", "Hai per caso una penna?", "(h / have-03 :ARG0 (y / you) :ARG1 (p / pen))"),
        ("ru", "А вдруг он уснёт?", "(s / sleep-01 :ARG0 (h / he))"),
        # a warning; *no sooner*; an adverb of an adjective
        ("pl", "Ostrożnie, pies śpi.", "(s / sleep-01 :ARG0 (d / dog))"),
        ("nl", "Nauwelijks wakker rookte hij.", "(s / smoke-02 :ARG0 (h / he))"),
        ("nl", "De meestal norse kok zong.", "(s / sing-01 :ARG0 (c / cook))"),
    ],
)
def test_an_adverb_of_another_meaning_or_word_is_not_added(lang: str, text: str, given: str) -> None:
    assert mend(text, given, {}, lang) == given


def test_a_pronoun_is_no_article_of_an_adverb() -> None:
    given = "(d / do-02 :ARG0 (h / he) :ARG1 (i / it))"
    assert mend("Hij deed het stiekem.", given, {}, "nl") == given[:-1] + " :manner (s / secret))"


def test_a_question_word_is_not_replaced() -> None:
    given = "(s / sing-01 :ARG0 (h / he) :time (a / amr-unknown))"
    assert mend("Wann singt er normalerweise?", given, {"a": "normalerweise"}, "de") == given

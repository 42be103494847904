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

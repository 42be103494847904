"""French ne ... que is only."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.only import with_only


def mend(text: str, given: str, words: dict[str, str], lang: str = "fr") -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_only(penman.decode(given), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    "text",
    [
        "Elle ne mange que des légumes.",
        "Je n'ai vu que Marie.",
        "Il ne reste que trois chaises.",
        "Ce n'est qu'une blague.",
        "Il n'a que deux enfants.",
    ],
)
def test_the_parser_does_not_negate(text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, "fr")])
    concepts = {concept for _, _, concept in parse.graph.instances()}
    assert not parse.graph.attributes(role=":polarity") and concepts & {"only", "just"}


def test_only_is_written_at_the_words_after_que() -> None:
    given = "(s / sleep-01 :ARG0 (d / dog) :time (n / night :mod (a / all)))"
    words = {"s": "dorment", "d": "chiens", "n": "nuit", "a": "la"}
    assert mend("Les chiens ne dorment que la nuit.", given, words) == (
        "(s / sleep-01 :ARG0 (d / dog) :time (n / night :mod (a / all) :mod (o / only)))"
    )


def test_a_list_is_what_is_limited() -> None:
    given = "(s / see-01 :ARG1 (a / and :op1 (c / cat) :op2 (d / dog)))"
    words = {"s": "vu", "c": "chats", "d": "chiens"}
    assert mend("Je n'ai vu que des chats et des chiens.", given, words) == (
        "(s / see-01 :ARG1 (a / and :op1 (c / cat) :op2 (d / dog) :mod (o / only)))"
    )


def test_a_noun_at_the_top_is_limited() -> None:
    assert mend("Ce n'est qu'une parodie.", "(p / parody :polarity -)", {"p": "parodie"}) == (
        "(p / parody :mod (o / only))"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Il n'a pas que deux enfants.",
        "Il n'y a plus que deux enfants.",
        "Je ne crois que ce que je vois.",
        "Il ne sait que faire.",
        "Je n'aime que très peu ce pain.",
        "Cela n'implique aucunement que Tom soit là.",
        "Il ne mange que du pain et jamais de viande.",
        "Il est plus grand qu'il ne le pense.",
    ],
)
def test_other_sentences_stay(text: str) -> None:
    given = "(h / have-03 :polarity - :ARG0 (i / it))"
    assert mend(text, given, {}) == given


def test_another_negated_word_stays() -> None:
    given = (
        "(s / see-01 :ARG0 (p / person :ARG1-of (h / happy-01 :polarity -)) :ARG1 (d / dog :mod (o / only)))"
    )
    words = {"s": "vu", "h": "malheureux", "d": "chiens"}
    assert mend("Le malheureux n'a vu que des chiens.", given, words) == given


def test_other_languages_stay() -> None:
    given = "(s / see-01 :polarity - :ARG1 (d / dog))"
    assert mend("Je n'ai vu que des chiens.", given, {"d": "chiens"}, "it") == given

"""A possessive pronoun says who owns the thing."""

import penman
import pytest

from parser.mini.rules.possessives import with_possessors


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_possessors(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "key"),
    [
        ("Bring me my key.", "en", "key"),
        ("Bringen Sie mir meinen kleinen Schlüssel.", "de", "Schlüssel"),
        ("Apportez-moi ma clé.", "fr", "clé"),
        ("Принеси мой ключ.", "ru", "ключ"),
        ("把我的钥匙拿来。", "zh", "钥匙"),
    ],
)
def test_the_second_owner_goes(text: str, lang: str, key: str) -> None:
    graph = "(b / bring-01 :ARG0 (y / you) :ARG1 (k / key :poss (i / i) :poss y))"
    mended = "(b / bring-01 :ARG0 (y / you) :ARG1 (k / key :poss (i / i)))"
    assert _mended(graph, text, lang, k=key) == mended


def test_the_subject_does_not_own_beside_the_right_owner() -> None:
    graph = "(l / lose-02 :ARG0 (m / mailman) :ARG1 (l2 / letter :poss (i / i) :poss m))"
    spans = {"m": "Listonosz", "l2": "list.", "l": "zgubił"}
    mended = "(l / lose-02 :ARG0 (m / mailman) :ARG1 (l2 / letter :poss (i / i)))"
    assert _mended(graph, "Listonosz zgubił mój list.", "pl", **spans) == mended
    other = "(s / see-01 :ARG1 (l2 / letter :poss (i / i) :poss (f / friend)))"
    assert _mended(other, "Widział mój list przyjaciela.", "pl", l2="list", f="przyjaciela") == other


def test_a_wrong_owner_is_replaced() -> None:
    graph = "(l / lose-02 :ARG0 (t / they) :ARG1 (k / key :poss t))"
    mended = "(l / lose-02 :ARG0 (t / they) :ARG1 (k / key :poss (w / we)))"
    assert _mended(graph, "Han perdido nuestra llave.", "es", k="llave") == mended


@pytest.mark.parametrize(
    ("graph", "mended"),
    [
        ("(w / wait-01 :ARG1 (i / i) :ARG2 (r / reply-01 :ARG0 i))",
         "(w / wait-01 :ARG1 (i / i) :ARG2 (r / reply-01 :ARG0 (y / you)))"),
        ("(w / wait-01 :ARG1 (i / i) :ARG2 (r / reply-01 :ARG0 i :ARG1 (y / you)))",
         "(w / wait-01 :ARG1 (i / i) :ARG2 (r / reply-01 :ARG0 (y / you)))"),
    ],
)  # fmt: skip
def test_the_owner_of_an_act_does_it(graph: str, mended: str) -> None:
    assert _mended(graph, "I am waiting for your reply.", "en", r="reply") == mended


def test_thanks_are_for_what_the_other_did() -> None:
    graph = "(t / thank-01 :ARG0 (i / i) :ARG1 (h / help-01 :ARG0 i))"
    mended = "(t / thank-01 :ARG0 (i / i) :ARG1 (h / help-01 :ARG0 (y / you)))"
    assert _mended(graph, "Grazie per il vostro aiuto.", "it") == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(l / lose-02 :ARG1 (k / key :poss (i / i)))", "I lost my key.", "en"),
        # both own it
        ("(k / key :poss (i / i) :poss (y / you))", "My key is your key.", "en"),
        # the sentence says who it is
        ("(k / key :poss (i / i) :domain (y / you))", "I am your key.", "en"),
        # *their*, or a polite *your*
        ("(l / lose-02 :ARG0 (t / they) :ARG1 (k / key :poss t))", "Ihr key ist weg.", "de"),
        (
            "(s / say-01 :ARG0 (h / he) :ARG1 (l / lose-02 :ARG1 (k / key :poss h)))",
            '"My key is lost", he said.',
            "en",
        ),
        # *my* belongs to another word
        ("(k / key :poss (h / he))", "In my opinion he lost the key.", "en"),
        # the giver may be another one
        ("(g / give-01 :ARG0 (y / you) :ARG1 (k / refund-01 :ARG0 y))", "Give me my key.", "en"),
        ("(k / key :poss (h / he))", "Můj key.", "cs"),
    ],
)
def test_other_owners_stay(graph: str, text: str, lang: str) -> None:
    assert _mended(graph, text, lang, k="key") == penman.encode(penman.decode(graph), indent=None)

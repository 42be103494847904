"""Verbs that the parser misreads are translated."""

import penman
import pytest

from amrx.composed_text import Span
from linearize.frames import frames
from parser.mini.rules.verbs import near, verbs_of, with_translated_verbs


def mend(graph: str, text: str, lang: str, words: dict[str, str]) -> str:
    """Mend a graph whose nodes are aligned to ``words`` of the text."""
    alignments: dict[str, Span] = {
        node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()
    }
    return penman.encode(with_translated_verbs(penman.decode(graph), text, lang, alignments), indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "word", "wrong", "right"),
    [
        ("it", "L'hanno acquistata ieri.", "acquistata", "fly-01", "buy-01"),
        ("sv", "Två lärare avskedades.", "avskedades", "sing-01", "fire-02"),
        ("de", "Die Brücke ist eingestürzt.", "eingestürzt", "sing-01", "collapse-01"),
        ("pl", "Anna obiecała pomoc.", "obiecała", "sing-01", "promise-01"),
        ("de", "Das Kind niest.", "niest", "sing-01", "sneeze-01"),
        ("tr", "Dedem horluyor.", "horluyor", "sing-01", "snore-01"),
        ("zh", "奶奶在咳嗽。", "咳", "sing-01", "cough-01"),  # a part of the word
        ("ja", "父は壁を修理しました。", "修理", "sing-01", "repair-01"),
        ("en", "She stapled the pages.", "stapled", "rattle-01", "staple-01"),
        ("en", "She downloaded the file.", "downloaded", "save-01", "download-01"),  # near is not enough
    ],
)
def test_a_misread_verb_is_translated_and_keeps_its_arguments(
    lang: str, text: str, word: str, wrong: str, right: str
) -> None:
    assert mend(f"(x / {wrong} :ARG0 (h / he))", text, lang, {"x": word}) == f"(x / {right} :ARG0 (h / he))"


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        ("(c / crumble-01)", {"c": "eingestürzt"}),  # near the translation
        ("(h / have-03)", {"h": "eingestürzt"}),
        ("(h / have-rel-role-91)", {"h": "eingestürzt"}),
        ("(d / dog)", {"d": "eingestürzt"}),
        ("(s / sing-01)", {}),  # not aligned
        ("(s / sing-01 :ARG0 (c / collapse-01))", {"s": "eingestürzt"}),
    ],
)
def test_other_nodes_stay(graph: str, words: dict[str, str]) -> None:
    assert mend(graph, "Die Brücke ist eingestürzt.", "de", words) == graph


def test_english_verbs_keep_their_particles_and_frequent_words_stay() -> None:
    for graph, word in (("(w / wake-up-02)", "waking"), ("(g / leave-11)", "goes")):
        assert mend(graph, "He goes waking.", "en", {graph[1]: word}) == graph


def test_a_form_of_two_verbs_stays() -> None:
    """*Vendas* is of *vender*, to sell, and of *vendar*, to bandage."""
    text = "No quiero que vendas la casa."
    assert mend("(s / sell-01)", text, "es", {"s": "vendas"}) == "(s / sell-01)"


def test_nouns_of_german_are_no_verbs() -> None:
    assert mend("(s / sing-01)", "Das ist das Austauschen.", "de", {"s": "Austauschen"}) == "(s / sing-01)"
    assert mend("(s / sing-01)", "Kaputt. Austauschen!", "de", {"s": "Austauschen"}) == "(s / exchange-01)"


def test_no_node_becomes_a_verb_of_constructions() -> None:
    assert verbs_of("pl")["będący"] == "be-02"
    assert mend("(s / sing-01)", "będący w domu", "pl", {"s": "będący"}) == "(s / sing-01)"


def test_the_graph_is_the_same_object_if_nothing_changes() -> None:
    graph = penman.decode("(c / cut-01)")
    for lang in ("de", "en", "xx"):
        assert with_translated_verbs(graph, "Er schneidet.", lang, {"c": (3, 12)}) is graph


def test_the_tables_hold_frames_of_propbank_and_every_verb_is_near_itself() -> None:
    for lang in ("de", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv"):
        table = verbs_of(lang)
        assert len(table) > 1000
        assert set(table.values()) <= frames()
        verbs = {frame.rpartition("-")[0].replace("-", " ") for frame in table.values()}
        assert all(verb in near(verb) for verb in verbs)

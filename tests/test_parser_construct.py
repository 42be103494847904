"""parser.training.templates.meanings: the words, the graphs, and what is drawn of them."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from itertools import islice
from random import Random

import penman
import pytest

from amrx.errors import OptionError
from amrx.examples import foils, meanings
from linearize.frames import unknown_frame
from linearize.packed import unpack
from parser.training.corpora.leakage import Reserved
from parser.training.templates.meanings.draw import RULES, constructed_examples, draw, sentences
from parser.training.templates.meanings.graph import graph
from parser.training.templates.meanings.lexicon import LANGS, Verb, adverbs, is_one_of, nouns, verbs, word
from parser.training.templates.meanings.meaning import (
    Both,
    Clause,
    Command,
    Comparison,
    Control,
    Linked,
    Opinion,
    Thing,
    Wish,
)
from tests.support.foil_pairs import WORDS
from tests.support.foil_pairs import examples as foil_examples

VERBS = {verb.frame: verb for verb in verbs()}
BOY, GIRL, DOG, KING = (Thing(nouns()[name]) for name in ("boy", "girl", "dog", "king"))


@pytest.mark.parametrize(("meaning", "said"), [
    (Clause(VERBS["kick-01"], BOY, DOG, past=True, negated=True),
     "(z0 / kick-01 :ARG0 (z1 / boy) :ARG1 (z2 / dog) :polarity -)"),
    (Clause(VERBS["kick-01"], BOY, DOG, passive=True), "(z0 / kick-01 :ARG0 (z1 / boy) :ARG1 (z2 / dog))"),
    (Clause(VERBS["kick-01"], None, DOG, passive=True), "(z0 / kick-01 :ARG1 (z1 / dog))"),
    (Clause(VERBS["lend-01"], Thing(nouns()["teacher"], adjective="old"), Thing(nouns()["book"]), GIRL),
     "(z0 / lend-01 :ARG0 (z1 / person :ARG0-of (z2 / teach-01) :mod (z3 / old)) :ARG1 (z4 / book)"
     " :ARG2 (z5 / girl))"),
    (Control("try", DOG, Clause(VERBS["come-01"]), negated=True),
     "(z0 / try-01 :ARG0 (z1 / dog) :ARG1 (z2 / come-01 :ARG1 z1) :polarity -)"),
    (Wish(KING, Clause(VERBS["wait-01"], BOY)),
     "(z0 / want-01 :ARG0 (z1 / king) :ARG1 (z2 / wait-01 :ARG1 (z3 / boy)))"),
    (Opinion("know", KING, Clause(VERBS["go-02"], BOY, negated=True)),
     "(z0 / know-01 :ARG0 (z1 / king) :ARG1 (z2 / go-02 :ARG0 (z3 / boy) :polarity -))"),
    (Clause(VERBS["catch-01"], BOY, DOG, modal="can", negated=True),
     "(z0 / possible-01 :ARG1 (z1 / catch-01 :ARG0 (z2 / boy) :ARG1 (z3 / dog)) :polarity -)"),
    (Clause(VERBS["catch-01"], BOY, DOG, modal="must"),
     "(z0 / obligate-01 :ARG1 (z1 / boy) :ARG2 (z2 / catch-01 :ARG0 z1 :ARG1 (z3 / dog)))"),
    (Linked(Clause(VERBS["laugh-01"], BOY, negated=True), Clause(VERBS["fall-01"], KING)),
     "(z0 / laugh-01 :ARG0 (z1 / boy) :polarity -"
     " :ARG1-of (z2 / cause-01 :ARG0 (z3 / fall-01 :ARG1 (z4 / king))))"),
    (Both(Clause(VERBS["cry-02"], GIRL), Clause(VERBS["wait-01"])),
     "(z0 / and :op1 (z1 / cry-02 :ARG0 (z2 / girl)) :op2 (z3 / wait-01 :ARG1 z2))"),
    (Comparison(DOG, "big", KING),
     "(z0 / have-degree-91 :ARG1 (z1 / dog) :ARG2 (z2 / big) :ARG3 (z3 / more) :ARG4 (z4 / king))"),
    (Command(Clause(VERBS["wait-01"], negated=True)),
     "(z0 / wait-01 :mode imperative :polarity - :ARG1 (z1 / you))"),
    (Command(Clause(VERBS["lend-01"], None, Thing(nouns()["book"]), GIRL)),
     "(z0 / lend-01 :mode imperative :ARG0 (z1 / you) :ARG1 (z2 / book) :ARG2 (z3 / girl))"),
    (Clause(VERBS["sleep-01"], Thing(nouns()["Anna"]), adverb=adverbs()[0]),
     '(z0 / sleep-01 :ARG0 (z1 / person :name (z2 / name :op1 "Anna")) :time (z3 / yesterday))'),
    (Clause(VERBS["run-02"], Thing(nouns()["dog"], relative=Clause(VERBS["lick-01"], None, BOY))),
     "(z0 / run-02 :ARG0 (z1 / dog :ARG0-of (z2 / lick-01 :ARG1 (z3 / boy))))"),
    (Clause(VERBS["run-02"], Thing(nouns()["dog"], relative=Clause(VERBS["lick-01"], BOY))),
     "(z0 / run-02 :ARG0 (z1 / dog :ARG1-of (z2 / lick-01 :ARG0 (z3 / boy))))"),
])  # fmt: skip
def test_a_graph_says_who_does_what_to_whom(meaning, said):
    assert penman.encode(graph(meaning), indent=None) == said


def forms(verb: Verb, lang: str) -> int:
    """How many forms a verb has, without its marks."""
    return len([form for form in verb.forms[lang] if form not in ("dat", "state", "done")])


def test_the_tables_have_every_form_that_the_rules_take():
    counts = {"de": {4}, "es": {5}, "fr": {4}, "it": {4}, "zh": {1}}
    for verb in verbs():
        assert not unknown_frame(verb.frame)
        assert forms(verb, "en") in (4, 5)
        for lang, allowed in counts.items():
            assert lang not in verb.forms or forms(verb, lang) in allowed, (verb.frame, lang)
        if "tr" in verb.forms:
            assert forms(verb, "tr") == (2 if verb.kind == "transitive" else 1), verb.frame
        if "ar" in verb.forms:
            assert forms(verb, "ar") in {"transitive": (3, 5), "ditransitive": (3, 4)}.get(verb.kind, (3,))
    for noun in nouns().values():
        for lang in ("de", "es", "fr", "it"):
            assert lang not in noun.forms or word(noun, lang)[0] in ("m", "f", "n" if lang == "de" else "m")
        assert all(len(word(noun, lang)) == 2 for lang in ("es", "fr", "it", "zh") if lang in noun.forms)
    assert all(any(is_one_of(n, v.agents) for n in nouns().values()) for v in verbs())
    assert all(any(is_one_of(n, v.patients) for n in nouns().values()) for v in verbs() if v.patients)


def test_no_verb_of_the_foil_pairs_is_taught_here():
    """They measure role swaps, so that a graph of theirs must never be trained on."""
    measured = {
        form for verb in tomllib.loads(WORDS.read_text("utf-8"))["verbs"].values() for form in verb["en"]
    }
    assert len(measured) > 50
    taught = {form for verb in verbs() if verb.kind == "transitive" for form in verb.forms["en"]}
    assert not measured & taught


def test_what_is_reserved_or_shown_is_said_in_no_language():
    free = list(constructed_examples(60, 1, ()))
    graphs = {tuple(example.graph) for example in free}
    spanish = next(example for example in free if example.lang == "es")
    left = list(constructed_examples(60, 1, Reserved([spanish.text.upper()])))
    assert {tuple(example.graph) for example in left} == graphs - {tuple(spanish.graph)}
    shown = Reserved(example.text for example in (*meanings(), *foils(), *foil_examples()))
    assert not [example for example in constructed_examples(3000, 0, ()) if example.text in shown]


def test_a_sentence_has_one_graph_and_a_graph_one_sentence_of_each_language():
    found: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for example in constructed_examples(3000, 2, ()):
        found[example.lang, example.text.rstrip(".。")].add(tuple(example.graph))
        assert unpack(example.graph)[0] == "("
    assert {lang for lang, _ in found} == set(LANGS) == set(RULES)
    assert max(map(len, found.values())) == 1


def test_every_kind_is_drawn_and_the_same_for_the_same_seed():
    rng = Random(3)
    said = [draw(rng) for _ in range(300)]
    assert {type(meaning) for meaning in said} == {
        Clause,
        Control,
        Wish,
        Opinion,
        Linked,
        Both,
        Comparison,
        Command,
    }
    clauses = [meaning for meaning in said if isinstance(meaning, Clause)]
    assert {clause.modal for clause in clauses} == {"", "can", "must"}
    assert {clause.passive for clause in clauses} == {True, False}
    assert any(clause.agent and clause.agent.relative for clause in clauses)
    assert any(clause.recipient for clause in clauses)
    assert sentences(said[0], Random(4)) == sentences(said[0], Random(4))
    assert list(islice(constructed_examples(9, 5, ()), 20)) == list(
        islice(constructed_examples(9, 5, ()), 20)
    )


def test_a_negative_number_is_told():
    with pytest.raises(OptionError, match="constructed must be at least 0, got -1"):
        next(constructed_examples(-1, 0, ()))

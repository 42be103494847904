"""parser.training.mini.exchange: which parts are exchanged, and what comes of it."""

from __future__ import annotations

import random
import re
from collections import Counter

import penman
import pytest

from linearize import delinearize, linearize
from linearize.packed import pack, unpack
from parser.score.smatch import corpus_smatch
from parser.training.example import Example
from parser.training.mini import exchange as module
from parser.training.mini.exchange import Part, exchange, exchanged_examples, nouns, parts


def example(text, graph, lang="en", weight=4.0):
    return Example(text, pack(linearize(penman.decode(graph), form="pointer")), lang, weight)


def located(text, *words):
    """The first place of each word, surely; ``None`` for a node without one."""
    return [
        (None, 1.0) if word is None else ((text.index(word), text.index(word) + len(word)), 1.0)
        for word in words
    ]


THROW = example("A man throws a knife.", "(t / throw-01 :ARG0 (m / man) :ARG1 (k / knife))")
CHASE = example("Two dogs chase the ball.", "(c / chase-01 :ARG0 (d / dog :quant 2) :ARG1 (b / ball))")
KNOWN = {"man", "knife", "dog", "ball"}


def part(of, words, concept):
    (found,) = [p for p in parts(of, located(of.text, *words), KNOWN) if p.concept == concept]
    return found


def test_a_part_is_a_noun_with_what_hangs_on_it():
    dog = part(CHASE, ("chase", "dogs", "Two", "ball"), "dog")
    assert dog.text == "Two dogs"
    assert dog.tokens == ("(", "<1>", "dog", ":quant", "2", ")")
    assert unpack(CHASE.graph)[dog.begin : dog.end] == list(dog.tokens)


@pytest.mark.parametrize(
    ("graph", "words", "left"),
    [
        (
            "(c / chase-01 :ARG0 (d / dog :quant 2) :ARG1 (b / ball))",
            ("chase", "dogs", "Two", "ball"),
            ["dog", "ball"],
        ),
        # another node's word stands between the first and the last of the dogs'
        (
            "(c / chase-01 :ARG0 (d / dog :quant 2) :ARG1 (b / ball))",
            ("dogs", "chase", "Two", "ball"),
            ["ball"],
        ),
        # a node of the part has no word
        (
            "(c / chase-01 :ARG0 (d / dog :quant 2) :ARG1 (b / ball))",
            ("chase", "dogs", None, "ball"),
            ["ball"],
        ),
        # the dogs are mentioned again
        ("(c / chase-01 :ARG0 (d / dog) :ARG1 (b / ball :poss d))", ("chase", "dogs", "ball"), []),
        # no role of a noun; the top is no part
        ("(d / dog :mod (b / ball))", ("dogs", "ball"), []),
        # not known as nouns
        ("(c / chase-01 :ARG0 (x / xylem) :ARG1 (b / bark-01))", ("chase", "dogs", "ball"), []),
    ],
)
def test_parts_have_clear_borders_in_graph_and_text(graph, words, left):
    of = example(CHASE.text, graph)
    assert [p.concept for p in parts(of, located(of.text, *words), KNOWN)] == left


def test_a_word_that_is_not_sure_makes_no_part():
    spans = [(span, 0.8) for span, _ in located(CHASE.text, "chase", "dogs", "Two", "ball")]
    assert parts(CHASE, spans, KNOWN) == []


def test_exchanged_parts_are_exchanged_in_text_and_graph():
    man = part(THROW, ("throws", "man", "knife"), "man")
    knife = part(THROW, ("throws", "man", "knife"), "knife")
    dogs = part(CHASE, ("chase", "dogs", "Two", "ball"), "dog")
    ball = part(CHASE, ("chase", "dogs", "Two", "ball"), "ball")
    for chosen in ([(man, dogs), (knife, ball)], [(knife, ball), (man, dogs)]):
        made = exchange(THROW, chosen, 0.5)
        assert made.text == "A two dogs throws a ball."
        wanted = "(t / throw-01 :ARG0 (d / dog :quant 2) :ARG1 (b / ball))"
        graph = delinearize(unpack(made.graph)).graph
        assert corpus_smatch([penman.decode(wanted)], [graph]).f1 == 100.0
        assert (made.lang, made.weight) == ("en", 0.5)


def test_nodes_mentioned_behind_an_exchange_are_renumbered():
    wants = example(
        "The dog wants the man to go.",
        "(w / want-01 :ARG0 (d / dog) :ARG1 (g / go-02 :ARG0 (m / man :ARG0-of (s / see-01 :ARG1 g))))",
    )
    dog = part(wants, ("wants", "dog", "go", "man", None), "dog")
    big = Part(
        ":ARG0", 0, ("(", "<7>", "cat", ":poss", "(", "<8>", "woman", ")", ")"), (0, 15), "The woman's cat"
    )
    made = exchange(wants, [(dog, big)], 1.0)
    assert made.text == "The the woman's cat wants the man to go."
    wanted = (
        "(w / want-01 :ARG0 (c / cat :poss (x / woman))"
        " :ARG1 (g / go-02 :ARG0 (m / man :ARG0-of (s / see-01 :ARG1 g))))"
    )
    assert corpus_smatch([penman.decode(wanted)], [delinearize(unpack(made.graph)).graph]).f1 == 100.0


def test_nouns_are_what_stands_as_argument_and_is_no_list_preposition_pronoun_or_frame():
    graph = example(
        "x",
        "(s / see-01 :ARG0 (i / i) :ARG1 (a / and :op1 (d / dog :mod (b / big)) :op2 (r / run-02))"
        " :location (u / under :op1 (t / tree)))",
    ).graph
    assert nouns([graph] * 3) == {"dog", "tree"}
    assert nouns([graph] * 2) == set()  # too few to tell
    big = example("x", "(s / see-01 :ARG1 (b / big))").graph
    assert nouns([graph] * 3 + [big] * 3) == {"dog", "tree"}
    assert nouns([graph] * 3 + [big] * 4) == {"dog", "tree", "big"}


def test_every_sentence_with_parts_gives_new_ones_of_its_weight_and_language(monkeypatch):
    mine = [
        THROW, CHASE,
        example("Ein Mann wirft ein Messer.", "(t / throw-01 :ARG0 (m / man) :ARG1 (k / knife))", "de", 2.0),
        example("Hunde jagen.", "(c / chase-01 :ARG0 (d / dog))", "de", 2.0),
        example("Go!", "(g / go-02)"),
    ]  # fmt: skip
    words = {
        THROW.text: ("throws", "man", "knife"), CHASE.text: ("chase", "dogs", "Two", "ball"),
        mine[2].text: ("wirft", "Mann", "Messer"), mine[3].text: ("jagen", "Hunde"), mine[4].text: ("Go",),
    }  # fmt: skip
    monkeypatch.setattr(module, "locate", lambda _, some: [located(e.text, *words[e.text]) for e in some])
    made = list(exchanged_examples(None, mine, KNOWN, 8))
    assert {e.lang: e.weight for e in made} == {"en": 0.5, "de": 0.25}
    assert len({e.text for e in made}) == len(made) and not {e.text for e in made} & {e.text for e in mine}
    english = {word for e in made if e.lang == "en" for word in e.text.lower().strip(".").split()}
    assert english <= {"a", "two", "the", "man", "knife", "dogs", "ball", "throws", "chase"}
    assert any("Mann jagen" in e.text for e in made) and any("Hunde wirft" in e.text for e in made)
    assert [e.text for e in exchanged_examples(None, mine, KNOWN, 8)] == [e.text for e in made]
    # a language's draws do not depend on the others
    german = [e.text for e in exchanged_examples(None, [e for e in mine if e.lang == "de"], KNOWN, 8)]
    assert german == [e.text for e in made if e.lang == "de"]
    assert [e.text for e in exchanged_examples(None, mine, KNOWN, 8, seed=1)] != [e.text for e in made]


def test_partners_are_drawn_by_concept_first():
    men = [Part(":ARG0", 4, ("(", "<1>", "man", ")"), (0, 3), f"man {n}") for n in range(99)]
    dogs = [Part(":ARG1", 4, ("(", "<1>", "dog", ")"), (0, 3), "dog")]
    rng, drawn = random.Random(0), Counter()
    for _ in range(200):
        ((_, other),) = module._chosen(men[:1], {"": {"man": men, "dog": dogs}}, {"": ["dog", "man"]}, rng)
        drawn[other.concept] += 1
    assert 70 < drawn["dog"] < 130


@pytest.mark.parametrize("lang", ["de", "fr"])
def test_a_noun_that_shows_its_case_goes_only_where_its_like_stood(monkeypatch, lang):
    mine = [
        example("Der Hund sieht den Mann.", "(s / see-01 :ARG0 (d / dog) :ARG1 (m / man))", lang),
        example("Der Ball trifft den Hund.", "(h / hit-01 :ARG0 (b / ball) :ARG1 (d / dog))", lang),
    ]
    words = {
        mine[0].text: ("sieht", "Der Hund", "den Mann"),
        mine[1].text: ("trifft", "Der Ball", "den Hund"),
    }
    monkeypatch.setattr(module, "locate", lambda _, some: [located(e.text, *words[e.text]) for e in some])
    made = [e.text for e in exchanged_examples(None, mine, KNOWN, 40)]
    assert "Der Ball sieht den Hund." in made
    wrong = [text for text in made if text.startswith("Den ") or re.search(r"(sieht|trifft) [Dd]er", text)]
    assert bool(wrong) == (lang == "fr")


def test_the_first_letter_is_that_of_the_place_and_names_keep_theirs():
    runs = example("O koşar.", "(r / run-02 :ARG0 (h / dog))", "tr")
    dog = Part(":ARG0", 4, ("(", "<1>", "dog", ")"), (0, 1), "O")
    two = Part(":ARG0", 4, ("(", "<1>", "dog", ":quant", "2", ")"), (3, 12), "iki köpek")
    assert exchange(runs, [(dog, two)], 1.0).text == "İki köpek koşar."
    sees = example("Bir adam onu görür.", "(s / see-01 :ARG0 (m / man) :ARG1 (d / dog))", "tr")
    seen = Part(":ARG1", 9, ("(", "<2>", "dog", ")"), (9, 12), "onu")
    light = Part(":ARG1", 4, ("(", "<1>", "light", ")"), (0, 5), "Işığı")
    assert exchange(sees, [(seen, light)], 1.0).text == "Bir adam ışığı görür."
    named = ("(", "<1>", "man", ":name", "(", "<2>", "name", ":op1", '"Tom"', ")", ")")
    assert exchange(sees, [(seen, Part(":ARG1", 4, named, (0, 3), "Tom"))], 1.0).text == "Bir adam Tom görür."

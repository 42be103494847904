"""Each member of a list is written once."""

import re

import penman
import pytest

from parser.mini.rules.lists import with_lists


def _listed(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_lists(penman.decode(graph), text, lang, spans), indent=None)


TWO = "(a / and :op1 (d / dog) :op2 (h / horse))"
THREE = "(a / and :op1 (d / dog) :op2 (c / cat) :op3 (h / horse))"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Dogs, cats and horses are animals.", "en"),
        ("My dog, my cat, and my horse sleep.", "en"),
        ("Hunde, Katzen und Pferde sind Tiere.", "de"),
        ("Les chiens, les chats et les chevaux dorment.", "fr"),
        ("Los perros, los gatos y los caballos duermen.", "es"),
        ("Psy, koty i konie śpią.", "pl"),
        ("Собаки, кошки и лошади спят.", "ru"),
    ],
)
def test_a_lost_member_is_written(text: str, lang: str) -> None:
    assert _listed(TWO, text, lang) == THREE


def test_a_doubled_member_becomes_the_lost_one() -> None:
    doubled = "(a / and :op1 (d / dog) :op2 (d2 / dog) :op3 (h / horse))"
    assert _listed(doubled, "Dogs, cats and horses.", "en") == THREE.replace("(c /", "(d2 /")


def test_lists_without_spaces() -> None:
    graph = "(s / sell-01 :ARG1 (a / and :op1 (t / table) :op2 (l / lamp)))"
    mended = "(s / sell-01 :ARG1 (a / and :op1 (t / table) :op2 (c / chair) :op3 (l / lamp)))"
    assert _listed(graph, "他们卖桌子、椅子和台灯。", "zh", t="桌子", l="台灯") == mended


def test_a_lost_name_has_the_concept_of_the_others() -> None:
    graph = '(a / and :op1 (p / person :name (n / name :op1 "Tom")) :op2 (p2 / person :name (n2 / name {})))'
    mended = _listed(graph.format(':op1 "John"'), "Tom, Mary Smith and John came.", "en")
    assert '(p3 / person :name (n3 / name :op1 "Mary" :op2 "Smith"))' in mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (THREE, "Dogs, cats and horses are animals.", "en"),
        (TWO, "Dogs and horses are animals.", "en"),
        (TWO, "Dogs, blorps and horses are animals.", "en"),  # an unknown word
        (TWO, "He feeds dogs, cats and horses; she feeds pigs, cows and geese.", "en"),  # two lists
        ("(s / sleep-01 :ARG0 (a / and :op1 (d / dog) :op2 (h / horse)) :time (c / cat))",
         "Dogs, cats and horses are animals.", "en"),  # the member is elsewhere
        ("(a / and :op1 (c / come-01) :op2 (s / see-01))", "He came, saw and conquered.", "en"),
    ],
)  # fmt: skip
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    assert _listed(graph, text, lang) == penman.encode(penman.decode(graph), indent=None)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Two dogs, a cat and three horses.", "en"),
        ("2 Hunde, eine Katze und 3 Pferde.", "de"),
        ("To hunder, en katt og tre hester.", "nb"),
        ("Duas cadelas, uma gata e três cavalos.", "pt"),
    ],
)
def test_each_number_is_that_of_its_member(text: str, lang: str) -> None:
    graph = "(a / and :quant 3 :op1 (d / dog :quant 2) :op2 (c / cat) :op3 (h / horse))"
    words = dict(zip("dch", re.findall(r"(\w+)[,.]|(?<=a )(\w+)|(?<=e )(\w+)", text), strict=False))
    mended = _listed(graph, text, lang, **{node: "".join(word) for node, word in words.items()})
    assert mended == "(a / and :op1 (d / dog :quant 2) :op2 (c / cat) :op3 (h / horse :quant 3))"


def test_a_lost_relative_is_that_of_the_same_person() -> None:
    kin = "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (b / brother)))"
    mended = _listed(f"(a / and :op1 {kin} :op2 (u / uncle))", "My brother, my sister and my uncle.", "en")
    triples = penman.decode(mended).triples
    assert {("h2", ":ARG0", "p2"), ("h2", ":ARG1", "i"), ("h2", ":ARG2", "r")} <= set(triples)
    assert {("r", ":instance", "sister"), ("a", ":op2", "p2"), ("a", ":op3", "u")} <= set(triples)


def test_a_doubled_name_becomes_the_lost_one() -> None:
    cities = "".join(
        f' :op{i} (c{i} / city :name (n{i} / name :op1 "{name}"))'
        for i, name in enumerate(("Paris", "Berlin", "Berlin"), 1)
    )
    mended = _listed(f"(a / and{cities})", "Paris, London and Berlin are cities.", "en")
    assert re.findall(r':op1 "(\w+)"', mended) == ["Paris", "London", "Berlin"]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("My brother, a doctor, and his wife live in Lyon.", "en"),
        ("Mein Bruder, ein Arzt, und seine Frau wohnen in Bremen.", "de"),
    ],
)
def test_an_apposition_is_no_member(text: str, lang: str) -> None:
    graph = "(a / and :op1 (b / brother) :op2 (w / wife))"
    assert _listed(graph, text, lang) == graph


def test_clauses_get_no_nouns() -> None:
    graph = "(a / and :op1 (s / sing-01 :ARG0 (h / he)) :op2 (p / play-01 :ARG0 h :ARG1 (p2 / piano)))"
    assert _listed(graph, "He sings, dances and plays the piano.", "en", s="sings", p="plays") == graph


def test_his_wife_is_not_mine() -> None:
    kin = "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (b / brother)))"
    for text, lang in (
        ("My brother, his uncle and my mother.", "en"),
        ("Kardeşim, karısı ve annem geldi.", "tr"),
    ):
        mended = _listed(f"(a / and :op1 {kin} :op2 (m / mother))", text, lang)
        assert mended.count(":ARG1 ") == 1
        assert re.search(r":op2 \(\w+ / (?:uncle|wife)\)", mended)


def test_operands_are_numbered_without_a_doubled_name() -> None:
    names = "".join(f' :op{i} (p{i} / person :name (n{i} / name :op1 "Anna"))' for i in (2, 3))
    mended = _listed(
        f"(a / and :op1 (b / boss){names} :op4 (i / intern))", "The boss, Anna and the intern.", "en"
    )
    assert re.findall(r":op\d (?=\()", mended) == [":op1 ", ":op2 ", ":op3 "]

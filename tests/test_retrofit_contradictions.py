"""Statements that contradict each other, in literal graphs and in the shipped table of opposites."""

import penman
import pytest

from parser.graphs.diff import compare
from retrofit.contradictions import AGREEMENT, are_opposites, contradictions, differ
from tests.support.script_modules import load_script


def words(one: str, other: str, agreement: float = AGREEMENT) -> list[str]:
    left, right = penman.decode(one), penman.decode(other)
    return [one.words for one in contradictions(compare(left, right), left, right, agreement=agreement)]


CRASH = "(c / crash-01 :ARG1 (a / app) :time (u / upload-01 :ARG1 (p / photo)))"
NOT_CRASH = "(c / crash-01 :polarity - :ARG1 (a / app) :time (u / upload-01 :ARG1 (p / photo)))"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (CRASH, NOT_CRASH, ["negation: :polarity of crash-01: (none) | -"]),
        (
            "(o / open-01 :ARG1 (s / shop) :time (d / date-entity :time \"9:00\"))",
            "(c / close-01 :ARG1 (s / shop) :time (d / date-entity :time \"9:00\"))",
            ["antonym: open-01 | close-01"],
        ),
        (
            "(o / order-01 :ARG0 (w / we) :ARG1 (c / chair :quant 4))",
            "(o / order-01 :ARG0 (w / we) :ARG1 (c / chair :quant 6))",
            ["amount: :quant of chair: 4 | 6"],
        ),
        (
            "(a / arrive-01 :ARG1 (i / i) :time (d / date-entity :weekday (m / monday)))",
            "(a / arrive-01 :ARG1 (i / i) :time (d / date-entity :weekday (f / friday)))",
            ["amount: :weekday of date-entity: monday | friday"],
        ),
        (
            "(r / refund-01 :ARG1 (o / order-02 :mod 48213) :mode imperative)",
            "(r / refund-01 :ARG1 (o / order-02 :ARG3 99120) :mode imperative)",
            ["amount: :mod of order-02: 48213 | 99120"],
        ),
        (
            '(c / call-02 :ARG0 (p / person :name (n / name :op1 "Ann" :op2 "Lopez")) :ARG1 (i / i))',
            '(c / call-02 :ARG0 (p / person :name (n / name :op1 "Mary" :op2 "Lopez")) :ARG1 (i / i))',
            ['name: :name of person: "Ann Lopez" | "Mary Lopez"'],
        ),
        (
            "(b / bite-01 :ARG0 (d / dog :mod (b2 / black)) :ARG1 (m / man))",
            "(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog :mod (b2 / black)))",
            ["swapped role: :ARG0 of bite-01: dog | man"],
        ),
        (  # both participants are persons: only their relations differ
            "(t / thank-01 :ARG0 (p / person :ARG0-of (s / sing-01)) :ARG1 (q / person :mod (o / old)))",
            "(t / thank-01 :ARG0 (p / person :mod (o / old)) :ARG1 (q / person :ARG0-of (s / sing-01)))",
            ["swapped role: :ARG0 of thank-01: person (p) | person (q)"],
        ),
    ],
)  # fmt: skip
def test_each_kind_is_named_with_its_statement(one: str, other: str, told: list[str]) -> None:
    [found], [expected] = words(one, other), told
    assert found.partition(": ")[0] == expected.partition(": ")[0]
    assert words(one, one) == [] == words(other, other)
    if "person (" not in expected:
        assert found == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # not open is closed
        ("(o / open-01 :polarity - :ARG1 (d / door))", "(c / close-01 :ARG1 (d / door))"),
        # cannot use: negated at either verb
        (
            "(p / possible-01 :polarity - :ARG1 (u / use-01 :ARG0 (g / guest) :ARG1 (q / pool)))",
            "(p / possible-01 :ARG1 (u / use-01 :polarity - :ARG0 (g / guest) :ARG1 (q / pool)))",
        ),
        # neither: at the coordination or at each part
        (
            "(a / and :polarity - :op1 (e / eat-01 :ARG0 (i / i)) :op2 (d / drink-01 :ARG0 i))",
            "(a / and :op1 (e / eat-01 :polarity - :ARG0 (i / i)) :op2 (d / drink-01 :polarity - :ARG0 i))",
        ),
        # one hour is 60 minutes
        (
            "(w / wait-01 :ARG1 (i / i) :duration (t / temporal-quantity :quant 1 :unit (h / hour)))",
            "(w / wait-01 :ARG1 (i / i) :duration (t / temporal-quantity :quant 60 :unit (m / minute)))",
        ),
        # one notation or another
        ("(c / cost-01 :ARG2 (m / money :quant 1,250.0))", "(c / cost-01 :ARG2 (m / money :quant 1250))"),
        # only one graph has the number
        ("(o / order-01 :ARG1 (c / chair :quant 4))", "(o / order-01 :ARG1 (c / chair))"),
        # a synonym is no opposite
        ("(b / begin-01 :ARG1 (m / meet-03))", "(s / start-01 :ARG1 (m / meet-03))"),
        # the same name in another spelling
        (
            '(s / sleep-01 :ARG0 (p / person :name (n / name :op1 "Novak")))',
            '(s / sleep-01 :ARG0 (p / person :name (n / name :op1 "Petr" :op2 "Nowak")))',
        ),
    ],
)
def test_other_wordings_are_no_contradiction(one: str, other: str) -> None:
    assert words(one, other, agreement=0) == [] == words(other, one, agreement=0)


def test_too_little_in_common_is_another_text() -> None:
    other = "(c / crash-01 :polarity - :ARG1 (s / server) :location (o / office) :cause (f / fire))"
    assert words(CRASH, other) == []
    assert words(CRASH, other, agreement=0.2) == ["negation: :polarity of crash-01: (none) | -"]


def test_the_contradiction_itself_does_not_lower_the_agreement() -> None:
    assert words(CRASH, NOT_CRASH, agreement=1) == ["negation: :polarity of crash-01: (none) | -"]
    more = CRASH.replace("photo", "film")
    assert words(more, NOT_CRASH, agreement=1) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("large", "small"), ("small", "large"), ("big", "little"), ("accept-01", "reject-01"),
     ("win-01", "lose-03"), ("increase-01", "decrease-01"), ("hot-05", "cold"), ("first", "last")],
)  # fmt: skip
def test_the_shipped_table_has_opposites_both_ways(one: str, other: str) -> None:
    assert are_opposites(one, other) and are_opposites(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("large", "big"), ("buy-01", "purchase-01"), ("dog", "cat"), ("", "")]
)
def test_the_shipped_table_has_no_synonyms(one: str, other: str) -> None:
    assert not are_opposites(one, other)


def test_names_of_two_scripts_are_not_compared() -> None:
    assert not differ("Москва", "Moscow") and not differ("東京", "Tokyo")
    assert differ("Москва", "Казань") and differ("Zürich", "Bern") and not differ("Zürich", "Zurich")


ADJECTIVES = """\
  1 the licence of WordNet
00000001 00 a 02 open 0 ajar(p) 0 001 ! 00000002 a 0101 | not shut
00000002 00 a 02 shut 0 closed_in 0 002 ! 00000001 a 0101 & 00000003 a 0000 | not open
00000003 00 s 02 let 0 rent 0 001 ! 00000004 a 0101 | lent
00000004 00 s 02 let 0 own 0 001 ! 00000003 a 0101 | had
"""


def test_the_table_is_made_of_antonym_pointers(tmp_path) -> None:
    script = load_script("gather_antonyms")
    for part in ("adv", "noun", "verb"):
        (tmp_path / f"data.{part}").touch()
    (tmp_path / "data.adj").write_text(ADJECTIVES)
    script.main(tmp_path, tmp_path / "out.txt")
    lines = [line for line in (tmp_path / "out.txt").read_text().splitlines() if line[0] != "#"]
    # let and rent, let and own are in one synset
    assert lines == ["ajar closed-in shut", "closed-in open", "open shut", "own rent"]
    assert "Copyright 2006 by Princeton University" in (tmp_path / "out.txt").read_text()


def test_the_fitted_agreement_is_the_largest_that_keeps_recall() -> None:
    import numpy as np

    script = load_script("evaluate_duplicates")
    count = len(script.AGREEMENTS)
    marks = {
        "negation": np.tile(np.arange(count) < 3, (50, 1)),  # marked up to the third agreement
        "name": np.tile(np.arange(count) < 5, (50, 1)),
        "duplicate": np.ones((9, count), dtype=bool),  # does not count
    }
    assert script.fit(marks) == script.AGREEMENTS[2]
    score = script.score(
        np.array([0.9, 0.8, 0.7]), np.array([True, False, True]), np.array([False, True, False]), 0.75
    )
    assert score[:2] == (1.0, 0.5)


def test_the_own_texts_have_near_misses_of_each_kind_in_several_languages() -> None:
    texts = load_script("evaluate_duplicates").read_texts()
    kinds = {text.kind for text in texts}
    assert kinds == {"negation", "antonym", "amount", "name", "swap", "shape"}
    for kind in kinds - {"shape"}:
        assert len({text.lang for text in texts if text.kind == kind and text.meaning == "b"}) >= 4
    assert len({text.text for text in texts}) == len(texts)

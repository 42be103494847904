"""scripts/clean_labels.py: labels lose what their own sentence denies."""

from __future__ import annotations

import penman
import pytest

from tests.support.script_modules import load_script

cleaned = load_script("clean_labels").cleaned


def clean(graph, text):
    made = cleaned(penman.decode(graph), text)
    return None if made is None else penman.encode(made, indent=None)


TOM = '(g / give-01 :ARG0 (p / person :name (n / name :op1 "Tom"{})) :ARG1 (a / apple))'


@pytest.mark.parametrize("more", ["", ' :op2 "Ban"', ' :op2 "gave"', ' :op2 "Ban" :op3 "gave"'])
def test_a_name_keeps_what_the_text_has_of_it(more):
    assert clean(TOM.format(more), "Tom gave an apple.") == TOM.format("")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (':op1 "Ludwig" :op2 "van" :op3 "Beethoven"', "Ludwig van Beethoven sang."),
        (':op1 "Isle" :op2 "of" :op3 "Wight"', "The Isle of Wight sang."),
        (':op1 "France"', "The French sang."),
    ],
)
def test_a_name_that_the_text_has_stays_whole(name, text):
    graph = f"(s / sing-01 :ARG0 (p / person :name (n / name {name})))"
    assert clean(graph, text) == graph


def test_parts_of_a_name_are_numbered_anew():
    graph = '(s / sing-01 :ARG0 (p / person :name (n / name :op1 "Ban" :op2 "Tom" :op3 "Hill")))'
    assert clean(graph, "Tom Hill sang.") == graph.replace('"Ban" :op2 "Tom" :op3', '"Tom" :op2')


SWIM = "(s / swim-01 :ARG0 (h / he) :duration (t / temporal-quantity :quant 1 :unit (y / year)))"


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (TOM.format(""), "Ann gave an apple."),  # the name's only part is somebody else
        (SWIM, "He swims."),
        ("(w / win-01 :ARG0 (h / he) :polarity -)", "He won."),
        ("(w / win-01 :ARG0 (h / he))", "He didn’t win."),
        ("(w / win-01 :ARG0 (h / he))", "He never won."),
        # what is merged away is mentioned elsewhere
        (
            "(a / and :op1 (g / go-02 :ARG0 (h / he) :ARG1 (g2 / go-01 :ARG0 (s / she)))"
            " :op2 (e / eat-01 :ARG0 s))",
            "He went, and she ate.",
        ),
    ],
)
def test_a_label_that_cannot_be_mended_is_refused(graph, text):
    assert clean(graph, text) is None


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (SWIM, "He swims for a year."),
        ("(w / win-01 :ARG0 (h / he) :polarity -)", "He did not win."),
        ("(a / able-01 :ARG1 (h / he) :polarity -)", "He is unable."),
        ("(g / go-02 :ARG0 (y / you) :mode imperative)", "Go!"),
        ("(g / go-02 :ARG0 (y / you) :polarity (a / amr-unknown))", "Do you go?"),
        ("(s / say-01 :ARG0 (h / he) :ARG1 (s2 / say-01 :ARG0 (s3 / she)))", "He said that she said it."),
        ("(g / go-02 :ARG0 (h / he) :ARG4 (a / away))", "He goes away."),
        ("(d / dislike-01 :ARG0 (h / he) :ARG1 (j / jazz))", "He dislikes jazz."),
        ("(e / eat-01 :ARG0 (h / he) :ARG1 (f / finger :part-of h))", "He eats his finger."),
    ],
)
def test_what_the_sentence_says_stays(graph, text):
    assert clean(graph, text) == graph


@pytest.mark.parametrize(
    ("graph", "text", "made"),
    [
        (
            "(g / give-01 :ARG0 (h / he) :ARG2 (i / i) :mode imperative)", "He gave it to me.",
            "(g / give-01 :ARG0 (h / he) :ARG2 (i / i))",
        ),
        (
            "(g / go-02 :ARG0 (h / he) :polarity (a / amr-unknown))", "He goes.",
            "(g / go-02 :ARG0 (h / he))",
        ),
        ("(g / go-02 :ARG0 (h / he) :polarity amr-unknown)", "He goes.", "(g / go-02 :ARG0 (h / he))"),
        ("(g / go-02 :ARG0 (h / he) :ARG4 (a / away))", "He goes.", "(g / go-02 :ARG0 (h / he))"),
        (
            "(d / dislike-01 :ARG0 (h / he) :polarity -)", "He doesn't like it.",
            "(d / like-01 :ARG0 (h / he) :polarity -)",
        ),
        (
            "(w / want-01 :ARG0 (h / he) :ARG1 (g / go-02 :ARG0 h"
            " :ARG1 (g2 / go-01 :ARG1 h :ARG4 (t / there))))",
            "He wants to go there.",
            "(w / want-01 :ARG0 (h / he) :ARG1 (g / go-02 :ARG0 h :ARG4 (t / there)))",
        ),
        # twice over, and where both have a role the upper's stays
        (
            "(t / try-01 :ARG0 (h / he) :ARG1 (t2 / try-02 :ARG0 (b / boy)"
            " :ARG2 (t3 / try-03 :ARG3 (c / cat))))",
            "He tries the cat.",
            "(t / try-01 :ARG0 (h / he) :ARG3 (c / cat))",
        ),
    ],
)  # fmt: skip
def test_habits_are_mended(graph, text, made):
    assert clean(graph, text) == made

"""Who is persuaded does it; who promises does it."""

import penman
import pytest

from parser.mini.rules.control import with_control


def _mended(graph: str, text: str, lang: str = "en") -> str:
    return penman.encode(with_control(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("given", "mended", "text"),
    [
        ("(p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (s2 / stay-01 :ARG1 s))",
         "(p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (s2 / stay-01 :ARG1 h))",
         "She persuaded him to stay."),
        ("(t / teach-01 :ARG0 (h / he) :ARG2 (i / i) :ARG1 (s / swim-01 :ARG0 h))",
         "(t / teach-01 :ARG0 (h / he) :ARG2 (i / i) :ARG1 (s / swim-01 :ARG0 i))",
         "He taught me to swim."),
        ("(p / promise-01 :ARG0 (i / i) :ARG1 (h / he) :ARG2 (c / come-01 :ARG1 h))",
         "(p / promise-01 :ARG0 (i / i) :ARG1 (h / he) :ARG2 (c / come-01 :ARG1 i))",
         "I promised him to come."),
        ("(r / remind-01 :ARG0 (h / he) :ARG2 (s / she) :ARG1 (p / pay-01 :ARG0 h :ARG1 s))",
         "(r / remind-01 :ARG0 (h / he) :ARG2 (s / she) :ARG1 (p / pay-01 :ARG0 s))",
         "He reminded her to pay."),
    ],
)  # fmt: skip
def test_the_right_person_does_it(given: str, mended: str, text: str) -> None:
    assert _mended(given, text) == mended


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Sie überredete ihn zu gehen.", "de"), ("Ella lo persuadió de irse.", "es"),
        ("Elle l'a persuadé de partir.", "fr"), ("Lo ha persuaso a partire.", "it"),
        ("Ze haalde hem over te gaan.", "nl"), ("Она уговорила его уйти.", "ru"), ("她劝他走。", "zh"),
    ],
)  # fmt: skip
def test_languages(text: str, lang: str) -> None:
    given = "(p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (g / go-02 :ARG0 s))"
    mended = "(p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (g / go-02 :ARG0 h))"
    assert _mended(given, text, lang) == mended


WRONG = "(p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (g / go-02 :ARG0 s))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (WRONG, "She persuaded him that she will go.", "en"),
        (WRONG, "Sie überzeugte ihn, dass sie geht.", "de"),
        (WRONG, "She persuaded him to go.", "xx"),
        (WRONG.replace("go-02 :ARG0 s", "go-02 :ARG0 h"), "She persuaded him to go.", "en"),
        (WRONG.replace("persuade-01", "tell-01"), "She told him to go.", "en"),
        (WRONG.replace("go-02", "home"), "She persuaded him to go home.", "en"),
        (WRONG.replace("h / he", "h / help-01"), "She persuaded him to go.", "en"),
        (WRONG.replace(":ARG0 (s / she)", ":time (s / she)"), "She persuaded him to go.", "en"),
        ("(v / visit-01 :ARG0 (s / she))", "She visits.", "en"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_control(given, text, lang) is given

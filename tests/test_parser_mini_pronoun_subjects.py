"""parser.mini.rules.pronoun_subjects: he and she in two clauses, and rain."""

import penman
import pytest

from parser.mini.rules.pronoun_subjects import with_pronoun_subjects, without_raining_subjects

BOTH = "(d / cover-01 :ARG0 (h / he) :time (c / cook-01 :ARG0 (s / she)))"
ONE = "(d / cover-01 :ARG0 (h / he) :time (c / cook-01 :ARG0 h))"


def changed(graph: str, text: str, lang: str, **words: str) -> str:
    """Return the changed graph in one line; ``words`` gives the word of each node."""
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_pronoun_subjects(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "cook", "cover"),
    [
        ("While she cooked, he set the table.", "en", "cooked", "set"),
        ("Während sie kochte, deckte er den Tisch.", "de", "kochte", "deckte"),
        ("Pendant qu'elle cuisinait, il mettait la table.", "fr", "cuisinait", "mettait"),
        ("Mientras ella cocinaba, él ponía la mesa.", "es", "cocinaba", "ponía"),
        ("Mentre lei cucinava, lui apparecchiava.", "it", "cucinava", "apparecchiava"),
        ("Пока она готовила, он накрывал на стол.", "ru", "готовила", "накрывал"),
        ("她做饭的时候,他摆桌子。", "zh", "做饭", "摆"),
    ],
)
def test_she_cooks_and_he_sets_the_table(text: str, lang: str, cook: str, cover: str) -> None:
    assert changed(ONE, text, lang, c=cook, d=cover) == BOTH


@pytest.mark.parametrize(
    ("text", "lang", "cook", "cover"),
    [
        ("Während er kochte, deckte er den Tisch.", "de", "kochte", "deckte"),
        ("Während sie gerade kochten, deckte er den Tisch.", "de", "kochten", "deckte"),  # they
        ("Mientras cocinaba con ella, él ponía la mesa.", "es", "cocinaba", "ponía"),
        ("He cooked and she set the table.", "en", "cooked", "set"),  # one clause between the marks
    ],
)
def test_other_sentences_stay(text: str, lang: str, cook: str, cover: str) -> None:
    assert changed(ONE, text, lang, c=cook, d=cover) == ONE


def test_both_stay() -> None:
    text = "While she cooked, he set the table."
    assert changed(BOTH, text, "en", c="cooked", d="set") == BOTH


@pytest.mark.parametrize(
    ("graph", "right"),
    [
        ("(r / rain-01 :ARG0 (s / she) :time (n / now))", "(r / rain-01 :time (n / now))"),
        (
            "(s / snow-01 :ARG1 (w / we) :time (l / leave-11 :ARG0 w))",
            "(s / snow-01 :time (l / leave-11 :ARG0 (w / we)))",
        ),
        ("(r / rain-01 :ARG1 (f / frog))", "(r / rain-01 :ARG1 (f / frog))"),
        ("(s / sing-01 :ARG0 (s2 / she))", "(s / sing-01 :ARG0 (s2 / she))"),
    ],
)
def test_no_pronoun_rains(graph: str, right: str) -> None:
    assert penman.encode(without_raining_subjects(penman.decode(graph)), indent=None) == right

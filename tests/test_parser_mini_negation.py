"""Remove the second of two negations of a clause."""

import penman
import pytest

import amrx
from parser.mini.rules.negation import (
    with_liking,
    with_neither,
    with_prohibition,
    without_double_negation,
    without_imagined_negation,
    without_negated_subjects,
)
from parser.mini.rules.negation_scope import with_placed_negation


@pytest.mark.parametrize("text", [
    "(p / possible-01 :ARG1 (g / go-02 :polarity -))",  # possible not to go
    "(t / think-01 :polarity - :ARG1 (g / go-02 :polarity -))",
    "(p / possible-01 :polarity - :ARG1 (g / go-02 :ARG1 (s / say-01 :polarity -)))",
    "(p / possible-01 :polarity - :condition (g / go-02 :polarity -))",
    "(p / possible-01 :polarity (a / amr-unknown) :ARG1 (g / go-02 :polarity -))",
])  # fmt: skip
def test_other_graphs_stay(text):
    graph = penman.decode(text)
    assert without_double_negation(graph) is graph


def test_layout_and_other_negations_stay():
    graph = penman.decode(
        "(a / and :op1 (p / possible-01 :polarity - :ARG1 (g / go-02 :polarity - :ARG0 (i / i)))"
        " :op2 (s / stay-01 :polarity - :ARG0 i))"
    )
    text = penman.encode(without_double_negation(graph), indent=None)
    assert text == (
        "(a / and :op1 (p / possible-01 :polarity - :ARG1 (g / go-02 :ARG0 (i / i)))"
        " :op2 (s / stay-01 :polarity - :ARG0 i))"
    )


@pytest.mark.parametrize("negative", ["nobody", "no-one", "nothing"])
def test_negative_words_negate_alone(negative):
    graph = penman.decode(f"(s / say-01 :polarity - :ARG1 (c / come-01 :polarity - :ARG1 (n / {negative})))")
    text = penman.encode(without_double_negation(graph), indent=None)
    assert text == f"(s / say-01 :polarity - :ARG1 (c / come-01 :ARG1 (n / {negative})))"


@pytest.mark.parametrize("text", [
    "(c / come-01 :polarity - :time (n / nothing))",  # no argument
    "(c / come-01 :polarity - :ARG1 (a / anybody))",
    "(c / come-01 :ARG1 (n / nobody))",
])  # fmt: skip
def test_graphs_without_a_second_negation_stay(text):
    graph = penman.decode(text)
    assert without_double_negation(graph) is graph


def test_parser_writes_one_negation_beside_nobody():
    graph = amrx.parse(["Nessuno è venuto."], lang="it")[0].graph
    assert not graph.attributes(role=":polarity")


def test_parser_writes_one_negation():
    graph = amrx.parse(["The device can't connect to the network."], lang="en")[0].graph
    assert [node for node, _, _ in graph.attributes(role=":polarity")] == [graph.top]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Weder Anna noch Peter kam."),
        ("nl", "Noch Anna noch Peter kwam."),
        ("sv", "Varken Anna eller Peter kom."),
        ("en", "Neither Anna nor Peter came."),
    ],
)
def test_neither_negates_the_sentence(lang: str, text: str) -> None:
    graph = penman.decode("(c / come-01 :ARG1 (a / and))")
    mended = with_neither(graph, text, lang)
    assert penman.encode(mended, indent=None) == "(c / come-01 :polarity - :ARG1 (a / and))"
    assert with_neither(mended, text, lang) is mended


@pytest.mark.parametrize(
    "text", ["Er kam, weder müde noch satt.", "Noch kam er.", "Er kam weder heute noch morgen. Sie kam."]
)
def test_neither_of_several_clauses_changes_nothing(text: str) -> None:
    graph = penman.decode("(c / come-01 :ARG1 (a / and))")
    assert with_neither(graph, text, "de") is graph


@pytest.mark.parametrize(
    ("text", "lang", "forbids"),
    [
        ("You must not open the door.", "en", True),
        ("You mustn’t open the door.", "en", True),
        ("You don't have to open the door.", "en", False),
        ("Du musst die Tür nicht öffnen.", "de", False),
        ("Tu ne dois pas ouvrir la porte.", "fr", True),
        ("No debes abrir la puerta.", "es", True),
        ("No deberías abrir la puerta.", "es", False),
        ("Non devi aprire la porta.", "it", True),
        ("Não deves abrir a porta.", "pt", True),
        ("Ты не должен открывать дверь.", "ru", True),
        ("Ти не повинен відчиняти двері.", "uk", True),
        ("You must not open it and must not close it.", "en", False),
    ],
)
def test_must_not_forbids_and_need_not_allows(text: str, lang: str, forbids: bool) -> None:
    before = penman.decode(
        "(o / obligate-01 :polarity - :ARG1 (y / you) :ARG2 (p / open-01 :ARG0 y :ARG1 (d / door)))"
    )
    after = with_prohibition(before, text, lang)
    inner = "(o / obligate-01 :ARG1 (y / you) :ARG2 (p / open-01 :polarity - :ARG0 y :ARG1 (d / door)))"
    assert after == (penman.decode(inner) if forbids else before)


def test_must_not_is_negated_once() -> None:
    graph = penman.decode("(o / obligate-01 :polarity - :ARG2 (g / go-02 :polarity -))")
    mended = "(o / obligate-01 :ARG2 (g / go-02 :polarity -))"
    assert with_prohibition(graph, "You must not go.", "en") == penman.decode(mended)


def test_another_negation_leaves_a_duty_alone() -> None:
    graph = penman.decode("(o / obligate-01 :polarity - :ARG2 (g / go-02 :time (s / see-01 :polarity -)))")
    assert with_prohibition(graph, "You must not go.", "en") is graph


def test_should_not_is_negated_once_at_the_action() -> None:
    graph = penman.decode("(r / recommend-01 :polarity - :ARG1 (g / go-02 :polarity -))")
    assert without_double_negation(graph) == penman.decode("(r / recommend-01 :ARG1 (g / go-02 :polarity -))")


@pytest.mark.parametrize("text", ["他不喜欢牛奶。", "Ona nie lubi mleka.", "She does not like milk."])
def test_not_to_like_is_no_negated_dislike(text: str) -> None:
    graph = penman.decode("(d / dislike-01 :polarity - :ARG1 (m / milk))")
    mended = penman.encode(with_liking(graph, text), indent=None)
    assert mended == "(d / like-01 :polarity - :ARG1 (m / milk))"


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        ("(d / dislike-01 :polarity - :ARG1 (m / milk))", "She does not dislike milk."),
        ("(d / dislike-01 :polarity - :ARG1 (m / milk))", "我不讨厌牛奶。"),
        ("(d / dislike-01 :ARG1 (m / milk))", "他不喜欢牛奶。"),
    ],
)
def test_dislike_stays(graph: str, text: str) -> None:
    decoded = penman.decode(graph)
    assert with_liking(decoded, text) is decoded


@pytest.mark.parametrize(
    ("text", "lang", "word", "stays"),
    [
        ("Nieśliśmy kanapę po schodach.", "pl", "Nieśliśmy", False),
        ("Nesli jsme pohovku po schodech.", "cs", "Nesli", False),
        ("Мы несли диван по лестнице.", "ru", "несли", False),
        ("Ми несемо диван.", "uk", "несемо", False),
        ("Nie nieśliśmy kanapy.", "pl", "nieśliśmy", True),
        ("Мы не несли диван.", "ru", "несли", True),
        ("Это неудобно.", "ru", "неудобно", True),
        ("It is unlike us.", "en", "unlike", True),
    ],
)
def test_words_that_begin_like_a_negation(text: str, lang: str, word: str, stays: bool) -> None:
    graph = penman.decode("(c / carry-01 :polarity - :ARG1 (s / sofa))")
    span = (text.index(word), text.index(word) + len(word))
    mended = without_imagined_negation(graph, text, lang, {"c": span})
    assert (mended is graph) == stays
    assert stays or penman.encode(mended, indent=None) == "(c / carry-01 :ARG1 (s / sofa))"


def test_carrying_is_not_negated_by_another_clause() -> None:
    text = "Лифт не работал, мы несли диван."
    graph = penman.decode("(c / carry-01 :polarity - :ARG1-of (c2 / cause-01 :ARG0 (w / work-01)))")
    spans = {node: (text.index(one), text.index(one) + 5) for node, one in (("c", "несли"), ("w", "работал"))}
    mended = penman.encode(with_placed_negation(graph, text, "ru", spans), indent=None)
    assert mended == "(c / carry-01 :ARG1-of (c2 / cause-01 :ARG0 (w / work-01 :polarity -)))"


def test_forbidding_is_not_negated() -> None:
    graph = penman.decode("(p / prohibit-01 :polarity - :ARG1 (s / smoke-02))")
    mended = without_imagined_negation(graph, "Burada sigara içmek yasak.", "tr", {})
    assert penman.encode(mended, indent=None) == "(p / prohibit-01 :ARG1 (s / smoke-02))"
    assert without_imagined_negation(graph, "Smoking is not prohibited.", "en", {}) is graph


def test_not_allowed_is_negated_once() -> None:
    graph = penman.decode("(a / allow-01 :polarity - :ARG1 (s / smoke-02 :polarity -))")
    mended = penman.encode(without_double_negation(graph), indent=None)
    assert mended == "(a / allow-01 :polarity - :ARG1 (s / smoke-02))"


@pytest.mark.parametrize(
    ("text", "lang", "stays"),
    [
        ("Aucune des réponses n'est correcte.", "fr", False),
        ("Ninguna de las respuestas es correcta.", "es", False),
        ("Nessuna risposta è corretta.", "it", False),
        ("Żadna odpowiedź nie jest poprawna.", "pl", False),
        ("Les non-réponses ne sont pas correctes.", "fr", True),
        ("Aucune réponse n'est correcte, aucune ne convient.", "fr", True),
        ("No answer is correct.", "en", True),
    ],
)
def test_no_noun_is_negated_once(text: str, lang: str, stays: bool) -> None:
    graph = penman.decode("(c / correct-02 :polarity - :ARG1 (a / answer-01 :polarity -))")
    mended = without_negated_subjects(graph, text, lang)
    assert (mended is graph) == stays
    assert stays or penman.encode(mended, indent=None) == "(c / correct-02 :polarity - :ARG1 (a / answer-01))"

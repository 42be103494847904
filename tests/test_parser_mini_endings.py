"""A verb has the subject that its ending says."""

import penman
import pytest

from parser.mini.rules.endings import (
    with_asking_speakers,
    with_ending_subjects,
    with_italian_subjects,
)


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_ending_subjects(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "verb"),
    [
        ("Me llamaste.", "es", "llamaste"),
        ("Mi hai chiamato.", "it", "chiamato"),
        ("Zaprosiłeś mnie.", "pl", "Zaprosiłeś"),
        ("Me chamaste.", "pt", "chamaste"),
        ("Beni aradın.", "tr", "aradın"),
    ],
)
@pytest.mark.parametrize(
    "graph",
    [
        "(v / call-02 :ARG0 (i / i) :ARG1 (y / you))",
        "(v / call-02 :mode imperative :ARG0 (y / you) :ARG1 (i / i))",
        "(v / call-02 :ARG0 (i / i) :ARG1 (x / it))",
        "(v / call-02 :ARG0 (i / i))",
    ],
)
def test_you_call_me(graph: str, text: str, lang: str, verb: str) -> None:
    assert _mended(graph, text, lang, v=verb) == "(v / call-02 :ARG0 (y / you) :ARG1 (i / i))"


@pytest.mark.parametrize(
    ("graph", "text", "lang", "verb"),
    [
        ("(v / call-02 :ARG0 (i / i) :ARG1 (y / you))", "Te llamé.", "es", "llamé"),
        ("(v / call-02 :ARG0 (h / he) :ARG1 (i / i))", "Mi ha chiamato.", "it", "chiamato"),
        ("(v / exist-01 :ARG0 (i / i))", "Me existe.", "es", "existe"),
        ("(v / help-01 :mode imperative :ARG0 (y / you))", "Yardım et!", "tr", "Yardım"),
        ("(v / buy-01 :ARG0 (i / i) :ARG1 (c / car))", "Me compraste un coche.", "es", "compraste"),
        ("(v / call-02 :ARG0 (m / man) :ARG1 (y / you))", "Me llamaste.", "es", "llamaste"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str, verb: str) -> None:
    assert _mended(graph, text, lang, v=verb) == graph


@pytest.mark.parametrize(
    ("text", "lang"),
    [("¿Puedo entrar?", "es"), ("Posso entrare?", "it"), ("Posso entrar?", "pt"), ("¿No debo entrar?", "es")],
)
def test_the_speaker_asks(text: str, lang: str) -> None:
    graph = penman.decode("(p / possible-01 :ARG1 (e / enter-01 :ARG0 (y / you)))")
    mended = penman.encode(with_asking_speakers(graph, text, lang), indent=None)
    assert mended == "(p / possible-01 :ARG1 (e / enter-01 :ARG0 (y / i)))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(p / possible-01 :ARG1 (e / enter-01 :ARG0 (y / you)))", "¿Puedes entrar?", "es"),
        ("(p / possible-01 :ARG1 (e / enter-01 :ARG0 (y / you)))", "Puedo entrar.", "es"),
        ("(h / help-01 :ARG0 (i / i) :ARG1 (y / you))", "¿Puedo ayudarle?", "es"),
        ("(h / help-01 :ARG1 (y / you))", "Posso aiutarti?", "it"),
    ],
)
def test_other_questions_keep_their_subject(graph: str, text: str, lang: str) -> None:
    decoded = penman.decode(graph)
    assert with_asking_speakers(decoded, text, lang) is decoded


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Sono andato al mercato.", "i"),
        ("Non sono mai stata al mercato.", "i"),
        ("Sono andati al mercato.", "they"),
        ("Siamo andati al mercato.", "we"),
        ("Siete arrivate al mercato.", "you"),
    ],
)
def test_subjects_of_essere(text: str, subject: str) -> None:
    graph = penman.decode("(g / go-02 :ARG0 (h / he) :ARG4 (m / market))")
    mended = penman.encode(with_italian_subjects(graph, text, "it"), indent=None)
    assert mended == f"(g / go-02 :ARG0 (h / {subject}) :ARG4 (m / market))"


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        ("(g / go-02 :ARG0 (g2 / girl))", "Sono andate le ragazze."),
        ("(g / go-02 :ARG0 (h / he))", "Le ragazze sono andate al mercato."),
        ("(h / happy-01 :ARG1 (h2 / he))", "Sono felice."),
    ],
)
def test_other_sentences_with_essere_stay(graph: str, text: str) -> None:
    decoded = penman.decode(graph)
    assert with_italian_subjects(decoded, text, "it") is decoded

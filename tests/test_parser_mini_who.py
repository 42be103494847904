"""parser.mini.rules.who: who does something, below a verb of asking or saying."""

import penman
import pytest

from parser.mini.rules.who import with_asked_persons


def changed(graph: str, text: str, lang: str, **words: str) -> str:
    """Return the changed graph in one line; ``words`` gives the word of each node."""
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_asked_persons(penman.decode(graph), text, lang, spans), indent=None)


RIGHT = "(k / know-01 :ARG0 (h / he) :ARG1 (p / person :ARG0-of (b / break-01 :ARG1 (w / window))))"


@pytest.mark.parametrize(
    "graph",
    [
        "(k / know-01 :ARG0 (h / he) :ARG1 (b / break-01 :ARG0 (p / person) :ARG1 (w / window)))",
        "(k / know-01 :ARG0 (h / he) :ARG1 (b / break-01 :ARG0 (p / no-one) :ARG1 (w / window)))",
        "(k / know-01 :ARG0 (h / he) :ARG1 (b / break-01 :ARG0 h :ARG1 (w / window)))",
        "(k / know-01 :ARG0 (h / he) :ARG1 (b / break-01 :ARG1 (w / window)))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang", "knows", "broke"),
    [
        ("He knows who broke the window.", "en", "knows", "broke"),
        ("Er weiß, wer das Fenster zerbrach.", "de", "weiß", "zerbrach"),
        ("Il sait qui a cassé la fenêtre.", "fr", "sait", "cassé"),
        ("Sabe quién rompió la ventana.", "es", "Sabe", "rompió"),
        ("Он знает, кто разбил окно.", "ru", "знает", "разбил"),
        ("他知道谁打破了窗户。", "zh", "知道", "打破"),
        ("Pencereyi kimin kırdığını biliyor.", "tr", "biliyor", "kırdığını"),
    ],
)
def test_who_is_a_person(graph: str, text: str, lang: str, knows: str, broke: str) -> None:
    assert changed(graph, text, lang, k=knows, b=broke) == RIGHT


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("He knows the man who broke it, and who left.", "en"),
        ("He knows who she broke it for.", "en"),
        ("He knows that she broke it.", "en"),
        ("Who broke it, he knows.", "en"),
    ],
)
def test_other_sentences_stay(text: str, lang: str) -> None:
    graph = "(k / know-01 :ARG0 (h / he) :ARG1 (b / break-01 :ARG0 (p / person) :ARG1 (i / it)))"
    assert changed(graph, text, lang, k="knows", b="broke") == graph


def test_subject_with_a_word_stays() -> None:
    graph = "(k / know-01 :ARG0 (h / he) :ARG1 (b / break-01 :ARG0 (b2 / boy) :ARG1 (i / it)))"
    text = "He knows who the boys broke it for."
    assert changed(graph, text.replace("the ", ""), "en", k="knows", b="broke", b2="boys") == graph

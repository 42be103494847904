"""The sentence behind a greeting is read without it; the greeting is an exclamation."""

import penman
import pytest

from amrx.composed_text import compose
from parser.mini.rules.greetings import with_greeting, without_greeting

GRAPH = "(w / wait-01 :ARG0 (i / i))"


@pytest.mark.parametrize(
    ("text", "lang", "read"),
    [
        ("Good morning, my invoice is wrong.", "en", "My invoice is wrong."),
        ("Hi there - the lid is broken.", "en", "The lid is broken."),
        ("Hello, good evening! I wait.", "en", "I wait."),
        ("HALLO ZUSAMMEN, ICH WARTE.", "de", "ICH WARTE."),
        ("Bonjour à tous, j'attends.", "fr", "J'attends."),
        ("¡Buenos días! espero.", "es", "Espero."),
        ("İyi günler, bekliyorum.", "tr", "Bekliyorum."),
        ("您好，我在等。", "zh", "我在等。"),
        ("안녕하세요. 기다립니다.", "ko", "기다립니다."),
        ("السلام عليكم، أنا أنتظر.", "ar", "أنا أنتظر."),
    ],
)
def test_a_greeting_is_not_read_but_written(text: str, lang: str, read: str) -> None:
    composed = without_greeting(compose(text), lang)
    assert composed.text == read
    begin = len(text) - len(read)
    assert composed.given(0, 1) == (0, begin + 1)  # the first letter stands for the greeting, too
    assert composed.given(2, 4) == (begin + 2, begin + 4)
    written = penman.encode(with_greeting(penman.decode(GRAPH), text, lang), indent=None)
    assert written == "(w / wait-01 :ARG0 (i / i) :mod (h / hello :mode expressive))"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Hello.", "en"),  # nothing follows
        ("Hello, everyone!", "en"),
        ("Hello, good morning!", "en"),
        ("Hello Kitty, the cat, is here.", "en"),
        ("Hi-fi, and hello.com are here.", "en"),
        ("Hello.com is down.", "en"),
        ("She said hello, and left.", "en"),
        ("Guten Tag sagte er, und ging.", "de"),
        ("Moi, je pars.", "fr"),
        ("Hello, I wait.", "xx"),
    ],
)
def test_other_beginnings_stay(text: str, lang: str) -> None:
    composed, graph = compose(text), penman.decode(GRAPH)
    assert without_greeting(composed, lang) is composed
    assert with_greeting(graph, text, lang) is graph


def test_a_greeting_is_written_once() -> None:
    graph = penman.decode("(w / wait-01 :mod (h / hello :mode expressive))")
    assert with_greeting(graph, "Hello, I wait.", "en") is graph

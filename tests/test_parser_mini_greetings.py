"""The sentence behind a greeting is read without it; the greeting is an exclamation."""

import penman
import pytest

from amrx.composed_text import compose
from parser.mini.rules.greetings import with_closing, with_greeting, without_greeting

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
        ("Dear Sir or Madam, I wait.", "en", "I wait."),
        ("Sehr geehrte Damen und Herren, ich warte.", "de", "Ich warte."),
        ("Madame, Monsieur, j'attends.", "fr", "J'attends."),
        ("Estimados señores: espero.", "es", "Espero."),
        ("Уважаемые коллеги, я жду.", "ru", "Я жду."),
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
        ("Dear friends are here.", "en"),
        ("Dear Sir or Madam", "en"),
    ],
)
def test_other_beginnings_stay(text: str, lang: str) -> None:
    composed, graph = compose(text), penman.decode(GRAPH)
    assert without_greeting(composed, lang) is composed
    assert with_greeting(graph, text, lang) is graph


def test_a_greeting_is_written_once() -> None:
    graph = penman.decode("(w / wait-01 :mod (h / hello :mode expressive))")
    assert with_greeting(graph, "Hello, I wait.", "en") is graph


@pytest.mark.parametrize(
    ("text", "lang", "names"),
    [
        ("Kind regards, Anna Schmidt", "en", "Anna Schmidt"), ("Best wishes", "en", ""),
        ("Mit freundlichen Grüßen\nAnna", "de", "Anna"), ("MFG", "de", ""),
        ("Cordialement, Anna.", "fr", "Anna"),
        ("Un saludo, Anna", "es", "Anna"), ("Cordiali saluti", "it", ""),
        ("Met vriendelijke groet, Anna", "nl", "Anna"),
        ("Z poważaniem, Anna", "pl", "Anna"), ("С уважением, Анна", "ru", "Анна"),
        ("Saygılarımla, Anna", "tr", "Anna"),
        ("此致", "zh", ""),
    ],
)  # fmt: skip
def test_a_closing_is_an_exclamation(text: str, lang: str, names: str) -> None:
    words = " ".join(f':op{number} "{name}"' for number, name in enumerate(names.split(), 1))
    source = f" :source (p / person :name (n / name {words}))" if names else ""
    written = penman.encode(with_closing(penman.decode(GRAPH), text, lang), indent=None)
    assert written == f"(r / regard :mode expressive{source})"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Kind regards are rare.", "en"),
        ("She sends kind regards.", "en"),
        ("Saludos a todos los amigos.", "es"),
        ("Kind regards, Anna", "xx"),
    ],
)
def test_other_sentences_are_no_closings(text: str, lang: str) -> None:
    graph = penman.decode(GRAPH)
    assert with_closing(graph, text, lang) is graph

"""In *thank you* the speaker thanks the hearer."""

import penman
import pytest

from parser.mini.rules.thanks import with_thanks

THANKS = "(t / thank-01 :ARG0 (i / i) :ARG1 (y / you){})"
HELP = " :ARG2 (h / help-01 :ARG0 y)"


def _mended(graph: str, text: str, lang: str = "en") -> str:
    return penman.encode(with_thanks(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("(t / thank-01 :ARG0 (y / you) :ARG1 (i / i))", "Thank you."),
        ("(t / thank-01 :mode imperative :ARG0 (i / i))", "Thanks!"),
        ("(t / thank-01)", "Good, thanks."),
        ("(t / thank-01 :ARG0 (p / person :quant (m / many)))", "Many thanks."),
        ("(t / thank-01 :ARG0 (y / you) :ARG1 (i / i :ARG0 y))", "Thank you."),
        ("(t / thank-01 :ARG0 (y / you) :ARG1 (i2 / it))", "I thank you."),
    ],
)
def test_the_speaker_thanks_the_hearer(given: str, text: str) -> None:
    assert _mended(given, text) == THANKS.format("")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Děkuji za pomoc.", "cs"), ("Tak for hjælpen.", "da"), ("Vielen Dank für Ihre Hilfe.", "de"),
        ("Thanks for the help.", "en"), ("Muchas gracias por su ayuda.", "es"),
        ("Merci de votre aide.", "fr"),
        ("Grazie per il vostro aiuto.", "it"), ("助けてくれてありがとう。", "ja"),
        ("도와주셔서 감사합니다.", "ko"), ("Takk for hjelpen.", "nb"), ("Bedankt voor uw hulp.", "nl"),
        ("Dziękuję za pomoc.", "pl"), ("Obrigada pela sua ajuda.", "pt"), ("Mulțumesc pentru ajutor.", "ro"),
        ("Спасибо за помощь.", "ru"), ("Tack för din hjälp.", "sv"), ("Yardımınız için teşekkürler.", "tr"),
        ("Дякую за допомогу.", "uk"), ("谢谢你的帮助。", "zh"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "given",
    [
        "(t / thank-01 :ARG0 (y / you) :ARG1 (h / help-01 :ARG0 y))",
        "(t / thank-01 :ARG0 (i / i) :ARG1 (h / help-01 :ARG0 i))",
        "(t / thank-01 :ARG0 (i / i) :ARG2 (h / help-01 :ARG0 (y / you)))",
        "(t / thank-01 :ARG1 (y / you) :ARG2 (h / help-01 :ARG0 y :ARG1 (i / i)))",
    ],
)
def test_languages(given: str, text: str, lang: str) -> None:
    assert _mended(given, text, lang) == THANKS.format(HELP)


@pytest.mark.parametrize(
    ("deed", "text", "lang"),
    [
        (HELP, "Danke für die Hilfe.", "de"),
        (
            HELP.replace("h / help", "u / understand").replace("(h", "(u"),
            "Merci de votre compréhension.",
            "fr",
        ),
        (" :ARG2 (p / patience)", "Thank you for your patience.", "en"),
    ],
)
def test_a_lost_deed_is_written(deed: str, text: str, lang: str) -> None:
    assert _mended("(t / thank-01 :ARG0 (y / you) :ARG1 (i / i))", text, lang) == THANKS.format(deed)


def test_a_lost_thanking_is_written() -> None:
    given = "(h / help-01 :ARG0 (i / i) :ARG1 (i2 / it))"
    assert _mended(given, "Gracias por su ayuda.", "es") == THANKS.format(HELP)


def test_others() -> None:
    we = _mended("(t / thank-01 :ARG0 (y / you) :ARG1 (i / i))", "Wir danken Ihnen.", "de")
    assert we == "(t / thank-01 :ARG0 (w / we) :ARG1 (y / you))"
    anna = '(p / person :name (n / name :op1 "Anna"))'
    named = _mended(f"(t / thank-01 :ARG0 (y / you) :ARG1 {anna})", "Thank you, Anna.")
    assert named == f"(t / thank-01 :ARG0 (i / i) :ARG1 {anna})"
    mine = "(t / thank-01 :ARG0 (i / i) :ARG1 (y / you) :ARG2 (v / visit-01 :ARG0 i))"
    assert _mended(mine, "Thank you for my visit.") == mine


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (THANKS.format(HELP), "Thank you for your help.", "en"),
        ("(t / thank-01 :ARG0 (s / she) :ARG1 (h / he))", "She thanks him.", "en"),
        ("(t / thank-01 :ARG0 (y / you) :ARG1 (i / i))", "You thank me.", "en"),
        ("(t / thank-01 :ARG1 (d / doctor))", "Thanks to the doctor, she is healthy.", "en"),
        ("(t / thank-01 :ARG1 (d / doctor))", "Gracias al médico.", "es"),
        ("(s / say-01 :ARG1 (t / thank-01))", "Thank you, she said.", "en"),
        ("(a / and :op1 (t / thank-01) :op2 (t2 / thank-01))", "Thanks and thank you.", "en"),
        ("(t / thank-01 :ARG1 (b / book) :ARG2 (v / visit-01))", "Thanks for the book.", "en"),
        ("(h / help-01 :ARG0 (i / i))", "Thanks, I walked.", "en"),
        ("(t / thank-01)", "Kiitos.", "xx"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_thanks(given, text, lang) is given

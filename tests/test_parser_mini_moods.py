"""Questions and commands are marked once."""

import re

import penman
import pytest

from parser.mini.rules.moods import with_commanded_verbs, with_plain_moods

OPEN = "(o / open-01 :polarity - :ARG0 (y / you) :ARG1 (w / window))"


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Don't open the window."),
        ("fr", "N'ouvre pas la fenêtre."),
        ("es", "¡No abras la ventana!"),
        ("it", "Non aprire la finestra!"),
        ("ru", "Не открывай окно!"),
        ("zh", "不要打开窗户。"),
    ],
)
def test_a_negated_command_is_imperative(lang: str, text: str) -> None:
    graph = with_plain_moods(penman.decode(OPEN), text, lang, {})
    assert (graph.top, ":mode", "imperative") in graph.triples
    assert len(graph.triples) == len(penman.decode(OPEN).triples) + 1


def _verb(text: str) -> tuple[int, int]:
    """Return the span of the word for opening or closing."""
    verb = re.search("打开", text) or re.search(
        r"(?i)\w*(?:öffn|öppna|åbn|ouvr|abr|abiert|apr|otw|откр|відк|відч|aç|kapa|open)\w*", text
    )
    assert verb
    return verb.span()


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Bitte öffnen Sie das Fenster."), ("fr", "Ouvrez la fenêtre."), ("tr", "Pencereyi açın."),
        ("tr", "Pencereyi açmayınız!"), ("ru", "Не открывайте окно."), ("uk", "Не відчиняйте вікно."),
        ("pl", "Nie otwieraj okna."), ("nl", "Open het raam niet."), ("de", "Öffne das Fenster nicht."),
        ("sv", "Öppna inte fönstret."), ("fr", "Ouvre la fenêtre."), 
        ("pl", "Otwieraj okno."),
        ("ru", "Не откройте окно."),
        ("ru", "Откройте окно."), ("uk", "Відкрий вікно."), ("zh", "请打开窗户。"),
        ("tr", "Pencereyi kapatın."),
    ],
)  # fmt: skip
def test_the_form_of_a_verb_makes_a_command(lang: str, text: str) -> None:
    given = penman.decode("(o / open-01 :ARG0 (y / you) :ARG1 (w / window))")
    graph = with_plain_moods(given, text, lang, {"o": _verb(text)})
    assert (graph.top, ":mode", "imperative") in graph.triples


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Sie öffnen das Fenster."), ("de", "Öffnen Sie das Fenster?"),
        ("de", "Haben Sie das Fenster geöffnet, ruft er."), ("fr", "Chez toi, tu ouvres la fenêtre."),
        ("fr", "Ouvrez-vous la fenêtre ?"), ("tr", "Pencereyi açtın."), ("tr", "Pencereyi açıyorsun."),
        ("nl", "Open jij het raam, dan kom ik."), ("de", "Wenn du kommst, öffnest du das Fenster."),
        ("es", "Abres la ventana."), ("pl", "Nie otwierasz okna."), ("ru", "Вы не открываете окно."),
        ("it", "Apri la finestra."), ("es", "La casa está abierta."), ("zh", "你打开窗户。"),
        ("fr", "Tu ouvres la fenêtre."), ("ru", "Открываешь окно."), ("da", "Åbn du vinduet."),
        ("pt", "Abriste a janela."), ("es", "Abriste la ventana."),
        ("es", "Abre la ventana."), ("it", "Apre la finestra."), ("pt", "Abre a janela."),
        ("ru", "Не открываете окно, вы сказали."),
    ],
)  # fmt: skip
def test_a_statement_is_no_command(lang: str, text: str) -> None:
    given = penman.decode("(o / open-01 :ARG0 (y / you) :ARG1 (w / window))")
    assert with_plain_moods(given, text, lang, {"o": _verb(text)}) is given


@pytest.mark.parametrize(
    ("lang", "text", "given"),
    [
        ("es", "No abres la ventana.", OPEN),
        ("en", "You don't open the window!", OPEN),
        ("en", "Don't open it.", "(o / open-01 :polarity - :ARG0 (h / he))"),
        ("en", "Did he go?", "(g / go-02 :mode interrogative :ARG0 (h / he))"),
    ],
)
def test_other_moods_stay(lang: str, text: str, given: str) -> None:
    graph = penman.decode(given)
    assert with_plain_moods(graph, text, lang, {}) is graph


def test_a_question_with_an_unknown_has_no_mode() -> None:
    given = "(b / buy-01 :mode interrogative :ARG0 (y / you) :ARG1 (a / amr-unknown))"
    graph = with_plain_moods(penman.decode(given), "What did you buy?", "en", {})
    assert penman.encode(graph, indent=None) == "(b / buy-01 :ARG0 (y / you) :ARG1 (a / amr-unknown))"


@pytest.mark.parametrize(
    "graph", ["(a / and :mode imperative :op1 (g / go-02))", "(s / sign :ARG0 (y / you))"]
)
def test_other_nouns_stay(graph: str) -> None:
    given = penman.decode(graph)
    assert with_commanded_verbs(given) is given

"""parser.mini.rules.degrees: consequences of *too* and *so*, and superlatives."""

import penman
import pytest

from parser.mini.rules.degrees import with_consequences, with_superlatives

TIRED = (
    "(h2 / have-degree-91 :ARG1 (h / he) :ARG2 (t / tire-01 :ARG1 h) :ARG3 (t2 / too)"
    " :ARG6 (d / drive-01 :ARG0 h))"
)
ANGRY = "(h2 / have-degree-91 :ARG1 (h / he) :ARG2 (a / angry) :ARG3 (s / so) :ARG6 (l / leave-11 :ARG0 h))"


def changed(graph: str, text: str, lang: str, **words: str) -> str:
    """Return the changed graph in one line; ``words`` gives the word of each node."""
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_consequences(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "tired", "drive"),
    [
        ("He is too tired to drive.", "en", "tired", "drive"),
        ("Er ist zu müde, um zu fahren.", "de", "müde", "fahren"),
        ("Il est trop fatigué pour conduire.", "fr", "fatigué", "conduire"),
        ("Está demasiado cansado para conducir.", "es", "cansado", "conducir"),
        ("Ele está cansado demais para dirigir.", "pt", "cansado", "dirigir"),
        ("Hij is te moe om te rijden.", "nl", "moe", "rijden"),
        ("Он слишком устал, чтобы ехать.", "ru", "устал", "ехать"),
        ("Jest zbyt zmęczony, żeby prowadzić.", "pl", "zmęczony", "prowadzić"),
        ("Han är för trött för att köra.", "sv", "trött", "köra"),
    ],
)
def test_too_tired_to_drive(text: str, lang: str, tired: str, drive: str) -> None:
    graph = "(t / tire-01 :ARG1 (h / he) :ARG2 (d / drive-01 :ARG0 h))"
    assert changed(graph, text, lang, t=tired, d=drive) == TIRED


@pytest.mark.parametrize(
    "graph",
    [
        "(a / angry :domain (h / he) :ARG1-of (l / leave-11 :ARG0 h))",
        "(a / angry :domain (h / he :ARG0-of (l / leave-11)))",
        "(h2 / have-degree-91 :ARG1 (h / he) :ARG2 (a / angry) :ARG3 (s / equal)"
        " :ARG4 (l / leave-11 :ARG0 h))",
        "(h2 / have-degree-91 :ARG1 (h / he :ARG0-of (l / leave-11)) :ARG2 (a / angry) :ARG3 (s / so))",
        "(l / leave-11 :ARG0 (h / he) :mod (a / angry :mod (s / so)))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang", "angry", "left"),
    [
        ("He was so angry that he left.", "en", "angry", "left"),
        ("Er war so wütend, dass er ging.", "de", "wütend", "ging"),
        ("Il était si fâché qu'il est parti.", "fr", "fâché", "parti"),
        ("Estaba tan enfadado que se fue.", "es", "enfadado", "fue"),
        ("Он был так зол, что ушёл.", "ru", "зол", "ушёл"),
    ],
)
def test_so_angry_that_he_left(graph: str, text: str, lang: str, angry: str, left: str) -> None:
    assert changed(graph, text, lang, a=angry, l=left) == ANGRY


@pytest.mark.parametrize(
    ("text", "lang", "angry", "left"),
    [
        ("He was angry, so he said that he left.", "en", "angry", "left"),
        ("He was so angry.", "en", "angry", "so"),
        ("Si fâché que ça, il est parti.", "fr", "fâché", "parti"),  # no form of *be*
        ("Er kam zu wütend und ging.", "de", "wütend", "ging"),
        ("Она зла, так как сказал он, что ушёл.", "ru", "зла", "ушёл"),
        ("Was she too angry, or so angry that he left?", "en", "angry", "left"),
    ],
)
def test_other_sentences_stay(text: str, lang: str, angry: str, left: str) -> None:
    graph = "(a / angry :domain (h / he) :ARG1-of (l / leave-11 :ARG0 h))"
    assert changed(graph, text, lang, a=angry, l=left) == graph


def test_consequence_that_is_right_stays() -> None:
    assert changed(TIRED, "He is too tired to drive.", "en", t="tired", d="drive") == TIRED


def test_the_degree_takes_the_place_of_its_quality() -> None:
    graph = "(s / say-01 :ARG1 (t / tire-01 :ARG1 (h / he) :ARG2 (d / drive-01 :ARG0 h)))"
    text = "She says he is too tired to drive."
    assert changed(graph, text, "en", s="says", t="tired", d="drive") == f"(s / say-01 :ARG1 {TIRED})"


def test_comparison_is_a_consequence() -> None:
    """The verb was read as a noun, so that it is not found by its concept."""
    graph = "(h / have-degree-91 :ARG1 (f / film) :ARG2 (b / bore-02) :ARG3 (e / equal) :ARG4 (p / party))"
    right = "(h / have-degree-91 :ARG1 (f / film) :ARG2 (b / bore-02) :ARG3 (e / so) :ARG6 (p / party))"
    text = "Le film était si ennuyeux que nous sommes partis."
    assert changed(graph, text, "fr", b="ennuyeux", p="partis") == right
    assert changed(graph, "Le film était aussi ennuyeux que la fête.", "fr", b="ennuyeux", p="fête") == graph


def test_quality_without_alignment() -> None:
    graph = "(t / tire-01 :ARG1 (h / he) :ARG2 (d / drive-01 :ARG0 h))"
    assert changed(graph, "Er ist zu müde, um zu fahren.", "de", h="Er", d="fahren") == TIRED


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Es la chica más alta de la clase.", "es"),
        ("È la ragazza più alta della classe.", "it"),
        ("Ela é a menina mais alta da turma.", "pt"),
    ],
)
def test_superlative(text: str, lang: str) -> None:
    graph = "(h / have-degree-91 :ARG1 (s / she) :ARG2 (t / tall) :ARG3 (m / more) :ARG4 (c / class))"
    right = "(h / have-degree-91 :ARG1 (s / she) :ARG2 (t / tall) :ARG3 (m / most) :ARG5 (c / class))"
    assert penman.encode(with_superlatives(penman.decode(graph), text, lang), indent=None) == right


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Es más alta que la clase.", "es"),
        ("Ha comprato più di tre libri.", "it"),
        ("Ela é mais alta do que a turma.", "pt"),
        ("She is taller than the class.", "en"),
    ],
)
def test_comparative_stays(text: str, lang: str) -> None:
    graph = penman.decode(
        "(h / have-degree-91 :ARG1 (s / she) :ARG2 (t / tall) :ARG3 (m / more) :ARG4 (c / class))"
    )
    assert with_superlatives(graph, text, lang) is graph

"""Nobody is a disease."""

import penman
import pytest

from parser.mini.rules.illness import with_illness


def _mended(graph: str, text: str, lang: str, ill: str = "") -> str:
    spans = {"d": (text.index(ill), text.index(ill) + len(ill))} if ill else {}
    return penman.encode(with_illness(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("disease", "text", "lang"),
    [
        ("(d / disease :domain s)", "Sie kam nicht, weil sie krank war.", "de"),
        ('(d / disease :name (n / name :op1 "she"))', "She did not come because she was ill.", "en"),
    ],
)
def test_who_is_read_as_a_disease_is_ill(disease: str, text: str, lang: str) -> None:
    graph = f"(c / come-01 :polarity - :ARG1 (s / she) :ARG1-of (c2 / cause-01 :ARG0 {disease}))"
    mended = "(c / come-01 :polarity - :ARG1 (s / she) :ARG1-of (c2 / cause-01 :ARG0 (d / ill-01 :ARG1 s)))"
    assert _mended(graph, text, lang) == mended


def test_a_pronoun_that_the_graph_lacks_is_written() -> None:
    graph = '(c / cause-01 :ARG0 (d / disease :name (n / name :op1 "he")))'
    mended = "(c / cause-01 :ARG0 (d / ill-01 :ARG1 (h / he)))"
    assert _mended(graph, "because he was ill", "en") == mended


@pytest.mark.parametrize("name", ["", ' :name (n / name :op1 "cancer")'])
@pytest.mark.parametrize(
    ("text", "lang", "ill"),
    [
        ("She stayed because she was sick.", "en", "sick"), ("Sie blieb, weil sie krank war.", "de", "krank"),
        ("Elle est restée parce qu'elle était malade.", "fr", "malade"),
        ("Se quedó porque estaba enferma.", "es", "enferma"),
        ("È rimasta perché era malata.", "it", "malata"),
        ("Она осталась, потому что была больна.", "ru", "больна"),
        ("Została, bo była chora.", "pl", "chora"), ("O hasta olduğu için kaldı.", "tr", "hasta"),
        ("她因为生病留下了。", "zh", "生病"), ("Ze bleef omdat ze ziek was.", "nl", "ziek"),
    ],
)  # fmt: skip
def test_the_only_pronoun_is_ill(text: str, lang: str, ill: str, name: str) -> None:
    graph = f"(s / stay-01 :ARG1 (s2 / she) :ARG1-of (c / cause-01 :ARG0 (d / disease{name})))"
    mended = "(s / stay-01 :ARG1 (s2 / she) :ARG1-of (c / cause-01 :ARG0 (d / ill-01 :ARG1 s2)))"
    assert _mended(graph, text, lang, ill) == mended


@pytest.mark.parametrize(
    ("text", "lang", "ill", "other"),
    [
        ("She stayed because the dog was sick.", "en", "sick", "(d2 / door)"),  # another word
        ("Se quedó porque su madre estaba enferma.", "es", "enferma", "(d2 / door)"),
        ("She told him why she was ill.", "en", "ill", "(h / he)"),  # two pronouns
    ],
)
def test_somebody_is_ill(text: str, lang: str, ill: str, other: str) -> None:
    graph = f"(s / stay-01 :ARG1 (s2 / she) :ARG2 {other} :ARG1-of (c / cause-01 :ARG0 (d / disease)))"
    assert _mended(graph, text, lang, ill) == graph.replace("disease", "ill-01")


@pytest.mark.parametrize(
    ("graph", "text", "word"),
    [
        ('(d / disease :name (n / name :op1 "Ebola"))', "Ebola is a disease.", "disease"),
        ("(d / disease :domain (c / cancer))", "Cancer is a disease.", "disease"),
        ("(d / disease :domain (h / he) :mod (b / bad))", "He is a bad disease.", "disease"),
        ("(s / stay-01 :ARG1-of (c / cause-01 :ARG0 (d / disease)))",
         "She stayed because of illness.", "illness"),
        ("(f / fear-01 :ARG1 (d / disease))", "He fears being ill.", "ill"),
    ],
)  # fmt: skip
def test_diseases_stay(graph: str, text: str, word: str) -> None:
    given = penman.decode(graph)
    spans = {"d": (text.index(word), text.index(word) + len(word))}
    assert with_illness(given, text, "en", spans) is given

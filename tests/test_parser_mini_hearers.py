"""Who is told something does not say it."""

import penman
import pytest

from parser.mini.rules.hearers import with_hearers


def _mended(graph: str, text: str, lang: str) -> str:
    return penman.encode(with_hearers(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("I was never told that it is late.", "en"),
        ("Gestern wurde mir gesagt, dass es spät ist.", "de"),
        ("On m'a dit qu'il est tard.", "fr"),
        ("Me han dicho que es tarde.", "es"),
        ("Er is mij verteld dat het laat is.", "nl"),
        ("Мне сказали, что уже поздно.", "ru"),
        ("Мені вчора сказали, що вже пізно.", "uk"),
        ("Bana geç olduğu söylendi.", "tr"),
        ("我被告知很晚了。", "zh"),
    ],
)
@pytest.mark.parametrize("hearers", [":ARG0 (i / i)", ":ARG2 (i / i) :ARG0 (i2 / i)"])
def test_the_speaker_becomes_the_hearer(text: str, lang: str, hearers: str) -> None:
    graph = f"(t / tell-01 {hearers} :ARG1 (l / late))"
    assert _mended(graph, text, lang) == "(t / tell-01 :ARG2 (i / i) :ARG1 (l / late))"


def test_a_promise_has_other_roles() -> None:
    graph = "(p / promise-01 :ARG0 (w / we) :ARG1 (r / raise-01))"
    mended = "(p / promise-01 :ARG1 (w / we) :ARG2 (r / raise-01))"
    assert _mended(graph, "We were promised a raise.", "en") == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(t / tell-01 :ARG0 (i / i) :ARG1 (l / late))", "I told that it is late.", "en"),
        ("(t / tell-01 :ARG0 (h / he) :ARG1 (l / late))", "He said that I was told it.", "en"),
        ("(t / tell-01 :ARG0 (i / i) :ARG1 (l / late) :ARG2 (h / he))", "I was told that he is late.", "en"),
        ("(s / say-01 :ARG0 (w / we) :ARG1 (t / tell-01 :ARG1 (l / late)))", "We say we were told so.", "en"),
        ("(t / tell-01 :ARG0 (i / i))", "Ich wurde müde und habe es mir gesagt.", "de"),
        ("(t / tell-01 :ARG0 (i / i))", "Bylo mi řečeno.", "cs"),
    ],
)
def test_other_speakers_stay(graph: str, text: str, lang: str) -> None:
    assert _mended(graph, text, lang) == penman.encode(penman.decode(graph), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "mended"),
    [
        ("(t / tell-01 :ARG1 (f / full-09 :ARG1 (t2 / train)))", "I was told that the train is full.",
         "(t / tell-01 :ARG2 (i / i) :ARG1 (f / full-09 :ARG1 (t2 / train)))"),
        # a node that is there already
        ("(t / tell-01 :ARG1 (w / win-01 :ARG0 (w2 / we)))", "We were told that we won.",
         "(t / tell-01 :ARG2 (w2 / we) :ARG1 (w / win-01 :ARG0 w2))"),
    ],
)  # fmt: skip
def test_a_lost_hearer_is_added(graph: str, text: str, mended: str) -> None:
    found = with_hearers(penman.decode(graph), text, "en")
    assert set(found.triples) == set(penman.decode(mended).triples)


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        ("(t / tell-01 :ARG2 (h / he) :ARG1 (f / full-09))", "I was told that it is full."),
        ("(t / tell-01 :ARG0 (s / she) :ARG1 (f / full-09))", "I was told by her that it is full."),
        ("(t / tell-01 :ARG1 (f / full-09))", "I told that it is full."),
    ],
)
def test_no_hearer_is_added(graph: str, text: str) -> None:
    given = penman.decode(graph)
    assert with_hearers(given, text, "en") is given


@pytest.mark.parametrize(
    ("text", "lang", "victim"),
    [
        ("Mir wurde das Rad gestohlen.", "de", "i"), ("Ihm wurde gestern das Rad geklaut.", "de", "he"),
        ("On nous a volé la voiture.", "fr", "we"), ("Nos han robado el coche.", "es", "we"),
        ("У меня украли велосипед.", "ru", "i"), ("У нас вкрали машину.", "uk", "we"),
    ],
)  # fmt: skip
def test_who_was_stolen_from_is_no_thief(text: str, lang: str, victim: str) -> None:
    graph = penman.decode(f"(s / steal-01 :ARG0 (x / {victim}) :ARG1 (b / bike))")
    mended = penman.encode(with_hearers(graph, text, lang), indent=None)
    assert mended == f"(s / steal-01 :ARG2 (x / {victim}) :ARG1 (b / bike))"

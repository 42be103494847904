"""*How long* asks for a duration, *what happened to* for an event."""

import penman
import pytest

from parser.mini.rules.questions import with_questions

LASTS = "(l / last-01 :ARG1 (f / film) :ARG2 (a / amr-unknown))"
HAPPENED = "(h / happen-01 :ARG1 (a / amr-unknown) :ARG2 (f / film))"


def _mended(graph: str, text: str, lang: str) -> str:
    return penman.encode(with_questions(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    "given",
    [
        "(l / last-01 :ARG1 (f / film) :frequency (a / amr-unknown))",
        "(t / take-10 :ARG1 (f / film) :ARG0 (a / amr-unknown))",
        "(f / film :quant (a / amr-unknown))",
        "(l / long-03 :ARG1 (f / film) :polarity (a / amr-unknown))",
        "(d / drive-01 :ARG0 (f / film) :frequency (a / amr-unknown))",
        "(l / last-01 :ARG1 (f / film) :ARG2 (t / temporal-quantity :quant (a / amr-unknown)))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Hvor længe varer filmen?", "da"), ("Wie lange dauerte der Film?", "de"),
        ("How long does the film last?", "en"), ("¿Cuánto dura la película?", "es"),
        ("Combien de temps dure le film ?", "fr"), ("Quanto dura il film?", "it"),
        ("映画はどのくらいかかりますか？", "ja"), ("영화는 얼마나 걸립니까?", "ko"),
        ("Hvor lenge varer filmen?", "nb"),
        ("Hoe lang duurt de film?", "nl"),
        ("Jak długo trwa film?", "pl"),
        ("Quanto tempo dura o filme?", "pt"),
        ("Сколько длится фильм?", "ru"),
        ("Hur länge varar filmen?", "sv"),
        ("Film ne kadar sürüyor?", "tr"),
        ("Скільки триває фільм?", "uk"), ("电影要多长时间？", "zh"),
    ],
)  # fmt: skip
def test_how_long(given: str, text: str, lang: str) -> None:
    assert _mended(given, text, lang) == LASTS


@pytest.mark.parametrize(
    "given",
    [
        "(e / event :mode interrogative :domain (f / film))",
        "(a / amr-unknown :domain (f / film))",
        "(p / pass-03 :ARG0 (f / film) :ARG1 (a / amr-unknown))",
        "(f / film :manner (a / amr-unknown))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Was ist mit dem Film passiert?", "de"), ("What happened to the film?", "en"),
        ("¿Qué le pasó al gato?", "es"),
        ("Qu'est-il arrivé au chat ?", "fr"),
        ("Cosa è successo al gatto?", "it"),
        ("Wat is er met de kat gebeurd?", "nl"), ("Co się stało z kotem?", "pl"),
        ("O que aconteceu com o gato?", "pt"),
        ("Что случилось с кошкой?", "ru"),
        ("Vad hände med katten?", "sv"),
        ("Kediye ne oldu?", "tr"), ("Що сталося з кішкою?", "uk"), ("猫怎么了？", "zh"),
    ],
)  # fmt: skip
def test_what_happened(given: str, text: str, lang: str) -> None:
    assert _mended(given, text, lang) == HAPPENED


def test_what_is_said_of_the_thing_stays() -> None:
    given = "(o / order-01 :ARG0 (i / i) :ARG1 (a / amr-unknown))"
    mended = "(h / happen-01 :ARG1 (a / amr-unknown) :ARG2 (o / order-01 :ARG0 (i / i)))"
    assert _mended(given, "What happened to my order?", "en") == mended
    given = "(t / take-10 :ARG1 (f / film :mod (n / new) :quant 2) :frequency (a / amr-unknown))"
    mended = "(l / last-01 :ARG1 (f / film :mod (n / new) :quant 2) :ARG2 (a / amr-unknown))"
    assert _mended(given, "How long do the two new films take?", "en") == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (LASTS, "How long does the film last?", "en"),
        (HAPPENED, "What happened to the film?", "en"),
        ("(l / last-01 :ARG1 (f / film))", "How long the film lasts!", "en"),
        ("(l / last-01 :ARG1 (f / film))", "How long does it last, and where?", "en"),
        ("(l / last-01 :ARG1 (a / amr-unknown))", "How long does it last?", "en"),  # no thing
        (
            "(t / take-10 :ARG1 (f / film) :ARG0 (d / dog))",
            "How long does the film take?",
            "en",
        ),  # two things
        ("(k / know-01 :ARG1 (f / film))", "Do you know how long the film lasts?", "en"),
        ("(l / last-01 :ARG1 (f / film))", "How long does the film last?", "xx"),
    ],
)
def test_other_sentences_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_questions(given, text, lang) is given

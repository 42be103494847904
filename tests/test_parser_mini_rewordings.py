"""Constructions that the network misreads are reworded, and keep their spans."""

import pytest

from amrx.composed_text import compose
from parser.mini.rules.rewordings import with_rewordings


@pytest.mark.parametrize(
    ("text", "lang", "reworded"),
    [
        ("Write to me as soon as the shop opens.", "en", "Write to me after the shop opens."),
        ("As soon as it stops, go.", "en", "After it stops, go."),
        ("Go as soon as this song ends.", "en", "Go after this song ends."),
        (
            "He used to sing, and his wife used to dance.",
            "en",
            "He formerly sing, and his wife formerly dance.",
        ),
        ("Sobald der Strom weg ist, ruft er an.", "de", "Nachdem der Strom weg ist, ruft er an."),
        ("Escribe en cuanto llegues.", "es", "Escribe después de que llegues."),
        ("Acabo de pagar.", "es", "Yo recientemente pagar."),
        ("Écris-moi dès qu’il dort.", "fr", "Écris-moi après qu’il dort."),
        ("Il vient d'appeler.", "fr", "Il récemment appeler."),
        ("Avise assim que ele sair.", "pt", "Avise depois que ele sair."),
        ("Napisz, jak tylko wrócisz.", "pl", "Napisz, po tym jak wrócisz."),
        ("Напиши, как только он уснёт.", "ru", "Напиши, после того как он уснёт."),
        ("他一回家就睡觉。", "zh", "他回家之后就睡觉。"),
    ],
)
def test_rewords(text: str, lang: str, reworded: str) -> None:
    assert with_rewordings(compose(text), lang).text == reworded


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Answer as soon as possible.", "en"),
        ("Call as soon as you can.", "en"),
        ("The bridge may open as soon as this Monday.", "en"),
        ("They may strike as soon as next month.", "en"),
        ("I am used to cold water.", "en"),
        ("Sobald als möglich reisen wir.", "de"),
        ("Mi abuelo solía cantar.", "es"),
        ("Śpiewała tak głośno, jak tylko umiała.", "pl"),
        ("Мы бежали как только могли.", "ru"),
        ("The knife he used to cut bread is lost.", "en"),
        ("This oil is used to fry fish.", "en"),
        ("Responde tan pronto como sea posible.", "es"),
        ("En cuanto al precio, es alto.", "es"),
        ("Llega tan pronto como el lunes.", "es"),
        ("Répondez dès que possible.", "fr"),
        ("Le vent vient de mer.", "fr"),
        ("Foi assim que ele quis sair.", "pt"),
        ("Podczas gdy tylko on śpi.", "pl"),
        ("В то время как только он спит.", "ru"),
        ("他一个人就够了。", "zh"),
        ("爸爸一走你们就唱歌。", "zh"),
        ("我一到学校就读书。", "zh"),
    ],
)
def test_other_sentences_stay(text: str, lang: str) -> None:
    composed = compose(text)
    assert with_rewordings(composed, lang) is composed


def test_words_keep_their_spans_in_the_given_text() -> None:
    text = "Call me as soon as the bus comes."
    reworded = with_rewordings(compose(text), "en")
    start = reworded.text.index("bus")
    begin, end = reworded.given(start, start + 3)
    assert text[begin:end] == "bus"
    after = reworded.text.index("after")
    begin, end = reworded.given(after, after + 5)
    assert text[begin:end] == "as soon as"

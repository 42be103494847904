"""Fractions are read as AMR writes them."""

import penman
import pytest

from amrx.composed_text import compose
from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.fractions import with_fractions, with_plain_fractions
from parser.mini.rules.literals import read_words


def written(text: str, lang: str) -> str:
    return with_fractions(compose(text), lang).text


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Two-thirds of us, one-fifth, a third of it", "2/3 of us, 1/5, 1/3 of it"),
        ("en", "two and a half cups, 2 1/2 cups, ½ cup, 2½ cups", "2.5 cups, 2.5 cups, 1/2 cup, 2.5 cups"),
        ("de", "zwei Drittel der Häuser, ein Viertel des Weges", "2/3 der Häuser, 1/4 des Weges"),
        ("de", "anderthalb Stunden, die Hälfte der Zeit", "1,5 Stunden, 1/2 der Zeit"),
        ("es", "la mitad de las casas", "1/2 de las casas"),
        ("fr", "les deux tiers des élèves, la moitié d'eux", "les 2/3 des élèves, 1/2 d'eux"),
        ("es", "dos tercios de los alumnos", "2/3 de los alumnos"),
        ("it", "tre quarti degli studenti", "3/4 degli studenti"),
        ("pt", "dois terços dos alunos, metade da turma", "2/3 dos alunos, 1/2 da turma"),
        ("nl", "twee derde van de leerlingen", "2/3 van de leerlingen"),
        ("pl", "dwie trzecie uczniów, połowa miasta", "2/3 uczniów, 1/2 miasta"),
        ("ru", "две трети учеников, половину денег, треть", "2/3 учеников, 1/2 денег, 1/3"),
        ("uk", "дві третини учнів", "2/3 учнів"),
        ("tr", "Öğrencilerin üçte ikisi geldi", "Öğrencilerin 2/3 geldi"),
        ("zh", "三分之二的学生", "2/3的学生"),
        ("ja", "三分の二", "2/3"),
        ("ko", "학생의 3분의 2", "학생의 2/3"),
    ],
)
def test_fractions_are_digits(lang: str, text: str, expected: str) -> None:
    assert written(text, lang) == expected


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "a third man, at a quarter past five, the first two quarters, one third party"),
        ("de", "ein Viertel in Berlin, das dritte Haus"),
        ("es", "un cuarto de baño, el tercio norte"),
        ("fr", "un tiers a payé, le quart d'heure"),
        ("ru", "первая половина года"),
        ("zh", "百分之三，十三分之二"),
        ("tr", "saat üçte iki kişi, gece yarısı"),
        ("de", "die zweite Hälfte der Zeit"),
    ],
)
def test_other_words_stay(lang: str, text: str) -> None:
    assert written(text, lang) == text


def test_a_fraction_is_one_quoted_word_and_a_date_is_not() -> None:
    words = [word.plain for _, word in read_words("2/3 of 9/11, 24/7, 4/4 and 1/2/2020", "en")]
    assert words == ['"2/3"', "of", "9", "11", "24", "7", "4", "4", "and", "1", "2", "2020"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("(p / person :quant (h / half))", '(p / person :quant "1/2")'),
        (
            "(i / include-91 :ARG3 (p / percentage-entity :value (h / half)))",
            '(i / include-91 :ARG3 "1/2")',
        ),
        ("(p / person :quant (e / percentage-entity :value 20))", None),
        ("(w / win-01 :ARG1 (h / half :ord (o / ordinal-entity :value 2)))", None),
        ("(h / half :quant-of (p / person))", None),
    ],
)
def test_a_fraction_is_no_percentage(given: str, expected: str | None) -> None:
    graph = penman.decode(given)
    mended = with_plain_fractions(graph)
    assert mended is graph if expected is None else penman.encode(mended, indent=None) == expected


def test_the_parser_reads_fractions() -> None:
    texts = [("de", "Zwei Drittel der Häuser sind leer."), ("ru", "Половина учеников сдала экзамен.")]
    for (_, _), parse, value in zip(
        texts,
        load_mini().parse([Sentence(str(i), text, lang) for i, (lang, text) in enumerate(texts)]),
        ('"2/3"', '"1/2"'),
        strict=True,
    ):
        assert value in {target for _, _, target in parse.graph.attributes()}
        assert parse.alignments.keys() <= parse.graph.variables()

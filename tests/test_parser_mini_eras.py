"""parser.mini.rules.eras and spelled_days: centuries, decades, and the first of a month."""

import penman
import pytest

from amrx.composed_text import Composed
from parser.mini.rules.eras import with_eras
from parser.mini.rules.spelled_days import with_day_digits


def changed(graph: str, text: str, lang: str) -> str:
    """Return the changed graph in one line."""
    return penman.encode(with_eras(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "value"),
    [
        ("Au XIXe siècle, la ville était petite.", "fr", "xixe"),
        ("Au 19e siècle, la ville était petite.", "fr", "19"),
        ("En el siglo XIX la ciudad era pequeña.", "es", "xix"),
        ("Im neunzehnten Jahrhundert war sie klein.", "de", "19"),
        ("В XIX веке город был маленьким.", "ru", "xix"),
        ("十九世纪，这座城市很小。", "zh", "19"),
        ("19. yüzyılda şehir küçüktü.", "tr", "19"),
    ],
)
def test_centuries(text: str, lang: str, value: str) -> None:
    year = value if value.isdecimal() else f"(x / {value})"
    graph = f"(s / small :time (d / date-entity :year {year}))"
    assert changed(graph, text, lang) == "(s / small :time (d / date-entity :century 19))"


def test_century_with_an_ordinal() -> None:
    graph = "(s / small :time (c / century :ord (o / ordinal-entity :value 19)))"
    given = changed(graph, "In the 19th century, the city was small.", "en")
    assert given == "(s / small :time (c / date-entity :century 19))"
    other = "(s / small :time (c / century :ord (o / ordinal-entity :value 19) :mod (l / late)))"
    assert changed(other, "Late in the 19th century, it was small.", "en") == other


@pytest.mark.parametrize(
    ("text", "lang", "year"),
    [
        ("He was born in the 1990s.", "en", "1990"),
        ("He was born in the 90s.", "en", "90"),
        ("He was born in the nineties.", "en", "1990"),
        ("Er wurde in den neunziger Jahren geboren.", "de", "1990"),
        ("Il est né dans les années 90.", "fr", "90"),
        ("Nació en los años noventa.", "es", "90"),
        ("他出生于九十年代。", "zh", "90"),
        ("1990'larda doğdu.", "tr", "1990"),
    ],
)
def test_decades(text: str, lang: str, year: str) -> None:
    graph = f"(b / bear-02 :time (d / date-entity :year {year}))"
    assert changed(graph, text, lang) == "(b / bear-02 :time (d / date-entity :decade 1990))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        ("(b / bear-02 :time (d / date-entity :year 1990))", "He was born in 1990.", "en"),
        ("(a / age-01 :ARG2 (d / date-entity :year 90))", "Er ist 90 Jahre alt.", "de"),
        ("(s / small :time (d / date-entity :year 19))", "Im 19. Jahrhundert v. Chr. war sie klein.", "de"),
        ("(s / small :time (d / date-entity :year 19))", "Im 19. Jahrhundert und im 20. Jahrhundert.", "de"),
        ("(s / small :time (d / date-entity :century 19))", "Im 19. Jahrhundert war sie klein.", "de"),
    ],
)
def test_other_years_stay(graph: str, text: str, lang: str) -> None:
    assert changed(graph, text, lang) == graph


@pytest.mark.parametrize(
    ("text", "lang", "read"),
    [
        ("Am ersten Juni beginnt es.", "de", "Am 1. Juni beginnt es."),
        ("Le cours commence le premier juin.", "fr", "Le cours commence le 1 juin."),
        ("Empieza el primero de junio.", "es", "Empieza el 1 de junio."),
        ("Курс начинается третьего июня.", "ru", "Курс начинается 3 июня."),
        ("Zaczyna się pierwszego czerwca.", "pl", "Zaczyna się 1 czerwca."),
        ("The course begins on June first.", "en", "The course begins on June 1."),
        ("On the second of May it rained.", "en", "On the 2nd of May it rained."),
        ("In the seventies, he lived here.", "en", "In the 1970s, he lived here."),
        ("In den siebziger Jahren lebte er hier.", "de", "In den 1970er Jahren lebte er hier."),
    ],
)
def test_days_and_decades_in_digits(text: str, lang: str, read: str) -> None:
    assert with_day_digits(Composed(text), lang).text == read


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("He came first in June.", "en"),
        ("You may first check it.", "en"),
        ("She is in her seventies.", "en"),
        ("Le premier jour de juin.", "fr"),
        ("Der erste Kurs beginnt.", "de"),
        ("El primero de la clase.", "es"),
    ],
)
def test_other_ordinals_stay(text: str, lang: str) -> None:
    given = Composed(text)
    assert with_day_digits(given, lang) is given

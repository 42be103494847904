"""A name has the words that stand between its words."""

import penman
import pytest

from parser.mini.rules.name_words import name_words, whole_name
from parser.mini.rules.whole_names import with_whole_names


def _graph(*names: str) -> penman.Graph:
    parts = []
    for i, name in enumerate(names, 1):
        words = " ".join(f':op{place} "{word}"' for place, word in enumerate(name.split(), 1))
        parts.append(f":op{i} (t{i} / thing :name (n{i} / name {words}))")
    return penman.decode(f"(a / and {' '.join(parts)} :op9 (s / see-01))")


def _names(names: list[str], text: str, see: str = "") -> list[str]:
    spans = {"s": (text.index(see), text.index(see) + len(see))} if see else {}
    graph = with_whole_names(_graph(*names), text, spans)
    return [whole_name(name_words(graph, f"n{i}")) for i in range(1, len(names) + 1)]


@pytest.mark.parametrize(
    ("lost", "whole", "text"),
    [
        ("New England Medicine", "New England Journal of Medicine", "in the New England Journal of Medicine"),
        ("Ayatollah Khamenei", "Ayatollah Ali Khamenei", "the hard-liner Ayatollah Ali Khamenei."),
        ("Joseph Kennedy", "Joseph P. Kennedy", "Laut Wikipedia kaufte Joseph P. Kennedy den Sieg."),
        ("Bruce Van Velde", "Bruce Van de Velde", "Le directeur, Bruce Van de Velde, n'a rien dit."),
        ("Ernst Young", "Ernst & Young", "un socio de Ernst & Young"),
        ("PG Corp.", "PG&E Corp.", "Le azioni della PG&E Corp. sono aumentate."),
        ("No Scotsman", "No True Scotsman", 'eine Einladung zu einem "No True Scotsman"-Argument'),
        ("La Cristo", "La Pasión de Cristo", 'su épica "La Pasión de Cristo" llega'),
        ("Patient Protection Act", "Patient Protection and Affordable Care Act",
         "the Patient Protection and Affordable Care Act grants it"),
        ("Union and Trades of Painters", "Union of Painters and Allied Trades",
         "The Union of Painters and Allied Trades endorsed him."),
        ("Московский университет", "Московский Государственный университет",
         "Он окончил Московский Государственный университет."),
    ],
)  # fmt: skip
def test_words_in_the_middle_are_written(lost: str, whole: str, text: str) -> None:
    assert _names([lost], text) == [whole]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("New York", "She lives in New York."),  # nothing is lost
        ("Tel Aviv", "Un objet trouvé à Tel-Aviv"),  # of one word
        ("Shi Huang Di", "il governo di Shi Huang Di."),  # a shorter part would begin earlier
        ("Nicklaus Perry", "Nicklaus, led by a stroke over Kenny Perry."),  # two names
        ("Ruth Smith", "Ruth and Smith came."),
        ("Ruth Smith", "Ruth met Smith."),
        ("Sprint Capital", "Sie kommt von Capital der Sprint."),  # in another order
        ("David Done", "I like David Allen's Done."),
        ("Ruth Rome", "We saw Ruth. Rome is far."),
        ("Anna Hall", "Anna Is In My Big Town Hall."),  # too many words
        ("RUTH SMITH", "RUTH MET SMITH."),
        ("Lyon", "Lyon is in France."),
        ("Paris Rome", "They went away."),
    ],
)
def test_other_names_stay(name: str, text: str) -> None:
    graph = _graph(name)
    assert with_whole_names(graph, text, {}) is graph


def test_words_of_other_names_and_concepts_are_not_taken() -> None:
    text = "Metropolitan Commissioner John Stevens came."
    assert _names(["Metropolitan Stevens"], text) == ["Metropolitan Commissioner John Stevens"]
    assert _names(["Metropolitan Stevens"], text, see="Commissioner") == ["Metropolitan Stevens"]
    names = ["Metropolitan Stevens", "John"]
    assert _names(names, text) == names


@pytest.mark.parametrize(
    ("text", "names", "mended"),
    [
        ("Advised by Nicklaus, he leads Perry.", ["Nicklaus Perry", "Nicklaus"], ["Perry", "Nicklaus"]),
        ("Der Adler starb, sagte Julie Mason.", ["Adler Mason", "Julie Mason"], ["Adler", "Julie Mason"]),
        ("I am American and know St. John.", ["American John", "St. John"], ["American", "St. John"]),
        ("Nicklaus met Perry.", ["Nicklaus Perry"], ["Nicklaus Perry"]),  # none is elsewhere
        ("Nicklaus leads, then Perry.", ["Nicklaus Perry", "Nicklaus", "Perry"],
         ["Nicklaus Perry", "Nicklaus", "Perry"]),  # both are
        ("Jones fell while the S rose.", ["S Jones", "Jones"], ["S Jones", "Jones"]),  # a letter is no name
        ("Ali Khamenei, Ayatollah Ali Khamenei.", ["Ayatollah Khamenei", "Ali Khamenei"],
         ["Ayatollah Khamenei", "Ali Khamenei"]),  # side by side
    ],
)  # fmt: skip
def test_words_of_another_name_are_taken_away(text: str, names: list[str], mended: list[str]) -> None:
    assert _names(names, text) == mended


def test_a_name_without_words_is_no_error() -> None:
    graph = penman.decode('(c / city :name (n / name) :name (n2 / name :op1 ""))')
    assert with_whole_names(graph, "New York", {}) is graph

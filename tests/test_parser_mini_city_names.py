"""parser.mini.rules.city_names: places by their English names, and by those that the sentence holds."""

from __future__ import annotations

import lzma
import unicodedata
from importlib.resources import files

import penman
import pytest

from parser.mini.rules.city_names import Gazetteer, table_form, with_english_places
from parser.mini.rules.name_words import without_repeats


def place(concept: str, name: str) -> penman.Graph:
    ops = " ".join(f':op{number} "{word}"' for number, word in enumerate(name.split(), 1))
    return penman.decode(
        f"(l / live-01 :ARG0 (h / he) :location (c / {concept} :name (n / name {ops})) :polarity -)"
    )


def named(concept: str, name: str, text: str, lang: str, word: str = "") -> str:
    start = text.index(word)
    spans = {"c": (start, start + len(word))} if word else {}
    graph = with_english_places(place(concept, name), text, lang, spans)
    again = penman.decode(penman.encode(graph))
    assert again.triples == graph.triples  # the layout is whole
    assert [triple for triple in graph.triples if triple[0] != "n"] == [
        triple for triple in place(concept, name).triples if triple[0] != "n"
    ]
    return " ".join(str(one.target).strip('"') for one in graph.attributes(source="n"))


@pytest.mark.parametrize(
    ("concept", "name", "lang", "english"),
    [
        ("city", "München", "de", "Munich"), ("city", "Nueva York", "es", "New York"),
        ("city", "Pechino", "it", "Beijing"), ("country", "Rusya", "tr", "Russia"),
        ("country", "Türkiye", "tr", "Turkey"), ("city", "Petershagen-Süd", "de", "Petershagen-Süd"),
        ("city", "York", "de", "York"), ("city", "León", "es", "León"),
        ("city", "Acapulco", "es", "Acapulco"), ("city", "Konstantinopel", "de", "Konstantinopel"),
        ("person", "Florencia", "es", "Florencia"), ("city", "München", "en", "München"),
    ],
)  # fmt: skip
def test_a_copied_place_has_its_english_name(concept: str, name: str, lang: str, english: str):
    assert named(concept, name, f"Vive en {name}.", lang) == english


@pytest.mark.parametrize(
    ("concept", "name", "text", "lang", "word", "english"),
    [
        ("city", "Washington", "他住在北京。", "zh", "在北京", "Beijing"),
        ("city", "Washington", "他住在北京和华盛顿特区。", "zh", "在北京", "Washington"),  # it is there
        ("city", "Washington", "他住在北京。", "zh", "他", "Beijing"),  # other words, but the only place
        ("city", "Washington", "他住在北京。", "zh", "", "Beijing"),
        ("city", "Washington", "他从北京去上海。", "zh", "他", "Washington"),  # two places, other words
        ("country", "US", "Он живёт в России.", "ru", "России", "US"),  # hardly ever made up
        ("city", "Moscow", "Он живёт в Санкт-Петербурге.", "ru", "Петербурге", "Saint Petersburg"),
        ("city", "Paris", "Он уехал из того города.", "ru", "того", "Paris"),  # no capital, no name
        ("city", "Baghdad", "يعيش بالقاهرة", "ar", "بالقاهرة", "Cairo"),
        ("city", "Alaska", "그는 아틀란타에서 산다.", "ko", "아틀란타에서", "Atlanta"),
        ("city", "Bosch", "他住在Bosch。", "zh", "Bosch", "Bosch"),  # copied
    ],
)  # fmt: skip
def test_a_place_that_another_script_does_not_name_gives_way(
    concept: str, name: str, text: str, lang: str, word: str, english: str
):
    assert named(concept, name, text, lang, word) == english


@pytest.mark.parametrize(
    ("concept", "name", "lang", "expected"),
    [
        ("country", "inglés", "es", '(c / language :name (n / name :op1 "English"))'),
        ("country", "İngilizce", "tr", '(c / language :name (n / name :op1 "English"))'),
        ("city", "Nancy", "fr", '(c / city :name (n / name :op1 "Nancy"))'),
    ],
)
def test_a_language_is_no_country(concept: str, name: str, lang: str, expected: str):
    graph = penman.decode(f'(c / {concept} :name (n / name :op1 "{name}"))')
    assert penman.encode(with_english_places(graph, name, lang, {}), indent=None) == expected


def test_a_name_says_a_word_as_often_as_the_sentence():
    graph = place("city", "New New New York")
    once = without_repeats(graph, "He lives in New York.")
    assert [one.target for one in once.attributes(source="n")] == ['"New"', '"York"']
    empty = penman.decode('(c / city :name (n / name :op1 "" :op2 ""))')
    assert without_repeats(empty, "") is with_english_places(empty, "", "de", {}) is empty
    band = place("organization", "Duran Duran")
    assert without_repeats(band, "He hears Duran Duran.") is band


def test_one_place_is_given_once():
    graph = penman.decode(
        '(a / and :op1 (c / city :name (n / name :op1 "Rome")) :op2 (d / city :name (m / name :op1 "Oslo")))'
    )
    given = with_english_places(graph, "他住在北京。", "zh", {"c": (3, 5), "d": (3, 5)})
    assert [one.target for one in given.attributes(role=":op1")] == ['"Beijing"', '"Oslo"']


def test_a_graph_without_such_names_is_the_same_one():
    graph = place("city", "Oslo")
    assert with_english_places(graph, "Er wohnt in Oslo.", "de", {}) is graph


def test_longest_names_are_found_where_no_spaces_part_words():
    table = Gazetteer.of({"北京": "Beijing", "北京市": "Beijing City"})
    assert list(table.places_in("在北京市和北京")) == [((1, 4), "Beijing City"), ((5, 7), "Beijing")]


def test_the_table_is_in_its_own_form():
    packed = (files("parser.mini.rules") / "data" / "cities.tsv.xz").read_bytes()
    lines = lzma.decompress(packed).decode("utf-8").splitlines()
    assert len(lines) == 3000
    names = [name for line in lines for name in line.split("\t")[1:]]
    assert len(names) == len(set(names))
    assert all(table_form(name) == name for name in names)
    assert any(unicodedata.name(name[0]).startswith("CJK") for name in names)


@pytest.mark.parametrize(
    ("text", "english"),
    [("Він живе в Києві.", "Kyiv"), ("З Харкова до Львова", "Kharkiv"), ("у Чернігові", "Chernihiv")],
)
def test_ukrainian_names_change_their_vowel(text: str, english: str) -> None:
    graph = penman.decode('(l / live-01 :location (c / city :name (n / name :op1 "Beijing")))')
    table = Gazetteer.of({"київ": "Kyiv", "харків": "Kharkiv", "львів": "Lviv", "чернігів": "Chernihiv"})
    place = next(span for span, name in table.places_in(text) if name == english)
    changed = with_english_places(graph, text, "uk", {"c": place})
    assert [value for _, _, value in changed.attributes(role=":op1")] == [f'"{english}"']

"""parser.mini.rules.language_names: languages by their English names, where CLDR knows them."""

from __future__ import annotations

import penman
import pytest

from parser.mini.rules.language_names import with_english_languages, with_spoken_languages


def languages(concept: str, lang: str, *words: str) -> str:
    ops = " ".join(f':op{number} "{word}"' for number, word in enumerate(words, 1))
    graph = penman.decode(f"(s / speak-01 :ARG3 (l / {concept} :name (n / name {ops})))")
    name = with_english_languages(graph, lang).attributes(source="n")
    return " ".join(str(one.target) for one in name)


@pytest.mark.parametrize(
    ("lang", "name", "english"),
    [
        ("fr", "anglais", "English"), ("de", "Französisch", "French"), ("es", "Japonés", "Japanese"),
        ("tr", "Almanca", "German"), ("it", "English", "English"), ("fr", "klingonien", "klingonien"),
        ("xx", "anglais", "anglais"),
    ],
)  # fmt: skip
def test_a_language_has_its_english_name(lang: str, name: str, english: str):
    assert languages("language", lang, name) == f'"{english}"'


def test_other_nodes_and_longer_names_stay():
    assert languages("person", "fr", "Anglais") == '"Anglais"'
    assert languages("language", "fr", "anglais", "ancien") == '"anglais" "ancien"'
    graph = penman.decode('(l / language :name (n / name :op1 "anglais"))')
    assert with_english_languages(graph, "en") is graph


def spoken(graph: str, text: str, lang: str, near: str = "") -> str:
    spans = {"c": (text.index(near), text.index(near) + len(near))} if near else {}
    return penman.encode(with_spoken_languages(penman.decode(graph), text, lang, spans), indent=None)


def country(name: str, role: str = ":ARG1", concept: str = "country") -> str:
    words = " ".join(f':op{number} "{word}"' for number, word in enumerate(name.split(), 1))
    return f"(s / speak-01 {role} (c / {concept} :name (n / name {words})))"


@pytest.mark.parametrize("role", [":ARG1", ":ARG2", ":location", ":medium"])
@pytest.mark.parametrize(
    ("text", "lang", "name", "language"),
    [
        ("She speaks Chinese.", "en", "China", "Chinese"), ("Is it in English?", "en", "England", "English"),
        ("Is it in English?", "en", "English", "English"),
        ("Sie spricht Französisch.", "de", "France", "French"),
        ("Ins Spanische übersetzt.", "de", "Spain", "Spanish"),
        ("Está en japonés.", "es", "Japan", "Japanese"),
        ("C'est en chinois.", "fr", "China", "Chinese"), ("È in tedesco.", "it", "Germany", "German"),
        ("Het is in het Duits.", "nl", "Germany", "German"), ("Está em russo.", "pt", "Russia", "Russian"),
        ("Она говорит по-китайски.", "ru", "China", "Chinese"),
        ("Она читает на китайском языке.", "ru", "China", "Chinese"),
        ("Ona mówi po chińsku.", "pl", "China", "Chinese"),
        ("W języku niemieckim.", "pl", "Germany", "German"),
        ("Вона говорить українською.", "uk", "Ukraine", "Ukrainian"),
        ("Hon talar kinesiska.", "sv", "China", "Chinese"), ("Sadece Çince.", "tr", "China", "Chinese"),
        ("她会说法文。", "zh", "France", "French"), ("她会说汉语。", "zh", "China", "Chinese"),
        ("説明書は中国語だけです。", "ja", "China", "Chinese"),
        ("설명서는 독일어로만.", "ko", "Germany", "German"),
    ],
)  # fmt: skip
def test_what_is_spoken_is_a_language(role: str, text: str, lang: str, name: str, language: str):
    assert spoken(country(name, role), text, lang) == country(language, role, "language")


def test_a_language_is_found_by_its_place():
    given, text = country("Iran", ":ARG2"), "She speaks Chinese."
    assert spoken(given, text, "en", near="Chinese") == country("Chinese", ":ARG2", "language")
    assert spoken(given, text, "en", near="She") == given


def test_two_languages():
    def both(concept: str, first: str, second: str) -> str:
        names = [
            f':op{n} (c{n} / {concept} :name (n{n} / name :op1 "{one}"))'
            for n, one in enumerate((first, second), 1)
        ]
        return f"(s / speak-01 :ARG1 (a / and {' '.join(names)}))"

    assert spoken(both("country", "China", "Japan"), "Chinese and Japanese", "en") == both(
        "language", "Chinese", "Japanese"
    )


def test_the_language_of_a_country():
    graph = '(s / speak-01 :ARG1 (l / language :mod (c / country :name (n / name :op1 "China"))))'
    mended = '(s / speak-01 :ARG1 (l / language :name (n / name :op1 "Chinese")))'
    assert spoken(graph, "Она знает китайский язык.", "ru") == mended
    graph = '(s / speak-01 :ARG1 (l / language :name (n / name :op1 "Spain" :name-of (c / country))))'
    assert spoken(graph, "Ins Spanische übersetzt.", "de") == mended.replace("Chinese", "Spanish")


def test_nobody_is_learnt():
    person = '(l / learn-01 :ARG1 (p / person :mod (c / country :name (n / name :op1 "Japan"))))'
    mended = '(l / learn-01 :ARG1 (p / language :name (n / name :op1 "Japanese")))'
    assert spoken(person, "Elle apprend le japonais.", "fr") == mended
    met = person.replace("learn-01", "meet-03")
    assert spoken(met, "Elle rencontre le Japonais.", "fr") == met
    old = person.replace(" :mod (c", " :ARG1-of (o / old) :mod (c")
    assert spoken(old, "Elle apprend le vieux japonais.", "fr") == old


def test_words_that_are_no_adjectives_are_languages_everywhere():
    graph = '(b / book :mod (c / country :name (n / name :op1 "Germany")))'
    mended = '(b / book :mod (c / language :name (n / name :op1 "German")))'
    assert spoken(graph, "这本书只有德语。", "zh") == spoken(graph, "Kitap sadece Almanca.", "tr") == mended


def test_another_language_is_corrected_by_its_place():
    graph = country("English", concept="language")
    mended = country("Japanese", concept="language")
    assert spoken(graph, "彼女は日本語を習う。", "ja", near="日本語") == mended
    assert spoken(graph, "彼女は日本語を習う。", "ja") == graph


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (country("China"), "She knows China.", "en"),
        (country("China", ":ARG0"), "The Chinese speak.", "en"),
        (country("China"), "She knows the Chinese.", "en"),
        ('(t / tea :mod (c / country :name (n / name :op1 "China")))', "Chinese tea", "en"),
        ('(c / country :name (n / name :op1 "China"))', "Chinese", "en"),
        (country("China", concept="city"), "She speaks Chinese.", "en"),
        (country("Chinese", concept="language"), "She speaks Chinese.", "en"),
        (country("China"), "Она любит китайский чай.", "ru"),
        (country("China"), "She speaks Chinese.", "xx"),
    ],
)
def test_countries_stay(graph: str, text: str, lang: str):
    given = penman.decode(graph)
    assert with_spoken_languages(given, text, lang, {}) is given

"""parser.mini.rules.language_names: languages by their English names, where CLDR knows them."""

from __future__ import annotations

import penman
import pytest

from parser.mini.rules.language_names import with_english_languages


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

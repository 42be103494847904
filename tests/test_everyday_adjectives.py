"""Adjectives by hand have concepts and forms (``scripts/everyday_adjectives.py``)."""

import pytest

from parser.mini.rules.adjectives import adjectives_of, near
from tests.support.script_modules import load_script


def test_no_adjective_is_listed_twice() -> None:
    rows = load_script("lexicon").read_lines("everyday_adjectives.tsv")
    words = [(lang, word) for row in rows for lang, words in row.words.items() for word in words]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("lang", "word", "forms"),
    [
        ("tr", "inatçı", {"inatçı", "inatçıydı", "inatçısın", "inatçılar"}),
        ("tr", "sarhoş", {"sarhoştu", "sarhoşum", "sarhoşlar"}),
        ("ja", "醜い", {"醜い", "醜く", "醜かった"}),
        ("ko", "새롭다", {"새로운", "새롭습니다", "새로웠다"}),
        ("ko", "크다", {"큰", "큽니다"}),
        ("ko", "넓다", {"넓은", "넓어요", "넓었다"}),
        ("ar", "كسول", {"كسولة", "الكسول"}),
    ],
)
def test_forms_by_stem(lang: str, word: str, forms: set[str]) -> None:
    assert forms <= load_script("adjective_forms").BY_STEM[lang](word)


def test_participles_of_romance_languages_have_genders() -> None:
    forms = load_script("adjective_forms").participle_forms
    assert forms("gonflé", "fr") == {"gonflée", "gonflés", "gonflées"}
    assert forms("mojado", "es") == {"mojada", "mojados", "mojadas"}
    assert forms("triste", "es") == set()


def test_the_tables_have_them() -> None:
    assert adjectives_of("de")["heiserer"] == ":domain hoarse"
    assert adjectives_of("uk")["впертою"] == ":domain stubborn"
    assert "obstinate" in near("stubborn")

"""The lexicon by hand (``scripts/lexicon``) has whole lines, and each word once."""

import pytest

from linearize.frames import frames
from parser.mini.rules.dictionaries import translations
from tests.support.script_modules import SCRIPTS

PATHS = sorted((SCRIPTS / "lexicon").glob("*.tsv"))


def lines(lang: str) -> list[list[str]]:
    text = (SCRIPTS / "lexicon" / f"{lang}.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]


@pytest.mark.parametrize("lang", [path.stem for path in PATHS])
def test_lines_are_whole_and_no_word_has_two_kinds(lang: str) -> None:
    rows = lines(lang)
    assert all(len(row) in (3, 4) and row[0] in "nva" for row in rows)
    assert all(field.strip() == field != "" and " " not in field for row in rows for field in row[1:3])
    words = [row[1].lower() for row in rows]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("lang", [path.stem for path in PATHS])
def test_english_verbs_have_a_frame(lang: str) -> None:
    known = {frame.rpartition("-")[0] for frame in frames()}
    assert {row[2] for row in lines(lang) if row[0] == "v"} <= known


@pytest.mark.parametrize(
    ("kind", "lang", "word", "english"),
    [
        ("nouns", "de", "häuptling", "chief"),
        ("verbs", "ko", "납치했다", "kidnap-01"),
        ("verbs", "uk", "годує", "feed-01"),
        ("adjectives", "zh", "勇敢", ":ARG0 brave-01"),
    ],
)
def test_words_are_in_the_tables_of_the_parser(kind: str, lang: str, word: str, english: str) -> None:
    assert translations(kind, lang)[word] == english

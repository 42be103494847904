"""The hand-written sentences: their file, and how scripts/evaluate_users.py counts."""

import gzip
import unicodedata
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from amrx.examples import UserSentence, users
from tests.support.script_modules import load_script

LANGUAGES = {"en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "tr", "ar", "zh"}
SCRIPTS = {"zh": "CJK", "ar": "ARABIC", "ru": "CYRILLIC"}
SENTENCES = users()


def texts(sentence: UserSentence) -> dict[str, str]:
    return {field: getattr(sentence, field) for field in ("text", "paraphrase", "translation", "foil")}


def test_two_hundred_sentences_of_twelve_languages_and_four_kinds() -> None:
    assert Counter(s.kind for s in SENTENCES) == dict.fromkeys(("swap", "negation", "antonym", "amount"), 50)
    langs = Counter(s.lang for s in SENTENCES)
    assert set(langs) == LANGUAGES and min(langs.values()) >= 10
    for s in SENTENCES:
        assert s.translation_lang in (LANGUAGES - {"en"} if s.lang == "en" else {"en"})
    assert {s.translation_lang for s in SENTENCES if s.lang == "en"} == LANGUAGES - {"en"}


def test_ids_and_texts_are_unique() -> None:
    assert max(Counter(s.id for s in SENTENCES).values()) == 1
    assert max(Counter(text for s in SENTENCES for text in texts(s).values()).values()) == 1


def test_texts_are_clean_and_in_their_script() -> None:
    for sentence in SENTENCES:
        for field, text in texts(sentence).items():
            assert text and text == " ".join(text.split()) == unicodedata.normalize("NFC", text)
            lang = sentence.translation_lang if field == "translation" else sentence.lang
            letters = [unicodedata.name(letter) for letter in text if letter.isalpha()]
            own = sum(letter.startswith(SCRIPTS.get(lang, "LATIN")) for letter in letters)
            assert own > 0.8 * len(letters), sentence.id


def test_a_foil_shares_most_characters_with_its_sentence() -> None:
    def pairs(text: str) -> Counter[str]:
        return Counter(map("".join, zip(text, text[1:], strict=False)))

    for sentence in SENTENCES:
        own = pairs(sentence.text)
        foil, paraphrase = ((own & pairs(other)).total() for other in (sentence.foil, sentence.paraphrase))
        assert foil > 0.5 * own.total() and foil > paraphrase, sentence.id


def test_no_text_is_in_the_open_data(data_dir: Path) -> None:
    ours = {text.casefold() for s in SENTENCES for text in texts(s).values()}
    read = 0
    for folder in ("parallel", "sts", "nli"):
        for file in sorted((data_dir / folder).rglob("*")):
            if file.suffix in (".gz", ".tsv", ".txt", ".csv"):
                opened = gzip.open if file.suffix == ".gz" else open
                with opened(file, "rt", encoding="utf-8") as lines:
                    cells = {cell for line in lines for cell in line.rstrip("\n").casefold().split("\t")}
                assert not ours & cells, file
                read += len(cells)
    assert read > 100_000


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("evaluate_users")


def test_cosines_are_those_of_each_sentence_to_its_three(script: ModuleType) -> None:
    vectors = np.array([[1, 0], [0, 2], [1, 1], [0, 1], [3, 0], [1, 0], [0, 0], [0, -1.0]], dtype=np.float32)
    counted = script.cosines(vectors)
    assert counted["translation"] == pytest.approx([0.5**0.5, 1])
    assert counted["paraphrase"] == pytest.approx([1, 0])
    assert counted["foil"] == pytest.approx([0, -1])


def test_ties_count_against_and_intervals_are_wilsons(script: ModuleType) -> None:
    near = np.full(200, 0.5)  # as near as the foil
    near[[n for n, s in enumerate(SENTENCES) if (s.lang, s.kind) == ("en", "swap")][:6]] = 0.9
    encoder = {"translation": near, "paraphrase": np.zeros(200), "foil": np.full(200, 0.5)}
    rows = {(row["task"], row["language"]): row for row in script.measure({"e": encoder}, SENTENCES)}
    swap = rows["Hand-written swap: the translation nearer than the foil", "en"]
    assert (swap["value"], swap["n"]) == (40.0, 15)
    p, n, z = 0.4, 15, 1.959964  # Wilson 1927
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * (p * (1 - p) / n + z**2 / (4 * n**2)) ** 0.5 / (1 + z**2 / n)
    assert (swap["low"], swap["high"]) == (round(100 * (middle - half), 1), round(100 * (middle + half), 1))
    assert rows["Hand-written foils: the translation nearer than the foil", "all"]["value"] == 3.0
    assert rows["Hand-written foils: the paraphrase nearer than the foil", "all"]["value"] == 0
    assert rows["Hand-written foils: cosine to the foil", "all"]["value"] == 50.0

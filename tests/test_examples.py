import unicodedata
from collections import Counter

from amrx.examples import LANGUAGES, foils, meanings, path
from amrx.records import read_sentences

EXAMPLES = [*meanings(), *foils()]
SCRIPTS = {"zh": "CJK", "ar": "ARABIC"}


def test_twelve_meanings_in_seven_languages() -> None:
    assert [(example.lang, example.kind) for example in meanings()] == [
        (lang, "meaning") for lang in LANGUAGES
    ] * 12
    assert Counter(Counter(example.meaning for example in meanings()).values()) == {7: 12}


def test_every_foil_belongs_to_a_meaning_and_differs_from_it() -> None:
    sentences = {(example.meaning, example.lang): example.text for example in meanings()}
    for foil in foils():
        assert foil.kind in ("role-swap", "negation")
        assert foil.text != sentences[foil.meaning, foil.lang]
    kinds = Counter((foil.kind, foil.lang) for foil in foils())
    assert min(kinds[kind, lang] for kind in ("role-swap", "negation") for lang in LANGUAGES) >= 5


def test_no_sentence_stands_twice_in_a_language() -> None:
    assert max(Counter((example.lang, example.text) for example in EXAMPLES).values()) == 1


def test_sentences_are_clean_and_in_their_script() -> None:
    for example in EXAMPLES:
        text = example.text
        assert text == " ".join(text.split()) == unicodedata.normalize("NFC", text)
        assert text[-1] in ".?。？؟"
        names = [unicodedata.name(character) for character in text if character.isalpha()]
        assert all(name.startswith(SCRIPTS.get(example.lang, "LATIN")) for name in names), text


def test_the_reader_of_the_command_line_reads_the_files() -> None:
    assert [(s.lang, s.text) for s in read_sentences(path("foils.tsv"))] == [
        (f.lang, f.text) for f in foils()
    ]
    assert [s.text for s in read_sentences(path("meanings.tsv"), id_column="meaning")][:2] == [
        "The boy wants to go.",
        "Der Junge will gehen.",
    ]


def test_languages_are_told_apart() -> None:
    from amrx.langid import detect

    found = detect([example.text for example in meanings()])
    right = sum(code == example.lang for code, example in zip(found, meanings(), strict=True))
    assert right >= 0.9 * len(meanings())

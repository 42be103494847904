"""Everyday verbs by hand have frames and forms (``scripts/everyday_verbs.py``, ``scripts/verb_forms.py``)."""

from linearize.frames import frames
from parser.mini.rules.verbs import near
from tests.support.script_modules import load_script


def test_frames_exist_and_no_verb_is_listed_twice() -> None:
    rows = load_script("lexicon").read_lines("everyday_verbs.tsv")
    assert {row.concept for row in rows} <= frames()
    verbs = [(lang, verb) for row in rows for lang, words in row.words.items() for verb in words]
    assert len(verbs) == len(set(verbs))


def test_turkish_forms_agree_with_the_vowel_before() -> None:
    forms = load_script("verb_forms").turkish_forms
    assert {"düştüm", "düşüyorlar", "düşmedi", "düşeceğiz", "düşmüş", "düşer"} <= forms("düşmek")
    assert {"okudunuz", "okuyor", "okumuyorum", "okuyacaksın", "okurlar"} <= forms("okumak")


def test_japanese_stems_follow_the_class() -> None:
    forms = load_script("verb_forms").japanese_forms
    assert forms("忘れる") == {"忘れ"}
    assert {"走っ", "走り", "走る"} <= forms("走る*")
    assert {"料理し", "料理をし"} <= forms("料理する")


def test_verbs_by_hand_are_near_the_others_of_their_line() -> None:
    assert {"hoover", "vacuum"} <= near("vacuum")
    assert "knock" not in near("vacuum")

"""Scenes in Arabic: number, gender and case, against phrases read by hand."""

from __future__ import annotations

import pytest

from parser.training.templates.captions.arabic import arabic
from parser.training.templates.captions.english import english
from parser.training.templates.captions.scene import Scene, Thing, words
from parser.training.templates.morphology.arabic import Agreement, his, verb
from parser.training.templates.words import UnsayableError
from tests.support.scene_words import doing, noun

MAN, DOG = noun("man", "person"), noun("dog", "animal")
TIRED = next(word for word in words("moods") if word.english == "tired")


def test_arabic_marks_what_it_can() -> None:
    bought = [
        arabic(Scene("simple", (Thing(MAN),), (doing("person", "buy {held}", thing, "a"),)))
        for thing in ("book", "surfboard", "umbrella", "cell phone")
    ]
    assert bought == ["رجل يشتري كتابا", "رجل يشتري لوح تزلج", "رجل يشتري مظلة", "رجل يشتري هاتفا محمولا"]


@pytest.mark.parametrize(
    ("count", "man", "player", "dog", "old_woman"),
    [
        ("two", "رجلان يركضان", "لاعبا كرة قدم يركضان", "كلبان يركضان", "امرأتان مسنتان تركضان"),
        (
            "three", "ثلاثة رجال يركضون", "ثلاثة لاعبي كرة قدم يركضون", "ثلاثة كلاب تركض",
            "ثلاث نساء مسنات يركضن",
        ),
        ("several", "عدة رجال يركضون", "عدة لاعبي كرة قدم يركضون", "عدة كلاب تركض", "عدة نساء مسنات يركضن"),
        ("all", "رجال يركضون", "لاعبو كرة قدم يركضون", "كلاب تركض", "نساء مسنات يركضن"),
        (
            "group", "مجموعة من الرجال تركض", "مجموعة من لاعبي كرة القدم تركض", "مجموعة من الكلاب تركض",
            "مجموعة من النساء المسنات تركض",
        ),
    ],
)  # fmt: skip
def test_arabic_counts_and_agrees(count: str, man: str, player: str, dog: str, old_woman: str) -> None:
    agents = {
        man: MAN, player: noun("football player", "person"), dog: DOG, old_woman: noun("old woman", "person")
    }  # fmt: skip
    for said, agent in agents.items():
        running = doing("animal" if agent is DOG else "person", "run")
        assert arabic(Scene("present", (Thing(agent, count),), (running,))) == said


def test_arabic_says_a_couple_as_two_and_never_two_of_them() -> None:
    couple, waves = noun("elderly couple", "person"), doing("person", "wave")
    waving = arabic(Scene("phrase", (Thing(couple, "the"),), (waves,)))
    assert waving == "الزوجان المسنان اللذان يلوحان بيدهما"
    assert arabic(Scene("mood", (Thing(couple),), mood=TIRED)) == "زوجان مسنان متعبان"
    assert arabic(Scene("mood", (Thing(couple, "all"),), mood=TIRED)) == "أزواج مسنون متعبون"
    hugging = doing("person", "hug {person}", "elderly couple", "the")
    assert arabic(Scene("simple", (Thing(MAN),), (hugging,))) == "رجل يعانق الزوجين المسنين"
    with pytest.raises(UnsayableError):
        arabic(Scene("present", (Thing(couple, "two"),), (waves,)))


def test_a_man_among_them_makes_arabic_masculine() -> None:
    girl, waves = Thing(noun("girl", "person")), doing("person", "wave")
    assert arabic(Scene("past", (girl, Thing(MAN)), (waves,))) == "كانت فتاة ورجل يلوحان بيدهما"
    assert arabic(Scene("present", (girl, girl), (waves,))) == "فتاة وفتاة تلوحان بيدهما"
    assert arabic(Scene("present", (girl,), (waves,))) == "فتاة تلوح بيدها"
    raising = doing("person", "raise his hand")
    assert english(Scene("simple", (girl, girl), (raising,))) == "a girl and a girl raise their hand"


def test_arabic_verbs_inflect() -> None:
    everyone = [Agreement(woman, number) for number in (1, 2, 3) for woman in (False, True)]
    assert [verb("يبكي", to) for to in everyone] == ["يبكي", "تبكي", "يبكيان", "تبكيان", "يبكون", "يبكين"]
    assert [verb("يقرأ", to) for to in everyone] == ["يقرأ", "تقرأ", "يقرآن", "تقرآن", "يقرؤون", "يقرأن"]
    assert [verb("ينام", to) for to in everyone] == ["ينام", "تنام", "ينامان", "تنامان", "ينامون", "ينمن"]
    assert [verb("يتدلى", to) for to in everyone[2:]] == ["يتدليان", "تتدليان", "يتدلون", "يتدلين"]
    assert verb("يدخن", Agreement(feminine=True, number=3)) == "يدخن"
    assert [his(to) for to in everyone] == ["ه", "ها", "هما", "هما", "هم", "هن"]

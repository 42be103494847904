"""Scenes: captions in English, Turkish and Arabic, against sentences read by hand."""

from __future__ import annotations

from random import Random

import pytest

from amrx.errors import OptionError
from parser.training.templates.captions import scene_pairs
from parser.training.templates.captions.arabic import arabic
from parser.training.templates.captions.draw import MANNERS, draw
from parser.training.templates.captions.english import english
from parser.training.templates.captions.scene import LANGS, Scene, Thing, acts, nouns, words
from parser.training.templates.captions.turkish import turkish
from parser.training.templates.morphology.turkish import declined, passive, subject_participle
from parser.training.templates.words import finished
from tests.support.scene_words import doing, noun, place

KINDS = sorted({kind for agents in ("person", "animal") for act in acts(agents) if (kind := act.kind)})


MAN, OLD, DOG = noun("man", "person"), noun("old man", "person"), noun("dog", "animal")
CHILD = noun("child", "person")
RED, TIRED = words("colours")[0], next(word for word in words("moods") if word.english == "tired")
SHIRT, FOREST = Thing(noun("shirt", "clothing"), colour=RED), place("in", "forest", "a")
HAIR = doing("person", "wash {washed}", "hair", "a")
TALKING = doing("person", "talk to {person}", "woman", "the")
KICKING = doing("person", "kick {ball}", "football", "a")
READ_BY_HAND = [
    (
        Scene("present", (Thing(MAN),), (doing("person", "play {instrument}", "guitar", "a"),)),
        "A man is playing a guitar.", "Bir adam bir gitar çalıyor.",
        "رجل يعزف على غيتار.",
    ),
    (
        Scene("present", (Thing(DOG, "two"),), (doing("animal", "run"),), place("on", "beach", "the")),
        "Two dogs are running on the beach.", "İki köpek sahilde koşuyor.",
        "كلبان يركضان على الشاطئ.",
    ),
    (
        Scene("negated", (Thing(OLD),), (doing("person", "cut {cut}", "onion", "the"),)),
        "An old man is not cutting the onion.", "Yaşlı bir adam soğanı kesmiyor.",
        "رجل مسن لا يقطع البصلة.",
    ),
    (
        Scene("passive", (Thing(MAN),), (doing("person", "eat {food}", "apple", "the"),)),
        "The apple is being eaten by a man.", "Elma bir adam tarafından yeniyor.",
        "رجل يأكل التفاحة.",
    ),
    (
        Scene("past", (Thing(CHILD, "the"),), (doing("person", "drink {drink}", "milk", "a"),)),
        "The child was drinking milk.", "Çocuk süt içiyordu.",
        "كان الطفل يشرب الحليب.",
    ),
    (
        Scene("simple", (Thing(noun("woman", "person"), "all"),), (doing("person", "dance"),)),
        "Women dance.", "Kadınlar dans ediyor.",
        "نساء يرقصن.",
    ),
    (
        Scene("simple", (Thing(noun("girl", "person")),), (doing("person", "carry {held}", "box", "a"),)),
        "A girl carries a box.", "Bir kız bir kutu taşıyor.",
        "فتاة تحمل صندوقا.",
    ),
    (
        Scene("phrase", (Thing(MAN),), (doing("person", "ride {ride}", "horse", "a"),), FOREST),
        "A man riding a horse in a forest.", "Bir ormanda bir ata binen bir adam.",
        "رجل يركب حصانا في غابة.",
    ),
    (
        Scene("exists", (Thing(DOG),), (), place("next to", "tree", "a")),
        "There is a dog next to a tree.", "Bir ağacın yanında bir köpek var.",
        "هناك كلب بجانب شجرة.",
    ),
    (
        Scene("absent", (Thing(MAN),), (doing("person", "read {text}", "book", "the"),)),
        "There is no man reading the book.", "Kitabı okuyan bir adam yok.",
        "لا يوجد رجل يقرأ الكتاب.",
    ),
    (
        Scene("mood", (Thing(MAN, wears=SHIRT),), mood=TIRED),
        "A man wearing a red shirt is tired.", "Kırmızı gömlekli bir adam yorgun.",
        "رجل يرتدي قميصا أحمر متعب.",
    ),
    (
        Scene("coloured", (Thing(noun("car", "vehicle"), "the"),), mood=RED),
        "The car is red.", "Araba kırmızı.",
        "السيارة حمراء.",
    ),
    (
        Scene("where", (Thing(MAN), Thing(noun("cat", "animal"))), place=place("on", "bench", "the")),
        "A man and a cat are on the bench.", "Bir adam ve bir kedi bankta.",
        "رجل وقطة على المقعد.",
    ),
    (
        Scene("present", (Thing(DOG),), (doing("animal", "chase {animal}", "cat", "a"),)),
        "A dog is chasing a cat.", "Bir köpek bir kediyi kovalıyor.",
        "كلب يطارد قطة.",
    ),
    (
        Scene("present", (Thing(MAN, "group"),), (doing("person", "look at {seen}", "mirror", "the"),)),
        "A group of men are looking at the mirror.", "Bir grup adam aynaya bakıyor.",
        "مجموعة من الرجال تنظر إلى المرآة.",
    ),
    (
        Scene("present", (Thing(MAN),), (doing("person", "sing"), HAIR)),
        "A man is singing and washing hair.", "Bir adam şarkı söylüyor ve saç yıkıyor.",
        "رجل يغني ويغسل الشعر.",
    ),
    (
        Scene("phrase", (Thing(noun("chef", "person"), "the"),), (TALKING,)),
        "The chef talking to the woman.", "Kadınla konuşan aşçı.",
        "الطاهي الذي يتحدث مع المرأة.",
    ),
    (
        Scene("past", (Thing(noun("old woman", "person")),), (KICKING,), place("at", "table", "the")),
        "An old woman was kicking a football at the table.",
        "Yaşlı bir kadın masada bir futbol topuna tekme atıyordu.",
        "كانت امرأة مسنة تركل كرة قدم عند الطاولة.",
    ),
    (
        Scene("mood", (Thing(noun("girl", "person"), "the", wears=SHIRT),), mood=TIRED),
        "The girl wearing a red shirt is tired.", "Kırmızı gömlekli kız yorgun.",
        "الفتاة التي ترتدي قميصا أحمر متعبة.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("scene", "said", "in_turkish", "in_arabic"), READ_BY_HAND)
def test_scene_is_said_in_each_language(scene: Scene, said: str, in_turkish: str, in_arabic: str) -> None:
    assert finished(english(scene), "en") == said
    assert finished(turkish(scene), "tr") == in_turkish
    assert finished(arabic(scene), "ar") == in_arabic


def test_every_manner_is_read_by_hand_and_drawn() -> None:
    rng = Random(0)  # noqa: S311
    assert {scene.manner for scene, *_ in READ_BY_HAND} == set(MANNERS)
    assert {draw(rng).manner for _ in range(1_000)} == set(MANNERS)


def test_nouns_decline_by_harmony_softening_and_compound() -> None:
    book, ball, water = noun("book", "text"), noun("football", "ball"), noun("water", "drink")
    cases = ("bare", "acc", "dat", "loc", "abl", "gen", "ins")
    assert [declined(book, case) for case in cases] == [
        "kitap", "kitabı", "kitaba", "kitapta", "kitaptan", "kitabın", "kitapla",
    ]  # fmt: skip
    assert [declined(ball, case) for case in cases] == [
        "futbol topu", "futbol topunu", "futbol topuna", "futbol topunda", "futbol topundan",
        "futbol topunun", "futbol topuyla",
    ]  # fmt: skip
    assert declined(water, "gen") == "suyun"
    assert declined(noun("police officer", "person"), "dat", plural=True) == "polis memurlarına"
    assert declined(noun("child", "person"), "acc", plural=True) == "çocukları"


def test_turkish_verbs_inflect() -> None:
    assert [passive(stem) for stem in ("yıka", "satın al", "tut")] == ["yıkan", "satın alın", "tutul"]
    assert [subject_participle(stem) for stem in ("git", "konuş", "giy")] == ["giden", "konuşan", "giyen"]


@pytest.mark.parametrize("agents", ["person", "animal"])
def test_acts_name_kinds_that_have_nouns(agents: str) -> None:
    for act in acts(agents):
        assert not act.kind or nouns(act.kind), act
        assert "tr" in act.forms
        for form in act.forms.values():
            assert form.count("{") == bool(act.kind), act


def test_tables_have_no_row_twice_and_each_word_in_turkish() -> None:
    for agents in ("person", "animal"):
        assert len({act.english for act in acts(agents)}) == len(acts(agents))
    for kind in (*KINDS, "in-place", "on-place", "at-place", "side-place", "clothing", "plural"):
        assert nouns(kind)
        assert len({one.name for one in nouns(kind)}) == len(nouns(kind))
        assert all("tr" in one.forms for one in nouns(kind))
    for table in ("colours", "moods"):
        assert all(word.forms.keys() == set(LANGS) for word in words(table))


def test_pairs_are_different_reproducible_and_free_of_what_is_reserved() -> None:
    pairs = list(scene_pairs(500, 3, (), ("tr",)))
    assert len({pair.english for pair in pairs}) == len(pairs) == 500
    assert {(pair.lang, pair.source) for pair in pairs} == {("tr", "scenes")}
    assert list(scene_pairs(500, 3, (), ("tr",))) == pairs
    for reserved in (pairs[0].english, pairs[0].foreign):
        kept = [pair.english for pair in scene_pairs(500, 3, {reserved}, ("tr",))]
        assert kept[:499] == [pair.english for pair in pairs[1:]] and len(kept) == 500


def test_each_wanted_language_says_what_it_can() -> None:
    both = list(scene_pairs(300, 3, (), ("de", "tr", "ar")))
    turkish_alone = list(scene_pairs(300, 3, (), ("tr",)))
    assert [pair for pair in both if pair.lang == "tr"] == turkish_alone
    assert 250 < sum(pair.lang == "ar" for pair in both) < 300  # not everything is sayable
    assert not list(scene_pairs(300, 3, (), ("de",)))


def test_negative_count_is_refused() -> None:
    with pytest.raises(OptionError, match="scenes must be at least 0, got -1"):
        next(scene_pairs(-1, 1, (), ("tr",)))

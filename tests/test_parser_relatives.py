"""Sentences with a relative clause, of two others: graphs by hand, after the AMR guidelines 1.2.6."""

import penman
import pytest

from linearize.packed import pack_graph, unpack
from linearize.restore import delinearize
from parser.score.smatch import smatch
from parser.training.composed.clauses import korean_adnominal, turkish_adnominal
from parser.training.composed.draw import composed_examples, fits
from parser.training.composed.relatives import relative_examples
from parser.training.corpora.leakage import Reserved
from parser.training.example import Example


def example(text: str, graph: str, lang: str) -> Example:
    packed = pack_graph(penman.decode(graph))
    assert packed is not None
    return Example(text, packed, lang, 0.5)


RUN = "(r / run-02 :ARG0 (d / dog) :location (p / park))"
WALK = "(w / walk-01 :ARG0 (m / man) :ARG1 (d / dog))"
WALKED_DOG = "(r / run-02 :ARG0 (d / dog :ARG1-of (w / walk-01 :ARG0 (m / man))) :location (p / park))"
RUNNING_DOG = "(w / walk-01 :ARG0 (m / man) :ARG1 (d / dog :ARG0-of (r / run-02 :location (p / park))))"


def drawn(examples: list[Example], count: int = 400) -> dict[str, penman.Graph]:
    """Return what is drawn of two sentences, and of so many copies that their language is used."""
    # sentences of other nouns, so that a language has more than ten phrases; none of them agrees with a dog
    made = relative_examples(examples * 6, count, 0, Reserved(()))
    return {one.text: delinearize(unpack(one.graph)).graph for one in made}


@pytest.mark.parametrize(("lang", "runs", "walks", "walked", "running"), [
    ("en", "The dog is running in the park.", "The man is walking the dog.",
     "The dog that the man is walking is running in the park.",
     "The man is walking the dog that is running in the park."),
    ("de", "Der Hund läuft im Park.", "Der Mann führt den Hund.",
     "Der Hund, den der Mann führt, läuft im Park.", "Der Mann führt den Hund, der im Park läuft."),
    ("nl", "De hond loopt in het park.", "De man leidt de hond.",
     "De hond die de man leidt, loopt in het park.", "De man leidt de hond die in het park loopt."),
    ("es", "El perro corre en el parque.", "El hombre pasea el perro.",
     "El perro que el hombre pasea corre en el parque.", "El hombre pasea el perro que corre en el parque."),
    ("fr", "Le chien court dans le parc.", "Le homme promène le chien.",
     "Le chien que le homme promène court dans le parc.",
     "Le homme promène le chien qui court dans le parc."),
    ("it", "Il cane corre nel parco.", "Il uomo porta il cane.",
     "Il cane che il uomo porta corre nel parco.", "Il uomo porta il cane che corre nel parco."),
    ("zh", "狗在公园里跑。", "男人在看狗。", "男人在看的狗在公园里跑。", None),
    ("ja", "犬が公園で走っている。", "男が犬を見ています。", "男が見ている犬が公園で走っている。", None),
])  # fmt: skip
def test_a_sentence_becomes_a_clause_of_a_shared_noun(lang, runs, walks, walked, running):
    found = drawn([example(runs, RUN, lang), example(walks, WALK, lang)])
    # English may leave the pronoun out, or write *which*
    text = next(one for one in found if one.replace(" which ", " that ") == walked or one == walked)
    assert smatch(penman.decode(WALKED_DOG), found[text]).f1 == 100
    if running is not None:
        assert smatch(penman.decode(RUNNING_DOG), found[running]).f1 == 100


@pytest.mark.parametrize(("lang", "first", "second", "whole"), [
    ("ru", "Собака лежит в парке.", "Собака видит кошку.", "Собака, которая видит кошку, лежит в парке."),
    ("uk", "Собака лежить у парку.", "Собака бачить кішку.", "Собака, яка бачить кішку, лежить у парку."),
    ("pl", "Pies leży w parku.", "Pies widzi kota.", "Pies, który widzi kota, leży w parku."),
    ("cs", "Pes leží v parku.", "Pes vidí kočku.", "Pes, který vidí kočku, leží v parku."),
    ("ar", "الكلب ينام في الحديقة.", "الكلب يرى القطة.", "الكلب الذي يرى القطة ينام في الحديقة."),
    ("ko", "개가 공원에 누워 있다.", "개가 고양이를 보고 있다.", "고양이를 보고 있는 개가 공원에 누워 있다."),
    ("tr", "Köpek parkta uyuyor.", "Köpek kediyi görüyor.", "Kediyi gören köpek parkta uyuyor."),
    ("ja", "犬が公園で寝ている。", "犬が猫を見ています。", "猫を見ている犬が公園で寝ている。"),
    ("zh", "一只狗躺在公园里。", "一只狗在看一只猫。", "一只在看一只猫的狗躺在公园里。"),
    ("de", "Ein Hund liegt im Park.", "Ein Hund schaut eine Katze an.",
     "Ein Hund, der eine Katze anschaut, liegt im Park."),
])  # fmt: skip
def test_a_clause_of_a_subject(lang: str, first: str, second: str, whole: str) -> None:
    lies = "(l / lie-07 :ARG1 (d / dog) :ARG2 (p / park))"
    sees = "(s / see-01 :ARG0 (d / dog) :ARG1 (c / cat))"
    both = "(l / lie-07 :ARG1 (d / dog :ARG0-of (s / see-01 :ARG1 (c / cat))) :ARG2 (p / park))"
    found = drawn([example(first, lies, lang), example(second, sees, lang)])
    assert smatch(penman.decode(both), found[whole]).f1 == 100


def test_one_object_instead_of_another() -> None:
    eats = example("A man eats a pear.", "(e / eat-01 :ARG0 (m / man) :ARG1 (p / pear))", "en")
    sees = example("A girl sees a bird.", "(s / see-01 :ARG0 (g / girl) :ARG1 (b / bird))", "en")
    found = drawn([eats, sees])["A man eats a pear instead of a bird."]
    gold = "(e / eat-01 :ARG0 (m / man) :ARG1 (p / pear :ARG1-of (i / instead-of-91 :ARG2 (b / bird))))"
    assert smatch(penman.decode(gold), found).f1 == 100


def test_a_noun_with_a_relation_that_stays_behind_is_no_part() -> None:
    """*The dog wants to run*: the dog of ``run-02`` would still be the dog of another sentence."""
    wants = "(w / want-01 :ARG0 (d / dog) :ARG1 (r / run-02 :ARG0 d))"
    sees = "(s / see-01 :ARG0 (d / dog) :ARG1 (c / cat))"
    found = drawn([example("The dog wants to run.", wants, "en"), example("The dog sees cats.", sees, "en")])
    assert not found


def test_a_reserved_sentence_is_left_out() -> None:
    pair = [example("The dog runs.", "(r / run-02 :ARG0 (d / dog))", "en"),
            example("The dog barks.", "(b / bark-01 :ARG0 (d / dog))", "en")]  # fmt: skip
    whole = "The dog that runs barks."
    assert whole in drawn(pair)
    kept = relative_examples(pair * 6, 400, 0, {whole})
    assert whole not in {one.text for one in kept}


def test_texts_without_capital_letters_fit() -> None:
    """A script without capitals is not one in capitals."""
    sleeps = "(s / sleep-01 :ARG0 (d / dog))"
    assert fits(example("狗在睡觉。", sleeps, "zh"))
    assert fits(example("The dog sleeps.", sleeps, "en"))
    assert not fits(example("THE DOG SLEEPS.", sleeps, "en"))
    many = [example(f"狗在第{n}个房间睡觉。", sleeps, "zh") for n in "一二三四五六七八九"]
    assert len(list(composed_examples(many, 20, 0, Reserved(())))) == 20


@pytest.mark.parametrize(
    ("predicate", "attribute"),
    [
        ("가 집에 간다", "집에 가는"),
        ("가 집에 왔다", "집에 온"),
        ("는 일을 했다", "일을 한"),
        ("가 매우 예쁘다", None),
    ],
)
def test_korean_attributes(predicate: str, attribute: str | None) -> None:
    assert korean_adnominal(predicate) == attribute


def test_a_turkish_verb_that_the_dictionary_lacks_is_left_out() -> None:
    assert turkish_adnominal("kitap zıbırıyor") is None

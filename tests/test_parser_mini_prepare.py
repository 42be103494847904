"""parser.training.mini.prepare: which parallel pairs a projection labels, and with what weight."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from parser.training.corpora.parallel import Pair
from parser.training.mini import prepare
from parser.training.mini.recipe import Recipe
from parser.training.templates.captions import scene_pairs

RECIPE = Recipe(
    project_langs=("tr", "de"), project_sources=("tatoeba", "multi30k"), project_words=(4, 5),
    project_at=(1, 2), project_pairs=(1, 2), project_known=0.5,
)  # fmt: skip
PAIRS = {
    ("tr", "tatoeba"): [("One two.", "Bir iki."), ("Dogs run.", "Köpekler koşar."), ("He is.", "O var.")],
    ("de", "tatoeba"): [("One two three four five.", "Eins zwei drei."), ("One two.", "Eins zwei.")],
    ("de", "multi30k"): [("A dog.", "Ein Hund."), ("Broken.", "Kaputt.")],
}


@pytest.fixture(autouse=True)
def parallel(monkeypatch):
    def pairs(data, langs, reserved, sources):
        for english, foreign in PAIRS.get((langs[0], sources[0]), []):
            yield Pair(english, foreign, langs[0], sources[0])

    monkeypatch.setattr(prepare, "training_pairs", pairs)


def examples(projection):
    asked: list[str] = []

    def parse(texts):
        asked.extend(texts)
        return [None if text == "Broken." else ["(", text] for text in texts]

    made = prepare.projected_examples(Path("nowhere"), (), RECIPE, parse, projection)
    return [(e.text, e.graph[1], e.lang, e.weight) for e in made], asked


def test_the_first_projection_takes_one_pair_of_each_language_and_source_at_most():
    made, asked = examples(0)
    # each English sentence is asked for once; one of five words is too long
    assert asked == ["One two.", "A dog."]
    assert made == [
        ("One two.", "One two.", "en", 0.5),
        ("A dog.", "A dog.", "en", 0.5),
        ("Bir iki.", "One two.", "tr", 1.0),
        ("Eins zwei.", "One two.", "de", 0.5),
        ("Ein Hund.", "A dog.", "de", 0.5),
    ]


def test_the_second_takes_two_of_five_words_and_what_cannot_be_parsed_teaches_nothing():
    made, asked = examples(1)
    assert asked == ["One two.", "Dogs run.", "One two three four five.", "A dog.", "Broken."]
    assert {text for text, *_ in made} == {
        "One two.", "Dogs run.", "One two three four five.", "A dog.", "Bir iki.", "Köpekler koşar.",
        "Eins zwei drei.", "Eins zwei.", "Ein Hund.",
    }  # fmt: skip


def test_scenes_are_labelled_beside_the_pairs_and_none_is_reserved():
    scenes = list(scene_pairs(12, RECIPE.seed, (), ("tr", "ar", "de")))
    assert {pair.lang for pair in scenes} == {"tr", "ar"}
    recipe = dataclasses.replace(
        RECIPE, project_scenes=(0, 12), project_langs=("tr", "ar", "de"), project_sources=()
    )
    reserved = {scenes[0].english}
    asked: list[str] = []

    def parse(texts):
        asked.extend(texts)
        return [["(", text] for text in texts]

    made = [
        (e.text, e.graph[1], e.lang)
        for e in prepare.projected_examples(Path("nowhere"), reserved, recipe, parse, 1)
    ]
    assert len(asked) == len(set(asked)) == 12 and scenes[0].english not in asked
    wanted = list(scene_pairs(12, recipe.seed, reserved, recipe.project_langs))
    assert made[12:] == [(pair.foreign, pair.english, pair.lang) for pair in wanted]

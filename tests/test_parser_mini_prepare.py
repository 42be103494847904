"""parser.training.mini.prepare: examples from sembanks and silver graphs, and the ways that people write."""

from __future__ import annotations

from pathlib import Path

import pytest

from parser.training.corpora.parallel import Pair
from parser.training.corpora.silver import text_key
from parser.training.example import Example
from parser.training.mini import prepare
from parser.training.mini.recipe import Recipe

PAIRS = {
    ("tatoeba", "tr"): [("One two.", "Bir iki."), ("Dogs run.", "Köpekler koşar."), ("He is.", "O var.")],
    ("tatoeba", "de"): [("One two.", "Eins zwei.")],
    ("multi30k", "de"): [("A dog.", "Ein Hund."), ("Broken.", "Kaputt.")],
}


@pytest.fixture
def parallel(monkeypatch):
    def pairs(data, langs, reserved, sources):
        for english, foreign in PAIRS.get((sources[0], langs[0]), []):
            if english not in reserved:
                yield Pair(english, foreign, langs[0], sources[0])

    texts = list(dict.fromkeys(english for rows in PAIRS.values() for english, _ in rows))
    monkeypatch.setattr(prepare, "training_pairs", pairs)
    monkeypatch.setattr(prepare, "scene_pairs", lambda *_: [Pair("A cat.", "Bir kedi.", "tr", "captions")])
    monkeypatch.setattr(prepare, "english_texts", lambda data, reserved, seed: [*texts, "A cat."])


def test_both_sides_of_a_pair_get_the_silver_graph_of_the_english_one(parallel):
    graphs = {text_key(text): ["say-01", text] for text in ("One two.", "Dogs run.", "A dog.", "A cat.")}
    recipe = Recipe(silver_pairs=2, silver_english=1.0, silver_weight=0.5)
    made = prepare.silver_examples(Path("nowhere"), (), recipe, graphs)
    assert [(e.text, e.graph[1], e.lang, e.weight) for e in made] == [
        ("One two.", "One two.", "en", 1.0),
        ("Dogs run.", "Dogs run.", "en", 1.0),
        ("A dog.", "A dog.", "en", 1.0),
        ("A cat.", "A cat.", "en", 1.0),
        ("Eins zwei.", "One two.", "de", 0.5),
        ("Bir iki.", "One two.", "tr", 0.5),
        ("Köpekler koşar.", "Dogs run.", "tr", 0.5),
        ("Ein Hund.", "A dog.", "de", 0.5),
        ("Bir kedi.", "A cat.", "tr", 0.5),
    ]


def test_some_sentences_come_again_as_people_write_in_haste(monkeypatch):
    monkeypatch.setattr(prepare, "RESTYLED", 1.0)
    for style, wanted in zip(
        prepare.STYLES,
        ("HE PAID €3,700.50, DIDN'T HE?", "he paid €3,700.50 didn't he", "He paid €3,700.50, didn't he"),
        strict=True,
    ):
        monkeypatch.setattr(prepare, "STYLES", (style,))
        examples = [Example("He paid €3,700.50, didn't he?", ["pay-01"], "en", 2.0)]
        made = list(prepare.restyled(examples, 0))
        assert made[0] == examples[0]
        assert (made[1].text, made[1].graph, made[1].weight) == (wanted, ["pay-01"], 1.0)


def test_turkish_keeps_its_two_letters():
    assert prepare.STYLES[0]("Irmak iyi.", "tr") == "IRMAK İYİ."
    assert prepare.STYLES[1]("Irmak İyi.", "tr") == "ırmak iyi"


def test_the_share_that_comes_again_is_the_same_for_a_seed():
    examples = [Example(f"Sentence {n}.", ["dog"], "en", 1.0) for n in range(1000)]
    again = list(prepare.restyled(examples, 7))
    assert again == list(prepare.restyled(examples, 7))
    assert 1100 < len(again) < 1200

"""Translate, then parse."""

from pathlib import Path

import penman
import pytest

from amrx.errors import MissingResourceError, OptionError
from amrx.types import Parser, Sentence
from parser import load
from tests.support import tiny_marian

PAIRS = {german: english for english, german in tiny_marian.PAIRS.items()}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("opus")
    tiny_marian.save(home / "opus-mt-de-en", PAIRS, steps=80)
    return home


@pytest.fixture
def pivot(home: Path, monkeypatch, tmp_path: Path, toy):
    monkeypatch.setenv("AMRX_OPUS_MT", str(home))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return load("pivot:toy")


def test_the_graph_is_of_the_english_and_the_rest_of_the_original(pivot, toy):
    assert isinstance(pivot, Parser)
    sentences = [
        Sentence("a", "Zwei Hunde schlafen im Haus.", "de"),
        Sentence("b", "The boy goes.", "en"),
        Sentence("c", "Das Mädchen sieht den Hund nicht."),
        Sentence("d", "", "de"),
    ]
    parses = pivot.parse(sentences)
    assert toy.seen == ["Two dogs sleep in the house.", "The boy goes.", "The girl does not see the dog."]
    assert [(parse.id, parse.text, parse.lang) for parse in parses] == [
        ("a", "Zwei Hunde schlafen im Haus.", "de"),
        ("b", "The boy goes.", "en"),
        ("c", "Das Mädchen sieht den Hund nicht.", "de"),
        ("d", "", "de"),
    ]
    assert '"dogs"' in penman.encode(parses[0].graph)
    assert [parse.status for parse in parses] == ["ok", "ok", "ok", "failed"]
    assert [parse.alignments for parse in parses] == [{}, {"s": (0, 3)}, {}, {}]
    assert {parse.parser for parse in parses} == {pivot.fingerprint}
    for batch_size in (1, 2):
        assert pivot.parse(sentences, batch_size=batch_size) == parses
    assert pivot.parse([]) == []


def test_an_empty_translation_fails_and_a_cut_one_says_so(pivot, monkeypatch):
    from amrx.translate.pairs import Translation

    pair = pivot.translator.pair("de", "en")
    made = [Translation("", cut=False), Translation("Yes.", cut=True)]
    monkeypatch.setattr(pair, "translate", lambda texts, **options: made)
    parses = pivot.parse([Sentence("1", "Ja.", "de"), Sentence("2", "Nein.", "de")])
    assert [(parse.status, parse.repairs) for parse in parses] == [
        ("failed", ("translation is empty",)),
        ("repaired", ("translation cut at the longest length",)),
    ]


def test_only_the_models_of_a_calls_languages_stay_loaded(pivot, home: Path, monkeypatch):
    monkeypatch.setattr(pivot.translator, "folders", {("fr", "en"): home / "opus-mt-de-en"})
    german = pivot.translator.pair("de", "en")
    calls = [["de"], ["de", "fr", "en"], ["fr"], ["en"]]
    held = []
    for langs in calls:
        pivot.parse([Sentence(lang, "Zwei Hunde schlafen im Haus.", lang) for lang in langs])
        held.append(sorted(source for source, _ in pivot.translator._loaded))
        assert len(held) > 2 or pivot.translator.pair("de", "en") is german
    assert held == [["de"], ["de", "fr"], ["fr"], []]


def test_the_fingerprint_follows_both_parts(pivot, home: Path, monkeypatch, tmp_path: Path):
    assert pivot.fingerprint.endswith(":toy-1")
    assert load("pivot:toy").fingerprint == pivot.fingerprint
    monkeypatch.setenv("AMRX_OPUS_MT", str(tmp_path))
    assert load("pivot:toy").fingerprint != pivot.fingerprint


def test_what_is_missing_is_named(pivot):
    with pytest.raises(MissingResourceError, match="hf download Helsinki-NLP/opus-mt-fr-en.*AMRX_OPUS_MT"):
        pivot.parse([Sentence("1", "Oui.", "fr")])
    with pytest.raises(OptionError, match="pivot:mini"):
        load("pivot")
    with pytest.raises(OptionError, match="unknown parser 'maxi'"):
        load("pivot:maxi")
    with pytest.raises(OptionError, match="a translation is English already"):
        load("pivot:pivot:toy")
    with pytest.raises(OptionError, match="has no beam search"):
        load("pivot:toy", beam=2)

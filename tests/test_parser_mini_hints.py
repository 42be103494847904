"""parser.mini.hints: the English of the words, and what the network makes of it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch

from parser.mini.hints import Hints
from parser.mini.labels import Labels
from parser.mini.lexicon import dictionaries
from parser.mini.model import LEVELS
from parser.mini.source import read_source
from tests.support.tiny_mini import NO_HINTS, network_of

LABELS = Labels(("dog", "hound", "bark-01", "bark-03", "shirt", "hat", "see-01"), (":ARG0",))
ROWS = {
    "de": {"hund": "dog:.7\thound:.3", "bellt": "bark:1", "kläfft": "yap:1", "hemd": "shirt:.02\that:.9"},
    "zh": {"衬衫": "shirt:1", "帽子": "hat:.6", "帽": "hound:1"},
}


@pytest.fixture
def hints(monkeypatch):
    """Hints of two small dictionaries."""
    rows = {("words", lang): words for lang, words in ROWS.items()}
    monkeypatch.setattr(dictionaries, "_rows", lambda kind, lang: rows.get((kind, lang), {}))
    dictionaries.entry.cache_clear()
    yield Hints(LABELS)
    dictionaries.entry.cache_clear()


def read(hints, tokenizer, text, lang):
    """Return the hints of a text by the text of their piece."""
    source = read_source(text, lang, tokenizer)
    rows = [(source.composed.text[slice(*source.spans[one.piece])].strip(), one) for one in hints.of(source)]
    return [(text, LABELS.nodes[one.label], one.level) for text, one in rows]


def test_each_piece_of_a_word_has_its_english_the_likeliest_first(hints, tokenizer):
    found = read(hints, tokenizer, "Der Hund bellt, kläfft.", "de")
    assert found[:2] == [("Hund", "dog", 10), ("Hund", "hound", 4)]  # of 15
    barks = found[2:]
    assert barks and {one[1:] for one in barks} == {("bark-01", 15)}  # the first frame of the word
    assert "".join(text for text, *_ in barks) == "bellt"  # not the comma; "yap" is no label


def test_a_share_near_zero_is_left_out(hints, tokenizer):
    assert {one[1] for one in read(hints, tokenizer, "Ein Hemd", "de")} == {"hat"}


def test_scripts_without_spaces_are_cut_at_the_longest_words(hints, tokenizer):
    assert [label for _, label, _ in read(hints, tokenizer, "衬衫和帽子。", "zh")].count("hound") == 0
    assert {"shirt", "hat"} == {label for _, label, _ in read(hints, tokenizer, "衬衫和帽子。", "zh")}


def test_other_languages_have_none(hints, tokenizer):
    assert read(hints, tokenizer, "Der Hund bellt.", "nl") == []


def test_the_network_adds_the_names_of_hints_by_their_shares():
    network = network_of(LABELS)
    torch.nn.init.normal_(network.hint_name.weight)
    hints = torch.tensor([[0, 1, 0, 10], [0, 1, 1, 4], [1, 2, 5, 15]])
    mask = torch.ones(2, 4, dtype=torch.bool)
    names = network.names.double().numpy()
    told = np.zeros((2, 4, names.shape[1]))
    told[0, 1] = (10 * names[0] + 4 * names[1]) / LEVELS
    told[1, 2] = names[5]
    np.testing.assert_allclose(network.told(hints, mask).numpy(), told, atol=1e-6)
    ids = torch.tensor([[0, 70, 71, 2], [0, 72, 73, 2]])
    # a new network reads them only as names: s_c grows by H t . n_c
    with torch.no_grad():
        with_them, without = (network(ids, mask, one).label @ network.table().T for one in (hints, NO_HINTS))
    weight = network.hint_name.weight.detach().double().numpy()
    more = told @ weight.T @ names.T  # (B, S, V)
    wanted = np.repeat(more, network.shape.queries, 1)
    np.testing.assert_allclose((with_them - without).numpy(), wanted, atol=1e-3)


def test_hints_are_dropped_in_training_only():
    network = network_of(LABELS)
    network.shape = type(network.shape)(**{**vars(network.shape), "hint_dropout": 1.0})
    hints, mask = torch.tensor([[0, 1, 0, 10]]), torch.ones(1, 3, dtype=torch.bool)
    assert network.eval().told(hints, mask).any() and not network.train().told(hints, mask).any()


def test_packed_examples_keep_their_hints(corpus, examples, tokenizer):
    made, labels = examples
    batch = corpus.batch(np.arange(len(corpus)))
    wanted = [
        [row, *hint]
        for row, example in enumerate(made)
        for hint in Hints(labels).of(read_source(example.text, example.lang, tokenizer))
    ]
    assert wanted and batch.hints.tolist() == wanted


def test_a_sentence_reads_the_tables_of_its_language_alone(e5_files):
    code = (
        "import amrx\n"
        "from parser.mini.lexicon.dictionaries import _rows\n"
        "from parser.values.numerals import numerals_of\n"
        "amrx.parse(['Er kaufte einundzwanzig Hemden.'], lang='de')\n"
        "print(_rows.cache_info().currsize, numerals_of.cache_info().currsize)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "1"]  # words and learnt of German; German numbers

"""Sentences to pieces and words (parser.mini.words) and to features (parser.mini.layers)."""

import dataclasses

import pytest
import torch

from amrx.training import Schedule, fit
from parser.mini.parser import MiniParser
from parser.mini.store import load_network, save_network
from parser.mini.symbols import with_frames
from parser.mini.words import MOST_PIECES, read_source
from parser.training.mini.batches import Corpus
from parser.training.mini.pack_data import pack_examples
from parser.training.mini.task import UNLIKELIER, MiniTask, take_weights
from tests.support.tiny_mini import RECIPE, TEXTS


def test_words_begin_in_their_pieces(tokenizer):
    text = "Die Hängebrücke kostete 3.700.000 €."
    source = read_source(text, "de", tokenizer)
    assert [word.plain for word in source.words] == ["die", None, "kostete", "3700000"]
    for word, start in zip(source.words, source.starts, strict=True):
        begin, end = source.spans[start]
        assert word.text.startswith(text[begin:end].strip())


def test_words_beyond_the_last_piece_are_cut_off(tokenizer):
    source = read_source("dog " * MOST_PIECES, "en", tokenizer)
    assert source.cut and len(source.ids) == len(source.spans) == MOST_PIECES
    # one piece a word, and one for each end of the sentence
    assert source.starts == [*range(1, MOST_PIECES - 1)] and len(source.words) == MOST_PIECES - 2
    assert source.ids[-1] == read_source("dog", "en", tokenizer).ids[-1]


def test_features_are_three_states_and_padding_changes_nothing(layers, tokenizer):
    ids = torch.tensor([read_source("The boy wants to go.", "en", tokenizer).ids])
    wide = torch.nn.functional.pad(ids, (0, 3), value=0)
    with torch.inference_mode():
        features, vector = layers(ids, torch.ones_like(ids, dtype=torch.bool))
        padded, same = layers(wide, torch.arange(wide.shape[1])[None] < ids.shape[1])
        states = layers.model(ids, torch.ones_like(ids))
    torch.testing.assert_close(features, torch.cat((states[0], states[1], states[2]), -1))
    torch.testing.assert_close(vector, states[2].mean(1))
    torch.testing.assert_close(padded[:, : ids.shape[1]], features, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(same, vector, atol=1e-5, rtol=1e-4)
    assert not padded[:, ids.shape[1] :].any()


def test_the_layers_are_trained_and_saved_with_the_parser(tmp_path, corpus, examples, names, tokenizer):
    alphabet = examples[1]
    recipe = dataclasses.replace(RECIPE, reader_rate=0.1)
    task = MiniTask(corpus, alphabet, names, torch.zeros(len(alphabet)), recipe, torch.device("cpu"))
    before = {name: weight.clone() for name, weight in task.network.state_dict().items()}
    fit(task, Schedule(RECIPE.steps), tmp_path / "run", "run")
    after = task.network.state_dict()
    moved = {name for name, weight in after.items() if not torch.equal(weight, before[name])}
    assert "reader.model.encoder.layer.1.output.dense.weight" in moved
    assert not any(name.startswith("reader.model.embeddings") for name in moved)
    save_network(tmp_path / "parser", task.averaged(), alphabet)
    network, _, _ = load_network(tmp_path / "parser")
    parses = [
        MiniParser(network, alphabet, tokenizer, "tiny").parse(list(TEXTS), lang="en", batch_size=size)
        for size in (1, 4)
    ]
    assert [str(p.graph.triples) for p in parses[0]] == [str(p.graph.triples) for p in parses[1]]


def test_rates_fall_together(corpus, examples, names):
    recurs, recipe = torch.zeros(len(examples[1])), dataclasses.replace(RECIPE, reader_rate=0.1)
    task = MiniTask(corpus, examples[1], names, recurs, recipe, torch.device("cpu"))
    own, _, layers, _ = task.rates(3)
    assert len(task.optimizer.param_groups) == 4 and layers == pytest.approx(own / 10)


def test_a_decoder_goes_on_with_more_layers_that_read(corpus, examples, names):
    start, new = (
        MiniTask(
            corpus, examples[1], names, torch.zeros(len(examples[1])),
            dataclasses.replace(RECIPE, encoder=encoder, reader=reader), torch.device("cpu"),
        ).network
        for encoder, reader in ((2, 2), (1, 4))
    )  # fmt: skip
    torch.nn.init.normal_(start.features.weight)
    take_weights(new, start)
    assert torch.equal(new.symbols.weight, start.symbols.weight)
    assert torch.equal(new.features.weight, start.features.weight)
    assert torch.equal(new.encoder[0].up.weight, start.encoder[1].up.weight)


def test_new_symbols_come_after_those_of_the_start(examples, names, tokenizer):
    made, alphabet = examples
    longer = with_frames(alphabet, [["quaff-01", ":ARG0", "cat"], ["quaff-01"], ["no-frame-01"], ["dog"]], 2)
    assert longer.nodes == (*alphabet.nodes, "quaff-01")
    assert longer.symbols[: len(alphabet)] == alphabet.symbols
    corpus = Corpus(pack_examples(made, longer, tokenizer))
    longer_names = torch.cat((names, names[-1:]))
    start, new = (
        MiniTask(corpus, one, rows, torch.zeros(len(one)), RECIPE, torch.device("cpu")).network
        for one, rows in ((alphabet, names), (longer, longer_names))
    )
    torch.nn.init.normal_(start.bias)
    take_weights(new, start)
    assert torch.equal(new.symbols.weight[:-1], start.symbols.weight)
    assert torch.equal(new.bias[:-1], start.bias)
    same = int((names @ names[-1]).argmax())
    assert torch.equal(new.symbols.weight[-1], start.symbols.weight[same])
    assert float(new.bias[-1].detach()) == pytest.approx(float(start.bias[same].detach()) - UNLIKELIER)

"""parser.mini: training, folder and parser together, on four sentences."""

from __future__ import annotations

import dataclasses
import json

import penman
import pytest
import torch

from amrx.errors import AmrxError, InputError, OptionError
from amrx.int8 import RANGES, Int8Linear
from amrx.training import Schedule, fit
from amrx.types import Sentence
from linearize import linearize
from parser.mini.parser import MiniParser
from parser.mini.store import load_network, save_network
from parser.training.mini.task import MiniTask
from parser.training.mini.train import load_start
from tests.support.tiny_mini import RECIPE, TEXTS, network_of

SCHEDULE = Schedule(RECIPE.steps, checkpoint_every=4, log_every=1)


@pytest.fixture
def made(corpus, examples):
    def make(recipe=RECIPE):
        return MiniTask(corpus, network_of(examples[1], recipe=recipe), recipe, torch.device("cpu"))

    return make


@pytest.fixture(scope="module")
def learnt(corpus, examples, tmp_path_factory):
    """A folder with a parser that has learnt the four sentences."""
    folder = tmp_path_factory.mktemp("learnt")
    recipe = dataclasses.replace(RECIPE, steps=120, learning_rate=4e-3, average=0.9)
    network = network_of(examples[1], recipe=recipe)
    torch.nn.init.zeros_(network.bias)
    network.languages = ("de", "en")
    task = MiniTask(corpus, network, recipe, torch.device("cpu"))
    fit(task, Schedule(120), folder, "run")
    save_network(folder / "model", task.averaged(), examples[1])
    return folder / "model"


@pytest.fixture
def parser(learnt, tokenizer):
    network, labels, fingerprint = load_network(learnt)
    return MiniParser(network, labels, tokenizer, fingerprint)


def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(tmp_path, made):
    recipe = dataclasses.replace(RECIPE, dropout=0.1, word_dropout=0.1, feature_dropout=0.1)
    whole, resumed = made(recipe), made(recipe)
    fit(whole, SCHEDULE, tmp_path / "whole", "run")
    fit(made(recipe), SCHEDULE, tmp_path / "part", "run", stop=7)
    assert fit(resumed, SCHEDULE, tmp_path / "part", "run").steps == RECIPE.steps
    for name, weight in whole.average.items():
        assert torch.equal(weight, resumed.average[name]), name
        assert torch.equal(whole.network.state_dict()[name], resumed.network.state_dict()[name]), name


def test_frozen_layers_stay(tmp_path, made):
    task = made(dataclasses.replace(RECIPE, frozen=1))
    layers = task.network.reader.model.encoder["layer"]
    before = [layer.output.dense.weight.detach().clone() for layer in layers]
    fit(task, SCHEDULE, tmp_path, "run")
    same = [torch.equal(old, layer.output.dense.weight) for old, layer in zip(before, layers, strict=True)]
    assert same == [True, False]


def test_the_mean_is_the_running_mean_of_the_weights(tmp_path, made):
    task = made(dataclasses.replace(RECIPE, average=0.8))
    bias = [task.network.bias.detach().clone()]
    for stop in range(1, 6):
        fit(task, SCHEDULE, tmp_path, "run", stop=stop)
        bias.append(task.network.bias.detach().clone())
    mean = bias[0]
    for step, weights in enumerate(bias[1:]):
        keep = min(0.8, (step + 1) / (step + 10))
        mean = keep * mean + (1 - keep) * weights
    torch.testing.assert_close(task.average["bias"], mean)
    assert not torch.equal(bias[1], bias[2])


def test_a_loss_that_is_not_finite_ends_the_run(tmp_path, made):
    task = made()
    with torch.no_grad():
        task.network.norm.weight[0] = torch.inf
    with pytest.raises((AmrxError, ValueError)):
        fit(task, SCHEDULE, tmp_path, "run")


def test_training_learns_its_sentences_and_the_folder_parses_them(parser):
    parses = parser.parse([Sentence(str(i), text, "en") for i, text in enumerate(TEXTS)])
    assert [p.status for p in parses] == ["ok"] * 4
    for parse, wanted in zip(parses, TEXTS.values(), strict=True):
        # sing-01 is no label, but English of the lexicon
        assert linearize(parse.graph) == linearize(penman.decode(wanted))


def test_nodes_are_aligned_with_words(parser):
    text = "Ada saw 12 zebras."
    parse = parser.parse(text, lang="en")[0]
    spans = {(begin, end) for begin, end in parse.alignments.values()}
    words = {(0, 3), (4, 7), (8, 10), (11, 17)}
    assert spans and spans <= words


def test_graphs_do_not_depend_on_the_batch(parser):
    texts = [*TEXTS, "Ada.", "The boy wants to go and Ada saw 12 zebras and he did not sing.", "12"] * 3
    sentences = [Sentence(str(i), text, "en") for i, text in enumerate(texts)]
    whole = parser.parse(sentences, batch_size=64)
    for size in (1, 2, 5):
        assert [penman.encode(p.graph) for p in parser.parse(sentences, batch_size=size)] == [
            penman.encode(p.graph) for p in whole
        ]
    turned = parser.parse(sentences[::-1], batch_size=4)[::-1]
    assert [penman.encode(p.graph) for p in turned] == [penman.encode(p.graph) for p in whole]


@pytest.mark.parametrize("text", ["", "...", "12", "a " * 300, "x" * 500, "Σ", "\u200b", "(", '"', "狗"])
def test_every_text_has_a_valid_graph(parser, text):
    parse = parser.parse([Sentence("1", text, "en")])[0]
    assert penman.decode(penman.encode(parse.graph)).top == parse.graph.top
    assert (parse.status == "failed") == (not any(sign.isalnum() for sign in text))


def test_notes(parser):
    long = parser.parse([Sentence("1", "dog " * 200, "en")])[0]
    assert long.status == "repaired" and long.repairs == ("sentence cut at 128 subwords",)
    other = parser.parse([Sentence("1", "Hund", "sv")])[0]
    assert other.repairs == ("the parser was not trained on language 'sv'",)


def test_a_folder_comes_back_with_rounded_weights(learnt, examples, tmp_path):
    network, labels, fingerprint = load_network(learnt)
    assert labels == examples[1] and network.languages == ("de", "en")
    save_network(tmp_path, network, labels)
    again, _, other = load_network(tmp_path)
    assert fingerprint == other and fingerprint.startswith("mini-")
    for name, weight in network.state_dict().items():
        assert torch.equal(weight, again.state_dict()[name]), name


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("config.json", {"heads": 3}, "heads.*must be a divisor of width .64., got 3"),
        ("config.json", {"labels": 3}, "needs 3 labels"),
        ("config.json", {"surprise": 3}, "is not a mini parser's config"),
        ("labels.json", {"nodes": ["dog"]}, "needs .* labels and .* roles, got 4 and"),
        ("model.safetensors", None, "are not weights of this network"),
    ],
)
def test_a_damaged_folder_is_one_clear_error(learnt, tmp_path, file, change, message):
    for path in learnt.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    if change is None:
        (tmp_path / file).write_bytes((tmp_path / file).read_bytes()[:1000])
    else:
        options = json.loads((tmp_path / file).read_text("utf-8")) | change
        (tmp_path / file).write_text(json.dumps(options), "utf-8")
    with pytest.raises(InputError, match=message):
        load_network(tmp_path)


def test_a_run_starts_from_a_mini_parser_in_float32(learnt):
    for name in (f"mini:{learnt}", str(learnt), learnt):
        start = load_start(name)
        assert not any(isinstance(layer, Int8Linear) for layer in start.network.modules())
    assert "int8" not in load_start("mini").fingerprint
    for name in ("mini:", "seq2seq:x", "split:mini", "nothing"):
        with pytest.raises(OptionError, match="start must be a mini parser"):
            load_start(name)


def test_new_weights_take_no_old_ranges(made, examples, tmp_path):
    (tmp_path / RANGES).write_bytes(b"old")
    save_network(tmp_path, made().averaged(), examples[1])
    assert not (tmp_path / RANGES).exists()

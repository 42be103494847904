"""parser.training.mini.task: a stage of the mini parser's training in the loop, and its running mean."""

import dataclasses
import json
from pathlib import Path

import penman
import pytest
import torch

from amrx.errors import AmrxError
from amrx.training import Schedule, fit
from amrx.types import Sentence
from linearize import linearize
from parser.mini.parser import MiniParser
from parser.mini.store import load_network, save_network
from parser.training.mini.task import MiniTask
from tests.support.tiny_mini import RECIPE, TEXTS

SCHEDULE = Schedule(RECIPE.steps, checkpoint_every=4, log_every=1)


@pytest.fixture
def made(corpus, examples, names):
    def make(recipe=RECIPE):
        alphabet = examples[1]
        recurs = torch.zeros(len(alphabet))
        return MiniTask(corpus, alphabet, names, recurs, recipe, torch.device("cpu"))

    return make


def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(tmp_path, made):
    recipe = dataclasses.replace(RECIPE, dropout=0.1, word_dropout=0.1)
    whole, resumed = made(recipe), made(recipe)
    fit(whole, SCHEDULE, tmp_path / "whole", "run")
    fit(made(recipe), SCHEDULE, tmp_path / "part", "run", stop=7)
    assert fit(resumed, SCHEDULE, tmp_path / "part", "run").steps == RECIPE.steps
    for name, weight in whole.average.items():
        assert torch.equal(weight, resumed.average[name]), name
        assert torch.equal(whole.network.state_dict()[name], resumed.network.state_dict()[name]), name


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


def test_a_killed_run_logs_every_step_once(tmp_path, made):
    log = tmp_path / "log.jsonl"

    def kill(line):
        if line["step"] == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(made(), SCHEDULE, tmp_path, "run", report=kill)
    with log.open("a") as lines:
        lines.write('{"step": 8, "lo')  # the kill came within a line
    before = {line["step"]: line["loss"] for line in map(json.loads, log.read_text().splitlines()[:-1])}
    assert max(before) == 7
    fit(made(), SCHEDULE, tmp_path, "run")
    after = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["step"] for line in after] == [*range(1, RECIPE.steps + 1)]
    assert {line["step"]: line["loss"] for line in after[:7]} == before


def test_a_kill_in_a_save_leaves_the_file_before_and_nothing_else(tmp_path, made, monkeypatch):
    task, checkpoint = made(), tmp_path / "checkpoint.safetensors"
    fit(task, SCHEDULE, tmp_path, "run", stop=1)
    before = checkpoint.read_bytes()

    def killed(tensors, place, metadata):
        Path(place).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr("safetensors.torch.serialize_file", killed)
    with pytest.raises(KeyboardInterrupt):
        fit(task, SCHEDULE, tmp_path, "run", stop=2)
    assert checkpoint.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == [checkpoint.name, "log.jsonl"]


def test_a_loss_that_is_not_finite_ends_the_run(tmp_path, made):
    task = made()
    with torch.no_grad():
        task.network.bias[0] = torch.inf
    with pytest.raises(AmrxError, match="step 0 of mini parser is not finite"):
        fit(task, SCHEDULE, tmp_path, "run")


def test_training_learns_its_sentences_and_the_folder_parses_them(tmp_path, made, examples, tokenizer):
    recipe = dataclasses.replace(RECIPE, steps=80, learning_rate=4e-3, average=0.9)
    task = made(recipe)
    fit(task, Schedule(80), tmp_path, "run")
    save_network(tmp_path / "model", task.averaged(), examples[1])
    network, alphabet, fingerprint = load_network(tmp_path / "model")
    parser = MiniParser(network, alphabet, tokenizer, fingerprint)
    parses = parser.parse([Sentence(str(i), text, "en") for i, text in enumerate(TEXTS)])
    assert [p.status for p in parses] == ["ok"] * 4
    for parse, wanted in zip(parses, TEXTS.values(), strict=True):
        assert linearize(parse.graph) == linearize(penman.decode(wanted))

import dataclasses
import json
from pathlib import Path

import penman
import pytest
import torch

from amrx.errors import AmrxError, InputError
from amrx.types import Sentence
from linearize import linearize
from parser.mini.parser import MiniParser
from parser.mini.store import load_network, save_network
from parser.training.mini import trainer as module
from parser.training.mini.trainer import Trainer, run
from tests.support.tiny_mini import RECIPE, TEXTS


def made(corpus, examples, names, muse, recipe):
    alphabet = examples[1]
    return Trainer(corpus, alphabet, names, torch.zeros(len(alphabet)), muse, recipe, torch.device("cpu"))


def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(tmp_path, corpus, examples, names, muse):
    recipe = dataclasses.replace(RECIPE, dropout=(0.1,), word_dropout=(0.1,))

    def trainer():
        return made(corpus, examples, names, muse, recipe)

    whole = trainer()
    run(whole, tmp_path / "whole.safetensors", tmp_path / "whole.jsonl", lambda line: None)
    run(trainer(), tmp_path / "part.safetensors", tmp_path / "part.jsonl", lambda line: None, stop=7)
    resumed = trainer()
    run(resumed, tmp_path / "part.safetensors", tmp_path / "part.jsonl", lambda line: None)
    assert resumed.step == whole.step == RECIPE.steps
    for name, weight in whole.average.items():
        assert torch.equal(weight, resumed.average[name]), name


def test_a_killed_run_logs_every_step_once(tmp_path, corpus, examples, names, muse, monkeypatch):
    monkeypatch.setattr(module, "LOG_EVERY", 1)
    checkpoint, log = tmp_path / "c.safetensors", tmp_path / "log.jsonl"

    def trainer():
        return made(corpus, examples, names, muse, RECIPE)

    def kill(line):
        if line.startswith("step 7 "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(trainer(), checkpoint, log, kill)
    with log.open("a") as lines:
        lines.write('{"step": 8, "lo')  # the kill came within a line
    before = {line["step"]: line["loss"] for line in map(json.loads, log.read_text().splitlines()[:-1])}
    resumed = trainer()
    resumed.resume(checkpoint)
    assert max(before) == 7 > resumed.step  # so that lines come again
    run(trainer(), checkpoint, log, lambda line: None)
    after = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["step"] for line in after] == [*range(1, RECIPE.steps + 1)]
    assert {line["step"]: line["loss"] for line in after[:7]} == before


def test_a_kill_in_a_save_leaves_the_checkpoint_before_and_nothing_else(
    tmp_path, corpus, examples, names, muse, monkeypatch
):
    checkpoint = tmp_path / "c.safetensors"
    trainer = made(corpus, examples, names, muse, RECIPE)
    run(trainer, checkpoint, tmp_path / "log.jsonl", lambda line: None, stop=1)
    before = checkpoint.read_bytes()

    def killed(tensors, place, metadata):
        Path(place).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr("safetensors.torch.serialize_file", killed)
    for save in (trainer.save, trainer.save_average):
        with pytest.raises(KeyboardInterrupt):
            save(checkpoint)
    assert checkpoint.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["c.safetensors", "log.jsonl"]


def test_a_damaged_checkpoint_is_named(tmp_path, corpus, examples, names, muse):
    checkpoint = tmp_path / "c.safetensors"
    trainer = made(corpus, examples, names, muse, RECIPE)
    run(trainer, checkpoint, tmp_path / "log.jsonl", lambda line: None, stop=1)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1000])
    for read in (trainer.resume, lambda path: trainer.averaged({path: 1.0})):
        with pytest.raises(InputError, match=r"c\.safetensors: is no whole checkpoint"):
            read(checkpoint)


def test_training_learns_its_sentences_and_the_folder_parses_them(
    tmp_path, corpus, examples, names, muse, tokenizer
):
    recipe = dataclasses.replace(RECIPE, steps=150, learning_rate=(4e-3,), average=0.9, save_every=1000)
    trainer = made(corpus, examples, names, muse, recipe)
    run(trainer, tmp_path / "c.safetensors", tmp_path / "log.jsonl", lambda line: None)
    save_network(tmp_path / "model", trainer.averaged(), examples[1])
    network, alphabet, fingerprint = load_network(tmp_path / "model")
    parser = MiniParser(network, alphabet, muse, tokenizer, fingerprint)
    parses = parser.parse([Sentence(str(i), text, "en") for i, text in enumerate(TEXTS)])
    assert [p.status for p in parses] == ["ok"] * 4
    for parse, wanted in zip(parses, TEXTS.values(), strict=True):
        assert linearize(parse.graph) == linearize(penman.decode(wanted))


@pytest.mark.parametrize("harm", ["loss", "gradient"])
def test_numbers_that_are_not_finite_stop_the_run_before_the_weights(
    harm, tmp_path, corpus, examples, names, muse, monkeypatch
):
    trainer, whole = made(corpus, examples, names, muse, RECIPE), module.loss

    def spoiled(network, *rest):
        value = whole(network, *rest)
        return value * float("nan") if harm == "loss" else value + (network.bias[0] * 0).sqrt()

    run(trainer, tmp_path / "c.safetensors", tmp_path / "log.jsonl", lambda line: None, stop=2)
    before = {name: weight.detach().clone() for name, weight in trainer.parameters.items()}
    monkeypatch.setattr(module, "loss", spoiled)
    kept = (tmp_path / "c.safetensors").read_bytes()
    told = r"step 2 is not finite \(loss .*gradient nan\); lower the rate"
    with pytest.raises(AmrxError, match=told):
        run(trainer, tmp_path / "c.safetensors", tmp_path / "log.jsonl", lambda line: None)
    assert all(torch.equal(before[name], weight) for name, weight in trainer.parameters.items())
    assert (tmp_path / "c.safetensors").read_bytes() == kept

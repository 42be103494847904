"""The recipe causal on a tiny Llama."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import penman
import pytest
import torch

from amrx.cli import main
from amrx.errors import AmrxError, InputError, OptionError, OutputError
from amrx.pretrained.gguf import read_gguf
from amrx.training import Schedule, fit
from amrx.types import Sentence
from parser import load
from parser.training.writers import causal as corpora
from parser.training.writers import causal as module
from parser.training.writers.causal import CausalTask, Corpus, Recipe, read_sembanks, train, width_of
from parser.writers.causal import CausalParser, extend_base, load_base
from tests.support import tiny_causal as tiny
from tests.support.canonical import canonical_triples
from tests.support.checkpoints import assert_same_state, stopping_at
from tests.support.tiny_gguf import gemma3
from tests.support.tiny_seq2seq import GOLD


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make_base(tmp_path_factory.mktemp("llama") / "base")


@pytest.fixture(autouse=True)
def three_sentences(monkeypatch):
    monkeypatch.setattr(module, "read_sembanks", tiny.sembanks)


def made_of(base: Path) -> tuple[CausalParser, Corpus]:
    model, tokenizer = load_base(str(base))
    extend_base(tokenizer, model, [w for words in tiny.sembanks() for w in words[1]], str(base))
    parser = CausalParser(model, tokenizer, "tiny")
    return parser, Corpus(tiny.sembanks(), parser, 96)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_killed_run_ends_with_the_weights_and_the_log_of_an_unbroken_one(
    base, tmp_path, monkeypatch, precision, full_disk
):
    recipe = tiny.recipe(base, precision=precision)
    train(tmp_path, tmp_path / "whole", recipe, device="cpu")
    for stop in (1, 3, 5):
        with monkeypatch.context() as patch:
            patch.setattr(CausalTask, "backward", stopping_at(stop, CausalTask))
            with pytest.raises(KeyboardInterrupt):
                train(tmp_path, tmp_path / "part", recipe, device="cpu")
        assert not (tmp_path / "part" / "config.json").exists()
    with full_disk(), pytest.raises(OutputError, match="part: cannot be written: No space left"):
        train(tmp_path, tmp_path / "part", recipe, device="cpu")
    train(tmp_path, tmp_path / "part", recipe, device="cpu")
    name = "model.safetensors"
    assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert_same_state(tmp_path / "part" / "training", tmp_path / "whole" / "training")
    [line] = (tmp_path / "whole/training/log.jsonl").read_text().splitlines()
    assert json.loads(line)["step"] == 6
    with pytest.raises(OptionError, match="belongs to another recipe, model or data"):
        train(tmp_path, tmp_path / "whole", tiny.recipe(base, precision=precision, seed=1), device="cpu")


def test_a_run_that_the_time_limit_stops_goes_on(base, tmp_path):
    train(tmp_path, tmp_path / "whole", tiny.recipe(base), device="cpu")
    stopped = train(tmp_path, tmp_path / "part", tiny.recipe(base), device="cpu", time_limit=0.0)
    assert (stopped.steps, stopped.finished) == (1, False)
    assert not (tmp_path / "part" / "config.json").exists()
    assert train(tmp_path, tmp_path / "part", tiny.recipe(base), device="cpu").finished
    weights = [(tmp_path / run / "model.safetensors").read_bytes() for run in ("part", "whole")]
    assert weights[0] == weights[1]


def test_the_command_trains_a_parser_that_parses(base, tmp_path, capsys):
    out, keys = tmp_path / "out", {"base": base, "steps": 100, "batch": 300, "longest": 96, "warmup": 5}
    keys |= {"learning_rate": 8e-3, "compiled": "false", "precision": "fp32", "save_every": 100}
    run = ["train-parser", str(tmp_path), "-o", str(out), "--recipe", "causal", "--device", "cpu"]
    assert main([*run, *(f"--set={key}={value}" for key, value in keys.items())]) == 0
    told = capsys.readouterr().err
    assert "14 tokens of AMR added to the base" in told and "step 100 of 100: loss " in told
    losses = [json.loads(line)["loss"] for line in (out / "training/log.jsonl").read_text().splitlines()]
    assert len(losses) == 4 and losses[-1] < 0.1 < losses[0]
    parser = load(f"causal:{out}")
    sentences = [Sentence(str(number), text, "en") for number, text in enumerate(GOLD)]
    for parse, amr in zip(parser.parse(sentences, batch_size=2), GOLD.values(), strict=True):
        gold = penman.decode(amr)
        without = [triple for triple in gold.triples if triple[1] != ":wiki"]
        assert canonical_triples(parse.graph) == canonical_triples(penman.Graph(without, gold.top))
        assert parse.status == "ok" and parse.parser == parser.fingerprint
    # the state of the run is no part of the model
    (out / "training" / "checkpoint.safetensors").unlink()
    assert load(f"causal:{out}").fingerprint == parser.fingerprint


def test_the_loss_is_that_of_transformers_over_the_graphs_alone(base):
    parser, corpus = made_of(base)
    task = CausalTask(parser.model, corpus, tiny.recipe(base))
    total, count = 0.0, 0
    for source, target in corpus.pairs:
        ids = torch.tensor([[*source, *target]])
        labels = torch.tensor([[-100] * len(source) + target])
        total += float(parser.model(input_ids=ids, labels=labels).loss.detach()) * len(target)
        count += len(target)
    assert float(task.loss(np.arange(len(corpus.pairs))).detach()) == pytest.approx(total / count, rel=1e-5)


def test_an_update_is_adamw_on_the_clipped_gradient(base, tmp_path):
    parser, corpus = made_of(base)
    recipe = tiny.recipe(base, clip=0.01)
    task = CausalTask(parser.model, corpus, recipe)
    rows = next(task.batches(0))
    before = {name: p.detach().clone() for name, p in parser.model.named_parameters()}
    loss = task.loss(rows)
    gradients = dict(zip(before, torch.autograd.grad(loss, list(parser.model.parameters())), strict=True))
    norm = sum(float(g.double().square().sum()) for g in gradients.values()) ** 0.5
    fit(task, Schedule(1, clip=recipe.clip), tmp_path, "run")
    [line] = map(json.loads, (tmp_path / "log.jsonl").read_text().splitlines())
    assert line["loss"] == pytest.approx(float(loss.detach()), abs=1e-5)
    assert line["gradient"] == pytest.approx(norm, rel=1e-4)
    rate = recipe.rate(0)
    for name, p in parser.model.named_parameters():
        g = gradients[name].double() * min(1.0, recipe.clip / (norm + 1e-6))
        # the first step's moments, freed of their bias, are the gradient and its square
        wanted = before[name].double() * (1 - rate * recipe.weight_decay) - rate * g / (g.abs() + 1e-8)
        sure = g.abs() > 1e-7
        torch.testing.assert_close(p.detach().double()[sure], wanted[sure], rtol=1e-4, atol=1e-5)


def test_in_bfloat16_small_steps_are_not_lost(base, tmp_path):
    """Weights are kept in float32: a thousandth of a weight's last bit adds up."""
    parser, corpus = made_of(base)
    recipe = tiny.recipe(base, precision="bf16", learning_rate=1e-6, weight_decay=0.0, steps=100)
    task = CausalTask(parser.model, corpus, recipe)
    before = {name: p.clone() for name, p in task.weights.items()}
    fit(task, Schedule(3), tmp_path, "run")
    assert all(p.dtype == torch.bfloat16 for p in parser.model.parameters())
    assert all(not torch.equal(before[name], p) for name, p in task.weights.items())
    for name, p in parser.model.named_parameters():
        assert torch.equal(p, task.weights[name].to(torch.bfloat16))


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_gradient_that_is_not_finite_leaves_the_weights_as_they_were(base, tmp_path, precision):
    class Breaks(CausalTask):
        def learn(self, batch):
            loss = super().learn(batch)
            next(iter(self.weights.values())).grad[0] = torch.inf
            return loss

    parser, corpus = made_of(base)
    task = Breaks(parser.model, corpus, tiny.recipe(base, precision=precision))
    before = {name: p.clone() for name, p in task.weights.items()}
    with pytest.raises(AmrxError, match="step 0 of causal parser is not finite .*gradient inf"):
        fit(task, Schedule(1), tmp_path, "run")
    assert all(torch.equal(before[name], p) for name, p in task.weights.items())


def test_batches_hold_pairs_of_one_width_as_often_as_their_weights_say(base):
    parser, corpus = made_of(base)
    corpus.weights = [1.5, 1.0, 0.0]
    seen = {0: 0, 1: 0, 2: 0}
    for epoch in range(200):
        for rows in corpus.epoch(7, epoch, 130):
            widths = {width_of(sum(map(len, corpus.pairs[row]))) for row in rows}
            assert len(widths) == 1 and len(rows) == 130 // widths.pop()
            for row in set(map(int, rows)):
                seen[row] += 1
    assert seen[2] == 0 and seen[1] == 200
    assert 200 <= seen[0] <= 400
    assert [a.tolist() for a in corpus.epoch(7, 3, 130)] == [a.tolist() for a in corpus.epoch(7, 3, 130)]


def test_a_pair_too_long_is_left_out_and_said(base, caplog):
    parser, _ = made_of(base)
    with caplog.at_level("INFO", logger="parser"):
        corpus = Corpus(tiny.sembanks(), parser, 30)
    assert len(corpus.pairs) == 2 and "1 of more than 30 tokens left out" in caplog.text


def test_the_sembanks_are_the_english_ones_without_what_is_reserved(monkeypatch, tmp_path):
    from parser.training.corpora.sembanks import Entry

    def english(data, reserved):
        assert reserved == {"Reserved."}
        for name, (text, amr) in zip(("sts", "sick", "lpp"), GOLD.items(), strict=True):
            yield name, Entry(text, penman.decode(amr), {})

    monkeypatch.setattr(corpora, "english", english)
    monkeypatch.setattr(corpora, "load_reserved", lambda data: {"Reserved."})
    made = read_sembanks(tmp_path)
    assert [weight for *_, weight in made] == [1.0, 0.5, 2.0]
    assert [words for _, words, _ in made] == [words for _, words, _ in tiny.sembanks()]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"steps": 0}, "steps' must be at least 1, got 0"),
        ({"warmup": -1}, "warmup' must not be negative, got -1"),
        ({"batch": 100}, "batch' must be at least longest, 224, got 100"),
    ],
)
def test_a_recipe_that_cannot_be_run_is_said(keys, said):
    with pytest.raises(OptionError, match=said):
        Recipe(**keys)


def test_a_language_model_in_a_gguf_file_has_its_head(tmp_path):
    file = gemma3(tmp_path / "tiny.gguf")
    model, _ = read_gguf(file, head=True)
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight
    ids = torch.tensor([[3, 4, 5]])
    hidden = read_gguf(file)[0](ids).last_hidden_state
    torch.testing.assert_close(model(ids).logits, hidden @ model.get_output_embeddings().weight.T)


def test_what_cannot_be_begun_is_said(base, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be created"):
        train(tmp_path, tmp_path / "file", tiny.recipe(base), device="cpu")
    model, tokenizer = load_base(str(base))
    tokenizer.eos_token = None
    with pytest.raises(InputError, match="no end of text"):
        extend_base(tokenizer, model, [], str(base))

"""The recipe xamr on a tiny mBART-50 and a tiny BART, from the files that the commands write."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import penman
import pytest
import torch

from amrx.cli import main
from amrx.errors import OutputError
from amrx.records import read_graphs
from amrx.training import read_checkpoint
from amrx.types import Sentence
from parser import load
from parser.training.writers import seq2seq as module
from parser.training.writers.corpus import make_batches
from parser.training.writers.recipe import Recipe
from parser.training.writers.seq2seq import Seq2SeqTask, train
from tests.support import tiny_seq2seq as tiny
from tests.support.canonical import canonical_triples
from tests.support.checkpoints import assert_same_state, stopping_at
from tests.support.tiny_xamr import GERMAN, make_base, make_data, recipe


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("mbart") / "base")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return make_data(tmp_path / "data")


def log(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "training" / "log.jsonl").read_text().splitlines()]


def test_a_killed_run_ends_with_the_weights_and_the_log_of_an_unbroken_one(
    base, data, tmp_path, monkeypatch, full_disk
):
    train(data, tmp_path / "whole", recipe(base), device="cpu")
    for stop in (1, 3, 4, 5, 8):
        with monkeypatch.context() as patch:
            patch.setattr(Seq2SeqTask, "backward", stopping_at(stop, Seq2SeqTask))
            with pytest.raises(KeyboardInterrupt):
                train(data, tmp_path / "part", recipe(base), device="cpu")
        assert not (tmp_path / "part" / "config.json").exists()
    with full_disk(), pytest.raises(OutputError, match="part: cannot be written: No space left"):
        train(data, tmp_path / "part", recipe(base), device="cpu")
    train(data, tmp_path / "part", recipe(base), device="cpu")
    weights = [(tmp_path / run / "model.safetensors").read_bytes() for run in ("part", "whole")]
    assert weights[0] == weights[1]
    assert_same_state(tmp_path / "part" / "training", tmp_path / "whole" / "training")
    lines = log(tmp_path / "whole")
    moments = read_checkpoint(tmp_path / "whole/training/checkpoint.safetensors", torch.device("cpu")).moments
    assert {int(moment["step"]) for moment in moments.values()} == {5}  # the second phase begins anew
    assert [(line["step"], line["phase"]) for line in lines] == [(3, "teacher"), (6, "bank"), (9, "bank")]
    assert lines[0]["loss"] > lines[2]["loss"]
    assert 'precision = "bf16"' in (tmp_path / "whole" / "training" / "recipe.toml").read_text()


def test_a_run_that_the_time_limit_stops_goes_on(base, data, tmp_path):
    train(data, tmp_path / "whole", recipe(base), device="cpu")
    stopped = train(data, tmp_path / "part", recipe(base), device="cpu", time_limit=0.0)
    assert (stopped.steps, stopped.finished) == (1, False)
    assert not (tmp_path / "part" / "config.json").exists()
    assert train(data, tmp_path / "part", recipe(base), device="cpu").finished
    weights = [(tmp_path / run / "model.safetensors").read_bytes() for run in ("part", "whole")]
    assert weights[0] == weights[1]


def test_the_command_trains_a_parser_that_parses(base, data, tmp_path, capsys):
    out, keys = tmp_path / "out", {"distill_steps": 10, "tune_steps": 110, "evaluate_every": 120}
    keys |= {"dropout": 0.0, "batch": 400, "learning_rate": 6e-3, "least": 1, "warmup": 2, "longest": 90}
    config = tmp_path / "r.toml"
    config.write_text("".join(f"{key} = {value}\n" for key, value in keys.items()))
    run = ["train-parser", str(data), "-o", str(out), "--recipe", "xamr", "--config", str(config)]
    assert main([*run, "--set", f"base={base}", "--device", "cpu"]) == 0
    told = capsys.readouterr().err
    assert "teacher: 8 pairs; 2 graphs repaired, failed or blank\n" in told
    assert "bank: 6 pairs; 0 graphs" in told
    assert "1 sentences and graphs of more than 90 pieces left out" in told
    assert [path.name for path in out.iterdir() if path.is_dir()] == ["training"]
    parser = load(f"seq2seq:{out}")
    assert {":ARG0", ":ARG0-of", "want-01", "go-02", "<pointer:511>", "<lit>"} <= parser.pieces.whole.keys()
    sentences = [Sentence(name, text, "de") for name, text in GERMAN.items() if name != "4"]
    gold = list(read_graphs(data / "train.amr"))
    for parse, wanted in zip(parser.parse(sentences), gold, strict=True):
        without = [triple for triple in wanted.graph.triples if triple[1] != ":wiki"]
        assert canonical_triples(parse.graph) == canonical_triples(penman.Graph(without, wanted.graph.top))
        assert parse.status == "ok"
    # the state of the run is no part of the model
    (out / "training" / "checkpoint.safetensors").unlink()
    assert load(f"seq2seq:{out}").fingerprint == parser.fingerprint


def test_the_best_on_dev_is_what_is_written(base, data, tmp_path, monkeypatch):
    scores = iter([{"en": 10.0, "de": 30.0}, {"en": 50.0, "de": 2.0}, {"en": 20.0, "de": 20.0}])
    seen = []

    def score(dev, parser, batch_size):
        seen.append(parser.model.model.shared.weight.detach().clone())
        return next(scores)

    monkeypatch.setattr(module.Dev, "score", score)
    train(data, tmp_path / "out", recipe(base), device="cpu")
    assert [line["smatch"] for line in log(tmp_path / "out")] == [20.0, 26.0, 20.0]
    weights = load(f"seq2seq:{tmp_path / 'out'}").model.model.shared.weight
    assert [torch.equal(weights, other) for other in seen] == [False, True, False]
    assert [file.name for file in (tmp_path / "out/training").glob("best-*")] == ["best-6.safetensors"]


def test_new_rows_start_as_the_mean_of_what_they_say(base, data, tmp_path):
    untrained = load_base(base)
    train(
        data, tmp_path / "out", recipe(base, tune_steps=0, distill_steps=1, learning_rate=1e-12), device="cpu"
    )
    parser = load(f"seq2seq:{tmp_path / 'out'}")
    table, old = parser.model.model.shared.weight, untrained.model.shared.weight
    torch.testing.assert_close(table[: len(old)], old)
    for name, said in {":ARG0-of": "relation argument 0 inverse of", "go-02": "go 02"}.items():
        ids = parser.tokenizer(said, add_special_tokens=False)["input_ids"]
        known = [row for row in ids if row != parser.tokenizer.unk_token_id] or ids
        torch.testing.assert_close(table[parser.pieces.whole[name]], old[known].mean(dim=0))


def load_base(folder: Path):
    from transformers import MBartForConditionalGeneration

    return MBartForConditionalGeneration.from_pretrained(folder)


def test_the_loss_is_that_of_transformers(base, data, tmp_path, monkeypatch):
    seen = []
    learn = Seq2SeqTask.learn

    def watched(task, group):
        rows = [pair for batch in group for pair in batch]
        losses = []
        for sentence, graph in rows:
            labels = torch.tensor([[0, *task.corpus.targets[int(graph)], 2]])
            ids = torch.tensor([task.corpus.sources[int(sentence)]])
            with torch.no_grad():  # its own shift puts </s> before <s>
                losses.append((float(task.model.eval()(input_ids=ids, labels=labels).loss), labels.numel()))
        wanted = sum(loss * size for loss, size in losses) / sum(size for _, size in losses)
        seen.append((learn(task, group), wanted))
        return seen[-1][0]

    monkeypatch.setattr(Seq2SeqTask, "learn", watched)
    train(data, tmp_path / "out", recipe(base, dropout=0.0), device="cpu")
    assert len(seen) == 9
    for found, wanted in seen:
        assert found == pytest.approx(wanted, rel=1e-5)


def test_a_bart_learns_from_english_alone(data, tmp_path):
    tokenizer = tiny.bart_tokenizer(tmp_path / "text")
    made = tiny.tiny_model("bart", len(tokenizer), init_std=0.05, max_position_embeddings=128)
    base = tiny.save(tmp_path / "bart", made, tokenizer)
    alone = recipe(
        base, distill_steps=0, tune_steps=90, translated="", evaluate_every=90, batch=400, dropout=0.0
    )
    train(data, tmp_path / "out", alone, device="cpu")
    parser = load(f"seq2seq:{tmp_path / 'out'}")
    [parse] = parser.parse([Sentence("3", "Who goes?", "en")])
    assert parse.status == "ok"
    assert canonical_triples(parse.graph) == canonical_triples(penman.decode(tiny.GOLD["Who goes?"]))


def test_batches_hold_every_row_once_and_stay_within_their_room():
    lengths = np.random.default_rng(0).integers(3, 60, 500)
    sizes = np.stack([lengths, 2 * lengths], axis=1)
    made = make_batches(sizes, 2_000, [1, 0, 0])
    assert sorted(np.concatenate(made)) == list(range(500))
    assert all(len(batch) == 1 or len(batch) * sizes[batch].max(axis=0).sum() <= 2_000 for batch in made)
    assert len(made) < 1.3 * sizes.sum() / 2_000
    again = make_batches(sizes, 2_000, [1, 0, 1])
    assert [batch.tolist() for batch in again] != [batch.tolist() for batch in made]
    assert sorted(batch.tolist() for batch in make_batches(sizes, 5, [1])) == [[row] for row in range(500)]


def test_the_default_recipe_is_the_papers():
    paper = Recipe()
    assert (paper.learning_rate, paper.dropout) == (5e-5, 0.25)
    assert paper.base == "facebook/mbart-large-50-many-to-many-mmt"

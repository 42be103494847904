"""The recipe xamr on a tiny mBART-50 and a tiny BART, from the files that the commands write."""

from __future__ import annotations

import dataclasses
import json
import logging
from pathlib import Path

import numpy as np
import penman
import pytest
import torch

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.records import read_graphs
from amrx.types import Sentence
from linearize.canonical import canonical_triples
from parser import load
from parser.seq2seq import train as module
from parser.seq2seq.corpus import make_batches
from parser.seq2seq.recipe import Recipe
from parser.seq2seq.train import train
from parser.seq2seq.trainer import Trainer
from tests import tiny_seq2seq as tiny

GERMAN = {"1": "Der Junge will gehen.", "2": "Das girl will nicht.", "3": "Wer geht?", "4": "Ja."}
RECIPE = Recipe(
    base="base", distill_steps=4, tune_steps=5, learning_rate=5e-3, warmup=2, batch=120, accumulate=2,
    least=1, longest=90, evaluate_every=3, save_every=2, dropout=0.25,
)  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An mBART-50 that knows no AMR."""
    tokenizer = tiny.mbart_tokenizer()
    model = tiny.tiny_model("mbart", len(tokenizer), init_std=0.05, max_position_embeddings=128)
    return tiny.save(tmp_path_factory.mktemp("mbart") / "base", model, tokenizer)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A bank, a teacher's graphs of it and of one more sentence, German translations."""
    folder = tmp_path / "data"
    (folder / "translated" / "de").mkdir(parents=True)
    gold = [
        f"# ::id {number}\n# ::snt {text}\n{amr}\n" for number, (text, amr) in enumerate(tiny.GOLD.items(), 1)
    ]
    (folder / "train.amr").write_text("\n".join(gold))
    (folder / "dev.amr").write_text("\n".join(gold[::2]))
    known = [(text, "(g / go-02 :ARG0 (b / boy))", "ok") for text in [*tiny.GOLD, "The boy goes."]]
    rows = [*known, ("He goes.", "(t / thing)", "repaired"), ("", "(a / amr-empty)", "failed")]
    lines = [
        json.dumps({"id": str(number), "text": text, "lang": "en", "graph": amr, "status": status})
        for number, (text, amr, status) in enumerate(rows, 1)
    ]
    (folder / "teacher.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "translated" / "translate.json").write_text("{}")
    german = [{"id": name, "text": text, "lang": "de"} for name, text in GERMAN.items()]
    german += [
        {"id": "5", "text": "Er geht.", "lang": "de"},  # its graph was repaired
        {"id": "1", "text": "Der", "lang": "de", "flags": ["cut"]},
        {"id": "2", "text": " ", "lang": "de", "flags": ["empty"]},
        {"id": "3", "text": "Wer geht? " * 40, "lang": "de"},  # longer than the recipe's limit
    ]
    (folder / "translated" / "de" / "00000.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in german)
    )
    return folder


def recipe(base: Path, **changes) -> Recipe:
    return dataclasses.replace(RECIPE, base=str(base), **changes)


def log(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "training" / "log.jsonl").read_text().splitlines()]


def stopping_at(step):
    update = Trainer.update

    def stopping(trainer, group):
        if trainer.progress.step == step:
            raise KeyboardInterrupt
        return update(trainer, group)

    return stopping


def test_a_killed_run_ends_with_the_weights_and_the_log_of_an_unbroken_one(base, data, tmp_path, monkeypatch):
    train(data, tmp_path / "whole", recipe(base), device="cpu")
    for stop in (1, 3, 4, 5, 8):
        with monkeypatch.context() as patch:
            patch.setattr(Trainer, "update", stopping_at(stop))
            with pytest.raises(KeyboardInterrupt):
                train(data, tmp_path / "part", recipe(base), device="cpu")
        assert not (tmp_path / "part" / "config.json").exists()
    train(data, tmp_path / "part", recipe(base), device="cpu")
    for name in ("model.safetensors", "training/checkpoint.safetensors", "training/log.jsonl"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    lines = log(tmp_path / "whole")
    assert [(line["step"], line["phase"]) for line in lines] == [(3, "teacher"), (6, "bank"), (9, "bank")]
    assert lines[0]["loss"] > lines[2]["loss"]
    assert 'precision = "bf16"' in (tmp_path / "whole" / "training" / "recipe.toml").read_text()


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
    update = Trainer.update

    def watched(trainer, group):
        rows = [pair for batch in group for pair in batch]
        losses = []
        for sentence, graph in rows:
            labels = torch.tensor([[0, *trainer.corpus.targets[int(graph)], 2]])
            ids = torch.tensor([trainer.corpus.sources[int(sentence)]])
            with torch.no_grad():  # its own shift puts </s> before <s>
                losses.append(
                    (float(trainer.model.eval()(input_ids=ids, labels=labels).loss), labels.numel())
                )
        wanted = sum(loss * size for loss, size in losses) / sum(size for _, size in losses)
        seen.append((update(trainer, group), wanted))

    monkeypatch.setattr(Trainer, "update", watched)
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


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("train.amr", "# ::id 1\n# ::snt a\n(w / want-01\n", "data/train.amr:3: is no AMR graph"),
        ("train.amr", "# ::id 1\n# ::snt a\n(b / boy)\n\n# ::id 1\n# ::snt b\n(b / boy)\n",
         "data/train.amr: field 'id': sentence '1' stands twice"),
        ("dev.amr", "(b / boy\n", "data/dev.amr:1: is no AMR graph"),
        ("dev.amr", "# ::lang tlh\n(b / boy)\n", "dev.amr"),
        ("dev.amr", "# ::lang da\n(b / boy)\n", "data/dev.amr: holds 'da', which is no language of the base"),
        ("teacher.jsonl", '{"id": "1"}\n', "data/teacher.jsonl:1: field 'graph': None is no text"),
        ("teacher.jsonl", None, "data/teacher.jsonl: no such file or folder"),
        ("translated/de/00000.jsonl", '{"id": "1", "text": "a", "lang": "de"}\n{"text": "b"}\n',
         "00000.jsonl:2: field 'id': is missing"),
        ("translated/de/00000.jsonl", '{"id": 1}\n', "00000.jsonl:1: field 'id': 1 is no text"),
        ("translated/de/00000.jsonl", '{"id": "77", "text": "a", "lang": "de"}\n',
         "00000.jsonl:1: field 'id': no sentence '77' in"),
        ("translated/de/00000.jsonl", '{"id": "1", "text": "a", "lang": "da"}\n',
         "00000.jsonl:1: field 'lang': 'da' is no language of the base"),
        ("translated/de/00000.jsonl", '{"id": "1", "text": "a", "lang": "xyz"}\n',
         "00000.jsonl:1: field 'lang'"),
        ("translated/de/00000.jsonl", "{\n", "00000.jsonl:1: is no JSON"),
    ],
)  # fmt: skip
def test_faults_of_the_files_are_one_line(base, data, tmp_path, capsys, file, text, told):
    if text is None:
        (data / file).unlink()
    else:
        (data / file).write_text(text)
    run = [
        "train-parser",
        str(data),
        "-o",
        str(tmp_path / "out"),
        "--recipe",
        "xamr",
        "--set",
        f"base={base}",
    ]
    assert main(run) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert told in error
    assert not (tmp_path / "out" / "config.json").exists()


def test_a_run_of_another_recipe_is_not_gone_on_with(base, data, tmp_path, monkeypatch):
    monkeypatch.setattr(Trainer, "update", stopping_at(2))
    for seed, error in ((0, KeyboardInterrupt), (1, OptionError)):
        with pytest.raises(error, match="another recipe, base or data" if seed else None):
            train(data, tmp_path / "out", recipe(base, seed=seed), device="cpu")


def test_what_the_base_must_be(data, tmp_path, base):
    with pytest.raises(MissingResourceError, match="hf download no/where.*--set base=DIR"):
        train(data, tmp_path / "out", recipe(Path("no/where")))
    (tmp_path / "t5").mkdir()
    (tmp_path / "t5" / "config.json").write_text('{"model_type": "t5"}')
    with pytest.raises(InputError, match="'t5' is no BART or mBART-50"):
        train(data, tmp_path / "out", recipe(tmp_path / "t5"))
    with pytest.raises(InputError, match="holds no sentence to learn from"):
        train(data, tmp_path / "out", recipe(base, longest=3), device="cpu")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"batch": 0}, "batch is 0; it must be above 0"),
        ({"warmup": -1}, "warmup is -1; it cannot be negative"),
        ({"dropout": 1.0}, "a probability below 1"),
        ({"distill_steps": 0, "tune_steps": 0}, "nothing would be trained"),
        ({"drop": ("blank",)}, "no flag 'blank'; there are: empty, another-language, cut"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_told(change, told):
    with pytest.raises(OptionError, match=told):
        dataclasses.replace(RECIPE, **change)


def test_the_default_recipe_is_the_papers():
    paper = Recipe()
    assert (paper.learning_rate, paper.dropout) == (5e-5, 0.25)
    assert paper.base == "facebook/mbart-large-50-many-to-many-mmt"
    assert logging.getLogger("parser").level == logging.NOTSET

"""What the proof of the trainers reads and tells: which sentences go where, means over seeds, loss curves."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from parser.training.corpora.parallel import Pair

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):
    """Import a module of the folder of scripts."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    known = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - known:
        if name.startswith(("proof_", "prove_")):
            del sys.modules[name]


def test_no_two_texts_are_translations_and_none_of_a_known_language_is_in_a_pair(script):
    inputs = script("proof_inputs")
    english = [f"Sentence number {number}." for number in range(600)]
    langs = ("de", "fr", "it", "fi")  # the last two have no parallel data
    pairs = {lang: [Pair(text, f"{lang}: {text}", lang, "any") for text in english] for lang in langs}
    pairs["fi"] = pairs["fi"][:40]
    complete = pairs | {lang: [] for lang in (*inputs.SEEN, *inputs.UNSEEN) if lang not in pairs}
    texts = inputs._texts(complete)
    sources = [text.partition(": ")[2] or text for lang in texts for text in texts[lang]]
    assert len(sources) == len(set(sources)) and set(texts) == {"en", *complete}
    assert len(texts["fi"]) == 40 and texts["it"] and texts["de"]  # the poorest language chose first
    kept = {text for text in english if not inputs._given(text)}  # what pairs are made of
    for lang in ("de", "fr", "en"):
        assert not kept & {text.partition(": ")[2] or text for text in texts[lang]}
    assert 300 < len(kept) < 500


def test_cells_are_means_over_seeds_with_their_deviation(script):
    report = script("proof_report")
    values = {("de", 0): 10, ("de", 1): 14, ("it", 0): 1, ("it", 1): 3}
    rows = [
        {"encoder": "a", "task": "tatoeba", "metric": "accuracy xx→en", "language": lang, "seed": seed,
         "value": value, "steps": 7, "n": 1000}
        for (lang, seed), value in values.items()
    ]  # fmt: skip
    line = report.tables(rows).splitlines()[-1]
    assert line == "| a | 2 | 12.0 ± 2.8 | 2.0 ± 1.4 | 12.0 ± 2.8 | 2.0 ± 1.4 |"
    assert report.columns("sts17", ["en-en", "en-de"]) == {
        "within a language": ["en-en"],
        "between two": ["en-de"],
    }


def test_the_report_is_of_whole_runs_of_one_length(script, tmp_path: Path):
    report = script("proof_report")
    for name, steps in (("vmsst", 5), ("vmsst-contrastive", 5), ("contrastive", 9)):
        log = tmp_path / f"{name}-0-{steps}x4-0.003" / "training" / "pairs" / "log.jsonl"
        log.parent.mkdir(parents=True)
        lines = [{"step": step, "total": 1 / step, "rates": [1.0], "gradient": 2.0} for step in (1, 2)]
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        row = {"encoder": name, "task": "sts17", "metric": "spearman", "language": "en-en", "seed": 0}
        rows = [{**row, "value": 5.0, "steps": steps, "n": 250}]
        (log.parents[2] / "scores.json").write_text(json.dumps(rows))
    (tmp_path / "bitranslation-0-5x4-0.003").mkdir()  # not whole
    (tmp_path / "vmsst-0-5x4-0.003" / "held-out.json").write_text('{"accuracy": 61.25, "pairs": 200}')
    report.write_report(tmp_path, tmp_path / "out", 5, 4)
    rows = json.loads((tmp_path / "out" / "trainers.json").read_text())
    assert [row["encoder"] for row in rows] == ["vmsst", "vmsst-contrastive"]
    lines = (tmp_path / "out" / "trainers-losses.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [(line["method"], line["seed"], line["phase"], line["step"]) for line in told] == [
        ("vmsst", 0, "pairs", 1), ("vmsst", 0, "pairs", 2),
        ("vmsst-contrastive", 0, "pairs", 1), ("vmsst-contrastive", 0, "pairs", 2),
    ]  # fmt: skip
    assert (tmp_path / "out" / "trainers-losses.svg").read_text().count("vmsst") >= 2
    tables = (tmp_path / "out" / "trainers.md").read_text()
    assert "| vmsst | 1 | 5.0 |" in tables and "| vmsst | – | 61.2 |" in tables
    (rate,) = json.loads((tmp_path / "out" / "trainers-rates.json").read_text())
    assert rate == {"method": "vmsst", "rate": 0.003, "accuracy": 61.25, "pairs": 200}


def test_the_rate_is_that_of_the_first_seed_that_found_most(script, tmp_path: Path):
    runs = script("proof_runs")
    for rate, accuracy in zip(runs.RATES, (40.0, 41.5), strict=True):
        file = runs.Asked("vmsst", 0, 5, 4, tmp_path, rate).held_out
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"accuracy": accuracy, "pairs": 200}))
    asked = runs.Asked("vmsst", 2, 5, 4, tmp_path)
    assert runs.best_rate(asked) == runs.RATES[1]
    file.write_text(json.dumps({"accuracy": 40.0, "pairs": 200}))
    assert runs.best_rate(asked) == runs.RATES[0]
    with pytest.raises(FileNotFoundError):
        runs.best_rate(runs.Asked("contrastive", 0, 5, 4, tmp_path))


def test_what_is_held_out_is_in_no_pair_and_no_text(script, tmp_path: Path, monkeypatch):
    inputs = script("proof_inputs")
    english = [f"Sentence number {number}." for number in range(400)]

    def pairs(data, langs, reserved, sources):
        return [Pair(text, f"{langs[0]}: {text}", langs[0], "any") for text in english]

    monkeypatch.setattr(inputs, "load_reserved", lambda data: frozenset())
    monkeypatch.setattr(inputs, "training_pairs", pairs)
    (tmp_path / "nli" / "snli").mkdir(parents=True)
    (tmp_path / "nli" / "snli" / "train-20k.tsv").write_text("a\tb\tneutral\n")
    found = inputs.write_inputs(tmp_path, tmp_path / "input")
    held = [line.split("\t") for line in found.held_out["de"].read_text("utf-8").splitlines()]
    assert 5 < len(held) < 60 and all(foreign == f"de: {text}" for text, foreign in held)
    kept_out = {text for text, _ in held}
    for source in (*found.parallel, *found.text):
        lines = Path(source.partition(":")[2]).read_text("utf-8").splitlines()
        said = {line.split("\t")[0].partition(": ")[2] or line.split("\t")[0] for line in lines}
        assert not said & kept_out
        assert lines or "text" in source  # in a file of pairs there is something


@pytest.mark.parametrize(
    "method", ["contrastive", "vmsst", "vmsst-contrastive", "emma-x", "msimcse-english-nli"]
)
def test_all_methods_start_from_the_same_network(script, method: str, tmp_path: Path):
    runs = script("proof_runs")
    from retrofit.commands.train_base import read_recipe

    trainer, config = runs.TRAINERS[method]
    asked = runs.Asked(method, 1, 40, 8, tmp_path)
    recipe = read_recipe(trainer, config, runs.settings(asked))
    reference = read_recipe("emma-x", "small", runs.settings(runs.Asked("emma-x", 1, 40, 8, tmp_path)))
    assert recipe.backbone.scratch == reference.backbone.scratch and recipe.seed == 1
    assert recipe.backbone.pooling == "mean" and recipe.run == reference.run
    steps = recipe.pairs.steps if method == "emma-x" else recipe.steps
    assert steps == 40


def test_true_ranks_by_hand(script):
    """Two pairs, (0, 2) and (1, 3), and one sentence of the queue; an anchor does not meet itself."""
    ranks = script("prove_emma_x").true_ranks(4, 5, 4)
    assert ranks.tolist() == [[0, 4, 1, 4, 4], [4, 0, 4, 1, 4], [1, 4, 0, 4, 4], [4, 1, 4, 0, 4]]


def test_gains_are_less_the_control_of_the_same_seed(script):
    proof = script("prove_emma_x")
    rows = [
        {"encoder": name, "seed": seed, "rate": 1e-4, **dict.fromkeys(proof.GROUPS, value)}
        for name, values in (("phase 2", (5.0, 9.0, 1.0)), ("phase 1 on", (6.0, 8.0)))
        for seed, value in enumerate(values)
    ]
    rows += [{"tried": "phase 2", "seed": 0, "rate": rate, "held out": 10 * rate} for rate in proof.RATES]
    shares = {"translations": [100, 0, 0, 0], "unrelated": [10, 0, 0, 90]}
    rows += [{"labels": shares, "seed": 0}, {"labels": {**shares, "unrelated": [0, 0, 0, 100]}, "seed": 1}]
    text = proof.report(rows, "Small")
    assert "| phase 2 | 3 | 5.0 ± 4.0 |" in text and "| phase 2 | 2 | +0.0 ± 1.4 |" in text
    assert "| unrelated | 5.0 | 0.0 | 0.0 | 95.0 |" in text
    assert "| phase 2 | 0.0 | 0.0 | 0.0 |" in text and "no ranks" not in text


def test_rows_that_are_there_are_not_made_again(script, tmp_path: Path):
    proof = script("prove_emma_x")
    runs = object.__new__(proof.Runs)
    runs.out = tmp_path
    assert runs.kept("phase 2", lambda: {"value": 1}) == {"value": 1}
    assert runs.kept("phase 2", lambda: {"value": 2}) == {"value": 1}

"""Siamese fine-tuning (Emma-X, Table 1): losses, published files, learning, resuming, rows of the paper."""

import dataclasses
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError
from amrx.evaluation.tasks.scored_pairs import Pair
from amrx.evaluation.tasks.task import published_of
from amrx.recipes import load_config
from retrofit.bases import load_base
from retrofit.training.bases.backbone import tokenize
from retrofit.training.fine_tune import pairs, siamese
from retrofit.training.fine_tune.siamese import TASKS, Recipe
from tests.support.tiny_models import sentence_model, xlmr

TEXTS = ["the boy wants to go", "a girl", "the girl wants a boy", "a boy ."]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """A tiny encoder without dropout."""
    from sentence_transformers import SentenceTransformer

    folder = sentence_model(tmp_path_factory.mktemp("encoder"), labse=False)
    return SentenceTransformer(str(folder), device="cpu").eval()


def sides(encoder):
    """Two columns of two sentences, and their vectors in float64."""
    columns = [TEXTS[:2], TEXTS[2:]]
    vectors = [encoder.encode(column).astype(np.float64) for column in columns]
    return [tokenize(encoder, column) for column in columns], vectors


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_labels_are_the_softmax_of_u_v_and_their_distance(encoder) -> None:
    """Reimers and Gurevych 2019, section 3: o = softmax(W (u, v, |u - v|))."""
    features, (u, v) = sides(encoder)
    loss = siamese.build_loss("labels", encoder, Recipe())
    weight, bias = (array.detach().numpy().astype(np.float64) for array in loss.classifier.parameters())
    assert weight.shape == (3, 3 * u.shape[1])
    scores = np.concatenate([u, v, np.abs(u - v)], axis=1) @ weight.T + bias
    chosen = [2, 0]
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    wanted = -np.mean(logs[[0, 1], chosen])
    assert loss(features, torch.tensor(chosen)).item() == pytest.approx(wanted, rel=1e-4)


def test_scores_are_regressed_on_the_cosine(encoder) -> None:
    """Reimers and Gurevych 2019, section 3: mean squared error of the cosine."""
    features, (u, v) = sides(encoder)
    gold = np.array([0.9, 0.1])
    wanted = np.mean(((unit(u) * unit(v)).sum(axis=1) - gold) ** 2)
    loss = siamese.build_loss("scores", encoder, Recipe())
    assert loss(features, torch.tensor(gold, dtype=torch.float32)).item() == pytest.approx(wanted, rel=1e-4)


def test_ranking_is_the_softmax_of_the_scaled_cosines_in_the_batch(encoder) -> None:
    features, (u, v) = sides(encoder)
    scores = 7.0 * unit(u) @ unit(v).T
    wanted = -np.mean(np.diag(scores) - np.log(np.exp(scores).sum(axis=1)))
    loss = siamese.build_loss("ranking", encoder, Recipe(scale=7.0))
    assert loss(features, None).item() == pytest.approx(wanted, rel=1e-4)


def test_reciprocal_rank_by_hand() -> None:
    """Two questions share an answer, which is one row of the pool."""
    dev = (Pair("q1", "a", 1.0), Pair("q2", "b", 1.0), Pair("q3", "a", 1.0))
    known = {"q1": (1.0, 0.0), "q2": (1.0, 0.1), "q3": (0.0, 1.0), "a": (1.0, 0.0), "b": (0.6, 0.8)}
    score = siamese.reciprocal_rank(dev)
    ranks = [1, 2, 2]  # q2 is nearer to a, and q3 to b
    encode = lambda texts: np.array([known[text] for text in texts], dtype=np.float32)  # noqa: E731
    assert score(encode) == pytest.approx(100 * np.mean([1 / rank for rank in ranks]))


def test_correlation_is_the_mean_over_language_pairs() -> None:
    rows = {"a": [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)], "b": [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
    known = {f"{part}{n}": vector for part, vectors in rows.items() for n, vector in enumerate(vectors)}
    known["one"] = (1.0, 0.0)
    dev = {part: tuple(Pair("one", f"{part}{n}", 2.0 - n) for n in range(3)) for part in rows}
    encode = lambda texts: np.array([known[text] for text in texts], dtype=np.float32)  # noqa: E731
    cosines = {"a": [1, 0, 0.5**0.5], "b": [1, 0.5**0.5, 0]}
    wanted = 100 * np.mean([np.corrcoef(own, [2, 1, 0])[0, 1] for own in cosines.values()])
    assert siamese.correlation("pearson", dev)(encode) == pytest.approx(wanted, rel=1e-5)


def lines(path: Path, rows: list[dict]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def snli(data: Path, labels: list[str]) -> None:
    lines(
        data / "nli" / "snli" / "snli_1.0_train.jsonl",
        [
            {"gold_label": label, "sentence1": "the boy", "sentence2": f"a girl {n}"}
            for n, label in enumerate(labels)
        ],
    )


def test_snli_is_read_as_published(tmp_path: Path) -> None:
    snli(tmp_path, ["neutral", "-", "contradiction", "entailment"])
    assert [(pair.second, pair.score) for pair in pairs.nli(tmp_path)] == [
        ("a girl 0", 1), ("a girl 2", 2), ("a girl 3", 0),
    ]  # fmt: skip
    snli(tmp_path, ["neutral", "perhaps"])
    with pytest.raises(
        InputError, match="must be one of entailment, neutral, contradiction or -, got 'perhaps'"
    ):
        pairs.nli(tmp_path)
    with pytest.raises(MissingResourceError, match=r"snli_1\.0\.zip"):
        pairs.nli(tmp_path / "none")


def squad(data: Path, start: int) -> None:
    answer = {"text": "Bonn", "answer_start": start}
    paragraph = {
        "context": "Ann lives in Rome. Tom went to Bonn in May. It rained.",
        "qas": [{"id": "1", "question": "Where did Tom go?", "answers": [answer, {"answer_start": 0}]}],
    }
    path = data / "retrieval" / "squad" / "train-v1.1.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"data": [{"title": "t", "paragraphs": [paragraph]}]}), "utf-8")


def test_the_answer_of_a_question_is_its_sentence(tmp_path: Path) -> None:
    squad(tmp_path, 31)
    (pair,) = pairs.squad(tmp_path, "train")
    assert pair[:2] == ("Where did Tom go?", "Tom went to Bonn in May.")
    squad(tmp_path, 99)
    with pytest.raises(InputError, match="must lie within the 54 letters, got 99"):
        pairs.squad(tmp_path, "train")


def test_mentions_of_wikipedia_have_the_form_of_the_test(tmp_path: Path) -> None:
    text, description = "Short. The raven flew.", "A bird. It is black."
    mention = {"entity_id": "Q1", "mention_span": {"start": 11, "end": 16, "text": "raven"}}
    spans = [{"start": 0, "end": 6}, {"start": 7, "end": 22}]
    entity = {"description": description, "sentence_spans": [{"start": 0, "end": 7}, {"start": 8, "end": 20}]}
    row = {
        "contextual_mention": {"context": {"text": text, "sentence_spans": spans}, "mention": mention},
        "entity": {"entity_id": "Q1", **entity},
    }
    lines(tmp_path / "retrieval" / "mewsli-x" / "wikipedia_pairs-train.jsonl", [row])
    (pair,) = pairs.mentions(tmp_path, "train")
    assert pair[:2] == ("raven: The { raven } flew.", "A bird. It is black.")


def test_the_assessments_of_all_pairs_are_scaled_together(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(pairs, "PAIRS", ("en-de", "ro-en"))
    for pair, scores in (("en-de", (-2, 0)), ("ro-en", (2, 1))):
        folder = tmp_path / "qe" / pair
        folder.mkdir(parents=True)
        rows = "".join(f"a {n}\tb {n}\t{score}\n" for n, score in enumerate(scores))
        with gzip.open(folder / "train.tsv.gz", "wt") as stream:
            stream.write(rows)
        (folder / "dev.tsv").write_text(rows)
    (stage,) = TASKS["qe"].stages(tmp_path, Recipe())
    assert [pair.score for pair in stage.rows] == [0.0, 0.5, 1.0, 0.75]


def test_published_rows_stand_beside_the_papers_measures_alone() -> None:
    """Table 1; Mewsli-X was released anew after the paper, with other training data."""
    shown = {name: task.measured.shown[0] for name, task in TASKS.items()}
    values = {
        name: [list(dict(row.means).values()) for row in published_of(task.measured, shown[name])]
        for name, task in TASKS.items()
    }
    assert values == {
        "multi-sts": [[65.9], [82.2], [81.6], [87.3]], "qe": [[63.2], [64.1], [64.9], [67.2]],
        "lareqa": [[40.3], [44.9], [46.1], [50.6]], "mewsli-x": [],
    }  # fmt: skip
    multi_sts = TASKS["multi-sts"].measured
    scores = {track.language: float(n) for n, track in enumerate(multi_sts.tracks)}
    assert multi_sts.means(scores) == {"mean, all (10)": 4.5}


@pytest.fixture
def data(tmp_path: Path, monkeypatch) -> Path:
    """Multi-STS in one track of six pairs; pairs are alike if both or none have a girl."""
    task = TASKS["multi-sts"]
    track = dataclasses.replace(task.measured.tracks[1], count=6)
    missing = dataclasses.replace(task.measured.tracks[2], count=6)
    small = dataclasses.replace(task.measured, tracks=(track, missing))
    monkeypatch.setitem(TASKS, "multi-sts", dataclasses.replace(task, measured=small))
    rows = [
        (f"the {a}", f"a {b} .", 5 if a == b else 0)
        for a, b in (
            ("boy", "boy"),
            ("boy", "girl"),
            ("girl", "boy"),
            ("girl", "girl"),
            ("go", "boy"),
            ("go", "go"),
        )
    ]
    folder = tmp_path / "data" / "sts"
    (folder / "stsb" / "en").mkdir(parents=True)
    (folder / "sts17").mkdir()
    for split in ("train", "dev"):
        text = "".join(f"{first},{second},{score}\n" for first, second, score in rows)
        (folder / "stsb" / "en" / f"{split}.csv").write_text(text)
    (folder / "sts17" / "en-en.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    snli(tmp_path / "data", ["entailment", "contradiction", "neutral"] * 4)
    return tmp_path / "data"


SETTINGS = ("epochs=30", "batch=4", "max_tokens=16", "evaluate_every=10", "log_every=5", "peak=5e-3")


def command(data: Path, model: Path, out: Path, *more: str) -> list[str]:
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    given = ["--model", str(model), "--data", str(data), "-o", str(out), "--device", "cpu"]
    return ["fine-tune", "multi-sts", *given, *settings, *more]


def test_the_command_learns_writes_a_base_and_resumes(tmp_path, data, monkeypatch, capsys) -> None:
    model, out = xlmr(tmp_path / "xlmr"), tmp_path / "out"
    assert main(command(data, model, out)) == 0
    rows = {row["metric"]: row for row in json.loads((out / "results.json").read_text())}
    assert set(rows) == {"spearman", "pearson"} and rows["spearman"]["value"] > 80
    shown = capsys.readouterr()
    assert "multi-sts-fine-tuned" in shown.out and "a Siamese network trained on SNLI" in shown.out
    assert "(1 of 2)" in shown.out and "multi-sts-fine-tuned es-es skipped: no " in shown.err
    assert "es-es skipped" in (out / "results.json.notes.txt").read_text()
    vectors = load_base(str(out)).encode(["the boy", "a boy .", "a girl ."], lang="en")
    near, far = (vectors[0] @ vectors[row] / np.linalg.norm(vectors[row]) for row in (1, 2))
    assert near > far
    logs = {
        stage: [
            json.loads(line)["step"]
            for line in (out / "training" / stage / "log.jsonl").read_text().splitlines()
        ]
        for stage in ("nli", "sts")
    }
    assert (logs["nli"][-1], logs["sts"][-1]) == (12 // 4, 30 * 6 // 4)

    killed, whole = tmp_path / "killed", siamese.fit

    def kill(task, *given, **more):
        if task.name == "nli":
            return whole(task, *given, **more)
        whole(task, *given, **{**more, "stop": 20})
        raise KeyboardInterrupt

    monkeypatch.setattr(siamese, "fit", kill)
    assert main(command(data, model, killed)) == 130
    monkeypatch.setattr(siamese, "fit", whole)
    assert main(command(data, model, killed)) == 0
    weights = [(folder / "model.safetensors").read_bytes() for folder in (out, killed)]
    assert weights[0] == weights[1]
    capsys.readouterr()
    for change, told in (
        ("batch=8", "another recipe"),
        ("batch=1", "at least 2"),
        ("warmup=1", "must lie in 0..1"),
    ):
        assert main([*command(data, model, killed), "--set", change]) == 2
        assert told in capsys.readouterr().err
    assert main([*command(data, model, killed), "--english"]) == 2
    (data / "sts" / "sts17" / "en-en.tsv").unlink()
    assert main(command(data, model, tmp_path / "none")) == 2
    assert "en-en.tsv" in capsys.readouterr().err and not (tmp_path / "none").exists()


def test_recipes_are_those_of_the_baselines() -> None:
    found = {file.stem: load_config(Recipe, file) for file in sorted(siamese.RECIPES.glob("*.toml"))}
    assert set(found) == set(TASKS)
    assert (found["multi-sts"].epochs, found["multi-sts"].batch, found["multi-sts"].peak) == (4, 16, 2e-5)
    assert found["multi-sts"].rate(1000).warmup == 100  # Reimers and Gurevych 2019: over 10 % of the steps
    assert (found["lareqa"].epochs, found["lareqa"].max_tokens) == (3, 256)  # XTREME-R
    assert (found["mewsli-x"].epochs, found["mewsli-x"].max_tokens) == (2, 64)

"""Fine-tuning with a new head (Emma-X, Table 1): published files, learning, resuming, rows of the paper."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import MissingResourceError
from amrx.evaluation.report.tables import table
from amrx.evaluation.tasks.task import published_of
from amrx.evaluation.tasks.transfer.classifier import MAE
from amrx.evaluation.tasks.transfer.eurlex import F1, TOP_1, Law
from retrofit.training.fine_tune import heads
from retrofit.training.fine_tune.heads import TASKS, Recipe, read_part
from tests.support import eurlex_files
from tests.support.tiny_models import xlmr

SETTINGS = [
    "epochs=3", "batch=8", "max_tokens=16", "evaluate_every=20", "log_every=10",
    "rate.peak=5e-3", "rate.warmup=5",
]  # fmt: skip
METRIC = "accuracy, fitted on train-XX"


def small(counts: tuple[int, int, int]) -> heads.HeadTask:
    """PAWS-X with fewer rows."""
    task = TASKS["pawsx"]
    (plan,) = task.plans
    parts = {
        part: dataclasses.replace(getattr(plan, part), count=count)
        for part, count in zip(("fit", "select", "measure"), counts, strict=True)
    }
    return dataclasses.replace(task, plans=(dataclasses.replace(plan, **parts),))


def rows(count: int) -> list[str]:
    """Pairs that are paraphrases if the second sentence has a girl."""
    return [
        f"the boy\t{'a girl' if n % 2 else 'a boy'} {'to go' if n % 3 else '.'}\t{n % 2}"
        for n in range(count)
    ]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "transfer" / "PAWSX"
    for code in TASKS["pawsx"].languages:
        (folder / code).mkdir(parents=True)
        published = [f"{n}\t{row}" for n, row in enumerate(rows(20), start=1)]
        name = "train" if code == "en" else "translated_train"
        header = "id\tsentence1\tsentence2\tlabel"
        (folder / code / f"{name}.tsv").write_text("".join(f"{row}\n" for row in [header, *published]))
        for split in ("dev", "test"):
            (folder / f"{split}-{code}.tsv").write_text("".join(f"{row}\n" for row in rows(6)))
    return tmp_path / "data"


def command(data: Path, model: Path, out: Path, *more: str) -> list[str]:
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    given = ["--model", str(model), "--data", str(data), "-o", str(out), "--device", "cpu"]
    return ["fine-tune", "pawsx", *given, *settings, *more]


def test_the_command_learns_writes_a_model_and_resumes(tmp_path, data, monkeypatch, capsys) -> None:
    monkeypatch.setitem(TASKS, "pawsx", small((20, 6, 6)))
    model, out = xlmr(tmp_path / "xlmr"), tmp_path / "out"
    assert main(command(data, model, out)) == 0
    found = json.loads((out / "results.json").read_text())
    assert {row["metric"] for row in found} == {METRIC} and len(found) == 7
    assert all(row["value"] == 100 and row["n"] == 6 for row in found)
    shown = capsys.readouterr()
    assert "Emma-X" in shown.out and "94.20" in shown.out and "the whole model and a new head" in shown.out
    steps = [json.loads(line)["step"] for line in (out / "training" / "log.jsonl").read_text().splitlines()]
    assert steps[-1] == 3 * 140 // 8 + 1  # 20 rows of 7 languages, three times, the last batch not whole

    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    written = AutoModelForSequenceClassification.from_pretrained(out)
    read = AutoTokenizer.from_pretrained(out)
    pair = read(["the boy", "the boy"], ["a girl .", "a boy ."], padding=True, return_tensors="pt")
    assert written(**pair).logits.argmax(-1).tolist() == [1, 0]

    killed, whole = tmp_path / "killed", heads.fit
    monkeypatch.setattr(heads, "fit", lambda *given, **more: whole(*given, **{**more, "stop": 20}))
    assert main(command(data, model, killed)) == 0
    monkeypatch.setattr(heads, "fit", whole)
    assert main(command(data, model, killed)) == 0
    weights = [(folder / "model.safetensors").read_bytes() for folder in (out, killed)]
    assert weights[0] == weights[1]
    capsys.readouterr()
    for change, told in (("batch=4", "another recipe"), ("max_tokens=33", "'max_tokens' must be at most 32")):
        assert main([*command(data, model, killed), "--set", change]) == 2
        assert told in capsys.readouterr().err
    assert main(command(data, model, killed, "--english")) == 2
    assert main(command(data, model, killed, "--english", "--fresh")) == 0
    assert "mSimCSE" in capsys.readouterr().out
    log = (killed / "training" / "log.jsonl").read_text().splitlines()
    assert json.loads(log[-1])["step"] == 3 * 20 // 8 + 1  # the English rows alone


def test_a_sample_of_the_training_rows_has_no_row_of_the_paper_beside_it(data: Path) -> None:
    part = read_part(small((30, 6, 6)), data)
    assert part.plan.metric("accuracy") == "accuracy, fitted on a sample of train-XX"
    assert not published_of(part.task, part.plan.metric("accuracy"))
    assert len(published_of(part.task, METRIC)) == 4


def test_english_alone_is_transfer_as_in_table_5_of_msimcse(data: Path) -> None:
    part = read_part(heads.in_english(small((20, 6, 6))), data)
    assert len(part.fit) == 20 and part.plan.metric("accuracy") == "accuracy" and len(part.languages) == 7
    values = {row.encoder: dict(row.means)["mean, all"] for row in published_of(part.task, "accuracy")}
    assert (values["XLM-R"], values["mSimCSE en"], values["mSimCSE en, English NLI"]) == (86.4, 88.1, 88.2)
    assert not published_of(heads.in_english(TASKS["xnli"]), "accuracy")


def test_english_alone_takes_the_files_that_its_error_names(data: Path) -> None:
    task = heads.in_english(small((20, 6, 6)))
    usual = data / "transfer" / "PAWSX" / "train-en.tsv"
    published = data / "transfer" / "PAWSX" / "en" / "train.tsv"
    rows = published.read_text("utf-8").splitlines()[1:]
    usual.write_text("".join(row.split("\t", 1)[1] + "\n" for row in rows), "utf-8")
    published.unlink()
    assert len(read_part(task, data).fit) == 20
    usual.unlink()
    with pytest.raises(MissingResourceError, match=r"PAWSX/train-en\.tsv.*train-en"):
        read_part(task, data)


def test_the_training_rows_of_xnli_in_other_languages_have_their_source() -> None:
    assert "XNLI-MT-1.0.zip, its multinli/multinli.train.XX.tsv as" in TASKS["xnli"].fetch
    assert TASKS["xnli"].plans[0].fit.published == "transfer/XNLI/multinli.train.{}.tsv"


def test_a_missing_translation_is_named(data: Path) -> None:
    (data / "transfer" / "PAWSX" / "ko" / "translated_train.tsv").unlink()
    with pytest.raises(MissingResourceError, match="ko/translated_train.tsv"):
        read_part(small((20, 6, 6)), data)


def test_the_training_rows_are_the_papers() -> None:
    """Appendix C: all languages; AmericasNLI has English and Spanish ones, and is never a sample of those."""
    plans = {name: task.plans[0] for name, task in TASKS.items() if isinstance(task, heads.HeadTask)}
    assert plans["xnli"].fit_in == TASKS["xnli"].languages and len(plans["xnli"].fit_in) == 15
    assert plans["anli"].fit_in == ("en", "es") and plans["anli"].fitted_on == "train-en and train-es"
    assert plans["xcopa"].fit_in == ("en", "siqa") and not TASKS["xcopa"].published
    files = [plans["pawsx"].fit.path(code) for code in ("en", "zh")]
    assert files == ["transfer/PAWSX/en/train.tsv", "transfer/PAWSX/zh/translated_train.tsv"]
    (xlmr_row, *_, emma_x) = published_of(TASKS["marc"], "MAE x 100, lower is better, fitted on train-XX")
    assert dict(xlmr_row.means) == {"mean, all": 44.9} and dict(emma_x.means) == {"mean, all": 32.7}


class Fixed(heads.ClassTuning):
    """Logits that say 4 stars of every review."""

    def __init__(self, part) -> None:
        layer = torch.nn.Linear(1, 1)
        super().__init__(layer, None, part, Recipe(batch=2, epochs=2))

    def predict(self, items) -> np.ndarray:
        return np.eye(5)[[3] * len(items)]


def test_mean_absolute_error_and_epochs_by_hand(tmp_path: Path) -> None:
    marc = TASKS["marc"]
    (plan,) = marc.plans
    folder = tmp_path / "transfer" / "MARC"
    folder.mkdir(parents=True)
    for code in marc.languages:
        for split in ("train", "dev", "test"):
            lines = [json.dumps({"review_body": f"{code} {n}", "stars": str(n)}) for n in (1, 2, 3, 4, 5)]
            (folder / f"dataset_{code}_{split}.json").write_text("\n".join(lines) + "\n")
    parts = {part: dataclasses.replace(getattr(plan, part), count=5) for part in ("fit", "select", "measure")}
    part = read_part(dataclasses.replace(marc, plans=(dataclasses.replace(plan, **parts),)), tmp_path)
    task = Fixed(part)
    found = {row.row.metric: row.row.value for row in task.test("x") if row.row.language == "ja"}
    assert found == {  # 3, 2, 1, 0 and 1 stars off
        METRIC: pytest.approx(20), f"{MAE.name}, fitted on train-XX": pytest.approx(140)
    }  # fmt: skip
    assert task.steps == 30
    for epoch in range(2):
        drawn = [item for step in range(15 * epoch, 15 * epoch + 15) for item in task.rows(step)]
        assert sorted(map(repr, drawn)) == sorted(map(repr, part.fit))
    assert task.rows(0) != task.rows(15)
    assert table(part.task, [row.row for row in task.test("x")], METRIC, width=500).row_count == 1


def test_topics_of_laws_are_learnt_from_all_languages(tmp_path: Path, monkeypatch, capsys) -> None:
    """MultiEURLEX: several topics per law; translate-train-all reads the training laws of every language."""
    marks = dict(zip(eurlex_files.TOPICS, ("a", "girl", "go"), strict=True))

    def law(n: int) -> dict:
        row = eurlex_files.law(n)
        words = " ".join(marks[topic] for topic in row["eurovoc_concepts"]["level_1"]) or "the"
        row["text"] = {"en": words, "de": f"{words} ." if n % 5 else None}
        return row

    for split, start, count in (("train", 0, 40), ("dev", 100, 12), ("test", 200, 20)):
        eurlex_files.write(tmp_path / "data", split, [law(start + n) for n in range(count)])
    task = dataclasses.replace(
        TASKS["multieurlex"], languages=("en", "de"), fitted_on=("en", "de"), counts=(40, 12, 20),
        topics=eurlex_files.TOPICS,
    )  # fmt: skip
    part = read_part(task, tmp_path / "data")
    assert [len(laws.texts) for laws in part.train] == [40, 32]
    monkeypatch.setitem(TASKS, "multieurlex", task)
    given = command(tmp_path / "data", xlmr(tmp_path / "xlmr"), tmp_path / "out")
    given += ["--set", "epochs=20", "--set", "rate.peak=2e-3"]
    given[1] = "multieurlex"
    assert main(given) == 0
    found = json.loads((tmp_path / "out" / "results.json").read_text())
    rows = {(row["language"], row["metric"]): row for row in found}
    assert set(rows) == {(code, metric) for code in ("en", "de") for metric in (F1, TOP_1)}
    assert rows["de", F1]["n"] == 16 and rows["en", F1]["value"] > 60
    assert rows["en", TOP_1]["value"] == 85  # 3 of the 20 laws have no topic
    assert "71.40" in capsys.readouterr().out
    assert main([*given, "--english"]) == 2
    assert (
        "--english works only with xnli, anli, pawsx, marc, xcopa; got task 'multieurlex'"
        in capsys.readouterr().err
    )


def test_the_loss_of_topics_is_binary_cross_entropy() -> None:
    logits = torch.tensor([[2.0, -1.0], [0.5, 0.0]])
    laws = [Law(("x",), np.array([True, False])), Law(("y",), np.array([False, True]))]
    task = heads.TopicTuning.__new__(heads.TopicTuning)
    task.module = torch.nn.Linear(1, 1)
    sigmoid = 1 / (1 + np.exp(-logits.numpy().astype(np.float64)))
    gold = np.array([[1, 0], [0, 1]])
    wanted = -np.mean(gold * np.log(sigmoid) + (1 - gold) * np.log(1 - sigmoid))
    assert float(task.loss(logits, laws)) == pytest.approx(wanted, rel=1e-6)

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.evaluation import TASKS, run, tasks_named
from amrx.evaluation.report.tables import notes, tables
from amrx.evaluation.run import load
from amrx.evaluation.tasks.task import Gathered
from amrx.evaluation.tasks.transfer.read import TsvReader
from amrx.evaluation.tasks.transfer.source import Plan, Source, Take
from amrx.evaluation.tasks.transfer.task import TransferTask
from amrx.evaluation.tasks.transfer.task_table import MARC, PAWSX, QAM, TRANSFER, XNLI, with_each_side

ODD = Take(block=1, of=2, parts=(1,))
EVEN = Take(block=1, of=2, parts=(0,))
SMALL = TransferTask(
    name="small",
    languages=("en", "de", "tr"),
    labels=("far", "near"),
    reader=TsvReader(("left", "right"), ("far", "near")),
    plans=(
        Plan("train-en", Source("train-{}.tsv", 20), Source("dev-{}.tsv", 24), Source("test-{}.tsv", 8)),
        Plan(
            "dev-en", Source("dev-{}.tsv", 24, EVEN), Source("dev-{}.tsv", 24, ODD), Source("test-{}.tsv", 8)
        ),
    ),
    classifier=XNLI.classifier,
    about="angles",
    fetch="https://example.org",
)

EACH = with_each_side(SMALL)


class Angles:
    """Texts are angles in degrees; Turkish ones point the other way. Remembers what it was given."""

    name, dimension, fingerprint = "angles", 2, "angles:0"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        self.seen += zip(sentences, lang, strict=True)
        angles = np.radians([float(text) for text in sentences])
        sign = np.where((np.array(lang) == "tr") & (angles != 0), -1, 1)
        return (np.stack([np.cos(angles), np.sin(angles)], axis=1) * sign[:, None]).astype(np.float32)


def write(data: Path, name: str, count: int) -> None:
    """Pairs of 0 and a small angle are near, those of 0 and a large one far; the two take turns by twos."""
    rows = [f"0\t{n % 5 + 1}\tnear" if n // 2 % 2 else f"0\t{170 + n % 5}\tfar" for n in range(count)]
    (data / name).write_text("".join(f"{row}\n" for row in rows), "utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for code in ("en", "de", "tr"):
        write(tmp_path, f"dev-{code}.tsv", 24)
        write(tmp_path, f"test-{code}.tsv", 8)
    return tmp_path


def test_without_the_english_training_file_every_row_says_what_was_fitted_on(data: Path) -> None:
    rows = run([Angles()], [SMALL], data)
    assert {row.metric for row in rows} == {"accuracy, fitted on dev-en", "dev accuracy, fitted on dev-en"}
    found = {row.language: (row.value, row.n) for row in rows if row.metric.startswith("accuracy")}
    assert found == {"en": (100, 8), "de": (100, 8), "tr": (0, 8)}
    selected = {row.language: (row.value, row.n) for row in rows if row.metric.startswith("dev")}
    assert selected == {"en": (100, 12), "de": (100, 12), "tr": (0, 12)}


def test_the_english_training_file_is_taken_where_it_is(data: Path) -> None:
    write(data, "train-en.tsv", 20)
    rows = run([Angles()], [SMALL], data)
    assert [row.metric for row in rows[:2]] == ["accuracy", "dev accuracy"]
    assert [row.n for row in rows[:2]] == [8, 24]


def test_everything_is_checked_before_anything_is_encoded(data: Path) -> None:
    encoder = Angles()
    (data / "test-tr.tsv").write_text("0\t1\tnear\n" * 7 + "0\t1\tneer\n", "utf-8")
    with pytest.raises(
        InputError, match=r"test-tr\.tsv:8: field 'label': must be one of far, near, got 'neer'"
    ):
        run([encoder], [SMALL], data)
    write(data, "test-tr.tsv", 7)
    with pytest.raises(InputError, match=r"test-tr\.tsv: must have 8 rows for small, got 7"):
        run([encoder], [SMALL], data)
    write(data, "test-tr.tsv", 8)
    (data / "dev-en.tsv").write_text("0\t1\tnear\n" * 24, "utf-8")
    with pytest.raises(InputError, match=r"dev-en\.tsv: field 'label': label 'far' is in no training row"):
        run([encoder], [SMALL], data)
    assert encoder.seen == []


def test_a_sample_of_a_training_file_is_told_in_the_metric(data: Path) -> None:
    plan = dataclasses.replace(SMALL.plans[0], fit=dataclasses.replace(SMALL.plans[0].fit, sample=True))
    task = dataclasses.replace(SMALL, plans=(plan,))
    write(data, "train-en.tsv", 20)
    assert {row.metric for row in run([Angles()], [task], data)} == {"accuracy", "dev accuracy"}
    write(data, "train-en.tsv", 8)
    rows = run([Angles()], [task], data)
    told = "accuracy, fitted on a sample of train-en"
    assert {row.metric for row in rows} == {told, f"dev {told}"} and told in task.shown
    with pytest.raises(InputError, match=r"train-en\.tsv: must have 20 rows for small, got 8"):
        run([Angles()], [SMALL], data)
    write(data, "train-en.tsv", 21)
    with pytest.raises(InputError, match=r"train-en\.tsv: must have 20 rows for small, got 21"):
        run([Angles()], [task], data)
    write(data, "train-en.tsv", 2)
    with pytest.raises(InputError, match="label 'near' is in no training row"):
        run([Angles()], [task], data)
    for published in (XNLI, PAWSX, MARC):
        assert published.plans[0].fit.sample and not published.plans[0].measure.sample


def test_features_are_held_once_and_gathered_block_by_block(data, monkeypatch):
    write(data, "train-en.tsv", 20)
    expected = run([Angles()], [SMALL], data)
    asked: list[int] = []
    rows = Gathered.rows

    def note(self: Gathered, index: int, some: slice) -> np.ndarray:
        found = rows(self, index, some)
        asked.append(len(found))
        return found

    monkeypatch.setattr(Gathered, "rows", note)
    monkeypatch.setattr(Gathered, "__getitem__", None)  # no column is gathered whole
    monkeypatch.setattr("amrx.evaluation.tasks.transfer.task.BLOCK", 7)
    assert run([Angles()], [SMALL], data) == expected
    assert max(asked) == 7 and {6, 3, 1} == {20 % 7, 24 % 7, 8 % 7} < set(asked)


def test_a_missing_language_is_skipped_and_the_means_say_so(data: Path) -> None:
    (data / "test-de.tsv").unlink()
    parts, skipped = load([SMALL], data)
    assert [str(found) for found in skipped] == [
        f"small de skipped: no {data / 'test-de.tsv'}; fetch https://example.org"
    ]
    assert [language.code for language in parts[0].languages] == ["en", "tr"]
    assert SMALL.means({"en": 100, "tr": 0}) == {"mean, seen (1 of 2)": 100, "mean, all (2 of 3)": 50}
    assert SMALL.means({"en": 3, "de": 1, "tr": 2}) == {"mean, seen (2)": 2, "mean, all (3)": 2}


def test_without_any_english_file_the_whole_task_is_skipped(data: Path) -> None:
    (data / "dev-en.tsv").unlink()
    assert [found.language for found in SMALL.load(data)[1]] == ["en", "de", "tr"]


def test_the_table_says_what_was_fitted_on(data: Path) -> None:
    [table] = tables(SMALL, run([Angles()], [SMALL], data))
    assert table.title == "small, accuracy, fitted on dev-en"
    [note] = notes(SMALL)
    assert "angles; scikit-learn" in note
    assert "fitted on train-en.tsv where that is in the data folder" in note


def test_both_protocols_are_tasks() -> None:
    assert "; SentEval's softmax" in tasks_named("xnli,xnli-senteval")[1].note
    names = [task.name for task in TRANSFER]
    assert names[:7] == ["xnli", "pawsx", "qam", "mldoc", "marc", "mldoc-mlearn", "marc-mlearn"]
    assert len(set(names)) == 19
    assert set(names) < {task.name for task in TASKS}


def test_a_classifier_that_sees_each_side_can_tell_which_is_which(data: Path) -> None:
    assert {task.name for task in TRANSFER if task.name.endswith("-uv")} == {"xnli-uv", "pawsx-uv", "qam-uv"}
    for file in data.iterdir():  # the sides of a label are those of the other one, exchanged
        count = len(file.read_text("utf-8").splitlines())
        rows = ("10\t80\tnear" if n // 2 % 2 else "80\t10\tfar" for n in range(count))
        file.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    found = run([Angles()], [dataclasses.replace(task, languages=("en",)) for task in (SMALL, EACH)], data)
    values = {row.task: row.value for row in found if row.metric.startswith("accuracy")}
    assert values == {"small": 50, "small-uv": 100}
    assert "regression on u, v, abs(u-v), u*v, C of" in EACH.note and EACH.published == ()


def test_real_files_load_and_hardly_a_text_is_on_two_sides(data_dir: Path) -> None:
    # English, and one other language: reading all of them takes seconds
    for task, code, sizes in (
        (XNLI, "ar", (1662, 828, 5010)),
        (PAWSX, "ko", (1500, 500, 2000)),
        (QAM, "fr", (6000, 2000, 2000)),
        (MARC, "ja", (3000, 1000, 1000)),
    ):
        parts, skipped = dataclasses.replace(task, languages=("en", code)).load(data_dir)
        assert skipped == []
        [part] = parts
        english, other = part.languages
        assert part.plan.fitted_on == "dev-en"
        assert other.code == code
        assert (len(part.fit), len(other.select), len(other.measure)) == sizes
        fitted = {item.texts for item in part.fit}
        # the published files repeat a few rows
        assert len(fitted & {item.texts for item in english.select}) < 5, task.name
        assert len(fitted & {item.texts for item in english.measure}) < 5, task.name
        shares = np.bincount([item.label for item in part.fit]) / len(part.fit)
        assert shares.min() > 0.8 / len(task.labels)

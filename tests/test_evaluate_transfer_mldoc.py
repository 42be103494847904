"""MLDoc's official files, and classifiers that learn from all languages together."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.run import load
from amrx.evaluation.tasks.transfer.read import Item
from amrx.evaluation.tasks.transfer.task import TransferTask
from amrx.evaluation.tasks.transfer.task_table import MARC, MLDOC, TOPICS, in_every_language, read_mldoc


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_topic_then_document(tmp_path: Path) -> None:
    file = put(tmp_path / "german.dev", 'MCAT\tDer "Dax" stieg.\nCCAT\t企業\n')
    assert read_mldoc(file) == (Item(('Der "Dax" stieg.',), 3), Item(("企業",), 0))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Der Dax stieg.\tMCAT", r"german\.dev:2: field 'label': must be one of CCAT, ECAT"),
        ("MCAT", r"german\.dev:2: field 'document': row must have 2 columns, got 1"),
        ("MCAT\tDer\tDax", r"german\.dev:2: field 'document': row must have 2 columns, got 3"),
        ("MCAT\t ", r"german\.dev:2: field 'document': is empty"),
        (r"MCAT\tb'Der Dax f\xc3\xa4llt'".replace(r"\t", "\t"), r"german\.dev:2: .* of a bytes object"),
    ],
)
def test_wrong_rows_are_named(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_mldoc(put(tmp_path / "german.dev", f"CCAT\tgut\n{row}\n"))


class Signs:
    """A document is a number; its vector says which quarter of the circle it points to. German turns it."""

    name, dimension, fingerprint = "signs", 2, "signs:0"

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        self.seen |= set(zip(sentences, lang, strict=True))
        turn = np.array([180.0 if code == "de" else 0.0 for code in lang])
        angles = np.radians([45 + 90 * float(text) for text in sentences] + turn)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def small(task, sizes=(8, 4, 4)):
    """The task with files of a few rows."""
    plans = tuple(
        dataclasses.replace(
            plan,
            fit=dataclasses.replace(plan.fit, count=sizes[0]),
            select=dataclasses.replace(plan.select, count=sizes[1]),
            measure=dataclasses.replace(plan.measure, count=sizes[2]),
        )
        for plan in task.plans
    )
    return dataclasses.replace(task, plans=plans)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """English and German; the topics are the quarters of a circle, in German the opposite ones."""
    for name in ("english", "german"):
        for part, count in (("train.1000", 8), ("dev", 4), ("test", 4)):
            rows = (f"{TOPICS[n % 4]}\t{n % 4}\n" for n in range(count))
            put(tmp_path / "transfer" / "MLDoc" / f"{name}.{part}", "".join(rows))
    return tmp_path


def accuracies(task, data: Path, metric: str) -> dict[str, float]:
    rows = run([Signs()], [task], data)
    return {row.language: row.value for row in rows if row.metric == metric}


def test_english_alone_misleads_where_another_language_turns_all_vectors(data: Path) -> None:
    assert accuracies(small(MLDOC), data, "accuracy") == {"en": 100, "de": 0}
    missing = {str(skipped) for skipped in load([small(MLDOC)], data)[1]}
    assert len(missing) == 6
    assert any("mldoc fr skipped: no" in text and "french.dev; fetch https://" in text for text in missing)


def fitted_in(task: TransferTask, *codes: str) -> TransferTask:
    plans = tuple(dataclasses.replace(plan, fit_in=codes) for plan in task.plans)
    return dataclasses.replace(task, plans=plans)


def test_all_languages_together_are_learnt_from(data: Path) -> None:
    task = fitted_in(small(in_every_language(MLDOC)), "en", "de")
    parts, skipped = load([task], data)
    assert [(fit.code, len(fit.items)) for fit in parts[0].fits] == [("en", 8), ("de", 8)]
    assert len(skipped) == 6
    # both languages have the same four vectors, each with two topics: no classifier gets more than half
    found = accuracies(task, data, "accuracy, fitted on train-XX together")
    assert set(found) == {"en", "de"}
    assert sum(found.values()) <= 100
    assert "fitted on transfer/MLDoc/XX.train.1000" in task.note
    assert task.published == ()


def test_a_part_of_the_languages_is_not_learnt_from(data: Path) -> None:
    task = fitted_in(small(in_every_language(MLDOC)), "en", "de")
    (data / "transfer" / "MLDoc" / "german.train.1000").unlink()
    parts, skipped = task.load(data)
    assert not parts
    assert {(found.language, found.file.name) for found in skipped} == {
        (code, "german.train.1000") for code in task.languages
    }


def test_marc_falls_back_to_the_dev_files_of_all_languages(data_dir: Path) -> None:
    task = fitted_in(dataclasses.replace(in_every_language(MARC), languages=("en", "ja")), "en", "ja")
    [part] = task.load(data_dir)[0]
    assert part.plan.fitted_on == "dev-XX together"
    assert [(fit.code, len(fit.items)) for fit in part.fits] == [("en", 3000), ("ja", 3000)]

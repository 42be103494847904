"""amrx.evaluation.tasks.probes: vectors that tell the language, and vectors that cannot."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.evaluation import run, tasks_named
from amrx.evaluation.run import load, score_items
from amrx.evaluation.tasks.probes import GUESSED, LANGUAGE_ID, TABLE_7
from amrx.evaluation.tasks.transfer.source import Source, Take

SMALL = dataclasses.replace(
    LANGUAGE_ID,
    languages=("de", "fr", "tr"),
    fit=Source("dev.{}", 12, Take(block=1, of=2, parts=(0,))),
    measure=Source("devtest.{}", 6),
)


class Numbers:
    """The vector is the number's; with ``telling`` above 0 it has the language beside it."""

    name, dimension, fingerprint = "numbers", 5, "numbers:0"

    def __init__(self, telling: float) -> None:
        self.telling = telling
        self.seen: list[str] = []

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        self.seen += sentences
        rows = [
            [np.cos(float(text)), np.sin(float(text))]
            + [self.telling * (code == c) for c in ("de", "fr", "tr")]
            for text, code in zip(sentences, lang, strict=True)
        ]
        return np.array(rows, dtype=np.float32)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for code in ("de", "fr", "tr"):
        (tmp_path / f"dev.{code}").write_text("".join(f"{n}\n" for n in range(12)), "utf-8")
        (tmp_path / f"devtest.{code}").write_text("".join(f"{n + 0.5}\n" for n in range(6)), "utf-8")
    return tmp_path


def test_a_language_that_stands_in_the_vector_is_found(data: Path) -> None:
    encoder = Numbers(3.0)
    found = score_items([encoder], load([SMALL], data)[0])
    assert [(one.row.language, one.row.metric, one.row.value, one.row.n) for one in found] == [
        (code, GUESSED, 100, 6) for code in ("de", "fr", "tr")
    ]
    assert found[0].items is not None and found[0].items.tolist() == [1] * 6
    assert "0" in encoder.seen and "1" not in encoder.seen  # every second line of dev


def test_equal_vectors_of_three_languages_are_guessed_by_chance(data: Path) -> None:
    values = {row.language: row.value for row in run([Numbers(0.0)], [SMALL], data)}
    assert sum(values.values()) == pytest.approx(100)
    assert SMALL.means(values) == {"mean, all (3)": pytest.approx(100 / 3)}


def test_missing_and_malformed_files(data: Path) -> None:
    (data / "dev.fr").unlink()
    parts, skipped = load([SMALL], data)
    assert [sides.code for sides in parts[0].languages] == ["de", "tr"]
    assert [str(found) for found in skipped] == [
        f"langid fr skipped: no {data / 'dev.fr'}; fetch {LANGUAGE_ID.fetch}"
    ]
    alone = dataclasses.replace(SMALL, languages=("de", "fr"))
    assert alone.load(data)[0] == []
    assert [found.language for found in alone.load(data)[1]] == ["fr", "de"]
    (data / "devtest.tr").write_text("1\n\n3\n4\n5\n6\n", "utf-8")
    encoder = Numbers(0.0)
    with pytest.raises(InputError, match=r"devtest\.tr:2: field 'sentence': is empty"):
        run([encoder], [SMALL], data)
    assert encoder.seen == []


def test_the_real_files_have_both_parts(data_dir: Path) -> None:
    assert tasks_named("langid") == (LANGUAGE_ID,)
    parts, skipped = dataclasses.replace(LANGUAGE_ID, languages=("de", "zh")).load(data_dir)
    assert not skipped
    assert [(len(sides.fit), len(sides.measure)) for sides in parts[0].languages] == [(200, 203)] * 2


def test_the_classifiers_of_table_7_read_the_hypotheses_of_xnli(data_dir: Path) -> None:
    first, second = TABLE_7
    assert tasks_named("langid-en-de-fr-hi, langid-en-tr-ar-bg") == TABLE_7
    parts, skipped = first.load(data_dir)
    assert (second.languages, skipped) == (("en", "tr", "ar", "bg"), [])
    english = parts[0].languages[0]
    rows = (data_dir / "transfer" / "XNLI" / "dev-en.tsv").read_text("utf-8").splitlines()
    assert list(english.fit) == [row.split("\t")[1] for row in rows]
    assert len(english.measure) == 5010
    short = dataclasses.replace(first, fit=dataclasses.replace(first.fit, count=3))
    with pytest.raises(InputError, match="must have 3 rows for langid-en-de-fr-hi, got 2490"):
        short.load(data_dir)
    columns = list(first.means(dict.fromkeys(first.languages, 50.0)))
    assert [known.in_columns(columns) for known in first.published] == [
        {columns[0]: 99.2},
        {columns[0]: 91.1},
    ]

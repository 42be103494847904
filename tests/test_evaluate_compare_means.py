"""amrx eval compare: the means of a task, and rows that are the same in both files."""

from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import OptionError
from amrx.evaluation.report.page_tables import compare_means
from amrx.evaluation.results.bootstrap import interval, resampled, value_of
from amrx.evaluation.results.compare import compare_files
from amrx.evaluation.results.rows import Row, Scored
from tests.support.scored_rows import write

GOLD = np.linspace(0, 5, 60)
TRACKS = ("ar-ar", "en-en", "es-es", "en-de")


def sts(encoder: str, noise: float, tracks: tuple[str, ...] = TRACKS) -> list[Scored]:
    drawn = np.random.default_rng(0).normal(size=(len(TRACKS), 60)) * noise
    items = {track: np.column_stack([GOLD + own, GOLD]) for track, own in zip(TRACKS, drawn, strict=True)}
    return [
        Scored(Row(encoder, "sts17", track, "pearson", value_of(items[track], "pearson"), 60), items[track])
        for track in tracks
    ]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    first = write(tmp_path / "a.json", *sts("muse", 3))
    return first, write(tmp_path / "b.json", *sts("muse", 3), *sts("new", 1))


def test_a_mean_is_drawn_as_the_mean_of_its_tracks(two: tuple[Path, Path]) -> None:
    found = {row.language: row for row in compare_means(*two)}
    assert set(found) == {"monolingual mean", "cross-lingual mean (1 of 7)"}
    before, after = sts("muse", 3)[:3], sts("new", 1)[:3]
    draws = [resampled(a.items, b.items, "pearson") for a, b in zip(before, after, strict=True)]
    difference = np.mean([b.row.value for b in after]) - np.mean([a.row.value for a in before])
    told = found["monolingual mean"]
    assert told.interval == pytest.approx(interval(float(difference), np.mean(draws, axis=0)))
    assert (told.first, told.second) == ("muse", "new")
    assert told.after - told.before == pytest.approx(difference)


def test_a_mean_over_other_tracks_is_not_compared(tmp_path: Path) -> None:
    first = write(tmp_path / "a.json", *sts("muse", 3))
    second = write(tmp_path / "b.json", *sts("new", 1, TRACKS[1:]))
    assert compare_means(first, second) == []
    assert len(compare_files(first, second).rows) == 3


def test_rows_that_are_the_same_are_left_out_and_counted(two, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    first, second = two
    found = compare_files(first, second)
    assert {row.second for row in found.rows} == {"new"}
    [line] = found.left_out
    assert line.startswith(f"not compared: 4 of the rows of {second}, equal to those of {first}: muse sts17 ")
    with pytest.raises(OptionError, match="have only equal rows to compare with 'muse'"):
        compare_files(first, write(first.with_name("c.json"), *sts("muse", 3)))
    assert main(["eval", "compare", str(first), str(second)]) == 0
    told = capsys.readouterr()
    assert told.out.index("monolingual mean") < told.out.index("ar-ar")
    assert line in told.err

from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import InputError, OptionError
from amrx.evaluation.metrics import MEAN_PEARSON, pearson
from amrx.evaluation.report.tables import write_json
from amrx.evaluation.results.bootstrap import paired_bootstrap, resampled, value_of
from amrx.evaluation.results.compare import compare_files
from amrx.evaluation.results.items import items_path, read_items, read_rows
from tests.support.scored_rows import GOLD, hits, scored, two, write

__all__ = ["two"]


def test_items_come_back_as_they_were(two: tuple[Path, Path]) -> None:
    items = read_items(two[0])
    assert set(items) == {
        ("muse", "task", "de", "accuracy"),
        ("muse", "task", "fr", "accuracy"),
        ("muse", "task", "en-de", "pearson"),
        ("muse+amr", "task", "de", "accuracy"),
    }
    assert np.array_equal(items["muse", "task", "fr", "accuracy"], hits(100))
    assert np.array_equal(items["muse", "task", "en-de", "pearson"][:, 1], GOLD)
    assert [row.value for row in read_rows(two[1])][:3] == [70, 50.5, 12.5]


def test_the_interval_of_a_mean_is_that_of_its_standard_error() -> None:
    a, b = np.random.default_rng(3).permutation(hits(100, 400)), hits(220, 400)
    found = paired_bootstrap(a, b, "accuracy")
    error = 100 * np.std(b - a) / np.sqrt(400)
    assert found.difference == pytest.approx(30)
    assert found.low == pytest.approx(30 - 1.96 * error, abs=error / 4)
    assert found.high == pytest.approx(30 + 1.96 * error, abs=error / 4)
    assert found.significant
    assert found.p == pytest.approx(2 / 2001)  # no sample reaches 0


@pytest.mark.parametrize("metric", ["spearman", "pearson", "accuracy", "F1"])
@pytest.mark.parametrize("count", [5, 40])
def test_samples_are_those_of_a_plain_loop(metric: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values with ties, samples of one value among them; few numbers held, so that blocks are joined."""
    monkeypatch.setattr("amrx.evaluation.results.bootstrap._BLOCK", 130)
    generator = np.random.default_rng(count)
    a, b = generator.integers(0, 4, size=(2, count, 3 if metric == "F1" else 2)).astype(np.float64)
    if metric == "accuracy":
        a, b = a[:, 0] % 2, b[:, 0] % 2
    if metric == "F1":
        a += 1  # every item counts
    draws, expected = np.random.default_rng(5), []
    for _ in range(50):
        draw = draws.integers(0, count, size=count)
        expected.append(value_of(b[draw], metric) - value_of(a[draw], metric))
    found = resampled(a, b, metric, samples=50, seed=5)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert np.ptp(found) > 0


def test_items_that_count_for_neither_change_nothing_of_f1() -> None:
    a, b = np.random.default_rng(2).integers(1, 3, size=(2, 30, 3)).astype(np.float64)
    wide_a, wide_b = (np.insert(items, [0, 7, 7, 30], 0, axis=0) for items in (a, b))
    assert np.array_equal(resampled(wide_a, wide_b, "F1"), resampled(a, b, "F1"))
    assert not resampled(0 * a, 0 * b, "F1", samples=5).any()
    assert value_of(0 * a, "F1") == 0


def test_equal_items_differ_by_nothing_and_twins_pair() -> None:
    a = hits(100)
    assert paired_bootstrap(a, a, "accuracy") == (0, 0, 0, 1)
    # better on ten items, worse on none: unpaired intervals of 50 % and 55 % on 200 items would overlap
    assert paired_bootstrap(a, hits(110), "accuracy").significant
    assert not paired_bootstrap(a, hits(101), "accuracy").significant


def test_correlations_are_computed_anew_in_every_sample() -> None:
    noise = np.random.default_rng(1).normal(size=60)
    a, b = np.column_stack([GOLD + noise, GOLD]), np.column_stack([-GOLD, GOLD])
    found = paired_bootstrap(a, b, "pearson", samples=200)
    assert found.difference == pytest.approx(-100 - pearson(a[:, 0], GOLD))
    assert found.low < found.difference < found.high < 0
    assert paired_bootstrap(a, b, "pearson", samples=200) == found
    assert paired_bootstrap(a, b, "pearson", samples=200, seed=2) != found


def test_a_mean_over_files_draws_from_each_apart() -> None:
    generator = np.random.default_rng(3)
    files = np.repeat([0, 1, 0], [30, 8, 12])  # the third is another file than the first
    gold = generator.integers(0, 6, size=50)
    a, b = (np.column_stack([gold + noise * generator.normal(size=50), gold, files]) for noise in (3.0, 1.0))
    parts = [slice(0, 30), slice(30, 38), slice(38, 50)]
    expected = []
    for number, part in enumerate(parts):
        draws, count = np.random.default_rng(7 + number), part.stop - part.start
        values = []
        for _ in range(20):
            draw = draws.integers(0, count, size=count)
            one, other = (pearson(items[part][draw, 0], items[part][draw, 1]) for items in (a, b))
            values.append(other - one)
        expected.append(values)
    found = resampled(a, b, MEAN_PEARSON, samples=20, seed=7)
    np.testing.assert_allclose(found, np.mean(expected, axis=0), rtol=0, atol=1e-9)
    whole = paired_bootstrap(a, b, MEAN_PEARSON)
    assert whole.difference == pytest.approx(
        np.mean([pearson(b[p, 0], b[p, 1]) - pearson(a[p, 0], a[p, 1]) for p in parts])
    )
    assert whole.significant


def test_items_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="must have the same shape"):
        paired_bootstrap(hits(1, 5), hits(1, 6), "accuracy")


def test_two_files_are_compared_where_both_have_items(two: tuple[Path, Path]) -> None:
    found = {row.language: row for row in compare_files(*two).rows}
    assert set(found) == {"de", "fr", "en-de"}
    assert {(row.first, row.second) for row in found.values()} == {("muse", "new")}
    assert (found["de"].before, found["de"].after, found["de"].interval.significant) == (50, 70, True)
    assert not found["fr"].interval.significant
    assert found["en-de"].interval.significant
    [other] = compare_files(*two, encoder="muse+amr").rows
    assert (other.language, other.before) == ("de", 51)
    [within] = compare_files(two[0], two[0]).rows
    assert (within.second, within.interval.difference) == ("muse+amr", 1)


def test_other_items_gold_or_names_are_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    shorter = write(tmp_path / "c.json", scored("new", "de", hits(90, 199)))
    with pytest.raises(
        InputError, match=r"c\.json\.items\.npz: new task de accuracy: must have 200 items, got 199"
    ):
        compare_files(two[0], shorter)
    turned = np.column_stack([GOLD, GOLD[::-1]])
    other = write(tmp_path / "d.json", scored("new", "en-de", turned, "pearson"))
    with pytest.raises(InputError, match="its gold scores differ"):
        compare_files(two[0], other)
    with pytest.raises(OptionError, match="has no encoder 'muze'; it has muse, muse\\+amr"):
        compare_files(*two, encoder="muze")
    with pytest.raises(OptionError, match="no rows with items in common"):
        compare_files(two[0], write(tmp_path / "e.json", scored("new", "th", hits(3))))


def test_files_that_are_none_are_named(two: tuple[Path, Path], tmp_path: Path) -> None:
    alone = tmp_path / "alone.json"
    write_json(alone, read_rows(two[0]))
    with pytest.raises(InputError, match=r"alone\.json\.items\.npz: no such file; amrx eval --json"):
        compare_files(two[0], alone)
    items_path(alone).write_bytes(b"PK no archive")
    with pytest.raises(InputError, match=r"alone\.json\.items\.npz: is not a file of arrays"):
        compare_files(two[0], alone)


def test_the_command_prints_a_table(two, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    assert main(["eval", "compare", *map(str, two)]) == 0
    told = capsys.readouterr()
    lines = [" ".join(line.replace("│", " ").split()) for line in told.out.splitlines()]
    [line] = [line for line in lines if line.startswith("task de")]
    assert line.startswith("task de accuracy muse → new 50.00 70.00 +20.00* +")
    assert told.err.count("not compared: 1 of the rows of ") == 2
    assert main(["eval", "compare", str(two[0])]) == 2

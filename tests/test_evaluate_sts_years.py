"""amrx.evaluation.tasks.sts_2012_to_2016: five shared tasks in the two conventions."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from amrx.errors import InputError
from amrx.evaluation import run, tasks_named
from amrx.evaluation.metrics import MEAN_PEARSON
from amrx.evaluation.results.bootstrap import value_of
from amrx.evaluation.run import load, score_items
from amrx.evaluation.tasks.scored_pairs import Pair, read_with_scores
from amrx.evaluation.tasks.sts_2012_to_2016 import STS_YEARS, Year
from amrx.evaluation.tasks.summary_tables import VMSST
from tests.support.angles import Angles

SMALL = dataclasses.replace(
    STS_YEARS,
    years=(Year("sts13", "STS/STS13", (("a", 4), ("b.c", 3))), Year("sts15", "STS/STS15", (("a", 2),))),
)
ANGLES = {"a": [(0, 10), (0, 50), (5, 80), (3, 20)], "b.c": [(0, 90), (1, 60), (0, 5), (7, 9)]}
GOLD = {"a": ["4.8", "2.5", "0.2", "3.0"], "b.c": ["1", "0.5", "", "5"]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "STS" / "STS13"
    folder.mkdir(parents=True)
    for name, pairs in ANGLES.items():
        text = "".join(f"{first}\t{second}\n" for first, second in pairs)
        (folder / f"STS.input.{name}.txt").write_text(text, "utf-8")
        (folder / f"STS.gs.{name}.txt").write_text("".join(f"{score}\n" for score in GOLD[name]), "utf-8")
    return tmp_path


def test_both_conventions_against_scipy(data: Path) -> None:
    encoder = Angles()
    scored = score_items([encoder], load([SMALL], data)[0])
    assert {code for _, code in encoder.seen} == {"en"}
    found = {(found.row.language, found.row.metric): found for found in scored}
    similarity, gold, by_file = [], [], []
    for name, pairs in ANGLES.items():
        kept = [(pair, float(score)) for pair, score in zip(pairs, GOLD[name], strict=True) if score]
        cosines = [np.cos(np.radians(first - second)) for (first, second), _ in kept]
        scores = [score for _, score in kept]
        by_file.append(100 * stats.pearsonr(cosines, scores).statistic)
        assert found[f"sts13 {name}", "pearson"].row.value == pytest.approx(by_file[-1], abs=1e-3)
        similarity += cosines
        gold += scores
    spearman = found["sts13", "spearman"]
    assert spearman.row.n == 7
    assert spearman.row.value == pytest.approx(100 * stats.spearmanr(similarity, gold).statistic)
    assert spearman.items is not None
    assert value_of(spearman.items, "spearman") == spearman.row.value
    mean = found["sts13", MEAN_PEARSON]
    assert mean.row.value == pytest.approx(np.mean(by_file), abs=1e-3)
    assert mean.items is not None
    assert mean.items[:, 2].tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert value_of(mean.items, MEAN_PEARSON) == mean.row.value


def test_a_year_with_a_missing_file_is_skipped(data: Path) -> None:
    rows = run([Angles()], [SMALL], data)
    assert {row.language.split()[0] for row in rows} == {"sts13"}
    [skipped] = load([SMALL], data)[1]
    assert (skipped.language, skipped.file) == ("sts15", data / "STS/STS15/STS.input.a.txt")
    assert "get_transfer_data.bash" in str(skipped)
    assert SMALL.means({"sts13": 60.0, "sts13 a": 10.0}) == {"mean, all (1 of 2)": 60.0}


def test_columns_that_name_a_source_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "s").write_text('a "b"\tc\tforum\tnews\n', "utf-8")
    (tmp_path / "g").write_text("5\n", "utf-8")
    assert read_with_scores(tmp_path / "s", tmp_path / "g") == (Pair('a "b"', "c", 5.0),)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "STS.input.a.txt",
            "0\t1\n2\n0\t1\n0\t1\n",
            r"STS\.input\.a\.txt:2: field 'sentence2': row must have 2 columns",
        ),
        ("STS.input.a.txt", "0\t1\n0\t \n0\t1\n0\t1\n", r"a\.txt:2: field 'sentence2': is empty"),
        (
            "STS.gs.a.txt",
            "1\n2\nnan\n3\n",
            r"STS\.gs\.a\.txt:3: field 'score': must be a number from 0 to 5, got 'nan'",
        ),
        ("STS.gs.a.txt", "1\n2\n3\n", r"STS\.gs\.a\.txt: must have 4 lines as STS\.input\.a\.txt"),
        ("STS.gs.a.txt", "1\n2\n3\n\n", r"STS\.gs\.a\.txt: must have 4 scores for sts13, got 3"),
    ],
)
def test_wrong_files_stop_before_anything_is_encoded(data: Path, file: str, text: str, message: str) -> None:
    (data / "STS" / "STS13" / file).write_text(text, "utf-8")
    encoder = Angles()
    with pytest.raises(InputError, match=message):
        run([encoder], [SMALL], data)
    assert encoder.seen == []


def test_the_table_of_years() -> None:
    assert tasks_named("sts12-16") == (STS_YEARS,)
    sizes = [sum(count for _, count in year.files) for year in STS_YEARS.years]
    assert sizes == [3108, 1500, 3750, 3000, 1186]  # as the literature counts them, 2013 without SMT
    assert [year.smt for year in STS_YEARS.years] == [(), (("SMT", 750),), (), (), ()]


def test_smt_counts_for_pearson_only(tmp_path: Path) -> None:
    """Wieting et al. 2023, A.1: SMT of 2013 is included in Pearson (2,250 pairs), not in Spearman (1,500)."""
    (year,) = [year for year in STS_YEARS.years if year.smt]
    task = dataclasses.replace(STS_YEARS, years=(year,))
    draw = np.random.default_rng(0)
    for name, count in (*year.files, *year.smt):
        sentences, gold = year.paths(tmp_path, name)
        sentences.parent.mkdir(parents=True, exist_ok=True)
        sentences.write_text("".join(f"0\t{draw.integers(180)}\n" for _ in range(count)), "utf-8")
        gold.write_text("".join(f"{draw.integers(6)}\n" for _ in range(count)), "utf-8")
    rows = {(row.language, row.metric): row for row in run([Angles()], [task], tmp_path)}
    assert (rows["sts13", "spearman"].n, rows["sts13", MEAN_PEARSON].n) == (1500, 2250)
    names = ("FNWN", "headlines", "OnWN", "SMT")
    by_file = [rows[f"sts13 {name}", "pearson"].value for name in names]
    assert rows["sts13", MEAN_PEARSON].value == pytest.approx(sum(by_file) / 4)
    for file in year.paths(tmp_path, "SMT"):
        file.unlink()
    fewer = {(row.language, row.metric): row for row in run([Angles()], [task], tmp_path)}
    assert fewer["sts13", "spearman"] == rows["sts13", "spearman"]
    assert ("sts13", MEAN_PEARSON) not in fewer
    lacking = fewer["without SMT: sts13", MEAN_PEARSON]
    assert lacking.n == 1500 and lacking.value == pytest.approx(sum(by_file[:3]) / 3)


def test_the_published_years_have_the_mean_of_table_1() -> None:
    """Wieting et al. 2023: Table 9's Pearson, with SMT, against "Eng." of Table 1."""
    table_1 = {row.encoder: dict(row.means)["STS 2012-2016: Pearson"] for row in VMSST.published[:12]}
    own = [row for row in STS_YEARS.published if row.metric == MEAN_PEARSON]
    assert len(own) == 4 and len(STS_YEARS.published) == 8
    for row in own:
        years = dict(row.languages)
        mean = STS_YEARS.means(years)["mean, all (5)"]
        assert mean == pytest.approx(table_1[row.encoder], abs=0.06)
        lacking = {f"without SMT: {year}" if year == "sts13" else year: 1.0 for year in years}
        placed = row.in_columns([*STS_YEARS.means(lacking), *lacking])
        assert set(placed) == {"sts12", "sts14", "sts15", "sts16"}


def test_a_mean_without_smt_has_its_name() -> None:
    years = {"sts12": 60.0, "sts14": 70.0, "sts15": 80.0, "sts16": 80.0}
    assert STS_YEARS.means({**years, "sts13": 50.0}) == {"mean, all (5)": 68.0}
    assert STS_YEARS.means({**years, "without SMT: sts13": 60.0}) == {"mean, without SMT (5)": 70.0}
    assert STS_YEARS.means(years) == {"mean, all (4 of 5)": 72.5}

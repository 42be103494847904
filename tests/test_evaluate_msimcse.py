"""Tables 1 to 8 of mSimCSE (Wang et al. 2022), their columns by hand and their published rows."""

import pytest

from amrx.evaluation import Row, tasks_named
from amrx.evaluation.report.tables import table, terminal
from amrx.evaluation.tasks.msimcse_tables import BUCC_DEV, MSIMCSE, RETRIEVAL, STS, TEN_LANGUAGES
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA_LANGUAGES, XNLI_14, XTREME_36
from amrx.evaluation.tasks.summary_tables import Summary
from retrofit.paper_tables import PAPERS, markdown_tables

TO, BACK = "accuracy xx→en", "accuracy en→xx"


def tatoeba(metric: str, **scores: float) -> list[Row]:
    return [Row("e", "tatoeba", code, metric, value, 1000) for code, value in scores.items()]


def values(summary: Summary, rows: list[Row]) -> dict[str, float]:
    return {row.language: row.value for row in summary.rows(rows)}


def test_table_1_is_the_mean_of_14_and_of_36_languages_to_english() -> None:
    """Section 4.3: Tatoeba-14 and -36 as XTREME has them; F1 of BUCC over its four languages."""
    assert len(XNLI_14) == 14 and len(XTREME_36) == 36 and set(XNLI_14) < set(XTREME_36)
    every = {language.code: 10.0 for language in TATOEBA_LANGUAGES}
    scores = {**every, **dict.fromkeys(XTREME_36, 40.0), **dict.fromkeys(XNLI_14, 80.0)}
    rows = tatoeba(TO, **scores) + tatoeba(BACK, **dict.fromkeys(scores, 1.0))
    margin = "F1, margin k=4"
    for language, value in (("de", 90.0), ("fr", 92.0), ("ru", 94.0), ("zh", 96.0)):
        rows.append(Row("e", "bucc-dev", language, margin, value, 100))
        rows.append(Row("e", "bucc-dev", language, "F1, cosine", 1.0, 100))
    assert values(RETRIEVAL, rows) == {
        "BUCC dev: F1, margin": 93.0,
        "Tatoeba-14: accuracy xx→en": 80.0,
        "Tatoeba-36: accuracy xx→en": pytest.approx((14 * 80 + 22 * 40) / 36),
    }


def test_table_2_is_the_mean_of_both_directions() -> None:
    """As evaluation_retrieval.py of the authors prints it: (acc1 + acc2) / 2."""
    rows = tatoeba(TO, hi=90.0, sw=40.0) + tatoeba(BACK, hi=94.0, sw=44.0)
    assert values(TEN_LANGUAGES, rows) == {"hi": 92.0, "sw": 42.0}


def test_table_3_is_the_spearman_of_five_tracks() -> None:
    rows = [
        Row("e", "sts17", track, metric, value, 250)
        for track, value in (("ar-ar", 1.0), ("en-en", 2.0), ("en-tr", 3.0))
        for metric, value in (("spearman", value), ("pearson", -1.0))
    ]
    assert values(STS, rows) == {"ar-ar": 1.0, "en-tr": 3.0}


def test_published_rows_stand_in_their_columns() -> None:
    rows = RETRIEVAL.rows(tatoeba(TO, **dict.fromkeys(XTREME_36, 50.0)))
    (drawn,) = markdown_tables(RETRIEVAL, rows)
    lines = drawn.splitlines()
    assert lines[2] == "|  | Tatoeba-14: accuracy xx→en | Tatoeba-36: accuracy xx→en |"
    assert "| mSimCSE en, English NLI (Wang et al. 2022, Table 1) | 89.90 | 87.70 |" in lines
    assert "| NLI + 0 en-fr pairs (Wang et al. 2022, Table 6) | 90.40 | 88.00 |" in lines
    assert "| 2 epochs, batch 128, rate 1e-5 (Wang et al. 2022, Table 8) | 90.00 | 87.80 |" in lines
    assert not any(line.startswith("| DuEAM (") for line in lines)  # BUCC alone
    assert lines[-1] == "| e | 50.00 | 50.00 |"
    console = terminal()
    with console.capture() as printed:
        console.print(table(RETRIEVAL, rows, width=10_000))
    assert "mSimCSE all, NLI" in printed.get()


@pytest.mark.parametrize(
    ("summary", "name", "column", "value"),
    [
        (RETRIEVAL, "LaBSE", "BUCC dev: F1, margin", 93.5),
        (TEN_LANGUAGES, "mSimCSE all, NLI", "am", 82.4),
        (TEN_LANGUAGES, "LASER", "ga", 5.2),
        (STS, "mSimCSE en, English NLI", "en-tr", 71.1),
    ],
)
def test_published_values_are_those_of_the_paper(summary, name, column, value):
    (row,) = [row for row in summary.published if row.encoder == name]
    assert dict(row.means)[column] == value
    assert all(column in [piece.name for piece in summary.pieces] for column, _ in row.means)


def test_no_published_mean_stands_beside_a_part_of_its_languages() -> None:
    rows = RETRIEVAL.rows(tatoeba(TO, de=50.0))
    (drawn,) = markdown_tables(RETRIEVAL, rows)
    assert "(1 of 36)" in drawn and "Wang" not in drawn


def test_every_table_of_the_paper_is_reached() -> None:
    (msimcse,) = [table for table in PAPERS if table.name == "msimcse"]
    tasks = tasks_named(msimcse.tasks)
    assert {*MSIMCSE, BUCC_DEV} < set(tasks)
    sources = {row.source for task in tasks for row in task.published}
    assert {f"Wang et al. 2022, Table {number}" for number in (1, 2, 3, 4, 6, 7, 8)} <= sources
    assert any("Table 5 (PAWS-X) is of fine-tuned models" in note for note in msimcse.notes)

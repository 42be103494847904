"""The published rows of Emma-X and VMSST: each table against the paper's other tables."""

from __future__ import annotations

from statistics import fmean

import pytest

from amrx.evaluation import tasks_named
from amrx.evaluation.results.published import table_rows
from amrx.evaluation.tasks.geometry.flores import FLORES
from retrofit.training.fine_tune import heads, siamese

MULTI_STS, QE, LAREQA = (siamese.TASKS[name].measured for name in ("multi-sts", "qe", "lareqa"))
FINE_TUNED = {
    10: (heads.TASKS["xnli"], 15), 11: (heads.TASKS["anli"], 10), 12: (MULTI_STS, 10), 14: (QE, 11),
    15: (LAREQA, 11), 19: (heads.TASKS["pawsx"], 7),
}  # fmt: skip


@pytest.mark.parametrize("number", FINE_TUNED)
def test_emma_x_by_language(number: int) -> None:
    """Guo et al. 2023, Tables 10 to 19: languages of the task, whose mean is that of Table 1."""
    task, count = FINE_TUNED[number]
    assert len(task.published) == 4
    for row in task.published:
        values = dict(row.languages)
        assert len(values) == count
        ((name, mean),) = row.means
        means = task.means(values)
        assert any(one.startswith(name) for one in means), (number, means)
        assert fmean(values.values()) == pytest.approx(mean, abs=0.08), (number, row.encoder)


def test_the_ablation_on_36_languages_is_beside_tatoeba() -> None:
    """Guo et al. 2023, Table 5, and the mean of XTREME's languages in Table 3."""
    (task,) = tasks_named("tatoeba")
    rows = {row.encoder: row for row in task.published if row.source == "Guo et al. 2023, Table 5"}
    emma = dict(rows["Emma-X"].languages)
    assert len(rows) == 3 and len(emma) == 36
    assert task.means(emma)["mean, XTREME-36 (36)"] == pytest.approx(fmean(emma.values()))
    assert fmean(emma.values()) == pytest.approx(91.9, abs=0.5)  # 92.2; Table 3 prints 91.9


def test_geometry_has_its_columns() -> None:
    """Guo et al. 2023, Table 4."""
    assert len(FLORES.published) == 12 and {row.metric for row in FLORES.published} < set(FLORES.shown)
    names = {name for row in FLORES.published for name, _ in row.languages}
    assert names == {"204 languages", "head, 68 languages", "long tail, 135 languages"}


def vmsst(number: int) -> dict[str, dict[str, float]]:
    (task,) = tasks_named("vmsst")[-1:]
    source = f"Wieting et al. 2023, Table {number}"
    return {row.encoder: dict(row.means) for row in task.published if row.source == source}


@pytest.mark.parametrize(("number", "count"), [(1, 12), (4, 9), (7, 12)])
def test_the_score_is_the_mean_of_six(number: int, count: int) -> None:
    """Wieting et al. 2023, section 6.2."""
    rows = vmsst(number)
    assert len(rows) == count
    for encoder, values in rows.items():
        six = [
            values[name]
            for name in (
                "STS 2012-2016: Pearson", "STS 2017 beyond English: Pearson", "NQ: R@1", "MKQA: R@1",
                "Tatoeba: accuracy, both ways", "BUCC: F1, mean of both",
            )
        ]  # fmt: skip
        assert values["BUCC: F1, mean of both"] == (values["BUCC (c.)"] + values["BUCC (m.)"]) / 2
        assert values["score of six"] == pytest.approx(fmean(six), abs=0.16), (number, encoder)


def test_seen_and_unseen_are_those_of_table_1_with_two_names_exchanged() -> None:
    """Table 8: 93 and 19 languages; its "24 layers" are Table 1's mT5, and the reverse."""
    whole = vmsst(1)
    exchanged = {"24 layers": "mT5", "mT5": "24 layers", "6 layers": "6 layers"}
    for encoder, values in vmsst(8).items():
        name, size = encoder.split(", ")
        mean = (93 * values["Tatoeba, seen"] + 19 * values["Tatoeba, unseen"]) / 112
        wanted = whole[f"{name}, {exchanged[size]}"]["Tatoeba: accuracy, both ways"]
        assert mean == pytest.approx(wanted, abs=0.35), encoder


def test_bucc_by_language_has_the_means_of_table_1() -> None:
    """Table 13; Table 5 has the same margin row of VMSST."""
    (task,) = tasks_named("bucc")
    whole = vmsst(1)
    for column, metric in (("BUCC (c.)", task.shown[2]), ("BUCC (m.)", task.shown[1])):
        rows = [row for row in task.published if row.metric == metric and row.source.endswith(" 13")]
        assert len(rows) == 4
        for row in rows:
            mean = fmean(dict(row.languages).values())
            assert whole[row.encoder][column] == pytest.approx(mean, abs=0.11), row.encoder
    for row in table_rows("wieting-2023-table-5"):
        assert dict(row.means)["mean, all"] == pytest.approx(fmean(dict(row.languages).values()), abs=0.06)


def test_four_languages_have_their_own_score() -> None:
    """Table 6: the mean of English, five tracks, Tatoeba, NQ and MKQA."""
    task = tasks_named("vmsst-four")[-1]
    for row in task.published:
        values = dict(row.means)
        parts = {
            "Eng.": values["Eng."], "NQ": values["NQ"],
            "XL": fmean(values[track] for track in ("en-ar", "ar-ar", "en-es", "es-es", "en-tr")),
            "Tatoeba": fmean(values[f"Tatoeba {code}"] for code in ("ar", "es", "tr")),
            "MKQA": fmean(values[f"MKQA {code}"] for code in ("ar", "es", "tr")),
        }  # fmt: skip
        assert task.means(parts)["Score"] == pytest.approx(values["Score"], abs=0.06), row.encoder


def test_related_work_stands_beside() -> None:
    """Tables 2 and 3."""
    xl = {"XL": 79.4, "XL (s.)": 81.9, "XL (d.)": 77.7}
    assert vmsst(2)["VMSST"] == {f"STS 2017, {name}: Spearman": value for name, value in xl.items()}
    assert vmsst(3)["LaBSE"] == {"Tatoeba: accuracy, both ways": 83.7}

import dataclasses
from pathlib import Path

import pytest

from amrx.errors import OptionError
from amrx.evaluation import tasks_named
from amrx.evaluation.report.tables import tables
from amrx.evaluation.results.rows import Row, Scored
from amrx.evaluation.tasks.catalogue import in_languages, in_tracks
from amrx.evaluation.tasks.retrieval.tatoeba import XTREME_36
from amrx.evaluation.tasks.summary_tables import VALUE, VMSST, XRETE, XRETE_ZERO_SHOT, Summary, summarised
from tests.support.summary_values import KNOWN, TATOEBA, VALUES


def rows(encoder: str = "muse", without: str = "") -> list[Row]:
    return [
        Row(encoder, task, language, metric, value, 10)
        for (task, metric), scores in VALUES.items()
        for language, value in scores.items()
        if task != without
    ]


def test_the_score_of_six_by_hand() -> None:
    found = VMSST.rows(rows())
    values = {row.language: row.value for row in found}
    # then XL (s.), XL (d.), BUCC (c.), BUCC (m.), Tatoeba's languages seen and unseen
    assert list(values.values()) == [60, 30, 38, 25, 80, 90, 15, 40, 87, 93, 80, 80]
    assert VMSST.means(values) == {
        "score of six": pytest.approx((60 + 30 + 38 + 25 + 80 + (87 + 93) / 2) / 6)
    }
    assert {row.metric for row in found} == {VALUE}
    assert next(row.n for row in found if row.language.startswith("Tatoeba")) == 2 * 10 * len(TATOEBA)
    assert VMSST.gaps(found) == ""


def test_the_published_rows_have_the_scores_that_table_1_prints() -> None:
    """Wieting et al. 2023, Table 1, last column; a sum of rounded numbers is half a digit off at most."""
    scores = [53.7, 52.5, 53.7, 55.6, 52.4, 55.9, 55.0, 58.1, 64.2, 64.9, 64.4, 65.9]
    table = [row for row in VMSST.published if row.source.endswith("Table 1")]
    for row, score in zip(table, scores, strict=True):
        means = dict(row.means)
        assert means["score of six"] == pytest.approx(score, abs=0.1)
        within, between = means["STS 2017, XL (s.)"], means["STS 2017, XL (d.)"]
        told = means["STS 2017 beyond English: Pearson"]
        assert told == pytest.approx((2 * within + 3 * between) / 5, abs=0.15)
    assert table[-1].encoder == "VMSST, mT5"
    known = {piece.name for piece in VMSST.pieces[:10]}
    assert set(dict(table[0].means)) == {"score of six", *known}


def test_a_column_counts_the_items_of_its_mean_only() -> None:
    [tatoeba] = [piece for piece in XRETE.pieces if piece.task == "tatoeba"]
    inside, outside = XTREME_36[0], next(code for code in TATOEBA if code not in XTREME_36)
    both = [
        Row("muse", "tatoeba", code, "accuracy xx→en", value, n)
        for code, value, n in ((inside, 90.0, 1000), (outside, 50.0, 494))
    ]
    row = tatoeba.row("muse", "xrete", KNOWN["tatoeba"], both)
    assert row is not None and (row.value, row.n) == (90, 1000)
    sts = {row.language: row.n for row in VMSST.rows(rows())}["STS 2017 beyond English: Pearson"]
    assert sts == 5 * 10  # English stands in the table of sts17 only


def test_without_one_of_the_six_there_is_no_score() -> None:
    found = VMSST.rows(rows(without="nq"))
    assert VMSST.means({row.language: row.value for row in found}) == {}
    assert VMSST.gaps(found) == "vmsst: without NQ: R@1, so there is no score of six"


def test_a_mean_over_a_part_of_the_languages_says_so_and_gives_no_score() -> None:
    left = [row for row in rows() if row.task != "tatoeba" or row.language == TATOEBA[0]]
    found = VMSST.rows(left)
    values = {row.language: row.value for row in found}
    [column] = [name for name in values if name.startswith("Tatoeba: ")]
    assert column == f"Tatoeba: accuracy, both ways (1 of {len(TATOEBA)})" and values[column] == 85
    assert VMSST.means(values) == {}
    assert VMSST.gaps(found).startswith(f"vmsst: without the whole of {column}")


def test_without_smt_column_and_score_have_other_names() -> None:
    """No published value may stand beside a mean without SMT, which the paper's Pearson includes."""
    left = [
        row._replace(language="without SMT: sts13") if row[1:3] == ("sts12-16", "sts13") else row
        for row in rows()
    ]
    found = VMSST.rows(left)
    values = {row.language: row.value for row in found}
    assert values["without SMT: STS 2012-2016, Pearson"] == 60
    assert VMSST.means(values) == {
        "without SMT: score of six": pytest.approx((60 + 30 + 38 + 25 + 80 + (87 + 93) / 2) / 6)
    }
    assert VMSST.gaps(found) == "vmsst: without STS 2012-2016: Pearson, so there is no score of six"
    placed = VMSST.published[11].in_columns([*values, *VMSST.means(values)])
    assert placed["NQ: R@1"] == 40.8
    assert not any("score of six" in name or "2012" in name for name in placed)


def test_a_part_of_the_pairs_of_quality_estimation_says_so() -> None:
    found = XRETE.rows([Row("muse", "qe", "en-de", "pearson", 20.0, 1000)])
    assert [row.language for row in found] == ["QE: Pearson, zero-shot (1 of 11)"]
    assert "the whole of QE: Pearson, zero-shot (1 of 11)" in XRETE.gaps(found)


def test_a_track_that_is_missing_leaves_its_column_out() -> None:
    left = [row for row in rows() if row.language != "en-tr"]
    assert "STS 2017 beyond English: Pearson" not in {row.language for row in VMSST.rows(left)}


def test_every_encoder_has_its_columns_and_a_table() -> None:
    both = [Scored(row) for row in (*rows(), *rows("labse", without="nq"))]
    found, gaps = summarised(tasks_named("vmsst"), both)
    labels = [one.row.encoder for one in found]
    assert (labels.count("muse"), labels.count("labse")) == (12, 11)
    assert gaps == []
    assert len(tables(VMSST, [one.row for one in found if one.row.encoder == "muse"])) == 1


def test_a_summary_brings_its_tasks() -> None:
    names = [task.name for task in tasks_named("xnli, xrete")]
    assert names[0] == "xnli"
    assert names[-1] == "xrete"
    assert len(set(names)) == len(names) == 15
    assert {piece.task for piece in XRETE.pieces} == {task.name for task in XRETE.tasks}


@pytest.mark.parametrize("summary", [XRETE, XRETE_ZERO_SHOT, VMSST])
def test_every_column_names_a_metric_of_its_task(summary: Summary) -> None:
    known = {task.name: task for task in summary.tasks}
    for piece in summary.pieces:
        shown = (*known[piece.task].shown, "pearson", "accuracy en→xx")
        for metric in piece.metrics:
            assert any(name.startswith(metric) for name in shown), piece.name


def test_the_zero_shot_table_has_its_six_columns_and_published_rows() -> None:
    """Guo et al. 2023, Table 2; its Tatoeba is over all languages: 36 of head and 76 of tail in Table 3."""
    by_name = {row.encoder: dict(row.means) for row in XRETE_ZERO_SHOT.published}
    assert list(by_name["Emma-X"].values()) == [62.9, 54.7, 19.4, 29.4, 87.1, 82.5]
    assert {tuple(means) for means in by_name.values()} == {tuple(p.name for p in XRETE_ZERO_SHOT.pieces)}
    groups = ("mean, XTREME-36", "mean, beyond XTREME-36")
    table_3 = {
        row.encoder: [dict(row.means)[name] for name in groups]
        for row in KNOWN["tatoeba"].published
        if row.source.endswith("Table 3")
    }
    assert set(table_3) == set(by_name)
    for name, (head, tail) in table_3.items():
        told = by_name[name]["Tatoeba: accuracy to English"]
        assert told == pytest.approx((36 * head + 76 * tail) / 112, abs=0.1)
        assert abs(told - (41 * head + 71 * tail) / 112) > 0.4
    rows = [Row("e", "tatoeba", code, "accuracy xx→en", 50.0, 9) for code in TATOEBA]
    assert [row.language for row in XRETE_ZERO_SHOT.rows(rows)] == ["Tatoeba: accuracy to English"]
    means = KNOWN["tatoeba"].means(dict.fromkeys(TATOEBA, 50.0))
    assert {"mean, XTREME-36 (36)", "mean, beyond XTREME-36 (76)"} < set(means)


def test_languages_narrow_transfer_tasks_down() -> None:
    (xnli, qam, sts), left_out = in_languages(tasks_named("xnli,qam,sts17"), "de, en,de")
    assert (xnli.languages, qam.languages) == (("en", "de"), ("en", "de"))  # type: ignore[attr-defined]
    assert sts is tasks_named("sts17")[0]
    assert left_out == []
    assert in_languages((sts,), None) == ((sts,), [])
    with pytest.raises(OptionError, match="--tasks names none"):
        in_languages((sts,), "de")
    with pytest.raises(OptionError, match="no task has the language 'xx'; choose from ar, bg, "):
        in_languages(tasks_named("xnli"), "de,xx")


def test_a_task_without_any_of_the_languages_is_left_out_and_that_is_said() -> None:
    tasks, left_out = in_languages(tasks_named("pawsx,anli"), "de,fr")
    assert [task.name for task in tasks] == ["pawsx"]
    assert left_out == ["anli skipped: it has none of the languages de, fr"]


def test_tracks_narrow_similarity_tasks_down(tmp_path: Path) -> None:
    (sts, stsb), left_out = in_tracks(tasks_named("sts17,stsb"), "en-tr, de,en-en")
    (tmp_path / "sts/sts17").mkdir(parents=True)
    rows = "".join(f"a{n}\tb{n}\t{n % 5}\n" for n in range(250))
    for track in ("en-tr", "ar-ar"):
        (tmp_path / f"sts/sts17/{track}.tsv").write_text(rows, "utf-8")
    loaded, skipped = sts.load(tmp_path)
    assert [part.track.language for part in loaded] == ["en-tr"]  # type: ignore[union-attr]
    assert [one.language for one in skipped] == ["en-en"]
    assert [file.path for file in sts.hub] == ["sts/sts17/en-en.tsv", "sts/sts17/en-tr.tsv"]
    assert list(sts.means({"en-tr": 1.0})) == ["cross-lingual mean (1 of 7)"]
    assert [one.language for one in stsb.load(tmp_path)[1]] == ["de"]
    assert left_out == []
    assert in_tracks(tasks_named("sts17,stsb,tnews"), "de")[1] == [
        "sts17 skipped: it has none of the tracks de"
    ]
    with pytest.raises(OptionError, match="--tracks restricts similarity tasks such as sts17, and --tasks n"):
        in_tracks(tasks_named("tnews"), "de")
    with pytest.raises(OptionError, match="no task has the track 'de-en'; choose from ar-ar, en-ar, "):
        in_tracks(tasks_named("sts17"), "de-en")


def test_a_summary_has_no_data_of_its_own(tmp_path: Path) -> None:
    assert dataclasses.is_dataclass(VMSST)
    assert VMSST.load(tmp_path) == ([], [])

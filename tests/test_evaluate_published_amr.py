"""The published rows of Cai et al. 2022: languages and means of its tables."""

from statistics import fmean

import pytest

from amrx.evaluation import tasks_named
from amrx.evaluation.report.tables import notes
from amrx.evaluation.results.published import table_rows

TASKS = ("mldoc", "xnli", "pawsx", "marc", "qam")
# averages that the paper's own languages do not give: Table 4, Table 9
TYPING_ERRORS = {("Xpara", "qam"): 58.66}


@pytest.mark.parametrize("name", TASKS)
def test_the_means_of_a_row_are_those_of_its_languages(name: str) -> None:
    """Table 4 against Tables 5-9."""
    (task,) = tasks_named(f"{name}-senteval")
    for row in task.published:
        scores = dict(row.languages)
        assert set(scores) == set(task.languages)
        means = task.means(scores)
        columns = row.in_columns([*means, *scores])
        assert {code: columns[code] for code in scores} == scores
        encoder = row.encoder.removesuffix(", fitted on train-en")
        for mean, value in means.items():
            if (encoder, name) in TYPING_ERRORS:
                assert value == pytest.approx(TYPING_ERRORS[encoder, name], abs=0.02)
            else:
                assert columns[mean] == pytest.approx(value, abs=0.035), (encoder, mean)


def test_seen_of_marc_is_not_the_one_that_table_4_prints() -> None:
    """Table 4 has ja, which the encoders have not seen, for zh; both means have their column and say so."""
    (marc,) = tasks_named("marc-senteval")
    printed = {row.encoder: dict(row.means)["marc:seen"] for row in table_rows("cai-2022-table-4")}
    assert printed["mBERT, mean pooling"] == 38.66 and len(printed) == 16
    for row in marc.published:
        assert row.source == "Cai et al. 2022; seen from Table 8"
        means = dict(row.means)
        encoder = row.encoder.removesuffix(", fitted on train-en")
        assert means["mean, de en es fr ja"] == printed[encoder]
        assert means["mean, seen"] == pytest.approx(
            fmean(dict(row.languages)[code] for code in ("de", "en", "es", "fr", "zh")), abs=0.01
        )
    assert dict(marc.published[0].means)["mean, seen"] == 39.56


def test_the_tracks_of_sts17_have_their_published_values() -> None:
    """Tables 2 and 3."""
    (sts,) = tasks_named("sts17")
    own = [row for row in sts.published if row.source == "Cai et al. 2022"]
    assert len(own) == 16
    for row in own:
        means, by_track = dict(row.means), dict(row.languages)
        within = fmean(by_track[track] for track in ("ar-ar", "en-en", "es-es"))
        between = fmean(by_track[f"en-{code}"] for code in ("ar", "de", "tr", "es", "fr", "it", "nl"))
        assert means["monolingual"] == pytest.approx(within, abs=0.02)
        assert means["cross-lingual"] == pytest.approx(between, abs=0.02)
    tracks = {track.language: 1.0 for track in sts.tracks}
    placed = own[-1].in_columns([*sts.means(tracks), *tracks])
    assert (placed["en-tr"], placed["cross-lingual mean"]) == (79.50, 84.25) and len(placed) == 12


def test_no_row_of_the_paper_is_dropped() -> None:
    (sts, *transfer) = tasks_named("sts17,mldoc,xnli,pawsx,marc,qam")
    systems = {f"{name} #{number}" for name in ("LASER++", "LaBSE++") for number in range(1, 6)}
    bases = {"mBERT, mean pooling", "XLM-R, mean pooling", "mUSE", "LASER", "LaBSE", "Xpara"}
    for task in transfer:
        rows = {row.encoder.removesuffix(", fitted on train-en") for row in task.published}
        assert rows == bases | systems
        assert "mean, seen" in notes(task)[-1] and "mean, all" in notes(task)[-1]
    cited = {row.encoder for row in sts.published if row.source == "Cai et al. 2022"}
    joined = {f"{name} #{number}" for name in ("mUSE++", "Xpara++") for number in range(1, 6)}
    assert cited == bases | joined

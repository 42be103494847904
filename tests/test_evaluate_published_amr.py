"""The published rows of Cai et al. 2022 against the languages of its own appendix (Tables 5-9)."""

from __future__ import annotations

from statistics import fmean

import pytest

from amrx.evaluation import tasks_named
from amrx.evaluation.report.tables import notes

APPENDIX = {  # LaBSE, and LASER++ with the standard AMR encoder
    ("LaBSE", "mldoc"): "de 88.42 en 90.88 es 81.03 fr 87.90 it 76.40 ja 73.00 ru 75.70 zh 84.97",
    ("LaBSE", "xnli"): "ar 56.75 bg 57.56 de 57.07 el 57.88 en 60.58 es 58.74 fr 58.08 hi 55.57 ru 56.41 "
    "sw 54.77 th 53.79 tr 56.43 ur 52.08 vi 55.89 zh 58.22",
    ("LaBSE", "pawsx"): "de 58.80 en 58.90 es 57.55 fr 59.50 ja 57.10 ko 57.30 zh 59.00",
    ("LASER++ #5", "marc"): "de 51.70 en 54.20 es 49.80 fr 50.42 ja 41.07 zh 42.68",
    ("LASER++ #5", "qam"): "de 59.34 en 59.94 fr 58.94",
}


@pytest.mark.parametrize(("encoder", "name"), APPENDIX)
def test_a_published_row_stands_under_the_means_of_its_appendix(encoder: str, name: str) -> None:
    words = APPENDIX[encoder, name].split()
    scores = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    (task,) = tasks_named(f"{name}-senteval")
    assert set(scores) == set(task.languages)
    means = task.means(scores)
    (row,) = [row for row in task.published if row.encoder == f"{encoder}, fitted on train-en"]
    assert row.in_columns(list(means)) == pytest.approx(means, abs=0.02)
    assert fmean(scores.values()) == pytest.approx(dict(row.means)["mean, all"], abs=0.02)


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

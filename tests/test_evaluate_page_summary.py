"""Intervals of the columns of a summary: means of the differences of the rows that they are made of."""

from collections.abc import Iterator

import numpy as np
import pytest

from amrx.evaluation.report.page_tables import Results, Sheet, sheets
from amrx.evaluation.results.bootstrap import interval, paired_bootstrap, resampled, value_of
from amrx.evaluation.results.rows import Row, Scored
from amrx.evaluation.tasks.summary_tables import VALUE, VMSST, summarised
from tests.support.summary_values import MKQA_24, VALUES
from tests.support.summary_values import TATOEBA as TATOEBA_CODES

STS, TRACKS, NQ, MKQA, TATOEBA, BUCC = (piece.name for piece in VMSST.pieces if piece.scored)


@pytest.fixture(autouse=True)
def fewer_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw 100 samples instead of 2,000: the laws do not depend on their number."""
    for function in (resampled, paired_bootstrap):
        monkeypatch.setitem(function.__kwdefaults__, "samples", 100)  # type: ignore[attr-defined]


def scored(encoder: str, seed: int) -> Iterator[Scored]:
    """The rows of the six tasks, an encoder's own noise in their items; gold is everyone's."""
    gold, noise = np.random.default_rng(0), np.random.default_rng(seed)
    for (task, metric), scores in VALUES.items():
        for language in scores:
            values = gold.uniform(0, 5, 12)
            if task in ("sts17", "sts12-16"):
                items = np.column_stack([values + noise.normal(size=12), values])
                if task == "sts12-16":
                    items = np.column_stack([items, np.repeat([0, 1], 6)])
            elif task == "bucc":
                taken = noise.integers(0, 2, 12)
                items = np.column_stack([taken * noise.integers(0, 2, 12), taken, values > 2])
            else:
                items = noise.integers(0, 2, 12)
            items = items.astype(np.float64)
            yield Scored(Row(encoder, task, language, metric, value_of(items, metric), 12), items)


def of(*found: Scored) -> Results:
    rows, _ = summarised((VMSST,), found)
    items = {tuple(one.row[:4]): one.items for one in found if one.items is not None}
    return Results("a.json", [one.row for one in (*found, *rows)], items)


def summary_of(run: Results) -> Sheet:
    [found] = [sheet for sheet in sheets([run]) if sheet.metric == VALUE]
    return found


def draws(run: Results, task: str, metric: str, languages: tuple[str, ...]) -> np.ndarray:
    """The mean difference of each sample, by hand."""
    keys = [(task, language, metric) for language in languages]
    return np.mean(
        [resampled(run.items["muse", *key], run.items["labse", *key], metric) for key in keys], axis=0
    )


def test_each_column_has_the_interval_of_its_mean_and_the_score_that_of_all() -> None:
    run = of(*scored("muse", 1), *scored("labse", 2))
    sheet = summary_of(run)
    columns = {piece.name for piece in VMSST.pieces[:-1] if "Spearman" not in piece.name}
    assert set(sheet.languages) == columns  # the last piece is without SMT
    of_languages = {key: tuple(scores) for key, scores in VALUES.items()}
    five, files = VMSST.pieces[1].languages, ("sts12-16", "pearson, mean over the files")
    both = [
        draws(run, "tatoeba", metric, of_languages["tatoeba", metric])
        for metric in ("accuracy xx→en", "accuracy en→xx")
    ]
    expected = {
        STS: draws(run, *files, of_languages[files]),
        TRACKS: draws(run, "sts17", "pearson", five),
        NQ: draws(run, "nq", "R@1", ("en",)),
        MKQA: draws(run, "mkqa", "R@1", tuple(MKQA_24)),
        TATOEBA: np.mean(both, axis=0),
        BUCC: np.mean([
            draws(run, "bucc", metric, of_languages["bucc", metric])
            for metric in ("F1, nearest English", "F1, margin k=4")
        ], axis=0),
    }  # fmt: skip
    for column, samples in expected.items():
        cell = sheet.cells["labse", column]
        assert cell.interval == pytest.approx(interval(cell.difference or 0, samples)), column
    score = sheet.cells["labse", "score of six"]
    found = interval(score.difference or 0, np.mean(list(expected.values()), axis=0))
    assert score.interval == pytest.approx(found)
    assert score.interval is not None and score.interval.low < score.interval.high


def test_a_column_with_a_row_without_items_has_no_interval() -> None:
    run = of(*scored("muse", 1), *scored("labse", 2))
    del run.items["labse", "mkqa", "de", "R@1"]  # type: ignore[attr-defined]
    sheet = summary_of(run)
    assert sheet.cells["labse", MKQA].interval is None
    assert sheet.cells["labse", MKQA].difference is not None
    assert sheet.cells["labse", NQ].interval is not None
    assert sheet.cells["labse", "score of six"].interval is None


def test_means_over_other_languages_have_no_interval() -> None:
    fewer = [found for found in scored("labse", 2) if found.row[1:3] != ("tatoeba", TATOEBA_CODES[0])]
    run = of(*scored("muse", 1), *fewer)
    sheet = summary_of(run)
    [part] = [name for name in sheet.languages if name.startswith(TATOEBA) and name != TATOEBA]
    assert sheet.cells["labse", part].interval is None
    assert sheet.cells["labse", BUCC].interval is not None

import dataclasses
import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.table import Table

from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.evaluation import Row, run, save_rows, tasks_named
from amrx.evaluation.report.tables import notes, table, tables, terminal, write_json
from amrx.evaluation.results.published import Published
from amrx.evaluation.run import evaluate, load, score
from amrx.evaluation.tasks.sts import STS17, STSB_DEV
from amrx.evaluation.tasks.task import published_of
from amrx.evaluation.tasks.transfer.task_table import MARC
from amrx.types import Encoder
from retrofit.bases import load_base
from tests.support.angles import SMALL, Angles, data, write

__all__ = ["data"]


def test_scores_are_those_of_the_cosines(data: Path) -> None:
    rows = run([Angles()], [SMALL], data)
    assert [(row.language, row.metric, row.n) for row in rows] == [
        ("es-es", "spearman", 3), ("es-es", "pearson", 3), ("en-es", "spearman", 3), ("en-es", "pearson", 3),
    ]  # fmt: skip
    assert [rows[0].value, rows[2].value] == pytest.approx([100, -100])
    expected = np.corrcoef([1, np.cos(np.pi / 6), 0.5], [5, 4, 1])[0, 1]
    assert rows[1].value == pytest.approx(100 * expected, abs=1e-4)


def test_each_sentence_is_encoded_once_in_the_language_of_its_column(data: Path) -> None:
    encoder = Angles()
    run([encoder], [SMALL], data)
    assert len(encoder.seen) == len(set(encoder.seen))
    # the first column of en-es is the Spanish one, and "0" in Spanish is one sentence for both files
    assert set(encoder.seen) == {
        ("0", "es"), ("30", "es"), ("60", "es"), ("10", "en"), ("20", "en"), ("90", "en"),
    }  # fmt: skip


def test_the_next_task_encodes_only_what_is_new_to_it(data: Path) -> None:
    [mono, cross] = SMALL.tracks
    tasks = [
        dataclasses.replace(SMALL, name=name, tracks=tracks)
        for name, tracks in (("a", (mono,)), ("b", (cross, mono)), ("c", (cross,)))
    ]
    encoder = Angles()
    rows = run([encoder], tasks, data)
    assert encoder.seen[:3] == [("0", "es"), ("30", "es"), ("60", "es")]
    assert encoder.seen[3:] == [("10", "en"), ("20", "en"), ("90", "en")]
    alone = [row for task in tasks for row in run([Angles()], [task], data)]
    assert rows == alone


def test_every_row_is_checked_before_anything_is_encoded(data: Path) -> None:
    write(data, "en-es", ["0\t10\t1", "0\t20\t3", "0\t90\tnan"])
    encoder = Angles()
    with pytest.raises(InputError, match=r"en-es\.tsv:3: field 'score': must be a number"):
        run([encoder], [SMALL], data)
    write(data, "en-es", ["0\t10\t1", "0\t20\t3"])
    with pytest.raises(InputError, match=r"en-es\.tsv: must have 3 pairs for sts17, got 2"):
        run([encoder], [SMALL], data)
    assert encoder.seen == []


def test_a_missing_file_is_skipped_with_its_place_and_source(data: Path) -> None:
    (data / "sts" / "sts17" / "en-es.tsv").unlink()
    loaded, skipped = load([SMALL], data)
    assert [part.track.language for part in loaded] == ["es-es"]
    assert str(skipped[0]).startswith(
        f"sts17 en-es skipped: no {data / 'sts/sts17/en-es.tsv'}; fetch https://"
    )
    assert {row.language for row in run([Angles()], [SMALL], data)} == {"es-es"}


def test_no_file_at_all_says_what_to_fetch(tmp_path: Path) -> None:
    with pytest.raises(MissingResourceError, match=r"data of sts17, stsb-dev below .*https://.*--data"):
        run([Angles()], [STS17, STSB_DEV], tmp_path)


def test_encoders_of_one_name_stay_apart(data: Path) -> None:
    rows = run([Angles(), Angles()], [SMALL], data)
    assert [row.encoder for row in rows[::4]] == ["angles", "angles#2"]


def test_tasks_by_name() -> None:
    assert tasks_named("sts17,stsb-dev,sts17") == (STS17, STSB_DEV)
    with pytest.raises(OptionError, match="unknown task 'sts-17'; did you mean 'sts17'"):
        tasks_named("sts-17")


def printed(drawn: Table) -> list[str]:
    console = Console(width=100, record=True, file=StringIO())
    console.print(drawn)
    lines = console.export_text().splitlines()
    return [" ".join(line.replace("│", " ").split()) if "│" in line else line.strip() for line in lines]


def test_means_and_table_show_differences_to_the_first() -> None:
    rows = [
        Row("muse", "sts17", "es-es", "spearman", 80.0, 3),
        Row("muse", "sts17", "en-es", "spearman", 70.0, 3),
        Row("muse", "sts17", "en-es", "pearson", 11.0, 3),
        Row("muse+amr", "sts17", "es-es", "spearman", 81.5, 3),
        Row("muse+amr", "sts17", "en-es", "spearman", 69.0, 3),
    ]
    assert SMALL.means({"es-es": 80, "en-es": 70}) == {"monolingual mean": 80, "cross-lingual mean": 70}
    assert STS17.means({"es-es": 80, "en-es": 70}) == {
        "monolingual mean (1 of 3)": 80, "cross-lingual mean (1 of 7)": 70
    }  # fmt: skip
    lines = printed(table(SMALL, rows))
    assert "es-es 80.00 81.50 (+1.50)" in lines
    assert "cross-lingual mean 70.00 69.00 (-1.00)" in lines
    assert "11.00" not in " ".join(lines)
    assert "53.97" in notes(SMALL)[1]
    # as papers print it, with their rows; one character less and it is turned round
    lines = printed(table(SMALL, rows, width=120))
    assert "┃ monolingual mean ┃ cross-lingual mean ┃ es-es ┃ en-es ┃" in lines[2]
    assert lines[4] == "mBERT, mean pooling 53.97 27.47 56.69 21.47"
    own = 4 + len(published_of(SMALL, "spearman"))
    assert lines[own : own + 3] == [
        "muse 80.00 70.00 80.00 70.00",
        "muse+amr 81.50 69.00 81.50 69.00",
        "+1.50 -1.00 +1.50 -1.00",
    ]
    needed = len(lines[2])
    assert printed(table(SMALL, rows, width=needed))[4:own] == lines[4:own]
    assert "es-es 80.00 81.50 (+1.50)" in printed(table(SMALL, rows, width=needed - 1))


def test_published_rows_stand_beside_their_own_metric_over_the_same_languages() -> None:
    rows = [
        Row("muse", "marc", code, metric, 40.0, 3) for metric in MARC.shown[:2] for code in MARC.languages
    ]
    means = "mean, seen 51.05, mean, all 50.21, mean, de en es fr ja 51.20"
    assert notes(MARC)[-1].endswith(
        f"fitted on train-en: accuracy, {means} (Cai et al. 2022; seen from Table 8)"
    )
    alone = dataclasses.replace(MARC, published=(Published("known", (("mean, all", 38.43),), "a paper"),))
    accuracy, error = tables(alone, rows, width=160)
    assert any(line.startswith("known – – 38.43") for line in printed(accuracy))
    assert "known" not in " ".join(printed(error))
    [accuracy, error] = tables(alone, [row for row in rows if row.language == "ja"], width=160)
    assert "all (1 of 6)" in " ".join(printed(accuracy))
    assert "known" not in " ".join([*printed(accuracy), *printed(error)])
    of_error = dataclasses.replace(alone.published[0], metric=MARC.shown[1])
    accuracy, error = tables(dataclasses.replace(MARC, published=(of_error,)), rows, width=160)
    assert "known" in " ".join(printed(error)) and "known" not in " ".join(printed(accuracy))


def test_a_file_gets_wide_tables_and_a_terminal_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert terminal().width == 160
    monkeypatch.setenv("COLUMNS", "70")
    assert terminal().width == 70


def test_json_holds_one_object_a_row(tmp_path: Path) -> None:
    write_json(tmp_path / "out.json", [Row("muse", "sts17", "es-es", "spearman", 80.25, 3)])
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == [
        {
            "encoder": "muse", "task": "sts17", "language": "es-es",
            "metric": "spearman", "value": 80.25, "n": 3,
        }
    ]  # fmt: skip


def test_real_files_load_and_their_columns_hold_the_languages_they_say(data_dir: Path) -> None:
    from amrx.langid import detect

    loaded, skipped = load([STS17, STSB_DEV], data_dir)
    assert skipped == []
    assert [len(part.pairs) for part in loaded] == [250] * 10 + [1500] * 11
    for part in loaded[:10]:
        for side, code in zip(("first", "second"), part.track.columns, strict=True):
            found = detect([getattr(pair, side) for pair in part.pairs[:30]])
            assert found.count(code) > 20, (part.track.language, side)


@pytest.fixture(scope="module")
def muse() -> Encoder:
    try:
        return load_base("muse", "cpu")
    except MissingResourceError as error:
        pytest.skip(str(error))


def test_muse_alone_on_sts17(muse: Encoder, data_dir: Path) -> None:
    rows = score([muse], load([STS17], data_dir)[0])
    found = {row.language: row.value for row in rows if row.metric == "spearman"}
    for language, value in {"en-en": 85.1, "es-es": 83.9, "ar-ar": 71.1}.items():
        assert found[language] == pytest.approx(value, abs=0.1), language
    expected = {"monolingual mean": 80.02, "cross-lingual mean": 77.29}
    assert STS17.means(found) == pytest.approx(expected, abs=0.1)


def test_tasks_are_names_or_tasks_and_both_together(data: Path) -> None:
    assert evaluate(Angles(), ["stsb-dev", SMALL], data) == run([Angles()], [SMALL], data)
    with pytest.raises(
        OptionError, match="unknown task 'my/pairs.tsv'; a file of your own scored pairs is --pairs"
    ):
        evaluate(Angles(), ["my/pairs.tsv"], data)
    with pytest.raises(OptionError, match="unknown task 'sts18'"):
        evaluate(Angles(), ["sts18"], data)


def test_a_task_that_is_named_twice_is_run_once(data: Path) -> None:
    assert evaluate(Angles(), [SMALL, dataclasses.replace(SMALL)], data) == run([Angles()], [SMALL], data)


def test_rows_of_two_tasks_or_tracks_are_never_one(data: Path, tmp_path: Path) -> None:
    other = dataclasses.replace(SMALL, tracks=SMALL.tracks[:1])
    with pytest.raises(OptionError, match=f"tasks must have different names, got 2 named {SMALL.name!r}"):
        evaluate(Angles(), [SMALL, other], data)
    with pytest.raises(OptionError, match="tracks must have different names, got 'es-es' twice"):
        dataclasses.replace(SMALL, tracks=SMALL.tracks[:1] * 2)
    rows = evaluate(Angles(), [SMALL], data)
    with pytest.raises(InputError, match=r"rows\.json: row 5 repeats row 1: .* es-es spearman"):
        save_rows(tmp_path / "rows.json", [*rows.scored, *rows.scored])
    assert not list(tmp_path.glob("rows*"))


def test_nothing_to_score_is_an_error(data: Path) -> None:
    with pytest.raises(OptionError, match="no task to score"):
        evaluate(Angles(), [], data)
    with pytest.raises(OptionError, match="no encoder to score"):
        evaluate([], [SMALL], data)


def test_scores_that_are_all_alike_measure_nothing(tmp_path: Path) -> None:
    track = dataclasses.replace(SMALL.tracks[0], file="a.tsv", count=2)
    (tmp_path / "a.tsv").write_text("0\t30\t4\n0\t60\t4.0\n", "utf-8")
    with pytest.raises(InputError, match=r"a\.tsv: field 'score': all scores are equal, so no correlation"):
        evaluate(Angles(), [dataclasses.replace(SMALL, tracks=(track,))], tmp_path)


@pytest.mark.parametrize("tasks", [None, 3])
def test_tasks_of_another_type_are_named(tasks: Any, data: Path) -> None:
    with pytest.raises(OptionError, match=f"tasks must be names or tasks, got {tasks}"):
        evaluate(Angles(), tasks, data)

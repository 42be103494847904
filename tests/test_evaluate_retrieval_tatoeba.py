import dataclasses
from pathlib import Path

import pytest

from amrx import langid
from amrx.errors import InputError, MissingResourceError
from amrx.evaluation import run
from amrx.evaluation.report.tables import tables
from amrx.evaluation.run import load, score
from amrx.evaluation.tasks.geometry.flores import TATOEBA_HEAD
from amrx.evaluation.tasks.retrieval.tatoeba import (
    FLORES_RETRIEVAL,
    FROM_ENGLISH,
    TATOEBA,
    TATOEBA_LANGUAGES,
    TO_ENGLISH,
    XNLI_14,
    XTREME_36,
    TatoebaLanguage,
)
from retrofit.bases import load_base
from tests.support.angles import Angles

CODES = {language.code for language in TATOEBA_LANGUAGES}
SMALL = dataclasses.replace(
    TATOEBA,
    languages=(TatoebaLanguage("deu", "de", 3), TatoebaLanguage("ber", None, 2)),
    groups=(("two", ("de", "fr")), ("none", ("xx",))),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "retrieval" / "tatoeba"
    folder.mkdir(parents=True)
    (folder / "tatoeba.deu-eng.deu").write_text("0\n50\n100\n", "utf-8")
    (folder / "tatoeba.deu-eng.eng").write_text("10\n80\n110\n", "utf-8")
    (folder / "tatoeba.ber-eng.ber").write_text("0\n90\n", "utf-8")
    (folder / "tatoeba.ber-eng.eng").write_text("80\n10\n", "utf-8")
    return tmp_path


def test_both_directions_by_hand(data: Path) -> None:
    encoder = Angles()
    rows = run([encoder], [SMALL], data)
    # de: 0 finds 10, 50 finds 80 (30 away) before 10 (40), 100 finds 110 (10) before 80 (20)
    # en: 10 finds 0, 80 finds 100 (20) before 50 (30), 110 finds 100
    found = {(row.language, row.metric): (row.value, row.n) for row in rows}
    assert found == {
        ("de", TO_ENGLISH): (100, 3),
        ("de", FROM_ENGLISH): (pytest.approx(200 / 3), 3),
        ("ber", TO_ENGLISH): (0, 2),
        ("ber", FROM_ENGLISH): (0, 2),
    }
    assert set(encoder.seen) == {
        ("0", "de"), ("50", "de"), ("100", "de"), ("0", None), ("90", None),
        ("10", "en"), ("80", "en"), ("110", "en"),
    }  # fmt: skip
    assert len(encoder.seen) == 8
    assert [table.title for table in tables(SMALL, rows)] == [
        "tatoeba, accuracy xx→en",
        "tatoeba, accuracy en→xx",
    ]


def test_flores_is_searched_as_tatoeba_is(tmp_path: Path) -> None:
    """Guo et al. 2023, appendix B.1: English sentences are the labels, accuracy as of Tatoeba."""
    folder = tmp_path / "geometry" / "flores"
    folder.mkdir(parents=True)
    (folder / "devtest.de").write_text("0\n50\n100\n", "utf-8")
    (folder / "devtest.war_Latn").write_text("81\n9\n111\n", "utf-8")
    small = tuple(
        dataclasses.replace(one, count=3)
        for one in FLORES_RETRIEVAL.languages
        if one.code in ("de", "war_Latn")
    )
    task = dataclasses.replace(FLORES_RETRIEVAL, languages=small)
    assert [one.language for one in task.load(tmp_path)[1]] == ["de", "war_Latn"]  # no English
    (folder / "devtest.en").write_text("10\n80\n110\n", "utf-8")
    encoder = Angles()
    found = {(row.language, row.metric): row.value for row in run([encoder], [task], tmp_path)}
    assert found["de", TO_ENGLISH] == 100 and found["war_Latn", TO_ENGLISH] == pytest.approx(100 / 3)
    assert {code for text, code in encoder.seen if text == "81"} == {None}
    every = FLORES_RETRIEVAL.means({one.code: 1.0 for one in FLORES_RETRIEVAL.languages})
    # the text says 68 and 135, its list has 68
    assert set(every) == {"mean, head (68)", "mean, long tail (135)", "mean, all (203)"}
    table = {row.encoder: row.means for row in FLORES_RETRIEVAL.published}
    assert table["Emma-X of 3,001 sentences"] == (("mean, head", 94.5), ("mean, long tail", 84.2))


def test_means_tell_how_many_languages_of_a_group_there_are() -> None:
    assert SMALL.means({"de": 90.0, "ber": 10.0}) == {"mean, two (1 of 2)": 90, "mean, all (2)": 50}


def test_wrong_files_stop_before_encoding(data: Path) -> None:
    encoder = Angles()
    file = data / "retrieval" / "tatoeba" / "tatoeba.ber-eng.eng"
    file.write_text("80\n \n", "utf-8")
    with pytest.raises(InputError, match=r"ber-eng\.eng:2: field 'sentence': is empty"):
        run([encoder], [SMALL], data)
    file.write_text("80\n10\n20\n", "utf-8")
    with pytest.raises(InputError, match=r"ber-eng\.eng: must have 2 sentences for tatoeba, got 3"):
        run([encoder], [SMALL], data)
    assert encoder.seen == []
    file.unlink()
    assert [str(part)[:22] for part in load([SMALL], data)[1]] == ["tatoeba ber skipped: n"]


def test_the_languages_are_112_and_their_codes_are_ones_that_encoders_take() -> None:
    assert len(TATOEBA_LANGUAGES) == len(CODES) == 112
    assert len({language.file for language in TATOEBA_LANGUAGES}) == 112
    assert (len(XTREME_36), len(XNLI_14)) == (36, 14)
    assert set(XTREME_36) | set(XNLI_14) <= CODES
    head, tail = (set(dict(TATOEBA.groups)[name]) for name in ("head", "long tail"))
    assert (head | tail, head & tail) == (CODES, set())
    assert {"ber", "cbk", "nn", "yue", "fo"} <= tail
    assert len(TATOEBA_HEAD) == 42 and head == TATOEBA_HEAD - {"en"}  # appendix A.1; the data have no English
    for language in TATOEBA_LANGUAGES:
        assert language.lang is None or langid.check(language.lang)


def test_all_real_files_load(data_dir: Path) -> None:
    parts, skipped = load([TATOEBA], data_dir)
    assert skipped == []
    assert sum(len(part.foreign) for part in parts) == 88_877


def test_muse_finds_what_it_should(data_dir: Path) -> None:
    try:
        muse = load_base("muse", "cpu")
    except MissingResourceError as error:
        pytest.skip(str(error))
    expected = {"de": 97.9, "es": 94.3, "fr": 92.4, "it": 91.4, "zh": 92.1, "ar": 77.7}
    languages = tuple(language for language in TATOEBA_LANGUAGES if language.code in expected)
    rows = score([muse], load([dataclasses.replace(TATOEBA, languages=languages)], data_dir)[0])
    found = {row.language: row.value for row in rows if row.metric == TO_ENGLISH}
    assert found == pytest.approx(expected, abs=0.2)


def test_published_means_stand_beside_those_over_all_languages_alone() -> None:
    whole = TATOEBA.means({language.code: 50.0 for language in TATOEBA.languages})
    assert [row.in_columns(list(whole)) for row in TATOEBA.published[:2]] == [
        {"mean, all (112)": 65.5},
        {"mean, all (112)": 83.7},
    ]
    part = TATOEBA.means({"de": 50.0})
    assert not any(row.in_columns(list(part)) for row in TATOEBA.published)


def test_seen_and_unseen_are_those_of_vmssts_table_15() -> None:
    seen, unseen = (dict(TATOEBA.groups)[f"VMSST {name}"] for name in ("seen", "unseen"))
    assert (len(seen), len(unseen), len(set(seen) | set(unseen))) == (82, 30, 112)
    assert {"dtp", "kzj", "wuu", "zh"} <= set(seen) and {"fa", "cy", "yi"} <= set(unseen)

import dataclasses
import gzip
import json
import sys
from pathlib import Path

import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.evaluation import run
from amrx.evaluation.run import load, score_items
from amrx.evaluation.tasks.retrieval.questions import MKQA, NQ, plain
from amrx.evaluation.tasks.summary_tables import VMSST
from tests.support.word_encoder import Words

pytest.importorskip("faiss", reason="the search needs the extra index")

SMALL_NQ = dataclasses.replace(NQ, count=3)
SMALL_MKQA = dataclasses.replace(MKQA, count=2, languages=(("en", "en"), ("zh_cn", "zh")))
PAQ = [
    {"question": "who sings i hear you knocking", "answer": ["dave edmunds"]},
    {"question": "how high is the tower", "answer": ["330 metres"]},
    {"question": "when was the tower built", "answer": ["1889"]},
]
ASKED = [
    {"question": "who sings i hear you", "answer": ["Dave Edmunds", "The  Edmunds, Dave"]},
    {"question": "how high is it", "answer": ["a 330 metres."]},
    {"question": "when was it built", "answer": ["1989"]},
]


def mkqa(kind: str, english: str, chinese: str, answer: str | None) -> dict:
    one = {"type": kind, "entity": "Q1", "text": answer, "aliases": ["nobody", "Edmunds Dave"]}
    return {
        "example_id": 5,
        "queries": {"en": english, "zh_cn": chinese, "zh_tw": "?"},
        "query": english,
        "answers": {"en": [one], "zh_cn": [{"type": kind, "text": "戴维"}]},
    }


TRANSLATED = [
    mkqa("entity", "who sings", "i hear you knocking 是谁演唱的", "Dave  EDMUNDS"),
    mkqa("unanswerable", "why", "why", None),
    mkqa("long_answer", "how", "how", None),
    mkqa("date", "when was it built", "tower 330 metres high", "1889"),
]


def jsonl(rows: list) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "retrieval" / "questions"
    folder.mkdir(parents=True)
    (folder / "PAQ.jsonl").write_text(jsonl(PAQ), "utf-8")
    (folder / "NQ-open.test.jsonl").write_text(jsonl(ASKED), "utf-8")
    with gzip.open(folder / "mkqa.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(jsonl(TRANSLATED))
    return tmp_path


def test_the_answer_of_the_nearest_question_counts(data: Path) -> None:
    scored = score_items([Words()], load([SMALL_NQ], data)[0])
    (row,) = [found.row for found in scored]
    assert (row.task, row.language, row.metric, row.n) == ("nq", "en", "R@1", 3)
    assert row.value == pytest.approx(200 / 3)
    assert scored[0].items is not None
    assert scored[0].items.tolist() == [1, 1, 0]


def test_every_language_is_held_against_the_english_answers(data: Path) -> None:
    words = Words()
    rows = run([words], [SMALL_MKQA], data)
    found = {row.language: (row.value, row.n) for row in rows}
    assert found == {"en": (100, 2), "zh_cn": (50, 2)}
    assert SMALL_MKQA.means({code: value for code, (value, _) in found.items()}) == {
        "mean, VMSST-24 (2 of 24)": 75, "mean, all (2)": 75
    }  # fmt: skip
    assert {code for text, code in words.seen if "是谁" in text} == {"zh"}


def test_answers_are_compared_as_squad_compares_them() -> None:
    assert plain("The Cat's (an) A.") == "cats"
    assert plain("theatre and") == "theatre and"


@pytest.mark.parametrize("missing", ["PAQ.jsonl", "NQ-open.test.jsonl"])
def test_what_is_missing_is_said_with_where_it_comes_from(data: Path, missing: str) -> None:
    (data / "retrieval" / "questions" / missing).unlink()
    parts, skipped = NQ.load(data)
    assert not parts
    assert missing in str(skipped[0])
    assert "github.com/facebookresearch/PAQ" in str(skipped[0])


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("PAQ.jsonl", '{"question": "q"}', "PAQ.jsonl:2: field 'answer': is missing"),
        ("PAQ.jsonl", '{"question": "q", "answer": []}', "field 'answer': is not a non-empty list"),
        ("PAQ.jsonl", "{", "PAQ.jsonl:2: field 'column 2': is not JSON"),
        (
            "PAQ.jsonl",
            '{"question": "q \\ud83d", "answer": ["a"]}',
            ":2: field 'question': 'q \\ud83d' holds",
        ),
        (
            "NQ-open.test.jsonl",
            '{"question": " ", "answer": ["a"]}',
            ":2: field 'question': must be a non-blank string",
        ),
        (
            "NQ-open.test.jsonl",
            '{"question": "q", "answer": ["a", 3]}',
            "field 'answer[1]': must be a non-blank string",
        ),
        ("NQ-open.test.jsonl", "[]", ":2: is not a JSON object"),
    ],
)
def test_a_wrong_line_stops_before_anything_is_encoded(data, file, line, message):
    path = data / "retrieval" / "questions" / file
    rows = path.read_text("utf-8").splitlines()
    rows[1] = line
    path.write_text("\n".join(rows) + "\n", "utf-8")
    words = Words()
    with pytest.raises(InputError) as error:
        run([words], [SMALL_NQ], data)
    assert message in str(error.value)
    assert words.seen == []


def test_the_mean_of_vmsst_has_the_languages_of_table_12() -> None:
    """Wieting et al. 2023, Table 12: 24 languages, one of them Chinese; MKQA has 26 and three Chinese."""
    every = {code: 10.0 for code, _ in MKQA.languages}
    assert len(every) == 26
    means = MKQA.means({**every, "zh_hk": 1000.0, "zh_tw": 1000.0})
    assert means["mean, VMSST-24 (24)"] == 10 and means["mean, all (26)"] > 80
    # Table 12 prints the rows of BiTranslation and VMSST Contrastive under each other's name: see Table 1
    table_1 = {row.encoder: dict(row.means)["MKQA: R@1"] for row in VMSST.published[:12]}
    swapped = {"BiTranslation": "VMSST Contrastive", "VMSST Contrastive": "BiTranslation"}
    assert len(MKQA.published) == 4
    for row in MKQA.published:
        scores = row.in_columns([*means, *every])
        assert MKQA.means(scores).keys() == {"mean, VMSST-24 (24)", "mean, all (24 of 26)"}
        name = row.encoder.removesuffix(", mT5")
        printed = table_1[f"{swapped.get(name, name)}, mT5"]
        assert MKQA.means(scores)["mean, VMSST-24 (24)"] == pytest.approx(printed, abs=0.11)


def test_a_language_that_mkqa_lacks_and_a_wrong_count_are_named(data: Path) -> None:
    with pytest.raises(InputError, match=r":1: field 'queries.xx': is missing"):
        dataclasses.replace(SMALL_MKQA, languages=(("xx", "xx"),)).load(data)
    with pytest.raises(InputError, match="must have 6758 questions with an answer for mkqa, got 2"):
        dataclasses.replace(SMALL_MKQA, count=6758).load(data)


def test_without_faiss_nothing_is_encoded(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    words = Words()
    with pytest.raises(MissingResourceError, match=r"pip install 'amrx\[index\]'"):
        run([words], [SMALL_NQ], data)
    assert words.seen == []

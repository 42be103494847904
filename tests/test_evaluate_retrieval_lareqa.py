import copy
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.tasks.retrieval.lareqa import LAREQA, Question, average_precision, read_xquad
from tests.support.angles import Angles

SMALL = dataclasses.replace(LAREQA, languages=("en", "de"), questions=2)
ENGLISH = {
    "data": [
        {
            "paragraphs": [
                {
                    "sentences": ["10", "90"],
                    "sentence_breaks": [[0, 2], [3, 5]],
                    "qas": [
                        {"id": "a", "question": "0", "answers": [{"answer_start": 1, "text": "0"}]},
                        {"id": "b", "question": "79", "answers": [{"answer_start": 3, "text": "90"}]},
                    ],
                }
            ]
        }
    ]
}


def german() -> dict:
    document = copy.deepcopy(ENGLISH)
    document["data"][0]["paragraphs"][0]["sentences"] = ["60", "100"]
    return document


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "retrieval" / "xquad-r"
    folder.mkdir(parents=True)
    (folder / "en.json").write_text(json.dumps(ENGLISH), "utf-8")
    (folder / "de.json").write_text(json.dumps(german()), "utf-8")
    return tmp_path


def test_map_by_hand(data: Path) -> None:
    rows = run([Angles()], [SMALL], data)
    # the pool is 10 90 | 60 100; a at 0 ranks 10 60 90 100 and is answered by 10 and 60: 1;
    # b at 79 ranks 90 60 100 10 and is answered by 90 and 100: (1/1 + 2/3) / 2
    expected = pytest.approx(100 * (1 + 5 / 6) / 2)
    assert [(row.language, row.metric, row.value, row.n) for row in rows] == [
        ("en", "mAP@20", expected, 2),
        ("de", "mAP@20", expected, 2),
    ]


@given(st.integers(0, 1000), st.integers(1, 8), st.integers(1, 5))
def test_average_precision_agrees_with_its_definition(seed: int, depth: int, count: int) -> None:
    generator = np.random.default_rng(seed)
    ranked, relevant = generator.permutation(10)[:depth], generator.permutation(10)[:count]
    total, right = 0.0, 0
    for rank, place in enumerate(ranked, start=1):
        if place in relevant:
            right += 1
            total += right / rank
    assert average_precision(ranked[None], relevant[None])[0] == pytest.approx(total / min(depth, count))


def test_an_answer_belongs_to_the_sentence_it_starts_in(data: Path) -> None:
    found = read_xquad(data / "retrieval" / "xquad-r" / "en.json")
    assert found.questions == (Question("a", "0", 0), Question("b", "79", 1))
    assert found.sentences == ("10", "90")


PARAGRAPH = "data[0].paragraphs[0]"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("sentences",), ["10"], f"field '{PARAGRAPH}': 1 sentences with 2 breaks"),
        (("sentences",), ["10", " "], f"field '{PARAGRAPH}.sentences[1]': must be a non-blank string"),
        (
            ("sentence_breaks",),
            [["x", 2], [3, 5]],
            f"field '{PARAGRAPH}.sentence_breaks[0][0]': must be an integer, got 'x'",
        ),
        (("qas", 1, "question"), None, f"field '{PARAGRAPH}.qas[1].question': must be a non-blank string"),
        (("qas", 1, "question"), "\ud83d", f"field '{PARAGRAPH}.qas[1].question': '\\ud83d' holds a lone"),
        (("qas", 1, "id"), "a", f"field '{PARAGRAPH}.qas[1]': duplicate id 'a'"),
        (("qas", 0, "answers"), [], f"field '{PARAGRAPH}.qas[0].answers': is not a non-empty list"),
        (("qas", 0, "answers"), [{}], f"field '{PARAGRAPH}.qas[0].answers[0].answer_start': is missing"),
        (("qas", 0, "answers"), [{"answer_start": -1}], "the answer starts at -1, before the first sentence"),
        (
            ("qas", 0, "answers"),
            [{"answer_start": 10**6}],
            f"field '{PARAGRAPH}.qas[0].answers[0].answer_start': the answer starts at 1000000, after the",
        ),
        (
            ("sentence_breaks",),
            [[0], [3, 5]],
            f"field '{PARAGRAPH}.sentence_breaks[0]': must have 2 numbers, got 1",
        ),
        (("qas", 1, "id"), "c", "field 'id': 'c' is not in en.json"),
        (("qas",), ENGLISH["data"][0]["paragraphs"][0]["qas"][:1], "must have 2 questions for lareqa, got 1"),
    ],
)
def test_what_is_wrong_is_named_before_anything_is_encoded(data, path, value, message):
    document = german()
    node = document["data"][0]["paragraphs"][0]
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    (data / "retrieval" / "xquad-r" / "de.json").write_text(json.dumps(document), "utf-8")
    encoder = Angles()
    with pytest.raises(InputError) as error:
        run([encoder], [SMALL], data)
    assert str(error.value).startswith(str(data / "retrieval" / "xquad-r" / "de.json"))
    assert message in str(error.value)
    assert encoder.seen == []


def test_one_missing_language_skips_all_because_the_pool_is_another(data: Path) -> None:
    (data / "retrieval" / "xquad-r" / "de.json").unlink()
    parts, skipped = SMALL.load(data)
    assert parts == []
    assert [(found.language, found.file.name) for found in skipped] == [("en", "de.json"), ("de", "de.json")]


def test_real_files_load(data_dir: Path) -> None:
    [part], skipped = LAREQA.load(data_dir)
    assert skipped == []
    assert sum(len(found.sentences) for found in part.passages) == 13_014
    english = part.passages[3]
    assert english.sentences[english.questions[0].sentence].count("308") == 1

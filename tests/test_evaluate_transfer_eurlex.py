import copy
import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.results.bootstrap import value_of
from amrx.evaluation.run import score_items
from amrx.evaluation.tasks.transfer.classifier import Labelled, Linear
from amrx.evaluation.tasks.transfer.eurlex import EURLEX, LETTERS, micro_f1
from tests.support.eurlex_files import law, write
from tests.support.word_encoder import Words

SMALL = dataclasses.replace(EURLEX, languages=("en", "de"), counts=(60, 12, 20))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for split, start, count in (("train", 0, 60), ("dev", 100, 12), ("test", 200, 20)):
        write(tmp_path, split, [law(start + n) for n in range(count)])
    return tmp_path


def test_topics_are_told_in_every_language(data: Path) -> None:
    words = Words()
    scored = score_items([words], SMALL.load(data)[0])
    rows = [found.row for found in scored]
    for found in scored:  # an item is a law
        assert found.items is not None
        assert found.items.shape == ((found.row.n, 3) if "F1" in found.row.metric else (found.row.n,))
        assert found.row.value == pytest.approx(value_of(found.items, found.row.metric))
    assert [(row.language, row.metric, row.n) for row in rows] == [
        ("en", "F1, micro", 20),
        ("en", "accuracy, top 1", 20),
        ("de", "F1, micro", 16),
        ("de", "accuracy, top 1", 16),
    ]
    assert all(row.value > 90 for row in rows if "F1" in row.metric)
    # 200, 208 and 216 have no topic, 200 no German text
    assert [row.value for row in rows if "top 1" in row.metric] == [100 * 17 / 20, 100 * 14 / 16]
    assert "?" not in {text for text, _ in words.seen}
    assert {code for text, code in words.seen if "x" in text} == {"de"}


def test_the_first_topic_is_the_one_with_the_highest_score() -> None:
    """Guo et al. 2023, section 5.2: top-1 accuracy."""
    model = Linear(np.eye(3), np.array([0.0, 0.0, -9.0]))
    vectors = np.array([[-1.0, -2.0, 5.0], [1.0, 3.0, 9.0], [1.0, 3.0, 20.0]])
    assert model.right(Labelled(vectors, np.array([0, 1, 2]))).tolist() == [True, True, True]


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 5))
def test_micro_f1_agrees_with_scikit_learn(seed: int, rows: int, topics: int) -> None:
    noise = np.random.default_rng(seed)
    predicted, gold = (noise.random((rows, topics)) < 0.4 for _ in range(2))
    expected = f1_score(gold.ravel(), predicted.ravel(), zero_division=0.0)
    assert micro_f1(predicted, gold) == pytest.approx(100 * expected)


def test_a_long_law_is_cut(data: Path) -> None:
    rows = [law(200 + n) for n in range(20)]
    rows[0]["text"]["en"] = "long " * 1000
    write(data, "test", rows)
    words = Words()
    run([words], [SMALL], data)
    assert max(len(text) for text, _ in words.seen) == LETTERS


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("eurovoc_concepts", "level_1"),
            ["7"],
            "test.jsonl:2: field 'eurovoc_concepts.level_1': unknown topic '7'",
        ),
        (("eurovoc_concepts",), {}, ":2: field 'eurovoc_concepts.level_1': is missing"),
        (("text",), "law", ":2: field 'text': is not an object"),
        (("text", "de"), 5, ":2: field 'text.de': must be a non-blank string"),
    ],
)
def test_what_is_wrong_is_named_before_anything_is_encoded(data, path, value, message):
    rows = [law(201 + n) for n in range(20)]
    node: dict = (changed := copy.deepcopy(rows))[1]
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    write(data, "test", changed)
    words = Words()
    with pytest.raises(InputError) as error:
        run([words], [SMALL], data)
    assert message in str(error.value)
    assert words.seen == []


def test_counts_and_missing_files(data: Path) -> None:
    write(data, "dev", [law(1)])
    with pytest.raises(InputError, match="must have 12 laws for multieurlex, got 1"):
        SMALL.load(data)
    (data / "transfer" / "MultiEURLEX" / "dev.jsonl").unlink()
    parts, skipped = SMALL.load(data)
    assert not parts
    assert "multi_eurlex.tar.gz" in str(skipped[0])

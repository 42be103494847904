import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.results.bootstrap import value_of
from amrx.evaluation.run import score_items
from amrx.evaluation.tasks.clusters import TNEWS, ClusterPart, in_majority
from amrx.evaluation.tasks.transfer.read import Item
from tests.support.word_encoder import Words

SMALL = dataclasses.replace(TNEWS, count=60, classes=3)


def headline(n: int) -> dict:
    label = ("100", "101", "116")[n % 3]
    return {"label": label, "label_desc": "news", "sentence": f"{label} {label} w{n}", "keywords": ""}


def write(data: Path, rows: list[dict]) -> Path:
    file = data / "clustering" / "tnews" / "dev.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return file


def test_classes_that_lie_apart_are_found(tmp_path: Path) -> None:
    write(tmp_path, [headline(n) for n in range(60)])
    words = Words()
    (row,) = run([words], [SMALL], tmp_path)
    assert (row.language, row.metric, row.value, row.n) == ("zh", "purity", 100, 60)
    assert {code for _, code in words.seen} == {"zh"}
    mixed = [{**headline(n), "label": headline(n // 3)["label"]} for n in range(60)]
    write(tmp_path, mixed)
    (found,) = score_items([Words()], SMALL.load(tmp_path)[0])
    assert found.items is not None and found.items.shape == (60,) and set(found.items) == {0, 1}
    assert value_of(found.items, "purity") == pytest.approx(found.row.value) and found.row.value < 50


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=40))
def test_purity_agrees_with_its_definition(pairs: list[tuple[int, int]]) -> None:
    clusters, labels = (np.array(side) for side in zip(*pairs, strict=True))
    total = 0
    for cluster in set(clusters.tolist()):
        inside = labels[clusters == cluster].tolist()
        total += max(inside.count(label) for label in inside)
    assert in_majority(clusters, labels).mean() == pytest.approx(total / len(pairs))


def test_wrong_files_are_named(tmp_path: Path) -> None:
    file = write(tmp_path, [headline(0), {**headline(1), "label": "105"}])
    with pytest.raises(InputError, match=r"dev.json:2: field 'label': must be one of 100, 101"):
        TNEWS.load(tmp_path)
    write(tmp_path, [headline(0)])
    with pytest.raises(InputError, match="must have 10000 rows for tnews, got 1"):
        TNEWS.load(tmp_path)
    file.unlink()
    assert "tnews_public.zip" in str(TNEWS.load(tmp_path)[1][0])


def test_the_value_is_the_mean_over_clusters_and_not_over_texts() -> None:
    items = tuple(Item(("text",), label) for label in (0, 0, 1, 1))
    part = ClusterPart(dataclasses.replace(TNEWS, classes=2), items)
    vectors = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    [found] = part.score("fake", [vectors])
    assert found.row.value == pytest.approx(100 * (2 / 3 + 1) / 2)
    assert value_of(found.items, "purity") == pytest.approx(found.row.value)

import dataclasses
import io
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError, MissingResourceError
from amrx.evaluation import run
from amrx.evaluation.neighbours.mining import by_cosine, by_margin, by_nearest
from amrx.evaluation.neighbours.nearest import nearest_of_many
from amrx.evaluation.results.bootstrap import paired_bootstrap, value_of
from amrx.evaluation.tasks.retrieval.bucc import (
    BUCC_SAMPLE,
    COSINE,
    MARGIN,
    NEAREST,
    BuccPair,
    BuccPart,
    best_threshold,
    read_member,
)
from tests.support.angles import Angles

pytest.importorskip("faiss", reason="the search needs the extra index")

SMALL = dataclasses.replace(BUCC_SAMPLE, pairs=(BuccPair("de", 3, 4, 2),))
GOOD = {
    "de": "de-1\t0\nde-2\t90\nde-3\t200\n",
    "en": "en-1\t95\nen-2\t5\nen-3\t300\nen-4\t215\n",
    "gold": "de-1\ten-2\nde-2\ten-1\n",
}


def pack(data: Path, members: dict[str, str]) -> Path:
    file = data / "retrieval" / "bucc" / "bucc2018-de-en.sample-gold.tar.bz2"
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file, "w:bz2") as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(f"bucc2018/de-en/de-en.sample.{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return file


def naive(x: np.ndarray, y: np.ndarray, k: int | None) -> list[tuple[float, int, int]]:
    """Every pair scored in a double loop; each sentence's best one among its nearest; greedily one to one."""
    unit = [[row / np.linalg.norm(row) for row in side.astype(np.float64)] for side in (x, y)]
    cosines = [[float(a @ b) for b in unit[1]] for a in unit[0]]
    turned = [list(column) for column in zip(*cosines, strict=True)]

    def top(row: list[float]) -> list[int]:
        return sorted(range(len(row)), key=lambda place: -row[place])[: k or 1]

    def mean(row: list[float]) -> float:
        return sum(row[place] for place in top(row)) / len(top(row))

    def scored(i: int, j: int) -> float:
        return cosines[i][j] if k is None else cosines[i][j] / (mean(cosines[i]) / 2 + mean(turned[j]) / 2)

    pairs = [max((scored(i, j), i, j) for j in top(cosines[i])) for i in range(len(x))]
    pairs += [max((scored(i, j), i, j) for i in top(turned[j])) for j in range(len(y))]
    kept: list[tuple[float, int, int]] = []
    for score, i, j in sorted(pairs, key=lambda pair: -pair[0]):
        if all(i != a and j != b for _, a, b in kept):
            kept.append((score, i, j))
    return kept


@given(st.integers(0, 1000), st.integers(1, 10), st.integers(1, 10), st.sampled_from([None, 1, 2, 4]))
def test_mining_agrees_with_a_naive_double_loop(seed: int, n: int, m: int, k: int | None) -> None:
    noise = np.random.default_rng(seed)
    # about one direction, as the vectors of sentences are: a ratio means little around cosine 0
    x, y = (1 + noise.normal(scale=0.5, size=(count, 6)).astype(np.float32) for count in (n, m))
    found = nearest_of_many(x, y, k or 3), nearest_of_many(y, x, k or 3)
    mined = by_cosine(*found) if k is None else by_margin(*found)
    expected = naive(x, y, k)
    assert mined.scores == pytest.approx([score for score, _, _ in expected], abs=1e-5)
    assert list(zip(mined.first, mined.second, strict=True)) == [(i, j) for _, i, j in expected]


def test_margin_puts_a_pair_with_a_hub_behind_pairs_that_stand_out() -> None:
    # the first row of y is near every row of x; the third and the fourth are near one each
    x = np.array([[1, 0, 0], [0.8, 0.6, 0], [0.8, -0.6, 0]], dtype=np.float32)
    y = np.array([[1, 0, 0.5], [0.8, 0, -0.6], [0.3, 1, 0.3], [0.3, -1, 0.3]], dtype=np.float32)
    found = nearest_of_many(x, y, 2), nearest_of_many(y, x, 2)
    assert (by_cosine(*found).first[0], by_cosine(*found).second[0]) == (0, 0)
    assert (by_margin(*found).first[-1], by_margin(*found).second[-1]) == (0, 0)


def test_the_nearest_english_sentence_of_each_foreign_one() -> None:
    """Wieting et al. 2023, section 6.2; an English sentence may be the best of several."""
    x = np.array([[0.8, 0.6], [1, 0], [0.6, 0.8]], dtype=np.float32)
    y = np.array([[1, 0], [0.8, 0.6], [0.0, 1]], dtype=np.float32)
    mined = by_nearest(nearest_of_many(x, y, 2))  # third: .96 with the second, .8 with the last
    assert list(zip(mined.first, mined.second, strict=True)) == [(0, 1), (1, 0), (2, 1)]
    assert mined.scores == pytest.approx([1, 1, 0.96], abs=1e-6)


def test_threshold_by_hand() -> None:
    right = np.array([True, True, False, True, False])
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    # taking 1..5 with 4 gold pairs: 2*1/5, 2*2/6, 2*2/7, 2*3/8, 2*3/9
    assert best_threshold(scores, right, 4) == (0.6, 75.0)
    # pairs of one score go together: taking 1, 4 or 5 with 3 gold pairs gives 2*1/4, 2*3/7, 2*3/8
    assert best_threshold(np.array([0.9, 0.7, 0.7, 0.7, 0.5]), right, 3) == (0.7, pytest.approx(600 / 7))
    assert best_threshold(np.array([0.9, 0.7, 0.7, 0.7, 0.7]), ~right, 2).score == 0.7
    # the first of two equal ones would be better alone: 2*1/2 against 2*1/3
    assert best_threshold(np.array([0.7, 0.7]), np.array([True, False]), 1) == (0.7, pytest.approx(200 / 3))


def test_f1_of_a_small_archive(tmp_path: Path) -> None:
    pack(tmp_path, GOOD)
    rows = run([Angles()], [SMALL], tmp_path)
    # 0-5 and 90-95 before 200-215 by cosine: the threshold leaves the third pair out
    metrics = (COSINE, MARGIN, NEAREST)
    assert [(row.language, row.metric, row.n) for row in rows] == [("de", metric, 2) for metric in metrics]
    assert rows[0].value == 100


def test_the_items_of_f1_are_the_foreign_sentences() -> None:
    texts = ("0", "90", "200"), ("95", "5", "300", "215")
    gold = frozenset({(0, 1), (0, 3), (1, 0)})  # the first sentence has two translations, one is found
    part = BuccPart(SMALL, SMALL.pairs[0], *texts, gold)
    found = part.score("angles", [Angles().encode(side, lang=["de"] * len(side)) for side in texts])[0]
    # right, taken, gold: 2 * 2 / (2 + 3)
    assert found.items is not None
    assert found.items.tolist() == [[1, 1, 2], [1, 1, 1], [0, 0, 0]]
    assert found.row.value == value_of(found.items, COSINE) == 80
    worse = found.items.copy()
    worse[1, 0] = 0
    assert paired_bootstrap(worse, found.items, COSINE).difference == 40


def test_vectors_of_zeros_have_no_margin() -> None:
    part = BuccPart(SMALL, SMALL.pairs[0], ("0", "0", "90"), ("0", "0", "90"), frozenset({(2, 2)}))
    sides = [np.array([[0, 0], [0, 0], [1, 0]], dtype=np.float32)] * 2
    for found in part.score("zeros", sides):
        assert found.items is not None
        assert found.row.value == value_of(found.items, found.row.metric) == 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"en": "en-1\t95\nen-2\t5\nen-3\nen-4\t215\n"},
            r"sample\.en:3: field 'column 2': row must have 2 columns, got 1",
        ),
        (
            {"en": "en-1\t95\nen-2\t5\t6\t7\n"},
            r"sample\.en:2: field 'column 3': row must have 2 columns, got 4",
        ),
        ({"de": ""}, r"de-en\.sample\.de: is empty"),
        ({"gold": "\ufeff"}, r"de-en\.sample\.gold: is empty"),
        ({"de": "de-1\t0\nde-2\t \nde-3\t200\n"}, r"sample\.de:2: field 'column 2': is empty"),
        (
            {"de": "de-1\t0\nde-1\t90\nde-3\t200\n"},
            r"sample\.de:2: field 'column 1': duplicate 'de-1', first in line 1",
        ),
        ({"gold": "de-1\ten-2\nde-2\ten-9\n"}, r"sample\.gold:2: field 'column 2': no sentence 'en-9'"),
        ({"gold": "de-1\ten-2\n"}, r"sample\.gold: must have 2 rows for bucc-sample, got 1"),
    ],
)
def test_wrong_rows_are_named_before_anything_is_encoded(tmp_path, change, message):
    pack(tmp_path, GOOD | change)
    encoder = Angles()
    with pytest.raises(InputError, match=message):
        run([encoder], [SMALL], tmp_path)
    assert encoder.seen == []


def test_without_faiss_nothing_is_encoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path, GOOD)
    monkeypatch.setitem(sys.modules, "faiss", None)
    encoder = Angles()
    with pytest.raises(MissingResourceError, match=r"pip install 'amrx\[index\]'"):
        run([encoder], [SMALL], tmp_path)
    assert encoder.seen == []


def test_the_last_row_counts_with_and_without_a_line_end(tmp_path: Path) -> None:
    for end in ("", "\n"):
        file = pack(tmp_path, {"de": f"de-1\t0\nde-2\t90{end}"})
        assert list(read_member(file, SMALL.member.format("de", "de"))) == [("de-1", "0"), ("de-2", "90")]
    with pytest.raises(InputError, match=r":3: field 'column 2': row must have 2 columns, got 1"):
        list(read_member(pack(tmp_path, {"de": "a\t0\nb\t9\n\n"}), SMALL.member.format("de", "de")))


def test_no_archive_and_no_member(tmp_path: Path) -> None:
    file = pack(tmp_path, {"de": "de-1\t0\n"})
    with pytest.raises(InputError, match=r"has no member 'bucc2018/x'"):
        list(read_member(file, "bucc2018/x"))
    file.write_bytes(b"de-1\t0\n")
    with pytest.raises(InputError, match=r"sample-gold\.tar\.bz2: is not a complete tar archive: [^\n]*$"):
        list(read_member(file, "bucc2018/x"))
    file.write_bytes(b"")
    with pytest.raises(InputError, match=r"sample-gold\.tar\.bz2: is empty"):
        list(read_member(file, "bucc2018/x"))


@pytest.mark.parametrize("packing", ["bz2", "xz"])
def test_an_archive_that_is_damaged_far_behind_its_start_is_named(tmp_path: Path, packing: str) -> None:
    text = "".join(f"de-{n}\t{n * n}\n" for n in range(100_000)).encode()
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=f"w:{packing}") as archive:
        member = tarfile.TarInfo("texts")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    damaged = bytearray(whole.getvalue())
    late = len(damaged) * 2 // 3
    damaged[late : late + 100] = bytes(100)
    file = tmp_path / "a.tar"
    file.write_bytes(damaged)
    with pytest.raises(InputError, match=r"a\.tar: is not a complete tar archive: "):
        list(read_member(file, "texts"))


def test_a_folder_is_no_text_and_a_byte_order_mark_is_none_of_it(tmp_path: Path) -> None:
    file = tmp_path / "a.tar"
    with tarfile.open(file, "w") as archive:
        folder = tarfile.TarInfo("texts")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
    with pytest.raises(InputError, match=r"a\.tar:texts: is not a file"):
        list(read_member(file, "texts"))
    marked = pack(tmp_path, {"de": "\ufeffde-1\t0\n"})
    assert list(read_member(marked, SMALL.member.format("de", "de"))) == [("de-1", "0")]


def test_the_real_archive_loads(data_dir: Path) -> None:
    [part], skipped = dataclasses.replace(BUCC_SAMPLE, pairs=BUCC_SAMPLE.pairs[2:]).load(data_dir)
    assert skipped == []
    assert (len(part.foreign), len(part.english), len(part.gold)) == (8624, 13_589, 257)


def test_a_member_that_links_to_itself_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.tar"
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        with tarfile.open(file, "w") as archive:
            link = tarfile.TarInfo("texts")
            link.type, link.linkname = kind, "texts"
            archive.addfile(link)
        with pytest.raises(InputError, match="is a link to itself|has no member"):
            list(read_member(file, "texts"))

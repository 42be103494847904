"""What the trainers read: sources, their faults, the stream and the mixture."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest

from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA
from retrofit.training.bases.mixture import Mixture, Stream, chances, count_reserved, pair_of, tatoeba_pairs
from retrofit.training.bases.sources import Source, count_all, count_rows, read_source


def numbered(folder: Path, rows: int, name: str = "a.tsv") -> Source:
    """A source whose row n is (n, -n)."""
    file = folder / name
    text = "".join(f"{row}\tminus {row}\n" for row in range(rows))
    if name.lower().endswith(".gz"):
        with gzip.open(file, "wt", encoding="utf-8") as stream:
            stream.write(text)
    else:
        file.write_text(text, "utf-8")
    return read_source("parallel", f"en-de:{file}")


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("parallel", "en-xx:a.tsv", "language code 'xx' is not in ISO 639-1"),
        ("parallel", "en:a.tsv", "wrong number of languages"),
        ("parallel", "en-en:a.tsv", "wrong number of languages"),
        ("parallel", "en-de:a,b,c", "3 files for 2 languages"),
        ("text", "a.txt", "must be LANGUAGES:FILES, got 'a.txt'; for example de:news.txt"),
        ("nli", "en-de:a.tsv", "1 files for 2 languages"),
    ],
)
def test_a_source_that_means_nothing_is_refused(kind, text: str, told: str):
    with pytest.raises(OptionError, match="--" + kind) as caught:
        read_source(kind, text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("a\nb\nc\n", "x\ny\n", "text.de:2: ends here, but"),
        ("a\nb\n", "x\ny\nz\n", "text.en:2: ends here, but"),
        ("a\n \nc\n", "x\ny\nz\n", "text.en:2: is empty"),
        ("a\nb\n", "", "text.de: is empty"),
    ],
)
def test_faults_of_two_files_name_file_and_line(tmp_path: Path, first: str, second: str, told: str):
    (tmp_path / "text.en").write_text(first)
    (tmp_path / "text.de").write_text(second)
    source = read_source("parallel", f"en-de:{tmp_path}/text.en,{tmp_path}/text.de")
    with pytest.raises(InputError) as caught:
        count_rows(source)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\tb\nc\n", "a.tsv:2: has 1 columns, not 2"),
        ("a\tb\tc\n", "a.tsv:1: has 3 columns, not 2"),
        ("a\tb\nc\t \n", "a.tsv:2: column 2 is empty"),
    ],
)
def test_faults_of_a_table_name_file_and_line(tmp_path: Path, text: str, told: str):
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(InputError) as caught:
        count_rows(read_source("parallel", f"en-de:{tmp_path}/a.tsv"))
    assert told in str(caught.value)


def test_too_little_input_is_refused(tmp_path: Path):
    with pytest.raises(OptionError, match="no input; give --text"):
        count_all([], batch=2, what="--text")
    with pytest.raises(OptionError, match="3 rows in all are less than one batch of 4"):
        count_all([numbered(tmp_path, 3)], batch=4, what="--parallel")


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz", "A.TSV.GZ"])
def test_every_epoch_has_every_row_once_in_an_order_of_its_own(tmp_path: Path, name: str):
    source = numbered(tmp_path, 10, name)
    stream = Stream(source, count_rows(source), (1,), block=4)
    epochs = [stream.take(10) for _ in range(2)]
    for epoch in epochs:
        assert sorted(epoch) == sorted((str(row), f"minus {row}") for row in range(10))
        assert {int(first) for first, _ in epoch[:4]} == {0, 1, 2, 3}  # a block is shuffled in itself
    assert epochs[0] != epochs[1]
    assert Stream(source, 10, (1,), block=4).take(20) == epochs[0] + epochs[1]
    assert Stream(source, 10, (2,), block=4).take(20) != epochs[0] + epochs[1]


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
@pytest.mark.parametrize("taken", [0, 3, 4, 9, 10, 13])
def test_a_stream_goes_on_from_its_state(tmp_path: Path, name: str, taken: int):
    source = numbered(tmp_path, 10, name)
    stream, other = (Stream(source, 10, (1,), block=4) for _ in range(2))
    stream.take(taken)
    other.restore(json.loads(json.dumps(stream.state())))
    assert other.take(17) == stream.take(17)


def test_a_file_that_shrank_is_named(tmp_path: Path):
    source = numbered(tmp_path, 10)
    stream = Stream(source, 12, (1,), block=20)
    with pytest.raises(InputError, match=r"a\.tsv:11: has fewer lines than when it was checked"):
        stream.take(1)


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path):
    def peak(rows: int) -> int:
        source = numbered(tmp_path, rows, f"{rows}.tsv")
        tracemalloc.start()
        stream = Stream(source, count_rows(source), (1,), block=256)
        for _ in range(rows // 64):
            stream.take(64)
        _, found = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return found

    peak(1024)  # what is made once, such as imports
    small, large = peak(1024), peak(16_384)
    assert large < 1.25 * small


def test_a_temperature_draws_small_sources_more_often(tmp_path: Path):
    sources = [numbered(tmp_path, 90, "large.tsv"), numbered(tmp_path, 10, "small.tsv")]

    def share(temperature: float) -> float:
        mixture = Mixture(sources, (90, 10), temperature=temperature, seed=0, block=16)
        rows = [row for step in range(40) for row in mixture.draw(step, 25)]
        return sum(row.source is sources[1] for row in rows) / len(rows)

    assert share(1.0) == pytest.approx(0.1, abs=0.03)
    assert share(2.0) == pytest.approx(0.25, abs=0.04)
    assert share(1e6) == pytest.approx(0.5, abs=0.05)
    assert chances((90, 10), 1.0).tolist() == [0.9, 0.1]


def test_a_mixture_goes_on_from_its_state(tmp_path: Path):
    sources = [numbered(tmp_path, 9, "a.tsv"), numbered(tmp_path, 5, "b.tsv.gz")]
    one, other = (Mixture(sources, (9, 5), temperature=2.0, seed=3, block=4) for _ in range(2))
    for step in range(7):
        one.draw(step, 4)
    other.restore(json.loads(json.dumps(one.state())))
    assert [other.draw(step, 4) for step in range(7, 12)] == [one.draw(step, 4) for step in range(7, 12)]


def test_test_pairs_of_tatoeba_are_not_drawn(tmp_path: Path) -> None:
    """Wieting et al. 2023, 6.1: "we take care to not include any Tatoeba test data in our training data"."""
    pairs = [(f"Satz {n}.", f"Sentence {n}.") for n in range(1, 11)]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"{one}\t{two}\n" for one, two in pairs), "utf-8")
    source = read_source("parallel", f"de-en:{file}")
    test = {("sentence 2.", "SATZ  2."), ("Satz 9.", "Sentence 9."), ("Satz 3.", "Sentence 4.")}
    reserved = frozenset(map(pair_of, test))
    assert count_reserved(source, reserved) == 2
    stream = Stream(source, 10, (1,), block=4, reserved=reserved)
    epoch = stream.take(8)
    assert sorted(epoch) == sorted(pair for pair in pairs if pair[0] not in ("Satz 2.", "Satz 9."))
    state = stream.state()
    again = Stream(source, 10, (1,), block=4, reserved=reserved)
    again.restore(state)
    assert again.take(11) == stream.take(11)
    with pytest.raises(InputError, match="pairs.tsv: has only test pairs of Tatoeba"):
        count_reserved(source, frozenset(map(pair_of, pairs)))


def test_the_test_pairs_are_those_of_the_data_folder(tmp_path: Path) -> None:
    assert tatoeba_pairs(None) == frozenset()
    with pytest.raises(MissingResourceError, match="test pairs of Tatoeba in "):
        tatoeba_pairs(str(tmp_path))
    (language,) = [one for one in TATOEBA.languages if one.code == "ang"]
    for side in ("ang", "eng"):
        path = tmp_path / TATOEBA.file.format("ang", side)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{side} {n}\n" for n in range(language.count)), "utf-8")
    pairs = tatoeba_pairs(str(tmp_path))
    assert len(pairs) == language.count and pair_of(("Eng 5", "ang 5")) in pairs

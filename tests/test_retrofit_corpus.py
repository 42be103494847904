import gzip
import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.records.json_lines import find_file
from retrofit.training.amr.corpus import read_corpus
from retrofit.training.amr.dev import read_dev, score_dev

SENTENCES = [
    {"id": 10, "group": 7, "lang": "en", "text": "The boy wants to go."},
    {"id": 11, "group": 7, "lang": "de", "text": "Der Junge will gehen."},
    {"id": 12, "group": 9, "lang": "de", "text": "Sie schläft."},
    {"id": 13, "group": 9, "lang": "en", "text": "She sleeps."},
]
PARSES = [
    {"id": 11, "tokens": "( want-01 :ARG0 ( boy ) )", "status": "ok"},
    {"id": 10, "tokens": "( want-01 :ARG1 ( go-02 ) )", "status": "repaired"},
    {"id": 12, "tokens": "( amr-empty )", "status": "failed"},
]
TRIPLETS = [{"premise": 7, "entailment": 9, "contradiction": 7}]
PAIRS = [{"a": 7, "b": 9, "score": 0.25}, {"a": 9, "b": 7, "score": None}]


def write(folder: Path, **files: list[dict[str, object]]) -> Path:
    given = {"sentences": SENTENCES, "parses": PARSES, "triplets": TRIPLETS, "pairs": PAIRS} | files
    for stem, records in given.items():
        text = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{stem}.jsonl").write_text(text, "utf-8")
    return folder


def test_a_corpus_becomes_arrays(tmp_path: Path):
    corpus = read_corpus(write(tmp_path))
    assert corpus.languages == ("en", "de")
    assert corpus.texts == ("The boy wants to go.", "She sleeps.")
    assert corpus.table.tolist() == [[1, 0], [-1, -1]]
    row = corpus.parses.row(int(corpus.table[0, 0]))
    assert [corpus.words[number] for number in row] == "( want-01 :ARG1 ( go-02 ) )".split()
    assert corpus.triplets.tolist() == [[0, 1, 0]]
    assert corpus.pairs.tolist() == [[0, 1], [1, 0]]
    assert corpus.scores[0] == 0.25 and np.isnan(corpus.scores[1])
    assert (corpus.failed, corpus.repeated) == (1, 0)


def test_the_commands_write_the_parses(tmp_path: Path) -> None:
    """As docs/training.md says; the graphs are those that amrx parse would write."""
    from amrx.cli import main
    from amrx.records import read_sentences, write_graphs
    from parser.run.stream import failed_parse
    from tests.support.toy_parser import ToyParser

    sentences = list(read_sentences(write(tmp_path) / "sentences.jsonl"))
    parses = [*ToyParser().parse(sentences[:3]), failed_parse(sentences[3])]
    write_graphs(parses, tmp_path / "graphs.jsonl")
    assert main(["linearize", str(tmp_path / "graphs.jsonl"), "-o", str(tmp_path / "parses.jsonl")]) == 0
    corpus = read_corpus(tmp_path)
    assert corpus.table.tolist() == [[0, 1], [-1, 2]] and corpus.failed == 1
    write(tmp_path, parses=[{"id": "011", "tokens": "( boy )", "status": "ok"}])
    with pytest.raises(InputError, match="parses.jsonl:1: field 'id': must be an integer, got '011'"):
        read_corpus(tmp_path)


def test_compressed_files_read_alike(tmp_path: Path):
    plain = read_corpus(write(tmp_path))
    for stem, opener in (("parses", gzip.open), ("sentences", lzma.open)):
        suffix = "gz" if opener is gzip.open else "xz"
        file = tmp_path / f"{stem}.jsonl"
        with opener(tmp_path / f"{stem}.jsonl.{suffix}", "wb") as stream:
            stream.write(file.read_bytes())
        file.unlink()
    packed = read_corpus(tmp_path)
    assert packed.words == plain.words and (packed.table == plain.table).all()


def test_blank_lines_and_empty_files_are_nothing(tmp_path: Path):
    write(tmp_path, triplets=[])
    with gzip.open(tmp_path / "pairs.jsonl.gz", "wb"):
        (tmp_path / "pairs.jsonl").unlink()
    parses = (tmp_path / "parses.jsonl").read_text("utf-8")
    (tmp_path / "parses.jsonl").write_text("\n" + parses.replace("\n", "\n \n"), "utf-8")
    corpus = read_corpus(tmp_path)
    assert corpus.triplets.shape == (0, 3) and corpus.pairs.shape == (0, 2) and len(corpus.parses) == 2


@pytest.mark.parametrize("suffix", ["gz", "xz"])
def test_a_cut_archive_is_named(suffix: str, tmp_path: Path):
    whole = {"gz": gzip, "xz": lzma}[suffix].compress((write(tmp_path) / "parses.jsonl").read_bytes())
    (tmp_path / "parses.jsonl").unlink()
    for packed in (whole[:-20], b"no archive"):
        (tmp_path / f"parses.jsonl.{suffix}").write_bytes(packed)
        with pytest.raises(InputError, match=rf"parses\.jsonl\.{suffix}: is not a complete {suffix}"):
            read_corpus(tmp_path)


def test_triplets_and_pairs_may_be_missing(tmp_path: Path):
    write(tmp_path)
    for stem in ("triplets", "pairs"):
        (tmp_path / f"{stem}.jsonl").unlink()
    corpus = read_corpus(tmp_path)
    assert corpus.triplets.shape == (0, 3) and corpus.pairs.shape == (0, 2)


@pytest.mark.parametrize(
    ("stem", "records", "message"),
    [
        (
            "sentences",
            [{"id": "a", "group": 1, "lang": "en", "text": ""}],
            ":1: field 'id': must be an integer, got 'a'",
        ),
        ("sentences", [*SENTENCES, SENTENCES[0]], "sentences.jsonl:5: field 'id': 10 occurs twice"),
        ("sentences", SENTENCES[:3], "field 'group': group 9 has no English sentence"),
        ("sentences", [*SENTENCES, {**SENTENCES[0], "id": 20}], "field 'group': 7 has two English"),
        ("parses", [{"id": 99, "tokens": "( a )", "status": "ok"}], ":1: field 'id': 99 is no"),
        ("parses", [{"id": 10, "tokens": "( a )", "status": "odd"}], ":1: field 'status': must be ok, "),
        ("parses", [{"id": 10, "status": "ok"}], "parses.jsonl:1: field 'tokens': is missing"),
        ("parses", PARSES[2:], "holds no usable parse"),
        ("triplets", [{"premise": 7, "entailment": 8, "contradiction": 9}], "'entailment': 8 is not a group"),
        ("pairs", [{"a": 7, "b": 9, "score": 3.5}], "pairs.jsonl:1: field 'score': must be a score in 0..1"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(tmp_path: Path, stem: str, records: list[dict[str, object]], message: str):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read_corpus(write(tmp_path, **{stem: records}))


def test_no_json_and_no_file_are_named(tmp_path: Path):
    with pytest.raises(InputError, match="sentences.jsonl: no such file"):
        read_corpus(tmp_path)
    write(tmp_path)
    (tmp_path / "pairs.jsonl").write_text('{"a": 7, "b": 9, "score": 1}\n{"a": 7,\n')
    with pytest.raises(InputError, match="pairs.jsonl:2: field 'column 9': is not JSON"):
        read_corpus(tmp_path)
    (tmp_path / "parses.jsonl").write_bytes(b'{"id": 10, "tokens": "\xff", "status": "ok"}\n')
    with pytest.raises(InputError, match="parses.jsonl.* is not UTF-8"):
        read_corpus(tmp_path)


def dev_folder(folder: Path, base: np.ndarray | None = None) -> Path:
    sentences = [{"id": i, "group": i, "lang": "de", "text": "x"} for i in range(4)]
    parses = [{"id": i, "tokens": f"( c{i} )", "status": "ok" if i < 3 else "failed"} for i in (2, 0, 1, 3)]
    pairs = [{"a": 0, "b": b, "score": float(5 - b), "lang": "de"} for b in (1, 2, 3)]
    write(folder, dev_sentences=sentences, dev_parses=parses, dev_pairs=pairs)
    if base is not None:
        np.save(folder / "dev_base.npy", base)
    return folder


def test_dev_pairs_score_the_right_rows(tmp_path: Path):
    dev = read_dev(dev_folder(tmp_path))
    assert dev is not None and dev.row.tolist() == [1, 2, 0, -1]
    rows = np.array([[1, 1], [1, 0], [1, 0.1]], dtype=np.float32)  # c2 far, c0, c1 near
    score = score_dev(dev, rows)
    assert score.selection == score.alone == pytest.approx(100) and score.weight is None
    assert score.by_language == {"de": pytest.approx(100)}


def test_dev_base_adds_the_combined_score(tmp_path: Path):
    angles = np.array([0.0, 0.2, 0.1, 1.5])  # the base alone takes c2 for nearer than c1
    base = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    dev = read_dev(dev_folder(tmp_path, base))
    assert dev is not None
    score = score_dev(dev, np.array([[0, 1], [1, 0], [1, 0.1]], dtype=np.float32))
    assert score.weight is not None and score.weight > 0
    assert score.selection == pytest.approx(100)


def test_a_dev_base_of_another_length_is_an_error(tmp_path: Path):
    with pytest.raises(InputError, match=r"shape \(3, 2\), not \(4, d\)"):
        read_dev(dev_folder(tmp_path, np.zeros((3, 2), dtype=np.float32)))


def test_no_dev_pairs_is_no_error(tmp_path: Path):
    assert read_dev(write(tmp_path)) is None


def test_a_corpus_whose_dev_sentences_are_not_parsed_yet_is_one(tmp_path: Path):
    folder = dev_folder(tmp_path, np.zeros((4, 2), dtype=np.float32))
    for stem in ("dev_parses", "dev_pairs"):  # they are written after the sentences
        find_file(folder, stem).unlink()
    with pytest.raises(InputError, match=r"dev_parses\.jsonl: no such file"):
        read_dev(folder)

"""The commands `amrx search` and `amrx pairs`."""

import io
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from amrx.cli import main
from amrx.vector_cache import VectorCache
from parser.run.cache import CachedParser, ParseCache
from retrofit.combine import RetrofittedEncoder
from tests.support.search_toys import GRAPHS, Graphs, Lengths, Told


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The commands load this parser, between fakes."""
    parser = Told()

    def load(*names: str, split: bool, cache: ParseCache | None) -> RetrofittedEncoder:
        parser.names = (*names, split, None if cache is None else cache.path.name)
        kept = parser if cache is None else CachedParser(parser, cache)
        encoder, weight = RetrofittedEncoder(Lengths(), kept, Graphs()), names[3]
        return encoder if weight is None else encoder.with_weight(weight)

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    return parser


def command(*words: str | Path | int) -> int:
    return main([str(word) for word in words])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "q.csv").write_text("id,text,lang\nq1,dog bites man,en\nq2,?,en\n")
    (tmp_path / "c.txt").write_text("".join(f"{text}\n" for text in GRAPHS))
    return tmp_path / "q.csv", tmp_path / "c.txt"


def test_search_writes_json_lines(told: Told, files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "o.jsonl"
    assert command("search", *files, "-k", 1, "--lang", "en", "--id-column", "id", "--why", "-o", out) == 0
    first, second = [json.loads(line) for line in out.read_text().splitlines()]
    assert first == {
        "id_a": "q1", "text_a": "dog bites man", "id_b": "1", "text_b": "dog bites man",
        "base": 1.0, "channels": 1.0, "combined": 1.0, "differ": [], "lang_a": "en", "lang_b": "en",
    }  # fmt: skip
    assert (second["id_a"], second["channels"], second["differ"]) == ("q2", None, [])
    assert told.seen.count("dog bites man") == 1  # in the cache by then


def test_empty_texts_are_left_out(told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "t.txt"
    text.write_text("\ndog bites man\n \nman bites dog\n\n")
    out, empty = tmp_path / "o.jsonl", tmp_path / "e.txt"
    assert command("pairs", text, "--lang", "en", "-o", out) == 0
    [row] = [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["id_a"], row["id_b"]} == {"2", "4"}
    assert f"{text}: 3 of 5 texts are empty; left out" in capsys.readouterr().err
    empty.write_text("\n \n")
    assert command("search", text, empty, "--lang", "en", "-o", tmp_path / "no.jsonl") == 2
    assert f"{empty}: every text is empty" in capsys.readouterr().err
    assert not (tmp_path / "no.jsonl").exists()


def test_pairs_writes_a_table_to_standard_output(told, files, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"dog bites man\nman bites dog\n?\n")))
    words = ("--lang", "en", "--format", "tsv", "--threshold", "-1", "--why", "--no-cache")
    assert command("pairs", "-", *words) == 0
    output = capsys.readouterr()
    rows = [line.split("\t") for line in output.out.splitlines()]
    scores = ["base", "channels", "combined"]
    assert rows[0] == ["id_a", "text_a", "id_b", "text_b", *scores, "differ", "lang_a", "lang_b"]
    assert rows[1][-2:] == ["en", "en"] and rows[1][:4] == ["1", "dog bites man", "2", "man bites dog"]
    assert rows[1][7].startswith("swapped role: :ARG0 of bite-01: dog | man; swapped role")
    assert len(rows) == 4 and rows[2][5] == ""  # of "?", whose parse failed
    assert output.err == "standard output: 3 lines\n"


def test_contradictions_are_marked_or_dropped_and_counted(told, files, tmp_path, capsys):
    words = ("pairs", files[1], "--lang", "en", "--no-cache")
    assert command(*words, "-o", tmp_path / "all.tsv") == 0
    assert command(*words, "--contradictions", "mark", "-o", tmp_path / "mark.tsv") == 0
    assert command(*words, "--contradictions", "drop", "-o", tmp_path / "drop.tsv") == 0
    every, marked, dropped = (
        [line.split("\t") for line in (tmp_path / f"{name}.tsv").read_text().splitlines()]
        for name in ("all", "mark", "drop")
    )
    place = marked[0].index("contradictions")
    assert marked[0][place:] == ["contradictions", "lang_a", "lang_b"]
    assert [row[:place] + row[place + 1 :] for row in marked] == every  # one column more
    against = [row for row in marked[1:] if row[place]]
    assert 0 < len(against) < len(every) - 1
    kept = [row for row, mark in zip(every[1:], marked[1:], strict=True) if not mark[place]]
    assert dropped == [every[0], *kept]
    assert f"drop.tsv: {len(dropped) - 1} lines; {len(against)} left out" in capsys.readouterr().err
    assert command("pairs", files[1], "--contradictions", "hide") == 2


def test_a_preset_without_graphs_parses_the_matches(told, files, tmp_path, monkeypatch, capsys):
    asked: list[tuple[object, ...]] = []

    def reader(*names: object, **options: object) -> Told:
        asked.append((*names, options["split"]))
        return told

    encoder = RetrofittedEncoder(Lengths(), None, Lengths())
    monkeypatch.setattr(sys.modules["retrofit.load"], "load", lambda *_names, **_options: encoder)
    monkeypatch.setattr(sys.modules["retrofit.load"], "load_reader", reader)
    words = ("pairs", files[1], *"--lang en --preset fast --parser mine -o".split(), tmp_path / "o.jsonl")
    assert command(*words) == 0
    assert (asked, told.seen) == ([], []) and "--parser mine is not used" in capsys.readouterr().err
    assert command(*words, "--contradictions", "mark") == 0
    assert asked == [("mine", True)] and sorted(told.seen) == sorted(GRAPHS)
    assert "is not used" not in capsys.readouterr().err


def test_groups_are_the_sentences_that_pairs_connect(told, tmp_path, capsys):
    text, words = tmp_path / "t.txt", ("--lang", "en", "--groups", "--threshold", "0.999", "--no-cache")
    text.write_text("dog bites man\ndog bites two men\nman bites dog\n?\ndog bites no man\n")
    assert command("pairs", text, "--lang", "en", "--threshold", "0.999", "-o", tmp_path / "p.jsonl") == 0
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    joined = {frozenset((row["id_a"], row["id_b"])) for row in rows}
    assert command("pairs", text, *words, "-o", tmp_path / "g.jsonl") == 0
    groups = [json.loads(line) for line in (tmp_path / "g.jsonl").read_text().splitlines()]
    assert [group["size"] for group in groups] == sorted((len(g["ids"]) for g in groups), reverse=True)
    names = [set(group["ids"]) for group in groups]
    assert all(sum(pair <= group for group in names) == 1 for pair in joined)
    assert sum(map(len, names)) == len(set().union(*joined)) and groups
    first = groups[0]
    inside = [row["combined"] for row in rows if row["id_a"] in first["ids"]]
    assert (first["lowest"], first["langs"]) == (min(inside), ["en"] * first["size"])
    assert first["texts"] == [text.read_text().splitlines()[int(name) - 1] for name in first["ids"]]
    assert command("pairs", text, *words, "--contradictions", "drop", "-o", tmp_path / "g.tsv") == 0
    assert (tmp_path / "g.tsv").read_text().startswith("size\tlowest\tids\ttexts\tlangs\n")
    assert "left out: their graphs contradict each other" in capsys.readouterr().err


def test_a_table_keeps_identifiers_and_spaces(told: Told, tmp_path: Path) -> None:
    lines = [{"id": " a  b ", "text": "dog  bites\tman"}, {"id": "a b", "text": "dog bites man"}]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert command("pairs", tmp_path / "s.jsonl", "--lang", "en", "-o", tmp_path / "o.tsv") == 0
    _, row = (tmp_path / "o.tsv").read_text().splitlines()
    assert row.split("\t")[:4] == [" a  b ", "dog  bites man", "a b", "dog bites man"]


def test_columns_apply_to_a_parquet_file_too(told: Told, files: tuple[Path, Path], tmp_path: Path) -> None:
    rows = {"id": ["p"], "text": ["?"], "body": ["dog bites man"]}
    pq.write_table(pa.table(rows), tmp_path / "c.parquet")
    (tmp_path / "q.jsonl").write_text('{"body": "dog bites man"}\n')
    out = tmp_path / "o.jsonl"
    assert command("search", tmp_path / "q.jsonl", tmp_path / "c.parquet", "--column", "body", "-o", out) == 0
    assert json.loads(out.read_text())["text_b"] == "dog bites man"


def test_the_options_reach_models_and_caches(told: Told, files: tuple[Path, Path], tmp_path: Path) -> None:
    names = ("--base", "b", "--parser", "p", "--encoder", "mini", "--weight", 2, "--no-split")
    caches = ("--cache", tmp_path / "p.sqlite", "--vector-cache", tmp_path / "v.sqlite")
    columns = ("--column", "text", "--lang-column", "lang", "--id-column", "id")
    out = tmp_path / "o.tsv"
    assert command("search", *files, "--lang", "de", *names, *caches, *columns, "--top", 1, "-o", out) == 0
    assert told.names == ("b", "p", ("mini",), (2.0,), False, "p.sqlite")
    assert [line.split("\t")[0] for line in out.read_text().splitlines()] == ["id_a", "q1", "q2"]
    with VectorCache(tmp_path / "v.sqlite") as kept:
        assert len(kept) == 2 * (2 + len(GRAPHS))  # the languages differ
    assert command("pairs", files[1], files[1], "--margin", "--rerank", 9) == 2
    assert command("pairs", files[1], "--preset", "graph", "--lang", "en", "--split", "-o", out) == 0
    assert told.names[2] == ("mini",)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["search", "q.csv", "none.txt"], "none.txt: no such file"),
        (["search", "q.csv", "empty.txt"], "empty.txt: is empty"),
        (["search", "-", "-"], "standard input can be one of the files, not both"),
        (["search", "c.txt", "c.txt", "--column", "text"], "c.txt has no columns to choose"),
        (["search", "q.csv", "c.txt", "--column", "no"], "q.csv:1: no column 'no'"),
        (["search", "q.csv", "c.txt", "-o", "o.csv"], "o.csv: name a .jsonl or .tsv file"),
        (["search", "q.csv", "c.txt", "-o", "o.tsv.gz"], "o.tsv.gz: name a .jsonl or .tsv file"),
        (["pairs", "tab.jsonl", "-o", "o.tsv"], "o.tsv: id 'a\\tb' has a tab or line break; write .jsonl"),
        (["search", "c.txt", "break.jsonl", "-o", "o.tsv"], "id 'a\\u2028b' has a tab or line break"),
        (["search", "q.csv", "c.txt", "-o", "o.tsv", "--format", "jsonl"], "the suffix of o.tsv disagree"),
        (["search", "q.csv", "c.txt", "-o", "c.txt", "--format", "tsv"], "c.txt: is also an input"),
        (["search", "q.csv", "c.txt", "--rerank", "2"], "rerank must be a whole number >= top (5), got 2"),
        (["search", "q.csv", "c.txt", "-k", "0"], "Input should be greater than or equal to 1"),
        (["search", "q.csv", "c.txt", "--lang", "english"], "language code 'english' is not in ISO 639-1"),
        (["pairs", "c.txt", "--margin"], "--margin is for the translations of two files; give FILE2"),
        (["search", "q.csv", "c.txt", "--device", "gpu"], "device 'gpu' is unknown"),
        (["pairs", "c.txt", "--device", "cuda:99"], "device 'cuda:99' is not on this machine"),
        (["pairs", "c.txt", "--groups"], "--groups needs --threshold"),
        (["pairs", "c.txt", "c.txt", "--groups", "--threshold", "0"], "--groups is for the duplicates"),
        (["pairs", "c.txt", "--groups", "--threshold", "0", "--why"], "leave out --why"),
        (["pairs", "same.jsonl", "--groups", "--threshold", "0"], "--groups needs distinct ids, and 'a'"),
        (["pairs", "c.txt", "--threshold", "7"], "threshold must be a cosine from -1 to 1, got 7.0"),
        (["pairs", "c.txt", "--weight", "0", "--rerank", "9"], "rerank needs a channel with a weight"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line(told, files, words, error, capsys, monkeypatch):
    monkeypatch.chdir(files[0].parent)
    Path("empty.txt").touch()
    Path("tab.jsonl").write_text('{"id": "a\\tb", "text": "?"}\n')
    Path("break.jsonl").write_text('{"id": "a\\u2028b", "text": "?"}\n')
    Path("same.jsonl").write_text('{"id": "a", "text": "?"}\n' * 2)
    before = sorted(path.name for path in Path().iterdir())
    assert command(*words) == 2
    output = capsys.readouterr()
    assert error in output.err and output.err.count("\n") == 1 and output.out == ""
    assert sorted(path.name for path in Path().iterdir()) == before
    assert told.seen == []


def test_the_shipped_models_find_a_translation_and_say_why(muse_files, tmp_path, capsys):
    (tmp_path / "q.txt").write_text("Der Hund beißt den Mann.\n")
    (tmp_path / "c.txt").write_text(
        "Interest rates rose in March.\nThe dog bites the man.\nThe dog does not bite the man.\n"
    )
    for words in ((), ("--rerank", 3)):
        assert command("search", tmp_path / "q.txt", tmp_path / "c.txt", "-k", 3, "--why", *words) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["id_b"] for line in lines] == ["2", "3", "1"]
        assert any(words.startswith("negation: :polarity of") for words in lines[1]["differ"])

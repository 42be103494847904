import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from amrx.cli import main
from retrofit.combine import RetrofittedEncoder
from tests.support.fake_command import FakeBase, FakeGraphs, FakeParser, german, parser, run
from tests.support.vector_files import read_vectors

__all__ = ["parser", "german"]


def test_a_text_file_becomes_vectors_with_ids_and_failures(parser, german, tmp_path, capsys):
    out = tmp_path / "v.npy"
    assert run(german, "--lang", "de", "-o", out) == 0
    ids, vectors = read_vectors(out)
    assert ids == [str(i) for i in range(1, 11)]
    assert vectors.shape == (10, 5) and vectors.dtype == np.float32
    assert [i for i, v in enumerate(vectors) if not v[3:].any()] == [3, 7]
    listing = (tmp_path / "v.npy.failed.tsv").read_text().splitlines()
    assert listing == ["row\tid\tlang\ttext", "4\t4\tde\tSatz 3?", "8\t8\tde\tSatz 7?"]
    assert "2 parses failed, their AMR part is zero" in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.txt", "v.npy", "v.npy.failed.tsv", "v.npy.ids"]


def test_weight_zero_writes_the_bases_bits_and_parses_nothing(parser, german, tmp_path):
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--weight", 0) == 0
    texts = german.read_text().splitlines()
    assert np.load(tmp_path / "v.npy").tobytes() == FakeBase().encode(texts, lang=["de"] * 10).tobytes()
    assert parser.seen == []


@pytest.mark.parametrize("changed", [("--batch-size", 7), ("--block", 4)])
def test_other_batches_begin_anew(parser, german, tmp_path, changed):
    # in bf16 a vector is rounded by its batch: rows of two partitions must not stand in one file
    settings = {"--batch-size": 64, "--block": 2}
    parser.dies_at = 3
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", *flat(settings)) == 130
    parser.seen, parser.dies_at = [], 0
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", *flat({**settings, **dict([changed])})) == 0
    assert len(parser.seen) == 10


def flat(settings: dict[str, int]) -> list[str | int]:
    return [word for pair in settings.items() for word in pair]


def test_other_settings_begin_anew(parser: FakeParser, german: Path, tmp_path: Path):
    parser.dies_at = 3
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--block", 2) == 130
    parser.seen, parser.dies_at = [], 0
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--block", 2, "--weight", 0.5) == 0
    assert len(parser.seen) == 10
    assert np.load(tmp_path / "v.npy")[0, 3:] == pytest.approx(0.5 * np.sqrt(0.5))


def test_detected_languages_are_told(parser, german, tmp_path, capsys):
    assert run(german, "-o", tmp_path / "v.npy") == 0
    assert "the language of 10 of 10 texts is detected, as one of ar de en " in capsys.readouterr().err


def test_parses_are_kept_for_the_next_command(parser, german, tmp_path, monkeypatch):
    cache = tmp_path / "c.sqlite"
    arguments = ["retrofit", str(german), "--lang", "de", "-o"]
    assert main([*arguments, str(tmp_path / "v.npy"), "--cache", str(cache)]) == 0
    monkeypatch.setenv("AMRX_CACHE", str(cache))
    parser.seen = []
    assert main([*arguments, str(tmp_path / "w.npy"), "--weight", "1"]) == 0
    assert parser.seen == []
    assert (tmp_path / "w.npy").read_bytes() == (tmp_path / "v.npy").read_bytes()
    assert (tmp_path / "w.npy.failed.tsv").read_text() == (tmp_path / "v.npy.failed.tsv").read_text()
    assert main([*arguments, str(tmp_path / "x.npy"), "--no-cache"]) == 0
    assert len(parser.seen) == 10


def test_a_second_run_parses_and_encodes_nothing(parser, german, tmp_path, monkeypatch, capsys):
    cache = ["--cache", str(tmp_path / "p.sqlite"), "--vector-cache", str(tmp_path / "v.sqlite")]
    arguments = ["retrofit", str(german), "--lang", "de", *cache, "-o"]
    assert main([*arguments, str(tmp_path / "v.npy")]) == 0
    assert "from the cache" not in capsys.readouterr().err
    assert run(german, "--lang", "de", "-o", tmp_path / "plain.npy") == 0
    (tmp_path / "p.sqlite").unlink()  # vectors alone are asked for
    parser.seen = []

    def worked(*_arguments: object, **_options: object) -> None:
        raise AssertionError("encoded again")

    monkeypatch.setattr(FakeBase, "encode", worked)
    monkeypatch.setattr(FakeGraphs, "encode_graphs", worked)
    capsys.readouterr()
    assert main([*arguments, str(tmp_path / "w.npy")]) == 0
    assert main([*arguments, str(tmp_path / "half.npy"), "--weight", "0.5"]) == 0  # of the same parts
    assert parser.seen == [] and "20 vectors of base and channels came" in capsys.readouterr().err
    for name in ("v.npy", "plain.npy"):
        assert (tmp_path / "w.npy").read_bytes() == (tmp_path / name).read_bytes()
    assert (tmp_path / "w.npy.failed.tsv").read_text() == (tmp_path / "v.npy.failed.tsv").read_text()
    assert np.load(tmp_path / "half.npy")[0, 3:] == pytest.approx(0.5 * np.load(tmp_path / "v.npy")[0, 3:])
    with pytest.raises(AssertionError, match="encoded again"):
        run(german, "--lang", "de", "-o", tmp_path / "x.npy")


@pytest.mark.parametrize("suffix", ["npy", "parquet", "jsonl"])
def test_tables_keep_order_and_ids_in_every_format(parser: FakeParser, tmp_path: Path, suffix: str):
    table = tmp_path / "in.csv"
    table.write_text('name,satz,sprache\nx9,"Hallo, du",de\na1,Ciao,it\nx10,"Hallo, du",de\n', "utf-8")
    out = tmp_path / f"v.{suffix}"
    options = ["--column", "satz", "--lang-column", "sprache", "--id-column", "name", "-o", out]
    assert run(table, *options) == 0
    ids, vectors = read_vectors(out)
    assert ids == ["x9", "a1", "x10"]
    assert (vectors[0] == vectors[2]).all() and not (vectors[0] == vectors[1]).all()
    assert parser.seen == ["Hallo, du", "Ciao"]
    assert not list(tmp_path.glob("*.work.npy"))


def test_float16_and_format_without_suffix(parser: FakeParser, german: Path, tmp_path: Path):
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--dtype", "float16") == 0
    assert np.load(tmp_path / "v.npy").dtype == np.float16
    assert run(german, "--lang", "de", "-o", tmp_path / "w", "--format", "jsonl") == 0
    assert len((tmp_path / "w.jsonl").read_text().splitlines()) == 10


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_encode_gives_the_rows_that_the_command_writes(parser, german, tmp_path, precision):
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--dtype", precision) == 0
    encoder = RetrofittedEncoder(FakeBase(), parser, FakeGraphs())
    rows = encoder.encode(german.read_text("utf-8").splitlines(), lang="de", precision=precision)
    written = np.load(tmp_path / "v.npy")
    assert rows.dtype == written.dtype == precision and rows.tolist() == written.tolist()


def test_standard_input(parser: FakeParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"eins\nzwei\n")))
    assert run("-", "--lang", "de", "-o", tmp_path / "v.npy") == 0
    assert parser.seen == ["eins", "zwei"]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    assert run("-", "--lang", "de", "-o", tmp_path / "v.npy") == 2


def test_the_table_of_failures_can_be_named(parser: FakeParser, german: Path, tmp_path: Path):
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--failed", tmp_path / "bad.tsv") == 0
    assert len((tmp_path / "bad.tsv").read_text().splitlines()) == 3


def test_the_stage_is_light_to_import_and_runs_alone():
    code = "import sys, retrofit; print(callable(retrofit.load), 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
    done = subprocess.run(
        [sys.executable, "-m", "retrofit", "none.txt", "-o", "v.npy"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "none.txt: no such file" in done.stderr


def test_empty_texts_are_counted(parser: FakeParser, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = tmp_path / "in.txt"
    text.write_text("Ja.\n\n \nNein.\n", "utf-8")
    assert run(text, "--lang", "de", "-o", tmp_path / "v.npy") == 0
    assert f"{text}: 2 of 4 texts are empty; their vectors mean nothing\n" in capsys.readouterr().err
    text.write_text("Ja.\nNein.\n", "utf-8")
    assert run(text, "--lang", "de", "-o", tmp_path / "w.npy") == 0
    assert "texts are empty" not in capsys.readouterr().err

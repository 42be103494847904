"""Named pipes and process substitution in place of files."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import InputError
from amrx.records import read_graphs
from amrx.records.rereading import seekable
from retrofit.training.amr.gather_nli import gather_nli
from retrofit.training.bases.sources import count_rows, read_source
from tests.support import parse_command
from tests.support.fake_command import FakeParser, parser, run
from tests.support.toy_parser import ToyParser

__all__ = ["parser"]


def pour(fifo: Path, content: bytes) -> threading.Thread:
    """Write to a pipe once, beside its reader."""
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(content,), daemon=True)
    writer.start()
    return writer


PIPES = {
    "p": (b"eins\nzwei\n", []),
    "p.txt": (b"eins\nzwei", []),
    "p.csv": (b"text,lang\neins,de\nzwei,de\n", []),
    "p.tsv": (b"a\tx\neins\ty\nzwei\tz\n", ["--column", "a"]),
    "p.jsonl": (b'{"text": "eins"}\n{"text": "zwei"}\n', []),
    "p.amr": (b"# ::snt eins\n(a / a)\n\n# ::snt zwei\n(a / a)\n", []),
}


@pytest.mark.parametrize("name", PIPES)
def test_a_named_pipe_is_retrofitted_as_a_file_is(parser: FakeParser, tmp_path: Path, name: str):
    content, options = PIPES[name]
    writer = pour(tmp_path / name, content)
    lang = [] if name.endswith(".amr") else ["--lang", "de"]
    assert run(tmp_path / name, *lang, "-o", tmp_path / "v.npy", *options) == 0
    writer.join()
    assert parser.seen == ["eins", "zwei"] and np.load(tmp_path / "v.npy").shape == (2, 5)


@pytest.mark.parametrize("name", PIPES)
def test_a_named_pipe_is_parsed_as_a_file_is(toy: ToyParser, tmp_path: Path, name: str):
    content, options = PIPES[name]
    writer = pour(tmp_path / name, content)
    lang = [] if name.endswith(".amr") else ["--lang", "de"]
    assert parse_command.run(tmp_path / name, *lang, "-o", tmp_path / "g.amr", *options) == 0
    writer.join()
    assert [parse.text for parse in read_graphs(tmp_path / "g.amr")] == ["eins", "zwei"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b"gut\n\xff\n", ":2: is not UTF-8"), (b"\xef\xbb\xbf", "is empty")],
)
def test_errors_of_a_pipe_name_the_pipe(parser, tmp_path, content, message, capsys):
    pour(tmp_path / "p.txt", content)
    assert run(tmp_path / "p.txt", "--lang", "de", "-o", tmp_path / "v.npy") == 2
    told = capsys.readouterr().err
    assert f"{tmp_path / 'p.txt'}" in told and message in told and "amrx-input" not in told


def test_process_substitution(tmp_path: Path):
    """The shell passes /dev/fd/63, a pipe without a suffix; a large one comes in many pieces."""
    program = f"{sys.executable} -m tests.support.toy_parser"
    command = f"{program} <(seq 1 30000) --parser toy --lang de --no-cache -o {tmp_path}/g.jsonl"
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", command], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert [parse.text for parse in read_graphs(tmp_path / "g.jsonl")] == [str(n) for n in range(1, 30001)]


def test_a_copy_of_a_pipe_is_private_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pour(tmp_path / "p.jsonl.gz", b"packed")
    with seekable(tmp_path / "p.jsonl.gz") as path:
        assert Path(path).read_bytes() == b"packed" and path.endswith(".jsonl.gz")
        assert Path(path).stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["p.jsonl.gz"]
    with seekable(tmp_path / "a.txt") as path:
        assert path == str(tmp_path / "a.txt")


CLOSED = {
    "linearize - <&-": (2, "standard input: cannot be read: Bad file descriptor"),
    "smatch - g.amr 0>written": (2, "standard input: cannot be read: Bad file descriptor"),
    "retrofit - --lang de -o v.npy <&-": (2, "standard input: cannot be read: Bad file descriptor"),
    "--help >&-": (2, "standard output: Bad file descriptor"),
    "smatch g.amr g.amr >&-": (2, "standard output: Bad file descriptor"),
    "linearize g.amr >/dev/full": (2, "standard output: No space left on device"),
    "show g.amr >/dev/full": (2, "standard output: No space left on device"),
    "linearize g.amr -o g.txt --quiet <&- >&-": (0, ""),
    "linearize missing.amr 2>&-": (2, ""),
}


@pytest.mark.parametrize("command", CLOSED)
def test_standard_streams_that_are_closed_or_full_are_one_line(tmp_path: Path, command: str):
    (tmp_path / "g.amr").write_text("(b / boy)\n")
    status, told = CLOSED[command]
    bash = shutil.which("bash")
    assert bash is not None
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    root = str(Path(__file__).resolve().parent.parent)
    done = subprocess.run(
        [bash, "-c", f"{sys.executable} -m amrx {command}"],
        cwd=tmp_path, env=environment | {"PYTHONPATH": root}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (status, f"amrx: error: {told}\n" if told else "")


@pytest.mark.parametrize("name", ["v.npy", "v.parquet", "v"])
def test_vectors_are_not_written_to_a_pipe_that_holds_no_lines(parser, tmp_path, name, capsys):
    (tmp_path / "s.txt").write_text("eins\n")
    os.mkfifo(tmp_path / name)
    form = ["--format", "jsonl"] if name == "v" else []
    assert run(tmp_path / "s.txt", "--lang", "de", "-o", tmp_path / name, *form) == 2
    assert f"{name}: is a pipe or device" in capsys.readouterr().err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["s.txt", name] and parser.calls == 0


def test_dev_stdout_gets_no_suffix(parser: FakeParser, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "s.txt").write_text("eins\n")
    assert run(tmp_path / "s.txt", "--lang", "de", "-o", "/dev/stdout", "--format", "jsonl") == 2
    assert "/dev/stdout: is a pipe or device" in capsys.readouterr().err


def test_translate_refuses_a_pipe_as_it_refuses_standard_input(tmp_path, capsys):
    os.mkfifo(tmp_path / "p.txt")
    for given in (tmp_path / "p.txt", "-"):
        assert main(["translate", str(given), "-o", str(tmp_path / "out"), "--to", "de"]) == 2
        assert "cannot be read again after a kill; give a file" in capsys.readouterr().err


def test_a_training_refuses_a_pipe_at_once(tmp_path: Path):
    os.mkfifo(tmp_path / "p.txt")
    with pytest.raises(InputError, match=r"p\.txt: must be a file"):
        count_rows(read_source("text", f"de:{tmp_path / 'p.txt'}"))


def test_nli_of_a_pipe_is_gathered_as_of_a_file(tmp_path: Path):
    pour(tmp_path / "p.csv", b"sent0,sent1,hard_neg\na,b,c\n")
    with seekable(tmp_path / "p.csv") as path:
        assert len(gather_nli([Path(path)], [])[0].triplets) == 1

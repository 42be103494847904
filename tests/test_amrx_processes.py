"""amrx.processes: no worker outlives the work that it was started for."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from amrx.processes import Workers

SCRIPT = """
import signal, sys
from amrx.cli import _guarded
from amrx.processes import Workers

def work(pipe):
    with open(pipe) as stream:  # two workers: each announces itself and waits for ever
        print("at work", flush=True)
        stream.read()

def run():
    with Workers(2) as workers:
        list(workers.map(work, [sys.argv[1]] * 2))

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    sys.exit(_guarded(run, debug=False))
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_workers_end_with_their_parent_amid_their_work(number: int, status: int, tmp_path: Path) -> None:
    script, pipe = tmp_path / "script.py", tmp_path / "pipe"
    script.write_text(SCRIPT)
    os.mkfifo(pipe)
    parent = subprocess.Popen(
        [sys.executable, str(script), str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    writing = os.open(pipe, os.O_WRONLY)  # waits for the first reader
    try:
        assert parent.stdout is not None
        assert [parent.stdout.readline() for _ in range(2)] == ["at work\n"] * 2
        parent.send_signal(number)  # to the parent alone
        gone = select.poll()
        gone.register(writing, 0)  # reports an error only: no reader is left
        assert gone.poll(60_000) == [(writing, select.POLLERR)]
    finally:
        os.close(writing)  # else a worker that goes on would hold up the next line
        _, told = parent.communicate()
    assert parent.returncode == status
    assert status != 130 or told == "amrx: error: interrupted\n"


def test_an_error_in_the_block_ends_a_worker_at_work(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(KeyError), Workers(1) as workers:
        workers.submit(Path.read_text, pipe)
        writing = os.open(pipe, os.O_WRONLY)
        raise KeyError
    with pytest.raises(BrokenPipeError):
        os.write(writing, b"x")
    os.close(writing)


def test_work_that_was_asked_for_is_done_at_an_ordinary_end() -> None:
    with Workers(1) as workers:
        answers = workers.map(abs, [-1, -2])
        assert list(answers) == [1, 2]

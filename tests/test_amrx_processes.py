"""amrx.processes: workers end with their work and fit into the memory."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from amrx.processes import Workers, affordable

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


def write(root: Path, name: str, text: str) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_the_least_free_memory_counts(tmp_path: Path) -> None:
    assert affordable(8, 10**9, tmp_path) == 8  # a system that reports nothing
    write(tmp_path, "proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 5000000 kB\n")
    assert affordable(8, 10**9, tmp_path) == 5
    write(tmp_path, "sys/fs/cgroup/memory.max", "max\n")
    write(tmp_path, "sys/fs/cgroup/memory.current", "3000000000\n")
    assert affordable(8, 10**9, tmp_path) == 5
    write(tmp_path, "sys/fs/cgroup/memory.max", "4000000000\n")
    write(tmp_path, "sys/fs/cgroup/memory.stat", "anon 7\ninactive_file 1000000000\n")
    assert affordable(8, 10**9, tmp_path) == 2
    write(tmp_path, "sys/fs/cgroup/memory.max", "2000000000\n")
    assert affordable(8, 10**9, tmp_path) == 1


def test_the_older_control_groups_count(tmp_path: Path) -> None:
    write(tmp_path, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9000000000\n")
    write(tmp_path, "sys/fs/cgroup/memory/memory.usage_in_bytes", "6000000000\n")
    assert affordable(8, 10**9, tmp_path) == 3


def test_threads_wait_asleep_unless_the_user_says_otherwise() -> None:
    command = [sys.executable, "-c", "import amrx, os; print(os.environ['OMP_WAIT_POLICY'])"]
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    for own, expected in (({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")):
        done = subprocess.run(command, env={**environment, **own}, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected

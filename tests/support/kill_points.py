"""Kill a piece of work just before its n-th change of a folder, to try what a kill leaves.

Not a clock but an audit hook chooses the moment: it sees each file that is opened for writing, renamed,
removed or cut, and each folder that is made.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")


def killed_at(number: int, folder: Path, work: Callable[[], object]) -> bool:
    """Do the work in a forked process, killed before its change ``number``; False if it makes fewer."""
    child = os.fork()
    if child == 0:
        try:
            _install(number, str(folder))
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _install(number: int, folder: str) -> None:
    seen = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        writes = event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & _WRITES)
        if (writes or event in _CHANGES) and str(arguments[0]).startswith(folder):
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder, hidden ones too, by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def kill_everywhere(tmp_path: Path, work: Callable[[Path], object], step: int) -> int:
    """Kill the work at every ``step``-th change of a folder and do it again; return the number of kills."""
    (tmp_path / "whole").mkdir()
    work(tmp_path / "whole")
    expected = contents(tmp_path / "whole")
    number, kills = 1, 0
    while True:
        folder = tmp_path / f"killed-{number}"
        folder.mkdir()
        killed = killed_at(number, folder, lambda: work(folder))  # noqa: B023  # called at once
        if not killed:
            assert contents(folder) == expected
            return kills
        work(folder)
        assert contents(folder) == expected, f"killed before change {number}"
        number, kills = number + step, kills + 1

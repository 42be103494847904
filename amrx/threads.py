"""Choose the number of computing threads.

Law: the minimum of the CPU affinity of this process, the CPU quotas of its control group and all groups above
it (cgroup v1 and v2), and ``OMP_NUM_THREADS``. Threads beyond the number of cores wait for each other while
they spin: small matrix products become 33 times slower.

::

    /proc/self/cgroup   0::/a/b              v2: /sys/fs/cgroup/a/b/cpu.max, .../a/cpu.max, .../cpu.max
                        4:cpu,cpuacct:/a/b   v1: /sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us and _period_us, ...

torch is imported inside a function, so that importing this module is cheap.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from amrx.errors import OptionError

VARIABLE = "OMP_NUM_THREADS"
ROOT = Path("/")
"""Parent of ``proc`` and ``sys``; tests replace it."""


def cores(root: Path | None = None) -> int:
    """Return the number of CPU cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return max(1, int(min([count, *_quotas(root or ROOT)])))


def default_threads(root: Path | None = None) -> int:
    """Return the default number of threads: `cores`, or ``OMP_NUM_THREADS`` if that is lower."""
    return min(cores(root), _from_environment() or cores(root))


def _from_environment() -> int | None:
    """Return the first number of ``OMP_NUM_THREADS``, or ``None`` if there is none."""
    first = os.environ.get(VARIABLE, "").partition(",")[0].strip()
    if not (first.isascii() and first.isdecimal()):
        return None
    return int(first[:9]) or None  # cut: Python refuses to read thousands of digits


def limit_threads(count: int | None) -> None:
    """Limit this process and its child processes to ``count`` threads."""
    if count is not None:
        os.environ[VARIABLE] = str(min(_checked(count), default_threads()))


def set_threads(count: int | None = None) -> int:
    """Let torch compute with ``count`` threads and return the number chosen.

    The number never exceeds ``default_threads()``, which is also the choice for ``None``.
    """
    import torch

    limit = default_threads()
    chosen = limit if count is None else min(_checked(count), limit)
    torch.set_num_threads(chosen)
    return chosen


def _checked(count: int) -> int:
    if count < 1:
        raise OptionError(f"threads must be >= 1, got {count}")
    return count


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quota in cores of each control group that limits this process."""
    try:
        lines = (root / "proc/self/cgroup").read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return
    mount = root / "sys/fs/cgroup"
    for line in lines:
        number, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if number == "0" and not names:
            for group in _groups(mount, path):
                yield from _share(*_numbers(group / "cpu.max", 2))
        elif "cpu" in names.split(","):
            for group in _groups(mount / "cpu", path):
                files = group / "cpu.cfs_quota_us", group / "cpu.cfs_period_us"
                yield from _share(*(number for file in files for number in _numbers(file, 1)))


def _groups(mount: Path, path: str) -> Iterator[Path]:
    """Yield the folder of a control group and of its parents; inside a container only the last may exist."""
    parts = [part for part in path.split("/") if part not in ("", "..")]
    for depth in range(len(parts), -1, -1):
        yield mount.joinpath(*parts[:depth])


def _numbers(file: Path, count: int) -> list[int]:
    """Return the first ``count`` numbers of a file; none if it is missing or holds a word such as ``max``."""
    with contextlib.suppress(OSError, ValueError):
        return [int(word) for word in file.read_text("utf-8").split()[:count]]
    return []


def _share(*numbers: int) -> Iterator[float]:
    """Yield quota over period if both are given and positive (-1: no limit)."""
    if len(numbers) == 2 and min(numbers) > 0:
        yield numbers[0] / numbers[1]

"""How many threads may compute.

Law: the least of the processor cores of this process's affinity mask, the CPU quota of its control group and
of every group above it (cgroup v1 and v2), and ``OMP_NUM_THREADS``. More threads than cores wait for each
other while they spin: small products become 33 times slower.

::

    /proc/self/cgroup   0::/a/b              v2: /sys/fs/cgroup/a/b/cpu.max, .../a/cpu.max, .../cpu.max
                        4:cpu,cpuacct:/a/b   v1: /sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us and _period_us, ...

torch is imported inside the function that needs it, so that importing this module costs nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from amrx.errors import OptionError

VARIABLE = "OMP_NUM_THREADS"
ROOT = Path("/")
"""Where ``proc`` and ``sys`` are mounted; tests put a folder in its place."""


def cores(root: Path | None = None) -> int:
    """Return the number of processor cores that this process may use, 1 or more."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return max(1, int(min([count, *_quotas(root or ROOT)])))


def default_threads(root: Path | None = None) -> int:
    """Return how many threads may compute in this process: `cores`, or fewer by ``OMP_NUM_THREADS``."""
    return min(cores(root), _asked() or cores(root))


def _asked() -> int | None:
    """Return the threads of ``OMP_NUM_THREADS``, whose first number counts; ``None`` where it names none."""
    first = os.environ.get(VARIABLE, "").partition(",")[0].strip()
    if not (first.isascii() and first.isdecimal()):
        return None
    return int(first[:9]) or None  # cut: Python refuses to read thousands of digits


def limit_threads(count: int | None) -> None:
    """Let this process, and those that it starts, compute with ``count`` threads at most.

    Raises:
        OptionError: ``count`` is below 1.
    """
    if count is not None:
        os.environ[VARIABLE] = str(min(_checked(count), default_threads()))


def set_threads(count: int | None = None) -> int:
    """Let torch compute with ``count`` threads and return the number it took.

    The number never rises above ``default_threads()``, which is also what ``None`` takes.

    Raises:
        OptionError: ``count`` is below 1.
    """
    import torch

    most = default_threads()
    chosen = most if count is None else min(_checked(count), most)
    torch.set_num_threads(chosen)
    return chosen


def _checked(count: int) -> int:
    if count < 1:
        raise OptionError(f"{count} threads cannot compute; give 1 or more")
    return count


def _quotas(root: Path) -> Iterator[float]:
    """Yield the cores that each control group of this process grants; none where there is no limit."""
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
    """Yield the folder of a control group and of all above it; a container may see only the last."""
    parts = [part for part in path.split("/") if part not in ("", "..")]
    for depth in range(len(parts), -1, -1):
        yield mount.joinpath(*parts[:depth])


def _numbers(file: Path, count: int) -> list[int]:
    """Return the numbers of a file; none where there is no such file, or a word such as ``max``."""
    with contextlib.suppress(OSError, ValueError):
        return [int(word) for word in file.read_text("utf-8").split()[:count]]
    return []


def _share(*numbers: int) -> Iterator[float]:
    """Yield quota over period where both are there and limit anything (-1: no limit)."""
    if len(numbers) == 2 and min(numbers) > 0:
        yield numbers[0] / numbers[1]

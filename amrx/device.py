"""Where and how fast things run: device, batches by length, progress bars.

torch is imported inside the functions that need it, so that importing this module costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from amrx.errors import OptionError

if TYPE_CHECKING:
    import torch

T = TypeVar("T")


def pick_device(name: str | None = None) -> torch.device:
    """Return the device called ``name``, or the best there is: cuda, then mps, then cpu.

    Raises:
        OptionError: The name is unknown to torch or the device is not on this machine.

    Example:
        >>> pick_device("cpu")
        device(type='cpu')
    """
    import torch

    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "mps" if _has_mps() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise OptionError(f"device {name!r} is unknown; use cpu, cuda, cuda:1, ... or mps") from None
    present = {
        "cpu": True,
        "cuda": torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count(),
        "mps": _has_mps(),
    }
    if not present.get(device.type, False):
        raise OptionError(f"device {name!r} is not on this machine")
    return device


def _has_mps() -> bool:
    """Tell whether Apple's GPU is there."""
    import torch

    return torch.backends.mps.is_available()


@contextmanager
def repeatable_sums(device: torch.device) -> Iterator[None]:
    """Let sums on a CPU be taken in one order, so that a run repeated gives the same bits.

    The gradient of indexing with repeated rows (``x[rows]``) is added up by several threads in the order in
    which they come, which another load on the machine changes. Other devices are left as they are.

    Example:
        >>> import torch
        >>> with repeatable_sums(torch.device("cpu")):
        ...     torch.are_deterministic_algorithms_enabled()
        True
    """
    import torch
    from torch.utils import deterministic

    if device.type != "cpu":
        yield
        return
    settings: Any = deterministic
    before, filled = torch.get_deterministic_debug_mode(), settings.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True, warn_only=True)
    settings.fill_uninitialized_memory = False  # it would find memory that is read before it is written
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(before)
        settings.fill_uninitialized_memory = filled


def length_buckets(lengths: Sequence[int], batch_size: int) -> list[list[int]]:
    """Return batches of positions, the longest first, so that a batch pads little and memory peaks early.

    Every position stands in exactly one batch; equal lengths keep their order.

    Raises:
        OptionError: ``batch_size`` is below 1.

    Example:
        >>> length_buckets([3, 9, 3, 5], 2)
        [[1, 3], [0, 2]]
    """
    if not isinstance(batch_size, int) or batch_size < 1:
        raise OptionError(f"batch_size must be a whole number >= 1, got {batch_size!r}")
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]


def progress(
    items: Iterable[T],
    total: int | None = None,
    description: str = "",
    *,
    show: bool | None = None,
    note: Callable[[], str] | None = None,
) -> Iterator[T]:
    """Yield ``items`` while a bar on standard error shows how many are done, how fast, and how long it takes.

    Args:
        items: Anything to go through.
        total: How many there are; taken from ``items`` when it has a length.
        description: A word in front of the bar.
        show: ``True`` draws it, ``False`` does not, ``None`` only when standard error is a terminal.
        note: Says after each item what stands in place of the items a second.
    """
    if show is False or (show is None and not sys.stderr.isatty()):
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    if total is None and isinstance(items, Sequence):
        total = len(items)
    name, speed = TextColumn("{task.description}"), TextColumn("{task.fields[speed]}")
    columns = (name, BarColumn(), MofNCompleteColumn(), speed, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(description, total=total, speed="")
        for item in items:
            yield item
            rate = bar.tasks[0].speed
            told = note() if note else f"{rate:,.0f}/s" if rate else ""
            bar.update(task, advance=1, speed=told)

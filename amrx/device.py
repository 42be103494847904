"""Choose the device, batch by length, show progress.

torch is imported inside functions, so that importing this module is cheap.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from amrx.errors import OptionError

if TYPE_CHECKING:
    import torch
    from rich.progress import Progress

T = TypeVar("T")
DEVICE = "AMRX_DEVICE"
"""Environment variable: the default device."""


def use_device(name: str | None) -> None:
    """Make ``name`` the default of `pick_device`, here and in child processes; ``None`` is ignored."""
    if name is not None:
        pick_device(name)
        os.environ[DEVICE] = name


def default_device(otherwise: str) -> str:
    """Return ``AMRX_DEVICE``, else ``otherwise``: the choice of models that need no GPU."""
    return os.environ.get(DEVICE) or otherwise


def pick_device(name: str | None = None) -> torch.device:
    """Return device ``name``, else ``AMRX_DEVICE``, else the best available: cuda, mps, cpu."""
    import torch

    has_mps = torch.backends.mps.is_available()
    name = name or os.environ.get(DEVICE) or None
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise OptionError(f"device {name!r} is unknown; use cpu, cuda, cuda:1, ... or mps") from None
    present = {
        "cpu": True,
        "cuda": torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count(),
        "mps": has_mps,
    }
    if not present.get(device.type, False):
        raise OptionError(f"device {name!r} is not on this machine")
    return device


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed torch's generator of the CPU, and restore it at the end."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@contextmanager
def repeatable_sums(device: torch.device) -> Iterator[None]:
    """Sum on a CPU in a fixed order, so that a repeated run gives the same bits.

    Several threads add up the gradient of indexing with repeated rows (``x[rows]``) in the order in which
    they finish, which depends on the load of the machine. Other devices are left alone.
    """
    import torch
    from torch.utils import deterministic

    if device.type != "cpu":
        yield
        return
    settings: Any = deterministic
    before, filled = torch.get_deterministic_debug_mode(), settings.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True, warn_only=True)
    settings.fill_uninitialized_memory = False  # only useful to find reads of uninitialised memory
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(before)
        settings.fill_uninitialized_memory = filled


def length_buckets(lengths: Sequence[int], batch_size: int) -> list[list[int]]:
    """Return batches of positions, longest first: little padding, and memory peaks early.

    Every position is in exactly one batch; equal lengths keep their order.

    Example:
        >>> length_buckets([3, 9, 3, 5], 2)
        [[1, 3], [0, 2]]
    """
    if not isinstance(batch_size, int) or batch_size < 1:
        raise OptionError(f"batch_size must be a whole number >= 1, got {batch_size!r}")
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]


def pad_rows(rows: Sequence[Sequence[int]], filler: int, width: int | None = None) -> torch.Tensor:
    """Return rows of ids as one tensor ``(B, T)`` on the CPU; ``T`` is ``width``, or the longest length.

    Example:
        >>> pad_rows([[0, 7, 2], [0, 2]], 1).tolist()
        [[0, 7, 2], [0, 2, 1]]
    """
    import numpy as np
    import torch

    longest = max(map(len, rows), default=0) if width is None else width
    padded = np.full((len(rows), longest), filler, np.int64)
    for number, row in enumerate(rows):
        padded[number, : len(row)] = row
    return torch.from_numpy(padded)


EVERY = 60.0
"""Seconds between two progress lines if standard error is not a terminal."""
_LOOPS: list[_Loop] = []
"""The loops shown now, outermost first."""


@contextmanager
def lines_every(seconds: float) -> Iterator[None]:
    """Write a progress line every ``seconds``, with one clock for all loops of a command."""
    global EVERY
    before, EVERY = EVERY, seconds
    _Loop.last, _Loop.one_clock = time.monotonic(), True
    try:
        yield
    finally:
        EVERY, _Loop.one_clock = before, False


def progress(
    items: Iterable[T],
    total: int | None = None,
    description: str = "",
    *,
    show: bool | None = None,
    note: Callable[[], str] | None = None,
    size: Callable[[T], int] = lambda item: 1,
) -> Iterator[T]:
    """Yield ``items`` and show on standard error the count, the speed and the time left.

    A terminal gets a bar, anything else a line per minute. Nested loops are shown together.

    Args:
        items: Any iterable.
        total: Sum of the sizes of ``items``; computed if ``items`` is a sequence.
        description: Text in front of the bar.
        show: ``False`` shows nothing.
        note: Returns the text shown instead of the speed, called after each item.
        size: Count of an item, for example the number of sentences of a block.
    """
    if show is False and not _LOOPS:
        yield from items
        return
    if total is None and isinstance(items, Sequence):
        total = sum(map(size, items))
    loop = _Loop(description, total, note)
    try:
        for item in items:
            yield item
            loop.advance(size(item))
    finally:
        loop.end()


class _Loop:
    """A loop whose progress is shown."""

    last = 0.0  # time of the last line, or of the start of the clock
    one_clock = False  # whether the clock started before the first loop
    _display: Progress | None = None  # shared by all loops, on a terminal

    def __init__(self, name: str, total: int | None, note: Callable[[], str] | None) -> None:
        self.name, self.total, self.done, self._note = name, total, 0, note
        self._began = time.monotonic()
        if not _LOOPS:
            _Loop.last = _Loop.last if _Loop.one_clock else self._began
            _Loop._display = _open_display() if sys.stderr.isatty() else None
        _LOOPS.append(self)
        self._task = None if self._display is None else self._display.add_task(name, total=total, state="")

    def advance(self, count: int) -> None:
        """Count an item and show the progress if it is due."""
        self.done += count
        if self._display is not None and self._task is not None:
            self._display.update(self._task, completed=self.done, state=self.state().removeprefix(", "))
        elif time.monotonic() - _Loop.last >= EVERY:
            _Loop.last = time.monotonic()
            first = _LOOPS[0]
            state = first.state()  # empty before its first item; then the inner loops tell theirs
            inner = ", ".join(
                f"{loop.name} {loop.count()}{'' if state else loop.state()}" for loop in _LOOPS[1:]
            )
            line = f"{first.name}: {first.count()}{f' ({inner})' if inner else ''}{state}"
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    def count(self) -> str:
        """Return the number of items done, as text."""
        return f"{self.done:,}" if self.total is None else f"{self.done:,} of {self.total:,}"

    def state(self) -> str:
        """Return the speed, or the note, and the time left."""
        rate = self.done / max(time.monotonic() - self._began, 1e-9)
        words = self._note() if self._note else f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
        if not rate and not self._note:
            return ""
        if not rate or self.total is None:
            return f", {words}"
        left = timedelta(seconds=round(max(0, self.total - self.done) / rate))
        return f", {words}, {left} left"

    def end(self) -> None:
        """Remove the loop, and the display after the last one."""
        _LOOPS.remove(self)
        if self._display is not None and self._task is not None and _LOOPS:
            self._display.remove_task(self._task)
        if self._display is not None and not _LOOPS:
            self._display.stop()


def _open_display() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    display = Progress(*columns, TextColumn("{task.fields[state]}"), console=Console(stderr=True))
    display.start()
    return display

"""Guards of a training: its folder is its own, its numbers are finite, its best weights are there."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from amrx.errors import AmrxError, InputError, OutputError
from amrx.records.locks import take_lock

LOCK = ".training.lock"


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Keep other trainings out of the folder ``out``, which is made; removed again if nothing came into it.

    Two runs in one folder would write over each other's checkpoints. A killed run holds no lock.

    Raises:
        OutputError: Another run is training into it, or it cannot be made.
    """
    new = not out.exists()
    make_folder(out)
    lock = out / LOCK
    descriptor = take_lock(lock, out)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(descriptor)
        if new:
            with contextlib.suppress(OSError):
                out.rmdir()


def make_folder(folder: Path) -> None:
    """Make a folder with its parents.

    Raises:
        OutputError: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be created: {error.strerror}") from error


def check_finite(values: Mapping[str, float], what: str) -> None:
    """Abort a training at a loss or gradient that is NaN or infinite, before it spoils the weights.

    Raises:
        AmrxError: One of them is not finite; the message says all of them.

    Example:
        >>> check_finite({"nli": 0.5, "gradient": math.inf}, "step 7")
        Traceback (most recent call last):
        amrx.errors.AmrxError: step 7 is not finite (nli 0.5, gradient inf); lower the rate
    """
    if not all(math.isfinite(value) for value in values.values()):
        told = ", ".join(f"{name} {value}" for name, value in values.items())
        raise AmrxError(f"{what} is not finite ({told}); lower the rate")


def require_best(weights: Path, checkpoint: Path, way_out: str = "give --fresh to begin anew") -> None:
    """Check, before a run goes on, that the best weights are there that its checkpoint counts on.

    Raises:
        InputError: They are not; the message names the way out.
    """
    if not weights.is_file():
        raise InputError(f"no such file, and {checkpoint.name} counts on it; {way_out}", file=weights)

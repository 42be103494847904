"""Guard a training: lock its folder, check that its numbers are finite."""

import contextlib
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from amrx.errors import AmrxError, OutputError
from amrx.pretrained.hub import KEY
from amrx.records.locks import take_lock
from amrx.records.writing import make_folder

LOCK = ".training.lock"
MODEL_FILES = ("config.json", "modules.json")
"""Every model folder has one of these files."""
RECIPE = "recipe.toml"
CLAIM = KEY, RECIPE
"""Files of ``OUT/training`` that tell whose run it is and hold nothing to resume."""


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Lock the folder ``out`` against other trainings; create it, and remove it at the end if it is empty.

    Two runs in one folder would overwrite each other's checkpoints. The lock of a killed run is released. A
    run that fails before it has anything to resume leaves no ``out/training`` and no new folder above it.

    Raises:
        OutputError: Another training has the lock; or the folder holds a model without the state of its
            training, and that model would be overwritten.
    """
    if not (out / "training").is_dir() and any((out / name).exists() for name in MODEL_FILES):
        raise OutputError(f"{out}: holds a model already; name another folder")
    new = [folder for folder in (out, *out.parents) if not folder.exists()]
    make_folder(out)
    lock = out / LOCK
    descriptor = take_lock(lock, out)
    try:
        yield
    finally:
        _drop_claim(out / "training")
        lock.unlink(missing_ok=True)
        os.close(descriptor)
        for empty in (out / "training", *new):
            with contextlib.suppress(OSError):
                empty.rmdir()


def _drop_claim(work: Path) -> None:
    """Remove the files of `CLAIM` where there are no others."""
    if work.is_dir() and {file.name for file in work.iterdir()} <= set(CLAIM):
        for name in CLAIM:
            (work / name).unlink(missing_ok=True)


def check_finite(values: Mapping[str, float], what: str) -> None:
    """Abort a training when a loss or gradient is NaN or infinite, before it spoils the weights.

    Example:
        >>> check_finite({"nli": 0.5, "gradient": math.inf}, "step 7")
        Traceback (most recent call last):
        amrx.errors.AmrxError: step 7 is not finite (nli 0.5, gradient inf); lower the rate
    """
    if not all(math.isfinite(value) for value in values.values()):
        listed = ", ".join(f"{name} {value}" for name, value in values.items())
        raise AmrxError(f"{what} is not finite ({listed}); lower the rate")

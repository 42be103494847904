"""Weights that others saved by pickle, read without running what is pickled; folders that appear whole."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import shutil
import struct
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import InputError, OutputError
from amrx.records.files import DAMAGED, require_file
from amrx.records.locks import take_lock

if TYPE_CHECKING:
    from torch import Tensor


# what torch.load raises at a byte that is not as it was written
_DAMAGED = (pickle.UnpicklingError, struct.error, *DAMAGED)


def load_plain(file: Path) -> object:
    """Read what ``torch.save`` wrote: arrays and plain values; nothing that is pickled in it runs.

    Raises:
        InputError: The file is missing, empty, damaged, of another kind, or holds more (names what).
    """
    import torch

    require_file(file)
    try:
        mapped = zipfile.is_zipfile(file)  # the format of torch 1.6 and newer need not be in memory whole
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Detected pickle protocol")
            return torch.load(file, map_location="cpu", weights_only=True, mmap=mapped)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from None
    except _DAMAGED as error:
        # not torch's own words: they advise to run what is pickled
        more = re.search(r"GLOBAL (\S+)", str(error))
        why = f"holds more than those ({more[1]})" if more else "is damaged, or was not written by torch.save"
        raise InputError(f"cannot be read as plain weights: it {why}", file=file) from None


def read_state(checkpoint: Path) -> dict[str, Tensor]:
    """Read the weights of a ``.pt`` or ``.bin`` file: a state dict, or one under ``model``.

    Raises:
        InputError: It is no checkpoint, or holds more than plain data.
    """
    import torch

    held = load_plain(checkpoint)
    state = held.get("model", held) if isinstance(held, Mapping) else held
    if not isinstance(state, Mapping) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise InputError("holds no state dict, nor one under 'model'", file=checkpoint)
    return {str(key).removeprefix("module."): value for key, value in state.items()}


def check_new_folder(output: Path) -> None:
    """Check, before any work is done, that `new_folder` will find a place.

    Raises:
        OutputError: ``output`` is there already and not an empty folder, or its parent is not there.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise OutputError(f"{output}: is there already; name a new folder")
    if not output.resolve().parent.is_dir():
        raise OutputError(f"{output}: the folder {str(output.parent)!r} does not exist")


@contextlib.contextmanager
def new_folder(output: Path) -> Iterator[Path]:
    """Give a temporary folder beside ``output``; rename it to ``output`` on success, remove it on error.

    Raises:
        OutputError: ``output`` is there already and not an empty folder, cannot be written, or another
            process is writing it now.
    """
    check_new_folder(output)
    place = output.resolve()
    partial, lock = (place.with_name(f".{place.name}.{kind}") for kind in ("partial", "lock"))
    held = take_lock(lock, output)
    try:
        check_new_folder(output)  # again: another process may have made it just before the lock was free
        try:
            shutil.rmtree(partial, ignore_errors=True)  # what a killed run left
            partial.mkdir()
        except OSError as error:
            raise OutputError(f"{output}: cannot be made: {error.strerror}") from error
        yield partial
        if place.exists():
            place.rmdir()
        partial.rename(place)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        lock.unlink(missing_ok=True)
        os.close(held)

"""Weights that others saved by pickle, read without running what is pickled; folders that appear whole."""

from __future__ import annotations

import contextlib
import pickle
import shutil
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import InputError, OutputError

if TYPE_CHECKING:
    from torch import Tensor


def read_state(checkpoint: Path) -> dict[str, Tensor]:
    """Read the weights of a ``.pt`` or ``.bin`` file: a state dict, or one under ``model``.

    Raises:
        InputError: It is no checkpoint, or holds more than plain data.
    """
    import torch

    mapped = zipfile.is_zipfile(checkpoint)  # the format of torch 1.6 and newer need not be in memory whole
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Detected pickle protocol")
            held = torch.load(checkpoint, map_location="cpu", weights_only=True, mmap=mapped)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=checkpoint) from None
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"cannot be read as plain weights: {reason}", file=checkpoint) from None
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
        OutputError: ``output`` is there already and not an empty folder, or cannot be written.
    """
    check_new_folder(output)
    place = output.resolve()
    partial = place.with_name(f".{place.name}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)  # what a killed run left
        partial.mkdir()
    except OSError as error:
        raise OutputError(f"{output}: cannot be made: {error.strerror}") from error
    try:
        yield partial
        if place.exists():
            place.rmdir()
        partial.rename(place)
    finally:
        shutil.rmtree(partial, ignore_errors=True)

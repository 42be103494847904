"""Read weights from pickle files without running pickled code; create folders atomically."""

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
from amrx.records.writing import naming

if TYPE_CHECKING:
    from torch import Tensor


# errors of torch.load on damaged files
_DAMAGED = (pickle.UnpicklingError, struct.error, *DAMAGED)


def load_plain(file: Path) -> object:
    """Read arrays and plain values written by ``torch.save``; no pickled code runs."""
    import torch

    require_file(file)
    try:
        mapped = zipfile.is_zipfile(file)  # files of torch 1.6 and newer are mapped, not loaded as a whole
        with warnings.catch_warnings():
            for message in ("Detected pickle protocol", "TypedStorage is deprecated"):
                warnings.filterwarnings("ignore", message=message)
            return torch.load(file, map_location="cpu", weights_only=True, mmap=mapped)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from None
    except _DAMAGED as error:
        # torch's own message advises to run the pickled code
        other = re.search(r"GLOBAL (\S+)", str(error))
        why = f"holds other objects ({other[1]})" if other else "is damaged, or was not written by torch.save"
        raise InputError(f"cannot be read as plain weights: it {why}", file=file) from None


def read_state(checkpoint: Path) -> dict[str, Tensor]:
    """Read the weights of a ``.pt`` or ``.bin`` file: a state dict, or one under ``model``."""
    import torch

    content = load_plain(checkpoint)
    state = content.get("model", content) if isinstance(content, Mapping) else content
    if not isinstance(state, Mapping) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise InputError("holds no state dict, nor one under 'model'", file=checkpoint)
    return {str(key).removeprefix("module."): value for key, value in state.items()}


def check_new_folder(output: Path) -> None:
    """Check that `new_folder` can create ``output``; call it before any work."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise OutputError(f"{output}: exists already; name a new folder")
    if not output.resolve().parent.is_dir():
        raise OutputError(f"{output}: the folder {str(output.parent)!r} does not exist")


@contextlib.contextmanager
def new_folder(output: Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``output``; rename it to ``output`` on success, remove it on error."""
    check_new_folder(output)
    target = output.resolve()
    partial, lock = (target.with_name(f".{target.name}.{kind}") for kind in ("partial", "lock"))
    descriptor = take_lock(lock, output)
    try:
        check_new_folder(output)  # again: another process may have created it just before the lock was free
        try:
            shutil.rmtree(partial, ignore_errors=True)  # left by a killed run
            partial.mkdir()
        except OSError as error:
            raise OutputError(f"{output}: cannot be created: {error.strerror}") from error
        with naming(output):
            yield partial
        if target.exists():
            target.rmdir()
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        lock.unlink(missing_ok=True)
        os.close(descriptor)

"""Read and check arrays of an ``.npz`` file; no code in the file is run."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.records.files import DAMAGED, require_file


class Form(NamedTuple):
    """Requirements on an array."""

    kinds: str  # accepted values of ``numpy.dtype.kind``: ``U`` text, ``iu`` integers, ``biuf`` numbers
    row: tuple[int, ...] = ()  # shape of one row: ``(4,)`` for an array ``(n, 4)``, ``()`` for ``(n,)``


def read_arrays(file: Path, forms: Mapping[str, Form]) -> list[npt.NDArray[Any]]:
    """Return the named arrays, in the order of the forms."""
    require_file(file)
    if not zipfile.is_zipfile(file):
        raise InputError("is not a file of arrays as written by amrx eval --json", file=file)
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            loaded = {name: arrays[name] for name in forms if name in arrays}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from error
    except MemoryError as error:
        raise InputError(f"does not fit into memory, or is damaged: {error}", file=file) from error
    except DAMAGED as error:
        # without numpy's own message, which advises to allow pickles, which run code
        raise InputError("is damaged; amrx eval --json writes it anew", file=file) from error
    for name, form in forms.items():
        if name not in loaded:
            raise InputError("is missing", file=file, field=name)
        array = np.asarray(loaded[name])
        if array.dtype.kind not in form.kinds:
            raise InputError(f"holds values of type {array.dtype}", file=file, field=name)
        if array.ndim == 0 or array.shape[1:] != form.row:
            expected = ", ".join(["n", *map(str, form.row)])
            raise InputError(f"must be of shape ({expected}), got {array.shape}", file=file, field=name)
    return list(loaded.values())

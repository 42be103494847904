"""Arrays of an ``.npz`` file, checked before anything is made of them; no code in the file is run."""

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
    """Requirements on an array.

    Attributes:
        kinds: Kinds of its values, as ``numpy.dtype.kind`` names them: ``U`` text, ``iu`` integers,
            ``biuf`` numbers.
        row: Shape of one of its rows: ``(4,)`` for an array ``(n, 4)``, ``()`` for one of ``(n,)``.
    """

    kinds: str
    row: tuple[int, ...] = ()


def read_arrays(file: Path, forms: Mapping[str, Form]) -> list[npt.NDArray[Any]]:
    """Return the arrays that are asked for, in the order of the forms.

    Raises:
        InputError: It is no such file, or lacks an array, or one is of another type or shape (names it).
    """
    require_file(file)
    if not zipfile.is_zipfile(file):
        raise InputError("is no file of arrays, as amrx eval --json writes it", file=file)
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in forms if name in arrays}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from error
    except MemoryError as error:
        raise InputError(f"does not fit into memory, or is damaged: {error}", file=file) from error
    except DAMAGED as error:
        # not numpy's own words: they would have the user allow pickles, which run code
        raise InputError("is damaged; amrx eval --json writes it anew", file=file) from error
    for name, form in forms.items():
        if name not in found:
            raise InputError("is missing", file=file, field=name)
        array = np.asarray(found[name])
        if array.dtype.kind not in form.kinds:
            raise InputError(f"holds values of type {array.dtype}", file=file, field=name)
        if array.ndim == 0 or array.shape[1:] != form.row:
            wanted = ", ".join(["n", *map(str, form.row)])
            raise InputError(f"is of shape {array.shape}, not ({wanted})", file=file, field=name)
    return list(found.values())

"""Write the arrays of packed examples to one compressed file, which a machine for training needs alone."""

import lzma
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.records import atomic_path

Array = npt.NDArray[np.generic]


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays one after the other, each split into byte planes and LZMA-compressed.

    Byte planes put the nearly constant high bytes of ids side by side, which saves a third of the size.
    Offsets are stored as differences.
    """
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        for name, array in arrays.items():
            if name.endswith("_offsets"):
                array = np.diff(array.astype(np.int64)).astype(np.uint16)
            planes = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, array.itemsize).T
            body = lzma.compress(planes.tobytes(), preset=3)
            head = f"{name} {array.dtype.str} {array.size}".encode()
            file.write(struct.pack("<HQ", len(head), len(body)) + head + body)


def read_arrays(path: Path) -> dict[str, Array]:
    """Read a file of `write_arrays`."""
    arrays: dict[str, Array] = {}
    with open(path, "rb") as file:
        while header := file.read(10):
            head_size, body_size = struct.unpack("<HQ", header)
            name, dtype, size = file.read(head_size).decode().split()
            body = file.read(body_size)
            if len(body) != body_size:
                raise InputError(f"cut off in {name!r}", file=path)
            planes = np.frombuffer(lzma.decompress(body), np.uint8)
            planes = planes.reshape(np.dtype(dtype).itemsize, int(size))
            array: Array = np.ascontiguousarray(planes.T).view(dtype).reshape(-1)
            if name.endswith("_offsets"):
                array = np.concatenate(([0], np.cumsum(array, dtype=np.int64)))
            arrays[name] = array
    return arrays

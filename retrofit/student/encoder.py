"""A student as it is shipped and used: text in, unit vectors out; is an `amrx.types.Encoder`.

::

    DIR/config.json         {"student": shape, "space": fingerprint of the imitated vectors}
        model.safetensors   weights, float16
        README.md           the card
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.encoder import TextEncoder
from amrx.errors import InputError, OptionError
from amrx.records import atomic_path
from amrx.vectors import normalise
from retrofit.student.shape import Shape

if TYPE_CHECKING:
    import torch

    from amrx.muse.model import MuseModel
    from amrx.muse.tokenize import MuseTokenizer
    from amrx.types import Vectors
    from retrofit.student.network import StudentNetwork

SPACE = "minilm"
"""Encoder whose vectors are imitated: all-MiniLM-L6-v2."""

MOST = 128
"""Subwords of a sentence that are read, ``<s>`` and ``</s>`` included."""

BLOCK = 8192
"""Sentences that are sorted by length together; bounds the memory."""


class StudentEncoder(TextEncoder):
    """Encode text of any language; needs no parser."""

    def __init__(
        self,
        network: StudentNetwork,
        muse: MuseModel,
        tokenizer: MuseTokenizer,
        *,
        name: str = "student",
        digest: str = "",
    ) -> None:
        self._network, self._muse, self._tokenizer = network.eval(), muse, tokenizer
        self._name, self._digest = name, digest

    @property
    def name(self) -> str:
        """Short name for tables."""
        return self._name

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""
        return self._network.shape.dimension

    @property
    def fingerprint(self) -> str:
        """Name, weight hash and arithmetic; equal fingerprints give equal vectors."""
        arithmetic = str(self._muse.projection.dtype).removeprefix("torch.")
        return f"{self._name}:{self._digest}:{arithmetic}"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 unit vectors ``(n, d)``; the language changes nothing.

        Raises:
            InputError: A sentence holds a lone surrogate.
        """
        from amrx.device import progress as bar
        from retrofit.student.rows import cut

        ids = cut(self._tokenizer.encode(texts), MOST)
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        starts = range(0, len(ids), BLOCK)
        for start in bar(
            starts, len(ids), self._name, show=progress, size=lambda start: min(BLOCK, len(ids) - start)
        ):
            vectors[start : start + BLOCK] = self._encode_ids(ids[start : start + BLOCK], batch_size)
        return vectors

    def _encode_ids(self, ids: list[list[int]], batch_size: int) -> Vectors:
        import torch

        from retrofit.student.rows import encode

        with torch.inference_mode():
            vectors = encode(self._muse, self._network, ids, batch_size)
        return normalise(vectors.cpu().numpy())


def is_student(folder: Path) -> bool:
    """Tell whether an encoder's folder holds a student, by its ``config.json``.

    Raises:
        InputError: ``config.json`` is damaged.
    """
    return "student" in _config(folder)


def save_student(folder: Path, network: StudentNetwork) -> None:
    """Write a folder that `load_student` reads; each file appears whole or not at all.

    Raises:
        OutputError: The folder cannot be written.
    """
    from retrofit.amr.weights import write_weights

    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder / "model.safetensors", network.state_dict(), "float16")
    config = {"student": {**asdict(network.shape), "dropout": 0.0}, "space": SPACE}
    with atomic_path(folder / "config.json") as temporary:
        temporary.write_text(json.dumps(config, indent=1) + "\n", "utf-8")


def load_student(
    folder: Path,
    *,
    device: str | None = None,
    precision: str = "auto",
    shared: tuple[MuseModel, MuseTokenizer] | None = None,
) -> StudentEncoder:
    """Load a student.

    Args:
        folder: Folder of `save_student`.
        device: ``cpu``, ``cuda``, …; chosen when ``None``. Where ``shared`` is given, its device.
        precision: Of multilingual USE's products where it is not shared: ``fp32``, ``bf16``, or ``auto``.
        shared: Multilingual USE as the base encoder has it, so that it is loaded once.

    Raises:
        InputError: A file of the folder is missing or damaged.
        MissingResourceError: The weights of multilingual USE are not on this machine.
        OptionError: Unknown precision or device.
    """
    from amrx.device import pick_device
    from retrofit.amr.weights import load_state, read_weights
    from retrofit.student.network import StudentNetwork

    network = StudentNetwork(_shape(folder))
    load_state(network, read_weights(folder / "model.safetensors"), folder / "model.safetensors")
    muse, tokenizer = shared or _load_muse(pick_device(device), precision)
    return StudentEncoder(
        network.to(muse.table.device), muse, tokenizer, name=folder.name.removeprefix("encoder-"),
        digest=_digest(folder),
    )  # fmt: skip


def _load_muse(device: torch.device, precision: str) -> tuple[MuseModel, MuseTokenizer]:
    import torch

    from amrx.muse.model import load_model
    from amrx.muse.tokenize import MuseTokenizer
    from retrofit.amr.encoder import pick_precision

    dtype = torch.bfloat16 if pick_precision(precision, device) == "bf16" else torch.float32
    return load_model(None, dtype).to(device), MuseTokenizer(None)


def _config(folder: Path) -> dict[str, object]:
    path = folder / "config.json"
    try:
        options = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError("no such file; is this an encoder folder?", file=path) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"is not an encoder's config: {error}", file=path) from None
    if not isinstance(options, dict):
        raise InputError("is not an encoder's config: no table", file=path)
    return options


def _shape(folder: Path) -> Shape:
    from amrx.recipes import load_config

    values = _config(folder).get("student")
    if not isinstance(values, dict):
        raise InputError("is not a student's config: it has no table 'student'", file=folder / "config.json")
    kind = values.get("kind", "pooled")
    if kind != "pooled":
        message = f"is a student of kind {kind!r}, which amrx no longer reads"
        raise InputError(message, file=folder / "config.json")
    # folders of when there were two kinds name theirs, and the heads of the other
    sizes = {name: value for name, value in values.items() if name not in ("kind", "heads")}
    try:
        return load_config(Shape, None, sizes)
    except OptionError as error:
        raise InputError(f"is not a student's config: {error}", file=folder / "config.json") from None


def _digest(folder: Path) -> str:
    key = hashlib.sha256((folder / "config.json").read_bytes())
    key.update((folder / "model.safetensors").read_bytes())
    return key.hexdigest()[:12]

"""Encode text as unit vectors with a trained student; save and load its folder.

::

    DIR/config.json         {"student": kind and shape, "space": name of the imitated vectors}
        model.safetensors   weights, int8 with scales
        README.md           the card

A student is of kind ``pooled`` (`retrofit.student.network`, features of multilingual USE) or ``e5-small``
(`retrofit.student.adapted_e5`).
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.encoder import TextEncoder
from amrx.errors import InputError, OptionError
from amrx.records import write_json
from amrx.records.json_lines import read_json
from amrx.vectors import normalise
from retrofit.amr.encoder import Cut, hash_files, pick_precision
from retrofit.student.shape import Shape, UpdateShape

if TYPE_CHECKING:
    import torch

    from amrx.e5.bert import Bert
    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.muse.model import MuseModel
    from amrx.muse.tokenize import MuseTokenizer
    from amrx.types import Vectors
    from retrofit.student.adapted_e5 import E5Update
    from retrofit.student.network import StudentNetwork

SPACE = "minilm"
"""Encoder whose vectors the student imitates: all-MiniLM-L6-v2."""

MOST = 128
"""Maximum number of subwords of a sentence, including ``<s>`` and ``</s>``."""

BLOCK = 8192
"""Number of sentences that are sorted by length at a time; bounds the memory."""


class StudentEncoder(TextEncoder):
    """Encode text of any language; needs no parser. ``cut`` counts the texts longer than `MOST` subwords."""

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
        self.name, self._digest = name, digest
        self.cut = Cut(name, MOST, unit="texts")

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""
        return self._network.shape.dimension

    @property
    def fingerprint(self) -> str:
        """Name, weight hash and number format; equal fingerprints give equal vectors."""
        arithmetic = str(self._muse.projection.dtype).removeprefix("torch.")
        return f"{self.name}:{self._digest}:{arithmetic}"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 unit vectors ``(n, d)``; the language is ignored."""
        from amrx.device import progress as bar
        from retrofit.student.network import cut

        rows = self._tokenizer.encode(texts)
        self.cut.count += sum(len(row) > MOST for row in rows)
        ids = cut(rows, MOST)
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        starts = range(0, len(ids), BLOCK)
        for start in bar(
            starts, len(ids), self.name, show=progress, size=lambda start: min(BLOCK, len(ids) - start)
        ):
            vectors[start : start + BLOCK] = self._encode_ids(ids[start : start + BLOCK], batch_size)
        return vectors

    def _encode_ids(self, ids: list[list[int]], batch_size: int) -> Vectors:
        import torch

        from retrofit.student.network import encode

        with torch.inference_mode():
            vectors = encode(self._muse, self._network, ids, batch_size)
        return normalise(vectors.cpu().numpy())


class E5Student(TextEncoder):
    """Encode text of any language through an adapted e5-small; needs no parser.

    ``out`` is the matrix ``(d, width)`` and offset ``(d,)`` of the head; ``lower`` multiplies in bfloat16.
    ``cut`` counts the texts longer than the model's positions.
    """

    def __init__(
        self,
        bert: Bert,
        out: tuple[Vectors, Vectors],
        tokenizer: E5Tokenizer,
        *,
        lower: bool = False,
        name: str = "student",
        digest: str = "",
    ) -> None:
        self.bert, self.tokenizer, self.name = bert, tokenizer, name
        self._matrix, self._offset = out
        self._lower, self._digest = lower, digest
        self.cut = Cut(name, bert.shape.positions, unit="texts")

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""
        return len(self._offset)

    @property
    def fingerprint(self) -> str:
        """Name, weight hash and number format; equal fingerprints give equal vectors."""
        return f"{self.name}:{self._digest}:{'bfloat16' if self._lower else 'float32'}"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 unit vectors ``(n, d)``; the language is ignored."""
        import torch

        from amrx.e5.model import mean_states

        ids, pad = self.tokenizer.encode(texts), self.tokenizer.model.pad
        self.cut.count += sum(len(row) > self.cut.limit for row in ids)
        device = next(self.bert.parameters()).device.type
        with torch.autocast(device, torch.bfloat16, enabled=self._lower):
            means = mean_states(self.bert, ids, pad=pad, batch_size=batch_size, show=progress)
        return normalise(means @ self._matrix.T + self._offset)


FILES = ("config.json", "model.safetensors")
"""Files of every student's folder."""


def is_student(folder: Path) -> bool:
    """Return whether an encoder's folder holds a student, by its ``config.json``."""
    return "student" in read_json(folder / "config.json")


def save_student(folder: Path, network: StudentNetwork | E5Update) -> None:
    """Write a folder for `load_student`; each file is written atomically."""
    from retrofit.amr.tensor_files import write_weights

    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder / "model.safetensors", network.state_dict(), "int8")
    shape = asdict(network.shape)
    kind = "e5-small" if isinstance(network.shape, UpdateShape) else "pooled"
    shape |= {"dropout": 0.0} if kind == "pooled" else {}
    config = {"student": {"kind": kind, **shape}, "space": SPACE}
    write_json(folder / "config.json", config)


def load_student(
    folder: Path,
    *,
    device: str | None = None,
    precision: str = "auto",
    shared: tuple[MuseModel, MuseTokenizer] | None = None,
) -> StudentEncoder | E5Student:
    """Load a student.

    ``precision``, of a network that is not shared, is ``fp32``, ``bf16`` or ``auto`` (``int8`` is read as
    ``auto``). ``shared`` is the base
    encoder's multilingual USE, which determines the device; a student of kind ``e5-small`` ignores it.
    """
    from amrx.device import pick_device
    from amrx.pretrained.empty import no_random_numbers
    from retrofit.amr.tensor_files import load_state, read_weights
    from retrofit.student.network import StudentNetwork

    shape = _shape(folder)
    if isinstance(shape, UpdateShape):
        return _load_e5_student(folder, shape, pick_device(device), precision)
    with no_random_numbers():
        network = StudentNetwork(shape)
    load_state(network, read_weights(folder / "model.safetensors"), folder / "model.safetensors")
    muse, tokenizer = shared or _load_muse(pick_device(device), precision)
    return StudentEncoder(
        network.to(muse.table.device), muse, tokenizer, name=folder.name.removeprefix("encoder-"),
        digest=hash_files(folder, FILES),
    )  # fmt: skip


def _load_e5_student(folder: Path, shape: UpdateShape, device: torch.device, precision: str) -> E5Student:
    from amrx.e5.model import load_model
    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.pretrained.empty import no_random_numbers
    from retrofit.amr.tensor_files import load_state, read_weights
    from retrofit.student.adapted_e5 import E5Update, apply_update

    with no_random_numbers():
        bert = load_model()
        update = E5Update(shape, bert)
    load_state(update, read_weights(folder / "model.safetensors"), folder / "model.safetensors")
    apply_update(update, bert)
    head = update.out.weight.detach().numpy(), update.out.bias.detach().numpy()
    return E5Student(
        bert.to(device), head, E5Tokenizer(), lower=_lower(precision, device),
        name=folder.name.removeprefix("encoder-"), digest=hash_files(folder, FILES),
    )  # fmt: skip


def _load_muse(device: torch.device, precision: str) -> tuple[MuseModel, MuseTokenizer]:
    import torch

    from amrx.muse.model import load_model
    from amrx.muse.tokenize import MuseTokenizer

    dtype = torch.bfloat16 if _lower(precision, device) else torch.float32
    return load_model(None, dtype).to(device), MuseTokenizer(None)


def _lower(precision: str, device: torch.device) -> bool:
    """Return whether to multiply in bfloat16; a student has no int8, which costs it a tenth of a point."""
    return pick_precision("auto" if precision == "int8" else precision, device) == "bf16"


def _shape(folder: Path) -> Shape | UpdateShape:
    from amrx.recipes import load_config

    values = read_json(folder / "config.json").get("student")
    if not isinstance(values, dict):
        raise InputError("is not a student's config: it has no table 'student'", file=folder / "config.json")
    kind = values.get("kind", "pooled")
    # older folders have the key of heads of a kind that is no longer supported
    sizes = {name: value for name, value in values.items() if name not in ("kind", "heads")}
    try:
        if kind == "e5-small":
            return load_config(UpdateShape, None, sizes)
        if kind == "pooled":
            return load_config(Shape, None, sizes)
    except OptionError as error:
        raise InputError(f"is not a student's config: {error}", file=folder / "config.json") from None
    raise InputError(f"is a student of kind {kind!r}, which amrx cannot read", file=folder / "config.json")

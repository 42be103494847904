"""Encode linearized graphs as vectors with a trained AMR encoder; save and load its folder.

::

    DIR/config.json        the backbone's shape, pooling, length limit
        tokenizer.json     the trimmed word pieces with relations and frames
        model.safetensors  weights (int8 rows with a scale each, or float16, float32)
        ranges.safetensors ranges of the layers' inputs, for int8 arithmetic (`amrx.int8`), if any
        structure.json     the sketch appended to the vector (`retrofit.amr.structure`), if any
        README.md          the card
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from amrx.errors import InputError, OptionError
from amrx.records import write_text
from amrx.records.files import reading
from amrx.texts import as_items, as_texts
from retrofit.amr.pieces import Rows, WordRows, distinct, ends, expand, tokenize_words
from retrofit.amr.structure import STRUCTURE

if TYPE_CHECKING:
    import penman
    import torch
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

    from amrx.types import Vectors
    from linearize.forms import Form
    from retrofit.amr.model import AmrModel
    from retrofit.amr.structure import Structure
    from retrofit.amr.tensor_files import Storage


@dataclass(slots=True)
class Cut:
    """The number of graphs, or of texts, that an encoder has cut so far."""

    encoder: str  # name of the encoder
    limit: int  # maximum number of word pieces per graph or text
    count: int = 0  # number of longer graphs or texts
    unit: str = "graphs"

    def summary(self) -> str:
        """Return a line with the number, empty if it is 0."""
        cut = f"{self.count:,} {self.unit} were longer than {self.limit} word pieces and were cut"
        return f"{self.encoder}: {cut}\n" if self.count else ""


Linearization = str | Sequence[str]
FILES = ("config.json", "tokenizer.json", "model.safetensors")
"""Files of every encoder folder."""


class AmrEncoder:
    """Encode AMR graphs.

    Args:
        model: Backbone and pooling, in evaluation mode.
        tokenizer: Its tokenizer.
        max_tokens: Maximum number of word pieces per graph, including [CLS] and [SEP].
        name: Short name for tables.
        digest: Hash of the weights.
        precision: Arithmetic: ``fp32``, ``bf16`` (autocast), or ``int8`` and a hash of its ranges.
        form: Linearization used in training.
        structure: Computes the sketches appended to the pooled vectors, if any.

    Attributes:
        cut: Counts the graphs that were longer than ``max_tokens``.
    """

    def __init__(
        self,
        model: AmrModel,
        tokenizer: Tokenizer,
        *,
        max_tokens: int,
        name: str = "amr",
        digest: str = "",
        precision: str = "fp32",
        form: Form = "paper",
        structure: Structure | None = None,
    ) -> None:
        self.form, self._structure = form, structure
        self.model, self._tokenizer, self._precision = model.eval(), tokenizer, precision
        self.name, self.max_tokens = name, max_tokens
        self.fingerprint = f"{name}:{digest}:{precision}"
        width: int = model.backbone.config.hidden_size
        self.dimension = width + (structure.width if structure else 0)
        self.cut = Cut(name, max_tokens)

    @property
    def device(self) -> torch.device:
        """The device of the computation."""
        return next(self.model.parameters()).device

    def encode_tokens(self, sequences: str | Iterable[Linearization]) -> Vectors:
        """Return float32 ``(n, d)`` for linearized graphs: token lists, or joined by `linearize.join_tokens`.

        Equal graphs are encoded once. Other graphs in the batch change a vector only by rounding. One string
        is one graph and gives ``(d,)``; in a list each string is a graph.
        """
        graphs = _linearizations(sequences)
        pooled = self.pool(graphs)
        vectors = self._structure.beside(pooled, graphs) if self._structure else pooled
        return vectors[0] if isinstance(sequences, str) else vectors

    def pool(self, sequences: Sequence[Linearization]) -> Vectors:
        """Return float32 ``(n, d)`` of the network, without the sketch; not normalised."""
        from retrofit.amr.model import embed_rows

        once, inverse = distinct(self._rows(sequences))
        return embed_rows(self.model, once, device=self.device, precision=self._precision)[inverse]

    def encode_graphs(self, graphs: penman.Graph | Iterable[penman.Graph]) -> Vectors:
        """Return float32 ``(n, d)`` for AMR graphs, ``(d,)`` for one."""
        from penman import Graph

        from linearize import linearize

        items = [graphs] if isinstance(graphs, Graph) else as_items(graphs, Graph, "graph")
        vectors = self.encode_tokens([linearize(graph, form=self.form) for graph in items])
        return vectors[0] if isinstance(graphs, Graph) else vectors

    def encode_texts(self, texts: str | Iterable[str]) -> Vectors:
        """Return float32 ``(n, d)`` for English sentences, which Algorithm 1 also uses in training.

        One text gives ``(d,)``.
        """
        vectors = self.encode_tokens([[text] for text in as_texts(texts)])
        return vectors[0] if isinstance(texts, str) else vectors

    def _rows(self, sequences: Sequence[Linearization]) -> Rows:
        collected = WordRows()
        for sequence in sequences:
            collected.add(sequence)
        pieces = tokenize_words(collected.words, self._tokenizer)
        first, last = ends(self._tokenizer)
        rows, cut = expand(collected.rows(), pieces, first=first, last=last, max_tokens=self.max_tokens)
        self.cut.count += cut
        return rows


def _linearizations(sequences: str | Iterable[Linearization]) -> list[Linearization]:
    """Return linearized graphs, each a string or a list of tokens, from an iterable that is read once."""
    kinds: tuple[type[Any], ...] = (str, Sequence)
    graphs = [sequences] if isinstance(sequences, str) else as_items(sequences, kinds, "graph")
    return [graph if isinstance(graph, str) else as_texts(graph, "token") for graph in graphs]


def save_encoder(
    folder: Path, model: AmrModel, tokenizer: Tokenizer, max_tokens: int, form: Form, storage: Storage
) -> None:
    """Write an encoder folder; each file is written atomically."""
    from amrx.int8 import RANGES
    from retrofit.amr.tensor_files import write_weights

    trained = cast("PreTrainedModel", model.backbone)  # trained backbones are always of transformers
    shape = {
        key: value for key, value in trained.config.to_dict().items()
        if isinstance(value, int | float | str) and not key.startswith("_")
    }  # fmt: skip
    places = {"zones": model.zones is not None, "parents": model.above is not None}
    options = {"max_tokens": max_tokens, "form": form, **places}
    config = {"amrx": {"pooling": model.pooling, **options}, "backbone": shape}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RANGES).unlink(missing_ok=True)  # of other weights
    write_text(folder / "config.json", json.dumps(config, indent=1, sort_keys=True) + "\n")
    write_text(folder / "tokenizer.json", tokenizer.to_str())
    write_weights(folder / "model.safetensors", model.state_dict(), storage)


def load_encoder(
    folder: Path,
    *,
    device: str | None = "cpu",
    precision: str = "fp32",
    name: str | None = None,
    sketch: bool = True,
) -> AmrEncoder:
    """Load an encoder folder, with its sketch if it has one and ``sketch`` is true.

    ``name`` is for tables, by default the folder's. ``precision`` is ``fp32``, ``bf16``, ``int8`` or
    ``auto`` (`set_precision`).
    """
    from tokenizers import Tokenizer

    from amrx.device import pick_device
    from amrx.pretrained.empty import no_random_numbers
    from retrofit.amr.backbone import build_backbone
    from retrofit.amr.model import AmrModel
    from retrofit.amr.structure import read_structure
    from retrofit.amr.tensor_files import load_state, read_weights
    from retrofit.amr.zones import Zones

    torch_device = pick_device(device)
    for needed in FILES:
        if not (folder / needed).is_file():
            raise InputError("no such file; is this an encoder folder?", file=folder / needed)
    with reading(folder / "config.json", "is not an encoder's config"):
        config = json.loads((folder / "config.json").read_text("utf-8"))
        options, shape = config["amrx"], dict(config["backbone"])
        pooling, max_tokens = options["pooling"], int(options["max_tokens"])
        form = options.get("form", "paper")  # older folders, without this key, have the paper's form
        zones, parents = bool(options.get("zones", False)), bool(options.get("parents", False))
        backbone = build_backbone(shape, torch_device)
    if parents and not zones:
        raise InputError("has parents without zones", file=folder / "config.json", field="amrx.zones")
    if not options.get("parentheses", True):
        raise InputError(
            "was trained without brackets, which only amrx 0.5 reads", file=folder / "config.json"
        )
    with reading(folder / "tokenizer.json", "is not a tokenizer"):
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    with no_random_numbers():
        model = AmrModel(backbone, pooling, Zones(tokenizer) if zones else None, parents=parents)
    load_state(model, read_weights(folder / "model.safetensors"), folder / "model.safetensors")
    chosen = set_precision(precision, folder, model, torch_device)
    structure = read_structure(folder) if sketch else None
    digest = hash_files(folder, (*FILES, STRUCTURE) if sketch else FILES)
    width: int = backbone.config.hidden_size
    if structure and structure.mean and len(structure.mean) != width:
        raise InputError(
            f"must have {width} numbers, got {len(structure.mean)}", file=folder / STRUCTURE, field="mean"
        )
    return AmrEncoder(
        model.to(torch_device), tokenizer, max_tokens=max_tokens, name=f"amr-{name or folder.name}",
        digest=digest, precision=chosen, form=form, structure=structure,
    )  # fmt: skip


def pick_precision(name: str, device: torch.device) -> Literal["fp32", "bf16"]:
    """Return ``fp32`` or ``bf16``; ``auto`` gives the one that suits the device."""
    import torch

    from amrx.muse.model import fastest_dtype

    if name == "bf16" or (name == "auto" and fastest_dtype(device) == torch.bfloat16):
        return "bf16"
    if name in ("auto", "fp32"):
        return "fp32"
    raise OptionError(f"unknown precision {name!r}; choose from auto, fp32, bf16 (int8 for an AMR encoder)")


def set_precision(name: str, folder: Path, network: torch.nn.Module, device: torch.device) -> str:
    """Return ``fp32``, ``bf16``, or ``int8-`` and a hash of ranges, by which ``network`` is changed then.

    ``auto`` is int8 if the model's folder has ranges and the device the kernels (`amrx.int8`), else as in
    `pick_precision`.

    Raises:
        OptionError: Another name, or int8 without ranges or kernels.
    """
    from amrx.int8 import RANGES, quantise_by

    if name in ("auto", "int8") and (key := quantise_by(folder, network, device)):
        return f"int8-{key}"
    if name == "int8":
        raise OptionError(f"int8 needs a CPU with torch's kernels for x86, and {folder / RANGES}")
    return pick_precision(name, device)


def hash_files(folder: Path, names: Sequence[str]) -> str:
    """Return 12 hexadecimal digits that depend on the files of a folder, as far as they exist."""
    key = hashlib.sha256()
    for name in names:
        if (folder / name).is_file():
            key.update((folder / name).read_bytes())
    return key.hexdigest()[:12]

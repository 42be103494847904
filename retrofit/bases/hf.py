"""Provide ``hf:ID_OR_DIR`` and the named bases that are a transformers model with a pooling.

Any encoder or decoder that transformers' ``AutoModel`` loads, also from a GGUF file (`amrx.pretrained.gguf`):
batches of similar length, right padding, states pooled over the real tokens (`retrofit.bases.pooling`),
float32. Of an encoder-decoder only the encoder is used. Nothing is downloaded, no code from a model's folder
is run and no pickle is read; every array of a model must exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amrx.device import length_buckets, pad_rows, pick_device
from amrx.device import progress as progress_bar
from amrx.encoder import TextEncoder
from amrx.errors import InputError
from amrx.pretrained.gguf import gguf_in, is_gguf, read_gguf
from amrx.pretrained.hub import hash_model, loading
from amrx.pretrained.loading import POOLER, check_tokenizer, load_network
from amrx.records.files import reading
from amrx.records.json_lines import read_json
from retrofit.amr.encoder import Cut
from retrofit.bases import files
from retrofit.bases.files import require_safetensors, within
from retrofit.bases.pooling import needs_layers, pool, read_pooling
from retrofit.bases.table import Asked, short_name

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

    from amrx.types import Codes, Vectors


PUBLISHED = "new"
"""Types of model in their ``config.json``."""

_SAME = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "hidden_act", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "pad_token_id",
)  # fmt: skip


def native_config(settings: Mapping[str, Any], file: Path) -> PreTrainedConfig:
    """Return the settings of Alibaba's gte models for transformers' own class; their code is not run.

    Their rotation frequencies, with head width ``d`` and NTK factor ``s``, are ``(s θ)^(-2i/d) / s^(2/d)``:
    in transformers this is linear scaling by ``s^(2/d)`` with the base ``s θ``.

    Source: Zhang et al. 2024, mGTE; https://kexue.fm/archives/9706 for the scaling.
    """
    from transformers import CONFIG_MAPPING

    if "gte" not in CONFIG_MAPPING:
        raise InputError(
            f"model type {PUBLISHED!r} comes with code of its own, which is not run, and this version of "
            "transformers has no class for it; fetch: pip install 'transformers>=5.23'",
            file=file,
        )
    if settings.get("position_embedding_type", "rope") != "rope" or settings.get("logn_attention_scale"):
        raise InputError("requires positions or attention that transformers' gte does not have", file=file)
    missing = [key for key in (*_SAME, "rope_theta") if key not in settings]
    if missing:
        raise InputError(f"has no key {missing[0]!r}; download the model again", file=file)
    with reading(file, "has a wrong setting"):
        same = {key: settings[key] for key in _SAME}
        width = same["hidden_size"] // same["num_attention_heads"]
        same["rope_parameters"] = _rope(settings["rope_theta"], settings.get("rope_scaling"), width)
    config: PreTrainedConfig = CONFIG_MAPPING["gte"](**same)
    return config


def _rope(theta: float, scaling: Mapping[str, Any] | None, width: int) -> dict[str, Any]:
    """Return transformers' parameters of the rotation.

    Example:
        >>> _rope(20000, {"type": "ntk", "factor": 8.0}, 2)
        {'rope_type': 'linear', 'rope_theta': 160000.0, 'factor': 8.0}
    """
    if scaling is None:
        return {"rope_type": "default", "rope_theta": float(theta)}
    if scaling["type"] != "ntk" or scaling.get("mixed_b") is not None:
        raise ValueError(f"rope_scaling {dict(scaling)}")
    factor = float(scaling["factor"])
    return {"rope_type": "linear", "rope_theta": theta * factor, "factor": factor ** (2 / width)}


def read_folder(folder: Path, name: str) -> tuple[Any, PreTrainedTokenizerBase]:
    """Return the network, in float32 on the CPU, and the tokenizer of a folder."""
    from transformers import AutoModel, AutoTokenizer

    config = _config(folder)
    require_safetensors(folder, name)
    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(
            folder, config=config, local_files_only=True, trust_remote_code=False
        )
    model = load_network(AutoModel, folder, unused=POOLER, config=config)
    return model, tokenizer


def _config(folder: Path) -> Any:  # noqa: ANN401  # a config of transformers, or None for the folder's own
    """Return settings that replace the folder's, or ``None`` to use the folder's."""
    from transformers import CONFIG_MAPPING

    file = folder / "config.json"
    if not file.is_file():
        raise InputError("no such file; is this a transformers model?", file=file)
    settings = read_json(file)
    kind = settings.get("model_type")
    if kind == PUBLISHED:
        return native_config(settings, file)
    if kind not in CONFIG_MAPPING:
        known = "is unknown to transformers; a model's own code is not run"
        raise InputError(f"model type {kind!r} {known}", file=file)
    return None


__all__ = ["Settings", "TransformerBase", "find", "load", "load_folder"]

TOKENS = 512
"""Maximum input length of a model without a limit of its own."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the use of a model."""

    pooling: str = "mean"  # one of `retrofit.bases.pooling.POOLINGS`
    prefix: str = ""  # text before every sentence
    unit: bool = False  # whether vectors are scaled to length 1
    pieces: int | None = None  # maximum number of pieces of an input; the model's when ``None``


class TransformerBase(TextEncoder):
    """Encode with a transformers model and a pooling; ``lang`` is ignored."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        settings: Settings,
        name: str,
        folder: Path,
    ) -> None:
        self._model, self._tokenizer, self._settings = model, tokenizer, settings
        self._limit = within(settings.pieces, longest(model, tokenizer), name)
        self.cut = Cut(name, self._limit, unit="texts")
        self.name, self.dimension, self._folder = name, int(model.config.hidden_size), folder

    @cached_property
    def fingerprint(self) -> str:
        """Name, hash of weights, tokenizer and settings, and the settings of use."""
        used = self._settings
        return f"{self.name}:{hash_model(self._folder)}:{used.pooling}:{used.prefix!r}:{used.unit}"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 ``(n, d)``; inputs that are too long for the model are cut."""
        import torch

        ids = self._ids(texts)
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        batches = length_buckets([len(row) for row in ids], batch_size)
        with torch.inference_mode():
            for batch in progress_bar(batches, len(ids), self.name, show=progress, size=len):
                vectors[batch] = self._vectors([ids[index] for index in batch]).cpu().numpy()
        return vectors

    def _ids(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the ids of every sentence, at least one: decoders give no token for an empty sentence."""
        if not sentences:
            return []
        texts = [self._settings.prefix + sentence for sentence in sentences]
        read = self._tokenizer(texts, truncation=True, max_length=self._limit)
        # a slow tokenizer gives no encodings
        self.cut.count += sum(bool(encoding.overflowing) for encoding in read.encodings or ())
        ids = read["input_ids"]
        known = self._tokenizer
        tokens = (known.bos_token_id, known.cls_token_id, known.eos_token_id, known.pad_token_id)
        empty = next((token for token in tokens if token is not None), 0)
        return [list(row) or [empty] for row in ids]

    def _vectors(self, ids: Sequence[Sequence[int]]) -> Tensor:
        """Return the vectors ``(B, d)`` of one batch."""
        import torch.nn.functional as F

        pad, device = self._tokenizer.pad_token_id, self._model.device
        tokens = pad_rows(ids, 0 if pad is None else pad).to(device)
        mask = pad_rows([[1] * len(row) for row in ids], 0).to(device)
        every = needs_layers(self._settings.pooling)
        output = self._model(input_ids=tokens, attention_mask=mask, output_hidden_states=every)
        layers = output.hidden_states if every else (output.last_hidden_state,)
        vectors = pool(layers, mask, self._settings.pooling)
        return F.normalize(vectors, dim=1) if self._settings.unit else vectors


def find(asked: Asked) -> Path:
    """Return the folder of a base, or the named GGUF file."""
    file = Path(asked.argument)
    return file if is_gguf(file) else files.find(asked)


def load(asked: Asked, device: str | None = None) -> TransformerBase:
    """Load a model by folder or GGUF file, or by hub id from the local cache."""
    folder, row = find(asked), asked.row
    if row.model:
        settings = Settings(asked.pooling or row.pooling, row.prefix, row.unit, asked.pieces)
    elif asked.pooling:
        settings = Settings(asked.pooling, pieces=asked.pieces)
    else:
        pooling, unit = read_pooling(folder)  # a GGUF file has no pooling; the mean is used
        settings = Settings(pooling, unit=unit, pieces=asked.pieces)
    return load_folder(folder, short_name(asked, folder), settings, device)


def load_folder(folder: Path, name: str, settings: Settings, device: str | None = None) -> TransformerBase:
    """Load a folder in transformers' format, a GGUF file, or a folder with only a GGUF file."""
    packed = gguf_in(folder)
    model: Any  # transformers declares no types for a decoder's encoder and embeddings
    model, tokenizer = read_gguf(packed) if packed else read_folder(folder, name)
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    check_tokenizer(tokenizer, model.get_input_embeddings().num_embeddings, folder)
    return TransformerBase(model.to(pick_device(device)).eval(), tokenizer, settings, name, packed or folder)


def longest(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """Return the maximum number of tokens, including special ones."""
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if table is not None:  # XLM-R numbers positions from the padding id on
        places = int(table.num_embeddings) - (0 if table.padding_idx is None else int(table.padding_idx) + 1)
    else:
        places = int(getattr(model.config, "max_position_embeddings", None) or 0)
    named = [limit for limit in (places, int(tokenizer.model_max_length)) if 0 < limit < 1_000_000]
    return min(named, default=TOKENS)

"""Pool token states to one vector, and read the pooling from a model folder.

With ``h_t`` the states of the last layer and ``n`` the number of real tokens, including ``[CLS]`` and
``[SEP]``, as in SBERT (Reimers and Gurevych 2019) and BERT-flow (Li et al. 2020)::

    cls              h_1
    mean             1/n · Σ h_t
    last             h_n
    first-last       1/n · Σ (g_t + h_t) / 2      g_t: states after the first layer
    embeddings-last  1/n · Σ (e_t + h_t) / 2      e_t: embeddings; the scripts of SimCSE and mSimCSE
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import InputError
from amrx.records.files import reading

if TYPE_CHECKING:
    from torch import Tensor

POOLINGS = ("cls", "mean", "last", "first-last", "embeddings-last")
UNSCALED = "unscaled"
"""Pooling of a sentence-transformers model: its own, without scaling to length 1."""

_FIRST = {"first-last": 1, "embeddings-last": 0}
"""Layer that is averaged with the last one."""

_ROUTER = ("router_config.json", "config.json")
_MODES = {"cls": "cls", "mean": "mean", "lasttoken": "last"}
_OLD = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}


def pool(layers: Sequence[Tensor], mask: Tensor, how: str) -> Tensor:
    """Return one vector per sentence, ``(B, d)``.

    Args:
        layers: States ``(B, T, d)`` of the layers; for two layers the embeddings first, then every layer.
        mask: ``(B, T)``, ones followed by zeros; at least one 1 per row.
        how: One of ``POOLINGS``.
    """
    last = layers[-1]  # (B, T, d)
    if how == "cls":
        return last[:, 0]
    if how == "last":
        last_index = mask.sum(dim=1) - 1  # (B,)
        return last.take_along_dim(last_index[:, None, None], dim=1)[:, 0]
    states = (layers[_FIRST[how]] + last) / 2 if how in _FIRST else last
    weights = mask.unsqueeze(-1).to(states.dtype)  # (B, T, 1)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


def needs_layers(how: str) -> bool:
    """Return whether a pooling reads the states of another layer than the last."""
    return how in _FIRST


def read_modules(folder: Path) -> list[tuple[str, str]]:
    """Return class and folder of each module in ``modules.json``."""
    listing = folder / "modules.json"
    if not listing.is_file():
        raise InputError("no such file; is this a sentence-transformers model?", file=listing)
    with reading(listing, "is not a list of modules"):
        return [(str(row["type"]), str(row["path"])) for row in json.loads(listing.read_text("utf-8"))]


def read_parts(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield class and folder of each module in ``modules.json``, and of the parts of a router."""
    for kind, path in read_modules(folder):
        yield kind, folder / path
        if kind.rpartition(".")[2] in ("Router", "Asym"):
            yield from _routes(folder / path)


def _routes(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield class and folder of each part of a router."""
    file = next((folder / name for name in _ROUTER if (folder / name).is_file()), folder / _ROUTER[0])
    with reading(file, "is not a router"):
        parts = [
            (str(kind), str(path)) for path, kind in json.loads(file.read_text("utf-8"))["types"].items()
        ]
    for kind, path in parts:
        yield kind, folder / path
        if kind.rpartition(".")[2] in ("Router", "Asym"):
            yield from _routes(folder / path)


def read_pooling(folder: Path) -> tuple[str, bool]:
    """Return the pooling of a folder, and whether its vectors have length 1.

    A folder in sentence-transformers' format defines both; others are pooled by the mean.
    """
    if not (folder / "modules.json").is_file():
        return "mean", False
    modules = {kind.rpartition(".")[2]: folder / path for kind, path in read_modules(folder)}
    more = sorted(set(modules) - {"Transformer", "Pooling", "Normalize"})
    if more or "Pooling" not in modules:
        missing = f"has the module {more[0]!r}" if more else "has no pooling"
        raise InputError(f"{missing}; load it as st:{folder}", file=folder / "modules.json")
    file = modules["Pooling"] / "config.json"
    with reading(file, "is not a config of a pooling"):
        settings = json.loads(file.read_text("utf-8"))
        old = [mode for key, mode in _OLD.items() if settings.get(key)]
        given_mode = settings.get("pooling_mode") or old
        modes = [given_mode] if isinstance(given_mode, str) else list(given_mode)
    if len(modes) != 1 or modes[0] not in _MODES:
        problem = f"unknown pooling {given_mode!r}" if modes else "has no key 'pooling_mode'"
        raise InputError(f"{problem}; load it as st:{folder}", file=file)
    return _MODES[modes[0]], "Normalize" in modules

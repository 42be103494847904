"""One encoder of several: the mean of their weights, a "model soup".

Runs that start from the same pretrained weights and see the same objectives end in one basin: the mean of
their weights is an encoder too, often better than each, and costs at use what one costs. So does the weighted
mean of an encoder and of what it became when training went on: between the two lies what has of both. Where
that gave it words and token types (zones), the encoder from before gets them too: the rows of new words are
those of after, and its token types all the one that it had, so that it computes what it did.

Sources: Wortsman et al. 2022, Model soups: averaging weights of multiple fine-tuned models improves accuracy
without increasing inference time; Wortsman et al. 2022, Robust fine-tuning of zero-shot models (the mean of
the weights before and after).
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.checkpoint import new_folder
from amrx.errors import InputError, OptionError
from retrofit.amr.weights import read_weights, write_weights

if TYPE_CHECKING:
    import torch

STORAGES = ("int8", "float16", "float32")
_GROWS = {"backbone": ("vocab_size", "type_vocab_size"), "amrx": ("zones",), "model": ("vocab",)}
"""What of a config and a tokenizer changes where training goes on."""
_CARD = """# AMR encoder

The mean of the weights of {count} encoders{shares}, written by `amrx average-encoders`. Their cards:

{cards}
"""


def average_encoders(
    folders: Sequence[Path], out: Path, *, shares: Sequence[float] = (), storage: str = "int8"
) -> None:
    """Write the encoder whose weights are the mean over those of ``folders``; it appears whole or not at all.

    Args:
        folders: Encoder folders of one shape and one tokenizer, such as runs of one recipe on one corpus, or
            an encoder and what training on from it made, whose tokenizer goes on where the first one's ends.
        out: New folder.
        shares: How much of the mean each of them is, divided by their sum; all alike when empty.
        storage: ``int8``, ``float16`` or ``float32``.

    Raises:
        OptionError: There are fewer than two folders, not a share above 0 for each, or no such storage.
        InputError: A folder lacks a file, or its shape or tokenizer does not fit that of the largest.
        OutputError: ``out`` is there already, or cannot be written.
    """
    if len(folders) < 2:
        raise OptionError(f"{len(folders)} encoders have no mean; give two or more")
    if storage not in STORAGES:
        raise OptionError(f"--storage {storage!r} is none of {', '.join(STORAGES)}")
    shares = shares or [1.0] * len(folders)
    if len(shares) != len(folders) or not all(0 < share < math.inf for share in shares):
        told = ",".join(f"{share:g}" for share in shares)
        raise OptionError(f"--shares {told}: not one above 0 for each of {len(folders)} encoders")
    vocabularies = [_vocabulary(folder / "tokenizer.json") for folder in folders]
    zones = [_has_zones(folder / "config.json") for folder in folders]
    widest = max(range(len(folders)), key=lambda number: (len(vocabularies[number]), zones[number]))
    for folder, vocabulary in zip(folders, vocabularies, strict=True):
        _check_alike(folder, vocabulary, folders[widest], vocabularies[widest])
    mean = _mean(folders, shares, vocabularies, widest)
    with new_folder(out) as temporary:
        for name in ("config.json", "tokenizer.json"):
            shutil.copyfile(folders[widest] / name, temporary / name)
        write_weights(temporary / "model.safetensors", mean, storage)
        cards = "\n\n".join(f"## {folder.name}\n\n{_card(folder)}" for folder in folders)
        parts = ":".join(f"{share:g}" for share in shares)
        told = f", in shares of {parts}" if len(set(shares)) > 1 else ""
        card = _CARD.format(count=len(folders), shares=told, cards=cards)
        (temporary / "README.md").write_text(card, "utf-8")


def _check_alike(folder: Path, vocabulary: Mapping[str, int], widest: Path, wider: Mapping[str, int]) -> None:
    """Refuse a folder of another shape, or whose tokenizer the widest one does not go on from."""
    goes_on = all(wider.get(token) == number for token, number in vocabulary.items())
    for name, alike in (("tokenizer.json", goes_on), ("config.json", True)):
        if not alike or _rest(folder / name) != _rest(widest / name):
            raise InputError(f"does not fit that of {widest}: their weights have no mean", file=folder / name)


def _has_zones(path: Path) -> bool:
    options = _read(path).get("amrx")
    return isinstance(options, dict) and options.get("zones") is True


def _rest(path: Path) -> dict[str, object]:
    """Return what a config or a tokenizer says but for what grows."""
    told = _read(path)
    for part, keys in _GROWS.items():
        inner = told.get(part)
        if isinstance(inner, dict):
            told[part] = {key: value for key, value in inner.items() if key not in keys}
    return {key: value for key, value in told.items() if key != "added_tokens"}


def _vocabulary(path: Path) -> dict[str, int]:
    """Return token to id of a tokenizer's file."""
    state = _read(path)
    try:
        added = {str(token["content"]): int(token["id"]) for token in state.get("added_tokens", [])}
        pieces = state.get("model", {}).get("vocab", {})
        if isinstance(pieces, list):  # of a Unigram model: each with its score
            pieces = {piece: number for number, (piece, _) in enumerate(pieces)}
        return {**pieces, **added}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"is no tokenizer: {error!r}", file=path) from None


def _mean(
    folders: Sequence[Path], shares: Sequence[float], vocabularies: Sequence[Mapping[str, int]], widest: int
) -> dict[str, torch.Tensor]:
    """Return the weighted mean of the weights, in float32; a tensor of whole numbers is the widest one's."""
    wide = read_weights(folders[widest] / "model.safetensors")
    mean = {name: t * shares[widest] if t.is_floating_point() else t for name, t in wide.items()}
    for number, (folder, share) in enumerate(zip(folders, shares, strict=True)):
        if number == widest:
            continue
        path = folder / "model.safetensors"
        weights = read_weights(path)
        new = [place for token, place in vocabularies[widest].items() if token not in vocabularies[number]]
        for name, total in mean.items():
            own = _widened(name, weights.get(name), wide[name], new)
            if own is None:
                raise InputError(f"has no tensor {name!r} of shape {tuple(total.shape)}", file=path)
            if total.is_floating_point():
                total += own * share
    whole = sum(shares)
    return {name: t / whole if t.is_floating_point() else t for name, t in mean.items()}


def _widened(
    name: str, own: torch.Tensor | None, wide: torch.Tensor, new: Sequence[int]
) -> torch.Tensor | None:
    """Return a tensor in the shape of the widest encoder's; ``None`` if it cannot have it."""
    if own is None or own.shape[1:] != wide.shape[1:] or own.ndim == 0:
        return None
    if name.endswith("word_embeddings.weight") and len(own) <= len(wide):
        rows = wide.clone()
        rows[: len(own)] = own
        rows[new] = wide[new]
        return rows
    if name.endswith("token_type_embeddings.weight") and len(own) < len(wide):
        types = own[:1].expand_as(wide).clone()
        types[: len(own)] = own
        return types
    return own if own.shape == wide.shape else None


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError("no such file; is this an encoder folder?", file=path) from None
    except ValueError as error:
        raise InputError(f"is no JSON: {error}", file=path) from None
    if not isinstance(told, dict):
        raise InputError("is no JSON object", file=path)
    return told


def _card(folder: Path) -> str:
    """Return a folder's card without its title, its headings one level down."""
    path = folder / "README.md"
    text = path.read_text("utf-8") if path.is_file() else "It has no card."
    lines = text.removeprefix("# AMR encoder").strip().splitlines()
    return "\n".join(f"#{line}" if line.startswith("## ") else line for line in lines)

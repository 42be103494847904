"""Average the weights of several encoders, a "model soup".

Runs with the same pretrained weights and objectives end in the same basin of the loss: the mean of their
weights is an encoder, often better than each of them, at the cost of one. The weighted mean of an encoder and
of its state after further training has properties of both.

Encoders of different corpora have different relations and frames: the mean has all of them, and the row of
each is the mean over the encoders that have it. An encoder without zones uses one token type; if others have
zones, that type is repeated. One without parents has zeros for their matrix.

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
from typing import TYPE_CHECKING, cast, get_args

from amrx.errors import InputError, OptionError, check_choice
from amrx.published_checkpoint import new_folder
from amrx.records.files import reading
from amrx.records.json_lines import read_json
from retrofit.amr.tensor_files import ABOVE, Storage, read_weights, write_weights
from retrofit.model_card import HEADER, read_card

if TYPE_CHECKING:
    import torch

STORAGES = get_args(Storage)
_GROWS = {
    "backbone": ("vocab_size", "type_vocab_size", "transformers_version"),
    "amrx": ("zones", "parents", "parentheses"),
}
"""Keys of ``config.json`` that may differ between the encoders."""
_CARD = """# AMR encoder

The mean of the weights of {count} encoders{shares}, written by `amrx average-encoders`. Their cards:

{cards}
"""


def average_encoders(
    folders: Sequence[Path], out: Path, *, shares: Sequence[float] = (), storage: str = "int8"
) -> None:
    """Write the encoder with the mean weights of ``folders``, atomically.

    They have the same shape, and the same tokenizer except for added words. Shares are divided by their sum.
    """
    if len(folders) < 2:
        raise OptionError(f"a mean needs two or more encoders, got {len(folders)}")
    check_choice("--storage", storage, STORAGES)
    shares = shares or [1.0] * len(folders)
    if len(shares) != len(folders) or not all(0 < share < math.inf for share in shares):
        given = ",".join(f"{share:g}" for share in shares)
        raise OptionError(f"--shares must be {len(folders)} numbers above 0, one per encoder, got {given}")
    vocabularies = [_vocabulary(folder / "tokenizer.json") for folder in folders]
    places = [_places(folder / "config.json") for folder in folders]
    widest = max(range(len(folders)), key=lambda number: (places[number], len(vocabularies[number])))
    for folder in folders:
        _check_alike(folder, folders[widest])
    union = _union(vocabularies, widest)
    mean = _mean(folders, shares, vocabularies, widest, union)
    with new_folder(out) as temporary:
        for name in ("config.json", "tokenizer.json"):
            shutil.copyfile(folders[widest] / name, temporary / name)
        if len(union) > len(vocabularies[widest]):
            _add_words(temporary, folders, union)
        write_weights(temporary / "model.safetensors", mean, cast("Storage", storage))
        cards = "\n\n".join(f"## {folder.name}\n\n{_card(folder)}" for folder in folders)
        parts = ":".join(f"{share:g}" for share in shares)
        weights = f", in shares of {parts}" if len(set(shares)) > 1 else ""
        card = _CARD.format(count=len(folders), shares=weights, cards=cards)
        (temporary / "README.md").write_text(HEADER + card, "utf-8")


def _check_alike(folder: Path, widest: Path) -> None:
    """Raise for a folder of another shape, or whose tokenizer has other pieces than the largest one."""
    for name in ("tokenizer.json", "config.json"):
        if _rest(folder / name) != _rest(widest / name):
            raise InputError(f"does not fit {widest}: their weights cannot be averaged", file=folder / name)


def _add_words(out: Path, folders: Sequence[Path], union: Mapping[str, int]) -> None:
    """Add the words of the other folders' tokenizers to the tokenizer and the config in ``out``."""
    tokenizer, config = read_json(out / "tokenizer.json"), read_json(out / "config.json")
    known = {token["content"] for token in tokenizer["added_tokens"]}
    for folder in folders:
        for token in read_json(folder / "tokenizer.json").get("added_tokens", []):
            if token["content"] not in known:
                known.add(token["content"])
                tokenizer["added_tokens"].append({**token, "id": union[token["content"]]})
    config["backbone"]["vocab_size"] = max(config["backbone"]["vocab_size"], max(union.values()) + 1)
    compact = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (out / "tokenizer.json").write_text(compact, "utf-8")
    (out / "config.json").write_text(json.dumps(config, ensure_ascii=False, indent=2), "utf-8")


def _places(path: Path) -> int:
    """Return how many of zones and parents an encoder has."""
    options = read_json(path).get("amrx")
    return sum(options.get(key) is True for key in ("zones", "parents")) if isinstance(options, dict) else 0


def _rest(path: Path) -> dict[str, object]:
    """Return a config or a tokenizer without the parts that may differ."""
    config = read_json(path)
    for part, keys in _GROWS.items():
        inner = config.get(part)
        if isinstance(inner, dict):
            config[part] = {key: value for key, value in inner.items() if key not in keys}
    return {key: value for key, value in config.items() if key != "added_tokens"}


def _vocabulary(path: Path) -> dict[str, int]:
    """Return token to id of a tokenizer's file."""
    state = read_json(path)
    with reading(path, "is not a tokenizer"):
        added = {str(token["content"]): int(token["id"]) for token in state.get("added_tokens", [])}
        pieces = state.get("model", {}).get("vocab", {})
        if isinstance(pieces, list):  # pieces of a Unigram model have scores
            pieces = {piece: number for number, (piece, _) in enumerate(pieces)}
        return {**pieces, **added}


def _union(vocabularies: Sequence[Mapping[str, int]], widest: int) -> dict[str, int]:
    """Return the words of all encoders with ids; those of the largest one keep their ids."""
    union = dict(vocabularies[widest])
    following = max(union.values(), default=-1) + 1
    for token in dict.fromkeys(token for vocabulary in vocabularies for token in vocabulary):
        if token not in union:
            union[token] = following
            following += 1
    return union


def _mean(
    folders: Sequence[Path],
    shares: Sequence[float],
    vocabularies: Sequence[Mapping[str, int]],
    widest: int,
    union: Mapping[str, int],
) -> dict[str, torch.Tensor]:
    """Return the weighted mean of the weights in float32; integer tensors are from the largest encoder."""
    paths = [folder / "model.safetensors" for folder in folders]
    wide = read_weights(paths[widest])
    words = next((name for name in wide if name.endswith("word_embeddings.weight")), None)
    if words is None:
        for path, vocabulary in zip(paths, vocabularies, strict=True):
            if any(union[token] != number for token, number in vocabulary.items()):
                raise InputError("has words in another order, and no tensor 'word_embeddings'", file=path)
    table = None if words is None else _Table(wide[words], union)
    mean = {name: t * 0 if t.is_floating_point() else t for name, t in wide.items() if name != words}
    for path, share, vocabulary in zip(paths, shares, vocabularies, strict=True):
        weights = read_weights(path)
        if table is not None and words is not None and not table.add(weights.get(words), share, vocabulary):
            raise InputError(
                f"has no tensor {words!r} with a row of width {wide[words].shape[-1]} a word", file=path
            )
        for name, total in mean.items():
            own = _grown(weights, name, total)
            if own is None or own.shape != total.shape:
                raise InputError(f"has no tensor {name!r} of shape {tuple(total.shape)}", file=path)
            if total.is_floating_point():
                total += own * share
    whole = sum(shares)
    averaged = {name: t / whole if t.is_floating_point() else t for name, t in mean.items()}
    return averaged if table is None or words is None else {**averaged, words: table.mean()}


class _Table:
    """The mean of word embeddings with different ids; padding rows are those of the largest encoder."""

    def __init__(self, wide: torch.Tensor, union: Mapping[str, int]) -> None:
        count = max(len(wide), max(union.values(), default=-1) + 1)
        self._wide, self._union = wide, union
        self._sum = wide.new_zeros(count, *wide.shape[1:])
        self._known = wide.new_zeros(count)  # sum of the shares of the encoders that have a word

    def add(self, own: torch.Tensor | None, share: float, vocabulary: Mapping[str, int]) -> bool:
        """Add the rows of an encoder; return false if their width or number does not fit."""
        if own is None or own.shape[1:] != self._sum.shape[1:]:
            return False
        if max(vocabulary.values(), default=-1) >= len(own):
            return False
        rows = [self._union[token] for token in vocabulary]
        self._sum[rows] += own[list(vocabulary.values())] * share
        self._known[rows] += share
        return True

    def mean(self) -> torch.Tensor:
        """Return the mean rows, in the order of the union."""
        known = self._known > 0
        rows = self._sum / self._known.where(known, self._known.new_ones(()))[:, None]
        padding = (~known[: len(self._wide)]).nonzero().flatten()
        rows[padding] = self._wide[padding]
        return rows


def _grown(weights: Mapping[str, torch.Tensor], name: str, like: torch.Tensor) -> torch.Tensor | None:
    """Return a tensor of an encoder, as if it had the zones and the parents of the largest one."""
    own = weights.get(name)
    if own is None:
        return like * 0 if name == ABOVE else None
    return _widened(own, like) if name.endswith("token_type_embeddings.weight") else own


def _widened(types: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Extend token types to the number of another encoder; new types are copies of the first."""
    if types.shape[1:] != like.shape[1:] or len(types) >= len(like):
        return types
    widened = types[:1].expand_as(like).clone()
    widened[: len(types)] = types
    return widened


def _card(folder: Path) -> str:
    """Return a folder's card without its title, with headings one level lower."""
    text = read_card(folder) or "It has no card."
    lines = text.removeprefix("# AMR encoder").strip().splitlines()
    return "\n".join(f"#{line}" if line.startswith("## ") else line for line in lines)

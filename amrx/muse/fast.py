"""Convert the subword model of multilingual USE to a tokenizer of transformers, optionally with fewer pieces.

An encoder with this tokenizer is saved in transformers' format and needs no sentencepiece to load::

    sp.model ── pieces, scores, character map ──> tokenizers.Tokenizer ── save ──> tokenizer.json
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import sentencepiece
import torch
from torch import Tensor

from amrx.errors import OptionError
from amrx.muse.model import WIDTH, load_model
from amrx.muse.tokenize import BOS, EOS
from amrx.muse.weights import find, read_checked

if TYPE_CHECKING:
    from tokenizers import Tokenizer


BLOCK = 2048
"""Pieces per batch of the network."""


def piece_vectors(pieces: int, width: int) -> Tensor:
    """Return vectors of the first ``pieces`` pieces ``(pieces, width)``, with mean 0 and deviation 1.

    A vector is the network's output for a sentence of that piece, less the mean, along the first principal
    directions. In the embedding table the rows of different languages are apart; in the output they are not:
    means of these vectors find translations often enough to initialise a small encoder (Tulkens and van
    Dongen 2024, "Model2Vec", compute static vectors in this way).
    """
    if width > WIDTH:
        raise OptionError(f"width must be <= {WIDTH}, the directions of multilingual USE, got {width}")
    model = load_model()
    with torch.inference_mode():
        blocks = torch.arange(pieces).split(BLOCK)
        vectors = torch.cat([model(*_alone(block)) for block in blocks]).double()  # (pieces, 512)
        vectors -= vectors.mean(dim=0)
        _, directions = torch.linalg.eigh(vectors.T @ vectors)  # variance increases along the columns
        directions = directions[:, -width:].flip(1)
        largest = directions.gather(0, directions.abs().argmax(dim=0, keepdim=True))
        vectors = vectors @ (directions * largest.sign())  # the sign of a direction is arbitrary
        return cast("Tensor", (vectors / vectors.std()).float()).clone()


def _alone(pieces: Tensor) -> tuple[Tensor, Tensor]:
    """Return ids and mask ``(B, 3)`` of sentences of one piece each."""
    ids = torch.stack([torch.full_like(pieces, BOS), pieces, torch.full_like(pieces, EOS)], dim=1)
    return ids, torch.ones_like(ids, dtype=torch.bool)


UNKNOWN, PAD = 0, 3
"""Ids; the model's piece with the id ``PAD`` is reserved and occurs in no text."""

RESERVED = 6
"""Number of reserved pieces before those that texts can have."""

NORMALIZER, CHARACTER_MAP = 3, 2
"""Fields of sentencepiece's ModelProto and NormalizerSpec."""


def fast_tokenizer(pieces: int = 0, folder: str | Path | None = None) -> Tokenizer:
    """Return a tokenizer that adds ``<s> … </s>`` and, with all pieces, gives the ids of `MuseTokenizer`.

    Of the 128,000 pieces only the ``pieces`` most probable ones are kept, with their ids; 0 keeps all. Text
    that the kept pieces cannot spell becomes ``<unk>``.
    """
    from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import Unigram

    raw = read_checked(find(folder).tokenizer)
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(raw)
    total = int(processor.GetPieceSize())
    if pieces and not RESERVED < pieces <= total:
        raise OptionError(f"pieces must be {RESERVED + 1} to {total}, or 0 for all, got {pieces}")
    ids = range(pieces or total)  # in descending order of probability
    vocabulary = [(str(processor.IdToPiece(index)), float(processor.GetScore(index))) for index in ids]
    vocabulary[PAD] = ("<pad>", 0.0)
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=UNKNOWN, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(_character_map(raw)),
            normalizers.Strip(left=True, right=True),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", BOS), ("</s>", EOS)]
    )
    return tokenizer


def _character_map(model: bytes) -> bytes:
    """Return the compiled rules of character normalisation from a serialised sentencepiece model."""
    normalizer = next(value for number, value in _fields(model) if number == NORMALIZER)
    return next(value for number, value in _fields(normalizer) if number == CHARACTER_MAP)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of the length-delimited fields of a protobuf message; skip the others.

    This avoids the package protobuf for two fields.
    """
    position, fixed = 0, {1: 8, 5: 4}
    while position < len(message):
        key, position = _varint(message, position)
        kind = key & 7
        if kind == 0:
            _, position = _varint(message, position)
            continue
        size = fixed.get(kind)
        if size is None:
            size, position = _varint(message, position)
            yield key >> 3, message[position : position + size]
        position += size


def _varint(message: bytes, position: int) -> tuple[int, int]:
    """Return a base-128 varint, and the position after it."""
    value = shift = 0
    while True:
        byte = message[position]
        value |= (byte & 127) << shift
        position, shift = position + 1, shift + 7
        if byte < 128:
            return value, position

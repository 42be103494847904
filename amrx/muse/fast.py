"""Convert the subword model of multilingual USE to a tokenizer of transformers, optionally with fewer pieces.

An encoder with this tokenizer is saved in transformers' format and needs no sentencepiece to load::

    sp.model ── pieces, scores, character map ──> tokenizers.Tokenizer ── save ──> tokenizer.json
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import sentencepiece

from amrx.errors import OptionError
from amrx.muse.tokenize import BOS, EOS
from amrx.muse.weights import find, read_checked

if TYPE_CHECKING:
    from tokenizers import Tokenizer

UNKNOWN, PAD = 0, 3
"""Ids; the model's piece with the id ``PAD`` is reserved and occurs in no text."""

RESERVED = 6
"""Number of reserved pieces before those that texts can have."""

NORMALIZER, CHARACTER_MAP = 3, 2
"""Fields of sentencepiece's ModelProto and NormalizerSpec."""


def fast_tokenizer(pieces: int = 0, folder: str | Path | None = None) -> Tokenizer:
    """Return a tokenizer that adds ``<s> … </s>`` and, with all pieces, gives the ids of `MuseTokenizer`.

    Args:
        pieces: Number of pieces to keep, the most probable ones with their ids; 0 keeps all 128,000. Text
            that the kept pieces cannot spell becomes ``<unk>``.
        folder: Folder with ``sp.model``; default the installed package.
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

"""The subword model of multilingual USE as a tokenizer of transformers, whole or cut to its best pieces.

An encoder trained on it is saved in transformers' format and needs no sentencepiece to load::

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
"""Ids; the piece that stands at ``PAD`` in the model is a reserved one, which no text has."""

RESERVED = 6
"""Pieces before the first that text can have."""

NORMALIZER, CHARACTER_MAP = 3, 2
"""Fields of sentencepiece's ModelProto and NormalizerSpec."""


def fast_tokenizer(pieces: int = 0, folder: str | Path | None = None) -> Tokenizer:
    """Return a tokenizer that gives ``<s> … </s>`` and, with all pieces, the ids of `MuseTokenizer`.

    Args:
        pieces: How many pieces to keep, the most probable ones (their ids stay); 0 keeps all 128,000. A text
            is cut into the pieces that are left, and what they cannot spell is ``<unk>``.
        folder: Folder with ``sp.model``; the installed package when ``None``.

    Raises:
        OptionError: ``pieces`` is too small or larger than the model.
        MissingResourceError: The model is not on this machine.
    """
    from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import Unigram

    raw = read_checked(find(folder).tokenizer)
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(raw)
    total = int(processor.GetPieceSize())
    if pieces and not RESERVED < pieces <= total:
        raise OptionError(f"{pieces} pieces cannot be kept; give {RESERVED + 1} to {total}, or 0 for all")
    kept = range(pieces or total)  # they stand in the order of their probability
    vocabulary = [(str(processor.IdToPiece(place)), float(processor.GetScore(place))) for place in kept]
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
    """Return the compiled rules by which sentencepiece normalises characters, from its serialised model."""
    normalizer = next(value for number, value in _fields(model) if number == NORMALIZER)
    return next(value for number, value in _fields(normalizer) if number == CHARACTER_MAP)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of the fields of a protobuf message that have a length; skip the others.

    The package protobuf is not needed for the two fields wanted.
    """
    place, fixed = 0, {1: 8, 5: 4}
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        if kind == 0:
            _, place = _varint(message, place)
            continue
        size = fixed.get(kind)
        if size is None:
            size, place = _varint(message, place)
            yield key >> 3, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, and the place after it."""
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place

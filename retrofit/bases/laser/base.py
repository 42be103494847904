"""Provide the base ``laser``: LASER1 or LASER2, depending on the published files in the folder.

Cai et al. 2022 evaluate LASER1.

Without an argument LASER2 is searched in the folder of the package ``laser_encoders``. The steps are those of
the published code: a sentence is split into subwords, these are looked up in the checkpoint's dictionary, and
``</s>`` is appended; there is no ``<s>``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx import langid
from amrx.device import length_buckets, pad_rows, pick_device
from amrx.device import progress as progress_bar
from amrx.encoder import TextEncoder
from amrx.errors import InputError
from retrofit.bases.laser.files import FIRST, Release, find_folder
from retrofit.bases.laser.text import clean
from retrofit.bases.table import Asked

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

    from amrx.types import Codes, Vectors
    from retrofit.bases.laser.network import LaserNetwork
    from retrofit.bases.laser.words import Cut, Words


Lang = str | Sequence[str] | None


class WordsAndMerges:
    """Tokenizer of LASER1: words of the language, split by byte-pair encoding."""

    def __init__(self, words: Words, bpe: Cut) -> None:
        self._words, self._bpe = words, bpe

    def __call__(self, sentences: Sequence[str], lang: Lang) -> list[list[str]]:
        """Return the subwords of every sentence, without ``</s>``; ``lang`` is detected when ``None``."""
        codes = langid.detect(sentences) if lang is None else langid.codes_of(lang, len(sentences))
        cut = (self._words.cut(text, code).split() for text, code in zip(sentences, codes, strict=True))
        return [self._bpe(words) for words in cut]


class Pieces:
    """Tokenizer of LASER2: SentencePiece on the cleaned text, for every language."""

    def __init__(self, model: SentencePieceProcessor) -> None:
        self._model = model

    def __call__(self, sentences: Sequence[str], lang: Lang) -> list[list[str]]:
        """Return the subwords of every sentence, without ``</s>``; ``lang`` is ignored."""
        cut = self._model.encode([clean(sentence) for sentence in sentences], out_type=str)
        # joined and split at spaces, like the files between the published steps
        return [" ".join(pieces).split() for pieces in cut]


Subwords = WordsAndMerges | Pieces

FIXED: Mapping[str, int] = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
"""Ids fixed in the published code of LASER2, regardless of its dictionary; LASER1 uses its dictionary."""

NEEDED = ("<pad>", "</s>", "<unk>")


class LaserBase(TextEncoder):
    """Encode 93 languages with one network; LASER1 splits words by ``lang``, LASER2 ignores it."""

    def __init__(
        self,
        release: Release,
        network: LaserNetwork,
        subwords: Subwords,
        dictionary: Mapping[str, int],
        folder: Path,
    ) -> None:
        self._release, self._network, self._subwords = release, network, subwords
        self._dictionary, self._folder = dictionary, folder
        self.name, self.dimension = release.name, network.dimension

    @cached_property
    def fingerprint(self) -> str:
        """Name and hash of all files."""
        digest = hashlib.sha256()
        for name in self._release.files:
            with (self._folder / name).open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        return f"{self.name}:{digest.hexdigest()[:12]}"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 ``(n, d)``, not normalised."""
        import torch

        ids = self.ids(texts, lang)
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        batches = length_buckets([len(row) for row in ids], batch_size)
        device = self._network.embed_tokens.weight.device
        with torch.inference_mode():
            for batch in progress_bar(batches, len(ids), self.name, show=progress, size=len):
                rows = [ids[index] for index in batch]
                tokens = pad_rows(rows, self._dictionary["<pad>"]).to(device)
                lengths = torch.tensor([len(row) for row in rows])
                vectors[batch] = self._network(tokens, lengths).cpu().numpy()
        return vectors

    def ids(self, sentences: Sequence[str], lang: str | Sequence[str] | None = None) -> list[list[int]]:
        """Return the ids of every sentence, ``</s>`` last."""
        known, unknown, end = self._dictionary, self._dictionary["<unk>"], self._dictionary["</s>"]
        cut = self._subwords(sentences, lang)
        return [[*(known.get(subword, unknown) for subword in row), end] for row in cut]


def find(asked: Asked) -> Path:
    """Return the folder of the files: the named one, or that of the package ``laser_encoders``."""
    return find_folder(asked.argument)[1]


def load(asked: Asked, device: str | None = None) -> LaserBase:
    """Load LASER1 or LASER2 from the named folder, or LASER2 from the folder of ``laser_encoders``."""
    from retrofit.bases.laser.network import read_checkpoint

    release, folder = find_folder(asked.argument)
    weights = folder / release.files[0]
    subwords = _words_and_merges(folder) if release is FIRST else _pieces(folder / release.files[1])
    network, dictionary = read_checkpoint(weights)
    if release is not FIRST:
        dictionary = {**dictionary, **FIXED}
    missing = [name for name in NEEDED if name not in dictionary]
    if missing:
        raise InputError(f"dictionary lacks {', '.join(missing)}", file=weights)
    size = network.embed_tokens.num_embeddings
    if any(not 0 <= index < size for index in dictionary.values()):
        raise InputError(f"dictionary has ids outside its {size} embeddings", file=weights)
    return LaserBase(release, network.to(pick_device(device)), subwords, dictionary, folder)


def _words_and_merges(folder: Path) -> Subwords:
    """Return the tokenizer of LASER1."""
    from retrofit.bases.laser.words import Words, read_bpe

    _, codes, vocabulary = FIRST.files
    return WordsAndMerges(Words(), read_bpe(folder / codes, folder / vocabulary))


def _pieces(file: Path) -> Subwords:
    """Return the tokenizer of LASER2."""
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor()
    try:
        model.LoadFromSerializedProto(file.read_bytes())
    except RuntimeError as error:
        raise InputError(f"is not a SentencePiece model: {error}", file=file) from None
    return Pieces(model)

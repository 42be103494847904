"""The base ``laser``: LASER2 from its published files ``laser2.pt`` and ``laser2.spm``.

Where nothing follows the colon, they are looked for where the package ``laser_encoders`` keeps them. What
that package does, is done here: the text is cleaned (`retrofit.bases.laser.text`), cut by SentencePiece, each
piece looked up in the checkpoint's dictionary, ``</s>`` put last and no ``<s>`` first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.device import length_buckets, pick_device
from amrx.device import progress as progress_bar
from amrx.errors import InputError, MissingResourceError
from retrofit.bases.laser.text import clean
from retrofit.bases.row import Asked

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

    from amrx.types import Vectors
    from retrofit.bases.laser.network import LaserNetwork

WEIGHTS, PIECES = "laser2.pt", "laser2.spm"
FIRST = "bilstm.93langs.2018-12-26.pt"
"""Weights of LASER1, whose subwords are made in another way."""

FIXED: Mapping[str, int] = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
"""Ids that fairseq gives in every dictionary."""

FETCH = (
    "curl --create-dirs --output-dir ~/.cache/laser_encoders --remote-name-all "
    "https://dl.fbaipublicfiles.com/nllb/laser/laser2.{pt,spm}"
)


class LaserBase:
    """Vectors of 93 languages by one network, so ``lang`` changes nothing.

    Args:
        network: On its device.
        pieces: The subword model.
        dictionary: Piece to id.
        folder: Where the files are; hashed for the fingerprint.
    """

    name = "laser"

    def __init__(
        self,
        network: LaserNetwork,
        pieces: SentencePieceProcessor,
        dictionary: Mapping[str, int],
        folder: Path,
    ) -> None:
        self._network, self._pieces, self._folder = network, pieces, folder
        self._dictionary = {**dictionary, **FIXED}

    @property
    def dimension(self) -> int:
        """Width ``d`` of the vectors."""
        return self._network.dimension

    @cached_property
    def fingerprint(self) -> str:
        """Name and hash of both files."""
        digest = hashlib.sha256()
        for name in (WEIGHTS, PIECES):
            with (self._folder / name).open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        return f"{self.name}:{digest.hexdigest()[:12]}"

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        """Return float32 ``(n, d)``, as long as the maximum makes them."""
        import torch

        ids = self.ids(sentences)
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        batches = length_buckets([len(row) for row in ids], batch_size)
        device = self._network.embed_tokens.weight.device
        with torch.inference_mode():
            for batch in progress_bar(batches, len(batches), self.name, show=progress):
                lengths = torch.tensor([len(ids[place]) for place in batch])
                tokens = torch.full((len(batch), int(lengths[0])), FIXED["<pad>"])
                for row, place in enumerate(batch):
                    tokens[row, : len(ids[place])] = torch.tensor(ids[place])
                vectors[batch] = self._network(tokens.to(device), lengths).cpu().numpy()
        return vectors

    def ids(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the ids of every sentence, ``</s>`` last."""
        cut = self._pieces.encode([clean(sentence) for sentence in sentences], out_type=str)
        known, unknown = self._dictionary, FIXED["<unk>"]
        # joined and cut at blanks, as the files between the published steps were
        rows = [" ".join(pieces).split() for pieces in cut]
        return [[*(known.get(piece, unknown) for piece in row), FIXED["</s>"]] for row in rows]


def find(asked: Asked) -> Path:
    """Return the folder of both files: the one named, or that of the package ``laser_encoders``.

    Raises:
        MissingResourceError: A file is not there; the message names the command that fetches both.
        InputError: The folder holds LASER1.
    """
    folder = Path(asked.argument) if asked.argument else Path.home() / ".cache" / "laser_encoders"
    if (folder / FIRST).is_file() and not (folder / WEIGHTS).is_file():
        message = "LASER1 cuts words by fastBPE after Moses' tokenizer, which amrx has not; use LASER2"
        raise InputError(message, file=folder / FIRST)
    missing = [name for name in (WEIGHTS, PIECES) if not (folder / name).is_file()]
    if missing:
        what = f"{' and '.join(missing)} of LASER2 (looked in {folder})"
        raise MissingResourceError(what, fetch=FETCH, local=f"{asked.row.name}:DIR")
    return folder


def load(asked: Asked, device: str | None = None) -> LaserBase:
    """Load LASER2 from the folder named, or from where ``laser_encoders`` keeps it.

    Raises:
        MissingResourceError: A file is not there.
        InputError: A file is damaged or another model's.
    """
    import sentencepiece

    from retrofit.bases.laser.network import read_checkpoint

    folder = find(asked)
    found = read_checkpoint(folder / WEIGHTS)
    pieces = sentencepiece.SentencePieceProcessor()
    try:
        pieces.LoadFromSerializedProto((folder / PIECES).read_bytes())
    except RuntimeError as error:
        raise InputError(f"is no SentencePiece model: {error}", file=folder / PIECES) from None
    size = found.network.embed_tokens.num_embeddings
    if any(not 0 <= index < size for index in found.dictionary.values()):
        raise InputError(f"dictionary has ids outside its {size} embeddings", file=folder / WEIGHTS)
    return LaserBase(found.network.to(pick_device(device)), pieces, found.dictionary, folder)

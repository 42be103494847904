"""Read sentences for the mini parser: cut them into pieces and words, and give each piece its features.

::

    text ──source──> pieces, words ──features──> features (B, S, f), sentence vector (B, v)

Two readers do this: multilingual USE, frozen, whose features see five neighbours; and the first layers of
multilingual-e5-small, which see the whole sentence and are trained with the parser.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn

from amrx.e5.model import load_model as load_e5
from amrx.e5.tokenizer import E5Tokenizer
from amrx.muse import model as muse
from amrx.muse.tokenize import MuseTokenizer
from parser.mini.literals import read_words
from parser.mini.number_words import numbers_in_letters
from parser.mini.place_names import english_places
from parser.mini.words import Source, cut_pieces, join_words, read_source


class Reader(Protocol):
    """Read sentences."""

    def source(self, text: str, lang: str = "") -> Source:
        """Cut one sentence into pieces and words."""
        ...

    def features(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the features ``(B, S, f)`` of pieces ``(B, S)``, and the sentences' vectors ``(B, v)``."""
        ...


class MuseReader:
    """Read with multilingual USE, which is not trained.

    Args:
        model: Its network.
        tokenizer: Its subword model.
    """

    def __init__(self, model: muse.MuseModel, tokenizer: MuseTokenizer) -> None:
        self.model, self.tokenizer = model, tokenizer

    def source(self, text: str, lang: str = "") -> Source:
        """Cut one sentence into pieces and words, the same in every language."""
        return read_source(text, self.tokenizer)

    @torch.no_grad()
    def features(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return features ``(B, S, 1280)`` and vectors ``(B, 512)``."""
        features = self.model.token_features(ids, mask)
        return features, self.model.sentence(features, mask)


class E5Layers(nn.Module):
    """The first layers of multilingual-e5-small; all but the embeddings are trained.

    The features of a piece are the states before the first, after the middle and after the last layer side
    by side, ``(B, S, 3 * 384)``; the vector of a sentence is the mean of its last states, ``(B, 384)``.

    Args:
        layers: How many, even.
        folder: Folder with the weights of the package; the installed package when ``None``.
    """

    def __init__(self, layers: int, folder: Path | None = None) -> None:
        super().__init__()
        self.model = load_e5(folder, layers)
        for parameter in self.model.embeddings.parameters():
            parameter.requires_grad_(False)
        self.middle = layers // 2

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return features and vectors of pieces ``(B, S)``."""
        output = self.model(
            input_ids=ids * mask, attention_mask=mask.long(), output_hidden_states=True, use_cache=False
        )
        states = output.hidden_states
        shares = mask[..., None].to(states[-1].dtype)
        vector = (states[-1] * shares).sum(1) / shares.sum(1).clamp_min(1)
        return torch.cat((states[0], states[self.middle], states[-1]), -1) * shares, vector


class E5Reader:
    """Read with layers of multilingual-e5-small.

    Args:
        layers: These layers; a part of the parser's network.
        tokenizer: Its subword model.
    """

    def __init__(self, layers: E5Layers, tokenizer: E5Tokenizer) -> None:
        self.layers, self.tokenizer = layers, tokenizer

    def source(self, text: str, lang: str = "") -> Source:
        """Cut one sentence into pieces and words; the language decides which sign separates thousands."""
        composed, ids, spans, cut = cut_pieces(text, self.tokenizer)
        source = join_words(composed, ids, spans, cut, list(read_words(composed.text, lang)))
        words = [word.text for word in source.words]
        latin = [word.text for word in source.words if word.name is not None]
        places = english_places(latin, lang) if 2 * len(latin) >= len(words) else None
        return replace(source, places=places, numbers=numbers_in_letters(words, lang))

    def features(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return features ``(B, S, 1152)`` and vectors ``(B, 384)``."""
        features, vector = self.layers(ids, mask)
        return features, vector

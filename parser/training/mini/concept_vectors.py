"""Compute vectors of concept names: vectors of multilingual USE, reduced to few dimensions.

Multilingual USE gives translations similar vectors, so the name of a concept is near the words for it in
sixteen languages (*guitar* is the nearest of 9,000 names to *Gitarre*, *吉他* and *gitaar*). It is needed
only in training, and only for these vectors.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from amrx.device import pad_rows
from amrx.muse.model import fastest_dtype, load_model
from amrx.muse.tokenize import MuseTokenizer
from parser.mini.symbols import Alphabet

_SENSE = re.compile(r"-\d\d\d?$")
_BLOCK = 512


def words_of(symbol: str) -> str:
    """Return the words of a concept or constant, without its sense and its quotes.

    Example:
        >>> words_of("pick-up-04"), words_of('"Rhein"'), words_of("polar-bear")
        ('pick up', 'Rhein', 'polar bear')
    """
    return _SENSE.sub("", symbol).strip('"').replace("-", " ").strip() or symbol


@torch.inference_mode()
def new_name_vectors(alphabet: Alphabet, names: Tensor, muse: Path | None = None) -> Tensor:
    """Return unit vectors ``(V, width)`` of an alphabet whose first symbols have vectors already.

    Sentence vectors of the new names are mapped into the space of the old vectors. The linear map is fitted
    on the old names by least squares.
    """
    if len(names) == len(alphabet):
        return names
    vectors = sentence_vectors(alphabet.symbols[alphabet.first_node :], muse)
    vectors = torch.cat((vectors, torch.ones_like(vectors[:, :1])), 1)
    known = names[alphabet.first_node :].to(vectors)
    carried = vectors[len(known) :] @ torch.linalg.lstsq(vectors[: len(known)], known).solution
    return torch.cat((names, torch.nn.functional.normalize(carried, dim=1).to(names)))


@torch.inference_mode()
def name_vectors(alphabet: Alphabet, width: int, muse: Path | None = None) -> Tensor:
    """Return unit vectors ``(V, width)`` of the symbols' names; zeros for symbols below the nodes.

    They are the sentence vectors of the names, centred and projected to their ``width`` principal directions.
    """
    vectors = sentence_vectors(alphabet.symbols[alphabet.first_node :], muse)
    centred = vectors - vectors.mean(0)
    _, directions = torch.linalg.eigh(centred.T @ centred)  # ascending
    directions = directions[:, -width:]
    directions = directions * directions[directions.abs().argmax(0), torch.arange(directions.shape[1])].sign()
    reduced = torch.nn.functional.normalize(centred @ directions, dim=1).float()
    names = torch.zeros(len(alphabet), width)
    names[alphabet.first_node :, : reduced.shape[1]] = reduced
    return names


def sentence_vectors(symbols: Sequence[str], muse: Path | None) -> Tensor:
    """Return multilingual USE's vectors of the names of symbols ``(n, 512)``, float64."""
    tokenizer, model = MuseTokenizer(muse), load_model(muse, dtype=fastest_dtype(torch.device("cpu")))
    texts, blocks = [words_of(symbol) for symbol in symbols], []
    for start in range(0, len(texts), _BLOCK):
        ids = pad_rows(tokenizer.encode(texts[start : start + _BLOCK]), -1)
        blocks.append(model(ids.clamp_min(0), ids >= 0))
    return torch.cat(blocks).double()  # (nodes, 512)

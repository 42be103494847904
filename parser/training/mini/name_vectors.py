"""Compute vectors of the names of labels: vectors of multilingual USE, reduced to few dimensions.

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
from parser.mini.labels import Labels

_SENSE = re.compile(r"-\d\d\d?$")
_BLOCK = 512


def words_of(node: str) -> str:
    """Return the words of a concept or constant, without its sense and its quotes.

    Example:
        >>> words_of("pick-up-04"), words_of('"Rhein"'), words_of("polar-bear")
        ('pick up', 'Rhein', 'polar bear')
    """
    return _SENSE.sub("", node).strip('"').replace("-", " ").strip() or node


@torch.inference_mode()
def name_vectors(labels: Labels, width: int, muse: Path | None = None) -> Tensor:
    """Return unit vectors ``(V, width)`` of the labels' names; zeros for the labels that are no names.

    They are the sentence vectors of the names, centred and projected to their ``width`` principal directions.
    """
    vectors = _sentence_vectors(labels.nodes, muse)
    centred = vectors - vectors.mean(0)
    _, directions = torch.linalg.eigh(centred.T @ centred)  # ascending
    directions = directions[:, -width:]
    directions = directions * directions[directions.abs().argmax(0), torch.arange(directions.shape[1])].sign()
    reduced = torch.nn.functional.normalize(centred @ directions, dim=1).float()
    names = torch.zeros(len(labels), width)
    names[: len(reduced), : reduced.shape[1]] = reduced
    return names


@torch.inference_mode()
def new_name_vectors(labels: Labels, old: Labels, names: Tensor, muse: Path | None = None) -> Tensor:
    """Return the vectors ``(V, width)`` of ``labels``, in the space of those ``names`` of ``old``.

    Sentence vectors of the new names are mapped into it by a linear map that is fitted on the old names by
    least squares.
    """
    vectors = _sentence_vectors(labels.nodes, muse)
    vectors = torch.cat((vectors, torch.ones_like(vectors[:, :1])), 1)
    known = [number for number, node in enumerate(labels.nodes) if node in old.node_ids]
    there = names[[old.node_ids[labels.nodes[number]] for number in known]]
    solution = torch.linalg.lstsq(vectors[known], there.to(vectors)).solution
    mapped = torch.nn.functional.normalize(vectors @ solution, dim=1).to(names)
    mapped[known] = there
    return torch.cat((mapped, torch.zeros(len(labels) - len(mapped), names.shape[1]).to(names)))


def _sentence_vectors(nodes: Sequence[str], muse: Path | None) -> Tensor:
    tokenizer, model = MuseTokenizer(muse), load_model(muse, dtype=fastest_dtype(torch.device("cpu")))
    texts, blocks = [words_of(node) for node in nodes], []
    for start in range(0, len(texts), _BLOCK):
        ids = pad_rows(tokenizer.encode(texts[start : start + _BLOCK]), -1)
        blocks.append(model(ids.clamp_min(0), ids >= 0))
    return torch.cat(blocks).double()  # (nodes, 512)

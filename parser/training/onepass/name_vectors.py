"""Compute vectors of the names of labels: vectors of multilingual USE, reduced to few dimensions.

As those of the symbols of ``mini`` (`parser.training.mini.concept_vectors`).
"""

from pathlib import Path

import torch
from torch import Tensor

from parser.onepass.labels import Labels
from parser.training.mini.concept_vectors import sentence_vectors


@torch.inference_mode()
def name_vectors(labels: Labels, width: int, muse: Path | None = None) -> Tensor:
    """Return unit vectors ``(V, width)`` of the labels' names; zeros for the labels that are no names.

    They are the sentence vectors of the names, centred and projected to their ``width`` principal directions.
    """
    vectors = sentence_vectors(labels.nodes, muse)
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
    vectors = sentence_vectors(labels.nodes, muse)
    vectors = torch.cat((vectors, torch.ones_like(vectors[:, :1])), 1)
    known = [number for number, node in enumerate(labels.nodes) if node in old.node_ids]
    there = names[[old.node_ids[labels.nodes[number]] for number in known]]
    solution = torch.linalg.lstsq(vectors[known], there.to(vectors)).solution
    mapped = torch.nn.functional.normalize(vectors @ solution, dim=1).to(names)
    mapped[known] = there
    return torch.cat((mapped, torch.zeros(len(labels) - len(mapped), names.shape[1]).to(names)))

"""One training step: rows through the frozen features and the network, and the losses over their vectors."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from amrx.muse.encode import summed_blocks
from amrx.muse.model import WIDTH, MuseModel
from retrofit.student.bag import subwords_of
from retrofit.student.model import StudentNetwork
from retrofit.student.pooled import PooledNetwork
from retrofit.student.recipe import Ranked, Recipe
from retrofit.student.rows import by_length, padded
from retrofit.training.amr.losses import cosent_loss, info_nce, regression_loss
from retrofit.training.neighbours import near_loss
from retrofit.training.student.plan import Plan

AT_ONCE = 1024
"""Sentences that pass a pooled network together."""


def autocast(muse: MuseModel) -> contextlib.AbstractContextManager[object]:
    """Return autocast to the arithmetic of the features: nothing where they are float32."""
    dtype = muse.projection.dtype
    if dtype == torch.float32:
        return contextlib.nullcontext()
    return torch.autocast(muse.projection.device.type, dtype=dtype)


def encode_rows(
    muse: MuseModel, network: StudentNetwork, ids: list[list[int]], rows: int, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Return the student's vectors ``(n, d)`` and those of multilingual USE ``(n, 512)``, in order.

    Args:
        muse: Frozen; no gradient reaches it.
        network: The student.
        ids: Subwords of each sentence.
        rows: Sentences in one pass.
        device: Where both are.
    """
    places, vectors, sentences = list[int](), list[Tensor](), list[Tensor]()
    for batch in by_length([len(row) for row in ids], rows):
        tokens, mask = padded([ids[place] for place in batch], device)
        with torch.no_grad():
            features = muse.token_features(tokens, mask)
            sentence = muse.sentence(features, mask)
        with autocast(muse):
            vectors.append(network(features, sentence, mask).float())
        sentences.append(sentence)
        places += batch
    if not places:
        return torch.zeros(0, network.shape.dimension), torch.zeros(0, WIDTH)
    back = torch.argsort(torch.tensor(places, device=device))
    return torch.cat(vectors)[back], torch.cat(sentences)[back]


def encode_pooled(
    muse: MuseModel, network: PooledNetwork, pooled: Tensor, lengths: Tensor, ids: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor]:
    """Return the student's vectors ``(n, d)`` and those of multilingual USE ``(n, 512)``.

    Args:
        muse: Frozen; no gradient reaches it.
        network: The student.
        pooled: Sums of token features over the root of the length ``(n, 1280)``.
        lengths: Tokens of each sentence ``(n,)``.
        ids: Subwords of each sentence.
    """
    with torch.no_grad():
        sentence = muse.from_sums(pooled * lengths[:, None].to(pooled.dtype).sqrt(), lengths)
    with autocast(muse):
        subwords = subwords_of(muse, ids) if network.shape.bag else None
        return network(pooled, sentence, subwords).float(), sentence


def pool(muse: MuseModel, ids: Sequence[list[int]], batch_size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield ``pooled`` and ``lengths`` of `encode_pooled`, block by block."""
    for sums, lengths in summed_blocks(muse, ids, batch_size=batch_size):
        yield sums * lengths[:, None].to(sums.dtype).rsqrt(), lengths


def encode(
    muse: MuseModel, network: StudentNetwork | PooledNetwork, ids: list[list[int]], rows: int
) -> tuple[Tensor, Tensor]:
    """Return vectors of either kind of student, and of multilingual USE, of subwords, in order."""
    if isinstance(network, StudentNetwork):
        return encode_rows(muse, network, ids, rows, muse.table.device)
    parts, done = list[tuple[Tensor, Tensor]](), 0
    for pooled, lengths in pool(muse, ids, rows):
        # few at a time: a bag holds a row for each of their distinct subwords
        for some, counts in zip(pooled.split(AT_ONCE), lengths.split(AT_ONCE), strict=True):
            parts.append(encode_pooled(muse, network, some, counts, ids[done : done + len(some)]))
            done += len(some)
    if not parts:
        return torch.zeros(0, network.shape.dimension), torch.zeros(0, WIDTH)
    return torch.cat([vectors for vectors, _ in parts]), torch.cat([base for _, base in parts])


def losses(plan: Plan, vectors: Tensor, base: Tensor, goal: Tensor, recipe: Recipe) -> dict[str, Tensor]:
    """Return each objective's loss, unweighted.

    Args:
        plan: What was encoded.
        vectors: The student's ``(n, d)``.
        base: Those of multilingual USE ``(n, 512)``, unit length.
        goal: The teacher's, of the first rows ``(distill, d)``.
        recipe: Temperatures.
    """
    distill, graded, nli = plan.sizes
    drawn, part = vectors[:distill], recipe.distill
    made = {"distill": regression_loss(drawn, goal)}
    if part.contrast > 0:
        made["contrast"] = info_nce(
            drawn, goal, vectors[:0], temperature=part.temperature, same_above=part.same_above
        )
    if recipe.near.weight > 0:
        made["near"] = near_loss(drawn, goal, recipe.near.group)
    start = distill
    for name, size, gold in (
        ("graded", graded, torch.from_numpy(plan.scores)),
        ("nli", nli, torch.from_numpy(plan.labels)),
    ):
        if size:
            sides = [slice(start, start + size), slice(start + size, start + 2 * size)]
            made[name] = _ranked(vectors, base, sides, gold.to(vectors.device), getattr(recipe, name))
            start += 2 * size
    return made


def _ranked(vectors: Tensor, base: Tensor, sides: list[slice], gold: Tensor, part: Ranked) -> Tensor:
    """CoSENT of the student alone and of it beside the base, averaged."""
    alone = cosent_loss(vectors[sides[0]], vectors[sides[1]], gold, temperature=part.temperature)
    joined = torch.cat((base, part.beside * F.normalize(vectors)), 1)
    beside = cosent_loss(joined[sides[0]], joined[sides[1]], gold, temperature=part.temperature)
    return (alone + beside) / 2


def total(made: dict[str, Tensor], recipe: Recipe) -> Tensor:
    """Return the weighted sum of the objectives."""
    weights = {
        "distill": 1.0, "contrast": recipe.distill.contrast,
        "near": recipe.near.weight, "graded": recipe.graded.weight, "nli": recipe.nli.weight,
    }  # fmt: skip
    return torch.stack([weights[name] * value for name, value in made.items()]).sum()

"""Gradients of one step, with all activations kept or with the gradient cache.

The gradient cache (Gao et al. 2021; sentence-transformers' CachedMultipleNegativesRankingLoss) first
encodes without activations, takes the loss's gradient towards every vector, then encodes each chunk again
with activations and sends that gradient through: the same gradients in the memory of one chunk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from amrx.training.loop import step_seed
from retrofit.amr.forward import batches, embed

if TYPE_CHECKING:
    from retrofit.amr.model import Trainee
    from retrofit.amr.pieces import Rows
    from retrofit.training.amr.objectives import Objectives, Plan
    from retrofit.training.amr.recipe import Recipe


def gradients(
    trainee: Trainee, objectives: Objectives, plan: Plan, rows: Rows, recipe: Recipe, step: int
) -> dict[str, torch.Tensor]:
    """Add the gradient of the weighted sum of the losses to the trainee; return the losses, detached.

    A step for which no objective drew a row has no gradient and no losses.
    """
    if not plan.rows:
        return {}
    chunks = list(batches(rows, plan.all_rows(), plan.foils, recipe.chunk_tokens))
    device = next(trainee.parameters()).device
    order = torch.from_numpy(np.argsort(np.concatenate([places for places, _, _ in chunks]))).to(device)

    def encode(number: int) -> torch.Tensor:
        # dropout repeats when a chunk is encoded again
        torch.manual_seed(step_seed(recipe.seed, step, number))
        _, ids, lengths = chunks[number]
        return embed(trainee.encoder, ids, lengths, device, recipe.precision)

    if not recipe.gradient_cache:
        vectors = torch.cat([encode(number) for number in range(len(chunks))])[order]
        total, terms = _total(trainee, objectives, plan, vectors, recipe)
        torch.autograd.backward(total)
        return terms
    with torch.no_grad():
        leaf = torch.cat([encode(number) for number in range(len(chunks))])[order].requires_grad_()
    with torch.enable_grad():
        total, terms = _total(trainee, objectives, plan, leaf, recipe)
        torch.autograd.backward(total)
    assert leaf.grad is not None
    for number, (places, _, _) in enumerate(chunks):
        wanted = leaf.grad[torch.from_numpy(places).to(device)]
        torch.autograd.backward(encode(number), wanted)
    return terms


def _total(
    trainee: Trainee, objectives: Objectives, plan: Plan, vectors: torch.Tensor, recipe: Recipe
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    terms = objectives.losses(plan, vectors, trainee.bridge(vectors))
    weighted = [getattr(recipe, name).weight * term for name, term in terms.items()]
    return torch.stack(weighted).sum(), {name: term.detach() for name, term in terms.items()}

"""One training step: rows through the frozen features and the network, and the losses over their vectors."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from retrofit.training.amr.losses import cosent_loss, info_nce, regression_loss
from retrofit.training.neighbours import near_loss
from retrofit.training.student.plan import Plan
from retrofit.training.student.recipe import Ranked, Recipe


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

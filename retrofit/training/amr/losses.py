"""Compute the training losses from vectors; each is a mean over the rows.

They equal sentence-transformers' modules of the same name (tested), which cannot be imported without the
whole training stack.
"""

import torch
from torch.nn import functional


def ranking_loss(
    anchors: torch.Tensor, candidates: torch.Tensor, *, temperature: float = 0.05
) -> torch.Tensor:
    """Return Eq. 1 of Cai et al. 2022 (MultipleNegativesRankingLoss with hard negatives).

    ``-1/n sum_i log( exp(cos(a_i, c_i)/t) / sum_j exp(cos(a_i, c_j)/t) )``

    Args:
        anchors: ``(n, d)``, n >= 1.
        candidates: ``(m, d)``, m >= n; row i < n belongs to anchor i, the others are hard negatives.
        temperature: t; the scale of sentence-transformers is 1/t.
    """
    similarities = _cosines(anchors, candidates) / temperature  # (n, m)
    return functional.cross_entropy(similarities, torch.arange(len(anchors), device=anchors.device))


def cosent_loss(
    first: torch.Tensor, second: torch.Tensor, scores: torch.Tensor, *, temperature: float = 0.05
) -> torch.Tensor:
    """Return CoSENT: ``log(1 + sum over pairs with score_i < score_j of exp((cos_i - cos_j)/t))``.

    Args:
        first: ``(n, d)``.
        second: ``(n, d)``.
        scores: Gold similarity ``(n,)``.
        temperature: t.
    """
    cosines = functional.cosine_similarity(first, second) / temperature  # (n,)
    differences = cosines[:, None] - cosines[None, :]  # (n, n)
    wrong = scores[:, None] < scores[None, :]
    terms = differences.masked_fill(~wrong, float("-inf")).flatten()
    return torch.logsumexp(torch.cat([terms.new_zeros(1), terms]), dim=0)


def regression_loss(student: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    """Return the mean of ``1 - cos``, half the squared distance ``|s/|s| - t/|t||^2`` of unit vectors."""
    return (1 - functional.cosine_similarity(student, teacher)).mean()


def info_nce(
    student: torch.Tensor,
    teacher: torch.Tensor,
    foils: torch.Tensor,
    *,
    temperature: float = 0.05,
    same_above: float = 1.1,
) -> torch.Tensor:
    """Return the mean of both directions of InfoNCE between student draws and teacher vectors.

    Args:
        student: ``(n, d)``.
        teacher: ``(n, d)``; row i is the teacher's vector of the meaning of draw i.
        foils: Student vectors of foils ``(f, d)``, negatives of every teacher vector.
        temperature: t.
        same_above: Meanings with a higher teacher cosine are not negatives of each other.
    """
    teacher = teacher.to(student.dtype)
    same = (_cosines(teacher, teacher) > same_above).fill_diagonal_(False)  # (n, n)
    similarities = _cosines(student, teacher) / temperature
    labels = torch.arange(len(student), device=student.device)
    masked = similarities.masked_fill(same, float("-inf"))
    backwards = torch.cat([masked.T, _cosines(teacher, foils) / temperature], dim=1)  # (n, n + f)
    return (functional.cross_entropy(masked, labels) + functional.cross_entropy(backwards, labels)) / 2


def foil_loss(
    originals: torch.Tensor, foils: torch.Tensor, *, ceiling: float, hinge: str = "cosine"
) -> torch.Tensor:
    """Return the amount by which a foil is more similar to its graph than allowed.

    ``cosine``: ``mean max(0, cos(v, f) - ceiling)``. ``distance``: ``mean max(0, d - |v/|v| - f/|f||)``;
    ``d = sqrt(2 - 2 ceiling)`` is the distance of two unit vectors with the cosine ``ceiling``. The cosine
    has gradient 0 if foil and graph have the same vector, as at the start of an encoder that ignores roles;
    the distance has its full gradient there.

    Args:
        originals: ``(f, d)``.
        foils: ``(f, d)``; row i is the foil of original i.
        ceiling: Cosine up to which the loss is 0.
        hinge: ``cosine`` or ``distance``.
    """
    if hinge == "cosine":
        return (functional.cosine_similarity(originals, foils) - ceiling).clamp_min(0).mean()
    apart = functional.normalize(originals) - functional.normalize(foils)  # (f, d)
    missing: torch.Tensor = (2 - 2 * ceiling) ** 0.5 - torch.linalg.vector_norm(apart, dim=1)  # (f,)
    return missing.clamp_min(0).mean()


def _cosines(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return functional.normalize(first) @ functional.normalize(second).T

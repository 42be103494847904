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


def edit_loss(
    vectors: torch.Tensor,
    base: torch.Tensor,
    *,
    weight: float = 1.5,
    base_kept: float = 0.95,
    temperature: float = 0.05,
) -> torch.Tensor:
    """Return Eq. 1 of Cai et al. 2022 on the similarity of use, over graphs of n meanings and n changed ones.

    ``s(x, y) = (b(x, y) + w^2 a(x, y)) / (1 + w^2)``, with the cosines b of the base and a of the encoder, is
    the cosine of ``[b ; w a]``, joined from unit vectors. Every graph is an anchor; its positive is the other
    graph of its meaning, all other graphs are negatives. The base has no text of a changed graph: between a
    sentence and its change ``b = k b(x, y)``, elsewhere b is that of the unchanged sentences.

    Args:
        vectors: ``(4n, d)``: first graphs, second graphs, first changed, second changed.
        base: Vectors of the base for the sentences of the first two blocks ``(2n, d')``.
        weight: w.
        base_kept: k.
        temperature: t.
    """
    sentences, device = len(base), vectors.device
    count = sentences // 2
    base_cosines = _cosines(base, base).repeat(2, 2)  # (4n, 4n)
    meaning = torch.arange(count, device=device).repeat(4)  # (4n,)
    changed = torch.arange(4 * count, device=device) >= sentences  # (4n,)
    foil = (meaning[:, None] == meaning[None, :]) & (changed[:, None] != changed[None, :])
    base_cosines = torch.where(foil, base_kept * base_cosines, base_cosines)
    similarity = (base_cosines + weight**2 * _cosines(vectors, vectors)) / (1 + weight**2)
    labels = torch.arange(4 * count, device=device).view(2, 2, count).flip(1).flatten()
    logits = (similarity / temperature).fill_diagonal_(float("-inf"))
    return functional.cross_entropy(logits, labels)


def foil_loss(originals: torch.Tensor, foils: torch.Tensor, *, ceiling: float) -> torch.Tensor:
    """Return how much more similar a foil is to its graph than allowed: ``mean max(0, cos(v, f) - ceiling)``.

    Args:
        originals: ``(f, d)``.
        foils: ``(f, d)``; row i is the foil of original i.
        ceiling: Cosine up to which the loss is 0.
    """
    return (functional.cosine_similarity(originals, foils) - ceiling).clamp_min(0).mean()


def _cosines(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return functional.normalize(first) @ functional.normalize(second).T

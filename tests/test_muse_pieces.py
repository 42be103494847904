"""The vectors of single pieces are multilingual USE's own, turned to their principal directions."""

import numpy as np
import pytest
import torch

from amrx.errors import OptionError
from amrx.muse.fast import fast_tokenizer, piece_vectors
from amrx.muse.model import load_model

PIECES = 1500


pytestmark = pytest.mark.usefixtures("muse_files")


def alone(pieces: int) -> np.ndarray:
    """The network's vectors of sentences of one piece, less their mean."""
    model = load_model()
    ids = torch.tensor([[1, piece, 2] for piece in range(pieces)])
    with torch.inference_mode():
        vectors = model(ids, torch.ones_like(ids, dtype=torch.bool)).double().numpy()
    return vectors - vectors.mean(axis=0)


def test_they_are_the_principal_components_of_the_networks_vectors():
    found, centred = piece_vectors(PIECES, 32).double().numpy(), alone(PIECES)
    assert found.shape == (PIECES, 32) and np.abs(found.mean(axis=0)).max() < 1e-5
    assert found.std() == pytest.approx(1, abs=1e-3)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    wanted = left[:, :32] * values[:32]
    wanted /= wanted.std()
    agreement = (found * wanted).sum(axis=0) / (wanted**2).sum(axis=0)
    np.testing.assert_allclose(np.abs(agreement), 1, atol=1e-3)  # a direction's sign is arbitrary


def test_all_directions_keep_every_cosine():
    found, centred = piece_vectors(PIECES, 512).double().numpy(), alone(PIECES)
    ours, theirs = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (found, centred))
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-4)


def test_words_that_mean_the_same_lie_near():
    tokenizer, vectors = fast_tokenizer(16_000), piece_vectors(16_000, 128)
    vectors = torch.nn.functional.normalize(vectors)
    ids = {word: tokenizer.token_to_id(f"▁{word}") for word in ("water", "agua", "maison", "house", "run")}
    assert None not in ids.values()
    near = vectors[ids["water"]] @ vectors[ids["agua"]], vectors[ids["house"]] @ vectors[ids["maison"]]
    far = vectors[ids["water"]] @ vectors[ids["maison"]], vectors[ids["house"]] @ vectors[ids["agua"]]
    assert min(near) > 0.5 > 0.3 > max(far)


def test_more_directions_than_there_are_cannot_be_asked_for():
    with pytest.raises(OptionError, match="width must be <= 512"):
        piece_vectors(600, 513)

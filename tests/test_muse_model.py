import dataclasses

import numpy as np
import pytest
import torch

from amrx.muse import encode
from amrx.muse.encode import Distinct, feature_sums, pad
from amrx.muse.model import BRANCH, FEATURES, WIDTH, MuseModel
from amrx.muse.weights import CHUNKS, MuseArrays

ROWS = 2 * CHUNKS


def make_arrays(seed: int = 0) -> MuseArrays:
    rng = np.random.default_rng(seed)

    def normal(*shape: int, by: float = 0.05) -> np.ndarray:
        return (by * rng.standard_normal(shape)).astype(np.float32)

    head = ((512, 320), (512, 320), (320, 320), (320, 512), (320, 512), (512, 512))
    return MuseArrays(
        table=rng.integers(0, 256, (ROWS, WIDTH), dtype=np.uint8),
        scale=np.linspace(0.001, 0.003, CHUNKS, dtype=np.float32),
        low=np.linspace(-0.4, -0.1, CHUNKS, dtype=np.float32),
        projection=(normal(WIDTH, 768), normal(768), 1 + normal(768), normal(768)),
        convolutions=tuple(
            (normal(n * BRANCH, BRANCH), normal(BRANCH), normal(n * BRANCH, BRANCH), normal(BRANCH))
            for n in (2, 3, 5)
        ),
        norm=(1 + normal(FEATURES), normal(FEATURES)),
        pooling=(normal(FEATURES, WIDTH), normal(WIDTH)),
        head=tuple(normal(*shape) for shape in head),
        epsilon=1e-5,
    )


def layer_norm(x: np.ndarray, gain: np.ndarray, offset: np.ndarray, epsilon: float) -> np.ndarray:
    return (x - x.mean()) / np.sqrt(x.var() + epsilon) * gain + offset


def by_hand(arrays: MuseArrays, ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The law of the module docstring, one token and one neighbour at a time, in float64."""
    scale, low = arrays.scale.astype(np.float64), arrays.low.astype(np.float64)
    embedded = [arrays.table[i] * scale[i % CHUNKS] + low[i % CHUNKS] for i in ids]
    matrix, bias, gain, offset = arrays.projection
    x = [layer_norm(e @ matrix + bias, gain, offset, arrays.epsilon) for e in embedded]

    def convolve(rows: list[np.ndarray], n: int, weight: np.ndarray, shift: np.ndarray) -> list[np.ndarray]:
        out = []
        for t in range(len(rows)):
            total = shift.astype(np.float64)
            for slot in range(n):
                neighbour = t + slot - (n - 1) // 2
                if 0 <= neighbour < len(rows):
                    total = total + rows[neighbour] @ weight[slot * BRANCH : (slot + 1) * BRANCH]
            out.append(np.maximum(total, 0) + rows[t])
        return out

    branches = []
    for place, (n, (w1, b1, w2, b2)) in enumerate(zip((2, 3, 5), arrays.convolutions, strict=True)):
        rows = [row[place * BRANCH : (place + 1) * BRANCH] for row in x]
        branches.append(convolve(convolve(rows, n, w1, b1), n, w2, b2))
    whole = [np.concatenate([embedded[t], *(b[t] for b in branches)]) for t in range(len(ids))]
    features = np.stack([layer_norm(row, *arrays.norm, arrays.epsilon) for row in whole])
    m = sum(row @ arrays.pooling[0] + arrays.pooling[1] for row in features) / np.sqrt(len(ids))
    d0, p1, d1, d2, p3, d3 = arrays.head
    y = np.maximum(m @ p1 + np.maximum(m @ d0, 0) @ d1, 0)
    z = np.tanh(y @ p3 + np.maximum(y @ d2, 0) @ d3)
    return features, z / np.linalg.norm(z)


@pytest.mark.parametrize("ids", [[5], [1, 2], [1, 30, 7, 7, 19, 2, 33]])
def test_features_and_sentence_follow_the_law(ids: list[int]) -> None:
    arrays = make_arrays()
    model = MuseModel(arrays)
    tokens, mask = pad([ids])
    features, sentence = by_hand(arrays, ids)
    got = model.token_features(tokens, mask)
    assert got.shape == (1, len(ids), FEATURES)
    np.testing.assert_allclose(got[0].numpy(), features, atol=2e-4)
    np.testing.assert_allclose(model.sentence(got, mask)[0].numpy(), sentence, atol=2e-5)


def test_a_sentence_does_not_see_its_neighbours_or_padding() -> None:
    model = MuseModel(make_arrays())
    rows = [[1, 4, 2], [1, 4, 5, 6, 7, 8, 9, 2], [1, 2]]
    together = model(*pad(rows))
    alone = torch.cat([model(*pad([row])) for row in rows])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    ids, mask = pad(rows)
    other = torch.where(mask, ids, 11)
    assert torch.equal(model(other, mask), together)
    assert not model.token_features(ids, mask)[~mask].any()


def test_bfloat16_stays_close_and_keeps_float32_features() -> None:
    arrays = make_arrays()
    ids, mask = pad([[1, 4, 8, 20, 2], [1, 9, 9, 2]])
    exact, rough = MuseModel(arrays), MuseModel(arrays, torch.bfloat16)
    assert rough.token_features(ids, mask).dtype == torch.float32
    assert (exact(ids, mask) * rough(ids, mask)).sum(dim=1).min() > 0.999
    assert not torch.equal(exact(ids, mask), rough(ids, mask))


@pytest.mark.parametrize(("dtype", "far"), [(torch.float32, 2e-6), (torch.bfloat16, 4e-3)])
def test_sums_of_features_are_those_of_the_features(dtype: torch.dtype, far: float) -> None:
    exact, model = MuseModel(make_arrays()), MuseModel(make_arrays(), dtype)
    ids = [[1, 7, 2], [3], [4, 4, 5, 6, 7, 8, 9, 30], [], [2, 1]]
    tokens, mask = pad(ids)
    slots = torch.full((ROWS,), -1)
    distinct = Distinct(model, ids, slots)
    sums = feature_sums(model, distinct, torch.where(mask, slots[tokens], distinct.none), mask)
    wanted = exact.token_features(tokens, mask).sum(1)
    assert sums.dtype == torch.float32
    assert not sums[3].any()
    assert float((sums - wanted).norm() / wanted.norm()) < far


def test_parent_module_does_not_save_the_table() -> None:
    parent = torch.nn.Sequential(MuseModel(make_arrays()))
    assert parent.state_dict() == {}


def test_order_of_words_matters_but_only_within_reach() -> None:
    arrays = make_arrays()
    model = MuseModel(dataclasses.replace(arrays))
    ids, mask = pad([[1, 4, 8, 12, 16, 20, 24, 28, 2]])
    changed = ids.clone()
    changed[0, 8] = 3
    before, after = model.token_features(ids, mask), model.token_features(changed, mask)
    assert torch.equal(before[0, :4], after[0, :4])  # order 5 twice reaches 4 tokens to the left
    assert not torch.equal(before[0, 4], after[0, 4])


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_many_sentences_come_back_in_order_in_any_batches(batch_size, monkeypatch):
    monkeypatch.setattr(encode, "BLOCK", 3)  # so that distinct ids are projected anew on the way
    model = MuseModel(make_arrays())
    rows = [[1, 4, 2], [1, 4, 5, 6, 7, 2], [1, 2], [1, 30, 2], [1, 33, 31, 4, 2], [1, 2, 2], [1, 9, 2]]
    alone = np.concatenate([model(*pad([row])).numpy() for row in rows])
    np.testing.assert_allclose(encode.sentence_vectors(model, rows, batch_size=batch_size), alone, atol=1e-5)


def test_no_sentences_give_no_vectors() -> None:
    assert encode.sentence_vectors(MuseModel(make_arrays()), []).shape == (0, WIDTH)

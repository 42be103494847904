import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from amrx.evaluation.tasks.transfer.classifier import Fitted, Labelled, Linear, best, features
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.softmax import Softmax, best_round

LANGUAGES = ("en", "de", "es")
NOTHING = Linear(np.zeros((1, 2)), np.zeros(2))
Part = Callable[[str], Labelled]


def blobs(classes: int, seed: int) -> Labelled:
    """Forty points around the corner of each class, apart enough to be told."""
    noise = np.random.default_rng(seed)
    y = np.repeat(np.arange(classes), 40)
    return Labelled((4 * np.eye(classes)[y] + noise.normal(size=(len(y), classes))).astype(np.float32), y)


@pytest.fixture(scope="module")
def reference(data_dir: Path) -> tuple[Part, dict]:
    """Vectors of the published evaluation's XNLI run, and what its own code scored on them."""
    folder = data_dir.parent / "reference" / "senteval"
    if not folder.is_dir():
        pytest.skip("the reference of the senteval protocol is not beside the open data")
    arrays = dict(np.load(folder / "xnli_muse.npz"))

    def part(name: str, precision: type = np.float32) -> Labelled:
        sides = [arrays[f"{name}_{side}"].astype(precision) for side in "uv"]
        return Labelled(features(sides, ("abs(u-v)", "u*v")), arrays[f"{name}_y"].astype(np.int64))

    return part, json.loads((folder / "xnli_muse.json").read_text("utf-8"))


def test_features_by_hand() -> None:
    u, v = np.array([[1.0, -2.0]]), np.array([[3.0, 5.0]])
    assert features([u, v], ("abs(u-v)", "u*v")).tolist() == [[2, 7, 3, -10]]
    assert features([u, v], ("u", "v")).tolist() == [[1, -2, 3, 5]]
    assert features([u], ("abs(u-v)",)) is u


@pytest.mark.parametrize("classes", [2, 3])
def test_logistic_predicts_what_scikit_learn_predicts(classes: int) -> None:
    train, test = blobs(classes, 0), blobs(classes, 1)
    model = Logistic().fit_one(train, 0.5, classes)
    own = LogisticRegression(C=0.5, max_iter=1000).fit(train.x.astype(np.float64), train.y)
    assert np.array_equal(np.argmax(test.x @ model.weights + model.bias, axis=1), own.predict(test.x))
    assert model.accuracy(test) == pytest.approx(100 * own.score(test.x, test.y))
    assert model.accuracy(test) > 90
    assert model.accuracy(Labelled(test.x, (test.y + 1) % classes)) < 10


def test_a_class_without_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="got 2 of 3 classes"):
        Logistic().fit_one(blobs(2, 0), 1.0, 3)


def test_the_best_mean_wins_and_the_first_of_equals() -> None:
    dev = [(60.0, 40.0), (50.0, 56.0), (56.0, 50.0), (90.0, 10.0)]
    fits = [Fitted(NOTHING, setting, pair) for setting, pair in enumerate(dev)]
    assert best(fits).setting == 1


def test_the_sixth_failure_in_all_ends_the_training() -> None:
    asked: list[int] = []
    means = [50, 40, 51, 51, 41, 42, 52, 30, 31, 99]  # failures at 1, 3, 4, 5, 7 are forgiven, at 8 not

    def rounds() -> Iterator[Fitted]:
        for number, mean in enumerate(means):
            asked.append(number)
            yield Fitted(NOTHING, number, (mean - 10.0, mean + 10.0))

    assert best_round(rounds(), tenacity=5).setting == 6
    assert asked[-1] == 8


def test_softmax_is_repeatable_leaves_the_generators_alone_and_learns() -> None:
    import torch

    # wide, because the first weights are small where there are many and Adam moves each by 0.001 a step
    train, test = (Labelled(np.tile(part.x, 20), part.y) for part in (blobs(3, 0), blobs(3, 1)))
    softmax = Softmax(grid=(1e-5,), max_epochs=40)
    torch.manual_seed(7)
    before = torch.random.get_rng_state()
    first, second = (softmax.fit(train, [test], 3) for _ in range(2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert np.array_equal(first.model.weights, second.model.weights)
    assert first.model.accuracy(test) > 90
    other = Softmax(grid=(1e-5,), max_epochs=40, seed=1).fit(train, [test], 3)
    assert not np.array_equal(first.model.weights, other.model.weights)


def test_sklearn_agrees_with_the_reference(reference: tuple[Part, dict]) -> None:
    def half(name: str) -> Labelled:  # the precision of the record, then widened as the protocol widens
        made = part(name, np.float16)
        return Labelled(made.x.astype(np.float64), made.y)

    part, recorded = reference
    train, gaps = half("train_en"), list[float]()
    tests = {"dev_en": half("dev_en"), **{f"test_{code}": half(f"test_{code}") for code in LANGUAGES}}
    for row in recorded["sklearn"]:
        model = Logistic().fit_one(train, row["C"], 3)
        found = {name: model.accuracy(of) for name, of in tests.items()}
        # from C = 2 on, lbfgs stops short of the optimum, and the record's elsewhere than ours, up to 0.46
        # (2 rows of 430) off
        expected = {name: row[name] for name in found}
        assert found == pytest.approx(expected, abs=0.01 if row["C"] <= 1 else 0.51), row["C"]
        gaps += [abs(found[name] - row[name]) for name in found]
    assert sum(gap <= 0.11 for gap in gaps) >= len(gaps) - 4


def test_senteval_agrees_with_the_reference(reference: tuple[Part, dict]) -> None:
    # the first of the five recorded seeds
    part, recorded = reference
    run = recorded["adam"]["runs"][0]
    dev = [part(f"dev_{code}") for code in LANGUAGES]
    fitted = Softmax(seed=run["seed"]).fit(part("train_en"), dev, 3)
    assert np.mean(fitted.dev) == pytest.approx(run["dev_mean"], abs=0.5)
    found = {code: fitted.model.accuracy(part(f"test_{code}")) for code in LANGUAGES}
    assert found == pytest.approx(run["test"], abs=1.0)

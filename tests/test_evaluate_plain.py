from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.encoder import as_encoder
from amrx.errors import AmrxError, OptionError
from amrx.evaluation import run
from amrx.types import Encoder
from tests.support.angles import SMALL, Angles, data

__all__ = ["data"]


def angles(sentences: list[str]) -> np.ndarray:
    return Angles().encode(sentences, lang=["en"] * len(sentences))


class Own:
    """A user's class: nothing but ``encode``, and no word of a language."""

    def __init__(self, form: Callable[[np.ndarray], object]) -> None:
        self.form = form

    def encode(self, sentences: list[str]) -> object:
        return self.form(angles(sentences))


def trained(made: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(made).requires_grad_()


@pytest.mark.parametrize("form", [np.asarray, list, np.float64, torch.from_numpy, trained])
def test_any_object_with_encode_is_scored(data: Path, form: Callable[[np.ndarray], object]) -> None:
    rows, known = run([Own(form)], [SMALL], data), run([Angles()], [SMALL], data)
    assert {row.encoder for row in rows} == {"Own"}
    assert [row.value for row in rows] == [row.value for row in known]


def test_a_model_of_sentence_transformers_is_one(data: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import BoW

    model = SentenceTransformer(modules=[BoW(vocab=["0", "10", "20", "30", "60", "90"])], device="cpu")
    rows = run([model], [SMALL], data)
    assert {row.encoder for row in rows} == {"SentenceTransformer"}
    assert {row.language for row in rows} == {track.language for track in SMALL.tracks}


def test_an_encoder_stays_what_it_is_and_a_plain_one_has_all_of_it() -> None:
    own = Angles()
    assert as_encoder(own) is own
    first, second = as_encoder(Own(list)), as_encoder(Own(list))
    assert isinstance(first, Encoder) and first.dimension == 2
    assert first.fingerprint != second.fingerprint


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (np.zeros((2, 3)), "got (2, 3) for"),
        (np.zeros(9), "got (9,) for"),
        (np.zeros((1, 0)), "got (1, 0) for"),
        (["a"], "must return rows of numbers"),
        ([["1", "2"]], "must return rows of numbers, got <U1"),
        ([[1j]], "must return rows of numbers, got complex128"),
        ([[1], [2, 3]], "must return rows of numbers"),
    ],
)
def test_what_gives_no_row_a_sentence_is_told(data: Path, answer: object, told: str) -> None:
    class Odd:
        def encode(self, sentences: list[str]) -> object:
            return answer

    with pytest.raises(OptionError) as raised:
        run([Odd()], [SMALL], data)
    assert told in str(raised.value) and "encoder Odd" in str(raised.value)


@pytest.mark.parametrize("model", ["labse", Path("labse")])
def test_what_has_no_encode_is_told(data: Path, model: object) -> None:
    with pytest.raises(OptionError, match="must have encode.*labse"):
        run([model], [SMALL], data)


def test_vectors_that_are_no_numbers_have_no_score(data: Path) -> None:
    class Broken:
        def encode(self, sentences: list[str]) -> object:
            return np.where(np.array(sentences)[:, None] == "30", np.nan, angles(sentences))

    with pytest.raises(AmrxError, match="encoder Broken: 1 vectors are not finite.* of sentence '2', '30'"):
        run([Broken()], [SMALL], data)

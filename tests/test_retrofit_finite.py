"""Vectors that are not finite: refused with the sentence's name, and never written."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.cli import main
from amrx.errors import AmrxError, OptionError
from amrx.types import Sentence, Vectors
from amrx.validation import as_dtype
from retrofit.combine import RetrofittedEncoder
from retrofit.explain import explain_pair
from tests.support.fakes import FakeBase, FakeGraphs, FakeParser

Change = Callable[[Vectors], object]
SENTENCES = ["a man", "a boy", "a man", "a dog"]


class Base(FakeBase):
    """The right vectors, changed from the second row on."""

    def __init__(self, change: Change = np.asarray) -> None:
        super().__init__()
        self.change = change

    def encode(self, sentences: Sequence[str], *, lang, batch_size=64, progress=False):
        made = super().encode(sentences, lang=lang)
        return self.change(made)


class Graphs(FakeGraphs):
    """A vector of NaN for the graph of "dog"."""

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        made = super().encode_graphs(graphs)
        made[[graph.instances()[0].target == "dog" for graph in graphs]] = np.nan
        return made


class Student(Base):
    name = "student"

    def encode(self, sentences: Sequence[str], *, lang, batch_size=64, progress=False):
        return self.change(FakeBase().encode(sentences, lang=lang))


def spoil(row: int, value: float) -> Change:
    def change(made: Vectors) -> Vectors:
        made = made.copy()
        made[row:, 1] = value
        return made

    return change


def retrofitted(base=None, graphs=None, weight: float = 1.0, integration: str = "norm-concat"):
    return RetrofittedEncoder(
        base or Base(), FakeParser(), graphs or FakeGraphs(), weight=weight, integration=integration
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_a_base_that_is_not_finite_is_refused(value: float, weight: float) -> None:
    def change(made: Vectors) -> object:
        wide = made.astype(np.float64)
        wide[2, 0] = value
        return wide

    with pytest.raises(AmrxError) as refused:
        retrofitted(Base(change), weight=weight).encode(SENTENCES, lang="en")
    # the third of the distinct ones is the fourth as given
    expected = "encoder base: 1 vectors are not finite, the first that of sentence '4', 'a dog'"
    assert str(refused.value) == expected


def test_the_id_of_a_record_is_named() -> None:
    records = [Sentence(f"row {i}", text, "en") for i, text in enumerate(SENTENCES)]
    with pytest.raises(AmrxError, match=r"encoder amr: 1 vectors .* sentence 'row 3', 'a dog'$"):
        retrofitted(graphs=Graphs()).retrofit(records)


def test_a_student_that_is_not_finite_is_refused() -> None:
    encoder = RetrofittedEncoder(FakeBase(), None, Student(spoil(1, np.nan)))
    with pytest.raises(AmrxError, match=r"encoder student: 2 vectors are not finite.* sentence '2', 'a boy'"):
        encoder.encode(SENTENCES, lang="en")


@pytest.mark.parametrize("integration", ["concat", "norm-concat"])
@pytest.mark.parametrize("weight", [1e300, np.inf, np.nan, -1.0, 3.5e38])
def test_a_weight_beyond_float32_is_refused(weight: float, integration: str) -> None:
    with pytest.raises(OptionError, match=r"weight must be a finite float32 >= 0, got"):
        retrofitted(weight=weight, integration=integration)


def test_a_product_beyond_float32_is_refused() -> None:
    assert np.isfinite(retrofitted(weight=3e38).encode(SENTENCES, lang="en")).all()
    with pytest.raises(AmrxError, match=r"weight 3e\+38: 3 vectors are not finite.*sentence '1', 'a man'"):
        retrofitted(weight=3e38, integration="concat").encode(SENTENCES, lang="en")


WRONG: list[tuple[Change, str]] = [
    (lambda made: made[:-1], "must return one row per sentence"),
    (lambda made: made[:, :2], "must return 3 numbers per sentence, got 2"),
    (lambda made: made.astype(str), "must return rows of numbers"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_base_of_another_shape_is_refused(change: Change, message: str) -> None:
    with pytest.raises(OptionError, match=f"encoder base: .*{message}"):
        retrofitted(Base(change)).encode(SENTENCES, lang="en")


def test_an_explanation_is_refused_too() -> None:
    with pytest.raises(AmrxError, match="encoder base: 1 vectors are not finite.*sentence '2'"):
        explain_pair("a man", "a boy", lang=("en", "en"), encoder=retrofitted(Base(spoil(1, np.nan))))
    with pytest.raises(AmrxError, match="encoder amr: 1 vectors are not finite.*sentence '2', 'a dog'"):
        explain_pair("a man", "a dog", lang=("en", "en"), encoder=retrofitted(graphs=Graphs()))


@given(st.lists(st.floats(0, 2.0**127, width=32), min_size=1))
def test_float16_holds_it_or_is_refused(numbers: list[float]) -> None:
    vectors = np.array([numbers], dtype=np.float32)
    if max(numbers) < 65520:
        assert as_dtype(vectors, "float16", [Sentence("a", "b")]).dtype == np.float16
    else:
        with pytest.raises(AmrxError, match="^float16: 1 vectors are not finite.* sentence 'a', 'b'$"):
            as_dtype(vectors, "float16", [Sentence("a", "b")])
    assert as_dtype(vectors, "float32", [Sentence("a", "b")]) is vectors


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[int, Path]]:
    (tmp_path / "in.jsonl").write_text(
        "".join(json.dumps({"id": f"n{i}", "text": text}) + "\n" for i, text in enumerate(SENTENCES * 2))
    )

    def run(base, *options: str, suffix: str = "npy") -> tuple[int, Path]:
        def load(name, parser, encoder, weight, *, split, integration, cache, parts):
            return retrofitted(
                base, weight=1.0 if weight is None else weight, integration=integration or "norm-concat"
            )

        monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
        out = tmp_path / f"out.{suffix}"
        arguments = ["retrofit", str(tmp_path / "in.jsonl"), "--lang", "en", "-o", str(out), "--no-cache"]
        return main([*arguments, "--block", "3", *options]), out

    return run


@pytest.mark.parametrize("suffix", ["npy", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("base", "options", "message"),
    [
        (
            Base(spoil(1, np.nan)),
            (),
            "encoder base: 1 vectors are not finite, the first that of sentence 'n1', 'a boy'",
        ),
        (Base(), ("--weight", "1e300"), "weight must be a finite float32 >= 0, got 1e+300"),
        (Base(), ("--weight", "3e38", "--integration", "concat"), "weight 3e+38: 2 vectors are not finite"),
        (Base(), ("--weight", "1e6", "--dtype", "float16"), "float16: 3 vectors are not finite"),
    ],
)
def test_the_command_writes_nothing_under_a_final_name(command, capfd, base, options, message, suffix):
    status, out = command(base, *options, suffix=suffix)
    errors = [line for line in capfd.readouterr().err.splitlines() if line.startswith("amrx: error: ")]
    assert status == 2 and len(errors) == 1 and message in errors[0]
    assert not out.exists() and not out.with_name(out.name + ".ids").exists()

"""retrofit.marks: usual cosines of unrelated sentences and of translations, for any weights."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.types import Vectors
from retrofit import marks as module
from retrofit import reduce
from retrofit.combine import RetrofittedEncoder, combine
from retrofit.explain import ChannelCosine, Cosines, cosine_rows
from retrofit.load import PRESETS, load
from retrofit.marks import Marks, Usual, marks_of, write_marks


@dataclasses.dataclass
class Part:
    """An encoder by name alone."""

    name: str
    dimension: int
    fingerprint: str

    def encode(self, sentences: Sequence[str], **_options: object) -> Vectors:
        raise AssertionError("marks need no vector")


class Graphs:
    name, dimension, fingerprint = "amr", 4, "amr:1:fp32"

    def encode_graphs(self, graphs: Sequence[object]) -> Vectors:
        raise AssertionError("marks need no vector")


class Reader:
    fingerprint = "reader:1"

    def parse(self, sentences: Sequence[object], **_options: object) -> list[object]:
        raise AssertionError("marks need no graph")


BASE, STUDENT = Part("base", 3, "base:1:float32"), Part("student", 5, "student:1:float32")
WEIGHTS = (1.5, 0.5)


def unit(rows: int, width: int, seed: int) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32) + 0.5
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[list[Vectors], list[Vectors]]]:
    """Unit vectors of both sides of some pairs, in base and two channels; the marks are theirs."""
    monkeypatch.setattr(reduce, "FOLDER", tmp_path)
    made = {
        kind: tuple([unit(50, width, seed + 10 * side + width) for width in (3, 4, 5)] for side in (0, 1))
        for kind, seed in (("unrelated", 0), ("translations", 100))
    }
    cosines = {
        kind: np.array([(a * b).sum(1) for a, b in zip(*both, strict=True)]) for kind, both in made.items()
    }
    write_marks(retrofitted(), cosines)
    yield made
    module._read.cache_clear()


def retrofitted(weight: Sequence[float] = WEIGHTS, **changes: object) -> RetrofittedEncoder:
    options = {"weight": weight, **changes}
    return RetrofittedEncoder(BASE, Reader(), [Graphs(), STUDENT], **options)


@pytest.mark.parametrize("weights", [(1.5, 0.5), (0.0, 2.0), (0.0, 0.0)])
def test_marks_are_mean_and_deviation_of_the_combined_vectors(sides, weights):
    *_, own = marks_of(retrofitted(weights))
    for kind, (first, second) in sides.items():
        a, b = (combine(*side, weight=weights).astype(np.float64) for side in (first, second))
        cosines = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        usual = getattr(own, kind)
        assert usual.mean == pytest.approx(cosines.mean(), abs=2e-4)  # kept in 4 decimals
        assert usual.sd == pytest.approx(cosines.std(ddof=1), abs=2e-3)


def test_each_channel_has_its_own(sides):
    base, amr, student, _ = marks_of(retrofitted())
    first, second = sides["translations"]
    for mark, a, b in zip((base, amr, student), first, second, strict=True):
        assert mark.translations.mean == pytest.approx((a * b).sum(1).mean(), abs=1e-4)


def test_other_models_and_vectors_that_are_added_have_none(sides, monkeypatch):
    assert marks_of(retrofitted(integration="concat"))[-1] is None
    assert None not in marks_of(retrofitted(integration="concat"))[:-1]
    assert marks_of(retrofitted((0, 0), integration="concat"))[-1] is not None  # the base alone
    monkeypatch.setattr(Reader, "fingerprint", "reader:2")
    base, amr, student, own = marks_of(retrofitted())
    assert (amr, own) == (None, None) and base is not None and student is not None
    assert marks_of(retrofitted((0, 1)))[-1] is not None  # no graph is read
    monkeypatch.setattr(BASE, "fingerprint", "base:2:float32")
    assert marks_of(retrofitted((0, 1)))[-1] is None
    monkeypatch.setattr(BASE, "fingerprint", "base:1:bfloat16")  # the same weights in other arithmetic
    assert marks_of(retrofitted((0, 1)))[-1] is not None


def test_vectors_of_fewer_dimensions_have_none(sides):
    reduced = retrofitted()
    reduced.dimensions = 3
    assert marks_of(reduced)[-1] is None
    assert None not in marks_of(reduced)[:-1]


def test_without_a_file_there_are_none(tmp_path, monkeypatch):
    monkeypatch.setattr(reduce, "FOLDER", tmp_path)
    assert marks_of(retrofitted()) == (None,) * 4


def test_a_damaged_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(reduce, "FOLDER", tmp_path)
    module._read.cache_clear()
    (tmp_path / module.FILE).write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"cosines\.json: is not a table of usual cosines"):
        marks_of(retrofitted())


@pytest.mark.parametrize(
    "own",
    [
        Marks(Usual(0.5, 0.05), Usual(0.8, 0.05)),
        Marks(Usual(0.5, 0.3), Usual(0.8, 0.3)),  # overlapping
        Marks(Usual(-0.9, 0.2), Usual(0.99, 0.2)),  # beyond the ends
    ],
)
def test_the_map_rises_everywhere_and_puts_mark_on_mark(own):
    base = Marks(Usual(0.1, 0.08), Usual(0.7, 0.1))
    at = np.linspace(-1, 1, 401)
    mapped = [own.on_scale_of(base, one) for one in at]
    assert np.all(np.diff(mapped) > 0) and (mapped[0], mapped[-1]) == (-1, 1)
    assert own.on_scale_of(base, own.unrelated.mean) == pytest.approx(0.1)
    assert own.on_scale_of(base, own.translations.mean) == pytest.approx(0.7)


def test_deviations_are_mapped_too():
    base, own = (Marks(Usual(0.1, 0.08), Usual(0.7, 0.1)), Marks(Usual(0.5, 0.05), Usual(0.8, 0.05)))
    at = [own.on_scale_of(base, one) for one in (0.45, 0.55, 0.75)]
    assert at == pytest.approx([0.02, 0.18, 0.6])


def test_explain_shows_them():
    marks = Marks(Usual(0.07, 0.06), Usual(0.7, 0.1)), None, Marks(Usual(0.5, 0.05), Usual(0.8, 0.05))
    channels = ChannelCosine("muse", 1, 0.2, 0.5), ChannelCosine("amr", 1, 0.8, 0.5)
    rows = cosine_rows(Cosines(channels, 0.5, "norm-concat", marks))
    assert [row[-1] for row in rows] == [
        "usual: unrelated 0.07 ± 0.06, translations 0.70 ± 0.10", "",
        "usual: unrelated 0.50 ± 0.05, translations 0.80 ± 0.05",
        "usual: unrelated 0.07 ± 0.06, translations 0.70 ± 0.10",
    ]  # fmt: skip
    assert rows[-1][1] == pytest.approx(0.07)
    unmeasured = cosine_rows(Cosines(channels, 0.5, "norm-concat", (None, None, None)))
    assert len(unmeasured) == 3 and {row[-1] for row in unmeasured} == {""}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_shipped_marks_are_those_of_the_shipped_models(preset: str) -> None:
    base, *_, own = marks_of(load(preset=preset))
    assert base is not None and own is not None, "run scripts/fit_cosines.py"
    assert base.unrelated.mean < own.unrelated.mean < own.translations.mean

import dataclasses
import math
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.report.tables import tables
from amrx.evaluation.results.rows import skipped_lines
from amrx.evaluation.run import score_items
from amrx.evaluation.tasks.geometry.flores import (
    CANONICAL,
    FLORES,
    INVARIANCE,
    ISOTROPY,
    ISOTROPY_POOLED,
    NAMES,
    PRINTED,
)
from amrx.evaluation.tasks.geometry.measures import (
    Gaussian,
    as_printed,
    canonical_form,
    fit_gaussian,
    principal_ratio,
    symmetric_kl,
)
from amrx.evaluation.tasks.summary_tables import summarised
from amrx.vectors import normalise

SEEDS = st.integers(0, 1000)


def cloud(seed: int, count: int = 40, width: int = 5) -> np.ndarray:
    noise = np.random.default_rng(seed)
    return (noise.normal(size=(count, width)) @ noise.normal(size=(width, width)) + 0.3).astype(np.float32)


def kl(a: Gaussian, b: Gaussian) -> float:
    """The textbook formula, term by term in Python floats."""
    inverse = np.linalg.inv(b.covariance)
    d = len(a.mean)
    trace = sum(inverse[i, j] * a.covariance[j, i] for i in range(d) for j in range(d))
    gap = b.mean - a.mean
    distance = sum(gap[i] * inverse[i, j] * gap[j] for i in range(d) for j in range(d))
    logs = math.log(np.linalg.det(b.covariance)) - math.log(np.linalg.det(a.covariance))
    return (trace + distance - d + logs) / 2


@given(SEEDS)
def test_symmetric_kl_agrees_with_the_formula_in_float64(seed: int) -> None:
    a, b = fit_gaussian(cloud(seed)), fit_gaussian(cloud(seed + 1))
    assert a is not None and b is not None
    assert symmetric_kl(a, b) == pytest.approx((kl(a, b) + kl(b, a)) / 2, rel=1e-6)
    assert symmetric_kl(a, b) == pytest.approx(symmetric_kl(b, a))
    assert symmetric_kl(a, a) == pytest.approx(0, abs=1e-9)


def test_shrinkage_gives_an_inverse_with_fewer_sentences_than_dimensions() -> None:
    x = cloud(0, count=10, width=30)
    found = fit_gaussian(x)
    assert found is not None
    assert found.precision @ found.covariance == pytest.approx(np.eye(30), abs=1e-6)
    # Ledoit and Wolf: (1 - s) S + s tr(S) / d I keeps the total variance
    centred = x.astype(np.float64) - x.mean(axis=0, dtype=np.float64)
    assert np.trace(found.covariance) == pytest.approx(np.trace(centred.T @ centred / 10))


def test_vectors_in_too_few_places_have_no_density() -> None:
    assert fit_gaussian(np.ones((3, 2), np.float32)) is None
    assert fit_gaussian(np.array([[1, 1], [-1, -1]] * 5, np.float32)) is None  # the shrinkage is 0 there


@given(SEEDS, st.integers(2, 5))
def test_canonical_form_agrees_with_its_definition(seed: int, languages: int) -> None:
    x = np.concatenate([cloud(seed, 6, 3) + cloud(seed + place, 6, 3) / 4 for place in range(languages)])
    meanings = np.tile(np.arange(6), languages)
    wide = x.astype(np.float64)
    between = within = 0.0
    for meaning in range(6):
        members = [row for row, number in zip(wide, meanings, strict=True) if number == meaning]
        centre = sum(members) / len(members)
        between += len(members) * float(np.sum((centre - wide.mean(axis=0)) ** 2))
        within += sum(float(np.sum((row - centre) ** 2)) for row in members)
    expected = (between / (6 - 1)) / (within / (len(x) - 6))
    assert canonical_form(x, meanings) == pytest.approx(expected, rel=1e-6)
    assert as_printed(canonical_form(x, meanings), 6, len(x)) == pytest.approx(between / within, rel=1e-6)


@given(SEEDS)
def test_principal_ratio_agrees_with_a_plain_sum_in_float64(seed: int) -> None:
    x = normalise(cloud(seed, 30, 4))
    values, vectors = np.linalg.eig(x.astype(np.float64).T @ x.astype(np.float64))
    assert np.isreal(values).all()
    sums = [
        sum(math.exp(sign * float(row @ direction)) for row in x.astype(np.float64))
        for direction in vectors.T.real
        for sign in (1, -1)
    ]
    assert principal_ratio(x) == pytest.approx(100 * min(sums) / max(sums), rel=1e-6)


def test_principal_ratio_of_a_cross_and_of_a_bundle() -> None:
    cross = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype=np.float32)
    assert principal_ratio(cross) == pytest.approx(100)
    bundle = np.tile(np.array([[1, 0]], dtype=np.float32), (9, 1))
    assert principal_ratio(bundle) == pytest.approx(100 * math.exp(-2))  # exp(-1) against exp(1)
    assert principal_ratio(bundle * 400) == pytest.approx(0)  # exp(400) itself has no float64


class Planes:
    """Texts are angles; German is turned a little, Finnish a lot. Remembers what it was given."""

    name, dimension, fingerprint = "planes", 3, "planes:0"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        self.seen += zip(sentences, lang, strict=True)
        turn = np.array([{"en": 0, "de": 5, "fi": 60}[code] for code in lang])
        angles = np.radians(np.array([float(text) for text in sentences]) + turn)
        return np.stack([np.cos(angles), np.sin(angles), np.cos(3 * angles)], axis=1).astype(np.float32) * 9


SMALL = dataclasses.replace(
    FLORES, languages=("en", "de", "fi"), count=12, groups=(("near", ("de", "en")), ("far", ("fi",)))
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "geometry" / "flores"
    folder.mkdir(parents=True)
    for code in SMALL.languages:
        (folder / f"devtest.{code}").write_text("".join(f"{n * n}\n" for n in range(12)), "utf-8")
    return tmp_path


def test_rows_tell_which_language_stands_apart(data: Path) -> None:
    rows = run([Planes()], [SMALL], data)
    found = {(row.language, row.metric): (row.value, row.n) for row in rows}
    assert len(rows) == 3 + 3 + 3 + 4
    kl_of = {code: found[code, INVARIANCE][0] for code in SMALL.languages}
    assert kl_of["fi"] > kl_of["en"] > 0
    assert kl_of["fi"] > kl_of["de"] > 0
    assert found["en", ISOTROPY][1] == 12
    assert found["3 languages", CANONICAL][1] == found["3 languages", ISOTROPY_POOLED][1] == 36
    titles = [table.title for table in tables(SMALL, rows)]
    metrics = (INVARIANCE, CANONICAL, PRINTED, ISOTROPY, ISOTROPY_POOLED)
    assert titles == [f"flores, {metric}" for metric in metrics]
    # a group of one has no others to be measured with; a turned language blurs every meaning
    assert {code for code, metric in found if metric == CANONICAL} == {"3 languages", "near, 2 languages"}
    assert found["near, 2 languages", CANONICAL][0] > found["3 languages", CANONICAL][0]
    assert found["near, 2 languages", ISOTROPY_POOLED][1] == 24
    # the KL of a group is within it, as if there were no other language (appendix B.2, Eq. 1)
    alone = run([Planes()], [dataclasses.replace(SMALL, languages=("en", "de"))], data)
    within = {row.value for row in alone if row.metric == INVARIANCE}
    assert found["near, 2 languages", INVARIANCE][0] == pytest.approx(within.pop())
    assert SMALL.means({"en": 1, "de": 2}) == {"mean, all (2 of 3)": 1.5}
    assert SMALL.means({"3 languages": 1}) == {}


class Constant(Planes):
    """Finnish has one vector, and without others every language has."""

    name, fingerprint = "constant", "constant:0"

    def __init__(self, only: Collection[str]) -> None:
        super().__init__()
        self.only = only

    def encode(self, sentences: Sequence[str], *, lang=None, batch_size=64, progress=False) -> np.ndarray:
        vectors = super().encode(sentences, lang=lang)
        vectors[[code in self.only for code in lang]] = 1
        return vectors


def test_a_language_without_a_density_has_no_invariance_and_is_named(data: Path) -> None:
    parts, _ = SMALL.load(data)
    encoders = [Planes(), Constant({"fi"}), Constant(SMALL.languages)]
    scored = score_items(encoders, parts)
    assert all(math.isfinite(found.row.value) for found in scored)
    assert all(np.isfinite(cloud.points).all() for found in scored for cloud in found.clouds)
    kl_of = {
        label: {
            one.row.language: one.row.value
            for one in scored
            if one.row[0:4:3] == (label, INVARIANCE) and one.row.language in SMALL.languages
        }
        for label in ("planes", "constant", "constant#2")
    }
    assert {label: list(codes) for label, codes in kl_of.items()} == {
        "planes": ["en", "de", "fi"],
        "constant": ["en", "de"],
        "constant#2": [],
    }
    # these two have no other than each other
    assert kl_of["constant"]["en"] == pytest.approx(kl_of["constant"]["de"])
    _, gaps = summarised([SMALL], scored)
    assert gaps == [
        "flores: constant has no KL for fi; constant#2 has no KL for en, de, fi; "
        "that needs two languages, and vectors that fill every direction"
    ]
    assert summarised([SMALL], scored[: len(scored) // 3])[1] == []
    rows = [found.row for found in scored]
    for width in (200, 0):  # a line an encoder, a line a language
        text = "\n".join(
            str(cell) for column in tables(SMALL, rows, width=width)[0].columns for cell in column.cells
        )
        assert "–" in text and f"{kl_of['planes']['fi']:.2f}" in text


def test_missing_languages_and_wrong_files(data: Path) -> None:
    folder, encoder = data / "geometry" / "flores", Planes()
    (folder / "devtest.fi").write_text("1\n\n", "utf-8")
    with pytest.raises(InputError, match=r"devtest\.fi:2: field 'sentence': is empty"):
        run([encoder], [SMALL], data)
    (folder / "devtest.fi").unlink()
    parts, skipped = SMALL.load(data)
    assert ([part.languages for part in parts], len(skipped)) == ([("en", "de")], 1)
    (folder / "devtest.de").unlink()
    parts, skipped = SMALL.load(data)
    assert (parts, [found.language for found in skipped]) == ([], ["en", "de", "fi"])
    assert encoder.seen == []


def test_real_files_load(data_dir: Path) -> None:
    [part], skipped = FLORES.load(data_dir)
    assert len(part.languages) == 52 and len(skipped) == 204 - 52
    tail = {code for code in part.languages if code in dict(FLORES.groups)["long tail"]}
    assert tail == {"az", "gu", "ig", "kn", "lv", "ms", "mt", "my"}
    (told,) = skipped_lines(skipped)
    assert "ace_Arab" not in told and " and 112 more skipped: no " in told


def test_every_language_of_flores_has_one_name() -> None:
    assert len(NAMES) == len(set(NAMES.values())) == 204
    assert all(len(code) == 2 or code == name for code, name in NAMES.items())
    assert len([code for code in NAMES if len(code) == 2]) == 132
    head, tail = (codes for _, codes in FLORES.groups)
    assert (len(head), len(tail)) == (68, 135)  # appendix B.1
    assert {"fo", "nn", "tt", "zh"} < set(head) and {"zho_Hant", "ak", "as", "yi"} < set(tail)


def test_a_language_without_a_code_is_encoded_without_one(data: Path) -> None:
    (data / "geometry/flores/devtest.de").rename(data / "geometry/flores/devtest.ace_Arab")
    [part], _ = dataclasses.replace(SMALL, languages=("en", "ace_Arab")).load(data)
    assert [column.language for column in part.columns()] == ["en", None]

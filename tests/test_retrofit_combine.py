import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amrx.errors import OptionError
from amrx.types import Encoder, Sentence
from amrx.vectors import cosine
from retrofit.combine import INTEGRATIONS, RetrofittedEncoder, combine
from retrofit.weight_fitting import PairCosines, combined_cosines
from tests.support.fakes import FakeBase, FakeGraphs, FakeParser, fake

SENTENCES = ["a man and a dog", "is it?", "a boy", "a man and a dog"]


def test_the_four_integrations():
    s, h = np.array([[3, 4]], dtype=np.float32), np.array([[0, 2]], dtype=np.float32)
    expected = {
        "concat": [3, 4, 0, 1],
        "add": [3, 5],
        "norm-concat": [0.6, 0.8, 0, 0.5],
        "norm-add": [0.6, 1.3],
    }
    for name in INTEGRATIONS:
        made = combine(s, h, weight=0.5, integration=name)
        assert made.dtype == np.float32
        assert made[0].tolist() == pytest.approx(expected[name])


@pytest.mark.parametrize("integration", INTEGRATIONS)
def test_several_channels_by_hand(integration: str):
    """The law in float64: part after part, each scaled, weighed, and then beside or upon the others."""
    random = np.random.default_rng(3)
    parts = [random.normal(size=(4, 3)).astype(np.float32) for _ in range(4)]
    parts[2][1] = 0  # a failed parse
    weights, expected = (0.5, 0.0, 2.0), []
    for row in range(4):
        scaled = []
        for weight, part in zip((1.0, *weights), parts, strict=True):
            v = part[row].astype(np.float64)
            length = float(v @ v) ** 0.5 if integration.startswith("norm-") else 1.0
            if weight:
                scaled.append(weight * v / length if length else v)
        expected.append(np.concatenate(scaled) if integration.endswith("concat") else sum(scaled))
    made = combine(*parts, weight=weights, integration=integration)
    assert made == pytest.approx(np.array(expected), abs=1e-6) and made.dtype == np.float32
    assert combine(*parts, weight=0, integration=integration) is parts[0]
    with pytest.raises(OptionError, match="2 weights for 3 channels"):
        combine(*parts, weight=(1, 2))


class Unused:
    """An encoder whose work must not be done."""

    name, dimension, fingerprint = "unused", 2, "unused:1"

    def encode(self, sentences, **options):
        raise AssertionError("a channel of weight 0 was asked for its vectors")


def test_a_channel_of_weight_zero_is_dropped_with_its_work():
    base, graphs = FakeBase(), FakeGraphs()
    both = RetrofittedEncoder(base, FakeParser(), [graphs, Unused()], weight=(0.5, 0))
    single = fake(0.5)
    assert (both.fingerprint, both.name, both.dimension) == (single.fingerprint, single.name, 5)
    assert both.encode(SENTENCES, lang="en").tobytes() == single.encode(SENTENCES, lang="en").tobytes()
    student = RetrofittedEncoder(FakeBase(), FakeParser(), [graphs, FakeBase()], weight=(0, 1))
    student.parser = None  # would be asked
    assert student.fingerprint == "base:1|base:1|norm-concat|1.0"
    made = student.retrofit([Sentence("1", "is it?", "en")])
    assert made.vectors.shape == (1, 6) and made.failed == ()


@given(st.integers(1, 5), st.floats(0, 3), st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_cosines_of_combined_vectors_are_those_of_the_formula(n: int, weight: float, seed: int):
    random = np.random.default_rng(seed)
    s, h = (
        random.normal(size=(2 * n, 4)).astype(np.float32),
        random.normal(size=(2 * n, 3)).astype(np.float32),
    )
    h[0] = 0  # a failed parse
    parsed = np.ones((n, 2), dtype=bool)
    parsed[0, 0] = False
    both = combine(s, h, weight=weight)
    there = np.stack([np.ones_like(parsed), parsed])
    cosines = np.stack([cosine(s[:n], s[n:]), cosine(h[:n], h[n:])])
    pairs = PairCosines(cosines, there, np.zeros(n), ["en"] * n)
    assert combined_cosines(pairs, (weight,)) == pytest.approx(cosine(both[:n], both[n:]), abs=1e-5)


@pytest.mark.parametrize("integration", INTEGRATIONS)
def test_weight_zero_is_the_base_bit_for_bit(integration: str):
    encoder = fake(0.0, integration)
    vectors = encoder.encode(SENTENCES, lang="en")
    expected = FakeBase().encode(SENTENCES, lang=["en"] * 4)
    assert vectors.dtype == np.float32 and vectors.tobytes() == expected.tobytes()
    assert (encoder.dimension, encoder.fingerprint) == (3, "base:1")


def test_a_failed_parse_has_a_zero_part_and_is_listed():
    records = [Sentence(str(i), text, "en") for i, text in enumerate(SENTENCES)]
    made = fake().retrofit(records)
    assert made.failed == (1,)
    assert made.vectors[1, 3:].tolist() == [0, 0]
    assert np.linalg.norm(made.vectors[[0, 2, 3], 3:], axis=1) == pytest.approx(1)
    assert np.linalg.norm(made.vectors[:, :3], axis=1) == pytest.approx(1)


def test_equal_sentences_are_worked_on_once_and_order_is_kept():
    encoder = fake()
    vectors = encoder.encode(SENTENCES, lang=["en", "en", "de", "en"])
    assert isinstance(encoder.base, FakeBase)
    assert encoder.base.seen == [("a man and a dog", "en"), ("is it?", "en"), ("a boy", "de")]
    assert (vectors[0] == vectors[3]).all() and not (vectors[0] == vectors[2]).all()
    alone = [fake().encode([s], lang="en")[0] for s in SENTENCES]
    assert vectors == pytest.approx(np.array(alone))


def test_it_is_an_encoder_and_empty_input_gives_no_rows():
    encoder = fake()
    assert isinstance(encoder, Encoder)
    assert encoder.encode([], lang="en").shape == (0, encoder.dimension) == (0, 5)


def test_the_language_is_detected_when_not_given():
    encoder = fake()
    encoder.encode(["Der Junge möchte nach Hause gehen", "The boy wants to go home"])
    assert isinstance(encoder.base, FakeBase)
    assert [code for _, code in encoder.base.seen] == ["de", "en"]


def test_what_makes_no_sense_is_refused():
    with pytest.raises(OptionError, match="adds vectors of one width, but the base gives 3 .* channel 2"):
        fake(1.0, "add")
    with pytest.raises(OptionError, match="unknown integration 'sum'; choose from concat, add"):
        fake(1.0, "sum")
    with pytest.raises(OptionError, match="weight must be a finite float32 >= 0, got -1.0"):
        fake(-1.0)
    with pytest.raises(OptionError, match="weight must be a finite float32 >= 0, got nan"):
        fake(float("nan"))
    with pytest.raises(OptionError, match="language code 'xx'"):
        fake().encode(["a"], lang="xx")
    with pytest.raises(OptionError, match="1 language codes for 2 sentences"):
        fake().encode(["a", "b"], lang=["en"])


def test_settings_change_the_fingerprint():
    prints = {fake(w, i).fingerprint for w in (0.5, 1.0) for i in ("concat", "norm-concat")}
    assert len(prints) == 4


def test_many_sentences_are_parsed_block_by_block_with_the_same_vectors(monkeypatch: pytest.MonkeyPatch):
    texts = [f"a {'o' * i} boy{'o' * i}" if i % 3 else "is it?" for i in range(11)]
    [whole] = fake().sides(texts, ["en"] * 11)
    sizes = []

    class Counting(FakeParser):
        def parse(self, sentences, **options):
            sizes.append(len(sentences))
            return super().parse(sentences, **options)

    monkeypatch.setattr("retrofit.combine.BLOCK", 4)
    [blocks] = RetrofittedEncoder(FakeBase(), Counting(), FakeGraphs()).sides(texts, ["en"] * 11)
    assert sizes == [4, 4, 3]
    assert np.array_equal(blocks.vectors, whole.vectors)
    assert np.array_equal(blocks.present, whole.present)
    assert whole.present.tolist() == [i % 3 != 0 for i in range(11)]

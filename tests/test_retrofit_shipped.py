"""The encoder that ships with the package, as a user gets it."""

from pathlib import Path

import numpy as np
import penman
import pytest

from amrx.cli import main
from amrx.types import Encoder
from amrx.vectors import cosine, cosine_matrix
from retrofit import load
from retrofit.amr.encoder import AmrEncoder
from retrofit.bases import load_base
from retrofit.combine import RetrofittedEncoder, encode_parses
from retrofit.evaluated_encoders import SentenceReader
from retrofit.folders import find_encoder
from retrofit.load import load_amr
from retrofit.weight_fitting import stored_weights


@pytest.fixture(scope="module")
def amr_encoder() -> AmrEncoder:
    return load_amr("mini", precision="fp32")


@pytest.fixture(scope="module")
def encoder() -> RetrofittedEncoder:
    return load(base="muse", parser="mini", encoder="mini")


def test_it_is_small_and_has_its_card():
    files = [file for file in find_encoder("mini").rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 30_000_000
    card = (find_encoder("mini") / "README.md").read_text("utf-8")
    assert "licence" in card.lower() and "Dev scores" in card


def test_like_graphs_lie_near_and_others_far(amr_encoder: AmrEncoder):
    graphs = [
        penman.decode("(p / play-11 :ARG0 (m / man) :ARG2 (g / guitar))"),
        penman.decode("(p / play-11 :ARG0 (p2 / person) :ARG2 (i / instrument))"),
        penman.decode("(s / sleep-01 :ARG0 (c / cat) :location (s2 / sofa))"),
    ]
    near = cosine_matrix(*[amr_encoder.encode_graphs(graphs)] * 2)
    assert near[0, 1] > near[0, 2] + 0.2 and near[0, 1] > near[1, 2] + 0.2


def test_a_graph_does_not_feel_its_neighbours(amr_encoder: AmrEncoder):
    graphs = ["( sleep-01 :ARG0 ( cat ) )", "( bite-01 :ARG0 ( dog ) :ARG1 ( man :mod ( old ) ) )"]
    together = amr_encoder.encode_tokens(graphs)
    alone = np.concatenate([amr_encoder.encode_tokens([graph]) for graph in graphs])
    assert cosine(together, alone) == pytest.approx(1, abs=1e-5)


def test_negation_and_swapped_roles_are_seen(amr_encoder: AmrEncoder):
    plain, swapped, negated, first = amr_encoder.encode_tokens(
        [
            "( bite-01 :ARG0 ( dog ) :ARG1 ( man ) )",
            "( bite-01 :ARG0 ( man ) :ARG1 ( dog ) )",
            "( bite-01 :ARG0 ( dog ) :ARG1 ( man ) :polarity - )",
            "( bite-01 :polarity - :ARG0 ( dog ) :ARG1 ( man ) )",
        ]
    )
    # drawn towards their mean, vectors of any two graphs are half alike; of the swap's sketch nothing is left
    assert cosine(plain[None], swapped[None])[0] < 0.75
    # in any position
    assert cosine(plain[None], negated[None])[0] < 0.9
    assert cosine(plain[None], first[None])[0] < 0.92


def test_it_reads_sentences_as_a_control(amr_encoder: AmrEncoder):
    reader = SentenceReader(amr_encoder)
    assert isinstance(reader, Encoder)
    texts = ["A dog bites a man.", "A man is bitten by a dog.", "The sun is hot."]
    vectors = reader.encode(texts, lang="en")
    assert vectors.shape == (3, reader.dimension) and vectors.dtype == np.float32
    assert np.array_equal(vectors, amr_encoder.encode_texts(texts))
    assert cosine(vectors[:1], vectors[1:2])[0] > cosine(vectors[:1], vectors[2:])[0] + 0.3


def test_the_example_of_the_readme(encoder: RetrofittedEncoder):
    vectors = encoder.encode(["Der Junge will gehen."], lang="de")
    assert vectors.shape == (1, 512 + encoder.encoders[0].dimension) and vectors.dtype == np.float32
    weight = stored_weights(find_encoder("mini"))["muse"]["mini"]["weight"]
    assert encoder.weights == (weight,) > (0,)
    assert np.linalg.norm(vectors[0, 512:]) == pytest.approx(weight, rel=1e-4)


def test_translations_lie_near_through_the_amr_side_alone(encoder: RetrofittedEncoder):
    texts = ["The boy wants to go.", "Der Junge will gehen.", "The cat is sleeping on the sofa."]
    parses = encoder.parse(texts, ["en", "de", "en"])
    near = cosine_matrix(*[encode_parses(encoder.encoders[0], parses)] * 2)
    assert near[0, 1] > near[0, 2] and near[0, 1] > near[1, 2]


def test_weight_zero_is_muse_bit_for_bit():
    texts = ["Der Junge will gehen.", "", "Das Mädchen auch."]
    ours = load(base="muse", weight=0).encode(texts, lang="de")
    assert ours.tobytes() == load_base("muse").encode(texts, lang="de").tobytes()


def test_the_command_gives_what_python_gives(encoder: RetrofittedEncoder, tmp_path: Path):
    (tmp_path / "in.txt").write_text("Der Junge will gehen.\nDas Mädchen schläft.\n", "utf-8")
    arguments = ["--base", "muse", str(tmp_path / "in.txt"), "--lang", "de", "-o", str(tmp_path / "v.npy")]
    assert main(["retrofit", *arguments, "--parser", "mini"]) == 0
    expected = encoder.encode(["Der Junge will gehen.", "Das Mädchen schläft."], lang="de")
    assert cosine(np.load(tmp_path / "v.npy"), expected) == pytest.approx(1, abs=1e-3)

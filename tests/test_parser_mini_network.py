import dataclasses
import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import save

from amrx.errors import InputError
from parser import load
from parser.mini.decode import Decoder
from parser.mini.grammar import Words
from parser.mini.layers import MEANING, Shape
from parser.mini.model import MiniNetwork
from parser.mini.parser import MiniParser
from parser.mini.store import load_network, save_network
from parser.mini.symbols import COPY, PAD, Alphabet
from parser.training.mini.batches import Corpus
from parser.training.mini.concept_vectors import name_vectors, new_name_vectors
from parser.training.mini.loss import LinearLogSumExp, loss
from parser.training.mini.pack_data import read_arrays, write_arrays
from tests.support.mini_networks import batch, network_of
from tests.support.tiny_mini import RECIPE

__all__ = ["batch"]

pytestmark = pytest.mark.usefixtures("e5_files")
SMALL = Shape(20, width=64, heads=1, inner=64, encoder=1, decoder=1, dropout=0.0, reader=2)


def test_word_dropout_hides_whole_vectors_in_training_alone():
    network = MiniNetwork(dataclasses.replace(SMALL, word_dropout=0.3))
    torch.manual_seed(0)
    x = torch.rand(40, 50, 64) + 1
    hidden = network.train().hide(x)
    gone = (hidden == 0).all(-1)
    assert torch.equal(hidden[~gone], x[~gone])
    assert gone.float().mean().item() == pytest.approx(0.3, abs=0.05)
    assert network.eval().hide(x) is x


def test_a_name_lies_beside_its_translations_and_what_is_no_node_has_none():
    nodes = ("guitar", "dog", "cut-01", "govern-01", '"Gitarre"', '"perro"', '"schneiden"', '"政府"')
    alphabet = Alphabet(characters=("a",), roles=(":ARG0",), nodes=nodes)
    names = name_vectors(alphabet, MEANING)
    assert names.shape == (len(alphabet), MEANING)
    first = alphabet.first_node
    assert not names[:first].any()
    assert torch.allclose(names[first:].norm(dim=1), torch.ones(8), atol=1e-5)
    likeness = names[first + 4 :] @ names[first : first + 4].T
    assert likeness.argmax(1).tolist() == [0, 1, 2, 3]


def test_new_names_come_into_the_space_of_the_old_ones():
    old = load("mini")
    assert isinstance(old, MiniParser)
    first, names = old.alphabet, old.network.names
    nodes = (*first.nodes, "guitar", "palaver-01")
    longer = dataclasses.replace(first, nodes=nodes)
    vectors = new_name_vectors(longer, names)
    assert torch.equal(vectors[: len(first)], names)
    assert torch.cosine_similarity(vectors[-2], names[first.ids["guitar"]], dim=0) > 0.98
    assert new_name_vectors(first, names) is names


def test_a_meaning_is_what_the_words_mean_weighed_by_attention():
    torch.manual_seed(5)
    network = MiniNetwork(SMALL).eval()
    hidden, memory = torch.randn(2, 3, 64), torch.randn(2, 5, 64)
    values, mask = torch.randn(2, 5, MEANING), torch.tensor([[True] * 5, [True] * 2 + [False] * 3])
    with torch.no_grad():
        shares = network.attend(hidden, network.name_key(memory), mask)
        made = network.mean(hidden, shares, values).double()
    assert torch.equal(made[..., :64].float(), hidden)
    for row, step in ((0, 0), (0, 2), (1, 1)):
        query = network.name_query(hidden[row, step]).double()
        keys = network.name_key(memory[row]).double()[mask[row]]
        shares = torch.exp(keys @ query / MEANING**0.5)
        mixed = (shares / shares.sum()) @ values[row][mask[row]].double()
        wanted = network.name_own(hidden[row, step]).double() + mixed
        assert torch.allclose(made[row, step, 64:], wanted, atol=1e-5)


def test_linear_log_sum_exp_has_the_gradients_of_the_plain_formula():
    torch.manual_seed(0)
    inputs = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in ((5, 4), (7, 4), (7,))]

    def plain(h, w, b):
        return (h @ w.T + b).logsumexp(1)

    ours = torch.autograd.grad(LinearLogSumExp.apply(*inputs).square().sum(), inputs)
    wanted = torch.autograd.grad(plain(*inputs).square().sum(), inputs)
    for a, b in zip(ours, wanted, strict=True):
        assert torch.allclose(a, b, rtol=1e-5, atol=1e-6)


def slow_loss(network, hidden, memory, batch, first):
    """The loss written out symbol by symbol in float64."""
    total, count = 0.0, 0
    learnt, names, bias = network.symbols.weight.double(), network.names.double(), network.bias.double()
    for row, step in (batch.target != PAD).nonzero().tolist():
        h, meaning = hidden[row, step].double().split((64, MEANING))
        scores = learnt @ h + names @ meaning + bias
        symbol = int(batch.target[row, step])
        copies = batch.copies[row, step]
        node = symbol >= first or symbol in (COPY, 4)
        ways = [] if symbol == COPY else [scores[symbol]]
        normal = list(scores[:first])
        if node:
            query = network.copy_query(hidden[row, step, :64]).double()
            keys = network.copy_key(memory[row]).double()
            copy = keys @ query * 128**-0.5
            ways += [copy[i] for i in range(len(copy)) if copies[i]]
            normal = [*scores, *(copy[i] for i in range(len(copy)) if batch.starts[row, i])]
        total -= torch.stack(ways).logsumexp(0) - torch.stack(normal).logsumexp(0)
        count += 1
    return total / count


def test_loss_is_the_probability_summed_over_every_way(corpus, examples, names):
    batch = corpus.batch(np.arange(len(corpus)))
    torch.manual_seed(1)
    network = MiniNetwork(RECIPE.shape(len(examples[1])))
    network.names.copy_(names)
    hidden, memory = network(*network.reader(batch.ids, batch.mask), batch.mask, batch.inputs)
    first = examples[1].first_node
    fast = loss(network, hidden, memory, batch.starts, batch.target, batch.copies, first)
    assert bool(batch.copies.any())
    assert bool((batch.target == COPY).any())
    slow = slow_loss(network, hidden, memory, batch, first)
    assert fast.item() == pytest.approx(slow.item(), rel=1e-5)


def test_stepwise_decoding_sees_what_training_sees(examples, names, batch):
    features, vector, mask, sources = batch
    decoder = Decoder(network_of(examples, names, 2), examples[1])
    with torch.inference_mode():
        said, slots, looked, cut = decoder(features, vector, mask, sources)
        alone = [
            decoder(features[i : i + 1], vector[i : i + 1], mask[i : i + 1], sources[i : i + 1])
            for i in range(4)
        ]
    for i, (one, slot, look, over) in enumerate(alone):
        assert bool(over[0]) == bool(cut[i])
        length = one.shape[1]
        assert said[i, :length].tolist() == one[0].tolist()
        assert slots[i, :length].tolist() == slot[0].tolist()
        assert looked[i, :length].tolist() == look[0].tolist()
    slots = 1 + mask.shape[1]
    words = Words.of(sources, slots, examples[1], decoder.tables.edges, torch.device("cpu"))
    assert words.plain.shape == (4, slots)


def test_saved_weights_are_close_and_small(tmp_path, examples, names):
    torch.manual_seed(3)
    network = MiniNetwork(dataclasses.replace(SMALL, symbols=len(examples[1])))
    network.names.copy_(names)
    save_network(tmp_path, network, examples[1])
    loaded, _, name = load_network(tmp_path)
    tables, rest = 0, 0
    for key, weight in network.state_dict().items():
        is_table = weight.dim() == 2
        steps = 120 if is_table else 2000
        assert torch.allclose(weight, loaded.state_dict()[key], atol=float(weight.abs().max()) / steps), key
        tables, rest = tables + is_table * weight.numel(), rest + (not is_table) * weight.numel()
    # a byte a number and a scale a row; two bytes a number
    size = (tmp_path / "model.safetensors").stat().st_size
    assert tables > 3e6 and size < 1.1 * tables + 2.0 * rest + 20_000
    assert name.startswith("mini-")


def test_packed_arrays_survive_the_file(tmp_path, corpus):
    write_arrays(tmp_path / "a.bin", dict(corpus.arrays))
    back = read_arrays(tmp_path / "a.bin")
    for name, array in corpus.arrays.items():
        assert np.array_equal(array, back[name]), name


def test_an_epoch_draws_each_pair_as_often_as_its_weight_says(corpus):
    arrays = {**corpus.arrays, "pair_weight": np.array([8.0, 16.0, 8.5, 24.0], np.float32)}
    counts = np.zeros(4)
    for epoch in range(20):
        for pairs in Corpus(arrays).epoch(0, epoch, 10_000):
            counts += np.bincount(pairs, minlength=4)
    assert counts[1] > counts[0]
    assert counts[3] > counts[1]


@pytest.fixture(scope="module")
def whole(tmp_path_factory, examples, e5_files):
    """A folder that load_network reads."""
    folder = tmp_path_factory.mktemp("whole")
    save_network(folder, MiniNetwork(dataclasses.replace(SMALL, symbols=len(examples[1]))), examples[1])
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    """A copy of it."""
    return shutil.copytree(whole, tmp_path / "parser")


@pytest.mark.parametrize("missing", [True, False])
def test_a_parser_that_reads_by_multilingual_use_is_refused_in_one_line(folder, missing):
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert config.pop("reader") == 2
    (folder / "config.json").write_text(json.dumps(config if missing else config | {"reader": 0}))
    with pytest.raises(InputError) as caught:
        load_network(folder)
    assert str(caught.value) == (
        f"{folder / 'config.json'}: reads features of multilingual USE, no longer supported; "
        "train the parser again"
    )


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("config.json", b"{", "is not a mini parser's config"),
        ("config.json", b"\xff", "is not a mini parser's config"),
        (
            "config.json",
            b'{"symbols": 1, "reader": 2, "colour": "red"}',
            "is not a mini parser's config: .*'colour'",
        ),
        ("config.json", b'{"symbols": 1, "reader": 2, "width": "wide"}', "is not a mini parser's config"),
        ("config.json", b'{"symbols": 1, "reader": 2, "heads": "two"}', "is not a mini parser's config"),
        (
            "config.json",
            b'{"symbols": 1, "reader": 2, "heads": -1}',
            r"field 'heads': must be a divisor of width \(512\), got -1",
        ),
        ("symbols.json", b"[]", "is not an alphabet"),
        ("symbols.json", b'{"characters": "a"}', "is not an alphabet: .*'roles'"),
        ("config.json", None, r"no such file; is this a parser folder\?"),
        ("symbols.json", None, "no such file"),
        ("model.safetensors", None, "no such file"),
        ("symbols.json", b'{"characters": [], "roles": [], "nodes": []}', r"needs \d+ symbols, got"),
        ("model.safetensors", b"", "are not weights of this network"),
        ("model.safetensors", b"none at all", "are not weights of this network"),
        ("model.safetensors", save({"bias": torch.zeros(2)}), "are not weights of this network"),
    ],
)
def test_damage_within_a_folder_is_named(folder, name, content, told):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: {told}"):
        load_network(folder)


@pytest.mark.parametrize(
    "table", ["names", "symbols.weight", "reader.model.encoder.layer.0.output.dense.weight"]
)
def test_rows_without_their_scales_and_numbers_that_are_not_finite_are_refused(folder, table):
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    arrays = load_file(file)
    save_file({name: array for name, array in arrays.items() if name != f"{table}.scale"}, file)
    with pytest.raises(InputError, match=rf"model\.safetensors: .*{table}\.scale is missing"):
        load_network(folder)
    scale = arrays[f"{table}.scale"].clone()
    scale[2] = float("nan")
    save_file(arrays | {f"{table}.scale": scale}, file)
    with pytest.raises(InputError, match=rf"has 1 arrays that are not finite, {table} first"):
        load_network(folder)

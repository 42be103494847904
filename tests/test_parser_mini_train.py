"""parser.training.mini.train: a run from the data to a folder, whole, resumed, or from a parser."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from amrx.errors import MissingResourceError, OptionError
from parser.load import load
from parser.mini.labels import Labels
from parser.mini.store import load_network
from parser.training.mini import train as module
from parser.training.mini.pack import Corpus
from parser.training.mini.start import LIKE, UNLIKELIER, extended
from parser.training.mini.task import MiniTask
from tests.support.checkpoints import stopping_at
from tests.support.small_mini_run import RECIPE, TEXTS, without_open_data


@pytest.fixture(autouse=True)
def three_sentences(monkeypatch, e5_files):
    """Let a training see three sentences alone."""
    without_open_data(monkeypatch)


@pytest.fixture(scope="module")
def start(tmp_path_factory, e5_files):
    """A tiny parser."""
    data = tmp_path_factory.mktemp("start")
    with pytest.MonkeyPatch.context() as patch:
        without_open_data(patch)
        module.train(data, data / "parser", dataclasses.replace(RECIPE, steps=2), device="cpu")
    return data / "parser"


def test_a_stopped_run_ends_like_an_unbroken_one(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LEAST_EXAMPLES", 1)
    module.train(tmp_path / "data", tmp_path / "whole", RECIPE, device="cpu")
    out = tmp_path / "part"
    for stop in (3, 7):
        with monkeypatch.context() as patch:
            patch.setattr(MiniTask, "backward", stopping_at(stop, MiniTask))
            with pytest.raises(KeyboardInterrupt):
                module.train(tmp_path / "data", out, RECIPE, device="cpu")
        assert not (out / "config.json").exists()
    assert not module.train(tmp_path / "data", out, RECIPE, device="cpu", time_limit=0.0).finished
    module.train(tmp_path / "data", out, RECIPE, device="cpu")
    assert (out / "model.safetensors").read_bytes() == (tmp_path / "whole/model.safetensors").read_bytes()
    network, labels, _ = load_network(out)
    assert network.languages == ("en",) and network.names.any() and network.shape.reader == 2
    assert {"want-01", "boy", "sing-01"} <= set(labels.nodes)
    parses = load(f"mini:{out}").parse(list(TEXTS), lang="en")
    assert [parse.status for parse in parses] == ["ok"] * 3


def test_a_run_goes_on_from_a_parser(start, tmp_path):
    recipe = dataclasses.replace(RECIPE, start=f"mini:{start}", steps=3, learning_rate=1e-9)
    module.train(tmp_path / "data", tmp_path / "new", recipe, device="cpu")
    old, new = load_network(start), load_network(tmp_path / "new")
    assert new[1] == old[1]
    for name, weight in old[0].named_parameters():
        torch.testing.assert_close(dict(new[0].named_parameters())[name], weight, rtol=0.02, atol=1e-3)


def test_a_start_of_another_kind_or_none_is_refused(tmp_path):
    for name, error in (("split:mini", OptionError), ("mini:nowhere", MissingResourceError)):
        with pytest.raises(error, match="mini"):
            module.train(tmp_path, tmp_path / "out", dataclasses.replace(RECIPE, start=name), device="cpu")
    assert not (tmp_path / "out" / "training").exists()


def test_frames_that_propbank_lacks_are_mended_in_examples_and_labels():
    [example] = module.with_known_frames([module.Example("x", ["want-99", ":ARG0", '"F-16"'], "en", 1.0)])
    assert example.graph == ["want-01", ":ARG0", '"F-16"']


def test_rows_go_with_their_labels_when_new_ones_come(start):
    network, old, _ = load_network(start)
    torch.nn.init.normal_(network.bias)
    new = Labels(("printer", *old.nodes[::-1]), (*old.roles, ":owner"))
    moved = extended(network, old, new, network.shape)
    for node in old.nodes:
        a, b = old.node_ids[node], new.node_ids[node]
        assert torch.equal(moved.rows[b], network.rows[a]), node
        assert torch.equal(moved.names[b], network.names[a]) and moved.bias[b] == network.bias[a]
    for kind in ("copy", "named", "unknown"):
        assert torch.equal(moved.rows[getattr(new, kind)], network.rows[getattr(old, kind)])
    nearest = int((moved.names[0] @ network.names[: len(old.nodes)].T).argmax())
    assert torch.equal(moved.rows[0], network.rows[nearest])
    assert float((moved.bias[0] - network.bias[nearest]).detach()) == pytest.approx(-UNLIKELIER)
    like = old.role_ids.get(LIKE, 0)
    assert torch.equal(moved.role.weight[-1], network.role.weight[like])
    assert float((moved.role.bias[-1] - network.role.bias[like]).detach()) == pytest.approx(-UNLIKELIER)


def test_no_row_of_a_small_corpus_is_left_over():
    lengths = np.random.default_rng(0).integers(3, 60, 23)
    arrays = {"src_offsets": np.concatenate(([0], np.cumsum(lengths))), "weight": np.ones(23)}
    batches = Corpus(arrays).epoch(0, 0, 200)
    assert sorted(np.concatenate(batches).tolist()) == list(range(23)) and len(batches) > 1
    for batch in batches:
        assert len(batch) * lengths[batch].max() <= 200 or len(batch) == 1

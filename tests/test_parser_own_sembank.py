"""parser.training.mini.own_sembank: go on from a parser with own graphs, and no other data."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from amrx.errors import InputError, OptionError, OutputError
from amrx.training import read_log
from parser.load import load
from parser.mini.grammar import Tables
from parser.mini.store import load_network, read_alphabet, write_alphabet
from parser.mini.symbols import Alphabet, with_symbols
from parser.training.mini import own_sembank
from parser.training.mini import train as module
from parser.training.mini.batches import Corpus
from parser.training.mini.own_sembank import OwnRecipe, with_role_rows
from parser.training.mini.task import UNLIKELIER, MiniTask
from tests.support.small_mini_run import RECIPE, without_open_data

TRAIN = """# ::snt The dog sleeps.
(s / sleep-01 :ARG0 (d / dog))

# ::snt The printer broke.
# ::lang en
(b / break-down-12 :ARG1 (p / printer :wiki "Printer" :owner (t / ticket-77)))

# ::snt Der Drucker ging kaputt.
# ::lang de
(b / break-down-12 :ARG1 (p / printer))
"""
DEV = """# ::snt A dog sleeps.
(s / sleep-01 :ARG0 (d / dog))

# ::snt Ein Hund schläft.
# ::lang de
(s / sleep-01 :ARG0 (d / dog))
"""
OWN = OwnRecipe(steps=6, batch=200, warmup=1, learning_rate=3e-3, average=0.5, evaluate_every=2, save_every=2)


@pytest.fixture(scope="module")
def start(tmp_path_factory, e5_files):
    """A tiny parser."""
    data = tmp_path_factory.mktemp("start")
    with pytest.MonkeyPatch.context() as patch:
        without_open_data(patch)
        module.train(data, data / "parser", dataclasses.replace(RECIPE, steps=2), device="cpu")
    return data / "parser"


@pytest.fixture
def own(start, tmp_path, monkeypatch):
    """Write a sembank; return a function that trains on it from a tiny parser, without the open data."""
    monkeypatch.delenv("AMRX_DATA", raising=False)
    (tmp_path / "train.amr").write_text(TRAIN, encoding="utf-8")
    (tmp_path / "dev.amr").write_text(DEV, encoding="utf-8")

    def run(out="out", recipe=OWN, train="train.amr", dev="dev.amr", **options):
        recipe = dataclasses.replace(recipe, start=f"mini:{start}")
        return own_sembank.train(
            tmp_path / train, tmp_path / dev, tmp_path / out, recipe, device="cpu", **options
        )

    return run


def test_a_run_that_the_time_limit_stops_goes_on(own, tmp_path):
    whole = own("whole")
    assert own("part", time_limit=0.0) == (whole[0], None)
    assert not (tmp_path / "part" / "config.json").exists()
    assert own("part") == whole
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "part")]
    assert weights[0] == weights[1]


def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(own, tmp_path, monkeypatch):
    scores = own("whole")
    backward = MiniTask.backward

    def stopping(task, step):
        if step == 3:
            raise KeyboardInterrupt
        return backward(task, step)

    with monkeypatch.context() as patch:
        patch.setattr(MiniTask, "backward", stopping)
        with pytest.raises(KeyboardInterrupt):
            own("part")
    assert not (tmp_path / "part" / "config.json").exists()
    assert own("part") == scores
    for file in ("model.safetensors", "symbols.json", "config.json"):
        assert (tmp_path / "part" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    assert load_network(tmp_path / "whole")[0].shape.reader == 2


def test_the_best_on_dev_is_kept(own, tmp_path, monkeypatch):
    scripted = iter([50.0, 40.0, 80.0, 60.0])
    monkeypatch.setattr(own_sembank.Dev, "score", lambda dev, parser, batch_size: {"en": next(scripted)})
    kept = {}
    update = MiniTask.update

    def remembering(task, step):
        update(task, step)
        kept[step + 1] = {name: mean.clone() for name, mean in task.average.items()}

    monkeypatch.setattr(MiniTask, "update", remembering)
    assert own() == (50.0, 80.0)
    saved = load_network(tmp_path / "out")[0].state_dict()
    name = "decoder_norm.weight"  # near 1, where float16 is exact to 5e-4
    far = {step: float((saved[name] - kept[step][name]).abs().max()) for step in (2, 4, 6)}
    assert far[4] < 6e-4 < min(far[2], far[6]), far
    log = read_log(tmp_path / "out" / "training" / "log.jsonl")
    assert [line["smatch"] for line in log] == [50.0, 40.0, 80.0, 60.0]


def test_a_parser_that_is_no_better_is_said_to_be(own, monkeypatch, caplog):
    monkeypatch.setattr(own_sembank.Dev, "score", lambda dev, parser, batch_size: {"en": 50.0})
    own()
    assert "no weights are better than the start" in caplog.text


def test_roles_and_concepts_of_own_get_symbols(own, tmp_path):
    own()
    alphabet = read_alphabet(tmp_path / "out" / "symbols.json")
    assert ":owner" in alphabet.roles and {"printer", "ticket-77", "break-down-12"} <= set(alphabet.nodes)
    assert ":wiki" not in alphabet.roles and '"Printer"' not in alphabet.nodes
    known = Tables.of(alphabet, torch.device("cpu")).known
    assert known[alphabet.ids["ticket-77"]] and known[alphabet.ids["printer"]]
    assert [parse.status for parse in load(f"mini:{tmp_path / 'out'}").parse(["A dog."], lang="en")] == ["ok"]


def test_a_frame_that_is_none_is_not_allowed_unless_it_is_own(tmp_path):
    alphabet = Alphabet((), (":mod",), ("dog", "bark-77"))
    assert not Tables.of(alphabet, torch.device("cpu")).known[alphabet.ids["bark-77"]]
    own = with_symbols(alphabet, [["dog", ":mod", "mew-77"]])
    write_alphabet(tmp_path / "symbols.json", own)
    read = read_alphabet(tmp_path / "symbols.json")
    known = Tables.of(read, torch.device("cpu")).known
    assert read == own and known[read.ids["mew-77"]] and not known[read.ids["bark-77"]]


def test_symbols_keep_their_rows_when_roles_come(start):
    network, old, _ = load_network(start)
    torch.nn.init.normal_(network.bias)
    new = with_symbols(old, [["dog", ":owner", "printer"]])
    moved = with_role_rows(network, old, new)
    for symbol in (*old.roles, *old.nodes):
        a, b = old.ids[symbol], new.ids[symbol]
        assert torch.equal(moved.symbols.weight[b], network.symbols.weight[a]), symbol
        assert torch.equal(moved.names[b], network.names[a]) and moved.bias[b] == network.bias[a]
    like = network.bias[old.first_role]  # the tiny alphabet has no :mod
    assert float((moved.bias[new.ids[":owner"]] - like).detach()) == pytest.approx(-UNLIKELIER)
    assert with_role_rows(network, old, old) is network


def test_no_pair_of_a_small_corpus_is_left_over():
    rng = np.random.default_rng(0)
    src, tgt = rng.integers(3, 60, 23), rng.integers(3, 90, 23)
    rows = np.arange(23)
    arrays = {
        "src_offsets": np.concatenate(([0], np.cumsum(src))), "pair_src": rows, "pair_tgt": rows,
        "tgt_offsets": np.concatenate(([0], np.cumsum(tgt))), "pair_weight": np.ones(23),
    }  # fmt: skip
    batches = Corpus(arrays, mixed=True).epoch(0, 0, 400)
    assert sorted(np.concatenate(batches).tolist()) == rows.tolist() and len(batches) > 1
    for batch in batches:
        assert len(batch) * (src[batch].max() + tgt[batch].max()) <= 400 or len(batch) == 1


@pytest.mark.parametrize(
    ("train", "dev", "message"),
    [
        ("# ::snt A cat.\n(c / cat\n", DEV, r"train\.amr:2: is not an AMR graph"),
        ("\n", DEV, r"train\.amr"),
        ("# ::snt A cat.\n# ::lang klingon\n(c / cat)\n", DEV, r"train\.amr:3: field \'lang\': .*klingon"),
        ("(c / cat)\n", DEV, r"no graph to learn from \(1 without sentence or graph\)"),
        (DEV, DEV, r"no graph to learn from \(2 also in the dev file\)"),
        (TRAIN, "(c / cat)\n", r"dev\.amr.*sentence '1' has no text"),
        (TRAIN, None, r"dev\.amr.*no such file"),
        (None, DEV, r"train\.amr.*no such file"),
    ],
)
def test_faults_name_the_file_before_anything_is_written(own, tmp_path, train, dev, message):
    for name, text in (("train.amr", train), ("dev.amr", dev)):
        (tmp_path / name).unlink()
        if text is not None:
            (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        own()
    assert not (tmp_path / "out").exists()


def test_another_parser_or_run_is_not_overwritten(own, tmp_path):
    own()
    with pytest.raises(OptionError, match="belongs to another recipe"):
        own(recipe=dataclasses.replace(OWN, seed=1))
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled" / "config.json").touch()
    with pytest.raises(OutputError, match="holds a model already"):
        own(out="filled")


def test_numbers_out_of_range_are_refused():
    for change in ({"steps": 0}, {"average": 1.0}, {"learning_rate": float("nan")}):
        with pytest.raises(OptionError, match=next(iter(change))):
            dataclasses.replace(OWN, **change)

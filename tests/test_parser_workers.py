"""Several processes give what one gives; the parser is a tiny one of random weights."""

import multiprocessing
import os
import pickle
import signal
from contextlib import ExitStack
from pathlib import Path

import penman
import pytest

from amrx.errors import AmrxError, InputError, MissingResourceError, OptionError
from amrx.types import Parser, Sentence
from parser.mini.labels import Labels
from parser.mini.layers import Shape
from parser.mini.model import MiniNetwork
from parser.mini.store import save_network
from parser.run.engines import Work
from parser.run.pool import MOST, GrowingParser, WorkersParser, open_parser, workers_for

TEXTS = ["The boy wants to go.", "Der Junge will gehen.", "?!", "那个男孩想去。", "a " * 40] * 7


@pytest.fixture(scope="module")
def name(tmp_path_factory: pytest.TempPathFactory, e5_files: None) -> str:
    import torch

    torch.manual_seed(3)
    labels = Labels(("boy", "go-02"), (":ARG0", ":ARG1"))
    network = MiniNetwork(Shape(len(labels), 2, width=64, heads=1, inner=64, layers=1, reader=2))
    folder = tmp_path_factory.mktemp("tiny")
    save_network(folder, network, labels)
    return f"mini:{folder}"


@pytest.fixture(scope="module")
def workers(name: str):
    with ExitStack() as stack:
        yield open_parser(name, 2, stack)


def test_the_same_graphs_in_the_same_order_as_one_process(name: str, workers: WorkersParser):
    from parser import load

    sentences = [Sentence(str(number), text, "en") for number, text in enumerate(TEXTS)]
    alone = load(name)
    assert isinstance(workers, Parser)
    assert workers.fingerprint == alone.fingerprint
    expected = alone.parse(sentences)
    for batch_size in (2, 64):
        made = workers.parse(sentences, batch_size=batch_size)
        assert [parse.id for parse in made] == [str(number) for number in range(len(TEXTS))]
        for one, other in zip(made, expected, strict=True):
            assert penman.encode(one.graph) == penman.encode(other.graph)
            assert (one.status, one.repairs, one.lang) == (other.status, other.repairs, other.lang)
    assert workers.parse([]) == []


def test_one_process_loads_the_parser_and_the_others_wait_for_sentences(name: str):
    before = len(multiprocessing.active_children())
    with ExitStack() as stack:
        parser = open_parser(name, 2, stack)
        started = [len(multiprocessing.active_children()) - before]
        parser.parse([Sentence(str(number), text, "en") for number, text in enumerate(TEXTS)], batch_size=1)
        started.append(len(multiprocessing.active_children()) - before)
    assert started == [1, 2]


def test_beams_arrive_in_the_workers(name: str):
    with pytest.raises(OptionError, match="has no beam search"):
        open_parser(name, 1, ExitStack(), beam=2)


def test_an_error_of_a_worker_arrives_whole(workers: WorkersParser):
    with pytest.raises(InputError, match="surrogate"):
        workers.parse([Sentence("1", "a \ud800 b", "en")])


def test_what_cannot_start_says_why(tmp_path: Path):
    with pytest.raises(OptionError, match="workers must be at least 1, got 0"):
        open_parser("mini", 0, ExitStack())
    with pytest.raises(OptionError, match="unknown parser 'maxi'"):
        open_parser("maxi", 1, ExitStack())
    with pytest.raises(MissingResourceError, match="train-parser"):
        open_parser(f"mini:{tmp_path}", 1, ExitStack())


def test_a_killed_worker_is_told(name: str):
    with ExitStack() as stack:
        parser = open_parser(name, 1, stack)
        for process in parser.engine._pool._processes.values():
            os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(AmrxError, match="worker was killed"):
            parser.parse([Sentence("1", "word", "en")])


def die(work: Work) -> str:
    """Stand in for the loading of a parser, in a worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    return work.noun


def test_a_worker_killed_while_it_loads_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("parser.run.engines.fingerprint_of", die)
    with pytest.raises(AmrxError, match="worker was killed"):
        open_parser("mini", 1, ExitStack())


def test_every_error_survives_the_journey():
    error = MissingResourceError("weights", fetch="pip install x", local="--data")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is MissingResourceError
    assert str(again) == str(error)
    assert again.__dict__ == error.__dict__


def test_a_parser_grows_after_its_patience_and_gives_the_same_graphs(name, monkeypatch):
    from parser import load

    monkeypatch.setattr("parser.run.pool.workers_for", lambda name: 2)
    sentences = [Sentence(str(number), text, "en") for number, text in enumerate(TEXTS)]
    alone = load(name)
    with ExitStack() as stack:
        parser = GrowingParser(alone, name, stack)
        assert parser.fingerprint == alone.fingerprint
        expected = [penman.encode(parse.graph) for parse in parser.parse(sentences, batch_size=8)]
        assert parser._pool is None
        monkeypatch.setattr("parser.run.pool.PATIENCE", 0.0)
        parser.parse(sentences[:8], batch_size=8)
        assert parser._pool is None  # a single batch is no work for several
        made = parser.parse(sentences, batch_size=8)
        assert parser._pool is not None
        processes = list(parser._pool.engine._pool._processes.values())
        assert [penman.encode(parse.graph) for parse in made] == expected
    for process in processes:
        process.join(10)
        assert not process.is_alive()


def test_a_parser_that_grew_goes_on_alone_after_a_kill(name, monkeypatch, caplog):
    from parser import load

    monkeypatch.setattr("parser.run.pool.workers_for", lambda name: 2)
    monkeypatch.setattr("parser.run.pool.PATIENCE", 0.0)
    sentences = [Sentence(str(number), "word", "en") for number in range(4)]
    with ExitStack() as stack:
        parser = GrowingParser(load(name), name, stack)
        expected = [penman.encode(parse.graph) for parse in parser.parse(sentences, batch_size=1)]
        assert parser._pool is not None
        for process in parser._pool.engine._pool._processes.values():
            os.kill(process.pid, signal.SIGKILL)
        made = [penman.encode(parse.graph) for parse in parser.parse(sentences, batch_size=1)]
        assert made == expected
        parser.parse(sentences, batch_size=1)
    assert [record.getMessage() for record in caplog.records] == [
        "a parsing worker was killed (out of memory?); parsing goes on in one process"
    ]


def test_only_small_parsers_on_the_cpu_grow(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "64")
    monkeypatch.setattr("amrx.threads.cores", lambda root=None: 16)
    monkeypatch.setattr("parser.run.pool.affordable", lambda count, size: count)
    assert workers_for("split:mini") == MOST
    assert workers_for("seq2seq:folder") == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert workers_for("mini") == 3
    monkeypatch.setenv("AMRX_DEVICE", "cuda")
    assert workers_for("mini") == 1

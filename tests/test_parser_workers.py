"""Several processes give what one gives; the parser is a tiny one of random weights."""

from __future__ import annotations

import os
import pickle
import signal
from pathlib import Path

import penman
import pytest

from amrx.errors import AmrxError, InputError, MissingResourceError, OptionError
from amrx.types import Parser, Sentence
from parser.mini.layers import Shape
from parser.mini.model import MiniNetwork
from parser.mini.store import save_network
from parser.mini.symbols import Alphabet
from parser.run.pool import WorkersParser

TEXTS = ["The boy wants to go.", "Der Junge will gehen.", "?!", "那个男孩想去。", "a " * 40] * 7


@pytest.fixture(scope="module")
def name(tmp_path_factory: pytest.TempPathFactory, e5_files: None) -> str:
    import torch

    torch.manual_seed(3)
    alphabet = Alphabet(tuple("abcdeghi"), (")", ":ARG0", ":ARG1", "):ARG1"), ("<0>", "<1>", "boy", "go-02"))
    network = MiniNetwork(Shape(len(alphabet), width=64, heads=1, inner=64, encoder=1, decoder=1, reader=2))
    folder = tmp_path_factory.mktemp("tiny")
    save_network(folder, network, alphabet)
    return f"mini:{folder}"


@pytest.fixture(scope="module")
def workers(name: str):
    with WorkersParser(name, 2) as parser:
        yield parser


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


def test_beams_arrive_in_the_workers(name: str):
    with WorkersParser(name, 1, beam=2) as parser:
        assert parser.fingerprint.endswith("-beam2")


def test_an_error_of_a_worker_arrives_whole(workers: WorkersParser):
    with pytest.raises(InputError, match="surrogate"):
        workers.parse([Sentence("1", "a \ud800 b", "en")])


def test_what_cannot_start_says_why(tmp_path: Path):
    with pytest.raises(OptionError, match="workers must be at least 1, got 0"):
        WorkersParser("mini", 0)
    with pytest.raises(OptionError, match="unknown parser 'maxi'"):
        WorkersParser("maxi", 1)
    with pytest.raises(MissingResourceError, match="train-parser"):
        WorkersParser(f"mini:{tmp_path}", 1)


def test_a_killed_worker_is_told(name: str):
    with WorkersParser(name, 1) as parser:
        for process in parser._pool._processes.values():
            os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(AmrxError, match="worker was killed"):
            parser.parse([Sentence("1", "word", "en")])


def die(name: str, beam: int | None) -> str:
    """Stand in for the loading of a parser, in a worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    return name


def test_a_worker_killed_while_it_loads_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("parser.run.pool._load", die)
    with pytest.raises(AmrxError, match="worker was killed"):
        WorkersParser("mini", 1)


def test_every_error_survives_the_journey():
    error = MissingResourceError("weights", fetch="pip install x", local="--data")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is MissingResourceError
    assert str(again) == str(error)
    assert again.__dict__ == error.__dict__

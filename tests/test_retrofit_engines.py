"""retrofit.engines: one process, several, and a Ray cluster give the same bytes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import AmrxError, MissingResourceError, OptionError
from amrx.types import Sentence
from parser.run.engines import AHEAD, Actor, Block, PoolEngine, RayEngine, checked, in_order, run
from retrofit.engines import LocalEngine, Parts, Result, open_engine
from tests.support.toy_parser import ToyParser

FAST = Parts("muse", "mini", ("student-text",))


class Lengths:
    """An encoder whose vectors are the lengths of the texts; fails on empty ones."""

    fingerprint = "lengths"
    cuts = ()

    def __init__(self) -> None:
        self.hits = 0

    def retrofit(self, sentences: list[Sentence], *, batch_size: int) -> Result:
        self.hits += 1
        failed = tuple(i for i, sentence in enumerate(sentences) if not sentence.text)
        return Result(np.array([[float(len(sentence.text))] for sentence in sentences], np.float32), failed)


def blocks_of(*texts: str) -> Iterator[Block]:
    for text in texts:
        yield [Sentence("1", text, "en"), Sentence("2", "", "en")]


def test_blocks_come_back_in_order_with_the_counts_of_each() -> None:
    results = list(LocalEngine(Lengths()).map(blocks_of("a", "bb"), 8))  # type: ignore[arg-type]
    assert [block[0].text for block, _ in results] == ["a", "bb"]
    assert [result.vectors[:, 0].tolist() for _, result in results] == [[1.0, 0.0], [2.0, 0.0]]
    assert [(result.failed, result.hits) for _, result in results] == [((1,), 1), ((1,), 1)]


def test_no_more_blocks_are_under_way_than_the_workers_need() -> None:
    taken: list[int] = []

    def blocks() -> Iterator[Block]:
        for number in range(20):
            taken.append(number)
            yield [Sentence(str(number), "x", "en")]

    def submit(block: Block) -> object:
        return lambda: Result(np.zeros((1, 1), np.float32), ())

    walker = in_order(blocks(), submit, 3)  # type: ignore[arg-type]
    assert next(walker)[0][0].id == "0"
    assert len(taken) == 3 * AHEAD + 1
    assert [block[0].id for block, _ in walker] == [str(number) for number in range(1, 20)]


def test_a_named_parser_may_grow_behind_its_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    from parser.run.cache import CachedParser
    from parser.run.pool import GrowingParser
    from retrofit.load import Shared, load_reader

    parser = ToyParser()
    monkeypatch.setattr("parser.load", lambda name, beam: parser)
    with ExitStack() as stack:
        shared = Shared(stack=stack)
        plain = load_reader("mini", parts=shared)
        cached = load_reader("mini", cache=object(), parts=shared)  # type: ignore[arg-type]
        unnamed = load_reader(parser, parts=shared)
    assert isinstance(plain, GrowingParser)
    assert unnamed is parser
    assert isinstance(cached, CachedParser)
    assert cached.parser is plain
    assert cached.fingerprint == plain.fingerprint == "toy-1"
    assert load_reader("mini") is parser


def test_a_worker_with_other_weights_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Parts, "open", lambda parts: Lengths())
    monkeypatch.setattr("parser.run.engines.set_threads", lambda count: None)
    monkeypatch.setattr("parser.run.engines._OPENED", {})
    [block] = blocks_of("abc")
    with pytest.raises(AmrxError, match="encoder is lengths, not others; all machines need the same weights"):
        run(FAST, "others", block, 8)
    assert run(FAST, "lengths", block, 8).failed == (1,)
    answer = Actor(FAST, "lengths").run(block, 8)
    assert checked(answer).vectors[0, 0] == 3.0


def test_an_error_of_an_actor_keeps_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Result:
        raise OptionError("no such model")

    monkeypatch.setattr("parser.run.engines.run", refuse)
    with pytest.raises(OptionError, match="no such model"):
        checked(Actor(FAST, "lengths").run([], 8))


def test_workers_are_at_least_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in (PoolEngine, RayEngine):
        with pytest.raises(OptionError, match="workers must be at least 1, got 0"):
            engine(FAST, 0, "lengths")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingResourceError, match="extra 'ray'"):
        RayEngine(FAST, 1, "lengths")


def test_a_killed_worker_is_one_line() -> None:
    with PoolEngine(FAST, 1, "any") as engine:

        def blocks() -> Iterator[Block]:
            yield from blocks_of("abc")
            for process in list(engine._pool._processes.values()):
                assert process.pid is not None
                os.kill(process.pid, signal.SIGKILL)
            yield from blocks_of("def")

        with pytest.raises(AmrxError, match="a worker was killed .* start again to resume"):
            list(engine.map(blocks(), 8))


def lines(path: Path) -> str:
    path.write_text("Der Hund schläft.\nThe cat sleeps.\n!?\nTom eats.\nIt rains.\n", "utf-8")
    return str(path)


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads in a process add up in another order."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.mark.usefixtures("one_thread")
def test_processes_write_the_same_bytes_and_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = lines(tmp_path / "s.txt")
    options = ["--parser", "mini", "--block", "2", "--lang", "en", "--no-cache"]
    for name, more in (("one", []), ("two", ["--workers", "2"])):
        assert main(["retrofit", source, "-o", str(tmp_path / f"{name}.npy"), *options, *more]) == 0
    assert capsys.readouterr().err.count("1 parses failed") == 2
    for suffix in (".npy", ".npy.ids", ".npy.failed.tsv"):
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


@pytest.mark.usefixtures("one_thread")
def test_a_cluster_writes_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    source = lines(tmp_path / "s.txt")
    options = ["--preset", "fast", "--block", "2", "--lang", "en", "--no-cache"]
    for name, more in (("one", []), ("ray", ["--engine", "ray", "--workers", "1"])):
        assert main(["retrofit", source, "-o", str(tmp_path / f"{name}.npy"), *options, *more]) == 0
    assert (tmp_path / "one.npy").read_bytes() == (tmp_path / "ray.npy").read_bytes()
    assert "5 vectors of width" in capsys.readouterr().err


def test_one_process_is_the_default() -> None:
    encoder = Lengths()
    assert isinstance(open_engine("local", encoder, FAST, None, None), LocalEngine)  # type: ignore[arg-type]

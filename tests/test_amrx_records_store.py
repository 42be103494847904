"""amrx.records.store: one open file for threads, executors and forked processes."""

import asyncio
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from amrx.errors import OutputError
from amrx.types import Sentence
from amrx.vector_cache import VECTORS, VectorCache
from parser.run.cache import CachedParser, ParseCache
from tests.support.toy_parser import ToyParser


def keys(numbers: range) -> dict[bytes, bytes]:
    return {VECTORS.key(str(number), "en", "p"): bytes([number % 256]) * 8 for number in numbers}


def test_threads_take_turns_and_read_what_others_wrote(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "v.sqlite") as store, ThreadPoolExecutor(8) as pool:
        parts = [keys(range(start, start + 50)) for start in range(0, 800, 50)]
        list(pool.map(store.put, parts))
        assert len(store) == 800
        read = list(pool.map(store.get, parts))
    assert read == parts


def test_a_parser_with_a_cache_serves_threads_and_an_executor(tmp_path: Path) -> None:
    texts = [f"word {number}" for number in range(40)]
    sentences = [Sentence(str(number), text, "en") for number, text in enumerate(texts)]
    expected = [parse.graph.triples for parse in ToyParser().parse(sentences)]
    with ParseCache(tmp_path / "p.sqlite") as cache:
        parser = CachedParser(ToyParser(), cache)

        def work(_: int) -> list[object]:
            return [parse.graph.triples for parse in parser.parse(sentences)]

        async def serve() -> list[list[object]]:
            loop = asyncio.get_running_loop()
            return await asyncio.gather(*(loop.run_in_executor(None, work, n) for n in range(8)))

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(8))) == [expected] * 8
        assert asyncio.run(serve()) == [expected] * 8
    assert parser.hits >= 40


def read_in_child(store: VectorCache, wanted: dict[bytes, bytes], answer: int) -> None:
    same = store.get(wanted) == wanted
    store.put(keys(range(100, 101)))
    os.write(answer, b"1" if same else b"0")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_opens_the_file_anew(tmp_path: Path) -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system cannot fork")
    read, write = os.pipe()
    with VectorCache(tmp_path / "v.sqlite") as store:
        store.put(keys(range(10)))
        store._turn.acquire()  # as another thread might at the time of the fork
        context = multiprocessing.get_context("fork")
        child = context.Process(target=read_in_child, args=(store, keys(range(10)), write))
        child.start()
        child.join(60)
        store._turn.release()
        assert child.exitcode == 0 and os.read(read, 1) == b"1"
        assert len(store) == 11


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = VectorCache(tmp_path / "v.sqlite")
    store.close()
    with pytest.raises(OutputError, match="v.sqlite"):
        store.get([b"a"])


def test_a_named_folder_gets_a_file_of_the_usual_name(tmp_path, monkeypatch):
    monkeypatch.setenv("AMRX_CACHE", str(tmp_path))
    for named in (None, tmp_path):
        store = ParseCache.chosen(named)
        assert store is not None and store.path == tmp_path / "parses.sqlite"
        store.close()

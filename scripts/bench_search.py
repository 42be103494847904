"""Search with and without AMR: ``python scripts/bench_search.py DATA [--queries 200] [--rows 100000]``.

First German queries of Tatoeba in its 1,000 English sentences: how many find their translation first, and how
many get the answer of a search that parses all, with rerank at several N; a query costs N parses then. Then
the time of a query in an index of made-up vectors, beside the base alone in the same process.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import amrx
from amrx.encoder import TextEncoder
from amrx.records import read_sentences
from amrx.types import Sentence, Vectors
from parser.run.cache import open_cache
from retrofit.combine import RetrofittedEncoder
from retrofit.index import Index
from retrofit.search import search

CANDIDATES = (5, 10, 20, 50)


def agreement(data: Path, count: int) -> None:
    """Print a line for the base, for the search that parses all, and for each number of candidates."""
    folder = data / "retrieval" / "tatoeba"
    queries, corpus = (
        list(read_sentences(folder / f"tatoeba.deu-eng.{side}", lang=code))
        for side, code in (("deu", "de"), ("eng", "en"))
    )
    queries = queries[:count]
    encoder = amrx.load(cache=open_cache(None))

    def first(asked: RetrofittedEncoder, candidates: int | None) -> list[str]:
        return [match.b.id for match in search(queries, corpus, encoder=asked, top=1, rerank=candidates)]

    whole, right = first(encoder, None), [query.id for query in queries]
    answers = {"base alone": first(encoder.with_weight(0), None), "all parsed": whole}
    answers |= {f"rerank {number}": first(encoder, number) for number in CANDIDATES}
    print(f"{'':12} {'translation first':>18} {'as all parsed':>14}   (of {len(queries)})")
    for name, found in answers.items():
        print(f"{name:12} {_same(found, right):18} {_same(found, whole):14}")


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


class Noise(TextEncoder):
    """Vectors by chance, the same ones for a number."""

    def __init__(self, name: str, width: int) -> None:
        self.name, self.dimension, self.fingerprint = name, width, name
        self._rows = np.random.default_rng(width).normal(size=(4096, width)).astype(np.float32)

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        return self._rows[[int(text) % len(self._rows) for text in texts]]


def speed(rows: int) -> None:
    """Print the time of a query after indexing, the best of five; encoding is not in it."""
    corpus = [Sentence(str(row), str(row), "en") for row in range(rows)]
    both = RetrofittedEncoder(Noise("base", 512), None, Noise("side", 640), weight=1.4)
    for name, encoder in (("base alone", both.with_weight(0)), ("base and AMR", both)):
        index = Index(encoder, corpus)
        times = []
        for query in range(5):
            start = time.perf_counter()
            list(search([Sentence("q", str(query), "en")], index))
            times.append(time.perf_counter() - start)
        print(f"{name:12} {1000 * min(times):6.0f} ms a query in {rows:,} sentences")


def main() -> None:
    """Measure both."""
    options = argparse.ArgumentParser(description="measure amrx search")
    options.add_argument("data", type=Path, help="data folder")
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--rows", type=int, default=100_000)
    arguments = options.parse_args()
    speed(arguments.rows)
    agreement(arguments.data, arguments.queries)


if __name__ == "__main__":
    main()

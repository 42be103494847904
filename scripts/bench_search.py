"""Compare search with and without AMR: ``python scripts/bench_search.py DATA OUT.json``.

First, German queries of Tatoeba are searched among the distinct English sentences of its German and its
French part (1,772): how many find their translation first, and how many get the same answer as a search that
parses all sentences, for several numbers N of reranked candidates (N parses per query). Then the time of a
query is measured in an index of random vectors, and that of the base alone in the same process.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import amrx
from amrx.encoder import TextEncoder
from amrx.records import read_sentences, write_json
from amrx.threads import set_threads
from amrx.types import Sentence, Vectors
from parser.run.cache import ParseCache
from retrofit.combine import RetrofittedEncoder
from retrofit.index import Index
from retrofit.search import search

CANDIDATES = (5, 10, 20, 50)


PARTS = ("deu", "fra")
"""Parts of Tatoeba whose English sentences are the corpus; the queries are from the first."""
PARSER = "mini"
"""A parser with one graph per sentence, because the whole corpus is parsed."""
Row = dict[str, str | float]


def corpus_of(folder: Path) -> list[Sentence]:
    """Return the distinct English sentences of both parts; ids of the first part are its row numbers."""
    by_text: dict[str, Sentence] = {}
    for part in PARTS:
        for one in read_sentences(folder / f"tatoeba.{part}-eng.eng", lang="en"):
            name = one.id if part == PARTS[0] else f"{part}-{one.id}"
            by_text.setdefault(one.text, Sentence(name, one.text, "en"))
    return list(by_text.values())


def agreement(data: Path, count: int) -> list[Row]:
    """Measure the base, the search that parses all, and each number of candidates."""
    folder = data / "retrieval" / "tatoeba"
    corpus = corpus_of(folder)
    queries = list(read_sentences(folder / f"tatoeba.{PARTS[0]}-eng.{PARTS[0]}", lang="de"))[:count]
    encoder = amrx.load(parser=PARSER, cache=ParseCache.chosen())

    def first(asked: RetrofittedEncoder, candidates: int | None) -> list[str]:
        return [match.b.text for match in search(queries, corpus, encoder=asked, top=1, rerank=candidates)]

    english = {one.id: one.text for one in read_sentences(folder / f"tatoeba.{PARTS[0]}-eng.eng", lang="en")}
    whole, right = first(encoder, None), [english[query.id] for query in queries]
    answers = {"base alone": first(encoder.with_weight(0), None), "all parsed": whole}
    answers |= {f"rerank {number}": first(encoder, number) for number in CANDIDATES}
    task = f"Search: Tatoeba, de in {len(corpus)} en"
    rows = []
    for name, texts in answers.items():
        for metric, gold in (("translation first", right), ("same answer as all parsed", whole)):
            rows.append(_row(name, task, "de-en", metric, 100 * _same(texts, gold) / count, count))
            print(f"{name:12} {metric:26} {rows[-1]['value']:6.1f}", flush=True)
    return rows


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


class Noise(TextEncoder):
    """Encode numbers as random vectors; equal numbers get equal vectors."""

    def __init__(self, name: str, width: int) -> None:
        self.name, self.dimension, self.fingerprint = name, width, name
        self._rows = np.random.default_rng(width).normal(size=(4096, width)).astype(np.float32)

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        return self._rows[[int(text) % len(self._rows) for text in texts]]


def speed(rows: int) -> list[Row]:
    """Measure the time of a query after indexing, the lowest of five; encoding takes no time."""
    corpus = [Sentence(str(row), str(row), "en") for row in range(rows)]
    both = RetrofittedEncoder(Noise("base", 512), None, Noise("side", 640), weight=1.4)
    best: dict[str, float] = {}
    for name, encoder in (("base alone", both.with_weight(0)), ("base and AMR", both)):
        index = Index(encoder, corpus)
        times = []
        for query in range(5):
            start = time.perf_counter()
            list(search([Sentence("q", str(query), "en")], index))
            times.append(1000 * (time.perf_counter() - start))
        best[name] = min(times)
        print(f"{name:12} {best[name]:6.0f} ms a query in {rows:,} sentences", flush=True)
    task = f"Search: a query in {rows:,} made-up vectors"
    times_rows = [_row(name, task, "all", "ms per query", value, 5) for name, value in best.items()]
    ratio = best["base and AMR"] / best["base alone"]
    return [*times_rows, _row("base and AMR", task, "all", "times the base alone", ratio, 5)]


def _row(encoder: str, task: str, language: str, metric: str, value: float, n: int) -> Row:
    return {
        "encoder": encoder, "task": task, "language": language, "metric": metric,
        "value": round(value, 2), "n": n,
    }  # fmt: skip


def main() -> None:
    """Measure both, print and write the rows."""
    options = argparse.ArgumentParser(description="measure amrx search")
    options.add_argument("data", type=Path, help="data folder")
    options.add_argument("out", type=Path, help="JSON file of rows")
    options.add_argument("--queries", type=int, default=100)
    options.add_argument("--rows", type=int, default=100_000)
    arguments = options.parse_args()
    set_threads()
    rows = [*speed(arguments.rows), *agreement(arguments.data, arguments.queries)]
    write_json(arguments.out, rows)


if __name__ == "__main__":
    main()

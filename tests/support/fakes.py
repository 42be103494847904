"""Fake base, parser and graph encoder, combined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import penman

from amrx.types import Parse, Sentence, Vectors
from retrofit.combine import RetrofittedEncoder


class FakeBase:
    name, dimension, fingerprint = "base", 3, "base:1"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def encode(
        self, sentences: Sequence[str], *, lang: Sequence[str], batch_size: int = 64, progress: bool = False
    ) -> Vectors:
        self.seen += zip(sentences, lang, strict=True)
        return np.array([[len(s), s.count("a"), 1] for s in sentences], dtype=np.float32).reshape(-1, 3)


class FakeParser:
    fingerprint = "parser:1"

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        def parse(sentence: Sentence) -> Parse:
            failed = "?" in sentence.text
            concept = "amr-empty" if failed else sentence.text.split()[-1]
            graph = penman.decode(f"(a / {concept})")
            status = "failed" if failed else "ok"
            return Parse(sentence.id, sentence.text, str(sentence.lang), graph, status)

        return [parse(sentence) for sentence in sentences]


class FakeGraphs:
    name, dimension, fingerprint = "amr", 2, "amr:1"

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        concepts = [graph.instances()[0].target for graph in graphs]
        return np.array([[len(c), c.count("o")] for c in concepts], dtype=np.float32).reshape(-1, 2)


def fake(weight: float = 1.0, integration: str = "norm-concat") -> RetrofittedEncoder:
    return RetrofittedEncoder(FakeBase(), FakeParser(), FakeGraphs(), weight=weight, integration=integration)

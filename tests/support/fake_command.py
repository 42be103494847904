"""The command amrx retrofit on fake models."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import penman
import pytest

from amrx.cli import main
from amrx.types import Parse, Sentence, Vectors
from parser.run.cache import CachedParser, ParseCache
from retrofit.combine import RetrofittedEncoder


class FakeBase:
    name, dimension, fingerprint = "base", 3, "base:1"

    def encode(
        self, sentences: Sequence[str], *, lang: Sequence[str], batch_size: int = 64, progress: bool = False
    ) -> Vectors:
        rows = [[len(s), ord(code[0]), 1] for s, code in zip(sentences, lang, strict=True)]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)


class FakeParser:
    """Fails on sentences with a question mark; dies at its ``dies_at``-th call."""

    fingerprint = "parser:1"

    def __init__(self) -> None:
        self.calls = 0
        self.dies_at = 0
        self.seen: list[str] = []

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        self.calls += 1
        if self.calls == self.dies_at:
            raise KeyboardInterrupt
        self.seen += [s.text for s in sentences]
        return [
            Parse(s.id, s.text, str(s.lang), GRAPH, "failed" if "?" in s.text else "ok") for s in sentences
        ]


class FakeGraphs:
    name, dimension, fingerprint = "amr", 2, "amr:1"

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        return np.ones((len(graphs), 2), dtype=np.float32)


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> FakeParser:
    """The command loads fakes; returns the parser."""
    fake = FakeParser()

    def load(
        base: str,
        parser: str,
        encoder: str,
        weight: float | None,
        *,
        split: bool,
        integration: str | None,
        cache: ParseCache | None,
        parts: object,
    ) -> RetrofittedEncoder:
        chosen = 1.0 if weight is None else weight
        kept = fake if cache is None else CachedParser(fake, cache)
        return RetrofittedEncoder(
            FakeBase(), kept, FakeGraphs(), weight=chosen, integration=integration or "norm-concat"
        )

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    return fake


@pytest.fixture
def german(tmp_path: Path) -> Path:
    file = tmp_path / "in.txt"
    file.write_text("".join(f"Satz {i}{'?' * (i % 4 == 3)}\n" for i in range(10)), "utf-8")
    return file


def run(*arguments: object) -> int:
    """Without a cache, so that what the parser saw tells what was done again."""
    return main(["retrofit", *map(str, arguments), "--no-cache"])


GRAPH = penman.decode("(b / boy)")

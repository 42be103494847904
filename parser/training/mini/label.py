"""Labels of parallel text: the graphs that the parser so far gives English sentences, kept as they are made.

::

    sentence ──search────────────────────────────────> graph ──cleaned──> symbols
             ──search, and draws──consensus──────────> graph               (`parser.ensemble.agreement`)

A hundred thousand sentences take tens of minutes, so every block of parses is written down before the next
one is begun: a run that was killed goes on with the block that it was at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from amrx.device import progress as bar
from amrx.types import Parse, Parser, Sentence
from linearize.packed import pack_graph
from parser.ensemble.agreement import consensus
from parser.ensemble.voted_parser import DrawnParser
from parser.mini.model import MiniNetwork
from parser.mini.store import DECODING
from parser.protocols import draws as drawing
from parser.run.cache import CachedParser, ParseCache
from parser.training.mini.clean_labels import cleaned

BLOCK = 1024
"""Sentences parsed between two writes."""


class MostAgreed(DrawnParser):
    """A parser whose parse is the reading that agrees best with all, whole; the search's of equals."""

    kind = "consensus"

    def choose(self, readings: Sequence[Parse]) -> Parse:
        """Return that reading."""
        return readings[consensus([reading.graph for reading in readings])]


class Labels:
    """English sentences to packed graphs.

    Law: what comes out follows from the parser and the draws alone, whatever the file holds.

    Args:
        parser: Labels; its fingerprint must tell its weights (`fingerprint`).
        draws: Graphs drawn beside the search's, of all of which the consensus is taken; 0 for the search's.
        path: The sqlite file of parses, made where it is not there.
    """

    def __init__(self, parser: Parser, draws: int, path: Path) -> None:
        self._parser = MostAgreed(parser, drawing(parser, draws)) if draws else parser
        self._path = path

    def __call__(self, texts: Sequence[str]) -> list[list[str] | None]:
        """Return the symbols of each graph; ``None`` where it was repaired or belies its sentence."""
        graphs: list[list[str] | None] = []
        with ParseCache(self._path) as cache:
            parser = CachedParser(self._parser, cache)
            starts = range(0, len(texts), BLOCK)
            for start in bar(starts, len(starts), "labels"):
                block = texts[start : start + BLOCK]
                sentences = [Sentence(str(i), text, "en") for i, text in enumerate(block)]
                for parse in parser.parse(sentences, batch_size=128):
                    # a graph that had to be repaired teaches nothing
                    graph = cleaned(parse.graph, parse.text) if parse.status == "ok" else None
                    graphs.append(None if graph is None else pack_graph(graph))
        return graphs

    def forget(self) -> None:
        """Remove the file."""
        for ending in ("", "-wal", "-shm"):
            Path(f"{self._path}{ending}").unlink(missing_ok=True)


def fingerprint(network: MiniNetwork) -> str:
    """Return a name that tells a network's weights, and the law of decoding: equal for equal ones."""
    digest = hashlib.sha256(DECODING)
    for name, weight in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weight.detach().float().cpu().numpy()).tobytes())
    return f"teacher-{digest.hexdigest()[:12]}"

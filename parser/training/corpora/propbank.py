"""PropBank's example sentences, whose frame and core roles are known by hand, and graphs that say them.

::

    traverse.01   A third is now being traversed.   traversed   [["ARG1", "A third"]]
    by a parser   (c / cross-02 :ARG1 (t / thing :ord ...) :time (n / now))
    mended        (t2 / traverse-01 :ARG1 (t / thing :ord ...) :time (n / now))

Most of AMR's frames are in no open sembank. A parser that never saw one writes a near one in its place,
often with the right arguments.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import penman
from sacremoses import MosesDetokenizer

from amrx.types import Parse
from linearize.vocabulary import frames
from parser.graphs.triples import upright
from parser.training.corpora.lines import read_columns

_CORE = re.compile(r":?ARG\d")
_OTHERS = frozenset(("name", "and", "or", "contrast-01", "multi-sentence", "amr-unknown"))
"""Concepts that are never predicates, whatever word they are aligned to."""
_GAPS = re.compile(r"\*\S*\*(-\d+)?")
"""Traces of the Penn Treebank, as ``*PRO*``."""


@dataclass(frozen=True)
class Predicate:
    """One example."""

    frame: str  # AMR's frame, ``traverse-01``
    text: str  # the sentence, without the tokenizer's blanks
    words: str  # the predicate's words in it
    roles: frozenset[str]  # its core roles, as ``:ARG0``


def predicates(data: Path) -> Iterator[Predicate]:
    """Yield the examples whose frame AMR has, without those that show traces."""
    detokenize = MosesDetokenizer("en").detokenize
    for roleset, text, words, roles in read_columns(data / "amr" / "propbank-examples.tsv.gz", 4):
        frame = roleset.replace("_", "-").replace(".", "-")
        if frame in frames() and not _GAPS.search(text):
            plain = text.replace(" n't", "n't").replace("``", '"').replace("''", '"').replace(" - ", "-")
            core = frozenset(f":{role}" for role, _ in json.loads(roles) if _CORE.fullmatch(role))
            yield Predicate(frame, detokenize(plain.split()), words, core)


def with_predicate(parse: Parse, example: Predicate) -> penman.Graph | None:
    """Return the parse's graph with the example's frame, ``None`` where no node can be it.

    A node can be the predicate that has the frame, or another sense of its word, or, the smallest that is
    aligned to the predicate's words, a core role of the example's.
    """
    concepts = {source: str(target) for source, _, target in parse.graph.instances()}
    if example.frame in concepts.values():
        return parse.graph
    lemma = example.frame.rpartition("-")[0]
    senses = [v for v, concept in concepts.items() if re.fullmatch(rf"{re.escape(lemma)}-\d\d+", concept)]
    nodes = senses if len(senses) == 1 else _aligned(parse, example, concepts)
    if not nodes:
        return None
    triples = [
        (source, role, example.frame if (source, role) == (nodes[0], ":instance") else target)
        for source, role, target in parse.graph.triples
    ]
    return penman.Graph(triples, top=parse.graph.top, epidata=parse.graph.epidata)


def _aligned(parse: Parse, example: Predicate, concepts: dict[str, str]) -> list[str]:
    """Return the nodes of the predicate's words with one of its core roles, the narrowest first."""
    match = re.search(rf"\b{re.escape(example.words)}\b", parse.text)
    if match is None:
        return []
    core: dict[str, set[str]] = {}
    for source, role, _ in map(upright, parse.graph.edges()):
        if _CORE.fullmatch(role[1:]):
            core.setdefault(source, set()).add(role)
    spans = {
        variable: span
        for variable, span in parse.alignments.items()
        if span[0] <= match.start() < span[1] and concepts[variable] not in _OTHERS
    }
    fits = [v for v in spans if core.get(v, set()) & example.roles and core[v] <= example.roles]
    return sorted(fits, key=lambda v: spans[v][1] - spans[v][0])

"""Measure the translation of rare nouns: ``python scripts/evaluate_nouns.py DATA OUT.json``.

Parses `ROWS` sentences of STS-B dev in twelve languages with ``voted:mini`` and compares each concept that
`parser.mini.rules.nouns` changes with the concepts of the gold graph of the English sentence, without senses.
``right`` and ``wrong`` are the shares, in percent of all changes, that turn a concept which the gold graph
lacks into one that it has, and the other way round. The rule's thresholds were chosen on these sentences.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from unittest.mock import patch

import penman

from amrx.composed_text import Span
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Sentence
from parser import load as load_parser
from parser.mini.rules.nouns import lemma, with_translated_nouns
from parser.training.corpora.sembanks import bamboo_pairs

LANGS = ("de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh")
ROWS = 300


def concepts(graph: penman.Graph) -> dict[str, str]:
    """Return the concepts of a graph without senses, by variable."""
    return {node: lemma(str(concept)) for node, _, concept in graph.instances()}


def main(data: Path, out: Path) -> None:
    """Parse every language, count the changes and write the rows."""
    set_threads()
    gold = [pair.source.graph for pair in bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev")]
    chosen = sorted(random.Random(1).sample(range(len(gold)), ROWS))  # noqa: S311
    parser = load_parser("voted:mini")
    pairs: dict[str, tuple[penman.Graph, penman.Graph]] = {}

    def recorded(
        graph: penman.Graph,
        text: str,
        lang: str,
        alignments: Mapping[str, Span],
        invented: Collection[str] = (),
    ) -> penman.Graph:
        changed = with_translated_nouns(graph, text, lang, alignments, invented)
        pairs[text] = graph, changed
        return changed

    rows: list[dict[str, str | float]] = []
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        pairs.clear()
        with patch("parser.mini.parser.with_translated_nouns", recorded):
            parser.parse([Sentence(str(row), texts[row], lang) for row in chosen])
        changes = [
            (before != after, before in true, after in true)
            for row in chosen
            for true in [set(concepts(gold[row]).values())]
            for old, new in [tuple(map(concepts, pairs[texts[row]]))]
            for before, after in [(old[node], new[node]) for node in old]
        ]
        changed = [(before, after) for differs, before, after in changes if differs]
        for metric, count in (
            ("right", sum(after and not before for before, after in changed)),
            ("wrong", sum(before and not after for before, after in changed)),
        ):
            row = {"encoder": "voted:mini", "task": "Nouns translated", "language": lang, "metric": metric}
            rows.append({**row, "value": round(100 * count / max(len(changed), 1), 2), "n": len(changed)})
        print(rows[-2:], flush=True)
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

#!/usr/bin/env python
"""Measure names and quantities: ``python scripts/evaluate_names.py DATA results/names.json [PARSER]``.

The gold graphs of STS-B dev have the names and quantities of the English sentence. For each language, those
in the graphs of the translations are compared with them. A name is right if a gold name of the sentence has
the same words, regardless of case; a quantity is right if a gold one has the same number and the same unit.
``names`` are all names, ``places`` are names of cities, countries and continents
(`parser.values.names`), ``quantities`` are all but spans of time. Sentences whose gold graph has
none are left out.

``names, demo`` and ``names, Tatoeba`` compare with the parser's own graphs of the English sentences: of the
twelve meanings of the demo, and of up to `PAIRS` pairs of Tatoeba whose English graph has a name.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import penman

import parser
from amrx.examples import meanings
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser.training.corpora.sembanks import bamboo_pairs
from parser.values.place_names import CITIES, COUNTRIES

LANGS = "en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "ja", "ko", "zh"
MOST = 250
"""Maximum number of sentences per language."""
TATOEBA = {
    "ar": "ara", "de": "deu", "es": "spa", "fr": "fra", "it": "ita", "ja": "jpn", "ko": "kor", "nl": "nld",
    "pl": "pol", "pt": "por", "ru": "rus", "tr": "tur", "zh": "cmn",
}  # fmt: skip
PAIRS = 100
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
"""A name inside an English sentence."""


def names_of(graph: penman.Graph, *, places: bool) -> Counter[str]:
    """Return the names of a graph in lower case."""
    concepts = {node.source: node.target for node in graph.instances()}
    names: Counter[str] = Counter()
    for owner, _, name in graph.edges(role=":name"):
        words = [one for one in graph.attributes(source=name) if one.role.startswith(":op")]
        if words and (not places or concepts[owner] in CITIES | COUNTRIES):
            words.sort(key=lambda one: (len(one.role), one.role))
            names[" ".join(str(one.target).strip('"').lower() for one in words)] += 1
    return names


def quantities_of(graph: penman.Graph) -> Counter[str]:
    """Return the numbers with their units, without spans of time."""
    concepts = {node.source: str(node.target) for node in graph.instances()}
    numbers = {one.source: one.target for one in graph.attributes(role=":quant")}
    return Counter(
        f"{numbers[quantity]} {concepts[unit]}"
        for quantity, _, unit in graph.edges(role=":unit")
        if quantity in numbers and concepts[quantity] != "temporal-quantity"
    )


TASKS: dict[str, Callable[[penman.Graph], Counter[str]]] = {
    "names": partial(names_of, places=False),
    "places": partial(names_of, places=True),
    "quantities": quantities_of,
}


Row = dict[str, str | float]
Pair = tuple[penman.Graph, penman.Graph]


def scores(
    name: str, task: str, lang: str, items: Callable[[penman.Graph], Counter[str]], pairs: Sequence[Pair]
) -> list[Row]:
    """Return precision and recall of the second graphs of pairs by the first ones."""
    counts = [(items(true), items(own)) for true, own in pairs]
    right = sum((true & own).total() for true, own in counts)
    return [
        {
            "encoder": name,
            "task": task,
            "language": lang,
            "metric": metric,
            "value": round(100 * right / max(count, 1), 2),
            "n": count,
        }
        for metric, count in (
            ("precision", sum(own.total() for _, own in counts)),
            ("recall", sum(true.total() for true, _ in counts)),
        )
    ]


def graphs_of(loaded: Parser, texts: Sequence[str], lang: str) -> list[penman.Graph]:
    """Return the graph of each text."""
    sentences = [Sentence(str(i), text, lang) for i, text in enumerate(texts)]
    return [parse.graph for parse in loaded.parse(sentences)]


def demo_pairs(loaded: Parser) -> Iterator[tuple[str, list[Pair]]]:
    """Yield for each language of the demo its graphs beside the English ones."""
    sentences = [Sentence(one.meaning, one.text, one.lang) for one in meanings()]
    graphs = {(parse.id, parse.lang): parse.graph for parse in loaded.parse(sentences)}
    for lang in sorted({lang for _, lang in graphs} - {"en"}):
        yield lang, [(graphs[id_, "en"], graphs[id_, own]) for id_, own in graphs if own == lang]


def tatoeba_pairs(loaded: Parser, data: Path) -> Iterator[tuple[str, list[Pair]]]:
    """Yield for each language the graphs of English sentences with names, and of their translations."""
    for lang, code in TATOEBA.items():
        path = data / "retrieval" / "tatoeba" / f"tatoeba.{code}-eng"
        english, others = (
            path.with_name(f"{path.name}.{side}").read_text("utf-8").splitlines() for side in ("eng", code)
        )
        rows = [row for row, text in enumerate(english) if _NAME.search(text)][: 2 * PAIRS]
        first = dict(zip(rows, graphs_of(loaded, [english[row] for row in rows], "en"), strict=True))
        named = [row for row in rows if names_of(first[row], places=False)][:PAIRS]
        second = graphs_of(loaded, [others[row] for row in named], lang)
        yield lang, [(first[row], graph) for row, graph in zip(named, second, strict=True)]


def main(data: Path, out: Path, name: str = "mini") -> None:
    """Parse every language and write precision and recall."""
    set_threads()
    gold = [pair.source.graph for pair in bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev")]
    chosen = {
        task: [row for row, graph in enumerate(gold) if items(graph)][:MOST]
        for task, items in (("names", TASKS["names"]), ("quantities", quantities_of))
    }
    chosen["places"] = chosen["names"]
    wanted = sorted({row for some in chosen.values() for row in some})
    rows: list[Row] = []
    loaded = parser.load(name)
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        parses = loaded.parse([Sentence(str(row), texts[row], lang) for row in wanted])
        graphs = {row: parse.graph for row, parse in zip(wanted, parses, strict=True)}
        for task, items in TASKS.items():
            rows += scores(name, task, lang, items, [(gold[row], graphs[row]) for row in chosen[task]])
        print(json.dumps(rows[-6:]), flush=True)
    for task, found in (
        ("names, demo", demo_pairs(loaded)),
        ("names, Tatoeba", tatoeba_pairs(loaded, data)),
    ):
        for lang, pairs in found:
            rows += scores(name, task, lang, TASKS["names"], pairs)
            print(json.dumps(rows[-2:]), flush=True)
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

#!/usr/bin/env python
"""Measure names and quantities: ``python scripts/evaluate_names.py DATA results/names.json [PARSER]``.

The gold graphs of STS-B dev have the names and quantities of the English sentence. For each language, those
in the graphs of the translations are compared with them. A name is right if a gold name of the sentence has
the same words, regardless of case; a quantity is right if a gold one has the same number and the same unit.
``names`` are all names, ``places`` are names of cities, countries and continents
(`parser.mini.rules.city_names`), ``quantities`` are all but spans of time. Sentences whose gold graph has
none are left out.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import penman

import parser
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Sentence
from parser.mini.rules.city_names import CITIES, COUNTRIES
from parser.training.corpora.sembanks import bamboo_pairs

LANGS = "en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "ja", "ko", "zh"
MOST = 250
"""Maximum number of sentences per language."""


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


def main(data: Path, out: Path, name: str = "voted:mini") -> None:
    """Parse every language and write precision and recall."""
    set_threads()
    gold = [pair.source.graph for pair in bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev")]
    chosen = {
        task: [row for row, graph in enumerate(gold) if items(graph)][:MOST]
        for task, items in (("names", TASKS["names"]), ("quantities", quantities_of))
    }
    chosen["places"] = chosen["names"]
    wanted = sorted({row for some in chosen.values() for row in some})
    rows: list[dict[str, str | float]] = []
    loaded = parser.load(name)
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        parses = loaded.parse([Sentence(str(row), texts[row], lang) for row in wanted])
        graphs = {row: parse.graph for row, parse in zip(wanted, parses, strict=True)}
        for task, items in TASKS.items():
            pairs = [(items(gold[row]), items(graphs[row])) for row in chosen[task]]
            right = sum((true & own).total() for true, own in pairs)
            for metric, count in (
                ("precision", sum(own.total() for _, own in pairs)),
                ("recall", sum(true.total() for true, _ in pairs)),
            ):
                value = round(100 * right / count, 2)
                rows.append(
                    {
                        "encoder": name,
                        "task": task,
                        "language": lang,
                        "metric": metric,
                        "value": value,
                        "n": count,
                    }
                )
        print(json.dumps(rows[-6:]), flush=True)
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

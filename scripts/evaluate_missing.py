#!/usr/bin/env python
"""Measure what is reported as missing: ``python scripts/evaluate_missing.py DATA OUT.json [PARSER]``.

`parser.values.lost_values` reports numbers, names and negations of a sentence that its graph does not hold.
On `MOST` sentences of STS-B dev per language, with the gold graph of the English sentence:

- ``noted``: share of the parser's graphs with a report, in percent.
- ``noted, gold graph``: the same for the gold graph, which should have none.
- ``right``: share of the reported words that are not reported for the gold graph: the parser lost them.
- ``smatch, noted`` and ``smatch, not noted``: Smatch of the graphs with and without a report.

The gold graphs were written by a strong English parser (BAMBOO), which also loses numbers, so ``right`` is a
lower bound. English on The Little Prince and Bio (dev): share of the gold graphs with a report alone.

On the sentences of ``readings.tsv`` with a known number or negation, by language:

- ``silent``: share of the graphs that lost it without a report;
- ``false``: share of the graphs with a report though they hold it.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import penman

from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parse, Sentence
from parser import load
from parser.score.smatch import corpus_smatch
from parser.training.corpora.sembanks import bamboo_pairs, bio, lpp
from parser.values import lost_values
from parser.values.apply import is_negative

LANGS = "en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "zh"
MOST = 200
SENTENCES = Path(__file__).with_name("readings.tsv")
NEGATIONS = "Negation in one clause", "Not all", "Two negations"
Row = dict[str, str | float]
Known = tuple[str, str, str | None]
"""A sentence, its language, and the number that its graph holds; ``None`` for a negation."""
Said = tuple[str, penman.Graph, penman.Graph, tuple[str, ...]]


def rows_of(name: str, lang: str, said: Sequence[Said]) -> list[Row]:
    """Return the scores of a language.

    Args:
        name: The parser.
        lang: The language.
        said: Sentence, gold graph, graph, and what is reported for the graph.
    """
    gold = [set(lost_values(true, text, lang)) for text, true, _, _ in said]
    reported = [word for *_, words in said for word in words]
    lost = [
        word for (*_, words), false in zip(said, gold, strict=True) for word in words if word not in false
    ]
    groups = [[one for one in said if bool(one[3]) == noted] for noted in (True, False)]
    smatch = [corpus_smatch([one[1] for one in some], [one[2] for one in some]).f1 / 100 for some in groups]
    values = (
        ("noted", sum(bool(words) for *_, words in said) / len(said), len(said)),
        ("noted, gold graph", sum(map(bool, gold)) / len(said), len(said)),
        ("right", len(lost) / max(len(reported), 1), len(reported)),
        ("smatch, noted", smatch[0], len(groups[0])),
        ("smatch, not noted", smatch[1], len(groups[1])),
    )
    return [_row(name, lang, metric, value, count) for metric, value, count in values]


def known_sentences(file: Path = SENTENCES) -> Iterator[Known]:
    """Yield the sentences with a number or negation."""
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["task"] in NEGATIONS:
                yield row["text"], row["lang"], None
            elif row["task"].startswith(("Numbers", "Decimals")):
                yield row["text"], row["lang"], json.loads(row["arguments"])[1].strip('"')


def silent_rows(name: str, known: Sequence[Known], parses: Sequence[Parse]) -> Iterator[Row]:
    """Yield the shares of silent losses and of false reports by language, then of all."""
    groups: dict[str, list[tuple[bool, bool]]] = {}
    for (_, lang, number), parse in zip(known, parses, strict=True):
        one = _holds(parse.graph, number), bool(parse.missing)
        groups.setdefault(lang, []).append(one)
        groups.setdefault("all", []).append(one)
    for lang, ones in sorted(groups.items()):
        for metric, wanted in (("silent", (False, False)), ("false", (True, True))):
            yield _row(name, lang, metric, ones.count(wanted) / len(ones), len(ones), "lost without a word")


def _holds(graph: penman.Graph, number: str | None) -> bool:
    """Return whether a graph has a number anywhere, or any negation."""
    constants = {str(value).strip('"') for _, _, value in graph.attributes()}
    if number is not None:
        return number in constants
    return "-" in constants or any(is_negative(str(concept)) for _, _, concept in graph.instances())


def _row(name: str, lang: str, metric: str, value: float, count: int, task: str = "missing words") -> Row:
    return {
        "encoder": name, "task": task, "language": lang, "metric": metric,
        "value": round(100 * value, 1), "n": count,
    }  # fmt: skip


def main(data: Path, out: Path, name: str = "mini") -> None:
    """Parse a sample of every language and write the scores."""
    set_threads()
    pairs = list(bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev"))
    chosen = sorted(random.Random(0).sample(range(len(pairs)), MOST))  # noqa: S311
    loaded, rows = load(name), list[Row]()
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        parses = loaded.parse([Sentence(str(row), texts[row], lang) for row in chosen])
        said = [
            (parse.text, pairs[row].source.graph, parse.graph, parse.missing)
            for row, parse in zip(chosen, parses, strict=True)
        ]
        rows += rows_of(name, lang, said)
        print(
            *(f"{row['language']} {row['metric']} {row['value']}" for row in rows[-5:]), sep=", ", flush=True
        )
    for task, entries in (("The Little Prince", lpp(data, "dev")), ("Bio", bio(data, "dev"))):
        noted = [bool(lost_values(entry.graph, entry.snt, "en")) for entry in entries]
        rows.append(_row("gold", task, "noted, gold graph", sum(noted) / len(noted), len(noted)))
    known = list(known_sentences())
    parses = loaded.parse([Sentence(str(i), text, lang) for i, (text, lang, _) in enumerate(known)])
    rows += silent_rows(name, known, parses)
    print(*(f"{row['metric']} {row['value']}" for row in rows if row["language"] == "all"), sep=", ")
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

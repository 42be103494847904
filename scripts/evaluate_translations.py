#!/usr/bin/env python
"""Measure translations in decoding: ``python scripts/evaluate_translations.py DATA OUT.json [PARSER]``.

`parser.mini.translations` raises the scores of the translations of a sentence's words. Smatch of `MOST`
sentences of STS-B dev per language, with the gold graph of the English sentence, with and without. None of
the sentences is in the samples on which it and its tables were designed and its constants were chosen.
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path
from unittest.mock import patch

import parser.mini.translations as module
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Sentence
from parser import load
from parser.score.smatch import corpus_smatch
from parser.training.corpora.sembanks import bamboo_pairs

LANGS = "en", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"
MOST = 300
SAMPLES = {0: 100, 1: 300, 2: 300, 3: 300}
"""Seeds and sizes of the samples on which `parser.mini.translations` was designed."""


def chosen_rows(rows: int) -> list[int]:
    """Return the numbers of the sentences to parse."""
    read = {row for seed, size in SAMPLES.items() for row in random.Random(seed).sample(range(rows), size)}  # noqa: S311
    return sorted(random.Random(4).sample(sorted(set(range(rows)) - read), MOST))  # noqa: S311


def main(data: Path, out: Path, name: str = "voted:mini") -> None:
    """Parse the sentences of every language twice and write the scores."""
    set_threads()
    pairs = list(bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev"))
    chosen, loaded = chosen_rows(len(pairs)), load(name)
    gold = [pairs[row].source.graph for row in chosen]
    rows = list[dict[str, str | float]]()
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        sentences = [Sentence(str(row), texts[row], lang) for row in chosen]
        for system, strength in ((name, module.STRENGTH), (f"{name}, no translations", 0.0)):
            with patch.object(module, "STRENGTH", strength):
                score = corpus_smatch(gold, [parse.graph for parse in loaded.parse(sentences)]).f1
            row: dict[str, str | float] = {
                "encoder": system, "task": "STS-B dev", "language": lang, "metric": "smatch",
                "value": round(score, 2), "n": len(chosen),
            }  # fmt: skip
            rows.append(row)
            print(lang, system, row["value"], flush=True)
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

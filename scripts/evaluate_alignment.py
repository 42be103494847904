"""Measure alignments of nodes to words: ``python scripts/evaluate_alignment.py DATA OUT.json [PARSER]``.

On English STS-B dev. Counted are aligned nodes whose concept, without its last letter, is the beginning of a
word of the sentence; a node is right if it is aligned to such a word. This rule is independent of
`parser.own_words`, and looser. One row is with `parser.own_words`, the other is without.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import parser.protocols as protocols
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parse, Sentence
from parser import load
from parser.own_words import with_own_words

LONGER = 4


def begins(word: str, concept: str) -> bool:
    """Return whether a word begins as the concept does, and is fewer than `LONGER` letters longer."""
    return word.startswith(concept[: max(3, len(concept) - 1)]) and len(word) - len(concept) < LONGER


def count(parses: Iterable[Parse]) -> tuple[int, int]:
    """Return the number of right nodes, and of all counted nodes."""
    right = total = 0
    for parse in parses:
        words = set(re.findall(r"\w+", parse.text.lower()))
        for node, _, written in parse.graph.instances():
            concept = re.sub(r"-\d+$", "", written or "")
            if node in parse.alignments and len(concept) > 2 and any(begins(w, concept) for w in words):
                total += 1
                right += begins(parse.text[slice(*parse.alignments[node])].lower(), concept)
    return right, total


def main(data: Path, out: Path, name: str = "mini") -> None:
    """Parse, count and write the rows."""
    set_threads()
    with open(data / "sts" / "stsb" / "en" / "dev.csv", encoding="utf-8") as file:
        sentences = [Sentence(str(i), row[0], "en") for i, row in enumerate(csv.reader(file))]
    protocols.with_own_words = lambda parse: parse  # the parser's own alignments
    bare = load(name).parse(sentences)
    rows = []
    for encoder, parses in ((f"{name}, attention", bare), (name, list(map(with_own_words, bare)))):
        right, total = count(parses)
        row = {"encoder": encoder, "task": "Alignment: nodes whose word stands in the sentence"}
        row |= {"language": "en", "metric": "accuracy", "value": round(100 * right / total, 2), "n": total}
        rows.append(row)
        print(f"{encoder}: {right} of {total}")
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

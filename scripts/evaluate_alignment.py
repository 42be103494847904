"""How often a node has its own word: ``python scripts/evaluate_alignment.py DATA OUT.json [PARSER]``.

English STS-B dev. Counted are aligned nodes whose concept, but for its last letter, begins a word of the
sentence; right are those aligned with such a word. That rule is looser than, and apart from, that of
`parser.own_words`, which one row has and the other has not.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import parser.protocols as protocols
from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Parse, Sentence
from parser import load
from parser.own_words import with_own_words

LONGER = 4


def begins(word: str, concept: str) -> bool:
    """Say whether a word begins as a concept does and is little longer."""
    return word.startswith(concept[: max(3, len(concept) - 1)]) and len(word) - len(concept) < LONGER


def count(parses: Iterable[Parse]) -> tuple[int, int]:
    """Return how many nodes are right, of how many."""
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
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

#!/usr/bin/env python
"""Write the opposites among English words for ``amrx pairs --contradictions``.

python scripts/gather_antonyms.py /usr/share/wordnet retrofit/data/antonyms.txt

The folder has the files ``data.adj``, ``data.adv``, ``data.noun`` and ``data.verb`` of WordNet 3.0 (Debian's
package ``wordnet-base``; the format is described in wndb(5WN)). A line of the output is a word and its
opposites. Concepts of AMR are English words, so that one table serves all languages.

Two words are opposites if WordNet links them as antonyms. The other words of both synsets are opposites too
(*large* and *small*, so *big* and *little*), unless a synset holds them together: *let* and *rent* are one
act. Words are written as in AMR, with hyphens.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import combinations, product
from pathlib import Path

from amrx.records import atomic_path

PARTS = {"a": "adj", "s": "adj", "r": "adv", "n": "noun", "v": "verb"}
"""Part of speech of a pointer, and the file that it points into."""
HEADER = """\
# Opposites among English words: a word and its opposites per line. Written by scripts/gather_antonyms.py.
# From WordNet 3.0, Copyright 2006 by Princeton University. All rights reserved. THIS SOFTWARE AND
# DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR
# IMPLIED. BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR
# WARRANTIES OF MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED
# SOFTWARE, DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR
# OTHER RIGHTS. Permission to use, copy, modify and distribute this software and database and its
# documentation for any purpose and without fee or royalty is hereby granted, provided that you agree to
# comply with this copyright notice and statements, including the disclaimer, and that the same appear on
# ALL copies. https://wordnet.princeton.edu/license-and-commercial-use
"""

Key = tuple[str, str]
"""A file and the offset of a synset in it."""


def read_synsets(folder: Path) -> tuple[dict[Key, list[str]], set[frozenset[Key]]]:
    """Return the words of each synset, and the pairs of synsets that an antonym pointer links."""
    words: dict[Key, list[str]] = {}
    linked: set[frozenset[Key]] = set()
    for part in dict.fromkeys(PARTS.values()):
        for line in (folder / f"data.{part}").read_text("ascii").splitlines():
            if line.startswith("  "):
                continue  # the licence at the head of each file
            fields = line.partition(" | ")[0].split()
            key, count = (part, fields[0]), int(fields[3], 16)
            words[key] = [_word(field) for field in fields[4 : 4 + 2 * count : 2]]
            rest = iter(fields[5 + 2 * count :])
            for symbol, offset, letter, _ in zip(rest, rest, rest, rest, strict=False):
                if symbol == "!":
                    linked.add(frozenset((key, (PARTS[letter], offset))))
    return words, linked


def _word(field: str) -> str:
    """Return a word as AMR writes it, without the mark of an adjective's position (``(p)``)."""
    return field.partition("(")[0].replace("_", "-").lower()


def opposites(words: dict[Key, list[str]], linked: set[frozenset[Key]]) -> list[tuple[str, str]]:
    """Return each pair of opposite words, once."""
    together = {frozenset(pair) for synset in words.values() for pair in combinations(synset, 2)}
    pairs = {
        (min(pair), max(pair))
        for one, other in map(tuple, linked)
        for pair in product(words[one], words[other])
        if pair[0] != pair[1] and frozenset(pair) not in together
    }
    return sorted(pairs)


def main(folder: Path, output: Path) -> None:
    """Read WordNet and write the table."""
    table: dict[str, list[str]] = defaultdict(list)
    for one, other in opposites(*read_synsets(folder)):
        table[one].append(other)
    with atomic_path(output) as part:
        part.write_text(HEADER + "".join(f"{one} {' '.join(table[one])}\n" for one in sorted(table)), "utf-8")
    print(f"{output}: {sum(map(len, table.values()))} pairs of {len(table)} first words")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

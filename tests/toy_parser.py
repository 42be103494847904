"""A parser without weights, to try what surrounds a parser; run as a script it is ``amrx parse`` with it.

Its graph holds the words: ``(s / sentence :lang "de" :op1 "Der" :op2 "Junge")``. More than nine words are
cut, and said so. ``TOY_LOG`` names a file that gets a line for every sentence parsed, ``TOY_PAUSE`` makes
each take so many seconds.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import penman

from amrx.langid import detect
from amrx.types import Parse

LONGEST = 9


class ToyParser:
    def __init__(self, fingerprint="toy-1"):
        self.fingerprint = fingerprint
        self.seen = []

    def parse(self, sentences, *, batch_size=64, progress=False):
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence):
        time.sleep(float(os.environ.get("TOY_PAUSE", "0")))
        self.seen.append(sentence.text)
        if log := os.environ.get("TOY_LOG"):
            with Path(log).open("a", encoding="utf-8") as file:
                file.write(sentence.text + "\n")
        lang = sentence.lang or detect([sentence.text])[0]
        words = sentence.text.split()
        cut = len(words) > LONGEST
        triples = [("s", ":instance", "sentence"), ("s", ":lang", f'"{lang}"')]
        for number, word in enumerate(words[:LONGEST], start=1):
            safe = word.replace("\\", "/").replace('"', "'")
            triples.append(("s", f":op{number}", f'"{safe}"'))
        return Parse(
            sentence.id,
            sentence.text,
            lang,
            penman.Graph(triples),
            "repaired" if cut else "ok",
            (f"sentence cut at {LONGEST} words",) if cut else (),
            {"s": (0, len(words[0]))} if sentence.text == sentence.text.strip() else {},
            self.fingerprint,
        )


if __name__ == "__main__":
    from amrx.cli import main_stage
    from parser.load import PARSERS, Kind

    PARSERS["toy"] = Kind(lambda rest: ToyParser(), "toy", "for tests")
    sys.exit(main_stage("parse"))

"""A parser without weights, to try what surrounds a parser; run as a script it is ``amrx parse`` with it.

Its graph holds the words: ``(s / sentence :lang "de" :op1 "Der" :op2 "Junge")``. More than nine words are
cut, and said so. ``TOY_LOG`` names a file that gets a line for every sentence parsed, ``TOY_PAUSE`` makes
each take so many seconds. At the sentence ``kill -9`` its process is killed if the file that ``TOY_KILLED``
names is not there yet; the sentence ``fault`` is one.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import penman

from amrx.errors import InputError
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
        killed = os.environ.get("TOY_KILLED")
        if sentence.text == "kill -9" and killed and not Path(killed).exists():
            Path(killed).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if sentence.text == "fault":
            raise InputError("'fault' is one", field="text")
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


def register():
    from parser.load import PARSERS, Kind

    PARSERS["toy"] = Kind(lambda rest: ToyParser(), "toy", "for tests")


if __name__ == "__main__":
    from amrx.cli import main_stage

    register()
    sys.exit(main_stage("parse"))

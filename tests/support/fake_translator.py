"""A translator that marks what it was given."""

from __future__ import annotations

from pathlib import Path

from amrx.translate.pairs import Translation


class Fake:
    """A translator that upper-cases, or breaks off at a word."""

    beam = 1

    def __init__(self, stop: str = "", folder: Path = Path("nowhere")):
        self.stop, self.seen, self.folder = stop, [], folder

    def find(self, source, target):
        return self.folder

    def forget(self, source, target):
        self.seen.append(f"forgot {target}")

    def pair(self, source, target):
        return self

    def translate(self, texts, *, batch_size, show):
        if self.stop and self.stop in texts:
            raise KeyboardInterrupt
        self.seen += texts
        return [Translation("" if text == "nothing" else text.upper(), cut=text == "long") for text in texts]

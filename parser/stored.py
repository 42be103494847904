"""Take the graphs of a file instead of parsing: the parser ``graphs:FILE``.

So the graphs of any other parser, or gold graphs, can be encoded, searched and explained. A graph belongs to
a sentence if ``# ::snt`` of PENMAN, or ``text`` of JSON lines, is that sentence, up to blanks at the ends. If
several languages share a sentence, ``# ::lang`` decides. An invalid graph is a failed parse, as a sentence
without a graph is; the commands count and list both.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from amrx.errors import InputError, OptionError
from amrx.langid import fill_languages
from amrx.records import read_graphs
from amrx.types import Parse, Sentence
from parser.load import GRAPHS
from parser.protocols import TextParser


class StoredParser(TextParser):
    """Return the graph that a file has for each sentence; the identifier is the sentence's.

    Args:
        file: PENMAN or ``.jsonl``, as `amrx.records.read_graphs` reads it.

    Raises:
        InputError: The file is invalid, a graph has no sentence, or two graphs of a sentence in one language
            differ.
    """

    def __init__(self, file: str | Path) -> None:
        self.file = Path(file)
        self._parses: dict[tuple[str, str], Parse] = {}
        self._languages: dict[str, list[str]] = {}
        for parse in read_graphs(self.file, allow_invalid=True):
            self._add(parse)
        digest = hashlib.sha256(self.file.read_bytes()).hexdigest()
        self.fingerprint = f"{GRAPHS}:{digest[:12]}"

    def _add(self, parse: Parse) -> None:
        text, lang = parse.text.strip(), parse.graph.metadata.get("lang") or parse.lang
        if not text:
            raise InputError(f"graph {parse.id!r} has no sentence (# ::snt)", file=self.file)
        before = self._parses.setdefault((text, lang), parse)
        if before.graph.triples != parse.graph.triples:
            raise InputError(
                f"graphs {before.id!r} and {parse.id!r} of the same sentence differ", file=self.file
            )
        if before is parse:
            self._languages.setdefault(text, []).append(lang)

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return the stored parses, in order."""
        return [
            replace(self._find(record.text.strip(), lang), id=record.id, text=record.text, lang=lang)
            for record, lang in zip(records, fill_languages(records), strict=True)
        ]

    def _find(self, text: str, lang: str) -> Parse:
        languages = self._languages.get(text)
        if languages is None:
            raise InputError(f"no graph of the sentence {text!r}", file=self.file)
        return self._parses[text, lang if lang in languages else languages[0]]


def load_stored(file: str | None = None) -> StoredParser:
    """Load the parser ``graphs:FILE``."""
    if not file:
        raise OptionError(f"parser {GRAPHS} needs a file: {GRAPHS}:FILE")
    return StoredParser(file)

"""Cache parses under hashes of their inputs, so that nothing is parsed twice.

::

    sha256(text, lang, parser fingerprint)  ──>  the parse, without its id      one sqlite file

The key covers everything that a parse depends on: another text, language or set of weights gives another
entry, so entries never become stale. Several processes may read and write one file at once (write-ahead log,
short transactions); a killed process loses at most the `BLOCK` that it was parsing.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import penman
from penman.models.amr import model as amr_model

from amrx.device import progress as bar
from amrx.records.graph_text import encode
from amrx.records.store import Kind, Store
from amrx.types import Parse, Parser, Sentence, Status
from amrx.validation import parse_checked
from parser.protocols import TextParser

BLOCK = 256
"""Number of sentences that are parsed and stored together; a kill loses no more than these."""

_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, RecursionError, penman.PenmanError)

PARSES = Kind(
    what="parse cache",
    option="--cache",
    variable="AMRX_CACHE",
    file="parses.sqlite",
    owner=0x616D7278,  # "amrx"
    table="parses",
    columns="(key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID",
    layout=2,
)


class ParseCache(Store[str]):
    """The open file. Use it in a ``with`` block, or close it."""

    kind = PARSES


class CachedParser(TextParser):
    """A parser that looks up its cache first; is itself a parser, with the same fingerprint.

    Law: it returns the same parses as the parser, even if the cache has damaged entries; graphs have no
    metadata. If the cache cannot be written, that is reported once, and it is still read. ``hits`` is the
    number of sentences found so far.
    """

    def __init__(self, parser: Parser, cache: ParseCache) -> None:
        self.parser, self.cache, self.hits = parser, cache, 0

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the parser behind the cache."""
        return self.parser.fingerprint

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order; equal sentences are parsed once."""
        keys = [PARSES.key(sentence.text, sentence.lang, self.fingerprint) for sentence in records]
        known = Known(self.cache, dict(zip(keys, records, strict=True)), self.fingerprint)
        self.hits += sum(key in known for key in keys)
        missing = {key: sentence for key, sentence in zip(keys, records, strict=True) if key not in known}
        # blocks of similar lengths, so that they cost no more than one large call
        order = sorted(missing, key=lambda key: len(missing[key].text))
        blocks = [order[start : start + BLOCK] for start in range(0, len(order), BLOCK)]
        for block in bar(blocks, len(order), "parsing", show=progress, size=len):
            asked = [missing[key] for key in block]
            parses = parse_checked(self.parser, asked, batch_size=batch_size, progress=False)
            fresh = {key: pack(parse) for key, parse in zip(block, parses, strict=True)}
            self.cache.keep(fresh)
            known.add(fresh)
        return [known.parse(key, sentence) for key, sentence in zip(keys, records, strict=True)]


class Known:
    """Packed parses, from the cache or new, that can be unpacked."""

    def __init__(self, cache: ParseCache | None, wanted: Mapping[bytes, Sentence], fingerprint: str) -> None:
        self._fingerprint = fingerprint
        self._values = {} if cache is None else cache.get(wanted)
        self._read: dict[bytes, Parse] = {}
        damaged = []
        for key, value in self._values.items():
            try:
                self._read[key] = unpack(value, wanted[key], fingerprint)
            except _DAMAGED:
                damaged.append(key)
        for key in damaged:
            del self._values[key]
        if cache is not None:
            cache.drop(damaged)

    def __contains__(self, key: bytes) -> bool:
        return key in self._values

    def add(self, fresh: Mapping[bytes, str]) -> None:
        """Add packed parses from the parser."""
        self._values.update(fresh)

    def parse(self, key: bytes, sentence: Sentence) -> Parse:
        """Return the parse of a sentence, with its own copy of the graph."""
        read = self._read.pop(key, None)  # unpacked by the check in the constructor
        if read is not None:
            return replace(read, id=sentence.id)
        return unpack(self._values[key], sentence, self._fingerprint)


def pack(parse: Parse) -> str:
    """Convert a parse to JSON, without the fields that its sentence and its parser determine."""
    record = {
        "lang": parse.lang,
        "graph": encode(parse.graph, indent=None, name=f"sentence {parse.id!r}"),
        "status": parse.status,
        "repairs": parse.repairs,
        "confidence": parse.confidence,
        "missing": parse.missing,
        "alignments": parse.alignments,
        "sentences": [encode(one, indent=None, name=f"sentence {parse.id!r}") for one in parse.sentences],
    }
    return json.dumps(record)


def unpack(value: str, sentence: Sentence, fingerprint: str) -> Parse:
    """Restore the parse of a sentence; raise one of `_DAMAGED` if the entry is damaged."""
    record: dict[str, Any] = json.loads(value)
    if not (isinstance(record["lang"], str) and record["status"] in get_args(Status)):
        raise ValueError("no language or no status")
    return Parse(
        id=sentence.id,
        text=sentence.text,
        lang=record["lang"],
        graph=penman.decode(record["graph"], model=amr_model),
        status=record["status"],
        repairs=tuple(record["repairs"]),
        confidence=record.get("confidence"),
        missing=tuple(record.get("missing", ())),
        alignments={node: (start, end) for node, (start, end) in record["alignments"].items()},
        parser=fingerprint,
        sentences=tuple(penman.decode(one, model=amr_model) for one in record["sentences"]),
    )

"""Cache parses under hashes of their inputs, so that nothing is parsed twice.

::

    sha256(text, lang, parser fingerprint)  ──>  the parse, without its id      one sqlite file

The key covers everything that a parse depends on: another text, language or set of weights gives another
entry, so entries never become stale. Several processes may read and write one file at once (write-ahead log,
short transactions); a killed process loses at most the `BLOCK` that it was parsing.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

import penman
from penman.models.amr import model as amr_model

from amrx.device import progress as bar
from amrx.records.graph_text import encode
from amrx.records.store import Kind, Store
from amrx.texts import blocks_of
from amrx.types import Parse, Parser, Sentence, Status
from amrx.validation import parse_checked
from parser.protocols import BlockParser, TextParser

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
        sentences = dict(zip(keys, records, strict=True))
        values, parses = self._known(sentences)
        self.hits += sum(key in values for key in keys)
        missing = [key for key in sentences if key not in values]
        blocks = self._blocks([sentences[key] for key in missing], batch_size)
        for positions, parsed in bar(
            blocks, len(missing), "parsing", show=progress, size=lambda done: len(done[0])
        ):
            fresh = {missing[i]: pack(parse) for i, parse in zip(positions, parsed, strict=True)}
            self.cache.keep(fresh)
            values |= fresh

        def own_copy(key: bytes, sentence: Sentence) -> Parse:
            parse = parses.pop(key, None)
            return replace(parse or unpack(values[key], sentence, self.fingerprint), id=sentence.id)

        return [own_copy(key, sentence) for key, sentence in zip(keys, records, strict=True)]

    def _known(self, sentences: Mapping[bytes, Sentence]) -> tuple[dict[bytes, str], dict[bytes, Parse]]:
        """Return the entries of the cache, packed and as parses; damaged ones are removed from it."""
        values, parses, damaged = self.cache.get(sentences), {}, []
        for key, value in values.items():
            try:
                parses[key] = unpack(value, sentences[key], self.fingerprint)
            except _DAMAGED:
                damaged.append(key)
        self.cache.drop(damaged)
        return {key: values[key] for key in parses}, parses

    def _blocks(self, records: list[Sentence], batch_size: int) -> Iterator[tuple[list[int], list[Parse]]]:
        """Yield the positions and parses of `BLOCK` sentences of similar lengths, or of a worker's block."""
        if isinstance(self.parser, BlockParser):
            yield from self.parser.parse_blocks(records, batch_size=batch_size)
            return
        order = sorted(range(len(records)), key=lambda i: len(records[i].text))
        for positions in blocks_of(order, BLOCK):
            asked = [records[i] for i in positions]
            yield positions, parse_checked(self.parser, asked, batch_size=batch_size, progress=False)


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

"""Wrap the mini parser's network as a `Parser` that returns valid graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import torch

from amrx.device import length_buckets
from amrx.device import progress as show_progress
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import MissingResourceError, check_least
from amrx.langid import fill_languages
from amrx.types import Parse, Sentence, Status
from linearize.packed import unpack
from linearize.restore import delinearize
from parser.mini.decode import Decoder
from parser.mini.decoder_step import ROWS
from parser.mini.elected import corrected
from parser.mini.invented import invented_concepts, without_invented
from parser.mini.model import MiniNetwork
from parser.mini.rules.addresses import with_addresses
from parser.mini.rules.adjectives import with_translated_adjectives
from parser.mini.rules.calendar_names import with_calendar_names
from parser.mini.rules.dates import with_dates
from parser.mini.rules.language_names import with_english_languages
from parser.mini.rules.missing import missing_words
from parser.mini.rules.nouns import with_singular_nouns, with_translated_nouns
from parser.mini.rules.people import with_occupations
from parser.mini.rules.relative_times import with_relative_times
from parser.mini.rules.verbs import with_translated_verbs
from parser.mini.store import load_network
from parser.mini.symbols import COPY, DONE, END, SPELL, Alphabet, State
from parser.mini.words import MOST_PIECES, Source, read_source, word_span
from parser.protocols import CUT, UNKNOWN_LANGUAGE, TextParser
from parser.run.stream import has_word


class Symbols(NamedTuple):
    """The symbols of one decoded row."""

    packed: tuple[str, ...]  # packed symbols
    slots: tuple[int, ...]  # memory slot of each concept in ``packed``, 0 for none


def read_symbols(
    ids: list[int], slots: list[int], looked: list[int], source: Source, alphabet: Alphabet
) -> Symbols:
    """Read one decoded row up to its end.

    A copied word gets the form that its position in the graph requires; the characters of a spelled word are
    joined.
    """
    words = {start + 1: word for word, start in zip(source.words, source.starts, strict=True)}
    name_id = alphabet.ids.get("name", -1)
    state = State()
    packed: list[str] = []
    origins: list[int] = []
    spelled: list[str] = []
    for symbol_id, slot, look in zip(ids, slots, looked, strict=True):
        symbol = alphabet.symbols[symbol_id]
        if symbol_id == END:
            break
        if symbol_id == SPELL:
            spelled = []
            continue
        if symbol_id < alphabet.first_role and symbol_id not in (COPY, DONE):
            spelled.append(symbol)
            continue
        if symbol_id in (COPY, DONE) or symbol_id >= alphabet.first_node:
            if symbol_id == COPY:
                word = words[slot]
                symbol = (word.name if state.in_name(name_id) else word.plain) or word.text.lower()
            elif symbol_id == DONE:
                symbol = "".join(spelled)
            rank = state.rank
            state.take_node(symbol, SPELL if symbol_id == DONE else symbol_id)
            if state.rank > rank:
                origins.append(slot or look)
        else:
            state.take_role(symbol)
        packed.append(symbol)
    return Symbols(tuple(packed), tuple(origins))


SHIPPED = "parser-mini"
ROUND = 8
BEAM = 2
"""Default number of beams; results/parser-mini.json compares one and two."""


class MiniParser(TextParser):
    """Parse in batches; a graph does not depend on the batch size.

    A sentence of more than `MOST_PIECES` subwords is cut; one without a word fails. The language decides how
    numbers are read (`parser.mini.rules.literals`). ``repairs`` notes a cut, and a language that the network
    was not trained on.
    """

    def __init__(
        self,
        network: MiniNetwork,
        alphabet: Alphabet,
        tokenizer: E5Tokenizer,
        fingerprint: str,
        beam: int = BEAM,
        samples: int = 0,
    ) -> None:
        self.network, self.alphabet, self.tokenizer = network.eval(), alphabet, tokenizer
        check_least("beam", beam)
        self._bare, self._beam, self._samples = fingerprint, beam, samples
        drawn = f"+{fingerprint}-samples{samples}" if samples else ""
        self.fingerprint = f"{fingerprint}-beam{beam}{drawn}"
        self.device = network.bias.device

    @cached_property
    def decoder(self) -> Decoder:
        """The decoder; its tables are built at the first sentence."""
        return Decoder(self.network, self.alphabet, self._beam, self._samples)

    def with_beam(self, beam: int) -> MiniParser:
        """Return this parser with a search of ``beam`` beams."""
        return MiniParser(self.network, self.alphabet, self.tokenizer, self._bare, beam, self._samples)

    def with_network(self, network: MiniNetwork, mark: str) -> MiniParser:
        """Return this parser with another network of the same alphabet; ``mark`` enters the fingerprint."""
        bare = f"{self._bare}-{mark}"
        return MiniParser(network, self.alphabet, self.tokenizer, bare, self._beam, self._samples)

    def with_samples(self, samples: int) -> MiniParser:
        """Return this parser with ``samples`` sampled graphs per sentence in addition to its search."""
        check_least("samples", samples)
        return MiniParser(self.network, self.alphabet, self.tokenizer, self._bare, self._beam, samples)

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return the parse of the search per sentence; ``readings`` has all graphs if the parser samples."""
        readings = self.readings(records, batch_size=batch_size, progress=progress)
        return [
            replace(
                self.mended(first),
                readings=tuple(one.graph for one in (first, *others) if one.status != "failed"),
            )
            if others
            else self.mended(first)
            for first, *others in readings
        ]

    def mended(self, parse: Parse) -> Parse:
        """Return a parse without typical errors of the network, with English names and what is missing.

        A failed parse is unchanged. See `parser.mini.elected` and `parser.mini.invented`.
        """
        if parse.status == "failed":
            return parse

        def source() -> Source:
            return read_source(parse.text, parse.lang, self.tokenizer)

        invented = invented_concepts(parse.graph, self.alphabet, source)
        graph = without_invented(parse.graph, invented)
        graph = corrected(graph, parse.text, parse.lang, parse.alignments)
        if graph is not parse.graph:
            nodes = graph.variables()
            alignments = {node: span for node, span in parse.alignments.items() if node in nodes}
            parse = replace(parse, graph=graph, alignments=alignments)
        return replace(parse, missing=missing_words(parse.text, parse.lang, parse.graph, parse.alignments))

    def readings(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[list[Parse]]:
        """Return all readings of each sentence as parses: that of the search first, then the sampled ones."""
        langs = fill_languages(sentences)
        sources = [
            read_source(sentence.text, lang, self.tokenizer)
            for sentence, lang in zip(sentences, langs, strict=True)
        ]
        parses: list[list[Parse]] = [[] for _ in sentences]
        decoder = self.decoder  # build its tables outside of inference mode
        buckets = length_buckets([len(source.ids) for source in sources], batch_size)
        for bucket in show_progress(buckets, len(sentences), "parsing", show=progress, size=len):
            for i, readings in zip(bucket, self._decode(decoder, [sources[j] for j in bucket]), strict=False):
                notes = self._unknown(langs[i])
                # equal readings share one parse
                parse_of = {
                    read: self._translated(
                        _to_parse(sentences[i], langs[i], sources[i], *read, self.fingerprint, notes),
                        sources[i],
                    )
                    for read in set(readings)
                }
                parses[i] = [parse_of[read] for read in readings]
        return parses

    def _translated(self, parse: Parse, source: Source) -> Parse:
        """Return a reading with its rare words translated."""
        invented = invented_concepts(parse.graph, self.alphabet, lambda: source)
        sentence = parse.text, parse.lang, parse.alignments
        graph = with_translated_nouns(parse.graph, *sentence, invented)
        graph = with_occupations(graph, *sentence)
        graph = with_singular_nouns(graph, *sentence, self.alphabet.ids)
        graph = with_translated_verbs(graph, *sentence)
        graph = with_translated_adjectives(graph, *sentence)
        return parse if graph is parse.graph else replace(parse, graph=graph)

    def _unknown(self, lang: str) -> tuple[str, ...]:
        """Return a note if the network was not trained on the language."""
        known = self.network.languages
        return (f"{UNKNOWN_LANGUAGE} {lang!r}",) if known and lang not in known else ()

    @torch.inference_mode()
    def _decode(self, decoder: Decoder, sources: list[Source]) -> list[list[tuple[Symbols, bool]]]:
        """Return the readings of each source and whether they were cut; the last source may be repeated."""
        width = -(-max(len(source.ids) for source in sources) // ROUND) * ROUND
        rows = next((size for size in ROWS if size >= len(sources)), len(sources))
        sources = sources + [sources[-1]] * (rows - len(sources))
        ids = torch.zeros((rows, width), dtype=torch.long)
        mask = torch.zeros((rows, width), dtype=torch.bool)
        for row, source in enumerate(sources):
            ids[row, : len(source.ids)] = torch.tensor(source.ids)
            mask[row, : len(source.ids)] = True
        ids, mask = ids.to(self.device), mask.to(self.device)
        features, vector = self.network.reader(ids, mask)
        decoded = decoder(features, vector, mask, sources)
        readings = len(decoded.ids) // rows
        owners = [source for source in sources for _ in range(readings)]
        columns = decoded.ids.tolist(), decoded.slots.tolist(), decoded.looked.tolist(), owners
        read = [read_symbols(*row, self.alphabet) for row in zip(*columns, strict=True)]
        pairs = list(zip(read, decoded.cut.tolist(), strict=True))
        return [pairs[begin : begin + readings] for begin in range(0, len(pairs), readings)]


def _to_parse(
    sentence: Sentence,
    lang: str,
    source: Source,
    symbols: Symbols,
    cut: bool,
    fingerprint: str,
    notes: tuple[str, ...],
) -> Parse:
    if not has_word(sentence.text):
        symbols = Symbols((), ())
    restored = delinearize(unpack(symbols.packed))
    repairs = [*notes, *restored.repairs]
    if source.cut:
        repairs.append(f"{CUT} at {MOST_PIECES} subwords")
    if cut:
        repairs.append("graph cut at the longest length")
    status: Status = "failed" if not symbols.packed else "repaired" if repairs else "ok"
    aligned = {}
    for number, slot in enumerate(symbols.slots):
        span = word_span(source, slot)
        if span is not None and str(number) in restored.variables:
            aligned[restored.variables[str(number)]] = span
    named = with_english_languages(with_addresses(restored.graph), lang)
    text = source.composed.text
    timed = with_relative_times(with_dates(named, text, lang), text, lang)
    graph = with_calendar_names(timed, source.composed, lang, aligned)
    return Parse(sentence.id, sentence.text, lang, graph, status, tuple(repairs), aligned, fingerprint)


def load_mini(folder: str | Path | None = None, *, device: str = "cpu") -> MiniParser:
    """Load a mini parser.

    Args:
        folder: Folder written by `parser.training.mini.train`; the shipped parser when ``None``.
        device: Torch device.
    """
    from importlib.resources import files

    path = Path(str(files("amrx") / "models" / SHIPPED)) if folder is None else Path(folder)
    if not (path / "config.json").is_file():
        raise MissingResourceError(
            f"weights of the mini parser in {path}", fetch=f"amrx train-parser DATA -o {path} --recipe mini"
        )
    network, alphabet, fingerprint = load_network(path)
    return MiniParser(network.to(device), alphabet, E5Tokenizer(), fingerprint)

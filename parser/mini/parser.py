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
from parser.mini.invented import invented_concepts, without_invented
from parser.mini.model import MiniNetwork
from parser.mini.rules.addresses import with_addresses, with_lost_addresses
from parser.mini.rules.adjectives import with_translated_adjectives
from parser.mini.rules.adverbs import with_adverbs
from parser.mini.rules.age_differences import with_age_differences
from parser.mini.rules.bounds import with_bounds
from parser.mini.rules.calendar_names import with_calendar_names, with_lost_names, with_lost_weekday
from parser.mini.rules.city_names import with_english_places
from parser.mini.rules.clauses import with_clauses
from parser.mini.rules.confused_words import with_right_words
from parser.mini.rules.contrasts import with_contrasts
from parser.mini.rules.control import with_control
from parser.mini.rules.dates import with_dates
from parser.mini.rules.days import without_other_days, without_other_parts
from parser.mini.rules.endings import with_ending_subjects
from parser.mini.rules.exceptions import with_exceptions
from parser.mini.rules.final_negation import with_final_negation
from parser.mini.rules.fractions import with_plain_fractions
from parser.mini.rules.greetings import with_closing, with_greeting
from parser.mini.rules.hearers import with_hearers
from parser.mini.rules.illness import with_illness
from parser.mini.rules.indirect_questions import with_indirect_questions
from parser.mini.rules.journeys import with_journeys
from parser.mini.rules.language_names import with_english_languages, with_spoken_languages
from parser.mini.rules.lists import with_lists
from parser.mini.rules.lost_numbers import with_lost_numbers
from parser.mini.rules.missing import missing_words
from parser.mini.rules.moods import with_commanded_verbs, with_plain_moods
from parser.mini.rules.multiples import with_multiples
from parser.mini.rules.name_words import without_repeats
from parser.mini.rules.named_units import with_named_units
from parser.mini.rules.negation import (
    with_liking,
    with_neither,
    with_prohibition,
    without_double_negation,
)
from parser.mini.rules.negation_scope import (
    with_placed_negation,
    with_two_negations,
    without_spread_negation,
)
from parser.mini.rules.no_longer import with_no_longer
from parser.mini.rules.not_all import with_not_all
from parser.mini.rules.not_only import with_not_only
from parser.mini.rules.nouns import with_singular_nouns, with_translated_nouns
from parser.mini.rules.object_first import with_object_first
from parser.mini.rules.only import with_only
from parser.mini.rules.passives import with_passive_agents
from parser.mini.rules.people import with_occupations
from parser.mini.rules.phases import with_stops
from parser.mini.rules.possession import with_owners
from parser.mini.rules.possessives import with_possessors
from parser.mini.rules.prices import with_prices
from parser.mini.rules.questions import with_questions
from parser.mini.rules.ranges import with_ranges
from parser.mini.rules.rates import with_rates
from parser.mini.rules.recipients import with_recipients
from parser.mini.rules.recommendations import with_one_recommendation
from parser.mini.rules.relative_clauses import with_relative_clauses
from parser.mini.rules.relative_times import with_relative_times
from parser.mini.rules.repetitions import with_asked_frequency, with_repetitions
from parser.mini.rules.same_names import with_one_node_per_name
from parser.mini.rules.separable_verbs import with_separable_verbs
from parser.mini.rules.speakers import with_speakers
from parser.mini.rules.temperatures import with_temperatures
from parser.mini.rules.thanks import with_thanks
from parser.mini.rules.time_relations import with_time_relations
from parser.mini.rules.verbs import with_translated_verbs
from parser.mini.rules.weekday_pairs import with_weekday_pairs
from parser.mini.rules.where import with_relative_places
from parser.mini.rules.whole_names import with_whole_names
from parser.mini.rules.whose import with_relative_owners
from parser.mini.rules.without import with_negated_absence
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

        A failed parse is unchanged. See the rules of the elected graph in `parser.mini.rules`, and
        `parser.mini.invented`.
        """
        if parse.status == "failed":
            return parse

        def source() -> Source:
            return read_source(parse.text, parse.lang, self.tokenizer)

        invented = invented_concepts(parse.graph, self.alphabet, source)
        graph = without_invented(parse.graph, invented)
        graph = with_lists(graph, parse.text, parse.lang, parse.alignments)
        graph = with_whole_names(without_repeats(graph, parse.text), parse.text, parse.alignments)
        graph = with_illness(graph, parse.text, parse.lang, parse.alignments)
        graph = with_liking(without_double_negation(graph), parse.text)
        graph = with_neither(graph, parse.text, parse.lang)
        graph = with_placed_negation(graph, parse.text, parse.lang, parse.alignments)
        graph = with_two_negations(graph, parse.text, parse.lang, parse.alignments)
        graph = without_spread_negation(graph, parse.text, parse.lang, parse.alignments)
        graph = with_clauses(graph, parse.text, parse.lang, parse.alignments)
        graph = with_object_first(graph, parse.text, parse.lang, parse.alignments)
        graph = with_ending_subjects(graph, parse.text, parse.lang, parse.alignments)
        graph = with_passive_agents(graph, parse.text, parse.lang, parse.alignments)
        graph = with_separable_verbs(graph, parse.text, parse.lang, parse.alignments)
        graph = with_stops(graph, parse.text, parse.lang, parse.alignments)
        graph = with_thanks(graph, parse.text, parse.lang)
        graph = with_owners(graph, parse.text, parse.lang, parse.alignments)
        graph = with_possessors(graph, parse.text, parse.lang, parse.alignments)
        graph = with_relative_clauses(graph, parse.text, parse.lang, parse.alignments)
        graph = with_relative_owners(graph, parse.text, parse.lang, parse.alignments)
        graph = with_relative_places(graph, parse.text, parse.lang, parse.alignments)
        graph = with_speakers(graph, parse.text, parse.lang)
        graph = with_hearers(graph, parse.text, parse.lang)
        graph = with_recipients(graph, parse.text, parse.lang, parse.alignments)
        graph = with_indirect_questions(graph, parse.text, parse.lang, parse.alignments)
        graph = with_prohibition(graph, parse.text, parse.lang)
        graph = with_final_negation(graph, parse.text, parse.lang, parse.alignments)
        graph = with_no_longer(graph, parse.text, parse.lang, parse.alignments)
        graph = with_only(graph, parse.text, parse.lang, parse.alignments)
        graph = with_not_only(graph, parse.text, parse.lang)
        graph = with_contrasts(graph, parse.text, parse.lang, parse.alignments)
        graph = with_right_words(graph, parse.text, parse.lang, parse.alignments)
        graph = with_one_recommendation(graph, parse.text, parse.lang)
        graph = with_adverbs(graph, parse.text, parse.lang, parse.alignments)
        graph = with_control(graph, parse.text, parse.lang)
        graph = with_not_all(graph, parse.text, parse.lang)
        graph = with_spoken_languages(graph, parse.text, parse.lang, parse.alignments)
        graph = with_english_places(graph, parse.text, parse.lang, parse.alignments)
        graph = with_journeys(graph, parse.text, parse.lang)
        graph = with_named_units(graph, parse.text, parse.lang, parse.alignments)
        graph = with_negated_absence(graph, parse.text, parse.lang, parse.alignments)
        graph = with_lost_addresses(graph, parse.text, parse.lang, parse.alignments)
        graph = with_lost_names(graph, parse.text, parse.lang, parse.alignments)
        graph = with_lost_weekday(graph, parse.text, parse.lang, parse.alignments)
        graph = with_exceptions(graph, parse.text, parse.lang, parse.alignments)
        graph = without_other_days(graph, parse.text, parse.lang)
        graph = without_other_parts(graph, parse.text, parse.lang, parse.alignments)
        graph = with_weekday_pairs(graph, parse.text, parse.lang, parse.alignments)
        graph = with_ranges(graph, parse.text, parse.lang)
        graph = with_time_relations(graph, parse.text, parse.lang)
        graph = with_commanded_verbs(with_plain_moods(graph, parse.text, parse.lang, parse.alignments))
        graph = with_rates(graph, parse.text, parse.lang)
        graph = with_multiples(graph, parse.text, parse.lang)
        graph = with_repetitions(graph, parse.text, parse.lang, parse.alignments)
        graph = with_asked_frequency(graph, parse.text, parse.lang)
        graph = with_questions(graph, parse.text, parse.lang)
        graph = with_prices(graph, parse.text, parse.lang)
        graph = with_temperatures(graph, parse.text, parse.lang)
        graph = with_age_differences(graph, parse.text, parse.lang)
        graph = with_bounds(with_plain_fractions(graph), parse.text, parse.lang)
        graph = with_lost_numbers(graph, parse.text, parse.lang, parse.alignments)
        graph = with_closing(with_greeting(graph, parse.text, parse.lang), parse.text, parse.lang)
        graph, _ = with_one_node_per_name(graph)
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

"""Correct the elected graph of a sentence: the rules that do it, in order.

Each rule has a module in `parser.mini.rules`, which says what it changes. A rule sees the graph that the
rules before it left, and the alignments of the parse. The order matters where two rules change the same
relation: a negation is placed before questions ask for it, names are whole before lost ones are added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

import penman

from amrx.composed_text import Span
from parser.mini.rules.addresses import with_lost_addresses
from parser.mini.rules.adverbs import with_adverbs
from parser.mini.rules.age_differences import with_age_differences
from parser.mini.rules.bounds import with_bounds
from parser.mini.rules.calendar_names import with_lost_names, with_lost_weekday
from parser.mini.rules.causes import with_causes
from parser.mini.rules.city_names import with_english_places
from parser.mini.rules.clauses import with_clauses
from parser.mini.rules.confused_words import with_right_words
from parser.mini.rules.contrasts import with_contrasts, with_rejection
from parser.mini.rules.control import with_control
from parser.mini.rules.days import (
    with_dates_as_times,
    without_other_days,
    without_other_parts,
    without_repeated_dates,
)
from parser.mini.rules.degrees import with_consequences, with_superlatives
from parser.mini.rules.durations import with_durations
from parser.mini.rules.duties import with_duties
from parser.mini.rules.endings import (
    with_asking_speakers,
    with_ending_subjects,
    with_italian_subjects,
)
from parser.mini.rules.eras import with_eras
from parser.mini.rules.exceptions import with_exceptions
from parser.mini.rules.final_negation import with_final_negation
from parser.mini.rules.fractions import with_plain_fractions
from parser.mini.rules.greetings import with_closing, with_greeting
from parser.mini.rules.hearers import with_hearers
from parser.mini.rules.hundreds import with_hundreds
from parser.mini.rules.illness import with_illness
from parser.mini.rules.indirect_questions import with_indirect_questions
from parser.mini.rules.instead import with_alternatives
from parser.mini.rules.journeys import with_asked_journeys, with_journeys
from parser.mini.rules.language_names import with_spoken_languages
from parser.mini.rules.lists import with_lists
from parser.mini.rules.lost_numbers import with_lost_numbers
from parser.mini.rules.moods import with_commanded_verbs, with_plain_moods
from parser.mini.rules.multiples import with_multiples
from parser.mini.rules.name_words import without_repeats
from parser.mini.rules.named_units import with_named_units
from parser.mini.rules.negation import (
    with_liking,
    with_neither,
    with_prohibition,
    without_double_negation,
    without_imagined_negation,
    without_negated_subjects,
)
from parser.mini.rules.negation_scope import with_placed_negation, with_two_negations, without_spread_negation
from parser.mini.rules.no_longer import with_no_longer
from parser.mini.rules.not_all import with_not_all
from parser.mini.rules.not_only import with_not_only
from parser.mini.rules.object_first import with_object_first
from parser.mini.rules.only import with_only
from parser.mini.rules.passives import with_passive_agents
from parser.mini.rules.phases import with_stops
from parser.mini.rules.places import with_places
from parser.mini.rules.possession import with_owners
from parser.mini.rules.possessives import with_possessors
from parser.mini.rules.prices import with_prices
from parser.mini.rules.pronoun_subjects import with_pronoun_subjects, without_raining_subjects
from parser.mini.rules.propbank_places import with_propbank_places
from parser.mini.rules.questions import with_questions
from parser.mini.rules.ranges import with_ranges
from parser.mini.rules.rates import with_rates
from parser.mini.rules.recipients import with_recipients
from parser.mini.rules.recommendations import with_one_recommendation
from parser.mini.rules.relative_clauses import with_relative_clauses
from parser.mini.rules.repeated_objects import with_repeated_objects
from parser.mini.rules.repetitions import with_asked_frequency, with_repetitions
from parser.mini.rules.same_names import with_one_node_per_name
from parser.mini.rules.separable_verbs import with_separable_verbs
from parser.mini.rules.speakers import with_speakers
from parser.mini.rules.tall_people import with_tall_people
from parser.mini.rules.temperatures import with_temperatures
from parser.mini.rules.thanks import with_thanks
from parser.mini.rules.time_relations import with_time_relations
from parser.mini.rules.weekday_pairs import with_weekday_pairs
from parser.mini.rules.where import with_relative_places
from parser.mini.rules.who import with_asked_persons
from parser.mini.rules.whole_names import with_whole_names
from parser.mini.rules.whose import with_relative_owners
from parser.mini.rules.without import with_negated_absence

Rule = Callable[[penman.Graph, str, str, Mapping[str, Span]], penman.Graph]
"""A rule: graph, text, language, spans of the words of nodes; it returns the same graph to change nothing."""


def _of_graph(rule: Callable[[penman.Graph], penman.Graph]) -> Rule:
    """Return the rule of one that needs the graph alone."""
    return wraps(rule)(lambda graph, *_: rule(graph))


def _of_text(rule: Callable[[penman.Graph, str], penman.Graph]) -> Rule:
    """Return the rule of one that needs graph and text."""
    return wraps(rule)(lambda graph, text, *_: rule(graph, text))


def _of_aligned_text(rule: Callable[[penman.Graph, str, Mapping[str, Span]], penman.Graph]) -> Rule:
    """Return the rule of one that does not depend on the language."""
    return wraps(rule)(lambda graph, text, _, alignments: rule(graph, text, alignments))


def _of_language(rule: Callable[[penman.Graph, str, str], penman.Graph]) -> Rule:
    """Return the rule of one that needs no alignments."""
    return wraps(rule)(lambda graph, text, lang, _: rule(graph, text, lang))


RULES: tuple[Rule, ...] = (
    # lists and names that are written whole
    with_lists,
    _of_text(without_repeats),
    _of_aligned_text(with_whole_names),
    # what happens to whom
    with_illness,
    # negation
    without_imagined_negation,
    _of_graph(without_double_negation),
    _of_language(without_negated_subjects),
    _of_text(with_liking),
    _of_language(with_neither),
    with_placed_negation,
    with_two_negations,
    without_spread_negation,
    # clauses and arguments
    with_clauses,
    with_causes,
    with_alternatives,
    with_object_first,
    _of_graph(with_repeated_objects),
    with_ending_subjects,
    _of_language(with_italian_subjects),
    with_passive_agents,
    with_separable_verbs,
    with_stops,
    _of_language(with_thanks),
    with_pronoun_subjects,
    _of_graph(without_raining_subjects),
    # owners, relative clauses
    with_owners,
    with_possessors,
    with_relative_clauses,
    with_relative_owners,
    with_relative_places,
    # speaker, hearer, recipient
    _of_language(with_speakers),
    _of_language(with_hearers),
    _of_language(with_asking_speakers),
    with_recipients,
    with_indirect_questions,
    with_asked_persons,
    # negations that are lost, limits and contrasts
    _of_language(with_prohibition),
    _of_language(with_duties),
    with_final_negation,
    with_no_longer,
    with_only,
    _of_language(with_not_only),
    with_contrasts,
    with_rejection,
    # words
    with_right_words,
    with_consequences,
    _of_language(with_superlatives),
    with_tall_people,
    _of_language(with_one_recommendation),
    with_adverbs,
    _of_language(with_control),
    _of_language(with_not_all),
    # places, units, names that are lost
    with_spoken_languages,
    with_english_places,
    _of_language(with_journeys),
    _of_language(with_asked_journeys),
    with_places,
    _of_graph(with_propbank_places),
    with_named_units,
    with_negated_absence,
    with_lost_addresses,
    with_lost_names,
    with_lost_weekday,
    # days and times
    with_exceptions,
    _of_language(without_other_days),
    without_other_parts,
    _of_graph(with_dates_as_times),
    _of_graph(without_repeated_dates),
    _of_language(with_eras),
    with_weekday_pairs,
    _of_language(with_ranges),
    _of_language(with_time_relations),
    # commands, rates and repetitions, questions
    with_plain_moods,
    _of_graph(with_commanded_verbs),
    _of_language(with_rates),
    _of_language(with_multiples),
    _of_language(with_hundreds),
    with_repetitions,
    _of_language(with_asked_frequency),
    _of_language(with_questions),
    # prices, degrees, bounds, numbers that are lost
    _of_language(with_prices),
    _of_language(with_temperatures),
    _of_language(with_age_differences),
    _of_graph(with_plain_fractions),
    _of_language(with_bounds),
    with_lost_numbers,
    _of_language(with_durations),
    # greetings
    _of_language(with_greeting),
    _of_language(with_closing),
    lambda graph, *_: with_one_node_per_name(graph)[0],
)


def corrected(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph without typical errors of the network; the same object if no rule changes it.

    Example:
        >>> graph = penman.decode("(c / come-01 :polarity - :ARG1 (n / nobody))")
        >>> print(penman.encode(corrected(graph, "Nadie vino.", "es", {}), indent=None))
        (c / come-01 :ARG1 (n / nobody))
    """
    for rule in RULES:
        graph = rule(graph, text, lang, alignments)
    return graph

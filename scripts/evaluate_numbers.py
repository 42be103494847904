"""Score how numbers and everyday meanings are read: ``python scripts/evaluate_numbers.py OUT.json [TASKS]``.

Each sentence of a task has one meaning to check, in up to seventeen languages: numbers (`NUMBERS`, in words
and in digits) and what they count, dates, negation, owners, commands and the like (`cases`, `clause_cases`,
`meaning_cases`). The score is the share of graphs, in percent, that pass their check in ``graph_checks.py``:
by the parser ``mini``, and by its network alone, without `parser.values` on the graph.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import mean
from typing import NamedTuple
from unittest.mock import patch

import penman
from babel.dates import get_day_names, get_month_names
from clause_checks import (
    asks_who,
    has_alternative,
    has_cause,
    has_clock,
    has_consequence,
    has_date,
    has_quantity,
    has_side,
    rejects,
)
from clause_sentences import (
    BECAUSE_SENTENCES,
    DATE_SENTENCES,
    DATES,
    DEGREE_SENTENCES,
    DEGREES,
    HALF_SENTENCES,
    HALVES,
    HOUR_SENTENCES,
    HOURS,
    INSTEAD,
    INSTEAD_SENTENCES,
    REJECTED,
    REJECTED_SENTENCES,
    SIDE_SENTENCES,
    SIDES,
    UNIT_SENTENCES,
    UNITS,
    WHO,
    WHO_SENTENCES,
)
from daily_sentences import (
    ASKED,
    ASKED_SENTENCES,
    BESIDE,
    COMMAND_SENTENCES,
    COMMANDS,
    DESPITE,
    DESPITE_SENTENCES,
    ILL,
    ILL_SENTENCES,
    INSIDE,
    INSIDE_SENTENCES,
    NOT_ONLY_SENTENCES,
    OLDER,
    OLDER_SENTENCES,
    PAIR_SENTENCES,
    PAIRS,
    PLACE_SENTENCES,
    PLACES,
    RANGE_SENTENCES,
    RANGES,
    RELATED_SENTENCES,
    SPOKEN,
    SPOKEN_SENTENCES,
    THANKED,
    THANKS_SENTENCES,
)
from everyday_sentences import (
    OPPOSITE_SENTENCES,
    OPPOSITES,
    RELATIVE_SENTENCES,
    RELATIVES,
    SEPARABLE,
    SEPARABLE_SENTENCES,
    TIME_SENTENCES,
    TIMES,
    TWO_NEGATION_SENTENCES,
    TWO_NEGATIONS,
)
from graph_checks import (
    Check,
    asks_about,
    has_age_difference,
    has_agent,
    has_argument,
    has_attribute,
    has_bound,
    has_concept,
    has_concession,
    has_days,
    has_exception,
    has_hearer,
    has_language,
    has_list,
    has_negated_condition,
    has_negation,
    has_only,
    has_owner,
    has_place,
    has_possessor,
    has_question,
    has_range,
    has_relation,
    has_roles,
    has_speaker_beside,
    has_stop,
    has_thanks,
    has_time,
    has_time_inside,
    has_two_positive,
    is_command,
    is_ill,
    says_only,
)
from meaning_sentences import (
    CONFUSED,
    CONFUSED_SENTENCES,
    ENDING_SENTENCES,
    ENDINGS,
    EXCEPT_SENTENCES,
    EXCEPTED,
    HEARER_SENTENCES,
    HEARERS,
    INDIRECT,
    INDIRECT_SENTENCES,
    LIST_SENTENCES,
    LISTS,
    NOT_ALL,
    NOT_ALL_SENTENCES,
    OPENED,
    OPENED_SENTENCES,
    OWNER_SENTENCES,
    OWNERS,
    PASSIVE_SENTENCES,
    PASSIVES,
    POSSESSOR_SENTENCES,
    POSSESSORS,
    STOP_SENTENCES,
    STOPPED,
    UNLESS_SENTENCES,
    WHOM,
    WHOM_SENTENCES,
)
from num2words import num2words
from rule_sentences import (
    AGENTS,
    BOUND_SENTENCES,
    BOUNDS,
    DAY_SENTENCES,
    DECIMALS,
    FRACTION_SENTENCES,
    FRACTIONS,
    IDENTIFIER_SENTENCES,
    IDENTIFIERS,
    MONTH_SENTENCES,
    NEGATED,
    NEGATION_SENTENCES,
    NUMBER_SENTENCES,
    NUMBERS,
    OBJECT_FIRST_SENTENCES,
    RELATION_SENTENCES,
    RELATIONS,
)

from amrx.composed_text import Span
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser import load as load_parser

WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
Placed = tuple[penman.Graph, Mapping[str, Span]]
LONG_SENTENCES = Path(__file__).with_name("long_sentences.tsv")
"""Language, verb, pronoun that is its recipient or object, and sentence."""


class Cases(NamedTuple):
    """Sentences and what their graphs must have."""

    task: str
    lang: str
    texts: Sequence[str]
    checks: Sequence[Check]


def cases() -> Iterator[Cases]:
    """Yield the sentences of every task and language."""
    for lang, sentences in NUMBER_SENTENCES.items():
        checks = [has_attribute(":quant", str(number)) for number in NUMBERS] * len(sentences)
        for name, written in (
            ("words", [num2words(number, lang=lang) for number in NUMBERS]),
            ("digits", [str(number) for number in NUMBERS]),
        ):
            texts = [sentence.format(number) for sentence in sentences for number in written]
            yield Cases(f"Numbers in {name}", lang, texts, checks)
        if lang not in ("ja", "tr"):  # 三点五分 is a time; num2words writes 3.5 as 3.50 in one word
            texts = [one.format(num2words(number, lang=lang)) for one in sentences for number in DECIMALS]
            decimals = [has_attribute(":quant", str(number)) for number in DECIMALS] * len(sentences)
            yield Cases("Decimals in words", lang, texts, decimals)
    for lang, (sentence, words) in FRACTION_SENTENCES.items():
        texts = [(text := sentence.format(word))[0].upper() + text[1:] for word in words]
        checks = [has_attribute(":quant", f'"{fraction}"') for fraction in FRACTIONS]
        yield Cases("Fractions in words", lang, texts, checks)
    for lang, (sentence, words) in BOUND_SENTENCES.items():
        filled = [
            (n, bound, word) for n in (5, 12, 40, 300) for bound, word in zip(BOUNDS, words, strict=True)
        ]
        texts = [(text := sentence.format(word, n))[0].upper() + text[1:] for n, _, word in filled if word]
        checks = [has_bound(bound, str(n)) for n, bound, word in filled if word]
        yield Cases("Bounds", lang, texts, checks)
    yield from clause_cases()


def clause_cases() -> Iterator[Cases]:
    """Yield the sentences with dates, with numbers of things, and with a negation."""
    for lang, sentence in DAY_SENTENCES.items():
        days = get_day_names("wide", "stand-alone", locale=lang)
        texts = [sentence.format(days[day]) for day in range(7)]
        yield Cases("Weekdays", lang, texts, [has_concept(day) for day in WEEKDAYS])
    for lang, sentence in MONTH_SENTENCES.items():
        months = get_month_names("wide", "stand-alone", locale=lang)
        texts = [sentence.format(months[month]) for month in range(1, 13)]
        yield Cases("Months", lang, texts, [has_attribute(":month", str(month)) for month in range(1, 13)])

    for lang, relations in RELATION_SENTENCES.items():
        days = get_day_names("wide", "format" if lang == "it" else "stand-alone", locale=lang)
        texts = [sentence.format(days[day]) for sentence in relations for day in range(7)]
        dated = [has_relation(concepts, day) for concepts in RELATIONS for day in WEEKDAYS]
        yield Cases("Before, after, until, since", lang, texts, dated)
    for lang, things in IDENTIFIER_SENTENCES.items():
        texts = [sentence.format(number) for sentence in things for number in IDENTIFIERS]
        checks = [has_attribute(":mod", str(number)) for number in IDENTIFIERS] * len(things)
        yield Cases("Numbers of things", lang, texts, checks)

    for lang, clauses in NEGATION_SENTENCES.items():
        yield Cases("Negation in one clause", lang, clauses, [has_negation(concept) for concept in NEGATED])
    yield from meaning_cases()
    for lang, events in OBJECT_FIRST_SENTENCES.items():
        yield Cases("Object before the verb", lang, events, [has_agent(concept) for concept in AGENTS])


def meaning_cases() -> Iterator[Cases]:
    """Yield the sentences whose wrong graph has the opposite meaning."""
    named: list[tuple[str, dict[str, tuple[str, ...]], list[Check]]] = [
        ("Confused words", CONFUSED_SENTENCES, [has_only(right, wrong) for right, wrong in CONFUSED]),
        ("Open and closed", OPENED_SENTENCES, [has_only(right, wrong) for right, wrong in OPENED]),
        ("Whom", WHOM_SENTENCES, [has_roles(agent, patient) for agent, patient in WHOM]),
        ("Not all", NOT_ALL_SENTENCES, [has_negation(concept) for concept in NOT_ALL]),
        ("Unless", UNLESS_SENTENCES, [has_negated_condition] * 2),
        ("Passives", PASSIVE_SENTENCES, [has_roles(agent, patient) for agent, patient in PASSIVES]),
        ("Stop doing", STOP_SENTENCES, [has_stop(action) for action in STOPPED]),
        ("Owners", OWNER_SENTENCES, [has_owner(thing, owner) for thing, owner in OWNERS]),
        ("Subjects in endings", ENDING_SENTENCES, [says_only(*pair) for pair in ENDINGS]),
        ("Possessives", POSSESSOR_SENTENCES, [has_possessor(*pair) for pair in POSSESSORS]),
        ("Indirect questions", INDIRECT_SENTENCES, [has_question(*pair) for pair in INDIRECT]),
        ("Exceptions", EXCEPT_SENTENCES, [has_exception(thing) for thing in EXCEPTED]),
        ("Hearers", HEARER_SENTENCES, [has_hearer(pronoun) for pronoun in HEARERS]),
        ("Lists", LIST_SENTENCES, [has_list(members) for members in LISTS]),
        ("Opposites", OPPOSITE_SENTENCES, [has_only(right, wrong) for right, wrong in OPPOSITES]),
        ("Relatives", RELATIVE_SENTENCES, [has_only(right, "") for right in RELATIVES]),
        ("Two negations", TWO_NEGATION_SENTENCES, [has_negation(*verbs) for verbs in TWO_NEGATIONS]),
        ("Commands", COMMAND_SENTENCES, [is_command(*one) for one in COMMANDS]),
        ("Two weekdays", PAIR_SENTENCES, [has_days(*one) for one in PAIRS]),
        ("Illness", ILL_SENTENCES, [is_ill(pronoun) for pronoun in ILL]),
        (
            "Speaker beside relatives",
            RELATED_SENTENCES,
            [has_speaker_beside(who) for who in BESIDE],
        ),
        ("Despite", DESPITE_SENTENCES, [has_concession(concept) for concept in DESPITE]),
        ("Spoken languages", SPOKEN_SENTENCES, [has_language(name) for name in SPOKEN]),
        ("Thanks", THANKS_SENTENCES, [has_thanks(deed) for deed in THANKED]),
        ("Ranges", RANGE_SENTENCES, [has_range(*one) for one in RANGES]),
        ("Where", PLACE_SENTENCES, [has_place(*one) for one in PLACES]),
        ("Times in relative clauses", INSIDE_SENTENCES, [has_time_inside(*one) for one in INSIDE]),
        ("Questions", ASKED_SENTENCES, [asks_about(*one) for one in ASKED]),
        ("Age differences", OLDER_SENTENCES, [has_age_difference(concept) for concept in OLDER]),
        ("Not only", NOT_ONLY_SENTENCES, [has_two_positive] * 2),
        ("Halves", HALF_SENTENCES, [has_quantity(*one) for one in HALVES]),
        ("Units after words", UNIT_SENTENCES, [has_quantity(*one) for one in UNITS]),
        ("Consequences", DEGREE_SENTENCES, [has_consequence(*one) for one in DEGREES]),
        ("Instead of", INSTEAD_SENTENCES, [has_alternative(*one) for one in INSTEAD]),
        ("Who", WHO_SENTENCES, [asks_who(*one) for one in WHO]),
        ("Not this but that", REJECTED_SENTENCES, [rejects(*one) for one in REJECTED]),
        ("Full hours", HOUR_SENTENCES, [has_clock(time) for time in HOURS]),
        ("Sides", SIDE_SENTENCES, [has_side(*one) for one in SIDES]),
        ("Dates in words", DATE_SENTENCES, [has_date(*one) for one in DATES]),
        ("Because", BECAUSE_SENTENCES, [has_cause] * 2),
        ("Times of verbs", TIME_SENTENCES, [has_time(*pair) for pair in TIMES]),
    ]
    for task, sentences, checks in named:
        for lang, given in sentences.items():
            pairs = [(text, check) for text, check in zip(given, checks, strict=True) if text]
            yield Cases(task, lang, [text for text, _ in pairs], [check for _, check in pairs])
    for lang, texts in SEPARABLE_SENTENCES.items():
        yield Cases("Separable verbs", lang, texts, [has_only(right, "") for right in SEPARABLE[lang]])
    lines = LONG_SENTENCES.read_text(encoding="utf-8").splitlines()
    for lang, group in groupby((line.split("\t") for line in lines), key=itemgetter(0)):
        rows = list(group)
        arguments = [has_argument(verb, pronoun) for _, verb, pronoun, _ in rows]
        yield Cases("Recipients and objects", lang, [row[-1] for row in rows], arguments)


def share(parser: Parser, case: Cases) -> float:
    """Return the share of right graphs, 0-100."""
    parses = parser.parse([Sentence(str(i), text, case.lang) for i, text in enumerate(case.texts)])
    right = [check(parse.graph) for check, parse in zip(case.checks, parses, strict=True)]
    return 100 * sum(right) / len(right)


VALUES = frozenset(
    (
        "Numbers in words", "Numbers in digits", "Decimals in words", "Fractions in words", "Bounds",
        "Weekdays", "Months", "Two weekdays", "Ranges", "Halves", "Units after words", "Full hours", "Dates in words",
        "Before, after, until, since", "Numbers of things", "Age differences", "Spoken languages",
    )
)  # fmt: skip
"""Tasks about values, which `parser.values` reads."""
HELD_OUT = ("pt", "sv", "uk")
"""Languages that no constructed sentence of the training text has."""


def without_values(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> Placed:
    """Return a graph as the network wrote it."""
    return graph, alignments


def main(out: Path, tasks: str = "") -> None:
    """Score every task and language and write the rows; ``tasks`` names some, separated by commas."""
    set_threads()
    parser = load_parser("mini")
    rows = []
    for case in cases():
        if tasks and case.task not in tasks.split(","):
            continue
        with patch("parser.mini.parser.with_values", without_values):
            before = share(parser, case)
        for name, value in (("mini", share(parser, case)), ("mini without values", before)):
            print(f"{case.task} {case.lang} {name}: {value:.1f}", flush=True)
            row = {"encoder": name, "task": case.task, "language": case.lang, "metric": "right"}
            rows.append({**row, "value": round(value, 2), "n": len(case.texts)})
    for name in ("mini", "mini without values"):
        for title, chosen in groups(row for row in rows if row["encoder"] == name):
            print(f"{name}, {title}: {chosen:.1f}")
    write_json(out, rows)


def groups(rows: Iterable[Mapping[str, object]]) -> Iterator[tuple[str, float]]:
    """Yield the mean over tasks of values, of the others, and of the others in `HELD_OUT`."""
    shares: dict[str, dict[str, list[float]]] = {"values": {}, "other tasks": {}, "other tasks, held out": {}}
    for row in rows:
        task, value = str(row["task"]), float(str(row["value"]))
        title = "values" if task in VALUES else "other tasks"
        shares[title].setdefault(task, []).append(value)
        if row["language"] in HELD_OUT and title != "values":
            shares["other tasks, held out"].setdefault(task, []).append(value)
    for title, tasks in shares.items():
        if tasks:
            yield title, mean(map(mean, tasks.values()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

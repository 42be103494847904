"""Draw sentences with a relative clause, or with *instead of*, from two examples of a language.

::

    A dog is running.   A man is walking a dog.  ──>  A man is walking a dog that is running.
    The man bought a car.   The car is red.      ──>  The car that the man bought is red.
    A man eats a pear.   He sees a bird.         ──>  A man eats a pear instead of a bird.

Parts of different nouns are joined, too, if a pronoun could stand for both: such sentences mean little, but
their structure is that of a relative clause.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import penman

from linearize.packed import pack_graph, unpack
from linearize.restore import delinearize
from parser.training.composed.clauses import object_clause, subject_clause, with_clause
from parser.training.composed.draw import FULL_STOP, finished, fits
from parser.training.composed.grammars import GRAMMARS, PEOPLE
from parser.training.composed.phrases import (
    Meanings,
    Phrase,
    bare,
    first_phrase,
    is_whole,
    object_of,
    subject,
)
from parser.training.example import Example

SAME_NOUN = 0.6
"""Share of the pairs of parts that have the same noun, where a noun has several."""
AT_SUBJECT = 0.6
"""Share of the clauses that are tried at a subject; all in languages whose clauses stand before the noun."""
INSTEAD = 0.2
"""Share of the objects that are joined by *instead of*."""
_INSTEAD = {
    "en": "instead of ", "es": "en lugar de ", "fr": "au lieu de ", "it": "invece di ", "pt": "em vez de ",
    "de": "statt ", "nl": "in plaats van ", "el": "αντί για ",
}  # fmt: skip
_CONTRACTED = {
    "es": {"de el": "del"},
    "fr": {"de le": "du", "de les": "des", "de des": "de", "de un": "d'un", "de une": "d'une"},
    "it": {
        "di il": "del", "di lo": "dello", "di la": "della", "di i": "dei", "di gli": "degli",
        "di le": "delle",
    },
    "pt": {"de o": "do", "de a": "da", "de os": "dos", "de as": "das"},
}  # fmt: skip
"""The preposition of *instead of* with an article, and how the two are written."""
MOST_SYMBOLS = 44
"""Maximum number of symbols of both graphs."""
_TRIED = 50
"""Number of nouns drawn to find those that agree with another one."""
_STRUCTURE = frozenset(
    "about after and at-least at-most before cause-01 contrast-01 have-03 he i it less less-than more"
    " more-than most most-of multi-sentence now obligate-01 obligate-02 or permit-01 possible-01"
    " recommend-01 say-01 she someone something that they thing this too very we you"
    # types of named entities
    " airport award book bridge broadcast-program building city city-district company continent country"
    " country-region criminal-organization disease ethnic-group event facility festival game"
    " government-organization hospital incident island lake language law local-region location magazine"
    " military mountain movie music name nationality newspaper ocean organization park person political-party"
    " product province publication religious-group river road school sea show state street team"
    " university war world-region".split()
)
"""Concepts that AMR also writes for constructions, or for names without a common noun."""
_UNLEARNT = frozenset("cs ja pl ru tr uk zh".split())
"""Languages that have the nouns of the dictionaries only, because other words often begin a sentence."""


@dataclass(frozen=True)
class _Part:
    """An example with one of its noun phrases."""

    example: Example
    phrase: Phrase
    argument: _Argument
    subject: Phrase | None = None  # of the sentence of an object, if it is known

    @cached_property
    def graph(self) -> penman.Graph:
        return delinearize(unpack(self.example.graph)).graph

    @property
    def is_subject(self) -> bool:
        """Whether the noun phrase begins the sentence."""
        return not self.phrase.before

    def agrees(self, other: _Part) -> bool:
        """Return whether one pronoun can stand for the nouns of both, as gender and number allow."""
        pronoun = GRAMMARS[self.example.lang].pronoun
        one, two = self.argument.concept, other.argument.concept
        if pronoun is None:
            return (one in PEOPLE) == (two in PEOPLE)
        first = pronoun(self.phrase.article, self.phrase.noun, one)
        second = pronoun(other.phrase.article, other.phrase.noun, two)
        both = self.is_subject and other.is_subject
        articles = {part.phrase.article.lower().split(" ")[0] for part in (self, other)}
        return first == second and not (both and len(articles) > 1) and self._is_plural == other._is_plural

    @property
    def _is_plural(self) -> bool:
        noun = self.phrase.noun.lower()
        if self.example.lang in ("de", "nl") and self.is_subject:
            return self.phrase.after.split()[0].endswith("n")
        return noun != self.argument.concept if self.example.lang == "en" else noun.endswith("s")


def relative_examples(
    examples: Iterable[Example], count: int, seed: int, reserved: Container[str]
) -> Iterator[Example]:
    """Yield about ``count`` sentences of weight 1 with a relative clause, or with *instead of*.

    Languages are drawn in proportion to the square root of their number of fitting sentences.
    """
    rng = random.Random(f"{seed} relative")  # noqa: S311
    fitting, lowercase = defaultdict[str, list[Example]](list), defaultdict[str, Counter[str]](Counter)
    for example in examples:
        if example.lang in GRAMMARS:
            words = example.text.split()
            lowercase[example.lang].update(word for word in words[1:] if word.islower())
            if fits(example):
                fitting[example.lang].append(example)
    parts = {lang: _Parts(_parts(some), lang) for lang, some in fitting.items()}
    langs = sorted(lang for lang, some in parts.items() if len(some.all) > 10)
    if not langs:
        return
    weights = [len(parts[lang].all) ** 0.5 for lang in langs]
    for lang in rng.choices(langs, weights, k=count):
        drawn = parts[lang].draw(rng, lowercase[lang])
        if drawn is not None and drawn.text not in reserved:
            yield drawn


class _Argument(NamedTuple):
    """A core argument of the root of a graph."""

    variable: str
    concept: str  # empty if it is no noun, or has another relation than one modifier
    role: str
    modified: bool


def _arguments(graph: penman.Graph) -> Iterator[_Argument]:
    """Yield the core arguments of the root."""
    concepts = {source: str(target) for source, _, target in graph.instances()}
    edges = graph.edges()
    times = Counter(end for edge in edges for end in (edge.source, edge.target))
    valued = {attribute.source for attribute in graph.attributes()}
    modified = {
        edge.source for edge in edges
        if edge.role == ":mod" and times[edge.target] == 1 and concepts[edge.target].isalpha()
    }  # fmt: skip
    for source, role, target in edges:
        if source == graph.top and role in (":ARG0", ":ARG1") and target not in valued:
            concept, extra = concepts[target], times[target] - 1
            is_noun = concept.isalpha() and concept not in _STRUCTURE
            is_plain = not extra or (extra == 1 and target in modified)
            yield _Argument(target, concept if is_noun and is_plain else "", role, bool(extra))


def _parts(examples: Iterable[Example]) -> list[_Part]:
    """Return the examples by their subject and by their object."""
    read = [(one, list(_arguments(delinearize(unpack(one.graph)).graph))) for one in examples]
    meanings = Meanings(_learnt(read))
    return [part for example, arguments in read for part in _parts_of(example, arguments, meanings)]


def _learnt(read: Iterable[tuple[Example, list[_Argument]]]) -> dict[tuple[str, str], frozenset[str]]:
    """Return the usual concepts of the nouns that begin sentences, by language and noun."""
    counts = defaultdict[tuple[str, str], Counter[str]](Counter)
    for example, arguments in read:
        lang = example.lang
        for argument in arguments:
            if argument.concept and not argument.modified and lang not in _UNLEARNT:
                phrase = first_phrase(example.text, lang, modified=False)
                if phrase is not None and is_whole(phrase, lang):
                    counts[lang, phrase.noun.lower()][argument.concept] += 1
    return {
        key: frozenset(one for one, times in some.items() if times > 1 and times >= 0.4 * some.total())
        for key, some in counts.items()
    }


def _parts_of(example: Example, arguments: Sequence[_Argument], meanings: Meanings) -> Iterator[_Part]:
    first, text, lang = None, example.text, example.lang
    for one in arguments:
        if one.concept:
            first = subject(text, lang, one.concept, meanings, modified=one.modified)
            if first is not None:
                yield _Part(example, first, one)
                break
    has_agent = any(one.role == ":ARG0" for one in arguments)
    for one in arguments:
        if has_agent and one.concept and one.role == ":ARG1" and not one.modified:
            phrase = object_of(text, lang, one.concept, meanings)
            if phrase is not None and phrase != first:
                yield _Part(example, phrase, one, first)


class _Parts:
    """The parts of a language."""

    def __init__(self, parts: list[_Part], lang: str) -> None:
        self.all = parts
        self._lang = lang
        self._by_noun = defaultdict[tuple[bool, str], list[_Part]](list)
        for part in parts:
            self._by_noun[part.is_subject, part.phrase.noun.lower()].append(part)

    def draw(self, rng: random.Random, lowercase: Counter[str]) -> Example | None:
        """Return a sentence of two random parts; ``None`` if they do not fit."""
        first = rng.choice(self.all)
        if first.argument.modified:
            return None
        if not first.is_subject and self._lang in _INSTEAD and rng.random() < INSTEAD:
            second = rng.choice(self.all)
            return None if second.is_subject else _instead(first, second)
        place = rng.random() < AT_SUBJECT or GRAMMARS[self._lang].order == "before"
        heads = [
            part for part in self._by_noun[place, first.phrase.noun.lower()]
            if part.example is not first.example
        ]  # fmt: skip
        if not heads or rng.random() >= SAME_NOUN:
            drawn = rng.choices(self.all, k=_TRIED)
            heads = [part for part in drawn if part.is_subject is place and first.agrees(part)]
        head = rng.choice(heads) if heads else first
        symbols = len(first.example.graph) + len(head.example.graph)
        if head.example.text == first.example.text or symbols > MOST_SYMBOLS:
            return None
        return _relative(first, head, lowercase)


def _relative(first: _Part, head: _Part, lowercase: Counter[str]) -> Example | None:
    """Return the sentence of ``head`` with that of ``first`` as a relative clause."""
    lang, concept, before = first.example.lang, head.argument.concept, first.phrase.before
    if first.is_subject:
        clause = subject_clause(first.phrase, lang, head.phrase, concept)
    else:
        word = before.split(" ")[0]
        if lowercase[word[0].lower() + word[1:]] > 1:
            before = before[0].lower() + before[1:]
        clause = object_clause(first.phrase, lang, head.phrase, concept, before, first.subject)
    if clause is None:
        return None
    return _example(with_clause(head.phrase, clause, lang), _graph(head, first), lang)


def _graph(head: _Part, first: _Part) -> penman.Graph:
    """Return the graph of ``head`` with that of ``first`` below its noun."""
    noun, known = first.argument.variable, head.argument.variable
    names = {variable: f"r{variable}" for variable in first.graph.variables()} | {noun: known}
    edge = (first.graph.top, first.argument.role, noun)
    inner = [
        (names[source], role, target if role == ":instance" else names.get(target, target))
        for source, role, target in first.graph.triples
        if source != noun and (source, role, target) != edge
    ]
    triples = list(head.graph.triples)
    place = max(number for number, triple in enumerate(triples) if triple[0] == known) + 1
    triples[place:place] = [(names[str(first.graph.top)], first.argument.role, known), *inner]
    return penman.Graph(triples, top=head.graph.top)


def _instead(first: _Part, second: _Part) -> Example | None:
    """Return the sentence of ``first`` with the object of ``second`` as what its own object replaces."""
    lang = first.example.lang
    if first.phrase.after or first.argument.concept == second.argument.concept:
        return None
    link = f"{_INSTEAD[lang]}{second.phrase.text}"
    for long, short in _CONTRACTED.get(lang, {}).items():
        link = link.replace(f" {long} ", f" {short} ")
    triples = [
        *first.graph.triples,
        (first.argument.variable, ":ARG1-of", "i0"),
        ("i0", ":instance", "instead-of-91"),
        ("i0", ":ARG2", "i1"),
        ("i1", ":instance", second.argument.concept),
    ]
    return _example(f"{bare(first.example.text)} {link}", penman.Graph(triples, top=first.graph.top), lang)


def _example(text: str, graph: penman.Graph, lang: str) -> Example | None:
    packed = pack_graph(graph)
    if packed is None:
        return None
    return Example(finished(text, lang, stop=False) + FULL_STOP.get(lang, "."), packed, lang, 1.0)

"""Change the meaning of two graphs of one sentence in the same way: hard negatives of real sentences.

::

    bite-01 :ARG0 ( dog ) :ARG1 ( man :quant 2 )        en  the dog bites two men
    bite-01 :ARG1 ( man :quant 2 ) :ARG0 ( dog )        de  graph of the translation

    exchange   two concepts, or two names, change places: two dogs bite the man
    polarity   a frame is negated, or loses its negation
    antonym    a concept becomes its opposite
    amount     a number becomes another one
    name       a name becomes another one

A change is defined by tokens that both graphs have, so the changed graphs are translations of each other
again. An encoder that only learns to recognise changed graphs gains nothing. The graphs are linearized tokens
in the paper's form.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from linearize.vocabulary import is_frame
from parser.graphs.triples import OPERAND, SENSE
from retrofit.contradictions import opposites_of
from retrofit.training.amr.foils import TEXT_SIGNS, toggle_polarity

if TYPE_CHECKING:
    import numpy as np

KINDS = ("exchange", "polarity", "antonym", "amount", "name")
Tokens = Sequence[str]
Change = Callable[[Tokens], list[str]]
_NUMBER = re.compile(r"\d+(\.\d+)?")
_HELD = re.compile(r".*-(entity|quantity)|and|or|name|thing|person|amr-.*|multi-sentence")
"""Concepts that say of which type a node is, or join others; they are not exchanged."""
_DESCRIBES = re.compile(
    r":(mod|degree|manner|quant|unit|weekday|month|mode|time|frequency|duration|domain)(-of)?|"
)
"""Relations to what describes a node and has no part in an event; also no relation, for the top."""


class Part(NamedTuple):
    """A concept or a constant of a graph."""

    place: int  # index of the token
    role: str  # role that leads to it, without the number of an operand; "" at the top
    parent: str  # concept of the node above, "" at the top
    constant: bool  # whether it is a constant


def parts(tokens: Tokens) -> Iterator[Part]:
    """Yield concepts and constants in their order.

    Example:
        >>> graph = "( bite-01 :ARG0 ( dog :quant 2 ) )".split()
        >>> [(graph[part.place], part.role, part.parent) for part in parts(graph)]
        [('bite-01', '', ''), ('dog', ':ARG0', 'bite-01'), ('2', ':quant', 'dog')]
    """
    above: list[str] = []
    role = ""
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else ""
        parent = above[-1] if above else ""
        if before == "(":
            yield Part(place, role, parent, constant=False)
            above.append(token)
        elif token == ")":
            del above[-1:]
        elif token.startswith(":") and len(token) > 1:
            role = ":op" if OPERAND.fullmatch(token) else token
        elif token != "(" and above:
            yield Part(place, role, parent, constant=True)


class Editor:
    """Draw changes that fit two graphs.

    Args:
        words: Distinct tokens of the corpus.
        counts: How often each occurs.
    """

    def __init__(self, words: Sequence[str], counts: Sequence[int]) -> None:
        senses: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for word, count in zip(words, counts, strict=True):
            if word[:1].isalpha() and word == word.lower():
                senses[SENSE.sub("", word)].append((count, word))
        usual = {plain: max(found)[1] for plain, found in senses.items()}
        self._opposites = {
            word: sorted(usual[other] for other in opposites_of(plain) if other in usual)
            for plain, found in senses.items()
            for _, word in found
        }
        self._names = [word for word in words if word[:1].isalpha() and word != word.lower()]

    def change(
        self, first: Tokens, second: Tokens, kinds: Sequence[str], random: np.random.Generator
    ) -> tuple[list[str], list[str]] | None:
        """Return both graphs with one change of meaning; ``None`` if no kind of change fits both."""
        for number in random.permutation(len(kinds)):
            changes = list(getattr(self, f"_{kinds[number]}")(first, second, random))
            for choice in random.permutation(len(changes))[:4]:
                made = changes[choice](first), changes[choice](second)
                if all(_facts(old) != _facts(new) for old, new in zip((first, second), made, strict=True)):
                    return made
        return None

    def _exchange(self, first: Tokens, second: Tokens, _: np.random.Generator) -> Iterator[Change]:
        """Yield exchanges of two shared concepts that are no frames, or of two shared names."""
        for chosen in (_is_thing, _is_name):
            shared = sorted(_values(first, chosen) & _values(second, chosen))
            for i, one in enumerate(shared):
                yield from (_replacing({one: other, other: one}, chosen) for other in shared[i + 1 :])

    def _polarity(self, first: Tokens, second: Tokens, random: np.random.Generator) -> Iterator[Change]:
        """Yield negations of shared frames that occur once and are negated in both graphs or in neither."""
        once = [
            {
                word
                for word, count in Counter(t[p.place] for p in parts(t)).items()
                if count == 1 and is_frame(word)
            }
            for t in (first, second)
        ]
        for word in sorted(once[0] & once[1]):
            negation = (word, ":polarity", "-")
            if (negation in _facts(first)) == (negation in _facts(second)):
                yield partial(_toggled, word=word, random=random)

    def _antonym(self, first: Tokens, second: Tokens, random: np.random.Generator) -> Iterator[Change]:
        for word in sorted(_values(first, _is_concept) & _values(second, _is_concept)):
            others = self._opposites.get(word)
            if others:
                yield _replacing({word: others[int(random.integers(len(others)))]}, _is_concept)

    def _amount(self, first: Tokens, second: Tokens, random: np.random.Generator) -> Iterator[Change]:
        for word in sorted(_values(first, _is_number) & _values(second, _is_number)):
            yield _replacing({word: another_number(word, random)}, _is_number)

    def _name(self, first: Tokens, second: Tokens, random: np.random.Generator) -> Iterator[Change]:
        for word in sorted(_values(first, _is_name) & _values(second, _is_name)) if self._names else ():
            yield _replacing({word: self._names[int(random.integers(len(self._names)))]}, _is_name)


def another_number(text: str, random: np.random.Generator) -> str:
    """Return another number: two digits of it exchanged, or one digit changed."""
    digits = list(text)
    places = [i for i, digit in enumerate(digits) if digit.isdigit()]
    one, other = (int(random.choice(places)) for _ in range(2))
    if digits[one] != digits[other] and "0" not in (digits[one], digits[other]):
        digits[one], digits[other] = digits[other], digits[one]
    else:
        digits[one] = str((int(digits[one]) - 1 + int(random.integers(1, 9))) % 9 + 1)
    return "".join(digits)


Chosen = Callable[[Tokens, Part], bool]


def _is_concept(tokens: Tokens, part: Part) -> bool:
    return not part.constant


def _is_thing(tokens: Tokens, part: Part) -> bool:
    word = tokens[part.place]
    described = part.constant or is_frame(word) or _DESCRIBES.fullmatch(part.role)
    return not described and not _HELD.fullmatch(word)


def _is_name(tokens: Tokens, part: Part) -> bool:
    return part.constant and part.parent == "name"


def _is_number(tokens: Tokens, part: Part) -> bool:
    return part.constant and part.parent != "name" and _NUMBER.fullmatch(tokens[part.place]) is not None


def _values(tokens: Tokens, chosen: Chosen) -> set[str]:
    return {tokens[part.place] for part in parts(tokens) if chosen(tokens, part)}


def _replacing(table: dict[str, str], chosen: Chosen) -> Change:
    """Return the change that replaces chosen tokens by a table."""

    def change(tokens: Tokens) -> list[str]:
        places = {part.place for part in parts(tokens) if chosen(tokens, part)}
        return [table.get(token, token) if i in places else token for i, token in enumerate(tokens)]

    return change


def _facts(tokens: Tokens) -> Counter[tuple[str, str, str]]:
    """Count relations; the order of operands is not part of the meaning."""
    return Counter((part.parent, part.role, tokens[part.place]) for part in parts(tokens))


def _toggled(tokens: Tokens, word: str, random: np.random.Generator) -> list[str]:
    """Negate the node with a concept, which occurs once, or remove its negation."""
    start = next(part.place for part in parts(tokens) if tokens[part.place] == word) - 1
    changed = toggle_polarity(tokens[start:], TEXT_SIGNS, random)
    return [*tokens[:start], *(tokens[start:] if changed is None else changed)]

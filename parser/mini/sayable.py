"""Find the names and numbers that a sentence allows; the grammar forbids all others."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from linearize.packed import is_constant
from parser.mini.rules.place_names import GENERIC, plain_form
from parser.mini.symbols import Alphabet
from parser.mini.words import Source

IN_LETTERS = frozenset([*range(21), *range(30, 100, 10), *range(100, 1000, 100), 10**3, 10**6, 10**9])
"""Numbers that are often written as words."""


def number_value(symbol: str) -> float:
    """Return the value of a number, NaN for other symbols.

    Example:
        >>> number_value("2.5"), number_value('"16:30"'), number_value("dog")
        (2.5, nan, nan)
    """
    try:
        return float(symbol) if symbol[-1:].isdigit() and is_constant(symbol) else float("nan")
    except ValueError:
        return float("nan")


@dataclass(frozen=True)
class Sayable:
    """Tables of the constants of an alphabet; nodes are counted from the first one."""

    free: Tensor  # nodes allowed in every sentence ``(N,)``: concepts and references
    letters: Tensor  # numbers that are often written as words, `IN_LETTERS` ``(N,)``
    small: Tensor  # numbers below 100, which a sentence without digits may write as words ``(N,)``
    names: Tensor  # quoted constants without digits ``(N,)``
    generic: Tensor  # common nouns in names, `GENERIC` ``(N,)``
    forms: dict[str, list[int]]  # indices of quoted constants by plain form
    places: dict[str, int]  # index of each constant
    values: dict[float, list[int]]  # indices of numbers by value

    @classmethod
    def of(cls, alphabet: Alphabet) -> Self:
        """Return the tables of an alphabet."""
        forms: defaultdict[str, list[int]] = defaultdict(list)
        places: dict[str, int] = {}
        values: defaultdict[float, list[int]] = defaultdict(list)
        # lists, because writing single numbers to a tensor is ten times slower
        free, letters, small, names, generic = ([False] * len(alphabet.nodes) for _ in range(5))
        for index, symbol in enumerate(alphabet.nodes):
            value = number_value(symbol)
            if symbol.startswith('"'):
                form = plain_form(symbol)
                names[index] = not any(map(str.isdigit, symbol))
                generic[index] = form in GENERIC
                forms[form].append(index)
                places[symbol] = index
            elif value == value:
                values[value].append(index)
                letters[index] = value in IN_LETTERS
                small[index] = 0 < value < 100 and value % 1 == 0
                places[symbol] = index
            else:
                free[index] = True

        def table(marks: list[bool]) -> Tensor:
            return torch.tensor(marks, dtype=torch.bool)

        return cls(
            table(free), table(letters), table(small), table(names), table(generic),
            dict(forms), places, dict(values),
        )  # fmt: skip

    def may_say(self, source: Source) -> tuple[Tensor, Tensor]:
        """Return the masks of the nodes that a sentence allows, and of its quoted constants outside names."""
        may, quoted = self.free.clone(), torch.zeros_like(self.free)
        if source.numbers is not None:
            may[[index for value in source.numbers for index in self.values.get(value, ())]] = True
        else:
            may |= self.letters
            if not any(character.isdigit() for word in source.words for character in word.text):
                may |= self.small
        if source.places is None:
            may |= self.names
        forms = {plain_form(part) for word in source.words for part in (word.text, *word.text.split("-"))}
        for form in forms | (source.places or frozenset()):
            may[self.forms.get(form, [])] = True
        for word in source.words:
            for symbol in (word.plain, word.name):
                if symbol is not None and symbol in self.places:
                    may[self.places[symbol]] = True
            if word.plain is not None and word.plain.startswith('"') and word.plain in self.places:
                quoted[self.places[word.plain]] = True
        return may, quoted

"""Constrain spelling: the characters that may follow in a spelled word, and where it may end.

A spelled word with a sense number (`linearize.vocabulary.is_frame`) must be a frame of PropBank. Two states
are tracked for this: the tail of the word, and its node in the trie of all frame names::

    s  k  a  t  e  -  0  1        tail   LETTER ... LETTER HYPHEN ONE TWO
    node of the trie              s, sk, ska, ...         skate-0 skate-01, a name: the word may end here

The second and third digit of a sense number, and a zero after a hyphen, are allowed only if the trie
continues with them; after the first digit of a sense number in the trie the word must continue in the trie
(no ``creat-0t``). A word that is not a frame (``covid-19-ward``) is free, but must not be readable as
anything but a concept (a constant, a bracket, a role, a pointer, a mode), and must not end with the first
digit of a sense number (``creat-0``). It consists of letters, digits after a hyphen, hyphens and apostrophes.
A quoted word, which occurs only in names, is free except for digits, which are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
import torch
from torch import Tensor

from linearize.packed import is_constant
from linearize.vocabulary import frames

MODES = ("expressive", "imperative", "interrogative")
LONGEST_WORD = 40
NOWHERE, ROOT = 0, 1
"""Nodes of the trie: outside (no frame has this prefix), and the root."""
OTHER, LETTER, HYPHEN, ONE, TWO, THREE = range(6)
"""Tails: no sense number can follow, a letter, its hyphen, and one to three digits of the sense number."""
# row: tail; column: letter or other character, hyphen, digit
_TAILS = (
    (LETTER, OTHER, OTHER), (LETTER, HYPHEN, OTHER), (LETTER, OTHER, ONE), (LETTER, OTHER, TWO),
    (LETTER, OTHER, THREE), (LETTER, OTHER, OTHER),
)  # fmt: skip


@cache
def tree(characters: Sequence[str]) -> tuple[Tensor, Tensor, Tensor]:
    """Return the trie of all frame names that can be spelled, and of the modes.

    Returns:
        The next node for each character ``(P, C)``, and whether each node ends a frame, or a mode ``(P,)``.
    """
    column = {character: number for number, character in enumerate(characters)}
    names = sorted(
        name for name in {*frames(), *MODES} if len(name) <= LONGEST_WORD and column.keys() >= set(name)
    )
    signs = (
        np.array(names, f"U{LONGEST_WORD}").view(np.uint32).reshape(len(names), LONGEST_WORD)
    )  # 0 after the end
    # names are sorted: a character adds a node unless the previous name has the same prefix up to it
    new = signs > 0
    new[1:] &= ~np.logical_and.accumulate(signs[1:] == signs[:-1], axis=1)
    numbers = ROOT + new.cumsum().reshape(new.shape)
    places = np.maximum.accumulate(np.where(new, numbers, NOWHERE), axis=0)
    before = np.pad(places[:, :-1], ((0, 0), (1, 0)), constant_values=ROOT)
    leads = torch.full((ROOT + 1 + int(new.sum()), len(column)), NOWHERE, dtype=torch.int32)
    column_of = {ord(character): number for character, number in column.items()}
    columns = torch.tensor([column_of[sign] for sign in signs[new].tolist()], dtype=torch.long)
    leads[torch.from_numpy(before[new]), columns] = torch.from_numpy(places[new]).int()
    frame, mode = torch.zeros(2, len(leads), dtype=torch.bool)
    ends = torch.from_numpy(places[np.arange(len(names)), (signs > 0).sum(axis=1) - 1])
    modes = torch.tensor([is_constant(name) for name in names], dtype=torch.bool)
    mode[ends[modes]] = frame[ends[~modes]] = True
    return leads, frame, mode


@dataclass(frozen=True)
class Letters:
    """Tables of the characters, ``(C,)``, and the trie of frames."""

    number: Tensor  # may be in a number
    begins: Tensor  # may begin an unquoted word: a letter
    inside: Tensor  # may be in an unquoted word
    zero: Tensor  # is ``0``
    quote: Tensor  # is ``"``
    kind: Tensor  # column of `_TAILS`
    leads: Tensor  # next node of the trie ``(P, C)``
    frame: Tensor  # whether a node ends a frame name ``(P,)``
    mode: Tensor  # whether a node ends a mode ``(P,)``
    tails: Tensor  # `_TAILS`

    @classmethod
    def of(cls, characters: tuple[str, ...], device: torch.device) -> Self:
        """Return the tables of an alphabet's characters."""

        def those(some: Callable[[str], bool]) -> Tensor:
            return torch.tensor([some(c) for c in characters], dtype=torch.bool, device=device)

        leads, frame, mode = tree(characters)
        digit, hyphen = those("0123456789".__contains__), those("-".__eq__)
        return cls(
            number=those("0123456789.,:/".__contains__),
            begins=those(str.isalpha),
            inside=those(lambda c: c.isalnum() or c in "-'"),
            zero=those("0".__eq__),
            quote=those('"'.__eq__),
            kind=torch.where(digit, 2, torch.where(hyphen, 1, 0)),
            leads=leads.to(device),
            frame=frame.to(device),
            mode=mode.to(device),
            tails=torch.tensor(_TAILS, device=device),
        )


@dataclass
class PerRow:
    """Base of a dataclass whose fields are tensors, or such dataclasses, with one row per prefix."""

    def keep(self, rows: Tensor) -> Self:
        """Return the same for ``rows`` only."""
        parts = (getattr(self, name) for name in self.__dataclass_fields__)
        return type(self)(*(part.keep(rows) if isinstance(part, PerRow) else part[rows] for part in parts))


@dataclass
class Spelled(PerRow):
    """The word that each row spells, ``(B,)`` each."""

    length: Tensor  # number of characters so far, -1 outside a spelled word
    number: Tensor  # whether it is a number so far
    string: Tensor  # whether it is a string: it begins with ``"``
    tail: Tensor  # its tail
    place: Tensor  # its node in the trie

    @classmethod
    def start(cls, batch: int, device: torch.device) -> Self:
        """Return the state outside of words."""
        zeros = torch.zeros(batch, dtype=torch.long, device=device)
        return cls(zeros - 1, zeros > 0, zeros > 0, zeros, zeros + ROOT)

    @property
    def inside(self) -> Tensor:
        """Whether a word is being spelled."""
        return self.length >= 0

    def allowed(self, letters: Letters, named: Tensor) -> Tensor:
        """Return whether a word may end, and the characters that may follow ``(B, 1+C)``.

        Args:
            letters: The characters.
            named: Whether the word is part of a name ``(B,)``: only these are quoted. Numbers are not
                spelled.
        """
        may = self.inside[:, None].expand(-1, 1 + len(letters.kind)).clone()
        if not bool(may.any()):
            return may
        begins = torch.where(named[:, None], letters.quote, letters.begins)
        may[:, 1:] &= (self.length > 0)[:, None] | begins
        may[:, 1:] &= (self.length < LONGEST_WORD)[:, None]
        may[:, 0] &= self.length > 0
        # a frame must be in PropBank
        string, tree, digit = self.string[:, None], letters.leads[self.place] != NOWHERE, letters.kind == 2
        sense = ((self.tail == ONE) | (self.tail == TWO))[:, None] & ~tree & digit
        half = ((self.tail == ONE) & (self.place != NOWHERE))[:, None] & ~tree
        zero = (self.tail == HYPHEN)[:, None] & ~tree & letters.zero
        last = ((self.tail == HYPHEN) & (self.length == LONGEST_WORD - 1))[:, None] & digit
        amount = (self.tail == LETTER)[:, None] & digit
        inside = letters.inside | (self.length == 0)[:, None]
        may[:, 1:] &= torch.where(string, ~digit, inside & ~(sense | half | zero | last | amount))
        framed = (self.tail == TWO) | (self.tail == THREE)
        ends = torch.where(framed, letters.frame[self.place], ~letters.mode[self.place])
        may[:, 0] &= self.string | (ends & (self.tail != ONE))
        return may

    def follow(self, character: Tensor, begins: Tensor, ends: Tensor, letters: Letters) -> None:
        """Advance by one symbol per row.

        Args:
            character: Number of the character ``(B,)``; any number for other symbols.
            begins: Rows that begin a word ``(B,)``.
            ends: Rows whose word ends ``(B,)``.
            letters: The characters.
        """
        inside, first = self.inside & ~ends, self.length == 0
        if bool(inside.any()):
            column = character.clamp(0, len(letters.kind) - 1)
            self.string = torch.where(inside & first, letters.quote[column], self.string)
            number = letters.number[column]
            self.number = torch.where(inside, number & (first | self.number), self.number)
            self.tail = torch.where(inside, letters.tails[self.tail, letters.kind[column]], self.tail)
            self.place = torch.where(inside, letters.leads[self.place, column].long(), self.place)
        self.tail, self.place = self.tail.where(~begins, OTHER), self.place.where(~begins, ROOT)
        self.length = torch.where(inside, self.length + 1, self.length.where(~ends, -1).where(~begins, 0))

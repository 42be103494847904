"""Build tables for the grammar (`parser.mini.grammar`): the edges and nodes that a role may have."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from linearize.packed import is_constant, split_role
from parser.mini.rules.clocks import is_clock
from parser.mini.sayable import Sayable, number_value
from parser.mini.spelling import MODES
from parser.mini.symbols import Alphabet

RANGES = {":day": 31, ":month": 12, ":dayperiod": 0, ":weekday": 0}
"""Maximum value of a number under a role; 0 allows no constant."""
_BROKEN = re.compile(r"-\d(?!\d)")
"""A concept with only the first digit of a sense, such as ``creat-0``, which occurs in silver graphs."""
OWN_NAMES = frozenset(
    "city continent country ethnic-group language person province religious-group state".split()
)
SIGNED = frozenset({":polarity", ":polite", ":wiki"})
"""Roles whose value may be ``+`` or ``-``."""


@dataclass(frozen=True)
class Edges:
    """Tables of edges, ``(V,)``."""

    label: Tensor  # number of a role, regardless of the brackets that it closes; 0 for other symbols
    inverse: Tensor  # number of the inverse role, 0 if no symbol has it
    conjunction: Tensor  # the concepts ``and`` and ``or``
    bare: Tensor  # roles that close no node
    fits: Tensor  # nodes that may follow a role, by its number ``(R, V - first_node)``
    open: Tensor  # roles that allow most nodes, by number ``(R,)``
    quoted: Tensor  # quoted constants
    own_names: Tensor  # concepts whose names contain no common nouns, `OWN_NAMES`
    clock: Tensor  # quoted clock times
    operands: tuple[int, int]  # numbers of ``:op1`` and ``:op2``
    amount: Tensor  # the roles ``:quant`` and ``:value``, by number ``(R,)``
    measure: Tensor  # concepts of quantities and entities, whose amounts are never spelled
    time: int  # number of ``:time``
    day: int  # number of ``:day``
    zone: int  # number of ``:timezone``
    ranges: Tensor  # maximum value under each role, infinite for most ``(R,)``
    closed: Tensor  # roles that allow only certain constants, by number ``(R,)``
    months: Tensor  # the role ``:month``, by number ``(R,)``
    sayable: Sayable  # names and numbers of the alphabet
    generic: Tensor  # common nouns in names, counted from the first node

    @classmethod
    def of(cls, alphabet: Alphabet, device: torch.device) -> Self:
        """Return the tables of an alphabet."""
        symbols = alphabet.symbols
        numbers: dict[str, int] = {}
        label, inverse, bare = [0] * len(symbols), [0] * len(symbols), [False] * len(symbols)
        splits = {i: split_role(symbols[i]) for i in range(alphabet.first_role, alphabet.first_node)}
        roles = {i: split for i, split in splits.items() if split is not None}
        for i, (closing, role) in roles.items():
            label[i] = numbers.setdefault(role, len(numbers) + 1)
            bare[i] = closing == 0
        for i, (_, role) in roles.items():
            inverse[i] = numbers.get(_inverse(role), 0)
        ranges = torch.full((len(numbers) + 1,), torch.inf)
        closed, months, amounts = torch.zeros(3, len(numbers) + 1, dtype=torch.bool)
        for role, number in numbers.items():
            ranges[number] = RANGES.get(role, torch.inf)
            amounts[number] = role in (":quant", ":value")
            closed[number], months[number] = role in (":mode", ":polarity"), role == ":month"
        fits, sayable = _fits(alphabet, numbers).to(device), Sayable.of(alphabet)
        return cls(
            label=torch.tensor(label, dtype=torch.int16, device=device),
            inverse=torch.tensor(inverse, dtype=torch.int16, device=device),
            conjunction=torch.tensor([symbol in ("and", "or") for symbol in symbols], device=device),
            bare=torch.tensor(bare, device=device),
            fits=fits,
            open=fits.float().mean(1) > 0.5,
            quoted=torch.tensor([symbol.startswith('"') for symbol in symbols], device=device),
            own_names=torch.tensor([symbol in OWN_NAMES for symbol in symbols], device=device),
            clock=torch.tensor([is_clock(symbol) for symbol in symbols], device=device),
            # -1: the alphabet lacks the role
            operands=(numbers.get(":op1", -1), numbers.get(":op2", -1)),
            amount=amounts.to(device),
            measure=torch.tensor([s.endswith(("-quantity", "-entity")) for s in symbols], device=device),
            time=numbers.get(":time", -1),
            day=numbers.get(":day", -1),
            zone=numbers.get(":timezone", -1),
            ranges=ranges.to(device),
            closed=closed.to(device),
            months=months.to(device),
            sayable=sayable,
            generic=sayable.generic.to(device),
        )


def is_whole(values: Tensor, most: Tensor | int) -> Tensor:
    """Return whether each value is a whole number from 1 to ``most``."""
    return (values >= 1) & (values <= most) & (values % 1 == 0)


def _inverse(role: str) -> str:
    return role.removesuffix("-of") if role.endswith("-of") else f"{role}-of"


def _fits(alphabet: Alphabet, numbers: Mapping[str, int]) -> Tensor:
    """Return which nodes may follow each role, by its number; row 0 is for the top."""
    nodes = alphabet.nodes
    modes = torch.tensor([node in MODES for node in nodes])
    signs = torch.tensor([node in "+-" for node in nodes])
    unknown = torch.tensor([node == "amr-unknown" for node in nodes])
    constants = torch.tensor([is_constant(node) for node in nodes])
    values = torch.tensor([number_value(node) for node in nodes])
    broken = torch.tensor([_BROKEN.search(node) is not None for node in nodes]) & ~constants
    fits = (~modes & ~broken).repeat(len(numbers) + 1, 1)
    for role, number in numbers.items():
        if role == ":mode":
            fits[number] = modes
        elif role == ":polarity":
            fits[number] = signs | unknown
        elif role not in SIGNED:
            fits[number] &= ~signs
        if role in RANGES:
            fits[number] &= is_whole(values, RANGES[role]) if RANGES[role] else ~constants
    return fits

"""The grammar of packed symbols for a whole batch at once, as tensors.

Mirrors `parser.mini.symbols.State` (the tests hold the two against each other): what may follow, and what
a choice does to the stack of open nodes. Every finished row is a graph that needs no repair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from linearize.packed import is_constant, is_reference, split_role
from linearize.vocabulary import frames, is_frame
from parser.mini.spelling import Letters, Spelled
from parser.mini.symbols import COPY, DEPTHS, DONE, END, SPELL, START, Alphabet
from parser.mini.words import Source

DEEPEST = 48


@dataclass(frozen=True)
class Tables:
    """What each symbol id does, ``(V,)``.

    Attributes:
        closing: Nodes that a role symbol closes.
        opens: A concept: opens a node.
        role: A role that wants a node (a bare run of ``)`` does not).
        numbered: A role ``:opN``.
        reference: Node number that a reference points to, -1 for others.
        known: No frame that PropBank's lexicon does not hold.
        letters: Characters.
        name: Id of the concept ``name``, -1 when it has none.
        first_role: First id of a role.
        first_node: First id of a node.
    """

    closing: Tensor
    opens: Tensor
    role: Tensor
    numbered: Tensor
    reference: Tensor
    known: Tensor
    letters: Letters
    name: int
    first_role: int
    first_node: int

    @classmethod
    def of(cls, alphabet: Alphabet, device: torch.device) -> Self:
        """Tables of an alphabet."""
        symbols = alphabet.symbols
        nodes = range(alphabet.first_node, len(symbols))
        roles = range(alphabet.first_role, alphabet.first_node)
        closing = torch.zeros(len(symbols), dtype=torch.long)
        opens, role, numbered = (torch.zeros(len(symbols), dtype=torch.bool) for _ in range(3))
        reference = torch.full((len(symbols),), -1)
        opens[COPY] = opens[SPELL] = True
        for i in roles:
            split = split_role(symbols[i]) or (len(symbols[i]), "")
            closing[i], role[i], numbered[i] = split[0], bool(split[1]), split[1].startswith(":op")
        for i in nodes:
            opens[i] = not (is_constant(symbols[i]) or is_reference(symbols[i]))
            reference[i] = int(symbols[i][1:-1]) if is_reference(symbols[i]) else -1
        lexicon = frames()
        known = torch.tensor([s in lexicon or s.startswith('"') or not is_frame(s) for s in symbols])
        return cls(
            closing=closing.to(device),
            opens=opens.to(device),
            role=role.to(device),
            numbered=numbered.to(device),
            reference=reference.to(device),
            known=known.to(device),
            letters=Letters.of(alphabet.characters, device),
            name=alphabet.ids.get("name", -1),
            first_role=alphabet.first_role,
            first_node=alphabet.first_node,
        )


@dataclass
class Words:
    """What copying from each memory slot yields, ``(B, 1+S)``: a symbol id, ``COPY`` or -1 for nothing.

    Attributes:
        plain: Outside names.
        constant: ``plain`` is a number, which opens no node.
        name: Under ``name``, where every copy is a string.
    """

    plain: Tensor
    constant: Tensor
    name: Tensor

    @classmethod
    def of(cls, sources: list[Source], slots: int, alphabet: Alphabet, device: torch.device) -> Self:
        """Tables of a batch of sentences."""
        plain, name = torch.full((len(sources), slots), -1), torch.full((len(sources), slots), -1)
        constant = torch.zeros((len(sources), slots), dtype=torch.bool)
        for row, source in enumerate(sources):
            for word, start in zip(source.words, source.starts, strict=True):
                if word.plain is not None:
                    plain[row, start + 1] = alphabet.ids.get(word.plain, COPY)
                    constant[row, start + 1] = is_constant(word.plain)
                if word.name is not None:
                    name[row, start + 1] = alphabet.ids.get(word.name, COPY)
        return cls(plain.to(device), constant.to(device), name.to(device))

    def keep(self, rows: Tensor) -> Words:
        """Only ``rows``."""
        return Words(self.plain[rows], self.constant[rows], self.name[rows])


@dataclass
class States:
    """Where each row of a batch stands, ``(B,)`` each, ``stack`` ``(B, DEEPEST)``."""

    stack: Tensor
    size: Tensor
    rank: Tensor
    wants: Tensor
    numbered: Tensor
    bare: Tensor
    word: Spelled

    @classmethod
    def start(cls, batch: int, device: torch.device) -> Self:
        """Nothing said yet: a concept must follow."""
        zeros = torch.zeros(batch, dtype=torch.long, device=device)
        no = torch.zeros(batch, dtype=torch.bool, device=device)
        stack = torch.full((batch, DEEPEST), START, device=device)
        return cls(stack, zeros, zeros, ~no, no, no, Spelled.start(batch, device))

    def keep(self, rows: Tensor) -> States:
        """Only ``rows``."""
        return States(
            self.stack[rows], self.size[rows], self.rank[rows], self.wants[rows], self.numbered[rows],
            self.bare[rows], self.word.keep(rows),
        )  # fmt: skip

    @property
    def parent(self) -> Tensor:
        """Concept id of the innermost open node."""
        top = self.stack.gather(1, (self.size - 1).clamp_min(0)[:, None])[:, 0]
        return torch.where(self.size > 0, top, START)

    @property
    def depth(self) -> Tensor:
        """Open nodes, cut at ``DEPTHS`` - 1."""
        return self.size.clamp_max(DEPTHS - 1)

    @property
    def spelling(self) -> Tensor:
        """Inside ``<spell>``."""
        return self.word.inside

    def in_name(self, tables: Tables) -> Tensor:
        """The node to follow is an ``:opN`` of a ``name``."""
        return self.numbered & (self.parent == tables.name) & (self.size > 0)

    def allowed(self, tables: Tables, words: Words) -> Tensor:
        """Choices that keep the graph valid, ``(B, V + 1+S)``."""
        return torch.cat((self.allowed_low(tables), self.allowed_nodes(tables, words)), 1)

    def allowed_low(self, tables: Tables) -> Tensor:
        """Specials, characters and roles that keep the graph valid, ``(B, first_node)``."""
        may = torch.zeros((len(self.size), tables.first_node), dtype=torch.bool, device=self.size.device)
        role = ~self.wants & ~self.spelling
        left = self.size[:, None] - tables.closing[tables.first_role : tables.first_node]
        fits = (left >= 1) & (left < DEEPEST - 1)
        may[:, tables.first_role :] = (
            role[:, None] & fits & (~self.bare[:, None] | tables.role[tables.first_role : tables.first_node])
        )
        may[:, END] = role & ~self.bare
        may[:, SPELL] = self.wants & ~self.spelling & (self.size < DEEPEST - 1)
        may[:, DONE : tables.first_role] = self.word.allowed(tables.letters, self.size == 0)
        return may

    def allowed_nodes(self, tables: Tables, words: Words) -> Tensor:
        """Nodes and copies that keep the graph valid, ``(B, V - first_node + 1+S)``."""
        node = (self.wants & ~self.spelling)[:, None]
        top, full = (self.size == 0)[:, None], (self.size >= DEEPEST - 1)[:, None]
        known = tables.reference[tables.first_node :] < self.rank[:, None]
        known &= tables.known[tables.first_node :]
        opens = tables.opens[tables.first_node :]
        may = node & known & (opens | ~top) & ~(full & opens)
        named = self.in_name(tables)[:, None]
        copy = torch.where(named, words.name, words.plain) >= 0
        copy &= node & ~((top | full) & (words.constant | named))
        return torch.cat((may, copy & ~full), 1)

    def advance(self, choice: Tensor, tables: Tables, words: Words) -> tuple[Tensor, Tensor]:
        """Follow one choice a row ``(B,)``; returns the symbol id and the copied slot (0 for none)."""
        symbols = len(tables.closing)
        slot = (choice - symbols).clamp_min(0)
        named = self.in_name(tables)
        plain = words.plain.gather(1, slot[:, None])[:, 0]
        name = words.name.gather(1, slot[:, None])[:, 0]
        copying = choice >= symbols
        symbol = torch.where(copying, torch.where(named, name, plain), choice)
        constant = copying & (named | words.constant.gather(1, slot[:, None])[:, 0])
        role = (symbol >= tables.first_role) & (symbol < tables.first_node)
        # the bounds are for decoding without the grammar (scripts/evaluate_parser.py)
        closed = (self.size - tables.closing[symbol]).clamp_min(1)
        self.size = torch.where(role, closed, self.size)
        ends_spelling = self.spelling & (symbol == DONE)
        node = self.wants & ~self.spelling & (symbol != SPELL)
        spelled = ends_spelling & ~(self.word.number | self.word.string)
        opens = (node & tables.opens[symbol] & ~constant) | spelled
        concept = torch.where(ends_spelling, SPELL, symbol)
        here = self.size.clamp_max(DEEPEST - 1)[:, None]
        old = self.stack.gather(1, here)
        self.stack = self.stack.scatter(1, here, torch.where(opens[:, None], concept[:, None], old))
        self.size = (self.size + opens).clamp_max(DEEPEST)
        self.rank = self.rank + opens
        begins = ~self.spelling & (symbol == SPELL)
        self.word.follow(symbol - DONE - 1, begins, ends_spelling, tables.letters)
        self.wants = torch.where(role, tables.role[symbol], self.wants & ~(node | ends_spelling))
        self.numbered = torch.where(role, tables.numbered[symbol], self.numbered)
        self.bare = role & ~tables.role[symbol]
        return symbol, torch.where(copying & (symbol == COPY), slot, 0)

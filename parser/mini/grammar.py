"""Constrain decoding by the grammar of packed symbols, as tensors for a whole batch.

Mirrors `parser.mini.symbols.State` (tests compare the two): the symbols that may follow, and
the effect of a choice on the stack of open nodes. Every finished row is a graph that needs no repair.

The grammar also enforces constraints of AMR and of the sentence:

- no edge occurs twice, and no node is its own argument;
- ``and`` and ``or`` begin with ``:op1``; at the top of a sentence that begins with *and*, ``:op2`` may be
  first;
- no concept ends with the first digit of a sense number (``creat-0``);
- modes are under ``:mode``, signs under ``:polarity``; a day is at most 31, a month at most 12;
- ``:timezone`` occurs only if the sentence names a time zone;
- ``:time`` of a ``date-entity`` is a clock time and occurs only if the sentence has one; clock times occur
  nowhere else; parts of dates and amounts are not spelled;
- names consist of quoted words of the sentence or of English names of places that it mentions; names of
  organizations and the like may contain translated common nouns (*Corte Suprema*); names are spelled only if
  the sentence is in another script;
- numbers are those of the sentence, in digits or in words.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from linearize.packed import is_constant, is_reference, split_role
from linearize.vocabulary import frames, is_frame
from parser.mini.edges import RANGES, Edges, is_whole
from parser.mini.rules.clocks import is_clock, names_a_zone
from parser.mini.sayable import number_value
from parser.mini.spelling import Letters, PerRow, Spelled
from parser.mini.symbols import COPY, DEPTHS, DONE, END, SPELL, START, Alphabet
from parser.mini.words import Source

DEEPEST = 48
MOST_LINKED = 64
"""Maximum number of nodes whose edges are stored; there are no references to later nodes."""
MANY = -1
"""Link of two nodes with two different edges: no more can be stored, so no more are allowed."""


@dataclass(frozen=True)
class Tables:
    """Properties of the symbols in the grammar, ``(V,)`` each."""

    closing: Tensor  # number of nodes that a role symbol closes
    opens: Tensor  # whether it is a concept, which opens a node
    role: Tensor  # whether it is a role, after which a node must follow (not a bare run of ``)``)
    numbered: Tensor  # whether it is a role ``:opN``
    reference: Tensor  # node number that a reference points to, -1 for others
    references: Tensor  # indices of the references, counted from the first node ``(R,)``
    known: Tensor  # false for frames that are neither in PropBank nor in ``Alphabet.frames``
    letters: Letters  # tables of the characters
    name: int  # id of the concept ``name``, -1 if there is none
    date: int  # id of the concept ``date-entity``, -1 if there is none
    edges: Edges  # tables of edges
    first_role: int  # first id of a role
    first_node: int  # first id of a node

    @classmethod
    @functools.lru_cache(maxsize=2)
    def of(cls, alphabet: Alphabet, device: torch.device) -> Self:
        """Return the tables of an alphabet; they are cached for all decoders."""
        symbols, first = alphabet.symbols, alphabet.first_node
        splits = [split_role(symbol) or (len(symbol), "") for symbol in symbols[alphabet.first_role : first]]
        others = [0] * alphabet.first_role
        closing = torch.tensor([*others, *(count for count, _ in splits), *[0] * len(alphabet.nodes)])
        role = torch.zeros(len(symbols), dtype=torch.bool)
        numbered, opens = role.clone(), role.clone()
        role[alphabet.first_role : first] = torch.tensor([bool(name) for _, name in splits])
        numbered[alphabet.first_role : first] = torch.tensor([name.startswith(":op") for _, name in splits])
        opens[[COPY, SPELL]] = True
        opens[first:] = torch.tensor(
            [not (is_constant(node) or is_reference(node)) for node in alphabet.nodes]
        )
        reference = torch.full((len(symbols),), -1)
        reference[first:] = torch.tensor(
            [int(node[1:-1]) if is_reference(node) else -1 for node in alphabet.nodes]
        )
        lexicon = frames() | set(alphabet.frames)
        known = torch.tensor([s in lexicon or s.startswith('"') or not is_frame(s) for s in symbols])
        return cls(
            closing=closing.to(device),
            opens=opens.to(device),
            role=role.to(device),
            numbered=numbered.to(device),
            reference=reference.to(device),
            references=(reference[first:] >= 0).nonzero()[:, 0].to(device),
            known=known.to(device),
            letters=Letters.of(alphabet.characters, device),
            name=alphabet.ids.get("name", -1),
            date=alphabet.ids.get("date-entity", -1),
            edges=Edges.of(alphabet, device),
            first_role=alphabet.first_role,
            first_node=alphabet.first_node,
        )


@dataclass
class Constants(PerRow):
    """Nodes that each sentence allows, ``(B, V - first_node)``."""

    sayable: Tensor  # allowed, in names or outside
    usual: Tensor  # allowed outside names
    rows: Tensor  # the sentence of each row ``(N,)``

    @classmethod
    def of(cls, sources: list[Source], edges: Edges, device: torch.device) -> Self:
        """Return the tables of a batch of sentences."""
        pairs = [edges.sayable.may_say(source) for source in sources]
        sayable, yielded = (torch.stack(tables).to(device) for tables in zip(*pairs, strict=True))
        usual = sayable & (~edges.quoted[-sayable.shape[1] :] | yielded)
        return cls(sayable, usual, torch.arange(len(sources), device=device))

    def keep(self, rows: Tensor) -> Self:
        """Return the state for ``rows`` only; the tables are shared."""
        return type(self)(self.sayable, self.usual, self.rows[rows])


@dataclass
class Words(PerRow):
    """Symbols that copying each memory slot yields, and properties of the sentences.

    Symbols ``(B, 1+S)`` are ids, `COPY` for a word that is not in the alphabet, -1 for a slot without a word.
    """

    plain: Tensor  # symbol outside names
    constant: Tensor  # whether ``plain`` is a constant, which opens no node ``(B, 1+S)``
    name: Tensor  # symbol under ``name``, where every copy is a string
    value: Tensor  # value of a number, NaN for others ``(B, 1+S)``
    clock: Tensor  # whether ``plain`` is a clock time ``(B, 1+S)``
    constants: Constants  # nodes that the sentences allow
    dated: Tensor  # whether the sentence has a number that may be a day ``(B,)``
    spelled: Tensor  # whether its names may be spelled ``(B,)``
    translated: Tensor  # whether its names are translated ``(B,)``
    continues: Tensor  # whether it begins with *and* ``(B,)``
    zoned: Tensor  # whether it names a time zone ``(B,)``

    @classmethod
    def of(
        cls, sources: list[Source], slots: int, alphabet: Alphabet, edges: Edges, device: torch.device
    ) -> Self:
        """Return the tables of a batch of sentences."""
        plain, name = torch.full((len(sources), slots), -1), torch.full((len(sources), slots), -1)
        constant, clock = torch.zeros((2, len(sources), slots), dtype=torch.bool)
        value = torch.full((len(sources), slots), torch.nan)
        for row, source in enumerate(sources):
            for word, start in zip(source.words, source.starts, strict=True):
                if word.plain is not None:
                    plain[row, start + 1] = alphabet.ids.get(word.plain, COPY)
                    constant[row, start + 1] = is_constant(word.plain)
                    value[row, start + 1] = number_value(word.plain)
                    clock[row, start + 1] = is_clock(word.plain)
                if word.name is not None:
                    name[row, start + 1] = alphabet.ids.get(word.name, COPY)
        spelled = torch.tensor([source.places is None for source in sources])
        translated = torch.tensor([source.translated for source in sources])
        continues = torch.tensor([source.continues for source in sources])
        zoned = torch.tensor([names_a_zone(source.composed.text) for source in sources])
        constants = Constants.of(sources, edges, device)
        dated = (constants.usual & edges.fits[edges.day]).any(1) | is_whole(
            value.to(device), RANGES[":day"]
        ).any(1)
        plain, constant, name, value, clock, spelled, translated, continues, zoned = (
            table.to(device)
            for table in (plain, constant, name, value, clock, spelled, translated, continues, zoned)
        )
        return cls(
            plain, constant, name, value, clock, constants, dated, spelled, translated, continues, zoned
        )


@dataclass
class States(PerRow):
    """Grammar state of each row of a batch, ``(B,)`` each unless another shape is given."""

    stack: Tensor  # concept ids of the open nodes, outermost first ``(B, DEEPEST)``
    size: Tensor  # number of open nodes
    rank: Tensor  # number of nodes so far
    wants: Tensor  # whether a node must follow
    numbered: Tensor  # whether the last role is ``:opN``
    bare: Tensor  # whether the last symbol is a bare run of ``)``
    word: Spelled  # the word being spelled
    role: Tensor  # number of the last role (`Edges.label`)
    back: Tensor  # number of its inverse
    fresh: Tensor  # whether the last symbol opened a node
    numbers: Tensor  # node numbers of the open nodes ``(B, DEEPEST)``
    links: Tensor  # role from each open node to each node, 0 for none ``(B, DEEPEST, MOST_LINKED)``

    @classmethod
    def start(cls, batch: int, device: torch.device) -> Self:
        """Return the states of empty rows: a concept must follow."""
        zeros = torch.zeros(batch, dtype=torch.long, device=device)
        no = torch.zeros(batch, dtype=torch.bool, device=device)
        stack = torch.full((batch, DEEPEST), START, device=device)
        role = torch.zeros(batch, dtype=torch.int16, device=device)
        links = torch.zeros((batch, DEEPEST, MOST_LINKED), dtype=torch.int16, device=device)
        word, numbers = Spelled.start(batch, device), torch.full_like(stack, -1)
        return cls(stack, zeros, zeros, ~no, no, no, word, role, role, no, numbers, links)

    @property
    def parent(self) -> Tensor:
        """The concept id of the innermost open node."""
        top = self.stack.gather(1, (self.size - 1).clamp_min(0)[:, None])[:, 0]
        return torch.where(self.size > 0, top, START)

    @property
    def depth(self) -> Tensor:
        """The number of open nodes, at most `DEPTHS` - 1."""
        return self.size.clamp_max(DEPTHS - 1)

    @property
    def spelling(self) -> Tensor:
        """Whether a word is being spelled."""
        return self.word.inside

    def in_name(self, tables: Tables) -> Tensor:
        """Return whether the next node is an ``:opN`` of a ``name``."""
        return self.numbered & (self.parent == tables.name) & (self.size > 0)

    def in_date(self, tables: Tables) -> Tensor:
        """Return whether the next node belongs to a ``date-entity``."""
        return (self.parent == tables.date) & (self.size > 0)

    def allowed(self, tables: Tables, words: Words) -> Tensor:
        """Return the choices that keep the graph valid, ``(B, V + 1+S)``."""
        return torch.cat((self.allowed_low(tables, words), self.allowed_nodes(tables, words)), 1)

    def allowed_low(self, tables: Tables, words: Words) -> Tensor:
        """Return the specials, characters and roles that keep the graph valid, ``(B, first_node)``."""
        may = torch.zeros((len(self.size), tables.first_node), dtype=torch.bool, device=self.size.device)
        edges, first, last = tables.edges, tables.first_role, tables.first_node
        role, named = ~self.wants & ~self.spelling, self.in_name(tables)
        left = self.size[:, None] - tables.closing[first:last]
        fits = (left >= 1) & (left < DEEPEST - 1) & (~self.bare[:, None] | tables.role[first:last])
        begins = self.fresh & edges.conjunction[self.parent]
        label = edges.label[first:last]
        # the first operand of *And he went* is another sentence
        second = words.continues & (self.size == 1)
        operand = (label == edges.operands[0]) | ((label == edges.operands[1]) & second[:, None])
        fits &= ~begins[:, None] | (operand & edges.bare[first:last])
        fits &= (label != edges.day) | words.dated[:, None]
        fits &= (label != edges.zone) | words.zoned[:, None]
        rows, roles = ((label == edges.time) & ~words.clock.any(1)[:, None]).nonzero(as_tuple=True)
        owner = (self.size[rows] - 1 - tables.closing[first:last][roles]).clamp_min(0)
        fits[rows, roles] &= self.stack[rows, owner] != tables.date
        may[:, first:] = role[:, None] & fits
        may[:, END] = role & ~self.bare & ~begins
        may[:, SPELL] = self.wants & ~self.spelling & (self.size < DEEPEST - 1) & self._spells(tables, words)
        may[:, DONE:first] = self.word.allowed(tables.letters, named)
        return may

    def allowed_nodes(self, tables: Tables, words: Words) -> Tensor:
        """Return the nodes and copies that keep the graph valid, ``(B, V - first_node + 1+S)``."""
        node = (self.wants & ~self.spelling)[:, None]
        top, full = (self.size == 0)[:, None], (self.size >= DEEPEST - 1)[:, None]
        opens, known = tables.opens[tables.first_node :], tables.known[tables.first_node :]
        may = node & (opens | ~top) & known
        if full.any():
            may &= ~(full & opens)
        may[:, tables.references] &= self._targets(tables) < self.rank[:, None]
        named = self.in_name(tables)[:, None]
        copy = torch.where(named, words.name, words.plain) >= 0
        copy &= node & ~((top | full) & (words.constant | named))
        well_formed = torch.cat((may, copy & ~full), 1)
        fitting = self._fitting(tables, words).logical_and_(well_formed)
        # if the constraints leave no choice, a well-formed graph is better than no graph
        possible = fitting.any(1) | self._spells(tables, words)
        return torch.where(possible[:, None], fitting, well_formed)

    def _spells(self, tables: Tables, words: Words) -> Tensor:
        """Return whether the next node may be spelled."""
        edges, role = tables.edges, self.role.long()
        amount = edges.amount[role] & edges.measure[self.parent]
        usual = edges.open[role] & ~(amount | self.in_date(tables))
        return torch.where(self.in_name(tables), words.spelled, usual)

    def _fitting(self, tables: Tables, words: Words) -> Tensor:
        """Return the nodes and copies that fit AMR and the sentence ``(B, V - first_node + 1+S)``."""
        edges, constants = tables.edges, words.constants
        at, role = (self.size - 1).clamp_min(0)[:, None], self.role.long()
        may = edges.fits[role]
        # months have names, so their numbers need not be in the sentence
        named, monthly = self.in_name(tables), edges.months[role]
        quoted = edges.quoted[tables.first_node :]
        names, months = named.nonzero()[:, 0], (monthly & ~named).nonzero()[:, 0]
        in_sentence = constants.usual[constants.rows]
        owner = self.stack.gather(1, (self.size - 2).clamp_min(0)[:, None])[:, 0]
        generic = (words.translated & ~edges.own_names[owner])[names, None] & edges.generic
        in_sentence[names] = (constants.sayable[constants.rows[names]] | generic) & quoted
        in_sentence[months] |= ~quoted
        may &= in_sentence
        # no edge that exists already, seen from either end, and none to the node itself
        links = self.links.gather(1, at[..., None].expand(-1, 1, self.links.shape[2]))[:, 0]
        target = self._targets(tables)
        known = links.gather(1, target.clamp(0, MOST_LINKED - 1).expand(len(links), -1))
        may[:, tables.references] &= (
            (known != self.role[:, None]) & (known != MANY) & (target != self.numbers.gather(1, at))
        )
        most = edges.ranges[role][:, None]
        whole = is_whole(words.value, most)
        copy = torch.isinf(most) | torch.where(most > 0, whole, ~words.constant)
        copy &= ~edges.closed[role][:, None]
        # ``:time`` of a date is a clock time, and clock times are nowhere else; names may contain anything
        timed = (self.in_date(tables) & (self.role == edges.time))[:, None]
        may &= (timed == edges.clock[tables.first_node :]) | named[:, None]
        copy &= (timed == words.clock) | named[:, None]
        return torch.cat((may, copy), 1)

    def _targets(self, tables: Tables) -> Tensor:
        """Return the nodes that the references point to ``(R,)``."""
        return tables.reference[tables.first_node :][tables.references]

    def advance(self, choice: Tensor, tables: Tables, words: Words) -> tuple[Tensor, Tensor]:
        """Advance each row by a choice ``(B,)``; return the symbol id and the copied slot (0 for none)."""
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
        self._link(symbol, opens, node & (tables.reference[symbol] >= 0), tables)
        top = self.size.clamp_max(DEEPEST - 1)[:, None]
        old = self.stack.gather(1, top)
        self.stack = self.stack.scatter(1, top, torch.where(opens[:, None], concept[:, None], old))
        self.size = (self.size + opens).clamp_max(DEEPEST)
        self.rank = self.rank + opens
        begins = ~self.spelling & (symbol == SPELL)
        self.word.follow(symbol - DONE - 1, begins, ends_spelling, tables.letters)
        self.wants = torch.where(role, tables.role[symbol], self.wants & ~(node | ends_spelling))
        self.numbered = torch.where(role, tables.numbered[symbol], self.numbered)
        self.bare = role & ~tables.role[symbol]
        self.fresh = opens
        self.role = torch.where(role, tables.edges.label[symbol], self.role)
        self.back = torch.where(role, tables.edges.inverse[symbol], self.back)
        return symbol, torch.where(copying & (symbol == COPY), slot, 0)

    def _link(self, symbol: Tensor, opens: Tensor, refers: Tensor, tables: Tables) -> None:
        """Store the edge of a step that opens a node or refers to one; call before the node is opened."""
        rows = torch.arange(len(symbol), device=symbol.device)
        parent, below = (self.size - 1).clamp_min(0), self.size.clamp_max(DEEPEST - 1)
        target = torch.where(refers, tables.reference[symbol], self.rank).clamp(0, MOST_LINKED - 1)
        above = self.numbers[rows, parent].clamp(0, MOST_LINKED - 1)
        self._join(rows, parent, target, self.role, (refers | opens) & (self.size > 0))
        # seen from the other end: an open node, or the new one
        depths = torch.arange(DEEPEST, device=symbol.device)
        is_target = (self.numbers == target[:, None]) & (depths < self.size[:, None])
        self._join(rows, is_target.int().argmax(1), above, self.back, refers & is_target.any(1))
        fresh = torch.zeros_like(self.links[:, 0])
        fresh[rows, above] = torch.where(self.size > 0, self.back, 0)
        self.links[rows, below] = torch.where(opens[:, None], fresh, self.links[rows, below])
        self.numbers[rows, below] = torch.where(opens, self.rank, self.numbers[rows, below])

    def _join(self, rows: Tensor, depth: Tensor, target: Tensor, role: Tensor, some: Tensor) -> None:
        """Store an edge of the open node at a depth; a second, different edge to a node makes it `MANY`."""
        old = self.links[rows, depth, target]
        new = torch.where((old == 0) | (old == role), role, MANY)
        self.links[rows, depth, target] = torch.where(some & (role != 0), new, old)

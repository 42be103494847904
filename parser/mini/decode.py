"""Greedy decoding of a batch under the grammar, with cached keys and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from parser.mini.grammar import States, Tables, Words
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.source import Source
from parser.mini.symbols import COPY, DONE, END, SPELL, START, Alphabet, State, copied

ROWS = (8, 16, 32, 64, 128)
FEWEST, MOST_SYMBOLS = 12, 2.4


@dataclass
class Beam:
    """The rows still being decoded and everything that belongs to them."""

    rows: Tensor
    memory: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor
    copy_keys: Tensor
    cross: list[tuple[Tensor, Tensor]]
    past: list[tuple[Tensor, Tensor]]
    words: Words
    states: States
    token: Tensor
    copied: Tensor
    looked: Tensor

    def keep(self, rows: Tensor) -> Beam:
        """Only ``rows``."""
        return Beam(
            self.rows[rows], self.memory[rows], self.keys[rows], self.values[rows], self.mask[rows],
            self.copy_keys[rows],
            [(k[rows], v[rows]) for k, v in self.cross], [(k[rows], v[rows]) for k, v in self.past],
            self.words.keep(rows), self.states.keep(rows), self.token[rows], self.copied[rows],
            self.looked[rows],
        )  # fmt: skip


class Decoded(NamedTuple):
    """What was said, step by step, ``(B, T)`` each.

    Attributes:
        ids: Symbols, `END` after the end.
        slots: Memory slot that a symbol was copied from, 0 for none.
        looked: Memory slot whose meaning weighed most, 0 for none.
        cut: Which rows were cut ``(B,)``.
    """

    ids: Tensor
    slots: Tensor
    looked: Tensor
    cut: Tensor


class Decoder:
    """Decodes with one network and alphabet.

    Args:
        network: The network, in evaluation mode.
        alphabet: Its symbols.
    """

    def __init__(self, network: MiniNetwork, alphabet: Alphabet) -> None:
        self.network, self.alphabet = network, alphabet
        self.device = network.bias.device
        self.tables = Tables.of(alphabet, self.device)
        first = alphabet.first_node
        self.nodes = network.table()[first:].detach(), network.bias[first:].detach()

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Decode a batch.

        A row that says more than `MOST_SYMBOLS` symbols a subword has lost its way and is cut there.
        """
        limits = [min(FEWEST + int(MOST_SYMBOLS * len(source.ids)), MOST_STEPS) for source in sources]
        limit, steps = torch.tensor(limits, device=self.device), max(limits)
        beam = self._start(features, vector, mask, sources)
        batch = len(sources)
        ids = torch.full((batch, steps), END, device=self.device)
        slots = torch.zeros((batch, steps), dtype=torch.long, device=self.device)
        looked = torch.zeros_like(slots)
        cut = torch.zeros(batch, dtype=torch.bool, device=self.device)
        for step in range(steps):
            self._step(beam, step)
            # repeated rows (see `_fill`) write the same values twice
            ids[beam.rows, step], slots[beam.rows, step] = beam.token, beam.copied
            looked[beam.rows, step] = beam.looked
            over = (beam.token != END) & (step + 1 >= limit[beam.rows])
            cut[beam.rows[over]] = True
            alive = ((beam.token != END) & (step + 1 < limit[beam.rows])).nonzero()[:, 0]
            if not len(alive):
                break
            beam.token = torch.where(step + 1 < limit[beam.rows], beam.token, END)
            if _size(len(alive)) < len(beam.token):
                beam = beam.keep(_fill(alive, len(beam.token)))
        return Decoded(ids, slots, looked, cut)

    def _start(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Beam:
        net = self.network
        memory, values, mask = net.encode(features, vector, mask)
        batch, slots, _ = memory.shape
        shape = (batch, net.shape.heads, 0, net.shape.width // net.shape.heads)
        empty = torch.zeros(shape, device=self.device)
        zeros = torch.zeros(batch, dtype=torch.long, device=self.device)
        return Beam(
            rows=torch.arange(batch, device=self.device),
            memory=memory,
            keys=net.name_key(memory).float(),
            values=values.float(),
            mask=mask[:, None, None],
            copy_keys=net.copy_key(memory).transpose(1, 2).float(),
            cross=[_wide(block.across.remember(memory)) for block in net.layers()],
            past=[(empty, empty) for _ in net.decoder],
            words=Words.of(sources, slots, self.alphabet, self.device),
            states=States.start(batch, self.device),
            token=zeros + START,
            copied=zeros,
            looked=zeros,
        )

    def _step(self, beam: Beam, step: int) -> None:
        net, states = self.network, beam.states
        place = (beam.token[:, None], states.depth[:, None], states.parent[:, None], beam.copied[:, None])
        x = net.embed(*place, beam.memory, step)  # (B, 1, d)
        for i, block in enumerate(net.layers()):
            new = _wide(block.self_attention.remember(block.norms[0](x)))
            own = tuple(torch.cat((old, fresh), 2) for old, fresh in zip(beam.past[i], new, strict=True))
            beam.past[i] = (own[0], own[1])
            x = block.decode(x, beam.past[i], beam.cross[i], beam.mask)
        hidden = net.decoder_norm(x)
        shares = net.attend(hidden, beam.keys, beam.mask[:, 0, 0])
        hidden, beam.looked = net.mean(hidden, shares, beam.values), shares[:, 0].argmax(-1)
        choice = self._choose(hidden[:, 0], beam)
        finished = beam.token == END
        token, slot = states.advance(choice, self.tables, beam.words)
        beam.token, beam.copied = torch.where(finished, END, token), torch.where(finished, 0, slot)

    def _choose(self, hidden: Tensor, beam: Beam) -> Tensor:
        """Best allowed choice of every row; roles and nodes are scored apart, each over its own symbols."""
        net, first = self.network, self.tables.first_node
        allowed = beam.states.allowed_low(self.tables)
        # a finished row may be in any state: it must have something to choose
        allowed[:, END] |= beam.token == END
        low = net.low(hidden, first).masked_fill_(~allowed, float("-inf"))
        best, choice = low.max(-1)
        rows = (beam.states.wants & ~beam.states.spelling & (beam.token != END)).nonzero()[:, 0]
        if len(rows):
            rows = _fill(rows, len(hidden))
            nodes = beam.states.keep(rows).allowed_nodes(self.tables, beam.words.keep(rows))
            high = net.full(hidden[rows], beam.copy_keys[rows], *self.nodes)
            high = high.masked_fill_(~nodes, float("-inf"))
            best_high, choice_high = high.max(-1)
            better = best_high > best[rows]
            choice = choice.scatter(0, rows, torch.where(better, choice_high + first, choice[rows]))
        return choice


def _wide(memory: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    return memory[0].float(), memory[1].float()


def _size(rows: int) -> int:
    """Smallest of `ROWS` that holds ``rows``; more than the largest stay as they are."""
    return next((size for size in ROWS if size >= rows), rows)


def _fill(rows: Tensor, most: int) -> Tensor:
    """Row numbers, the last repeated up to one of `ROWS`: few batch sizes need few compiled products."""
    return torch.cat((rows, rows[-1:].expand(min(_size(len(rows)), most) - len(rows))))


class Symbols(NamedTuple):
    """One decoded row, read.

    Attributes:
        packed: Packed symbols.
        slots: For each concept among them the memory slot that it came from, 0 for none.
    """

    packed: list[str]
    slots: list[int]


def read_symbols(
    ids: list[int], slots: list[int], looked: list[int], source: Source, alphabet: Alphabet
) -> Symbols:
    """Read one decoded row up to its end.

    A copied word is written as what its place asks for; a spelled one is put together.
    """
    words = {start + 1: word for word, start in zip(source.words, source.starts, strict=True)}
    name_id = alphabet.ids.get("name", -1)
    state = State()
    read = Symbols([], [])
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
                symbol = copied(words[slot], state.in_name(name_id)) or words[slot].lower()
            elif symbol_id == DONE:
                symbol = "".join(spelled)
            rank = state.rank
            state.take_node(symbol, SPELL if symbol_id == DONE else symbol_id)
            if state.rank > rank:
                read.slots.append(slot or look)
        else:
            state.take_role(symbol)
        read.packed.append(symbol)
    return read

"""One step of decoding for a batch: cached keys, scores under the grammar, the states after."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from parser.mini.grammar import States, Tables, Words
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.recurrence import Recurrence, Said
from parser.mini.symbols import END, START, Alphabet
from parser.mini.words import Source

ROWS = (8, 16, 32, 64, 128)
FEWEST, MOST_SYMBOLS = 12, 2.4
NEVER = float("-inf")


@dataclass
class Rows:
    """The sentences still being decoded, ``K`` readings of each, and everything that belongs to them.

    Tensors of a sentence are kept once ``(B, ...)``, those of its readings per reading ``(B K, ...)``.

    Attributes:
        rows: Their numbers in the batch ``(B,)``.
        memory: Encoder output; with it what its slots mean, which there are, and keys made of it.
        past: Each layer's keys and values of all readings' steps, K a step ``(B, heads, room, d / heads)``.
        line: Which of those steps a reading has behind it ``(B, K, room)``.
        words: Symbols that copying yields.
        states: State of each reading in the grammar; ``said`` its symbols.
        token: The last symbol, the slot that it was copied from, the slot looked at.
    """

    rows: Tensor
    memory: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor
    copy_keys: Tensor
    cross: list[tuple[Tensor, Tensor]]
    past: list[tuple[Tensor, Tensor]]
    line: Tensor
    words: Words
    states: States
    said: Said
    token: Tensor
    copied: Tensor
    looked: Tensor

    @property
    def readings(self) -> int:
        """Readings of a sentence, ``K``."""
        return self.line.shape[1]

    def sentence(self, readings: Tensor) -> Tensor:
        """Return the sentence of each reading."""
        return readings // self.readings

    def keep(self, rows: Tensor) -> Rows:
        """Only the sentences ``rows``, in this order; one may come more than once."""
        own = (rows[:, None] * self.readings + torch.arange(self.readings, device=rows.device)).flatten()
        return Rows(
            self.rows[rows], self.memory[rows], self.keys[rows], self.values[rows], self.mask[rows],
            self.copy_keys[rows],
            [(k[rows], v[rows]) for k, v in self.cross], [(k[rows], v[rows]) for k, v in self.past],
            self.line[rows], self.words.keep(rows), self.states.keep(own), self.said.keep(own),
            self.token[own], self.copied[own], self.looked[own],
        )  # fmt: skip

    def branch(self, parents: Tensor) -> None:
        """Let each reading go on from another of its sentence: ``parents (B K,)`` are numbers of readings."""
        if torch.equal(parents, torch.arange(len(parents), device=parents.device)):
            return
        self.line = self.line.flatten(0, 1)[parents].view_as(self.line)
        self.states, self.said = self.states.keep(parents), self.said.keep(parents)
        self.token, self.copied = self.token[parents], self.copied[parents]
        self.looked = self.looked[parents]

    def take(self, step: int) -> slice:
        """Make room for a step; returns where its keys and values go."""
        columns = slice(step * self.readings, (step + 1) * self.readings)
        missing = columns.stop - self.line.shape[2]
        if missing > 0:
            more = (0, max(missing, self.line.shape[2]))
            self.line = F.pad(self.line, more)
            self.past = [(F.pad(k, (0, 0, *more)), F.pad(v, (0, 0, *more))) for k, v in self.past]
        self.line[:, :, columns] = torch.eye(self.readings, dtype=torch.bool, device=self.line.device)
        return columns


class Stepper:
    """Steps with one network and alphabet.

    Args:
        network: The network, in evaluation mode.
        alphabet: Its symbols.
    """

    def __init__(self, network: MiniNetwork, alphabet: Alphabet) -> None:
        self.network, self.alphabet = network, alphabet
        self.device = network.bias.device
        self.tables = Tables.of(alphabet, self.device, strict=bool(network.shape.reader))
        self.recurrence = Recurrence.of(network.recurs, alphabet)
        first = alphabet.first_node
        self.nodes = network.table()[first:].detach(), network.bias[first:].detach()

    def limits(self, sources: list[Source]) -> list[int]:
        """Symbols after which each row has lost its way: more than `MOST_SYMBOLS` a subword."""
        return [min(FEWEST + int(MOST_SYMBOLS * len(source.ids)), MOST_STEPS) for source in sources]

    def start(
        self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source], readings: int = 1
    ) -> Rows:
        """Return empty rows, ``readings`` per sentence."""
        net = self.network
        memory, values, mask = net.encode(features, vector, mask)
        batch, slots, _ = memory.shape
        shape = (batch, net.shape.heads, 0, net.shape.width // net.shape.heads)
        empty = torch.zeros(shape, device=self.device)
        zeros = torch.zeros(batch * readings, dtype=torch.long, device=self.device)
        return Rows(
            rows=torch.arange(batch, device=self.device),
            memory=memory,
            keys=net.name_key(memory).float(),
            values=values.float(),
            mask=mask[:, None, None],
            copy_keys=net.copy_key(memory).transpose(1, 2).float(),
            cross=[_wide(block.across.remember(memory)) for block in net.layers()],
            past=[(empty, empty) for _ in net.decoder],
            line=torch.zeros((batch, readings, 0), dtype=torch.bool, device=self.device),
            words=Words.of(
                sources,
                slots,
                self.alphabet,
                self.device,
                self.tables.edges.sayable if self.tables.edges else None,
            ),  # fmt: skip
            states=States.start(len(zeros), self.device),
            said=Said.start(len(zeros), slots, len(self.nodes[1]), self.device),
            token=zeros + START,
            copied=zeros,
            looked=zeros,
        )

    def hidden(self, rows: Rows, step: int) -> Tensor:
        """Hidden states, meanings ``(B K, d + m)`` of the next symbol; keeps keys and what is looked at."""
        net, states = self.network, rows.states
        before = torch.stack((rows.token, states.depth, states.parent, rows.copied))
        ids, depth, parent, copied = before.view(4, -1, rows.readings)
        x = net.embed(ids, depth, parent, copied, rows.memory, net.place[step])  # (B, K, d)
        columns = rows.take(step)
        line = rows.line[:, None, :, : columns.stop] if rows.readings > 1 else None
        for block, past, across in zip(net.layers(), rows.past, rows.cross, strict=True):
            for kept, new in zip(past, block.self_attention.remember(block.norms[0](x)), strict=True):
                kept[:, :, columns] = new
            own = past[0][:, :, : columns.stop], past[1][:, :, : columns.stop]
            x = block.decode(x, across, rows.mask, own, line)
        hidden = net.decoder_norm(x)
        shares = net.attend(hidden, rows.keys, rows.mask[:, 0, 0])
        rows.looked = shares.argmax(-1).flatten()
        return net.mean(hidden, shares, rows.values).flatten(0, 1)

    def may_low(self, states: States, words: Words) -> Tensor:
        """Return the specials, characters and roles that may follow ``(B, first_node)``."""
        return states.allowed_low(self.tables, words)

    def may_high(self, states: States, words: Words) -> Tensor:
        """Nodes and copies that may follow where a node is wanted ``(B, V - first_node + 1+S)``."""
        return states.allowed_nodes(self.tables, words)

    def low(self, hidden: Tensor, rows: Rows) -> Tensor:
        """Scores ``(B K, first_node)`` of specials, characters and roles, -inf where they are not allowed."""
        every = rows.sentence(torch.arange(len(hidden), device=self.device))
        words = rows.words.keep(every) if self.tables.edges else rows.words
        allowed = self.may_low(rows.states, words)
        # a finished row may be in any state: it must have something to choose
        allowed[:, END] |= rows.token == END
        scores = self.network.low(hidden, self.tables.first_node)
        scores = scores + rows.said.low(rows.states, self.tables, self.recurrence)
        return scores.masked_fill_(~allowed, NEVER)

    def high(self, hidden: Tensor, rows: Rows, some: Tensor) -> Tensor:
        """Scores ``(N, V - first_node + 1+S)`` of nodes and copies, for ``some`` readings."""
        of = rows.sentence(some)
        states, words = rows.states.keep(some), rows.words.keep(of)
        scores = self.network.full(hidden[some], rows.copy_keys[of], *self.nodes)
        scores += rows.said.keep(some).high(states, words, self.tables)
        scores.masked_fill_(~self.may_high(states, words), NEVER)
        symbol = torch.where(states.in_name(self.tables)[:, None], words.name, words.plain)
        return add_ways(scores, symbol - self.tables.first_node)

    def wanting(self, rows: Rows) -> Tensor:
        """Numbers of the readings that a node may follow in."""
        return (rows.states.wants & ~rows.states.spelling & (rows.token != END)).nonzero()[:, 0]

    def follow(self, rows: Rows, choice: Tensor) -> None:
        """Go on with one choice a reading ``(B K,)``; finished ones stay as they are."""
        finished, size = rows.token == END, rows.states.size
        words = rows.words.keep(rows.sentence(torch.arange(len(choice), device=self.device)))
        token, slot = rows.states.advance(choice, self.tables, words)
        rows.said.add(token, slot, size, rows.states, self.tables, self.recurrence)
        rows.token, rows.copied = torch.where(finished, END, token), torch.where(finished, 0, slot)


def add_ways(scores: Tensor, symbol: Tensor) -> Tensor:
    """Give a node that words of the sentence yield as well the score of all its ways, in place.

    A symbol's probability is the sum over its ways (`parser.training.mini.loss`), so its score is their
    log-sum-exp; these ways alone are gone then.

    Args:
        scores: Of nodes and of copying each slot ``(N, V' + S)``.
        symbol: Node that copying a slot yields, negative for a word that is none ``(N, S)``.

    Example:
        >>> add_ways(torch.tensor([[1.0, 2.0, 2.0, 3.0]]), torch.tensor([[1, -1]]))
        tensor([[1.0000, 2.6931,   -inf, 3.0000]])
    """
    nodes, copies = scores[:, : -symbol.shape[1]], scores[:, -symbol.shape[1] :]
    known, index = symbol >= 0, symbol.clamp_min(0)
    same = (symbol[:, :, None] == symbol[:, None]) & known[:, None]  # (N, S, S)
    copied = copies[:, None].masked_fill(~same, NEVER).logsumexp(-1)
    every = torch.where(known, torch.logaddexp(nodes.gather(1, index), copied), NEVER)
    nodes.scatter_reduce_(1, index, every, "amax")
    copies.masked_fill_(known, NEVER)
    return scores


def _wide(memory: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    return memory[0].float(), memory[1].float()


def size(rows: int) -> int:
    """Smallest of `ROWS` that holds ``rows``; more than the largest stay as they are."""
    return next((number for number in ROWS if number >= rows), rows)


def fill(rows: Tensor, most: int) -> Tensor:
    """Row numbers, the last repeated up to one of `ROWS`: few batch sizes need few compiled products."""
    return torch.cat((rows, rows[-1:].expand(min(size(len(rows)), most) - len(rows))))

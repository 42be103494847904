"""One step of decoding for a batch: cached keys, scores under the grammar, the states after."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from parser.mini.grammar import States, Tables, Words
from parser.mini.layers import Attention
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.recurrence import Recurrence, Said
from parser.mini.symbols import START, Alphabet
from parser.mini.words import Source

ROWS = (8, 16, 32, 64, 128)
FEWEST, MOST_SYMBOLS = 12, 2.4
NEVER = float("-inf")


@dataclass
class Rows:
    """The beginnings of graphs that readings go on from, with all that belongs to them and their sentences.

    Each sentence has room for ``K`` of them, one per reading. What attention needs is kept on this grid
    ``(B, K)``; all the rest for the ``N`` open beginnings alone, which stand at some places of it.
    """

    rows: Tensor  # numbers of the sentences in the batch ``(B,)``
    copied_memory: Tensor  # what the decoder sees of a copied slot ``(B, 1+S, d)``
    # of what the slots mean ``(B, 1+S, m)``; ``values`` the meanings, ``mask`` which slots there are
    keys: Tensor
    values: Tensor
    mask: Tensor
    copy_keys: Tensor  # of copying ``(B, w, 1+S)``
    cross: list[tuple[Tensor, Tensor]]  # each layer's keys and values of the encoder output
    # each layer's keys and values of all steps, K a step ``(B, heads, room, d / heads)``
    past: list[tuple[Tensor, Tensor]]
    line: Tensor  # which of those steps a beginning consists of ``(B, K, room)``
    words: Words  # symbols that copying yields
    # places of the open beginnings, in rising order, ``sentence * K`` and a number below ``K`` ``(N,)``
    place: Tensor
    states: States  # state of each beginning in the grammar; ``said`` its symbols
    said: Said
    token: Tensor  # the last symbol, the slot that it was copied from, the slot looked at
    copied: Tensor
    looked: Tensor

    @property
    def readings(self) -> int:
        """Room for beginnings of a sentence, ``K``."""
        return self.line.shape[1]

    def sentence(self, readings: Tensor | None = None) -> Tensor:
        """Return the sentence of each open beginning, or of some of them."""
        return (self.place if readings is None else self.place[readings]) // self.readings

    def spread(self, x: Tensor) -> Tensor:
        """Put vectors of the open beginnings ``(N or more, d)`` on the grid ``(B, K, d)``."""
        grid = x.new_zeros((len(self.rows) * self.readings, x.shape[-1]))
        grid[self.place] = x[: len(self.place)]
        return grid.view(len(self.rows), self.readings, -1)

    def gather(self, grid: Tensor) -> Tensor:
        """Take vectors of the open beginnings ``(N, d)`` from the grid ``(B, K, d)``."""
        return grid.flatten(0, 1)[self.place]

    def branch(self, parents: Tensor) -> None:
        """Let a beginning go on from each of ``parents``, numbers of rows in rising order ``(N',)``."""
        number = torch.arange(len(parents), device=parents.device)
        if len(parents) == len(self.place) and torch.equal(parents, number):
            return
        before = self.place[parents]
        sentence = before // self.readings
        place = sentence * self.readings + number - torch.searchsorted(sentence, sentence)
        line = self.line.flatten(0, 1)
        line[place] = line[before]
        self.place = place
        self._take(parents)

    def go_on(self, going: Tensor) -> None:
        """Close all beginnings but those ``going (N,)``, and leave sentences that have none."""
        if going.all():
            return
        (open_,) = going.nonzero(as_tuple=True)
        self.place = self.place[open_]
        self._take(open_)
        alive, sentence = self.sentence().unique(return_inverse=True)
        if size(len(alive)) < len(self.rows):
            self.place = sentence * self.readings + self.place % self.readings
            self._leave_all_but(alive)

    def _take(self, readings: Tensor) -> None:
        self.states, self.said = self.states.keep(readings), self.said.keep(readings)
        self.token, self.copied = self.token[readings], self.copied[readings]
        self.looked = self.looked[readings]

    def _leave_all_but(self, rows: Tensor) -> None:
        self.rows, self.copied_memory, self.mask = self.rows[rows], self.copied_memory[rows], self.mask[rows]
        self.keys, self.values, self.copy_keys = self.keys[rows], self.values[rows], self.copy_keys[rows]
        self.cross = [(k[rows], v[rows]) for k, v in self.cross]
        self.past = [(k[rows], v[rows]) for k, v in self.past]
        self.line, self.words = self.line[rows], self.words.keep(rows)

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
    """Steps with one network and alphabet."""

    def __init__(self, network: MiniNetwork, alphabet: Alphabet) -> None:
        self.network, self.alphabet = network, alphabet
        self.device = network.bias.device
        self.tables = Tables.of(alphabet, self.device)
        self.recurrence = Recurrence.of(network.recurs, alphabet)
        first = alphabet.first_node
        self.nodes = network.table()[first:].detach(), network.bias[first:].detach()
        with torch.no_grad():
            # what `MiniNetwork.embed` makes of each symbol
            self.inputs = network.look_up(torch.arange(len(alphabet), device=self.device))
            self.parents = network.parent(self.inputs)

    def limits(self, sources: list[Source]) -> list[int]:
        """Symbols after which each row has lost its way: more than `MOST_SYMBOLS` a subword."""
        return [min(FEWEST + int(MOST_SYMBOLS * len(source.ids)), MOST_STEPS) for source in sources]

    def start(
        self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source], readings: int = 1
    ) -> Rows:
        """Return empty rows, with room for ``readings`` per sentence."""
        net = self.network
        memory, values, mask = net.encode(features, vector, mask)
        batch, slots, _ = memory.shape
        shape = (batch, net.shape.heads, 0, net.shape.width // net.shape.heads)
        empty = torch.zeros(shape, device=self.device)
        zeros = torch.zeros(batch * readings, dtype=torch.long, device=self.device)
        return Rows(
            rows=torch.arange(batch, device=self.device),
            copied_memory=net.copied(memory),
            keys=net.name_key(memory).float(),
            values=values.float(),
            mask=mask[:, None, None],
            copy_keys=net.copy_key(memory).transpose(1, 2).float(),
            cross=[_wide(block.across.remember(memory)) for block in net.layers()],
            past=[(empty, empty) for _ in net.decoder],
            line=torch.zeros((batch, readings, 0), dtype=torch.bool, device=self.device),
            words=Words.of(sources, slots, self.alphabet, self.tables.edges, self.device),
            place=torch.arange(len(zeros), device=self.device),
            states=States.start(len(zeros), self.device),
            said=Said.start(len(zeros), slots, self.device),
            token=zeros + START,
            copied=zeros,
            looked=zeros,
        )

    def hidden(self, rows: Rows, step: int) -> Tensor:
        """Hidden states, meanings ``(N, d + m)`` of the next symbol; keeps keys and what is looked at."""
        net, columns = self.network, rows.take(step)
        line = rows.line[:, None, :, : columns.stop] if rows.readings > 1 else None
        x = self._embed(rows, step)
        x = F.pad(x, (0, 0, 0, rounded(len(x)) - len(x)))
        for block, past, across in zip(net.layers(), rows.past, rows.cross, strict=True):
            h, own = block.norms[0](x), block.self_attention
            for kept, new in zip(past, own.keys(h).chunk(2, -1), strict=True):
                kept[:, :, columns] = own.split(rows.spread(new))
            seen = past[0][:, :, : columns.stop], past[1][:, :, : columns.stop]
            x = x + self._attend(own, h, seen, line, rows)
            x = x + self._attend(block.across, block.norms[1](x), across, rows.mask, rows)
            x = block.feed_forward(x)
        grid = rows.spread(net.decoder_norm(x))
        shares = net.attend(grid, rows.keys, rows.mask[:, 0, 0])
        rows.looked = rows.gather(shares.argmax(-1, keepdim=True))[:, 0]
        return rows.gather(net.mean(grid, shares, rows.values))

    def _embed(self, rows: Rows, step: int) -> Tensor:
        """Return the decoder's input ``(N, d)``, as `MiniNetwork.embed` does."""
        states, net = rows.states, self.network
        x: Tensor = self.inputs[rows.token] + net.place[step] + net.depth(states.depth)
        x = x + self.parents[states.parent]
        return x + rows.copied_memory[rows.sentence(), rows.copied] * (rows.copied > 0)[:, None]

    def _attend(
        self, attention: Attention, h: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None, rows: Rows
    ) -> Tensor:
        """Attend from the open beginnings ``(N or more, d)``, whose queries meet their sentence's memory."""
        mixed = rows.gather(attention.mix(rows.spread(attention.query(h)), memory, mask))
        return attention.out(F.pad(mixed, (0, 0, 0, len(h) - len(mixed))).to(h.dtype))  # type: ignore[no-any-return]

    def may_low(self, states: States, words: Words) -> Tensor:
        """Return the specials, characters and roles that may follow ``(N, first_node)``."""
        return states.allowed_low(self.tables, words)

    def may_high(self, states: States, words: Words) -> Tensor:
        """Nodes and copies that may follow where a node is wanted ``(N, V - first_node + 1+S)``."""
        return states.allowed_nodes(self.tables, words)

    def scores(self, hidden: Tensor, rows: Rows) -> list[tuple[Tensor, Tensor]]:
        """Return scores of choices, -inf where they are not allowed, with the beginnings that they are of.

        Where a node may follow: specials, characters, roles, nodes, copies ``(N', V + 1+S)``. For the other
        beginnings the first three of these ``(N'', first_node)``.
        """
        first, low = self.tables.first_node, self._low(hidden, rows)
        wants = rows.states.wants & ~rows.states.spelling
        (some,), (others,) = wants.nonzero(as_tuple=True), (~wants).nonzero(as_tuple=True)
        scores = [(others, low[others])] if len(others) else []
        if len(some):
            slots = rows.words.plain.shape[1]
            every = low.new_empty((len(some), first + len(self.nodes[1]) + slots))
            every[:, :first] = low[some]
            self._high(every[:, first:], hidden, rows, some)
            scores.append((some, every))
        return scores

    def _low(self, hidden: Tensor, rows: Rows) -> Tensor:
        """Scores ``(N, first_node)`` of specials, characters and roles."""
        allowed = self.may_low(rows.states, rows.words.keep(rows.sentence()))
        scores = self.network.low(hidden, self.tables.first_node)
        scores = scores + rows.said.low(rows.states, self.tables, self.recurrence)
        return scores.masked_fill_(~allowed, NEVER)

    def _high(self, scores: Tensor, hidden: Tensor, rows: Rows, some: Tensor) -> None:
        """Write the scores ``(N', V - first_node + 1+S)`` of nodes and copies, for ``some`` beginnings."""
        of = rows.sentence(some)
        states, words = rows.states.keep(some), rows.words.keep(of)
        self.network.full(hidden[some], rows.copy_keys[of], *self.nodes, scores)
        rows.said.keep(some).high(scores, states, words, self.tables)
        scores.masked_fill_(~self.may_high(states, words), NEVER)
        symbol = torch.where(states.in_name(self.tables)[:, None], words.name, words.plain)
        add_ways(scores, symbol - self.tables.first_node)

    def follow(self, rows: Rows, choice: Tensor) -> None:
        """Go on with one choice a beginning ``(N,)``."""
        before, words = rows.states.size, rows.words.keep(rows.sentence())
        rows.token, rows.copied = rows.states.advance(choice, self.tables, words)
        rows.said.add(rows.token, rows.copied, before, rows.states, self.tables, self.recurrence)


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


def rounded(rows: int) -> int:
    """Return ``rows`` rounded up to a multiple of 8, of a power of 2 for many: few sizes need few kernels.

    Example:
        >>> [rounded(rows) for rows in (1, 65, 129, 300)]
        [8, 72, 144, 320]
    """
    unit = max(8, 1 << max(0, rows.bit_length() - 4))
    return -(-rows // unit) * unit

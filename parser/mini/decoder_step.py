"""Decode one step of a batch: attention with cached keys, scores under the grammar, new states."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from parser.mini.grammar import States, Tables, Words
from parser.mini.layers import Attention
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.recurrence import History, Recurrence
from parser.mini.symbols import START, Alphabet
from parser.mini.translations import NEVER, Concepts, Translations
from parser.mini.words import Source

ROWS = (8, 16, 32, 64, 128)
FEWEST, MOST_SYMBOLS = 12, 2.4


@dataclass
class Rows:
    """The open prefixes of graphs in a batch, with their decoder states.

    Each sentence has room for ``K`` prefixes, one per reading. Tensors for attention are on this grid ``(B,
    K)``; the others have a row for each of the ``N`` open prefixes, whose cells on the grid are ``place``.
    """

    rows: Tensor  # number of each sentence in the batch ``(B,)``
    copied_memory: Tensor  # input of the decoder for a copied slot ``(B, 1+S, d)``
    keys: Tensor  # keys of the slots' meanings ``(B, 1+S, m)``
    values: Tensor  # meanings of the slots ``(B, 1+S, m)``
    mask: Tensor  # slots that exist ``(B, 1, 1, 1+S)``
    copy_keys: Tensor  # keys of the copy scores ``(B, w, 1+S)``
    cross: list[tuple[Tensor, Tensor]]  # each layer's keys and values of the encoder output
    # each layer's keys and values of the steps so far, ``K`` columns per step ``(B, heads, room, d / heads)``
    past: list[tuple[Tensor, Tensor]]
    line: Tensor  # columns of ``past`` that belong to each prefix ``(B, K, room)``
    words: Words  # symbols that copying yields
    translations: Translations  # nodes that translate words
    # cells of the open prefixes, ascending: ``sentence * K`` plus a number below ``K`` ``(N,)``
    place: Tensor
    states: States  # grammar state of each prefix
    history: History  # symbols that each prefix contains
    token: Tensor  # last symbol ``(N,)``
    copied: Tensor  # slot that it was copied from, 0 for none ``(N,)``
    looked: Tensor  # slot with the highest attention ``(N,)``
    shares: Tensor  # attention of the step to each slot ``(N, 1+S)``

    @property
    def readings(self) -> int:
        """The maximum number of prefixes per sentence, ``K``."""
        return self.line.shape[1]

    def sentence(self, readings: Tensor | None = None) -> Tensor:
        """Return the sentence of all open prefixes, or of the given ones."""
        return (self.place if readings is None else self.place[readings]) // self.readings

    def spread(self, x: Tensor) -> Tensor:
        """Scatter vectors of the open prefixes ``(N or more, d)`` to the grid ``(B, K, d)``."""
        grid = x.new_zeros((len(self.rows) * self.readings, x.shape[-1]))
        grid[self.place] = x[: len(self.place)]
        return grid.view(len(self.rows), self.readings, -1)

    def gather(self, grid: Tensor) -> Tensor:
        """Gather vectors of the open prefixes ``(N, d)`` from the grid ``(B, K, d)``."""
        return grid.flatten(0, 1)[self.place]

    def branch(self, parents: Tensor) -> None:
        """Replace the prefixes by one copy for each of ``parents``, ascending row numbers ``(N',)``."""
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
        """Keep only the prefixes in the mask ``going (N,)``; drop finished sentences if that saves rows."""
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
        self.states, self.history = self.states.keep(readings), self.history.keep(readings)
        self.token, self.copied = self.token[readings], self.copied[readings]
        self.looked, self.shares = self.looked[readings], self.shares[readings]

    def _leave_all_but(self, rows: Tensor) -> None:
        self.rows, self.copied_memory, self.mask = self.rows[rows], self.copied_memory[rows], self.mask[rows]
        self.keys, self.values, self.copy_keys = self.keys[rows], self.values[rows], self.copy_keys[rows]
        self.cross = [(k[rows], v[rows]) for k, v in self.cross]
        self.past = [(k[rows], v[rows]) for k, v in self.past]
        self.line, self.words = self.line[rows], self.words.keep(rows)
        self.translations = self.translations.keep(rows)

    def take(self, step: int) -> slice:
        """Make room for a step; return the columns of its keys and values."""
        columns = slice(step * self.readings, (step + 1) * self.readings)
        missing = columns.stop - self.line.shape[2]
        if missing > 0:
            more = (0, max(missing, self.line.shape[2]))
            self.line = F.pad(self.line, more)
            self.past = [(F.pad(k, (0, 0, *more)), F.pad(v, (0, 0, *more))) for k, v in self.past]
        self.line[:, :, columns] = torch.eye(self.readings, dtype=torch.bool, device=self.line.device)
        return columns


class Stepper:
    """Decode steps with one network and alphabet."""

    def __init__(self, network: MiniNetwork, alphabet: Alphabet) -> None:
        self.network, self.alphabet = network, alphabet
        self.device = network.bias.device
        self.tables = Tables.of(alphabet, self.device)
        self.recurrence = Recurrence.of(network.recurs, alphabet)
        self.concepts = Concepts(alphabet, self.device)
        first = alphabet.first_node
        self.nodes = network.table()[first:].detach(), network.bias[first:].detach()
        with torch.no_grad():
            # parts of `MiniNetwork.embed` that depend on the symbol alone
            self.inputs = network.look_up(torch.arange(len(alphabet), device=self.device))
            self.parents = network.parent(self.inputs)

    def limits(self, sources: list[Source]) -> list[int]:
        """Return the maximum number of symbols per sentence: `FEWEST`, and `MOST_SYMBOLS` per subword."""
        return [min(FEWEST + int(MOST_SYMBOLS * len(source.ids)), MOST_STEPS) for source in sources]

    def start(
        self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source], readings: int = 1
    ) -> Rows:
        """Return the rows before the first step, with room for ``readings`` prefixes per sentence."""
        net = self.network
        memory, values, mask = net.encode(features, vector, mask)
        batch, slots, _ = memory.shape
        shape = (batch, net.shape.heads, 0, net.shape.width // net.shape.heads)
        empty = torch.zeros(shape, device=self.device)
        zeros = torch.zeros(batch * readings, dtype=torch.long, device=self.device)
        return Rows(
            rows=torch.arange(batch, device=self.device),
            copied_memory=net.copied(memory),
            keys=net.name_key(memory),
            values=values,
            mask=mask[:, None, None],
            copy_keys=net.copy_key(memory).transpose(1, 2),
            cross=[block.across.remember(memory) for block in net.layers()],
            past=[(empty, empty) for _ in net.decoder],
            line=torch.zeros((batch, readings, 0), dtype=torch.bool, device=self.device),
            words=Words.of(sources, slots, self.alphabet, self.tables.edges, self.device),
            translations=Translations.of([source.entries for source in sources], self.concepts, self.device),
            place=torch.arange(len(zeros), device=self.device),
            states=States.start(len(zeros), self.device),
            history=History.start(len(zeros), slots, self.device),
            token=zeros + START,
            copied=zeros,
            looked=zeros,
            shares=mask.new_zeros((len(zeros), slots), dtype=torch.float32),
        )

    def hidden(self, rows: Rows, step: int) -> Tensor:
        """Return hidden states and meanings ``(N, d + m)`` for the next symbol; store keys and ``shares``."""
        net, columns = self.network, rows.take(step)
        line = rows.line[:, None, :, : columns.stop] if rows.readings > 1 else None
        x = self._embed(rows, step)
        x = F.pad(x, (0, 0, 0, rounded(len(x)) - len(x)))
        for block, past, across in zip(net.layers(), rows.past, rows.cross, strict=True):
            h, own = block.norms[0](x), block.self_attention
            for cache, new in zip(past, own.keys(h).chunk(2, -1), strict=True):
                cache[:, :, columns] = own.split(rows.spread(new))
            seen = past[0][:, :, : columns.stop], past[1][:, :, : columns.stop]
            x = x + self._attend(own, h, seen, line, rows)
            x = x + self._attend(block.across, block.norms[1](x), across, rows.mask, rows)
            x = block.feed_forward(x)
        grid = rows.spread(net.decoder_norm(x))
        shares = net.attend(grid, rows.keys, rows.mask[:, 0, 0])
        rows.shares = rows.gather(shares)
        rows.looked = rows.shares.argmax(-1)
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
        """Attend from the open prefixes ``(N or more, d)`` to the memory of their sentences."""
        mixed = rows.gather(attention.mix(rows.spread(attention.query(h)), memory, mask))
        return attention.out(F.pad(mixed, (0, 0, 0, len(h) - len(mixed))).to(h.dtype))  # type: ignore[no-any-return]

    def may_low(self, states: States, words: Words) -> Tensor:
        """Return the specials, characters and roles that may follow ``(N, first_node)``."""
        return states.allowed_low(self.tables, words)

    def may_high(self, states: States, words: Words) -> Tensor:
        """Return the nodes and copies that may follow if a node must follow ``(N, V - first_node + 1+S)``."""
        return states.allowed_nodes(self.tables, words)

    def scores(self, hidden: Tensor, rows: Rows) -> list[tuple[Tensor, Tensor]]:
        """Return the scores of choices, -inf if forbidden, in pairs of prefix numbers and scores.

        If a node must follow, the choices are specials, characters, roles, nodes and copies ``(N', V +
        1+S)``; for the other prefixes they are specials, characters and roles ``(N'', first_node)``.
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
        """Return scores ``(N, first_node)`` of specials, characters and roles."""
        allowed = self.may_low(rows.states, rows.words.keep(rows.sentence()))
        scores = self.network.low(hidden, self.tables.first_node)
        scores = scores + rows.history.low(rows.states, self.tables, self.recurrence)
        return scores.masked_fill_(~allowed, NEVER)

    def _high(self, scores: Tensor, hidden: Tensor, rows: Rows, some: Tensor) -> None:
        """Write the scores ``(N', V - first_node + 1+S)`` of nodes and copies, for the prefixes ``some``."""
        sentence = rows.sentence(some)
        states, words = rows.states.keep(some), rows.words.keep(sentence)
        self.network.full(hidden[some], rows.copy_keys[sentence], *self.nodes, scores)
        rows.history.keep(some).high(scores, states, words, self.tables)
        scores.masked_fill_(~self.may_high(states, words), NEVER)
        translations, before = rows.translations.keep(sentence), rows.history.nodes[some]
        translations.favour(scores, rows.shares[some], before, self.concepts.worded)
        symbol = torch.where(states.in_name(self.tables)[:, None], words.name, words.plain)
        add_ways(scores, symbol - self.tables.first_node)

    def follow(self, rows: Rows, choice: Tensor) -> None:
        """Append one choice to each prefix ``(N,)``."""
        before, words = rows.states.size, rows.words.keep(rows.sentence())
        rows.token, rows.copied = rows.states.advance(choice, self.tables, words)
        rows.history.add(rows.token, rows.copied, before, rows.states, self.tables, self.recurrence)


def add_ways(scores: Tensor, symbol: Tensor) -> Tensor:
    """Merge the scores of copies into the scores of the nodes that they yield, in place.

    A symbol's probability is the sum over the ways to produce it (`parser.training.mini.loss`), so its score
    is their log-sum-exp; the merged copies get -inf.

    Args:
        scores: Scores of nodes and of copying each slot ``(N, V' + S)``.
        symbol: Node that copying each slot yields, negative if none ``(N, S)``.

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


def size(rows: int) -> int:
    """Return the smallest of `ROWS` that is >= ``rows``; ``rows`` itself if none is."""
    return next((number for number in ROWS if number >= rows), rows)


def rounded(rows: int) -> int:
    """Return ``rows`` rounded up to a multiple of 8 or a larger power of 2: few sizes need few kernels.

    Example:
        >>> [rounded(rows) for rows in (1, 65, 129, 300)]
        [8, 72, 144, 320]
    """
    unit = max(8, 1 << max(0, rows.bit_length() - 4))
    return -(-rows // unit) * unit

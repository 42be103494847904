"""Choose one valid graph from the network's scores.

::

    gates   -> nodes       labels -> concepts, constants, copied words
    edges   -> every edge of probability over `EDGE`; a constant has one parent; parts that are left are
               joined by the best edges, as in a maximum spanning tree (Kruskal 1956)
    roles   -> the best of each edge; a role such as ``:ARG0`` once per node

Graphs are valid by construction: connected, with one top that is a concept, without self-loops or two edges
between two nodes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from linearize.packed import is_constant
from parser.mini.confidence import Signs
from parser.mini.flat import NAMED, Edge, Flat
from parser.mini.labels import Labels
from parser.mini.lexicon.dictionaries import english
from parser.mini.model import MiniNetwork
from parser.mini.source import Source

Floats = npt.NDArray[np.float32]
GATE = 0.31
"""Least worth of a node: its probability times ``SURE + (1 - SURE) p``, ``p`` that of its label.

Chosen with `SURE` on samples of STS-B dev, The Little Prince dev and Bio dev. F1 is best if what is added is
right at least half as often as F1 (Lipton et al. 2014), and a node with a wrong label adds edges alone.
"""
SURE = 0.5
"""Share of the worth that does not depend on the label."""
EDGE = 0.6
"""Least probability of an edge between parts that are joined already."""
NEVER = -1e9
REPEATED = -1
"""Number of the word of a node that copies a word which another one copies."""
ONCE = frozenset(
    ":polarity :mode :name :quant :unit :year :month :day :weekday :dayperiod :season :decade :era :century"
    " :value :time-of-day :polite :ord :age".split()
)
"""Roles of which a node has at most one, besides ``:ARGn``, ``:opN`` and the words of a name."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The graph of one sentence."""

    flat: Flat
    pieces: tuple[int, ...]  # the piece of each node
    signs: Signs


@dataclass(frozen=True)
class Tables:
    """Facts of the labels and roles."""

    constant: npt.NDArray[np.bool_]  # labels that are constants
    once: npt.NDArray[np.bool_]  # roles that a node has once
    named: npt.NDArray[np.bool_]  # roles of the words of a name

    @classmethod
    def of(cls, labels: Labels) -> Tables:
        """Return the tables of some labels."""
        roles = labels.roles
        counted = (":ARG", ":op", ":snt", NAMED)
        once = [role in ONCE or role.startswith(counted) for role in roles]
        named = [role.startswith(NAMED) and role != NAMED for role in roles]
        return cls(labels.constant, np.array(once), np.array(named))


class Decoder:
    """Decode batches of sentences; each graph depends on its own sentence only."""

    def __init__(self, network: MiniNetwork, labels: Labels) -> None:
        self.network, self.labels, self.tables = network, labels, Tables.of(labels)
        self.table = network.table().detach()

    @torch.inference_mode()
    def __call__(self, ids: Tensor, mask: Tensor, hints: Tensor, sources: Sequence[Source]) -> list[Decoded]:
        """Return the graph of each sentence; the arguments are those of the network, and the sentences."""
        network = self.network
        states = network(ids, mask, hints)
        gate = torch.sigmoid(states.gate.float()).masked_fill(~states.mask, 0.0)  # (B, T)
        row, query = self._likely(gate).nonzero().unbind(1)
        scores = self._scores(states.label[row, query])  # (K, V)
        highest, best = scores.max(1)
        logs = highest - scores.logsumexp(1)  # of the probability of the best label (K,)
        sure = SURE + (1 - SURE) * logs.exp()
        kept = self._likely(torch.zeros_like(gate).index_put((row, query), gate[row, query] * sure))
        row, query, best, logs = (one[kept[row, query]] for one in (row, query, best, logs))
        pointers = network.pointers(states.hidden[row, query][:, None], states.pieces[row])[:, 0]  # (K, S)
        pieces = (query // network.shape.queries).tolist()
        words = self._words(sources, row.tolist(), pieces, best, pointers)
        repeated = self._repeated(row.tolist(), pieces, best.tolist(), gate[row, query].tolist())
        once = [node for node in range(len(row)) if words[node] != REPEATED and node not in repeated]
        row, query, best, logs = row[once], query[once], best[once], logs[once]
        words = [words[node] for node in once]
        hidden = states.hidden[row, query]  # (K, d)
        counts = torch.bincount(row, minlength=len(sources))
        parts = counts.tolist()
        exists = torch.arange(max(parts), device=counts.device) < counts[:, None]  # (B, N)
        nodes = network.relate(
            pad_sequence(hidden.split(parts), batch_first=True),
            pad_sequence(best.split(parts), batch_first=True),
            exists,
        )
        tops = network.top(nodes)[..., 0].float().cpu()
        edges = network.edges(nodes).float().cpu().numpy()
        ends = torch.stack((counts.cumsum(0) - counts, counts.cumsum(0)), 1).tolist()
        drafts = []
        for number, (source, (begin, end)) in enumerate(zip(sources, ends, strict=True)):
            count = end - begin
            gates = gate[number][kept[number]].cpu(), gate[number][~kept[number]].cpu()
            drafts += [self._draft(
                source, query[begin:end].cpu() // network.shape.queries,
                states.label[row[begin:end], query[begin:end]], best[begin:end].cpu(), logs[begin:end].cpu(),
                words[begin:end], tops[number, :count], edges[number, :count, :count], nodes[number, :count],
                gates,
            )]  # fmt: skip
        return self._with_roles(drafts)

    def _scores(self, states: Tensor) -> Tensor:
        """Return the scores of all labels ``(..., V)`` of states in the space of labels."""
        return (states @ self.table.T + self.network.bias).float()

    def _likely(self, worth: Tensor) -> Tensor:
        """Return which queries ``(B, T)`` of each sentence are worth a node, one at least."""
        kept = worth > GATE
        kept[torch.arange(len(worth)), worth.argmax(1)] = True
        return kept

    def _draft(
        self, source: Source, pieces: Tensor, states: Tensor, best: Tensor, logs: Tensor,
        words: list[int | None], tops: Tensor, edges: Floats, hidden: Tensor, gates: tuple[Tensor, Tensor],
    ) -> _Draft:  # fmt: skip
        label = best.numpy().copy()
        constant = self.tables.constant[label]
        for node, word in enumerate(words):
            if word is not None and label[node] == self.labels.copy:
                constant[node] = is_constant(source.words[word].plain or "")
        if constant.all():  # a graph has a concept
            node = int(tops.argmax())
            scores = self._scores(states[node]).cpu().log_softmax(0).numpy()
            label[node] = np.where(self.tables.constant, NEVER, scores)[: self.labels.copy].argmax()
            logs[node] = float(scores[label[node]])
            words[node] = None
            constant[node] = False
        top = int(tops.masked_fill(torch.from_numpy(constant), NEVER).argmax())
        signs = Signs(
            count=len(label),
            nodes=float(torch.log(gates[0]).mean()),
            others=float(torch.log1p(-gates[1]).sum()) / len(label),
            labels=float(logs.mean()),
        )
        chosen = choose_edges(edges, constant, EDGE)
        return _Draft(source, label, words, pieces.tolist(), constant, top, chosen, signs, hidden)

    def _words(
        self,
        sources: Sequence[Source],
        rows: Sequence[int],
        pieces: Sequence[int],
        best: Tensor,
        pointers: Tensor,
    ) -> list[int | None]:
        """Return the word of each node that is copied, by its pointer, or unknown, by its piece, as a number.

        A word is copied by the surest node alone; for others it is `REPEATED`.
        """
        words: list[int | None] = [None] * len(rows)
        surest: dict[tuple[int, int], tuple[float, int]] = {}
        scores = pointers.float().cpu()
        for node in (best >= self.labels.copy).nonzero()[:, 0].tolist():
            source = sources[rows[node]]
            if not source.words:
                continue
            if int(best[node]) == self.labels.unknown:
                words[node] = max(0, bisect_right(source.starts, pieces[node]) - 1)
                continue
            shares = torch.softmax(scores[node, source.starts], -1)
            word = int(shares.argmax())
            score, other = surest.get((rows[node], word), (-1.0, -1))
            words[node] = word if float(shares[word]) > score else REPEATED
            if words[node] == word:
                surest[rows[node], word] = float(shares[word]), node
                if other >= 0:
                    words[other] = REPEATED
        return words

    def _repeated(
        self, rows: Sequence[int], pieces: Sequence[int], labels: Sequence[int], gates: Sequence[float]
    ) -> set[int]:
        """Return the less likely of each two nodes with one label at the same piece or adjacent ones.

        Both pieces belong to one word in nearly all such pairs.
        """
        repeated: set[int] = set()
        last: dict[tuple[int, int], int] = {}
        for node, key in enumerate(zip(rows, labels, strict=True)):
            other = last.get(key)
            if key[1] < self.labels.copy and other is not None and pieces[node] - pieces[other] <= 1:
                weaker = min(node, other, key=lambda one: gates[one])
                repeated.add(weaker)
                if weaker == node:
                    continue
            last[key] = node
        return repeated

    def _with_roles(self, drafts: Sequence[_Draft]) -> list[Decoded]:
        """Choose the roles of all edges."""
        source = torch.cat([draft.hidden[[edge[0] for edge in draft.edges]] for draft in drafts])
        target = torch.cat([draft.hidden[[edge[1] for edge in draft.edges]] for draft in drafts])
        scores = torch.log_softmax(self.network.roles(source, target).float(), -1).cpu()
        parts = scores.split([len(draft.edges) for draft in drafts])
        return [self._finish(draft, part.numpy()) for draft, part in zip(drafts, parts, strict=True)]

    def _finish(self, draft: _Draft, scores: Floats) -> Decoded:
        mask = np.zeros_like(scores)
        for number, (_, target, _) in enumerate(draft.edges):
            # the words of names are constants, and named constants are words of names
            mask[number, self.tables.named] = 0.0 if draft.constant[target] else NEVER
            if draft.label[target] == self.labels.named:
                mask[number, ~self.tables.named] = NEVER
        roles = choose_roles([edge[0] for edge in draft.edges], scores + mask, self.tables.once)
        edges = in_order_of_words(
            [
                (source, self.labels.roles[role], target)
                for (source, target, _), role in zip(draft.edges, roles, strict=True)
            ],
            [
                word if word is not None else bisect_right(draft.source.starts, piece) - 1
                for word, piece in zip(draft.words, draft.pieces, strict=True)
            ],
        )
        named = {target for _, role, target in edges if role.startswith(NAMED) and role != NAMED}
        acting = {source for source, role, _ in edges if role.startswith(":ARG")}
        names = tuple(
            self._node(draft, node, node in named, node in acting) for node in range(len(draft.label))
        )
        flat, order = _ordered(names, edges, draft.top)
        signs = replace(
            draft.signs,
            edges=float(np.mean([edge[2] for edge in draft.edges])) if edges else 0.0,
            roles=float(np.mean([scores[number, role] for number, role in enumerate(roles)]))
            if edges
            else 0.0,
        )
        return Decoded(flat, tuple(draft.pieces[i] for i in order), signs)

    def _node(self, draft: _Draft, node: int, named: bool, acting: bool) -> str:
        """Return the concept or constant of a node; ``acting`` if it has arguments, as frames do."""
        label = int(draft.label[node])
        if label < self.labels.copy:
            return self.labels.nodes[label]
        number = draft.words[node]
        if number is None:
            return '"?"' if named else "thing"
        word = draft.source.words[number]
        if named:
            return word.name or '"' + word.text.replace('"', "'") + '"'
        if label == self.labels.copy and word.plain:
            return word.plain
        concept = english(word.text, draft.source.lang, acting) or word.plain
        return concept if concept and not is_constant(concept) else _concept(word.text)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A graph without roles."""

    source: Source
    label: npt.NDArray[np.int64]
    words: list[int | None]  # number of the word of a node that is copied or unknown
    pieces: list[int]
    constant: npt.NDArray[np.bool_]
    top: int
    edges: list[tuple[int, int, float]]  # source, target, logarithm of the probability
    signs: Signs
    hidden: Tensor


def _concept(text: str) -> str:
    """Return a word as a concept.

    Example:
        >>> _concept("Ноутбук"), _concept("a (b)")
        ('ноутбук', 'a-b')
    """
    parts = "".join(sign if sign.isalnum() else " " for sign in text.lower()).split()
    concept = "-".join(parts) or "thing"
    return concept if not is_constant(concept) else f"x-{concept}"


def choose_edges(
    logits: Floats, constant: npt.NDArray[np.bool_], least: float
) -> list[tuple[int, int, float]]:
    """Return edges ``(source, target, log p)`` that connect all nodes.

    Args:
        logits: Of an edge from each node to each other ``(n, n)``.
        constant: Nodes that have one parent and no children ``(n,)``.
        least: Probability over which an edge is chosen.

    Example:
        >>> logits = np.array([[0, 3, -1], [2, 0, -3], [-9, -9, 0]], np.float32)
        >>> [edge[:2] for edge in choose_edges(logits, np.array([False, False, False]), 0.5)]
        [(0, 1), (0, 2)]
    """
    scores = logits.astype(np.float64).copy()
    count = len(scores)
    np.fill_diagonal(scores, NEVER)
    scores[constant] = NEVER
    scores = np.where(scores >= scores.T, scores, NEVER)  # the better of two directions
    lower = np.tril(scores == scores.T, -1)
    scores[lower & (scores > NEVER)] = NEVER
    border = np.log(least / (1 - least))
    part = list(range(count))
    chosen: list[tuple[int, int]] = []
    for node in np.flatnonzero(constant):
        chosen.append((int(scores[:, node].argmax()), int(node)))
    free = ~constant
    chosen += [(int(a), int(b)) for a, b in np.argwhere((scores > border) & free[:, None] & free)]
    for a, b in chosen:
        old, new = part[b], part[a]
        part = [new if one == old else one for one in part]
    parts = np.array(part)
    while len(set(parts[free])) > 1:
        apart = np.where(parts[:, None] != parts, scores, 2 * NEVER)
        apart[:, constant] = 2 * NEVER
        apart[constant] = 2 * NEVER
        a, b = divmod(int(apart.argmax()), count)
        chosen.append((a, b))
        parts[parts == parts[b]] = parts[a]
    return [(a, b, -float(np.logaddexp(0.0, -scores[a, b]))) for a, b in sorted(chosen)]


def choose_roles(sources: Sequence[int], scores: Floats, once: npt.NDArray[np.bool_]) -> list[int]:
    """Return the role of each edge: the best, surest edges first, a role of ``once`` once per source.

    Example:
        >>> scores = np.log(np.array([[0.9, 0.1], [0.6, 0.4]], np.float32))
        >>> choose_roles([0, 0], scores, np.array([True, True]))
        [0, 1]
    """
    roles = scores.argmax(1)
    taken: dict[tuple[int, int], int] = {}
    for edge in sorted(range(len(sources)), key=lambda edge: (-float(scores[edge].max()), edge)):
        order = [int(roles[edge])]
        if (sources[edge], order[0]) in taken:
            allowed = scores[edge] > NEVER / 2
            order = [int(r) for r in np.argsort(-scores[edge], kind="stable") if allowed[r]]
        role = next((r for r in order if not (once[r] and (sources[edge], r) in taken)), order[0])
        roles[edge] = role
        taken[sources[edge], role] = edge
    return [int(role) for role in roles]


def in_order_of_words(edges: Sequence[Edge], places: Sequence[int]) -> list[Edge]:
    """Number the words of each name in their order in the sentence.

    Args:
        edges: The edges.
        places: Number of the word of each node.

    Example:
        >>> in_order_of_words([(0, ":name2", 1), (0, ":name1", 2), (0, ":mod", 3)], [1, 3, 4, 9])
        [(0, ':name1', 1), (0, ':name2', 2), (0, ':mod', 3)]
    """
    owners: dict[int, list[int]] = {}
    for source, role, target in edges:
        if role.startswith(NAMED) and role != NAMED:
            owners.setdefault(source, []).append(target)
    numbers = {
        target: number
        for targets in owners.values()
        for number, target in enumerate(sorted(targets, key=lambda node: places[node]), 1)
    }
    return [
        (
            source,
            f"{NAMED}{numbers[target]}" if target in numbers and role.startswith(NAMED) else role,
            target,
        )
        for source, role, target in edges
    ]


def _ordered(names: Sequence[str], edges: Sequence[Edge], top: int) -> tuple[Flat, list[int]]:
    """Return a graph with its top first and the edges of a node in the usual order; and the old numbers."""
    order = [top, *(node for node in range(len(names)) if node != top)]
    number = {old: new for new, old in enumerate(order)}
    listed = sorted(edges, key=lambda edge: (number[edge[0]], _rank(edge[1]), number[edge[2]]))
    flat = Flat(
        tuple(names[old] for old in order), tuple((number[a], role, number[b]) for a, role, b in listed)
    )
    return flat, order


def _rank(role: str) -> tuple[int, str]:
    """Return the place of a role among those of a node: name, arguments, operands, others by alphabet."""
    if role.startswith(NAMED):
        return 0, role.zfill(12)
    if role.startswith((":ARG", ":op", ":snt")):
        return 1, role.zfill(12)
    return 2, role

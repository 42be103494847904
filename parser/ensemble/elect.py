"""Elect one graph by the votes of several readings.

A whole reading brings along statements that no other reading makes. Here every statement counts by itself: a
concept, a relation, a constant, the triples that Smatch counts. With ``s(x)`` the share of the readings that
contain ``x``, an estimate of its probability, and a threshold ``θ`` the graph is the connected one of ::

    max  sum_x s(x) - θ        over the statements x of the graph

A statement likelier than ``θ`` raises the sum. The graph of the greatest expected F1 keeps the statements
that are likelier than half that F1 (Lipton, Elkan and Narayanaswamy 2014, theorem 1); for parsers that reach
40 to 70 that is 0.2 to 0.35. The sum is maximised on a tree, which its branches make easy (a branch whose sum
is negative goes):

1. every node has its most voted concept, for a coordination with the votes of its operands, every pair of
   nodes its most voted relation that fits the concept (a frame has no operands, a coordination no arguments);
2. the tree is the spanning tree of the most votes in which no core role is filled twice (Kruskal 1956),
   from the pivot's top;
3. branches that are worth nothing go, but a coordination keeps two operands;
4. other relations and constants come in, if they are worth something; a name has its most voted words.
   A modifier is attached to a second node only if enough single readings attach it to both. Otherwise
   disagreement about where it attaches would look like agreement that it attaches to both.

Ensembles of parsers vote so on a graph (Hoang et al. 2021, Graphene); here the parser votes with itself.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import networkx as nx
import penman
from networkx.utils import UnionFind
from penman import layout
from penman.models.amr import model as amr_model

from parser.ensemble.count_votes import NAME, Node, Votes

SHARE = 0.3
"""The threshold θ: see the module; on STS-B dev and The Little Prince's, 0.25 to 0.35 are level."""

Relation = tuple[Node, str, Node]
_ONCE = re.compile(r":(ARG|op|snt)\d+|:name")
"""Roles that a node has once."""
COORDINATIONS = ("and", "or")
"""Concepts that join two operands or more."""
_OPERAND = re.compile(r":op\d+")
_ARGUMENT = re.compile(r":ARG\d+")
_FRAME = re.compile(r".+-\d\d+")
MOST_OPERANDS = 1_000
_MODIFIER = re.compile(r":(time|mod|polarity|name|quant|mode|ord|manner|degree)")
"""Roles whose target is hardly ever that of another relation too."""


def elect(votes: Votes, share: float = SHARE) -> penman.Graph:
    """Return the elected graph, as `elect_with_confidence` does, alone."""
    return elect_with_confidence(votes, share)[0]


def elect_with_confidence(votes: Votes, share: float = SHARE) -> tuple[penman.Graph, float]:
    """Return the elected graph and its confidence; nodes of the pivot keep their variables.

    The confidence is the F1 that the graph has on average with the readings as they are mapped, 0 to 1. As
    the readings are drawn from the parser's distribution, it estimates the graph's Smatch with the truth::

        confidence = 2 sum_{x in G} votes(x) / (n |G| + sum_x votes(x))

    Args:
        votes: From `parser.ensemble.count_votes`.
        share: Threshold ``θ``, 0 to 1.

    Example:
        >>> from parser.ensemble.count_votes import count
        >>> texts = "(d / dog :mod (o / old) :mod (b / big))", "(x / dog :mod (y / big))", "(z / dog)"
        >>> votes = count([penman.decode(text) for text in texts])
        >>> print(penman.encode(elect(votes, 0.5), indent=None))
        (d / dog :mod (b / big))
    """
    election = _Election(votes, share)
    return election.graph(), election.confidence()


class _Election:
    def __init__(self, votes: Votes, share: float) -> None:
        self.votes, self.least = votes, share * votes.readings
        self.operands = Counter[tuple[Node, str]]()
        for (node, role, _), voted in votes.relations.items():
            if _OPERAND.fullmatch(role):
                self.operands[node, role] = max(voted, self.operands[node, role])
        self.concepts = self._concepts()
        self.voted = Counter({r: voted for r, voted in votes.relations.items() if self._fits(*r[:2])})
        self._join_operands()
        self.constants = self._constants()
        grown, best = self._grown(), dict[frozenset[Node], Relation]()
        for relation, voted in self.voted.items():
            pair = frozenset((relation[0], relation[2]))
            if pair not in best or voted > self.voted[best[pair]]:
                best[pair] = relation
        self.between = {pair: grown.get(pair, relation) for pair, relation in best.items()}
        self.tree: nx.Graph[Node] = nx.Graph()
        self.tree.add_nodes_from(self.concepts)
        self.tree.add_edges_from((r[0], r[2]) for pair, r in self.between.items() if pair in grown)
        self.relations = self._relations(set(self._branch((0,), None)[1]))

    def _concepts(self) -> dict[Node, str]:
        """Return the concept of each node: that of the most votes, with those of the operands it joins.

        A reading that has one operand alone in the place of a coordination counts for the coordination.
        """
        alike = defaultdict[Node, set[str]](set)
        for (node, role, target), voted in self.votes.relations.items():
            if _OPERAND.fullmatch(role) and voted > self.least:
                alike[node] |= {concept for concept, _ in self.votes.concepts[target].most_common(1)}

        def worth(node: Node, concept: str) -> float:
            counts = self.votes.concepts[node]
            roles = [role for of, role in self.operands if of == node]
            joined = sum(max(0.0, self._operand(node, role, concept) - self.least) for role in roles)
            alone = alike[node] & counts.keys() if concept in COORDINATIONS else ()
            return counts[concept] + joined + sum(counts[one] for one in alone)

        # of equals the first, which is the pivot's
        return {
            node: max(counts, key=lambda concept: worth(node, concept))
            for node, counts in self.votes.concepts.items()
        }

    def _operand(self, node: Node, role: str, concept: str) -> int:
        """Return the votes for an operand that are due to a concept: readings may have another one there."""
        if _FRAME.fullmatch(concept):
            return 0
        joining = sum(self.votes.concepts[node][word] for word in COORDINATIONS)
        voted = self.operands[node, role]
        return min(voted, joining) if concept in COORDINATIONS else voted - joining

    def _fits(self, node: Node, role: str) -> bool:
        """Tell whether a role fits the elected concept."""
        concept = self.concepts[node]
        if _OPERAND.fullmatch(role):
            if (node, role) in self.operands:
                return self._operand(node, role, concept) > 0
            return _FRAME.fullmatch(concept) is None
        return not (_ARGUMENT.fullmatch(role) and concept in COORDINATIONS)

    def _join_operands(self) -> None:
        """Count the relations to one operand alone for the coordination, where a node has the role once."""
        joining = [
            (target, node)
            for (node, role, target), voted in self.voted.items()
            if _OPERAND.fullmatch(role) and voted > self.least and self.concepts[node] in COORDINATIONS
        ]
        for operand, node in joining:
            for source, role, target in list(self.voted):
                whole = source, role, node
                if target == operand and _ONCE.fullmatch(role) and self.voted[whole] > self.least:
                    self.voted[whole] += self.voted.pop((source, role, target))

    def _constants(self) -> dict[Node, dict[str, tuple[str, int]]]:
        """Return each node's constants by role, with their votes; a node of more votes takes the role."""
        votes = self.votes
        nodes: Counter[tuple[Node, str]] = Counter()
        for (source, role, _), voted in self.voted.items():
            nodes[source, role] = max(voted, nodes[source, role])
        chosen: dict[Node, dict[str, tuple[str, int]]] = defaultdict(dict)
        for (node, role, constant), voted in votes.constants.most_common():
            filled = _ONCE.fullmatch(role) and nodes[node, role] > voted
            if voted > self.least and not filled and self._fits(node, role):
                chosen[node].setdefault(role, (constant, voted))
        for node, names in votes.names.items():
            if self.concepts[node] == NAME:
                words, voted = max(names.items(), key=lambda name: name[1])
                chosen[node] |= {f":op{n}": (word, voted) for n, word in enumerate(words, 1)}
        return chosen

    def _grown(self) -> dict[frozenset[Node], Relation]:
        """Return the spanning tree of the most votes in which no node has two fillers of one role."""
        grown = dict[frozenset[Node], Relation]()
        joined = UnionFind(self.concepts)
        used = {(node, role) for node, constants in self.constants.items() for role in constants}
        for relation, _ in self.voted.most_common():
            source, role, target = relation
            once = _ONCE.fullmatch(role) is not None
            if joined[source] != joined[target] and not (once and (source, role) in used):
                joined.union(source, target)
                used.add((source, role))
                grown[frozenset((source, target))] = relation
        return grown

    def graph(self) -> penman.Graph:
        """Return the elected graph."""
        relations = self.relations
        order = [node for node in self.concepts if node in relations]
        variables = self._variables(order)
        triples = []
        for node in order:
            own = variables[node]
            triples.append((own, ":instance", self.concepts[node]))
            triples += [(own, role, constant) for role, (constant, _) in self.constants[node].items()]
            triples += [
                (own, role, variables[target]) for role, target in sorted(relations[node], key=_place)
            ]
        graph = penman.Graph(triples, top=variables[0,])
        return layout.interpret(layout.configure(graph, model=amr_model), model=amr_model)

    def confidence(self) -> float:
        """Return twice the votes for the graph's statements, over all votes and ``n`` for each statement."""
        votes = self.votes
        counts = [votes.concepts[node][self.concepts[node]] for node in self.relations]
        for node, targets in self.relations.items():
            counts += [votes.relations[node, role, target] for role, target in targets]
            counts += [voted for _, voted in self.constants[node].values()]
        names = sum(len(words) * voted for names in votes.names.values() for words, voted in names.items())
        concepts = sum(count.total() for count in votes.concepts.values())
        every = concepts + votes.relations.total() + votes.constants.total() + names
        return min(1.0, 2 * sum(counts) / (votes.readings * len(counts) + every))

    def _branch(self, node: Node, parent: Node | None) -> tuple[float, list[Node]]:
        """Return the value of a node's branch, and the nodes of the branch that are kept."""
        votes, least = self.votes, self.least
        worth = votes.concepts[node][self.concepts[node]] - least
        worth += sum(voted - least for _, voted in self.constants[node].values())
        used = set(self.constants[node])
        if parent is not None:
            upward = self.between[frozenset((node, parent))]
            worth += votes.relations[upward] - least
            if upward[0] == node:
                used.add(upward[1])
        kept = [node]
        below = [self.between[frozenset((node, other))] for other in self.tree[node] if other != parent]
        branches = [
            (relation, *self._branch(relation[2] if relation[0] == node else relation[0], node))
            for relation in self._by_votes(below)
        ]
        least = self._least_operand(node, branches)
        for (source, role, _), gained, nodes in branches:
            own = source == node
            enough = gained > 0 or (own and _OPERAND.fullmatch(role) and gained >= least)
            if enough and not (own and role in used and _ONCE.fullmatch(role)):
                worth += gained
                kept += nodes
                if own:
                    used.add(role)
        return worth, kept

    def _least_operand(self, node: Node, branches: Sequence[tuple[Relation, float, list[Node]]]) -> float:
        """Return the least value of an operand: a coordination keeps two operands, others must gain."""
        if self.concepts[node] not in COORDINATIONS:
            return 0.0
        operands = [
            gained for (source, role, _), gained, _ in branches if source == node and _OPERAND.fullmatch(role)
        ]
        return min(0.0, sorted(operands)[-2]) if len(operands) > 1 else 0.0

    def _by_votes(self, relations: Iterable[Relation]) -> list[Relation]:
        """Sort relations: those between nodes of the pivot first, then by votes."""

        def rank(relation: Relation) -> tuple[bool, int]:
            return max(len(relation[0]), len(relation[2])) > 1, -self.votes.relations[relation]

        return sorted(relations, key=rank)

    def _relations(self, kept: set[Node]) -> dict[Node, list[tuple[str, Node]]]:
        """Return the relations from each node: those of the tree, and others that add no cycle."""
        inside = [r for r in self.between.values() if r[0] in kept and r[2] in kept]
        tree = {frozenset(pair) for pair in self.tree.edges}
        outgoing: dict[Node, list[tuple[str, Node]]] = {node: [] for node in kept}
        directed: nx.DiGraph[Node] = nx.DiGraph()
        directed.add_nodes_from(kept)
        others = []
        for source, role, target in inside:
            if frozenset((source, target)) in tree:
                outgoing[source].append((role, target))
                directed.add_edge(source, target, role=role)
            elif self.votes.relations[source, role, target] > self.least:
                others.append((source, role, target))
        for source, role, target in self._by_votes(others):
            filled = role in self.constants[source] or any(role == other for other, _ in outgoing[source])
            twice = filled and _ONCE.fullmatch(role)
            apart = any(
                self.votes.under_both[frozenset((source, other)), target] <= self.least
                for other, _, other_role in directed.in_edges(target, data="role")
                if _MODIFIER.fullmatch(role) or _MODIFIER.fullmatch(other_role)
            )
            if not twice and not apart and not nx.has_path(directed, target, source):
                outgoing[source].append((role, target))
                directed.add_edge(source, target, role=role)
        return outgoing

    def _variables(self, nodes: Iterable[Node]) -> dict[Node, str]:
        """Name the nodes: those of the pivot as there, others by letter and the next free number."""
        given, used = dict[Node, str](), set(self.votes.variables)
        for node in nodes:
            if len(node) == 1:
                given[node] = self.votes.variables[int(node[0])]
                continue
            letter = self.concepts[node][0].lower()
            letter = letter if letter.isascii() and letter.isalpha() else "x"
            number = next(
                n for n in range(1, len(used) + 2) if (letter if n == 1 else f"{letter}{n}") not in used
            )
            given[node] = letter if number == 1 else f"{letter}{number}"
            used.add(given[node])
        return given


def _place(relation: tuple[str, Node]) -> int:
    """Order operands by their numbers, before the rest."""
    role = relation[0]
    return int(role[len(":op") :]) if _OPERAND.fullmatch(role) else MOST_OPERANDS

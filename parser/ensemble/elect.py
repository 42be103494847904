"""Elect one graph by the votes of several readings.

Choosing one whole reading would include statements that no other reading contains. Instead, each statement (a
concept, a relation or a constant: the triples that Smatch counts) is elected by its own votes. With ``s(x)``
the share of the readings that contain ``x``, an estimate of its probability, and a threshold ``θ``, the
elected graph is a connected graph with maximum ::

    sum_x s(x) - θ        over the statements x of the graph

The graph with the highest expected F1 contains the statements whose probability exceeds half that F1 (Lipton,
Elkan and Narayanaswamy 2014, theorem 1). For parsers with Smatch 40 to 70, this is 0.2 to 0.35. The sum is
maximised on a spanning tree, by removing branches with a negative sum:

1. each node gets the concept with the most votes (for a coordination, plus the votes of its operands), each
   pair of nodes the relation with the most votes that fits the concept (a frame has no operands, a
   coordination no arguments);
2. the tree is the spanning tree with the most votes in which no core role is filled twice (Kruskal 1956),
   from the pivot's top;
3. branches that do not increase the sum are removed, but a coordination keeps two operands;
4. other relations and constants are added if they increase the sum; a name gets the words with the most
   votes. A modifier is attached to a second node only if enough single readings attach it to both. Otherwise
   disagreement about where it attaches would look like agreement that it attaches to both.

Graphene (Hoang et al. 2021) combines the graphs of several parsers by such votes; here the readings are
usually those of one parser.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import networkx as nx
import penman
from networkx.utils import UnionFind

from parser.ensemble.count_votes import NAME, Node, Votes
from parser.graphs.triples import OPERAND, free_variable, laid_out

SHARE = 0.3
"""The threshold ``θ``; 0.25 to 0.35 score alike on the dev sets of STS-B and The Little Prince."""

Relation = tuple[Node, str, Node]
_ONCE = re.compile(r":(ARG|op|snt)\d+|:name")
"""Roles that a node has at most once."""
COORDINATIONS = ("and", "or")
"""Concepts that join two or more operands."""
_ARGUMENT = re.compile(r":ARG\d+")
_FRAME = re.compile(r".+-\d\d+")
MOSTOPERANDS = 1_000
_MODIFIER = re.compile(r":(time|mod|polarity|name|quant|mode|ord|manner|degree)")
"""Roles whose target is rarely the target of a second relation."""


def elect(votes: Votes, share: float = SHARE) -> tuple[penman.Graph, float]:
    """Return the elected graph and its confidence; nodes of the pivot keep their variables.

    The confidence, 0 to 1, is the F1 of the graph against all readings together, as they are mapped onto the
    pivot. As the readings are samples of the parser's distribution, it estimates Smatch against a gold
    graph::

        confidence = 2 sum_{x in G} votes(x) / (n |G| + sum_x votes(x))

    Args:
        votes: From `parser.ensemble.count_votes`.
        share: Threshold ``θ``, 0 to 1.

    Example:
        >>> from parser.ensemble.count_votes import count
        >>> texts = "(d / dog :mod (o / old) :mod (b / big))", "(x / dog :mod (y / big))", "(z / dog)"
        >>> votes = count([penman.decode(text) for text in texts])
        >>> print(penman.encode(elect(votes, 0.5)[0], indent=None))
        (d / dog :mod (b / big))
    """
    election = _Election(votes, share)
    return election.graph(), election.confidence()


class _Election:
    def __init__(self, votes: Votes, share: float) -> None:
        self.votes, self.least = votes, share * votes.readings
        self.operands = Counter[tuple[Node, str]]()
        for (node, role, _), voted in votes.relations.items():
            if OPERAND.fullmatch(role):
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
        """Return the concept of each node with the most votes, including votes for operands of coordinations.

        A reading that has only one operand instead of a coordination counts as a vote for the coordination.
        """
        alike = defaultdict[Node, set[str]](set)
        for (node, role, target), voted in self.votes.relations.items():
            if OPERAND.fullmatch(role) and voted > self.least:
                alike[node] |= {concept for concept, _ in self.votes.concepts[target].most_common(1)}

        def worth(node: Node, concept: str) -> float:
            counts = self.votes.concepts[node]
            roles = [role for owner, role in self.operands if owner == node]
            joined = sum(max(0.0, self._operand(node, role, concept) - self.least) for role in roles)
            alone = alike[node] & counts.keys() if concept in COORDINATIONS else ()
            return counts[concept] + joined + sum(counts[one] for one in alone)

        # ties go to the first, which is the pivot's
        return {
            node: max(counts, key=lambda concept: worth(node, concept))
            for node, counts in self.votes.concepts.items()
        }

    def _operand(self, node: Node, role: str, concept: str) -> int:
        """Estimate the votes for an operand from those readings that give the node this concept."""
        if _FRAME.fullmatch(concept):
            return 0
        joining = sum(self.votes.concepts[node][word] for word in COORDINATIONS)
        voted = self.operands[node, role]
        return min(voted, joining) if concept in COORDINATIONS else voted - joining

    def _fits(self, node: Node, role: str) -> bool:
        """Return whether a role fits the elected concept."""
        concept = self.concepts[node]
        if OPERAND.fullmatch(role):
            if (node, role) in self.operands:
                return self._operand(node, role, concept) > 0
            return _FRAME.fullmatch(concept) is None
        return not (_ARGUMENT.fullmatch(role) and concept in COORDINATIONS)

    def _join_operands(self) -> None:
        """Move votes for relations to one operand to its coordination, for roles that a node has once."""
        joining = [
            (target, node)
            for (node, role, target), voted in self.voted.items()
            if OPERAND.fullmatch(role) and voted > self.least and self.concepts[node] in COORDINATIONS
        ]
        for operand, node in joining:
            for source, role, target in list(self.voted):
                whole = source, role, node
                if target == operand and _ONCE.fullmatch(role) and self.voted[whole] > self.least:
                    self.voted[whole] += self.voted.pop((source, role, target))

    def _constants(self) -> dict[Node, dict[str, tuple[str, int]]]:
        """Return each node's constants by role, with their votes; a relation with more votes goes first."""
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
        """Return the spanning tree with the most votes in which no node has a role of `_ONCE` twice."""
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
        return laid_out(triples, variables[0,])

    def confidence(self) -> float:
        """Return the confidence; see `elect`."""
        votes = self.votes
        counts = [votes.concepts[node][self.concepts[node]] for node in self.relations]
        for node, targets in self.relations.items():
            counts += [votes.relations[node, role, target] for role, target in targets]
            counts += [voted for _, voted in self.constants[node].values()]
        names = sum(len(words) * voted for names in votes.names.values() for words, voted in names.items())
        concepts = sum(count.total() for count in votes.concepts.values())
        total = concepts + votes.relations.total() + votes.constants.total() + names
        return min(1.0, 2 * sum(counts) / (votes.readings * len(counts) + total))

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
            enough = gained > 0 or (own and OPERAND.fullmatch(role) and gained >= least)
            if enough and not (own and role in used and _ONCE.fullmatch(role)):
                worth += gained
                kept += nodes
                if own:
                    used.add(role)
        return worth, kept

    def _least_operand(self, node: Node, branches: Sequence[tuple[Relation, float, list[Node]]]) -> float:
        """Return the minimum value of a kept operand: 0, or lower for a coordination to keep two operands."""
        if self.concepts[node] not in COORDINATIONS:
            return 0.0
        operands = [
            gained for (source, role, _), gained, _ in branches if source == node and OPERAND.fullmatch(role)
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
            rarely_both = any(
                self.votes.under_both[frozenset((source, other)), target] <= self.least
                for other, _, other_role in directed.in_edges(target, data="role")
                if _MODIFIER.fullmatch(role) or _MODIFIER.fullmatch(other_role)
            )
            if not twice and not rarely_both and not nx.has_path(directed, target, source):
                outgoing[source].append((role, target))
                directed.add_edge(source, target, role=role)
        return outgoing

    def _variables(self, nodes: Iterable[Node]) -> dict[Node, str]:
        """Name the nodes: pivot nodes keep their variables, others get a letter and the next free number."""
        names, used = dict[Node, str](), set(self.votes.variables)
        for node in nodes:
            if len(node) == 1:
                names[node] = self.votes.variables[int(node[0])]
                continue
            letter = self.concepts[node][0].lower()
            names[node] = free_variable(letter if letter.isascii() and letter.isalpha() else "x", used)
            used.add(names[node])
        return names


def _place(relation: tuple[str, Node]) -> int:
    """Return the sort key of a relation: operands by number, before the rest."""
    role = relation[0]
    return int(role[len(":op") :]) if OPERAND.fullmatch(role) else MOSTOPERANDS

"""Repair or reject silver graphs that contradict their English sentence.

A parser trained on its own labels repeats its errors with every round. Some errors can be found without a
gold graph, because the sentence contradicts them::

    Tom gave me an apple.   give-01 … :name name :op1 "Tom" :op2 "gave" … :mode imperative
                            names do not continue in lower case; the agent of an imperative is "you"
    Tom wants to go there.  … go-02 :ARG1 go-01 :ARG4 there          there is only one "go"
    I was hit by a bicycle. … temporal-quantity :unit year            there is no year
    I like jazz.            dislike-01 … / Who won? … :polarity -      there is no negation

PropBank's examples have a manually annotated frame, which replaces a similar one::

    A third is now being traversed.   (c / cross-02 :ARG1 (t / thing :ord …) :time (n / now))
                                      (t2 / traverse-01 :ARG1 (t / thing :ord …) :time (n / now))
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import penman
from penman.tree import Tree

from amrx.composed_text import compose, with_letters_for_marks
from amrx.types import Parse
from parser.graphs.triples import upright
from parser.training.corpora.propbank import Predicate

_FRAME = re.compile(r"(.+)-\d\d+")
_OP = re.compile(r":op\d+")
_ARGUMENT = re.compile(r":ARG\d")
# lower-case words in names
_SMALL = frozenset("of de van von the al bin el la las los del der den di da du and y e".split())
_UNITS = frozenset("second minute hour day week month year decade century".split())
_NOT = re.compile(r"\b(not|cannot|never)\b|n['’]t\b", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"\b(no|nobody|none|nothing|nowhere|without|neither|nor|hardly|barely|unless|fail\w*|lack\w*|refus\w*|den\w+"
    r"|(un|in|im|il|ir|dis|non|anti)\w+|\w+less)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset(("name", "and", "or", "contrast-01", "multi-sentence", "amr-unknown"))
"""Concepts that are never predicates, even if they are aligned to one."""
_ALIKE = 2
"""Minimum number of first letters that a word and the name of its country share: French, France."""

Branch = tuple[str, object]
Node = tuple[str, list[Branch]]


def cleaned(graph: penman.Graph, text: str) -> penman.Graph | None:
    """Return the graph without parts that the sentence contradicts; ``None`` if it cannot be repaired."""
    root: Node = penman.configure(graph).node
    units = {
        str(_concept(target)) for _, branches in _nodes(root) for role, target in branches if role == ":unit"
    }
    if any(unit in _UNITS and unit not in text.casefold() for unit in units) or _negated_wrongly(root, text):
        return None
    mended = _cleaned(root, text)
    if mended is None or not _is_whole(mended, root):
        return None
    return penman.interpret(Tree(mended))


def _cleaned(node: Node, text: str) -> Node | None:
    """Return a node with all nodes below it; ``None`` if a name has no part left."""
    variable, branches = node
    if _concept(node) == "name":
        return _name(node, text)
    remaining: list[Branch] = []
    for role, target in _with_doubles_merged(node, text):
        if _denied(node, role, target, text):
            continue
        if (role, target) == ("/", "dislike-01") and "dislike" not in text.casefold():
            target = "like-01"
        if isinstance(target, tuple):
            below = _cleaned(target, text)
            if below is None:
                return None
            target = below
        remaining.append((role, target))
    return variable, remaining


def _name(node: Node, text: str) -> Node | None:
    """Return a name without parts that are not in the text or continue in lower case; ``None`` if empty."""
    lowered, branches, count = compose(text).text.casefold(), list[Branch](), 0
    words = re.finditer(r"\w+", with_letters_for_marks(lowered))
    starts = {lowered[word.start() : word.end()][:_ALIKE] for word in words}
    for role, target in node[1]:
        if _OP.fullmatch(role):
            part = str(target).strip('"')
            small = part[:1].islower() and part not in _SMALL
            # the text may name a country by its people or language, so that only the first letters agree
            in_text = part.casefold() in lowered or (not count and part.casefold()[:_ALIKE] in starts)
            if not in_text or (small and count):
                continue
            count += 1
            role = f":op{count}"
        branches.append((role, target))
    return (node[0], branches) if count else None


def _denied(node: Node, role: str, target: object, text: str) -> bool:
    """Return whether the text contradicts an imperative without *you*, a question, or the concept *away*."""
    if role == ":mode" and target == "imperative":
        return not any(other == ":ARG0" and _concept(who) == "you" for other, who in node[1])
    if role == ":polarity":
        return "amr-unknown" in (target, _concept(target)) and "?" not in text
    return _concept(target) == "away" and "away" not in text.casefold()


def _negated_wrongly(root: Node, text: str) -> bool:
    """Return whether only one of graph and sentence has a negation."""
    negated = any(branch == (":polarity", "-") for _, branches in _nodes(root) for branch in branches)
    if negated:
        return not (_NOT.search(text) or _NEGATIVE.search(text))
    return _NOT.search(text) is not None


def _with_doubles_merged(node: Node, text: str) -> list[Branch]:
    """Return a node's branches; an argument with the node's own verb is replaced by its branches.

    This applies if the sentence has the verb only once. If both nodes have a role, that of the upper one
    stays.
    """
    branches = list(node[1])
    verb = _FRAME.fullmatch(_concept(node))
    while verb is not None:
        index = next((i for i, branch in enumerate(branches) if _is_double(branch, verb[1], text)), None)
        if index is None:
            break
        below = branches.pop(index)[1]
        assert isinstance(below, tuple)
        roles = {role for role, _ in branches}
        things = {node[0]} | {target for _, target in branches if isinstance(target, str)}
        things |= {target[0] for _, target in branches if isinstance(target, tuple)}
        branches[index:index] = [
            (role, target)
            for role, target in below[1]
            if role not in roles and not (isinstance(target, str) and target in things)
        ]
    return branches


def _is_double(branch: Branch, verb: str, text: str) -> bool:
    role, target = branch
    below = _FRAME.fullmatch(_concept(target))
    if below is None or below[1] != verb or not _ARGUMENT.fullmatch(role) or not isinstance(target, tuple):
        return False
    # the first two letters serve as the stem; an irregular form seldom occurs beside a regular one
    return len(re.findall(rf"\b{re.escape(verb[:2])}", text.casefold())) < 2


def _is_whole(after: Node, before: Node) -> bool:
    """Return whether no reference points to a removed node."""
    remaining = {variable for variable, _ in _nodes(after)}
    removed = {variable for variable, _ in _nodes(before)} - remaining
    return not any(
        target in removed
        for _, branches in _nodes(after)
        for _, target in branches
        if isinstance(target, str)
    )


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for _, target in node[1]:
        if isinstance(target, tuple):
            yield from _nodes(target)


def _concept(target: object) -> str:
    """Return the concept of a node; empty for a constant or a reference."""
    if not isinstance(target, tuple):
        return ""
    return next((str(value) for role, value in target[1] if role == "/"), "")


def with_predicate(parse: Parse, example: Predicate) -> penman.Graph | None:
    """Return the parse's graph with the example's frame; ``None`` if no node can be the predicate.

    The predicate is a node with the frame; else the only node with another sense of its word; else, of the
    nodes that are aligned to its words and have only core roles of the example, the one with the shortest
    span.
    """
    concepts = {source: str(target) for source, _, target in parse.graph.instances()}
    if example.frame in concepts.values():
        return parse.graph
    lemma = example.frame.rpartition("-")[0]
    senses = [v for v, concept in concepts.items() if re.fullmatch(rf"{re.escape(lemma)}-\d\d+", concept)]
    nodes = senses if len(senses) == 1 else _aligned(parse, example, concepts)
    if not nodes:
        return None
    triples = [
        (source, role, example.frame if (source, role) == (nodes[0], ":instance") else target)
        for source, role, target in parse.graph.triples
    ]
    return penman.Graph(triples, top=parse.graph.top, epidata=parse.graph.epidata)


def _aligned(parse: Parse, example: Predicate, concepts: dict[str, str]) -> list[str]:
    """Return the nodes aligned to the predicate with core roles of the example only, shortest spans first."""
    match = re.search(rf"\b{re.escape(example.words)}\b", parse.text)
    if match is None:
        return []
    core: dict[str, set[str]] = {}
    for source, role, _ in map(upright, parse.graph.edges()):
        if _ARGUMENT.fullmatch(role):
            core.setdefault(source, set()).add(role)
    spans = {
        variable: span
        for variable, span in parse.alignments.items()
        if span[0] <= match.start() < span[1] and concepts[variable] not in _OTHERS
    }
    fits = [v for v in spans if core.get(v, set()) & example.roles and core[v] <= example.roles]
    return sorted(fits, key=lambda v: spans[v][1] - spans[v][0])

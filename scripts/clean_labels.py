"""Labels that contradict their own English sentence, mended or refused.

A parser trained on its own labels repeats its habits with every round. Some habits show
without a true graph, because the sentence itself denies them::

    Tom gave me an apple.   give-01 … :name name :op1 "Tom" :op2 "gave" … :mode imperative
                            no name goes on in small letters; who is told to do something is "you"
    Tom wants to go there.  … go-02 :ARG1 go-01 :ARG4 there          one "go" was said
    I was hit by a bicycle. … temporal-quantity :unit year            no year was
    I like jazz.            dislike-01 … / Who won? … :polarity -      nothing was denied

PropBank's examples have a frame that is known by hand, so that a near one gives way to it::

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
# words within names that are in small letters
_SMALL = frozenset("of de van von the al bin el la las los del der den di da du and y e".split())
_UNITS = frozenset("second minute hour day week month year decade century".split())
_NOT = re.compile(r"\b(not|cannot|never)\b|n['’]t\b", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"\b(no|nobody|none|nothing|nowhere|without|neither|nor|hardly|barely|unless|fail\w*|lack\w*|refus\w*|den\w+"
    r"|(un|in|im|il|ir|dis|non|anti)\w+|\w+less)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset(("name", "and", "or", "contrast-01", "multi-sentence", "amr-unknown"))
"""Concepts that are never predicates, whatever word they are aligned to."""
_ALIKE = 2
"""Letters that a word and the name of its country share at least: French, France."""

Branch = tuple[str, object]
Node = tuple[str, list[Branch]]


def cleaned(graph: penman.Graph, text: str) -> penman.Graph | None:
    """Return the graph of an English sentence without what the sentence denies; ``None`` if too much is."""
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
    """Return a node with all below it, ``None`` where a name has nothing left."""
    variable, branches = node
    if _concept(node) == "name":
        return _name(node, text)
    kept: list[Branch] = []
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
        kept.append((role, target))
    return variable, kept


def _name(node: Node, text: str) -> Node | None:
    """Return a name without the parts that no name in the text has."""
    lowered, kept, count = compose(text).text.casefold(), list[Branch](), 0
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
        kept.append((role, target))
    return (node[0], kept) if count else None


def _denied(node: Node, role: str, target: object, text: str) -> bool:
    """Tell whether it is an order to someone else, a question without its mark, or an *away* nobody said."""
    if role == ":mode" and target == "imperative":
        return not any(other == ":ARG0" and _concept(who) == "you" for other, who in node[1])
    if role == ":polarity":
        return "amr-unknown" in (target, _concept(target)) and "?" not in text
    return _concept(target) == "away" and "away" not in text.casefold()


def _negated_wrongly(root: Node, text: str) -> bool:
    """Tell whether the graph denies something and the sentence nothing, or the other way round."""
    denies = any(branch == (":polarity", "-") for _, branches in _nodes(root) for branch in branches)
    if denies:
        return not (_NOT.search(text) or _NEGATIVE.search(text))
    return _NOT.search(text) is not None


def _with_doubles_merged(node: Node, text: str) -> list[Branch]:
    """Return a node's branches, where an argument that is the node's verb once more gives way to its own.

    This applies where the sentence has the verb once; where both have a role, the upper one's stays.
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
    """Tell whether every node that is mentioned is still there."""
    remaining = {variable for variable, _ in _nodes(after)}
    gone = {variable for variable, _ in _nodes(before)} - remaining
    return not any(
        target in gone for _, branches in _nodes(after) for _, target in branches if isinstance(target, str)
    )


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for _, target in node[1]:
        if isinstance(target, tuple):
            yield from _nodes(target)


def _concept(target: object) -> str:
    """Return the concept of a node that is opened here; empty for a constant or a node mentioned again."""
    if not isinstance(target, tuple):
        return ""
    return next((str(value) for role, value in target[1] if role == "/"), "")


def with_predicate(parse: Parse, example: Predicate) -> penman.Graph | None:
    """Return the parse's graph with the example's frame, ``None`` where no node can be it.

    A node can be the predicate that has the frame, or another sense of its word, or, the smallest that is
    aligned to the predicate's words, a core role of the example's.
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
    """Return the nodes of the predicate's words with one of its core roles, the narrowest first."""
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

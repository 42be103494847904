"""More distinct graphs from few: parts exchanged between training sentences (Jia and Liang, ACL 2016).

::

    A man throws a knife at the tree     throw-01 :ARG0 man ):ARG1 knife ):ARG2 tree
    Two dogs chase a ball                chase-01 :ARG0 dog :quant 2 )):ARG1 ball
    ->
    A two dogs throws a knife at the tree    throw-01 :ARG0 dog :quant 2 )):ARG1 knife ):ARG2 tree

A part is a noun with what hangs on it, in the graph and in the text. Where that stands in the text says the
parser so far: it reads the true graph, and looks at a node's words when it has to say it
(`parser.training.mini.locate_nodes`). The sentences are odd, in agreement and in sense, so that nothing but
the words says who does what to whom; what a parser has learnt by heart does not help there. Where a noun's
own form says it (`CASED`), only what stands in the same role is exchanged, so that the form stays right.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amrx.errors import InputError
from linearize.packed import is_reference, pack, unpack
from parser.mini.parser import MiniParser
from parser.training.example import Example
from parser.training.mini.locate_nodes import Span, locate, node_places

NOUN_ROLES = re.compile(r":(ARG[012]|poss|op\d+|location|source|destination|instrument|accompanier|topic)")
OTHER_ROLES = frozenset(":mod :manner :degree :direction :extent :time :duration :frequency :ARG3".split())
PRONOUNS = frozenset("i you he she it we they this that one someone something everyone amr-unknown".split())
CASED = frozenset({"de", "tr"})
"""Languages whose nouns or articles show case."""
LISTS = frozenset({"and", "or", "multi-sentence"})
FRAME = re.compile(r"-\d\d+")
SURE = 0.85
MOST_NODES = 6
LEAST_USES = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A subtree of a sentence's graph and the text that it stands for.

    Attributes:
        role: The role that it stands in.
        begin: Place of its opening bracket among the graph's pointer tokens.
        tokens: Its pointer tokens, both brackets included.
        span: Where its text stands in the sentence.
        text: That text.
    """

    role: str
    begin: int
    tokens: tuple[str, ...]
    span: Span
    text: str

    @property
    def end(self) -> int:
        """Place after its closing bracket."""
        return self.begin + len(self.tokens)

    @property
    def concept(self) -> str:
        """Its topmost concept."""
        return self.tokens[2]

    def apart(self, other: Part) -> bool:
        """Tell whether two parts of a sentence share neither nodes nor text."""
        nodes = self.end <= other.begin or other.end <= self.begin
        return nodes and (self.span[1] <= other.span[0] or other.span[1] <= self.span[0])


Pools = dict[str, dict[str, list[Part]]]  # by role and concept


def exchanged_examples(
    parser: MiniParser, examples: Sequence[Example], known: set[str], times: int, seed: int = 0
) -> Iterator[Example]:
    """Yield up to ``times`` new examples for each that has parts to exchange, each of its weight / times.

    The other part comes from a sentence of the same language; its concept is drawn first, so that the many
    men of the captions do not crowd out the rest.

    Args:
        parser: The parser so far, which says where the nodes stand in the text.
        examples: Sentences with their true graphs.
        known: Concepts that are nouns (`nouns`).
        times: New sentences for each.
        seed: Of all draws.
    """
    for lang in sorted({example.lang for example in examples}):
        mine = [example for example in examples if example.lang == lang]
        rng = random.Random(f"{seed} {lang}")  # noqa: S311
        yield from _within(mine, locate(parser, mine), known, times, rng)


def _within(
    examples: Sequence[Example],
    located: Sequence[Sequence[tuple[Span | None, float]]],
    known: set[str],
    times: int,
    rng: random.Random,
) -> Iterator[Example]:
    found = [
        parts(example, spans, known) if spans else []
        for example, spans in zip(examples, located, strict=True)
    ]
    cased = any(example.lang in CASED for example in examples)
    pools: Pools = {}
    for own in found:
        for part in own:
            pools.setdefault(part.role if cased else "", {}).setdefault(part.concept, []).append(part)
    concepts = {role: sorted(pool) for role, pool in pools.items()}
    for example, own in zip(examples, found, strict=True):
        seen = {example.text}
        for _ in range(times if own else 0):
            made = exchange(example, _chosen(own, pools, concepts, rng), example.weight / times)
            if made is not None and made.text not in seen:
                seen.add(made.text)
                yield made


def _chosen(
    own: Sequence[Part], pools: Pools, concepts: Mapping[str, Sequence[str]], rng: random.Random
) -> list[tuple[Part, Part]]:
    """Return one or two parts of a sentence, apart from each other, each with its partner.

    ``concepts`` are those of ``pools``, sorted; role ``""`` holds the parts of all roles.
    """
    chosen: list[tuple[Part, Part]] = []
    for part in rng.sample(own, min(2, len(own))):
        if all(part.apart(other) for other, _ in chosen):
            role = part.role if part.role in pools else ""
            chosen.append((part, rng.choice(pools[role][rng.choice(concepts[role])])))
    return chosen


def exchange(example: Example, chosen: Sequence[tuple[Part, Part]], weight: float) -> Example | None:
    """Return the example with the other part in the place of each; ``None`` if the graph has no packed form.

    Example:
        >>> it = Example("Dogs bark.", ["bark-01", ":ARG0", "dog"], "en", 1.0)
        >>> dog = Part(":ARG0", 4, ("(", "<1>", "dog", ")"), (0, 4), "Dogs")
        >>> cat = Part(":ARG1", 9, ("(", "<3>", "cat", ":quant", "2", ")"), (8, 16), "two cats")
        >>> made = exchange(it, [(dog, cat)], 0.5)
        >>> made.text, " ".join(made.graph)
        ('Two cats bark.', 'bark-01 :ARG0 cat :quant 2')
    """
    text, tokens = example.text, unpack(example.graph)
    for number, (part, other) in enumerate(sorted(chosen, key=lambda pair: -pair[0].begin)):
        inner = [f"<{number}.{token[1:]}" if is_reference(token) else token for token in other.tokens]
        tokens[part.begin : part.end] = inner
    for part, other in sorted(chosen, key=lambda pair: -pair[0].span[0]):
        said, (begin, end) = other.text, part.span
        if begin == 0:
            said = ("İ" if said[0] == "i" and example.lang == "tr" else said[0].upper()) + said[1:]
        elif other.span[0] == 0 and example.lang != "de" and ":name" not in other.tokens:
            said = ("ı" if said[0] == "I" and example.lang == "tr" else said[0].lower()) + said[1:]
        text = text[:begin] + said + text[end:]
    names: dict[str, str] = {}
    for place, token in enumerate(tokens):
        if token.startswith("<"):
            if tokens[place - 1] == "(":
                names[token] = f"<{len(names)}>"
            if token not in names:  # points forward
                return None
            tokens[place] = names[token]
    try:
        return Example(text, pack(tokens), example.lang, weight)
    except InputError:
        return None


def nouns(graphs: Iterable[Sequence[str]]) -> set[str]:
    """Concepts that are used as nouns are: most often as arguments or places, and never with an ``:op1``.

    Lists, prepositions, pronouns and frames are none.
    """
    noun: Counter[str] = Counter()
    other: Counter[str] = Counter()
    relational = set(LISTS | PRONOUNS)
    for graph in graphs:
        tokens = unpack(graph)
        for place, token in enumerate(tokens):
            if token != "(" or place == 0:
                continue
            role, concept = tokens[place - 1], tokens[place + 2]
            if tokens[place + 3] == ":op1":
                relational.add(concept)
            if NOUN_ROLES.fullmatch(role):
                noun[concept] += 1
            elif role in OTHER_ROLES:
                other[concept] += 1
    return {
        concept
        for concept, uses in noun.items()
        if uses >= max(LEAST_USES, other[concept] + 1)
        and concept not in relational
        and not FRAME.search(concept)
    }


def parts(example: Example, spans: Sequence[tuple[Span | None, float]], known: set[str]) -> list[Part]:
    """Subtrees that can be exchanged.

    The top is a noun in a noun's role, no node is mentioned on the other side of its border, each node's word
    is sure (`SURE`), and no word between the first and the last of them is another node's.

    Args:
        example: A sentence and its graph.
        spans: From `locate`.
        known: From `nouns`.
    """
    tokens = unpack(example.graph)
    nodes = node_places(tokens)
    again = {t for place, t in enumerate(tokens) if is_reference(t) and tokens[place - 1] != "("}
    where = dict(zip(nodes, spans, strict=True))
    found, opened = [], []
    for place, token in enumerate(tokens):
        if token == "(":
            opened.append(place)
        if token != ")":
            continue
        begin = opened.pop()
        if not opened or tokens[begin + 2] not in known or not NOUN_ROLES.fullmatch(tokens[begin - 1]):
            continue
        inside = [where[node] for node in nodes if begin < node < place]
        outside = [where[node][0] for node in nodes if not begin < node < place]
        if len(inside) > MOST_NODES or not again.isdisjoint(tokens[begin:place]):
            continue
        seen = [span for span, share in inside if span is not None and share >= SURE]
        if len(seen) < len(inside):
            continue
        first, last = min(span[0] for span in seen), max(span[1] for span in seen)
        if any(span is not None and span[0] < last and first < span[1] for span in outside):
            continue
        text = example.text[first:last]
        if len(text) > 1 and len(text.split()) <= len(inside) + MOST_NODES:
            found.append(
                Part(tokens[begin - 1], begin, tuple(tokens[begin : place + 1]), (first, last), text)
            )
    return found

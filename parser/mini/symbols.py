"""Define the mini parser's output alphabet, and encode graphs in it.

Ids come in four ranges: specials, characters, roles, nodes. Roles and nodes alternate (see
`linearize.packed`), so the grammar of a position needs only two classes::

    packed  want-01 :ARG0 boy     ):ARG1 go-02 :ARG0 <1>  :time zythology
    ids     node    role  node    role   node  role  node role  <spell> z y t ... <done>

A node symbol can be produced in three ways: by its id, by copying a word of the sentence, by spelling.
The position decides the form of a copied word: a string under ``name``, a number, else a lower-cased concept.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from linearize.packed import is_constant, is_reference, split_role
from linearize.vocabulary import frames, is_frame
from parser.mini.rules.literals import Word

PAD, START, END, COPY, SPELL, DONE = range(6)
SPECIALS = ("<pad>", "<s>", "</s>", "<copy>", "<spell>", "<done>")
DEPTHS = 24
MOST_CLOSED = 8


@dataclass(frozen=True)
class Alphabet:
    """All output symbols."""

    characters: tuple[str, ...]  # single characters for spelling
    # role symbols with and without the brackets that they close, and runs of only ``)``
    roles: tuple[str, ...]
    nodes: tuple[str, ...]  # concepts, constants and references
    # frames among the nodes that PropBank lacks but a graph may have
    frames: tuple[str, ...] = ()

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The symbol of every id."""
        return (*SPECIALS, *self.characters, *self.roles, *self.nodes)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The id of every role and node symbol."""
        return {symbol: i for i, symbol in enumerate((*self.roles, *self.nodes), self.first_role)}

    @cached_property
    def character_ids(self) -> Mapping[str, int]:
        """The id of every character."""
        return {c: i + len(SPECIALS) for i, c in enumerate(self.characters)}

    @property
    def first_role(self) -> int:
        """The first id of a role."""
        return len(SPECIALS) + len(self.characters)

    @property
    def first_node(self) -> int:
        """The first id of a node."""
        return self.first_role + len(self.roles)

    def __len__(self) -> int:
        return self.first_node + len(self.nodes)


def build_alphabet(graphs: Iterable[Sequence[str]], least: int, most_nodes: int) -> Alphabet:
    """Return the roles seen ``least`` times, and the ``most_nodes`` most frequent of such nodes."""
    roles: Counter[str] = Counter()
    nodes: Counter[str] = Counter()
    characters: Counter[str] = Counter()
    for graph in graphs:
        for symbol in graph:
            split = split_role(symbol)
            if split is None:
                nodes[symbol] += 1
                characters.update(symbol)
            else:
                roles[symbol] += 1
                roles[split[1]] += 1
    frequent = [s for s, n in roles.most_common() if n >= least]
    closing = [")" * n for n in range(1, MOST_CLOSED + 1)]
    refs = [f"<{n}>" for n in range(64)]
    words = [s for s, n in nodes.most_common(most_nodes) if n >= least and not is_reference(s)]
    spelling = sorted(c for c, n in characters.items() if n >= 5 or c.isascii())
    return Alphabet(tuple(spelling), tuple([*closing, *frequent]), tuple([*refs, *words]))


def with_frames(alphabet: Alphabet, graphs: Iterable[Sequence[str]], least: int) -> Alphabet:
    """Append PropBank's frames that occur ``least`` times in the graphs; other ids do not change.

    Example:
        >>> with_frames(Alphabet((), (), ("dog",)), [["bark-01", ":ARG0", "dog"], ["xyz-01"]], 1).nodes
        ('dog', 'bark-01')
    """
    counts = Counter(symbol for graph in graphs for symbol in graph)
    known = set(alphabet.nodes)
    new = (s for s, n in counts.most_common() if n >= least and s not in known and s in frames())
    return replace(alphabet, nodes=(*alphabet.nodes, *new))


def with_symbols(alphabet: Alphabet, graphs: Iterable[Sequence[str]]) -> Alphabet:
    """Append the roles and concepts of the graphs: roles after the old ones, so all ids of nodes increase.

    New frames that PropBank lacks are allowed in graphs. Constants are copied or spelled.

    Example:
        >>> extended = with_symbols(Alphabet((), (":mod",), ("dog",)), [["dog", ":owner", "pay-77"], ["dog"]])
        >>> extended.roles, extended.nodes, extended.frames
        ((':mod', ':owner'), ('dog', 'pay-77'), ('pay-77',))
    """
    roles, nodes = dict.fromkeys(alphabet.roles), dict.fromkeys(alphabet.nodes)
    for symbol in chain.from_iterable(graphs):
        split = split_role(symbol)
        if split is not None:
            roles[split[1]] = None
        elif not (is_reference(symbol) or is_constant(symbol)):
            nodes[symbol] = None
    own = (s for s in nodes if s not in alphabet.ids and is_frame(s) and s not in frames())
    return replace(alphabet, roles=tuple(roles), nodes=tuple(nodes), frames=(*alphabet.frames, *own))


@dataclass
class State:
    """State of the grammar after the symbols so far."""

    stack: list[int] = field(default_factory=list)  # ids of the open nodes' concepts, outermost first
    rank: int = 0  # number of nodes so far
    role: str = ":top"  # the role whose node must follow, ``""`` when a role may follow
    spelling: list[str] | None = None  # characters since ``<spell>``, ``None`` outside

    @property
    def wants_node(self) -> bool:
        """Whether a node must follow."""
        return self.role != "" and self.spelling is None

    def in_name(self, name_id: int) -> bool:
        """Return whether the next node is an ``:opN`` of a ``name``."""
        return self.role.startswith(":op") and bool(self.stack) and self.stack[-1] == name_id

    @property
    def depth(self) -> int:
        """The number of open nodes, at most `DEPTHS` - 1."""
        return min(len(self.stack), DEPTHS - 1)

    @property
    def parent(self) -> int:
        """The concept id of the innermost open node."""
        return self.stack[-1] if self.stack else START

    def take_role(self, symbol: str) -> None:
        """Advance by a role symbol or a run of ``)``."""
        closing = len(symbol) - len(symbol.lstrip(")"))
        if closing:
            del self.stack[max(1, len(self.stack) - closing) :]
        self.role = symbol[closing:]

    def take_node(self, symbol: str, concept_id: int) -> None:
        """Advance by a node symbol; ``concept_id`` is its id or ``COPY``/``SPELL``."""
        self.role = ""
        if not (is_reference(symbol) or is_constant(symbol)):
            self.stack.append(concept_id)
            self.rank += 1


@dataclass(frozen=True)
class Target:
    """One graph as training columns, the first three of length ``T``."""

    ids: list[int]  # the symbol of each step, ``COPY`` if only copying can produce it
    depth: list[int]  # depth before the step
    parent: list[int]  # concept id of the innermost open node before the step
    copies: list[tuple[int, int]]  # ``(step, word)`` for every word that yields the step's symbol


def encode_target(graph: Sequence[str], words: Sequence[Word], alphabet: Alphabet) -> Target | None:
    """Return the target of a packed graph; ``None`` if it has a role outside the alphabet."""
    name_id = alphabet.ids.get("name", -1)
    yields = {in_name: _yields(words, in_name) for in_name in (False, True)}
    state, target = State(), Target([], [], [], [])

    def emit(symbol_id: int) -> None:
        target.ids.append(symbol_id)
        target.depth.append(state.depth)
        target.parent.append(state.parent)

    for symbol in graph:
        if not state.wants_node:
            for part in _role_parts(symbol, alphabet):
                if part not in alphabet.ids:
                    return None
                emit(alphabet.ids[part])
                state.take_role(part)
            continue
        in_name = state.in_name(name_id)
        matches = yields[in_name].get(symbol, [])
        known = alphabet.ids.get(symbol)
        if known is not None or matches:
            target.copies.extend((len(target.ids), w) for w in matches)
            emit(COPY if known is None else known)
            state.take_node(symbol, COPY if known is None else known)
            continue
        if is_reference(symbol):
            return None
        for symbol_id in (
            SPELL,
            *(alphabet.character_ids[c] for c in symbol if c in alphabet.character_ids),
            DONE,
        ):
            emit(symbol_id)
        state.take_node(symbol, SPELL)
    emit(END)
    return target


def _role_parts(symbol: str, alphabet: Alphabet) -> list[str]:
    if symbol in alphabet.ids:
        return [symbol]
    closing = len(symbol) - len(symbol.lstrip(")"))
    full, rest = divmod(closing, MOST_CLOSED)
    return [")" * MOST_CLOSED] * full + ([")" * rest] if rest else []) + [symbol[closing:]]


def _yields(words: Sequence[Word], in_name: bool) -> dict[str | None, list[int]]:
    """Return the words by the symbol that results from copying them."""
    word_numbers: dict[str | None, list[int]] = {}
    for number, word in enumerate(words):
        word_numbers.setdefault(word.name if in_name else word.plain, []).append(number)
    return word_numbers

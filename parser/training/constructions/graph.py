"""Write the graph of a filled meaning as packed symbols.

A slot is the graph of its filler where it comes first, and afterwards a reference to it, and so is the
speaker or the hearer (`SHARED`)::

    (w / want-01 :ARG0 {who} :ARG1 {deed=who})
    want-01 :ARG0 she ):ARG1 swim-01 :ARG0 <1>
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linearize.packed import pack
from parser.training.constructions.lexicon import Meaning, Tree, slot_of
from parser.training.constructions.text import Filled

SHARED = frozenset({"i", "you", "we"})
"""Concepts that a sentence has one node of."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a tree stands: the fillers of its slots, and the numbers of its variables."""

    slots: Mapping[str, Filled]
    numbers: dict[str, int] = field(default_factory=dict)


Added = tuple[Sequence[tuple[str, Tree]], Scope]
"""Roles that a slot's node gets besides its own, and where they stand."""


class _Tokens:
    """Collect the tokens of a graph in pointer form."""

    def __init__(self, meaning: Meaning, slots: Mapping[str, Filled]) -> None:
        self.tokens: list[str] = []
        self.extras: dict[int, Added] = {
            id(slots[name]): (roles, Scope(slots)) for name, roles in meaning.extras.items()
        }
        self.shared: dict[str, int] = {}
        self.written: dict[int, int] = {}
        self.count = 0

    def add(self, tree: Tree, scope: Scope, added: Sequence[Added] = (), fillers: Sequence[int] = ()) -> bool:
        """Write a node, a reference or a constant; return whether there is one."""
        variable, roles = ("", [("/", tree)]) if isinstance(tree, str) else tree
        concept = str(roles[0][1])
        slot = slot_of(concept)
        if slot is not None:
            filled = scope.slots.get(slot.name)
            if filled is None or filled.entry.tree is None:
                return False
            if id(filled) in self.written:
                self.tokens.append(f"<{self.written[id(filled)]}>")
                return True
            own = [
                *added,
                (roles[1:], scope),
                *([self.extras[id(filled)]] if id(filled) in self.extras else []),
            ]
            return self.add(filled.entry.tree, Scope(filled.inner), own, (*fillers, id(filled)))
        if not variable or (concept in self.shared and not added):
            number = self.shared.get(concept) if variable else scope.numbers.get(concept)
            self.tokens.append(concept if number is None else f"<{number}>")
            return True
        number = self.shared.get(concept)
        if number is None:
            number = self.count
            self.count += 1
            if concept in SHARED:
                self.shared[concept] = number
            self.tokens += ["(", f"<{number}>", concept]
        else:
            self.tokens.append(f"<{number}>")
        scope.numbers[variable] = number
        self.written.update(dict.fromkeys(fillers, number))
        if self.tokens[-1] == concept:
            for more, place in ((roles[1:], scope), *added):
                self._add_roles(more, place)
            self.tokens.append(")")
        return True

    def _add_roles(self, roles: Sequence[tuple[str, Tree]], scope: Scope) -> None:
        for role, tree in roles:
            self.tokens.append(role)
            if not self.add(tree, scope):
                self.tokens.pop()


def write_graph(meaning: Meaning, slots: Mapping[str, Filled]) -> list[str]:
    """Return the packed symbols of a meaning with these fillers."""
    tokens = _Tokens(meaning, slots)
    tokens.add(meaning.tree, Scope(slots))
    return pack(tokens.tokens)

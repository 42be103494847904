"""State the best mapping between the nodes of two graphs as an integer linear program (scipy, HiGHS).

::

    max   sum w_ij x_ij + sum y_rs      x_ij: node i is mapped to j; w_ij: value of the pair alone
    with  every node in one pair        y_rs: relation r is mapped to s, only if both of its ends are

A relation has at most one counterpart, so all ``y`` that need the same pair at one end share one row,
``sum y <= x``: the relaxation to fractions is then tight for most graphs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Pair: TypeAlias = tuple[int, int]
"""A node of the first graph and one of the second; or a relation of each."""
Relation: TypeAlias = tuple[str, int, int]
"""Comparable role, source, target."""


@dataclass(frozen=True, slots=True)
class Program:
    """The variables of the program: ``pairs``, then ``joint``."""

    pairs: Sequence[Pair]  # nodes that share a value or are ends of joint relations
    values: Mapping[Pair, float]  # value of a pair of nodes alone, 0 if missing
    joint: Sequence[Pair]  # relations with the same role
    ends: Sequence[tuple[Pair, Pair]]  # pairs of nodes that joint relations need: sources, targets

    def solve(self, *, integral: bool = True, **options: float) -> Any:  # noqa: ANN401 (scipy has no types)
        """Return scipy's result: ``x`` (``None`` if none was found), and minus the bound, ``mip_dual_bound``.

        Args:
            integral: Solve the program; else its relaxation to fractions, whose bound is minus ``fun``.
            options: Options of `scipy.optimize.milp`, such as ``node_limit``.
        """
        from scipy.optimize import LinearConstraint, milp
        from scipy.sparse import csr_array

        rows = list(self._rows())
        cells = [(row, column, sign) for row, (terms, _) in enumerate(rows) for column, sign in terms]
        at, columns, signs = zip(*cells, strict=True)
        width = len(self.pairs) + len(self.joint)
        # HiGHS in scipy below 1.15 accepts only 32-bit indices
        places = np.array(at, np.int32), np.array(columns, np.int32)
        limits = LinearConstraint(
            csr_array((signs, places), shape=(len(rows), width)), ub=np.array([most for _, most in rows])
        )
        gain = np.array([*(self.values.get(pair, 0.0) for pair in self.pairs), *[1.0] * len(self.joint)])
        kinds = np.full(width, int(integral))
        return milp(-gain, constraints=limits, integrality=kinds, bounds=(0, 1), options=options)

    def _rows(self) -> Iterator[tuple[list[tuple[int, int]], float]]:
        """Yield rows of ``sum sign * variable <= most``."""
        number = {pair: index for index, pair in enumerate(self.pairs)}
        for side in (0, 1):
            nodes: dict[int, list[tuple[int, int]]] = defaultdict(list)
            for pair, index in number.items():
                nodes[pair[side]].append((index, 1))
            for node in sorted(nodes):
                yield nodes[node], 1.0
        groups: dict[tuple[int, int, int, Pair], list[int]] = defaultdict(list)
        for index, (relations, both) in enumerate(zip(self.joint, self.ends, strict=True)):
            for side, end in ((0, 0), (0, 1), (1, 0), (1, 1)):
                groups[side, relations[side], end, both[end]].append(len(number) + index)
        for (_, _, _, pair), members in groups.items():
            yield [*((member, 1) for member in members), (number[pair], -1)], 0.0


def state(values: Mapping[Pair, float], left: Sequence[Relation], right: Sequence[Relation]) -> Program:
    """State the program of two graphs.

    Args:
        values: Value of each pair of nodes alone; pairs without value may be left out.
        left: Relations of the first graph, each once.
        right: Relations of the second graph, each once.

    Example:
        >>> program = state({(0, 0): 1}, [(":arg0", 0, 1)], [(":arg0", 0, 1), (":arg1", 0, 1)])
        >>> program.pairs, program.joint, round(-program.solve().fun)
        ([(0, 0), (1, 1)], [(0, 0)], 2)
    """
    by_role: dict[str, list[int]] = defaultdict(list)
    for number, (role, _, _) in enumerate(right):
        by_role[role].append(number)
    joint = [(r, s) for r, (role, _, _) in enumerate(left) for s in by_role[role]]
    ends = [((left[r][1], right[s][1]), (left[r][2], right[s][2])) for r, s in joint]
    pairs = list(dict.fromkeys([*values, *(pair for both in ends for pair in both)]))
    return Program(pairs, values, joint, ends)

"""Join pairs of similar meaning to groups.

::

    a ─ b   b ─ c   d ─ e    ──>    {a, b, c}   {d, e}

Two sentences are in one group if a chain of pairs leads from one to the other, so the ends of a long chain
may be less near than the threshold of the pairs. `Group.lowest` is the weakest pair of the group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amrx.types import Sentence

if TYPE_CHECKING:
    from retrofit.search import Match


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that pairs connect."""

    members: tuple[Sentence, ...]  # those of the best pairs first
    lowest: float  # lowest combined cosine of its pairs


def join_pairs(matches: Iterable[Match]) -> list[Group]:
    """Return the groups of pairs from one file, the largest first; sentences are told apart by their ids.

    Example:
        >>> from retrofit.search import Match
        >>> a, b, c, d = (Sentence(name, name, "en") for name in "abcd")
        >>> groups = join_pairs([Match(a, b, 0, 0, 0.9), Match(c, d, 0, 0, 0.8), Match(d, a, 0, 0, 0.7)])
        >>> [("".join(one.id for one in group.members), group.lowest) for group in groups]
        [('abcd', 0.7)]
    """
    parents: dict[str, str] = {}
    sentences: dict[str, Sentence] = {}
    scores: list[tuple[str, float]] = []
    for match in matches:
        for one in (match.a, match.b):
            sentences.setdefault(one.id, one)
            parents.setdefault(one.id, one.id)
        parents[_root(parents, match.b.id)] = _root(parents, match.a.id)
        scores.append((match.a.id, match.combined))
    members: defaultdict[str, list[Sentence]] = defaultdict(list)
    for name, sentence in sentences.items():
        members[_root(parents, name)].append(sentence)
    lowest: dict[str, float] = {}
    for name, score in scores:
        root = _root(parents, name)
        lowest[root] = min(score, lowest.get(root, score))
    groups = [Group(tuple(one), lowest[root]) for root, one in members.items()]
    return sorted(groups, key=lambda group: -len(group.members))


def _root(parents: dict[str, str], name: str) -> str:
    """Return the representative of a sentence's group; shorten the way to it."""
    while parents[name] != name:
        parents[name] = parents[parents[name]]
        name = parents[name]
    return name

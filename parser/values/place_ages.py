"""Write who is how many years older than whom, where the network writes that many years as an age.

::

    Sie ist zwei Jahre älter als ihr Bruder. (de)
        (a / age-01 :ARG1 (s / she) :ARG2 (t / temporal-quantity :quant 2 :unit (y / year)))
    ──> (h / have-degree-91 :ARG1 (s / she) :ARG2 (o / old)
            :ARG3 (m / more :quant (t / temporal-quantity :quant 2 :unit (y / year))) :ARG4 ...)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from parser.values.draft import Draft
from parser.values.value import Value
from parser.values.words import UNSPACED, words_of

_ROLES = ("have-rel-role-91", "have-org-role-91")
_PARTS = frozenset("old young big large small more less more-than less-than most parent year".split())
_ARGUMENT = re.compile(r":ARG\d|:domain|:duration|:extent|:age|:time")


def place_ages(draft: Draft, values: Sequence[Value], text: str, lang: str) -> None:
    """Write the only difference of two ages that a text names as a degree."""
    pairs = zip(("old", "young"), words_of(lang).get("older_younger", ()), strict=False)
    edge = "" if lang in UNSPACED else r"\b"
    found = [
        one for one, words in pairs for _ in re.finditer(f"{edge}(?:{words}){edge}", text, re.IGNORECASE)
    ]
    years = [value for value in values if value.unit and value.unit.noun == "year" and not value.bound]
    concepts, edges = draft.concepts(), draft.edges()
    heads = {node for node, concept in concepts.items() if concept in ("age-01", "have-degree-91")}
    subjects = {one[2] for one in edges if one[0] in heads and one[1] in (":ARG1", ":domain")} - heads
    if len(found) != 1 or len(years) != 1 or len(subjects) != 1:
        return
    (who,) = subjects
    whom = {one[2] for one in edges if one[0] in heads and one[1] == ":ARG4"} or _relatives(draft, who)
    gone = set(heads)
    for node, concept in concepts.items():
        inside, above = draft.below(node), {one[0] for one in edges if one[2] == node}
        is_years = concept == "temporal-quantity" and {concepts[one] for one in inside} <= {concept, "year"}
        gone |= inside if is_years or (concept in _PARTS and above & heads) else set()
    gone -= {who, *whom}
    holders = {concepts[one[0]] for one in edges if one[2] in gone - heads and one[0] not in gone}
    if len(whom) < 2 and holders <= {"person", *_ROLES}:
        _write(draft, f"(o / {found[0]}) :ARG3 (m / more :quant {years[0].amr})", [who, *whom], gone, heads)


def _relatives(draft: Draft, who: str) -> set[str]:
    """Return the relatives of a person."""
    concepts, edges = draft.concepts(), draft.edges()
    own = {one[0] for one in edges if one[2] == who and one[1] == ":ARG1" and concepts[one[0]] in _ROLES}
    return {one[2] for one in edges if one[0] in own and one[1] == ":ARG0"} | {
        one[0] for one in edges if one[1] == ":ARG0-of" and one[2] in own
    } - {who}


def _write(draft: Draft, degree: str, people: Sequence[str], gone: set[str], heads: set[str]) -> None:
    """Write a degree in place of nodes that are gone; what else is said of the heads stays."""
    is_top, given = draft.top in {*gone, people[0]}, draft.triples
    draft.triples = [one for one in given if one[0] not in gone and one[2] not in gone]
    node = draft.graft(f"(h / have-degree-91 :ARG2 {degree})")
    draft.triples += [(node, role, one) for role, one in zip((":ARG1", ":ARG4"), people, strict=False)]
    for source, role, target in given:
        if source in heads and target not in gone and role != ":instance" and not _ARGUMENT.fullmatch(role):
            draft.triples.append((node, role, target))
        elif target in heads and source not in gone:
            draft.triples.append((source, role, node))
    draft.top = node if is_top else draft.top
    draft.counted += [one for one in draft.attributes() if one[0] in draft.settled]

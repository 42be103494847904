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

_PARTS = frozenset("old young big large small more less more-than less-than most parent year".split())
"""Concepts below a degree that say no more than it."""


def place_ages(draft: Draft, values: Sequence[Value], text: str, lang: str) -> Sequence[Value]:
    """Write the only difference of two ages that a text names as a degree, at the top of its graph.

    Returns:
        The values that are still to be written.
    """
    pairs = zip(("old", "young"), words_of(lang).get("older_younger", ()), strict=False)
    edge = "" if lang in UNSPACED else r"\b"
    ages = [one for one, words in pairs if re.search(f"{edge}(?:{words}){edge}", text, re.IGNORECASE)]
    years = [value for value in values if value.unit and value.unit.noun == "year" and not value.bound]
    concepts, edges = draft.concepts(), draft.edges()
    heads = {node for node, concept in concepts.items() if concept in ("age-01", "have-degree-91")}
    who = {one[2] for one in edges if one[0] in heads and one[1] in (":ARG1", ":domain")} - heads
    whom = {one[2] for one in edges if one[0] in heads and one[1] == ":ARG4"}
    if not len(ages) == len(years) == len(who) == 1 or len(whom) > 1 or draft.top not in heads | who:
        return values
    gone = set(heads)
    for node, concept in concepts.items():
        inside, above = draft.below(node), {one[0] for one in edges if one[2] == node}
        is_years = concept == "temporal-quantity" and {concepts[one] for one in inside} <= {concept, "year"}
        gone |= inside if is_years or (concept in _PARTS and above & heads) else set()
    gone -= who | whom
    draft.triples = [one for one in draft.triples if gone.isdisjoint((one[0], one[2]))]
    more = f"(m / more :quant {years[0].amr})"
    draft.top = draft.graft(f"(h / have-degree-91 :ARG2 (o / {ages[0]}) :ARG3 {more})")
    draft.triples += [(draft.top, ":ARG1", one) for one in who] + [(draft.top, ":ARG4", one) for one in whom]
    return [value for value in values if value is not years[0]]

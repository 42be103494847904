"""Write who is how many years older than whom, where the parser writes that many years as an age.

::

    Sie ist zwei Jahre älter als ihr Bruder. (de)
        (a / age-01 :ARG1 (s / she ...) :ARG2 (t / temporal-quantity :quant 2 :unit (y / year)))
    ──> (h / have-degree-91 :ARG1 (s / she) :ARG2 (o / old)
            :ARG3 (m / more :quant (t / temporal-quantity :quant 2 :unit (y / year)))
            :ARG4 (p / person :ARG0-of (h2 / have-rel-role-91 :ARG1 s :ARG2 (b / brother))))

The sentence must have one such comparison, and the graph one number of years and one person who has them.
"""

from __future__ import annotations

import re

import penman

from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.number_words import folded_word, number_words

_COMPARED = {
    "cs": ("starší", "mladší"), "da": ("ældre", "yngre"), "de": (r"älter\w{0,2}", r"jünger\w{0,2}"),
    "en": ("older", "younger"), "es": ("mayor|más viej[oa]", "menor|más joven"),
    "fr": ("ans de plus|plus âgée?|plus vieux|plus vieille", "ans de moins|plus jeune"),
    "it": ("anni (?:in )?più|più (?:vecchi[oa]|grande)", "anni (?:in )?meno|più (?:giovane|piccol[oa])"),
    "ja": ("[歳才](?:年上|上)", "[歳才](?:年下|下)"), "nb": ("eldre", "yngre"), "nl": ("ouder", "jonger"),
    "pl": (r"starsz\w{1,2}", r"młodsz\w{1,2}"), "pt": ("mais velh[oa]", "mais nov[oa]|mais jovem"),
    "ru": ("старше", "младше|моложе"), "sv": ("äldre", "yngre"),
    "tr": ("yaş (?:daha )?büyük", "yaş (?:daha )?küçük"), "uk": ("старш(?:а|ий|і)", "молодш(?:а|ий|і)"),
    "zh": ("比.*大.{1,3}岁", "比.*小.{1,3}岁"),
}  # fmt: skip
"""Words for *older* and *younger*."""
_YEARS = {
    "cs": "let|roky", "da": "år", "de": "Jahre", "en": "years?", "es": "años?", "fr": "ans?", "it": "ann[oi]",
    "ja": "歳|才", "nb": "år", "nl": "jaar", "pl": "lata?", "pt": "anos?", "ru": "год|года|лет", "sv": "år",
    "tr": "yaş", "uk": "рік|роки|років", "zh": "岁",
}  # fmt: skip
_ROLES = ("have-rel-role-91", "have-org-role-91")
_DEGREE = "have-degree-91"
_PARTS = frozenset("old young big large small more less more-than less-than parent".split())
_ARGUMENT = re.compile(r":ARG\d|:domain|:duration|:extent")


def with_age_differences(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the difference of two ages; the same object if its sentence compares none.

    Example:
        >>> graph = penman.decode('''(a / age-01 :ARG1 (h / he)
        ...     :ARG2 (t / temporal-quantity :quant 3 :unit (y / year)))''')
        >>> print(penman.encode(with_age_differences(graph, "He is three years older.", "en")))
        (h2 / have-degree-91
            :ARG1 (h / he)
            :ARG2 (o / old)
            :ARG3 (m / more
                     :quant (t / temporal-quantity
                               :quant 3
                               :unit (y / year))))
    """
    edge = "" if lang in ("ja", "zh") else r"\b"
    old, young = _COMPARED.get(lang, ("(?!)", "(?!)"))
    words = [
        concept
        for concept, pattern in (("old", old), ("young", young))
        for _ in re.finditer(rf"{edge}(?:{pattern}){edge}", text, re.IGNORECASE)
    ]
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    units = {edge.source for edge in graph.edges(role=":unit") if concepts[edge.target] == "year"}
    lost = None if units else _lost_years(text, lang)
    if len(words) != 1 or len(units) + (lost is not None) != 1:
        return graph
    years = units.pop() if units else None
    holders = {one.source for one in graph.edges(target=years)} if years else set()
    ages = {
        node
        for node, concept in concepts.items()
        if concept == "age-01" or (concept == "old" and node in holders)
    }
    degrees = {node for node, concept in concepts.items() if concept == _DEGREE}
    subjects = {
        one.target
        for one in graph.edges()
        if (one.source in ages | degrees and one.role == ":ARG1")
        or (one.source in ages and one.role == ":domain")
    }
    subjects -= ages | degrees
    if len(subjects) != 1 or len(ages) > 1 or len(degrees) > 1 or not (ages or degrees):
        return graph
    (who,) = subjects
    heads = ages | degrees
    whom = {one.target for one in graph.edges(role=":ARG4") if one.source in heads} or _relatives(
        graph, who, concepts
    )
    gone = heads | {
        one.target
        for one in graph.edges()
        if one.source in heads and one.role in (":ARG2", ":ARG3") and concepts[one.target] in _PARTS
    }
    if len(whom) > 1 or any(one.source not in heads for one in graph.edges() if one.target in gone - heads):
        return graph
    added: list[Triple] = []
    if years is None:
        years = free_variable("t", concepts)
        unit = free_variable("y", {*concepts, years})
        added += [(years, ":instance", "temporal-quantity"), (years, ":quant", str(lost))]
        added += [(years, ":unit", unit), (unit, ":instance", "year")]
    triples, top = _compared(graph, words[0], (who, years, *whom), gone, heads)
    triples += added
    return laid_out(triples, top) if is_connected(triples) else graph


def _lost_years(text: str, lang: str) -> int | None:
    """Return the only number of years of a sentence."""
    values = number_words(lang).values
    found = re.findall(rf"(\d+|[^\W\d_]+)\s*(?:{_YEARS.get(lang, '(?!)')})(?!\w)", text, re.IGNORECASE)
    numbers = [int(one) if one.isdecimal() else values.get(folded_word(one)) for one in found]
    known = [number for number in numbers if number]
    return known[0] if len(known) == 1 else None


def _relatives(graph: penman.Graph, who: str, concepts: dict[str, str]) -> set[str]:
    """Return the relatives of a person."""
    own = {one.source for one in graph.edges(target=who, role=":ARG1") if concepts[one.source] in _ROLES}
    return {one.target for one in graph.edges(role=":ARG0") if one.source in own and one.target != who}


def _compared(
    graph: penman.Graph, concept: str, people: tuple[str, ...], gone: set[str], heads: set[str]
) -> tuple[list[Triple], str | None]:
    """Return triples and top of a graph in which one person is so many years older, in place of ``gone``."""
    who, years, *whom = people
    taken = ({one.source for one in graph.instances()} - gone) | {years}
    node = free_variable("h", taken)
    how = free_variable(concept[0], {*taken, node})
    more = free_variable("m", {*taken, node, how})
    new: list[Triple] = [
        (node, ":instance", _DEGREE), (node, ":ARG1", who), (node, ":ARG2", how), (how, ":instance", concept),
        (node, ":ARG3", more), (more, ":instance", "more"), (more, ":quant", years),
        *((node, ":ARG4", one) for one in whom),
    ]  # fmt: skip
    kept: list[Triple] = []
    for source, role, target in graph.triples:
        if target == years and role != ":instance":
            continue
        if source in heads and target not in gone and role != ":instance" and not _ARGUMENT.fullmatch(role):
            kept.append((node, role, target))
        elif target in heads and source not in gone:
            kept.append((source, role, node))
        elif source not in gone and target not in gone:
            kept.append((source, role, target))
    return [*new, *kept], node if graph.top in gone or graph.top == who else graph.top

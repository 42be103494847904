"""Write a recommendation once, where the parser reads *recommend* as *should suggest*.

::

    Je ne recommande pas cet hôtel. (fr)
        (r / recommend-01 :ARG1 (a / advise-01 :polarity - :ARG0 (i / i) :ARG1 (h / hotel)))
    ──> (a / recommend-01 :polarity - :ARG0 (i / i) :ARG1 (h / hotel))

``recommend-01`` is AMR's concept of *should*, too. Only sentences that have a word for *recommend* once, and
none for *should*, are changed.
"""

from __future__ import annotations

import re

import penman

from parser.graphs.triples import Triple, is_connected, laid_out

_RECOMMEND = {
    "da": r"anbefal\w*", "de": r"empf(?:ehl|iehl|ahl|ohl)\w*", "en": r"recommend\w*",
    "es": r"recom(?:iend|end)\w*", "fr": r"(?:recommand|conseill|déconseill)\w*",
    "it": r"(?:consigli|raccomand)\w*", "ja": "[勧薦]め|すすめ", "ko": "추천", "nb": r"anbefal\w*",
    "nl": r"aanbev\w+|raad\b.*\baan|aan(?:ge)?rad\w+", "pl": r"(?:polec|rekomend|odradz)\w*",
    "pt": r"(?:recomend|aconselh)\w*", "ro": r"recomand\w*", "ru": r"(?:рекоменд|совет)\w*",
    "sv": r"rekommender\w*", "tr": r"tavsiye|öner\w*", "uk": r"(?:рекоменд|рад)\w*", "zh": "推荐|建议",
}  # fmt: skip
_SHOULD = re.compile(
    r"\b(?:should|ought|soll(?:te)?\w*|debe\w*|devr\w+|dovr\w+|dever\w+|zou|moet|должн\w+|следует|powin\w+)\b"
    r"|\bb[öø]r\b|应该|べき",
    re.IGNORECASE,
)
_SAYING = frozenset({"recommend-01", "suggest-01", "advise-01"})


def with_one_recommendation(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph that recommends once; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(r / recommend-01 :ARG1 (s / suggest-01 :ARG0 (i / i) :ARG1 (b / book)))")
        >>> graph = with_one_recommendation(graph, "I recommend the book.", "en")
        >>> print(penman.encode(graph, indent=None))
        (s / recommend-01 :ARG0 (i / i) :ARG1 (b / book))
    """
    words = re.findall(_RECOMMEND.get(lang, "(?!)"), text, re.IGNORECASE)
    if len(words) != 1 or _SHOULD.search(text):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    doubled = [
        edge
        for edge in graph.edges(role=":ARG1")
        if concepts[edge.source] == "recommend-01" and concepts[edge.target] in _SAYING
    ]
    if len(doubled) != 1:
        return graph
    should, _, what = doubled[0]
    said = {(role, target) for source, role, target in graph.triples if source == what}
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if (source, role, target) == doubled[0] or (source == should and role == ":instance"):
            continue
        if (source, role) == (what, ":instance"):
            triples.append((what, role, "recommend-01"))
        elif source == should and (role, target) not in said:
            triples.append((what, role, target))
        elif source != should:
            triples.append((source, role, what if target == should else target))
    top = what if graph.top == should else graph.top
    return laid_out(triples, top) if is_connected(triples) else graph

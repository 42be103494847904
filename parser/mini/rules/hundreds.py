"""Write *hundreds*, *dozens* and *a dozen* as AMR does.

::

    Yüzlerce insan geldi. (tr)    :quant (m / multiple :op1 1)     ──>  :quant (m / multiple :op1 100)
    Cientos de personas (es)      :quant (m / hundred :op1 100)    ──>  :quant (m / multiple :op1 100)
    une douzaine d'œufs (fr)      :quant (m / dozen :op1 12)       ──>  :quant 12

Only sentences with one such word are changed, if their graph has one node that was read for it.
"""

from __future__ import annotations

import re

import penman

from parser.graphs.triples import Triple, laid_out

_MANY = {
    "cs": {100: "stovky|stovek", 1000: "tisíce|tisíců", 10: "desítky|desítek"},
    "da": {100: "hundredvis", 1000: "tusindvis", 12: "dusinvis"},
    "de": {100: "Hunderten?", 1000: "Tausenden?", 12: "Dutzenden?"},
    "en": {100: "hundreds", 1000: "thousands", 12: "dozens"},
    "es": {100: "cientos|centenares", 1000: "miles|millares", 10: "decenas", 12: "docenas"},
    "fr": {100: "centaines", 1000: "milliers", 10: "dizaines", 12: "douzaines"},
    "it": {100: "centinaia", 1000: "migliaia", 10: "decine", 12: "dozzine"},
    "ja": {100: "何百|数百", 1000: "何千|数千", 10: "何十|数十"},
    "ko": {100: "수백", 1000: "수천", 10: "수십"},
    "nb": {100: "hundrevis", 1000: "tusenvis", 12: "dusinvis"},
    "nl": {100: "honderden", 1000: "duizenden", 10: "tientallen"},
    "pl": {100: "setki|setek", 1000: "tysiące", 10: "dziesiątki"},
    "pt": {100: "centenas", 1000: "milhares", 10: "dezenas", 12: "dúzias"},
    "ro": {100: "sute", 1000: "mii", 10: "zeci"}, "ru": {100: "сотни|сотен", 1000: "тысячи", 10: "десятки"},
    "sv": {100: "hundratals", 1000: "tusentals", 10: "tiotals", 12: "dussintals"},
    "tr": {100: "yüzlerce", 1000: "binlerce", 10: "onlarca"},
    "uk": {100: "сотні|сотень", 1000: "тисячі", 10: "десятки"},
    "zh": {100: "数百|几百|成百", 1000: "数千|几千|成千", 10: "数十|几十"},
}  # fmt: skip
_DOZEN = {
    "de": "ein Dutzend", "en": "a dozen", "es": "una docena", "fr": "une douzaine", "it": "una dozzina",
    "nl": "een dozijn", "pt": "uma dúzia", "ru": "дюжин[ау]", "sv": "ett dussin", "tr": "bir düzine",
}  # fmt: skip
_UNSPACED = frozenset({"ja", "ko", "zh"})
_READ_AS = frozenset(
    "multiple hundred hundreds thousand thousands dozen dozens ten tens lot centinaia migliaia".split()
)
_DIGIT = re.compile(r"\d")


def with_hundreds(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the only *hundreds* or *dozen*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(p / protest-01 :ARG0 (p2 / person :quant (m / multiple :op1 12)))")
        >>> print(penman.encode(with_hundreds(graph, "数百人抗议。", "zh"), indent=None))
        (p / protest-01 :ARG0 (p2 / person :quant (m / multiple :op1 100)))
    """
    edges = ("", "") if lang in _UNSPACED else (r"\b", r"\b")
    found = [
        number
        for number, words in _MANY.get(lang, {}).items()
        for _ in re.finditer(f"{edges[0]}(?:{words}){edges[1]}", text, re.IGNORECASE)
    ]
    dozens = re.findall(rf"\b{_DOZEN.get(lang, '(?!)')}\b", text, re.IGNORECASE)
    if len(found) + len(dozens) != 1 or _DIGIT.search(text):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    placed = [
        edge
        for edge in graph.edges()
        if edge.role in (":quant", ":op1")
        and concepts[edge.target] in _READ_AS
        and concepts[edge.source] not in _READ_AS
    ]
    if len(placed) != 1 or len(graph.edges(target=placed[0].target)) != 1:
        return graph
    source, role, node = placed[0]
    below = {edge.target for edge in graph.edges(source=node)}
    if any(graph.edges(source=one) for one in below):
        return graph
    kept = [one for one in graph.triples if one[0] not in {node, *below} and one[2] not in {node, *below}]
    place = next(i for i, one in enumerate(graph.triples) if one == placed[0])
    place = len([one for one in graph.triples[:place] if one in kept])
    new: list[Triple] = [(source, role, "12")]
    if found:
        new = [(source, role, node), (node, ":instance", "multiple"), (node, ":op1", str(found[0]))]
    mended = laid_out([*kept[:place], *new, *kept[place:]], graph.top)
    return graph if sorted(map(str, mended.triples)) == sorted(map(str, graph.triples)) else mended

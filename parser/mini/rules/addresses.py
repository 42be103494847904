"""Convert URLs, e-mail addresses and phone numbers in a graph to AMR's entities.

::

    (p / person :name (n / name :op1 "https://a.org"))    (p / url-entity :value "https://a.org")
    (w / write-01 :ARG2 "ann@a.org")                      :ARG2 (e / email-address-entity :value "ann@a.org")
"""

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.literals import read_words

_ADDRESS = re.compile(
    r'"(?:(?P<url>(?:https?://|www\.)[^\s"]+)|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)'
    r'|(?P<phone>\+\d[\d ()/-]{8,}|(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}))"',
    re.IGNORECASE,
)
_ENTITIES = {"url": "url-entity", "email": "email-address-entity", "phone": "phone-number-entity"}
ENTITIES = frozenset(_ENTITIES.values())
"""Concepts of addresses."""
_CONCEPT_ROLE = ":instance"


def with_addresses(graph: penman.Graph) -> penman.Graph:
    """Return a graph whose addresses are the ``:value`` of an entity; the same object if it has none.

    If an address is a whole name, the named node becomes the entity; if it is the target of another role, it
    becomes a new node.

    Example:
        >>> graph = penman.decode('(v / visit-01 :ARG1 (p / page :name (n / name :op1 "www.a.org")))')
        >>> print(penman.encode(with_addresses(graph), indent=None))
        (v / visit-01 :ARG1 (p / url-entity :value "www.a.org"))
    """
    addresses = [triple for triple in graph.attributes() if _kind(triple[2])]
    if not addresses:
        return graph
    triples = list[Triple](graph.triples)
    for source, role, address in addresses:
        owner = _named_alone(triples, source) if role == ":op1" else None
        if owner is not None:
            dropped = {(owner, ":name", source), (source, _CONCEPT_ROLE, "name"), (source, role, address)}
            triples = [
                triple for triple in triples if triple not in dropped and not _describes(triple, owner)
            ]
            triples += [(owner, _CONCEPT_ROLE, _kind(address)), (owner, ":value", address)]
        elif role != ":value" and (source, _CONCEPT_ROLE, "name") not in triples:
            variable = free_variable(_kind(address)[0], {source for source, _, _ in triples})
            triples[triples.index((source, role, address))] = (source, role, variable)
            triples += [(variable, _CONCEPT_ROLE, _kind(address)), (variable, ":value", address)]
    return laid_out(triples, graph.top)


def with_lost_addresses(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only address of its sentence; the same object if nothing changes.

    If the graph has no address, a node without relations that is aligned to the address becomes its entity.

    Example:
        >>> graph = penman.decode("(w / write-01 :ARG1 (i / information))")
        >>> graph = with_lost_addresses(graph, "Write to info@a.org", "en", {"i": (9, 19)})
        >>> print(penman.encode(graph, indent=None))
        (w / write-01 :ARG1 (i / email-address-entity :value "info@a.org"))
    """
    addresses = [(span, str(word.plain)) for span, word in read_words(text, lang) if _kind(word.plain)]
    if len(addresses) != 1 or any(_kind(value) for _, _, value in graph.attributes()):
        return graph
    (begin, end), address = addresses[0]
    sources = {source for source, role, _ in graph.triples if role != _CONCEPT_ROLE}
    inside = {node for node, span in alignments.items() if begin <= span[0] < end} - sources
    nodes = [node for node, _, concept in graph.instances() if node in inside and concept != "i"]
    if len(nodes) != 1:
        return graph
    entity: Triple = (nodes[0], _CONCEPT_ROLE, _kind(address))
    triples = [entity if triple[:2] == entity[:2] else triple for triple in graph.triples]
    triples.insert(triples.index(entity) + 1, (nodes[0], ":value", address))
    return laid_out(triples, graph.top)


def _kind(constant: str | None) -> str:
    """Return the entity concept of an address, empty for other constants."""
    match = _ADDRESS.fullmatch(constant or "")
    return "" if match is None else _ENTITIES[match.lastgroup or ""]


def _named_alone(triples: list[Triple], name: str) -> str | None:
    """Return the node whose name is ``name``, if that name has one word and no other reference."""
    own = [triple for triple in triples if name in (triple[0], triple[2])]
    owners = [source for source, role, target in own if role == ":name" and target == name]
    whole = len(own) == 3 and (name, _CONCEPT_ROLE, "name") in own
    return owners[0] if whole and owners else None


def _describes(triple: Triple, owner: str) -> bool:
    """Return whether a triple is the concept or the ``:wiki`` of a node."""
    return triple[0] == owner and triple[1] in (_CONCEPT_ROLE, ":wiki")

"""Write people by the noun of their occupation, where the parser read another verb or office in it.

::

    Le plombier est en retard. (fr)
        (p / person :ARG0-of (s / shower-01))                               ──>  (p / plumber)
    Курьер потерял посылку. (ru)
        (p / person :ARG0-of (h / have-org-role-91 :ARG2 (c / colonel)))    ──>  (p / courier)

AMR writes a teacher as a person who teaches, and a plumber as a plumber. A person is replaced by one of
`OCCUPATIONS` if the concepts below it are all of the same word, which the dictionary of nouns translates so
(`parser.mini.rules.nouns`), unless the occupation is near the office, or written like the verb.
"""

from __future__ import annotations

from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import laid_out
from parser.mini.rules.nouns import alike, lemma, near, translate

OCCUPATIONS = frozenset(
    "accountant architect babysitter barber blacksmith butcher carpenter cashier chef cook courier dentist"
    " electrician engineer firefighter fisherman gardener hairdresser janitor journalist judge lawyer"
    " librarian locksmith mailman mechanic midwife monk nun nurse optician pharmacist photographer pilot"
    " plumber priest psychologist receptionist referee sailor secretary shoemaker surgeon tailor"
    " technician therapist veterinarian waiter waitress".split()
)
"""Occupations that AMR writes as nouns."""
_OFFICE = "have-org-role-91"


def with_occupations(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which misread occupations are nouns; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(a / arrive-01 :ARG1 (p / person :ARG0-of (s / shower-01)))")
        >>> spans = {"p": (3, 11), "s": (3, 11), "a": (16, 22)}
        >>> print(penman.encode(with_occupations(graph, "Le plombier est arrivé.", "fr", spans), indent=None))
        (a / arrive-01 :ARG1 (p / plumber))
    """
    people = [node for node, _, concept in graph.instances() if concept == "person" and node in alignments]
    for node in people:
        noun = translate(text, alignments[node], lang) or ""
        part = _same_word(graph, node, alignments) if noun in OCCUPATIONS else {}
        if part and not any(_may_be(concept, noun) for concept in part.values()):
            kept = [triple for triple in graph.triples if part.keys().isdisjoint(triple)]
            kept[kept.index((node, ":instance", "person"))] = (node, ":instance", noun)
            graph = laid_out(kept, graph.top)
    return graph


def _same_word(graph: penman.Graph, node: str, alignments: Mapping[str, Span]) -> dict[str, str]:
    """Return the frame of which a person is the agent, and its office, by variable.

    The result is empty if the graph says more of that person. Both are of the word of the person.
    """
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    span = alignments[node]
    agents = [source for source, role, target in graph.edges() if (role, target) == (":ARG0", node)]
    frames = [one for one in agents if alignments.get(one) == span]
    if (
        len(frames) != 1
        or frames[0] == graph.top
        or any(":name" in edge for edge in graph.edges(source=node))
    ):
        return {}
    [frame] = frames
    if lemma(concepts[frame]) == concepts[frame] or concepts[frame] == "have-rel-role-91":
        return {}
    below = [target for source, role, target in graph.edges() if source == frame and target != node]
    part = {frame, *below}
    edges = [edge for edge in graph.edges() if not part.isdisjoint((edge.source, edge.target))]
    alone = len(edges) == len(part) and len(below) <= 1 and not graph.attributes(source=frame)
    if not alone or any(alignments.get(one) != span for one in below):
        return {}
    return {one: concepts[one] for one in part}


def _may_be(concept: str, noun: str) -> bool:
    """Return whether a frame or office below a person may be that of an occupation."""
    plain = lemma(concept)
    if concept == _OFFICE:
        return False
    return alike(noun, plain) or (plain == concept and plain in near(noun))

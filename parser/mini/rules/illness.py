"""Write an illness as a property of who is ill.

::

    They stayed because she was ill.   (c / cause-01 :ARG0 (d / disease :domain (s / she)))
                                  ──>  (c / cause-01 :ARG0 (d / ill-01 :ARG1 (s / she)))
    the same, read otherwise           (d / disease :name (n / name :op1 "she"))
                                  ──>  (d / ill-01 :ARG1 (s / she))

Behind *because* the parser reads an illness as a disease that somebody is or that has a name, as in texts
of biology. A name in Latin letters of which a sentence in such letters has no word is removed.
"""

import re
from collections.abc import Sequence

import penman

from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.name_words import name_words, whole_name

_DISEASE = "disease"
_LATIN = re.compile("[A-Za-z]")
_PRONOUNS = frozenset({"i", "you", "he", "she", "we", "they"})
_PEOPLE = _PRONOUNS | frozenset(
    {
        "person", "man", "woman", "child", "boy", "girl", "baby", "everyone", "everybody", "nobody", "who",
        "someone", "somebody", "mother", "father", "friend", "dog", "cat", "animal",
    }
)  # fmt: skip


def with_illness(graph: penman.Graph, text: str) -> penman.Graph:
    """Return a graph in which nobody is a disease; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / cause-01 :ARG0 (d / disease :domain (h / he)))")
        >>> print(penman.encode(with_illness(graph, "Er blieb, weil er krank war."), indent=None))
        (c / cause-01 :ARG0 (d / ill-01 :ARG1 (h / he)))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    mended = graph
    for node in [node for node, concept in concepts.items() if concept == _DISEASE]:
        given = {edge.role: edge for edge in graph.edges(source=node)}
        if len(graph.edges(source=node)) != 1 or graph.attributes(source=node):
            continue
        if ":domain" in given and concepts[who := given[":domain"].target] in _PEOPLE:
            mended = _ill(mended, node, [(node, ":ARG1", who)], {(node, ":domain", who)})
        elif ":name" in given:
            name = given[":name"].target
            words = name_words(graph, name)
            gone: set[Triple] = {one for one in graph.triples if name in (one[0], one[2])}
            pronoun = whole_name(words)
            if pronoun in _PRONOUNS and pronoun in text.split():
                same = [other for other, concept in concepts.items() if concept == pronoun]
                who = same[0] if len(same) == 1 else free_variable(pronoun[0], mended.variables())
                is_new: list[Triple] = [] if len(same) == 1 else [(who, ":instance", pronoun)]
                mended = _ill(mended, node, [(node, ":ARG1", who), *is_new], gone)
            elif words and _LATIN.search(text) and not _are_in(whole_name(words).split(), text):
                mended = laid_out([one for one in mended.triples if one not in gone], mended.top)
    return mended


def _are_in(words: Sequence[str], text: str) -> bool:
    """Return whether a sentence has one of some words."""
    return any(word.casefold() in text.casefold() for word in words)


def _ill(graph: penman.Graph, disease: str, who: Sequence[Triple], gone: set[Triple]) -> penman.Graph:
    """Return a graph in which a disease is an illness with the triples ``who``, without others."""
    old: Triple = (disease, ":instance", _DISEASE)
    new: list[Triple] = [(disease, ":instance", "ill-01"), *who]
    triples = [
        one for given in graph.triples for one in (new if given == old else [given]) if one not in gone
    ]
    return laid_out(triples, graph.top)

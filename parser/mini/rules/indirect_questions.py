"""Write when, where, how and why something is, below the verb that asks for it or says it.

::

    She asked when the shop would open.   (a / ask-01 :ARG0 (s / she) :ARG1 (o / open-01 :ARG1 (s2 / shop)))
              ──>  (a / ask-01 :ARG0 (s / she) :ARG1 (t / time :time-of (o / open-01 :ARG1 (s2 / shop))))
    Dis-moi quand il ouvre. (fr)          (t / tell-01 :ARG0 (y / you) :ARG1 (i / i) :time (o / open-01 ...))
              ──>  (t / tell-01 :ARG0 (y / you) :ARG1 (t2 / time :time-of (o / open-01 ...)) :ARG2 (i / i))
    Er sagte, warum er ging. (de)         (s / say-01 :ARG1 (c / cause-01 :ARG0 (g / go-02 ...)))
              ──>  (s / say-01 :ARG1 (t / thing :ARG0-of (c / cause-01 :ARG1 (g / go-02 ...))))

The parser drops the question word, writes *whether*, makes a circumstance of the clause, or takes the effect
for the cause. Only sentences with one such word, directly after the verb of asking or saying, are
changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out

_WORDS = {
    "da": {"time": "hvornår", "location": "hvor", "cause": "hvorfor", "manner": "hvordan"},
    "de": {"time": "wann", "location": "wo", "cause": "warum|wieso|weshalb", "manner": "wie"},
    "en": {"time": "when|what time", "location": "where", "cause": "why", "manner": "how"},
    "es": {"time": "cuándo", "location": "dónde", "cause": "por qué", "manner": "cómo"},
    "fr": {"time": "quand", "location": "où", "cause": "pourquoi", "manner": "comment"},
    "it": {"time": "quando", "location": "dove", "cause": "perché", "manner": "come"},
    "nl": {"time": "wanneer", "location": "waar", "cause": "waarom", "manner": "hoe"},
    "pl": {"time": "kiedy", "location": "gdzie", "cause": "dlaczego", "manner": "jak"},
    "pt": {"time": "quando", "location": "onde", "cause": "por que|porquê", "manner": "como"},
    "ru": {"time": "когда", "location": "где", "cause": "почему|зачем", "manner": "как"},
    "sv": {"time": "när", "location": "var", "cause": "varför", "manner": "hur"},
    "tr": {"time": "ne zaman", "location": "nere(?:de|ye)", "cause": "neden|niye|niçin", "manner": "nasıl"},
    "uk": {"time": "коли", "location": "де", "cause": "чому|навіщо", "manner": "як"},
    "zh": {"time": "什么时候|何时", "location": "在哪[里儿]", "cause": "为什么|为何"},
}
"""Question words by the relation that they ask for."""
_HOW = re.compile(
    r"\W+(?:the|an?|this|that|these|i|you|he|she|it|we|they|my|your|his|her|our|their|der|die|das|eine?|ich"
    r"|du|er|sie|es|wir|ihr|man|mein\w*|el|las?|los|una?|se|fun[cz]iona\w*|les?|l['’]\w+|je|tu|il|elle|on|nous"
    r"|vous|ils|de|het|een|ik|hij|ze|we|lo|gli|si|os?|as|это|он[аи]?|мы|вы|я|ты|работает|działa|працює)\b",
    re.IGNORECASE,
)
"""Words after *how* that make it ask for a manner, not a degree."""
_VERBS = frozenset(
    """ask-01 tell-01 say-01 know-01 wonder-01 explain-01 understand-01 remember-01 forget-01 decide-01
    show-01 describe-01 find-out-03 check-01""".split()
)
_ASKING = frozenset("ask-01 know-01 wonder-01 check-01 forget-01".split())
"""Verbs that seldom have a time with *when*, unlike *I remembered when I saw it*."""
_HEARER = frozenset({"ask-01", "tell-01"})
"""Verbs whose second argument is the hearer."""
_BETWEEN = re.compile(r"(?:[\s,]+(?:[^\W\d_]{1,6}[\s,]+){0,2}|[\s,]*)")
_BETWEEN_UNLIKE = {
    "tr": re.compile(r"\s[^,.;:?!]*\w(?:[dt][ıiuü]|[ae]ca)[ğk]\w*\s+"),
    "zh": re.compile("[^，。？！；：]{0,12}")
}  # fmt: skip
"""Text between the verb and the question word, in some languages a whole subject or clause."""
_VERB_LAST = frozenset({"tr"})
_END = re.compile(r"[.!?;:–—]|,\s(?:aber|ale|but|maar|mais|mas|men|но|але|pero)\b|$")
_OFTEN_TIMES = frozenset({("time", "say-01"), ("time", "understand-01")})
"""Clauses that mostly say a time: *he said when he came*."""
_PLACEHOLDERS = frozenset("truth-value thing place location time cause-01".split())
_PRONOUNS = frozenset("i you he she we they".split())
_NODES = {"time": "time", "location": "location", "manner": "thing", "cause": "thing"}
_CAUSE, _LOCATED = "cause-01", "be-located-at-91"
_SOMEWHERE = frozenset("place location here there somewhere".split())
_ROLES = frozenset({":ARG1", ":ARG2", ":time", ":condition"})


class _Question(NamedTuple):
    """A question word and its clause."""

    kind: str
    word: Span
    end: int  # of the clause


def with_indirect_questions(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only indirect question; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(k / know-01 :ARG0 (i / i) :ARG1 (l / live-01 :ARG0 (s / she)))")
        >>> spans = {"k": (2, 6), "l": (17, 22)}
        >>> mended = with_indirect_questions(graph, "I know where she lives.", "en", spans)
        >>> print(penman.encode(mended, indent=None))
        (k / know-01 :ARG0 (i / i) :ARG1 (l2 / location :location-of (l / live-01 :ARG0 (s / she))))
    """
    question = _question(text, lang)
    if question is None:
        return graph
    kind, (begin, word_end), end = question
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    between = _BETWEEN_UNLIKE.get(lang, _BETWEEN)
    above = [
        node
        for node, span in alignments.items()
        if concepts.get(node) in _VERBS
        and (kind, concepts[node]) not in _OFTEN_TIMES
        and between.fullmatch(text, *((word_end, span[0]) if lang in _VERB_LAST else (span[1], begin)))
    ]
    if len(above) != 1:
        return graph
    if lang in _VERB_LAST:
        begin, end = 0, alignments[above[0]][0]
    elif lang in _BETWEEN_UNLIKE:
        begin = alignments[above[0]][1]
    inside = {node for node, span in alignments.items() if begin <= span[0] < end} & set(concepts)
    at_word = {node for node in inside if question.word[0] <= alignments[node][0] < word_end}
    dropped = _placeholders(graph, above[0], kind, inside, at_word)
    head = None if dropped is None else _head(graph, above[0], inside, dropped)
    if head is None or dropped is None or _is_time(graph, above[0], kind, head):
        return graph
    return _written(graph, above[0], kind, head, dropped)


def _question(text: str, lang: str) -> _Question | None:
    """Return the only question word of a sentence, after its beginning."""
    edge = "" if lang == "zh" else r"\b"
    words = [
        (kind, match)
        for kind, forms in _WORDS.get(lang, {}).items()
        for match in re.finditer(rf"{edge}(?:{forms}){edge}", text, re.IGNORECASE)
    ]
    if len(words) != 1 or not text[: words[0][1].start()].strip():
        return None
    kind, word = words[0]
    if kind == "manner" and not _HOW.match(text, word.end()):
        return None
    end = _END.search(text, word.end())
    return _Question(kind, word.span(), end.start() if end else len(text))


def _placeholders(
    graph: penman.Graph, verb: str, kind: str, inside: set[str], at_word: set[str]
) -> set[str] | None:
    """Return the nodes written for a question; ``None`` if they say it, or a cause is said.

    Args:
        graph: The graph.
        verb: The verb of asking or saying.
        kind: The relation that is asked for.
        inside: Nodes of the clause.
        at_word: Those of them that are read off the question word.
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    placeholders = {
        edge.target for edge in graph.edges(source=verb) if concepts[edge.target] in _PLACEHOLDERS
    }
    below = [edge for edge in graph.edges() if edge.source in inside]
    answers = {edge.target for edge in below if edge.role == f":{kind}"}
    causes = {edge.source for edge in graph.edges() if edge.target in placeholders}
    causes = {node for node in causes | placeholders if concepts[node] == _CAUSE}
    caused = {edge.target for edge in graph.edges(role=":ARG0") if edge.source in causes}
    if (causes and kind != "cause") or (answers | caused) & placeholders:
        return None
    if any(concepts[edge.target] == "amr-unknown" for edge in below):
        return None
    doubts = {edge.target for edge in below if edge.role == ":polarity"}
    negated = {negation[0] for negation in graph.attributes(role=":polarity")}
    if negated and negated <= placeholders | causes:
        return None  # the only negation would be lost
    leaves = answers & at_word - {edge.source for edge in graph.edges()}
    return placeholders | causes | leaves | {node for node in doubts if concepts[node] == "truth-value"}


def _head(graph: penman.Graph, verb: str, inside: set[str], dropped: set[str]) -> str | None:
    """Return the only event of a clause that is related to its verb or to the dropped nodes."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    heads: set[str] = set()
    for edge in graph.edges():
        ends = {edge.source, edge.target}
        if edge.source == verb and edge.role in _ROLES:
            heads |= {edge.target} & inside
        elif ends & dropped and verb not in ends:
            if edge.role[:4] == ":ARG" and all(concepts[end] != _CAUSE for end in ends):
                return None  # a thing that takes part in the event
            heads |= ends & inside
    heads = {node for node in heads - dropped if concepts[node] not in _PRONOUNS}
    if len(heads) != 1:
        return None
    head = heads.pop()
    return head if is_frame(concepts[head]) or graph.edges(source=head, role=":domain") else None


def _is_time(graph: penman.Graph, verb: str, kind: str, head: str) -> bool:
    """Return whether the clause of *when* is read as the time of a verb that may have one."""
    may_have_one = kind == "time" and not any((verb, ":instance", one) in graph.triples for one in _ASKING)
    return may_have_one and any(edge.target == head for edge in graph.edges(source=verb, role=":time"))


def _written(graph: penman.Graph, verb: str, kind: str, head: str, dropped: set[str]) -> penman.Graph:
    """Return a graph with the question as the argument of its verb."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    is_place = kind == "location" and concepts[head] == _LOCATED
    if is_place:
        places = {edge.target for edge in graph.edges(source=head, role=":ARG2")}
        dropped = dropped | {node for node in places if concepts[node] in _SOMEWHERE}
    triples: list[Triple] = [
        one for one in graph.triples
        if one[0] not in dropped and (one[1] == ":instance" or one[2] not in dropped)
        and one[::2] != (verb, head)
    ]  # fmt: skip
    first = [one for one in triples if one[0] == verb and one[1] == ":ARG1"]
    if first:
        hearer = first[0][2]
        if concepts[verb] not in _HEARER or concepts.get(hearer) not in _PRONOUNS or len(first) > 1:
            return graph
        triples.remove(first[0])
        if not any(one[:2] == (verb, ":ARG2") for one in triples):
            triples.append((verb, ":ARG2", hearer))
        elif not any(hearer in (one[0], one[2]) for one in triples if one[1] != ":instance"):
            triples = [one for one in triples if one[0] != hearer]
    taken = set(concepts) - dropped
    node = free_variable(_NODES[kind][0], taken)
    new: list[Triple] = [(verb, ":ARG1", node), (node, ":instance", _NODES[kind])]
    if kind == "cause":
        cause = free_variable("c", taken | {node})
        new += [(cause, ":ARG0", node), (cause, ":instance", _CAUSE), (cause, ":ARG1", head)]
    else:
        new.append((head, ":ARG2" if is_place else f":{kind}", node))
    gone = next(i for i, one in enumerate(graph.triples) if one[0] == verb and one[2] in {*dropped, head})
    place = sum(one in triples for one in graph.triples[:gone])
    triples = [*triples[:place], *new, *triples[place:]]
    return laid_out(triples, graph.top) if graph.top not in dropped and is_connected(triples) else graph

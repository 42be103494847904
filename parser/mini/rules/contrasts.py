"""Negate what a sentence rejects, and not what it says.

::

    I ordered tea, not coffee.    (o / order-01 :polarity - :ARG0 (i / i)
                                      :ARG1 (a / and :polarity - :op1 (t / tea) :op2 (c / coffee)))
                             ──>  (o / order-01 :ARG0 (i / i)
                                      :ARG1 (a / and :op1 (t / tea) :op2 (c / coffee :polarity -)))

    これは犬ではなく、狼です。 (ja)   (w / wolf :polarity - :domain (t / this))
                             ──>  (w / wolf :domain (t / this))

Only sentences without another negation are changed. If what is rejected is lost, nothing is negated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import laid_out
from parser.mini.rules.negation import negated
from parser.mini.rules.negation_words import is_negated_elsewhere, negators
from parser.mini.rules.nouns import noun_entries

_NOT = {
    "da": "ikke", "de": r"nicht|kein\w*", "en": "not", "es": "no", "fr": "(?:non )?pas|non", "it": "non",
    "nb": "ikke", "nl": "niet|geen", "pl": "nie", "pt": "não", "ru": "не", "sv": "inte", "uk": "не",
}  # fmt: skip
_AND = r"(?:(?:and|und|et|y|e|en|a|а|och|og)\s+)?"
_TAG = re.compile(
    r"(?:wahr|true|really|always|yet|only|that|even|nur|immer|wirklich|to|too|quite|solo|sólo|seulement|só"
    r"|alleen|tylko|только|лише|bara|bare)\b",
    re.IGNORECASE,
)
"""Words after *not* in tags and other constructions."""
_SIDES = {
    "cs": (r"(?P<no>\bne\w+[^,.]*), (?:ale|nýbrž) (?P<yes>[^,.]+)",),
    "de": (r"(?P<no>^[^,.]*\b(?:nicht|kein\w*)\b[^,.]*), sondern (?P<yes>[^,.]+)",),
    "es": (r"(?P<no>^[^,.]*\bno\b[^,.]+?),? sino (?P<yes>[^,.]+)",),
    "ja": ("(?:^|[、はがも])(?P<no>[^、はがも]+(?:では|じゃ)なく)(?!な)て?、?(?P<yes>.+)",),
    "ko": (r"(?P<no>\S+[이가] 아니라),? (?P<yes>.+)",),
    "tr": (r"(?P<no>\w+ değil)(?:,| de) (?P<yes>.+)",),
    "zh": (
        "(?P<no>不是[^,，。]+?)[,，]?而是(?P<yes>.+)",
        "(?P<no>不是[^,，。]+)[,，]是(?P<yes>.+)",
        "(?P<no>没有?[^,，。]+?)[,，]?而是(?P<yes>.+)",
        "(?P<yes>.+?)[,，]?(?P<no>而不是[^,，。]+)",
    ),
}
"""Patterns of the rejected (``no``) and the stated (``yes``) part, where the parser negates the wrong one."""
_ONLY = re.compile(
    r"\b(?:nur|allein|bloß|lediglich|s[oó]lo|solamente|únicamente|sadece|yalnız\w*|nejen|jen)\b"
    "|だけ|のみ|뿐|만 아니라|只|仅",
    re.IGNORECASE,
)
"""Words for *only*: *not only* rejects nothing."""
_WORDS = 5
"""Maximum number of words of what is rejected."""


def with_contrasts(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph that negates what is rejected; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(d / drink-01 :polarity - :ARG1 (a / and :op1 (t / tea) :op2 (b / beer)))")
        >>> graph = with_contrasts(graph, "They drink tea, not beer.", "en", {"t": (11, 14), "b": (20, 24)})
        >>> print(penman.encode(graph, indent=None))
        (d / drink-01 :ARG1 (a / and :op1 (t / tea) :op2 (b / beer :polarity -)))
    """
    found = re.search(rf",\s*{_AND}(?:{_NOT.get(lang, '(?!)')})\s+(?P<rest>[^,;:?]+)$", text, re.IGNORECASE)
    if found is None or len(found["rest"].split()) > _WORDS or _TAG.match(found["rest"]):
        return graph
    begin, end = found.span()
    if is_negated_elsewhere(text, lang, begin, end) or text[:begin].count(","):
        return graph
    start = found.start("rest")
    nodes = set(graph.variables())
    inside = {node for node, span in alignments.items() if span[0] >= start and node in nodes}
    heads = inside - {edge.target for edge in graph.edges() if edge.source in inside}
    before = {node for node in nodes if node in alignments and alignments[node][0] < begin} | {graph.top}
    said = [one for one in graph.triples if one[1:] == (":polarity", "-") and one[0] in before - inside]
    if len(heads) > 1 or graph.top in inside:
        return graph
    graph = laid_out([one for one in graph.triples if one not in said], graph.top) if said else graph
    is_negated = any((node, ":polarity", "-") in graph.triples for node in inside)
    return graph if is_negated or not heads else negated(graph, heads.pop())


def with_rejection(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph that negates the rejected one of two, and not the other; the same object if it does.

    Example:
        >>> graph = penman.decode("(w / wolf :polarity - :domain (t / this))")
        >>> graph = with_rejection(graph, "これは犬ではなく、狼です。", "ja", {"w": (9, 10), "t": (0, 2)})
        >>> print(penman.encode(graph, indent=None))
        (w / wolf :domain (t / this))
    """
    found = next(filter(None, (re.search(one, text, re.IGNORECASE) for one in _SIDES.get(lang, ()))), None)
    pattern = negators(lang)
    if found is None or pattern is None or _ONLY.search(text):
        return graph
    if pattern.search(text[: found.start()]) or pattern.search(found["yes"]) or re.search("[?？]", text):
        return graph
    begin, end = found.span("no")
    nodes = set(graph.variables())
    nouns = {entry.split()[-1] for span, entry in noun_entries(text, lang) if begin <= span[0] < end}
    rejected = {node for node, span in alignments.items() if begin <= span[0] < end and node in nodes}
    rejected |= {node for node, _, concept in graph.instances() if concept in nouns}
    gone = [one for one in graph.attributes(role=":polarity") if one[2] == "-" and one[0] not in rejected]
    if gone:
        graph = laid_out([one for one in graph.triples if one not in gone], graph.top)
    heads = rejected - {edge.target for edge in graph.edges() if edge.source in rejected}
    is_negated = any((node, ":polarity", "-") in graph.triples for node in rejected)
    return graph if is_negated or len(heads) != 1 else negated(graph, heads.pop())

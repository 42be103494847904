"""Write *no longer* as *not any more*, in one form for all languages.

::

    Elle n'habite plus ici. (fr)    (i / inhabit-01 :polarity - ...)
                               ──>  (i / inhabit-01 :polarity - ... :time (a / anymore))
    Él ya no fuma. (es)             (s / smoke-02 :polarity - :time (a / already) ...)
                               ──>  (s / smoke-02 :polarity - :time (a / anymore) ...)

The parser leaves the time out, or reads it as *already*, *yet*, *again* or *more*. Only sentences with one
*no longer* and no other negation are changed. Of the two forms in gold AMR, ``:time no-longer`` and
``:polarity - :time anymore``, the second has the negation where other sentences have it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.negation import negated, only_verb
from parser.mini.rules.negation_words import NEGATIVE, is_negated_elsewhere, negators

_FR_PRONOUNS = r"(?:(?:me|te|se|nous|vous|les?|la|lui|leur|y|en)\s+|[lmts]['’]|[ny]['’]?en\s+)*"
_IT_PRONOUNS = r"(?:(?:ci|mi|ti|si|lo|la|li|le|ne|vi|gli)\s+|[cl]['’])*"
_PLACES = {
    "it": r"(?:qui|qua|là|lì|in|a|ad|al\w*|all['’]|nel\w*|nell['’]|da\w*|con|per|un[ao]?|il|la|lo|i|gli|le|"
    r"bisogno|paura|voglia|tempo|soldi|fame|\w{3,}(?:are|ere|ire|arsi|ersi|irsi))",
    "pt": r"(?:aqui|lá|ali|em|n[oa]s?|com|para|por|a|o|as|os|ao|à|um|uma|hoje|\w{3,}(?:ar|er|ir))",
}
_END = r"(?=\s*(?:[.,;!?]|$))"
_NO_LONGER = {
    "cs": r"už (?:ne(?!j|ž\b|bo\b|děl|dáv)\w+)",
    "da": r"ikke længere(?! end)",
    "de": r"nicht mehr(?! (?:als|viel|weit|lange|fern|genug|so|ganz|nur|tun|machen|sagen)\b)(?! [A-ZÄÖÜ])"
    r"|kein\w*(?: [\w-]+){1,2} mehr(?! als)",
    "en": r"no longer(?! than)|(?:not|cannot|\w+n['’]t)\b[^,;:]*? any ?more" + _END,
    "es": r"ya no(?! s[oó]lo\b| solamente\b)",
    "fr": rf"n(?:e\s+|['’]){_FR_PRONOUNS}(?!cherche)[\w-]+\s+plus"
    r"(?!\s+(?:que|ou|jamais|rien|personne|aucune?|de\s+\d)\b|\s+qu['’])"
    r"|ne\s+plus(?!\s+(?:que|jamais|rien|personne)\b|\s+qu['’])",
    "it": rf"non\s+{_IT_PRONOUNS}\w+\s+più(?:(?=\s+{_PLACES['it']}\b)|{_END})",
    "ja": "もう(?!一|少|二|す|１|1)[^、。]*(?:ない|ません|なかった|ませんでした)(?!か)",
    "ko": r"더\s?이상(?!의)[^,.]*(?:않|없|못|아니|안\s)",
    "nb": r"ikke len?g(?:er|re)(?! enn)",
    "nl": r"niet (?:meer|langer)(?! dan)|geen \w+ meer(?! dan)",
    "pl": r"już (?:\w+ ){0,2}?nie(?! tylko)|nie(?! tylko) \w+ już(?! nie)",
    "pt": rf"já não(?! só\b| apenas\b| somente\b)|não\s+\w+\s+mais(?:(?=\s+{_PLACES['pt']}\b)|{_END})",
    "ru": r"больше (?:\w+ )?не(?! (?:только|менее|меньше))|уже не(?! (?:только|раз|перв\w+|один\w*))",
    "sv": r"inte längre(?! än)",
    "tr": r"artık\b[^,]*?(?:\w+m(?:[ıiuü]yor|[ae](?:z|d[ıi]|y[ae]c))\w*|değil\w*|yok\w*)",
    "uk": r"більше (?:\w+ )?не(?! (?:тільки|лише|менше))|вже не(?! (?:тільки|лише|раз|перш\w+|один\w*))",
    "zh": "(?<!么)(?<!何)不再(?!.{1,3}[次下遍])",
}  # fmt: skip
"""Phrases, with the negation of the verb."""
ANYMORE = frozenset({"anymore", "no-longer"})
_UNSPACED = ("ja", "ko", "zh")
_MISREAD = frozenset({"already", "yet", "ever", "anymore", "no-longer", "again", "more", "still", "far"})
"""Concepts that the parser writes for the phrase."""
_ALIGNED = _MISREAD | {"now"}
"""Such concepts if the phrase is aligned to them; *now* may be said besides."""


def with_no_longer(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph whose negation is *not any more*; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(s / smoke-02 :polarity - :ARG0 (h / he) :time (y / yet))")
        >>> graph = with_no_longer(graph, "On już nie pali.", "pl", {"y": (3, 6)})
        >>> print(penman.encode(graph, indent=None))
        (s / smoke-02 :polarity - :ARG0 (h / he) :time (a / anymore))
    """
    phrase = _only_phrase(text, lang)
    node = _negation(graph, text) if phrase else None
    if phrase is None or node is None:
        return graph
    next_word = re.match(r"\W*\w+(?:['’]\w+)?", text[phrase[1] :])
    reach = phrase[1] + (next_word.end() if next_word else 0)
    leaves = list(_misread(graph, node, alignments, phrase, reach))
    right = [leaf for source, role, leaf in leaves if (source, role) == (node, ":time")]
    gone = {leaf for _, _, leaf in leaves}
    others = [leaf for leaf, _, concept in graph.instances() if concept in ANYMORE and leaf not in gone]
    if others or (len(leaves) == len(right) == 1 and (right[0], ":instance", "anymore") in graph.triples):
        return graph
    is_negated = (node, ":polarity", "-") in graph.triples
    triples = list[Triple]((graph if is_negated else negated(graph, node)).triples)
    triples = [triple for triple in triples if triple[0] not in gone and triple[2] not in gone]
    time = free_variable("a", {source for source, _, _ in triples})
    triples += [(node, ":time", time), (time, ":instance", "anymore")]
    return laid_out(triples, graph.top)


def _only_phrase(text: str, lang: str) -> Span | None:
    """Return the span of the only *no longer* of a sentence without another negation."""
    if lang not in _NO_LONGER:
        return None
    words = _NO_LONGER[lang] if lang in _UNSPACED else rf"\b(?:{_NO_LONGER[lang]})"
    matches = list(re.finditer(words, text)) or list(re.finditer(words, text[:1].lower() + text[1:]))
    pattern = negators(lang)
    if len(matches) != 1 or pattern is None or len(pattern.findall(matches[0][0])) > 1:
        return None
    return None if is_negated_elsewhere(text, lang, *matches[0].span()) else matches[0].span()


def _negation(graph: penman.Graph, text: str) -> str | None:
    """Return the only negated node of a graph; if none is, that of *no longer*, or the only verb."""
    nodes = [node for node, _, value in graph.attributes(role=":polarity") if value == "-"]
    if nodes:
        return nodes[0] if len(nodes) == 1 else None
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    timed = [edge.source for edge in graph.edges(role=":time") if concepts.get(edge.target) in ANYMORE]
    if timed:
        return timed[0] if len(timed) == 1 else None
    return None if NEGATIVE & set(concepts.values()) else only_verb(graph, text)


def _misread(
    graph: penman.Graph, node: str, alignments: Mapping[str, Span], phrase: Span, reach: int
) -> Iterator[Triple]:
    """Yield the relations of a negated node, or of its arguments, to leaves that the phrase became.

    *More* may be aligned to the noun after the phrase, which ends at ``reach``.
    """
    related = Counter(one for source, _, target in graph.edges() for one in (source, target))
    concepts = {leaf: str(concept) for leaf, _, concept in graph.instances()}
    heads = {node} | {edge.target for edge in graph.edges(source=node) if edge.role.startswith(":ARG")}
    for edge in graph.edges():
        leaf = edge.target
        if edge.source not in heads or related[leaf] != 1 or graph.attributes(source=leaf):
            continue
        if edge.role not in (":time", ":mod", ":quant", ":degree", ":duration", ":frequency"):
            continue
        begin, end = alignments.get(leaf, phrase)
        known = _ALIGNED if leaf in alignments else _MISREAD
        last = reach if concepts[leaf] == "more" else phrase[1]
        if begin < last and phrase[0] < end and concepts[leaf] in known:
            yield edge

"""Write the only negation of a sentence at the predicate that it negates.

::

    I bought the book but did not read it.   (c / contrast-01 :ARG1 (b / buy-01 :polarity - ...)
                                                              :ARG2 (r / read-01 :polarity - ...))
                                        ──>  the same without the polarity of buy-01
    Ich weiß, dass sie nicht bezahlt hat.    (k / know-01 :polarity - :ARG1 (p / pay-01 :polarity - ...))
                                        ──>  the same without the polarity of know-01
    If it does not rain, we will go.         (g / go-02 :polarity - :condition (r / rain-01))
                                        ──>  (g / go-02 :condition (r / rain-01 :polarity -))

The parser spreads the negation of one clause over its neighbours. The sentence is cut into clauses at
punctuation and conjunctions. If it has one word for *not* or *never*, the negated predicate is the first one
aligned after that word in its clause; in Germanic languages, where the verb may stand before *not*, else the
last one before. Nothing changes if that clause has no aligned predicate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, laid_out
from parser.mini.rules.negation import negated
from parser.mini.rules.negation_words import NEGATIVE, is_like_negation, negators

_NOT = {
    "da": r"ikke\b", "de": r"(?:nicht|kein(?:e[mnrs]?)?)\b", "en": r"(?:not|cannot|\w+n['’]t)\b",
    "es": r"no\b", "fr": r"ne\b|n['’]", "it": r"non\b", "nb": r"ikke\b", "nl": r"(?:niet|geen)\b",
    "pl": r"nie\b",
    "pt": r"não\b", "ro": r"nu\b", "ru": r"не\b", "sv": r"inte\b", "uk": r"не\b",
    "tr": r"(?!komedi|umuy|gömüy|yumuy|emiy)"
    r"\w+m(?:[ae]d[ıi]\w*|[ae]z(?:s[ae]\w*|l[ae]r)?|[ıiuü]yor\w*|[ae]y(?:acak|ecek|an|en)\w*|[ae]y[ıi]n(?:[ıi]z)?"
    r"|[ae]m[ıi]ş\w*|[ae]yıp|[ae]yip)\b",
}  # fmt: skip
"""Words for *not*; in Turkish, verbs with the ending of negation."""
_NOT_CHINESE = re.compile(
    "没有?(?!关系)|未(?!来|必)|(?<![差对岂要])不(?![过但仅同错久断得管论知]|一样)|别(?=[^的人墅处])"
)
_OTHER = {
    "da": "aldrig|ingen|intet|uden", "de": "nie(?:mals|mand)?|nichts|ohne|weder|nirgends",
    "en": r"no|never|none|nobody|nothing|neither|nor|nowhere|without|unless|only|no-one",
    "es": "nunca|jamás|nada|nadie|ning[uú]n\\w*|sin|tampoco|ni|sino",
    "fr": "jamais|rien|personne|aucun\\w*|sans|ni|plus|que|guère|non",
    "it": "mai|niente|nulla|nessun\\w*|senza|né|neanche", "nb": "aldri|ingen|intet|uten",
    "nl": "nooit|niets|niemand|zonder|noch", "pl": "nigdy|nic|nikt|żad\\w+|bez|ani|ale nie tylko",
    "pt": "nunca|jamais|nada|ninguém|nenhum\\w*|sem|nem", "ro": "niciodată|nimic|nimeni|fără|nici",
    "ru": "никогда|ничего|никто|ни|нет|без|ник\\w+|нич\\w+", "sv": "aldrig|inget|ingen|inga|utan",
    "tr": r"değil|yok|hiç\w*|asla|ne|\w*s[ıiuü]z",
    "uk": "ніколи|нічого|ніхто|ні|немає|без|нік\\w+|ніч\\w+",
}  # fmt: skip
"""Words that negate something else, or make another sense of *not*: such a sentence is left unchanged."""
_GERMANIC = frozenset({"da", "de", "nb", "nl", "sv"})
"""Languages whose verb may stand before *not*."""
_SUFFIXED = frozenset({"tr"})
"""Languages that negate the verb by an ending."""
_CUTS = {
    "da": "og|men|fordi|hvis|selvom|at|som|der|da|når|mens",
    "de": "und|aber|sondern|weil|denn|obwohl|wenn|dass",
    "en": "and|but|because|if|although|though|while|when|that|who|which|whom|since|so|or|until|before|after"
    "|where",
    "es": "y|e|pero|porque|si|aunque|que|quien|cuando|mientras|pues",
    "fr": "et|mais|parce|car|si|s['’]|bien|que|qu['’]|qui|quand|lorsque|alors|puisque",
    "it": "e|ed|ma|perché|se|anche|sebbene|che|quando|mentre|poiché",
    "nb": "og|men|fordi|hvis|selv|at|som|da|når|mens",
    "nl": "en|maar|omdat|want|als|hoewel|dat|die|wanneer|terwijl|toen",
    "pl": "i|a|ale|lecz|bo|ponieważ|jeśli|jeżeli|chociaż|że|który|która|które|gdy|kiedy",
    "pt": "e|mas|porque|se|embora|que|quem|quando|enquanto|pois",
    "ro": "și|dar|însă|pentru|dacă|deși|că|care|când",
    "ru": "и|а|но|потому|если|хотя|что|который|которая|когда",
    "sv": "och|men|eftersom|om|fastän|att|som|när|medan|då",
    "tr": "ve|ama|fakat|çünkü|ancak",
    "uk": "і|й|та|а|але|тому|якщо|хоча|що|який|яка|коли",
}  # fmt: skip
"""Words that begin a clause."""
_NEVER = {
    "da": "aldrig", "de": "nie|niemals", "en": "never", "es": "nunca|jamás", "fr": "jamais", "it": "mai",
    "nb": "aldri", "nl": "nooit", "pl": "nigdy", "pt": "nunca|jamais", "ro": "niciodată", "ru": "никогда",
    "sv": "aldrig", "tr": "hiç|asla", "uk": "ніколи",
}  # fmt: skip
_CONCORD = frozenset({"fr", "it", "pl", "ro", "ru", "tr", "uk"})
"""Languages whose *never* stands beside *not*."""
_WHY = {
    "da": r"\bhvorfor\b", "de": r"\b(?:warum|wieso|weshalb|wie)\b", "en": r"\b(?:why|how)\b",
    "es": r"\bpor qué\b", "fr": r"\bpourquoi\b", "nb": r"\bhvorfor\b", "nl": r"\bwaarom\b",
    "pl": r"\bdlaczego\b", "pt": r"\bpor ?qu[eê]\b", "ro": r"\bde ce\b", "ru": r"\bпочему\b",
    "sv": r"\bvarför\b", "tr": r"\bneden\b", "uk": r"\bчому\b", "zh": "为什么|(?<=说过|告诉)[他她我]",
}  # fmt: skip
"""Other words that begin a clause which *not* may be in."""
_NOT_THAT = re.compile(
    r"\b(?:not that|nicht so, dass|niet (?:zo )?dat|no es que|non è che|não é que"
    r"|ce n['’]est pas que|nie (?:jest tak|to), że|не (?:то,? )?что(?:бы)?)\b|不是.{0,2}不",
    re.IGNORECASE,
)
"""*It is not that she does not want to*: two negations of one statement."""
_LONGEST, _QUOTED = 120, re.compile('["“”„«»?？¿]')
"""Number of characters of a sentence whose clauses are clear, and signs of others."""
_REASONS = frozenset({"thing", "cause-01", "reason"})
"""Concepts of *why*, which *not* negates nowhere."""
_ABSENT = re.compile(
    "dis|un|miss-|lack-|fail-|refuse-|forget-|prevent-|stop-|deny-|reject-|avoid-|doubt-|without"
)
"""Beginnings of verbs with a negation of their own."""
_SUBJECT = re.compile(
    r"(?<=\w\s)(?:I|we|you|he|she|they|it)"
    r"(?:['’](?:ll|d)| (?:will|would|can|cannot|could|shall|should|must|may|might)\b| (?:wo|ca)n['’]t)"
)
"""English subjects that begin a clause without a comma, as in *If you do not answer I will call*."""
_AUXILIARY = re.compile(
    r"(?:do|does|did|will|would|has|have|had|is|are|was|were|can|could)\s+", re.IGNORECASE
)
"""English verbs that *not* follows, which a node may be aligned to in place of its verb."""
_CUT_CHINESE = re.compile(
    "[，,。；;：:！!？?]|但是?|而(?=[不没])|因为|如果|虽然|尽管|而且|所以|并且|就(?=[^是])"
    "|(?<=希望|认为|知道|觉得|相信|以为|听说|担心)(?=[我你您他她它])"
)
_AND = re.compile(
    r"(?:and|or|und|oder|y|e|o|et|ou|ed?|en|of|i|lub|ou|sau|și|и|или|och|eller|og|і|й|та|або)\b"
)
"""Conjunctions that may continue what *not* negates; the pronoun *I* is not one."""
_WHO = {
    "de": r",?\s*(?:der|die|das|den|dem|deren|dessen|welche\w*)\b", "en": r"(?:who|which|that|whom|whose)\b",
    "es": r"(?:que|quien)\b", "fr": r"(?:qui|que|qu['’])", "it": r"che\b", "nl": r",?\s*(?:die|dat)\b",
    "pl": r",?\s*któr\w+", "pt": r"que\b", "ro": r"care\b", "ru": r",?\s*котор\w+", "sv": r"som\b",
    "uk": r",?\s*як(?:ий|а|е|і)\b",
}  # fmt: skip
"""Relative pronouns at the beginning of a clause."""
_PRENOMINAL = frozenset({"tr", "zh"})
"""Languages whose relative clauses stand before the noun."""
_PREVERBAL = frozenset({"en", "es", "fr", "it", "pl", "pt", "ro", "ru", "uk"})
"""Languages whose *not* stands just before its verb; in Germanic ones it may end the clause."""
_NEAR = re.compile(r"[\w'’]+\s*")
"""Between the beginnings of *not* and of its verb."""
_LAST = re.compile(r"\w+\s*(?:[,;.:!]|$)")
"""The last word of a clause."""
_MARK = re.compile(r"[,;:.!?–—…]\s")
_PREFIXES = {
    "de": "un", "en": "un|in|im|il|ir|dis|non", "es": "in|im|des|dis", "fr": "in|im|dés|mé",
    "it": "in|im|dis",
    "nl": "on", "pl": "nie", "pt": "in|im|des|dis", "ru": "не", "sv": "o", "uk": "не",
}  # fmt: skip
"""Beginnings of words with a negation of their own, as *unhappy*."""
_MODAL = frozenset(
    {"possible-01", "permit-01", "obligate-01", "recommend-01", "need-01", "capable-01", "able"}
)
_RELATION = "-91"
"""End of the concepts of relations without a verb, whose negation stays."""
_LINKS = re.compile(r"(?:contrast|cause|concede|condition)-0\d")
"""Concepts of conjunctions."""


class _Place(NamedTuple):
    """An aligned node."""

    start: int
    node: str


def with_placed_negation(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the negation at its predicate; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(k / know-01 :polarity - :ARG1 (p / pay-01 :polarity -))")
        >>> graph = with_placed_negation(graph, "I know she did not pay.", "en", {"k": (2, 6), "p": (19, 22)})
        >>> print(penman.encode(graph, indent=None))
        (k / know-01 :ARG1 (p / pay-01 :polarity -))
    """
    word = _only_not(text, lang)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if word is None or NEGATIVE & set(concepts.values()):
        return graph
    cuts = _cuts(text, lang)
    clause = bisect_right(cuts, word)
    polar = [source for source, role, value in graph.triples if (role, value) == (":polarity", "-")]
    places = sorted(
        _Place(alignments[node][0], node)
        for node, concept in concepts.items()
        if node in alignments
        and (is_frame(concept) or node in polar)
        and not concept.endswith(_RELATION)
        and not (_LINKS.fullmatch(concept) and alignments[node][0] in cuts)
    )
    inside = [place for place in places if bisect_right(cuts, place.start) == clause]
    target = _target(graph, inside, text, word, lang, concepts)
    if target is None:
        return graph
    starts = {place.node: place.start for place in places}
    relative = _is_relative(text, cuts, clause, lang) and _is_inverse(graph, target)

    def is_right(node: str) -> bool:
        """Return whether a negation may stay."""
        governs = concepts[node] in _MODAL and any(edge[2] == target for edge in graph.edges(source=node))
        prefix = rf"(?:{_PREFIXES.get(lang, '$')})\w{{3}}"
        begin, end = alignments.get(node, (0, 0))
        own = re.match(prefix, text[begin:end], re.IGNORECASE) and not is_like_negation(text, lang, begin)
        if node == target or governs or own or concepts[node].endswith(_RELATION):
            return True
        if node not in alignments:
            return len(polar) == 1 and (not is_beside or target in _below(graph, node))
        if concepts[node] in ("and", "or") and starts.get(node, word) < word:
            return False  # *and not*
        if node not in starts or lang in _SUFFIXED or (relative and not _is_inverse(graph, node)):
            return False
        other = bisect_right(cuts, starts[node])
        if other != clause:
            return _continues(text, cuts, clause, other)
        return len(polar) == 1 or lang in _GERMANIC or starts[node] >= word or concepts[node] in _MODAL

    is_beside = _is_beside(text, word, starts[target], lang)
    right = [node for node in polar if is_right(node)]
    if right == polar and (polar or not is_beside):
        return graph
    triples = [triple for triple in graph.triples if triple[1:] != (":polarity", "-") or triple[0] in right]
    kept = laid_out(triples, graph.top)
    return kept if right else negated(kept, target)


def without_spread_negation(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which *nobody* or *nothing* negates its own clause alone.

    ::

        İki kez aradım ama kimse cevap vermedi. (tr)   (c / call-02 :polarity - :ARG0 (i / i) ...)
                                                  ──>  (c / call-02 :ARG0 (i / i) ...)
        Но никто не ответил. (ru)                      (a / answer-01 :ARG0 (n / nobody) :ARG1 (n2 / no))
                                                  ──>  (a / answer-01 :ARG0 (n / nobody))

    A node loses its negation if no word of its clause negates, and one of another clause does; ``no`` beside
    *nobody* goes. The same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / call-02 :polarity - :ARG1-of (c2 / contrast-01 :ARG2 (n / nobody)))")
        >>> graph = without_spread_negation(graph, "I called, but nobody was there.", "en", {"c": (2, 8)})
        >>> print(penman.encode(graph, indent=None))
        (c / call-02 :ARG1-of (c2 / contrast-01 :ARG2 (n / nobody)))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    pattern = negators(lang)
    if (
        pattern is None
        or not NEGATIVE & set(concepts.values())
        or len(text) > _LONGEST
        or _QUOTED.search(text)
    ):
        return graph
    words = [match.span() for match in pattern.finditer(text)]
    cuts = _cuts(text, lang) if lang in _CUTS or lang == "zh" else []
    negative = {bisect_right(cuts, start) for start, _ in words}
    own = re.compile(rf"(?:{_PREFIXES.get(lang, '$')})\w{{3}}", re.IGNORECASE)
    gone = set[Triple]()
    for node, role, value in graph.attributes(role=":polarity"):
        if value == "-" and node in alignments and words and not own.match(text, alignments[node][0]):
            if bisect_right(cuts, alignments[node][0]) not in negative:
                gone.add((node, role, value))
    nobody = {edge.source for edge in graph.edges() if concepts[edge.target] in NEGATIVE}
    degree = Counter(end for edge in graph.edges() for end in (edge.source, edge.target))
    for source, role, node in graph.edges():
        if concepts[node] == "no" and source in nobody and role.startswith(":ARG") and degree[node] == 1:
            gone |= {(source, role, node), (node, ":instance", "no")}
    if not gone:
        return graph
    return laid_out([triple for triple in graph.triples if triple not in gone], graph.top)


def with_two_negations(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the negation of each of two clauses; the same object if none is lost.

    ::

        He never told us why it does not open.    (t / tell-01 :polarity - :ARG1 (o / open-01))
                                            ──>  (t / tell-01 :polarity - :ARG1 (o / open-01 :polarity -))

    A clause whose word for *not* or *never* is its only negation must have one negated node. No other word
    of the sentence may negate.
    """
    words = _negations(text, lang)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    polar = {source for source, role, value in graph.triples if (role, value) == (":polarity", "-")}
    if len(words) != 2 or NEGATIVE & set(concepts.values()) or not polar or not polar <= alignments.keys():
        return graph
    if len(text) > _LONGEST or _QUOTED.search(text) or _NOT_THAT.search(text):
        return graph
    cuts = sorted(_cuts(text, lang) + [one.start() for one in re.finditer(_WHY.get(lang, "(?!)"), text)])
    clauses = [bisect_right(cuts, word) for word in words]
    if clauses[0] == clauses[1]:
        return graph
    for word, clause in zip(words, clauses, strict=True):
        places = sorted(
            _Place(alignments[node][0], node)
            for node, concept in concepts.items()
            if node in alignments
            and is_frame(concept)
            and not concept.endswith(_RELATION)
            and not _LINKS.fullmatch(concept)
            and bisect_right(cuts, alignments[node][0]) == clause
        )
        target = _target(graph, places, text, word, lang, concepts)
        inside = {
            node
            for node in polar
            if bisect_right(cuts, alignments[node][0]) == clause and concepts[node] not in _REASONS
        }
        if target is None or inside or _is_inverse(graph, target) or _ABSENT.match(concepts[target]):
            continue
        graph = _without_negated_reasons(negated(graph, target), concepts)
    return graph


def _without_negated_reasons(graph: penman.Graph, concepts: Mapping[str, str]) -> penman.Graph:
    """Return a graph in which no *why* is negated."""
    gone = {triple for triple in graph.attributes(role=":polarity") if concepts[triple[0]] in _REASONS}
    if not gone:
        return graph
    return laid_out([triple for triple in graph.triples if triple not in gone], graph.top)


def _negations(text: str, lang: str) -> list[int]:
    """Return the places of the words for *not* and *never*; none if another word may negate."""
    if lang == "zh":
        return [match.start() for match in _NOT_CHINESE.finditer(text)]
    if lang not in _NOT:
        return []
    never = _NEVER.get(lang)
    others = re.findall(rf"\b(?:{_OTHER[lang]})\b", text, re.IGNORECASE)
    if any(never is None or not re.fullmatch(never, one, re.IGNORECASE) for one in others):
        return []
    words = rf"\b(?:{_NOT[lang]}" + (rf"|(?:{never})\b)" if never and lang not in _CONCORD else ")")
    return [match.start() for match in re.finditer(words, text, re.IGNORECASE)]


def _is_beside(text: str, word: int, verb: int, lang: str) -> bool:
    """Return whether *not* stands at its verb, so that a lost negation can be written."""
    if lang in _GERMANIC and verb < word:
        return _LAST.match(text, word) is not None
    if lang in _PREVERBAL or lang in _GERMANIC:
        return _NEAR.fullmatch(text, word, verb) is not None
    return verb == word


def _only_not(text: str, lang: str) -> int | None:
    """Return the place of the only word for *not* or *never*, of a sentence without other negations."""
    if lang == "zh":
        starts = [match.start() for match in _NOT_CHINESE.finditer(text)]
        return starts[0] if len(starts) == 1 else None
    if lang in _NEVER and lang not in _CONCORD and not re.search(rf"\b(?:{_NOT[lang]})", text, re.IGNORECASE):
        words = _negations(text, lang)
        return words[0] if len(words) == 1 else None
    if lang not in _NOT or re.search(rf"\b(?:{_OTHER[lang]})\b", text, re.IGNORECASE):
        return None
    starts = [match.start() for match in re.finditer(rf"\b(?:{_NOT[lang]})", text, re.IGNORECASE)]
    if lang == "fr":
        starts = starts if len(starts) == len(re.findall(r"\bpas\b", text)) else []
    return starts[0] if len(starts) == 1 else None


def _cuts(text: str, lang: str) -> list[int]:
    """Return the places where clauses begin."""
    if lang == "zh":
        return [match.start() for match in _CUT_CHINESE.finditer(text)]
    words = re.finditer(rf"(?<!\w)(?:{_CUTS[lang]})(?:(?<=['’])|(?!\w))", text, re.IGNORECASE)
    cuts = {match.start(): match.end() for matches in (words, _MARK.finditer(text)) for match in matches}
    for subject in _SUBJECT.finditer(text) if lang == "en" else ():
        if subject.start() - 1 not in cuts.values():  # no word before it begins the clause
            cuts[subject.start()] = subject.end()
    return sorted(cuts)


def _continues(text: str, cuts: list[int], clause: int, other: int) -> bool:
    """Return whether another clause is the next one, which *and* or *or* joins to that of *not*."""
    return other == clause + 1 and _AND.match(text, cuts[clause]) is not None


def _is_relative(text: str, cuts: list[int], clause: int, lang: str) -> bool:
    """Return whether a clause is a relative one."""
    if lang in _PRENOMINAL:
        return True
    return (
        clause > 0
        and lang in _WHO
        and re.match(_WHO[lang], text[cuts[clause - 1] :], re.IGNORECASE) is not None
    )


def _target(
    graph: penman.Graph, inside: list[_Place], text: str, word: int, lang: str, concepts: Mapping[str, str]
) -> str | None:
    """Return the predicate of a clause that *not* negates."""
    after = [place.node for place in inside if place.start >= word]
    before = [place.node for place in inside if place.start < word]
    is_before = lang in _GERMANIC or (
        lang == "en" and before and _AUXILIARY.fullmatch(text, inside[len(before) - 1].start, word)
    )
    if not after and not (before and is_before):
        return None
    node = after[0] if after else before[-1]
    own = {place.node for place in inside}
    modal = [
        source
        for source, role, target in graph.edges()
        if target == node and source in own and role in (":ARG1", ":ARG2") and concepts[source] in _MODAL
    ]
    return modal[0] if modal else node


def _below(graph: penman.Graph, node: str) -> set[str]:
    """Return a node and all nodes that its relations lead to."""
    found, new = {node}, {node}
    while new:
        new = {edge.target for edge in graph.edges() if edge.source in new} - found
        found |= new
    return found


def _is_inverse(graph: penman.Graph, node: str) -> bool:
    """Return whether a node describes the node above it, as the verb of a relative clause does."""
    return any(role.endswith("-of") for _, role, target in _tree_edges(graph) if target == node)


def _tree_edges(graph: penman.Graph) -> list[Triple]:
    """Return the relations as they are written, inverse ones included."""
    tree = penman.layout.configure(graph)
    return [
        (source, role, branch[0])
        for source, branches in tree.nodes()
        for role, branch in branches
        if isinstance(branch, tuple)
    ]

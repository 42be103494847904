"""Write who thanks whom in *thank you* and *thanks for*.

::

    Thank you for your help.       (t / thank-01 :ARG0 (y / you) :ARG1 (h / help-01 :ARG0 y))
                              ──>  (t / thank-01 :ARG0 (i / i) :ARG1 (y / you) :ARG2 (h / help-01 :ARG0 y))
    Danke für die Antwort. (de)    (t / thank-01 :ARG0 (i / i) :ARG1 (a / answer-01 :ARG0 i))
                              ──>  (t / thank-01 :ARG0 (i / i) :ARG1 (y / you) :ARG2 (a / answer-01 :ARG0 y))

These formulas have no subject, so that the parser lets the hearer thank, or thanks the deed. Changed is the
only thanking of a sentence that begins with such a formula, or has it after punctuation or *and*. Usual
deeds (`_DEEDS`) are added if they are lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from parser.graphs.triples import Triple, free_variable, is_connected, laid_out, subtree

_FORMULAS = {
    "cs": "děkuj[iu]|díky|děkujeme", "da": "(?:mange |tusind )?tak(?! være)",
    "de": "(?:vielen|besten|herzlichen|schönen|lieben) dank|danke(?:schön)?|ich danke|wir danken",
    "en": "(?:many |much )?thanks(?! to)|thank you|(?:I|we) thank you",
    "es": "(?:much[ao]s |mil )?gracias(?! al?)",
    "fr": "(?:un grand )?merci|(?:je|nous) vous remerci(?:e|ons)",
    "it": "(?:mille |tante |molte )?grazie(?! a)|la ringrazio|ti ringrazio|vi ringrazi(?:o|amo)",
    "ja": "(?:どうも|本当に)?(?:ありがとう|有難う)|[^。]*(?:て|で|に)(?:ありがとう|感謝)",
    "ko": "[^.]*(?:감사합니다|고맙습니다|감사드립니다|고마워)",
    "nb": "(?:mange |tusen )?takk(?! være)",
    "nl": "(?:hartelijk |veel )?(?:bedankt|dank (?:u|je|voor)|dank[ju]e?wel)",
    "pl": "(?:bardzo )?dziękuj(?:ę|emy)|dzięki(?= za)", "pt": "(?:muito )?obrigad[oa]s?",
    "ro": "(?:vă |îți )?mulțum(?:im|esc)", "ru": "(?:большое |огромное )?спасибо|благодар(?:ю|им)",
    "sv": "(?:stort |många )?tack(?! vare)", "tr": "[^.]*teşekkür(?:ler| ederi[mz])?",
    "uk": "(?:дуже )?дяку(?:ю|ємо)|спасибі", "zh": "谢谢|感谢|多谢|非常感谢",
}  # fmt: skip
_BEFORE = r"(?:^|[.!?;:,。！？，]\s*|\b(?:and|und|et|y|e|en|och|og|i|și|a|и|і|та|ve)\s+)[\"“„«¡]?"
"""The text before a formula."""
_WE = re.compile(
    "we thank|wir danken|nous vous|ringraziamo|dziękujemy|mulțumim|благодарим|дякуємо|ederiz|děkujeme", re.I
)
_MY = re.compile(
    r"\b(?:my|mein\w*|mon|ma|mes|mis?|mi[oae]|mijn|m[oó]j\w*|meus?|minhas?|мо[йяюеи]\w*)\b", re.IGNORECASE
)
"""Words for *my*, in whose presence the deeds of the speaker stay."""
_DEEDS = {
    "help-01": r"hjælp|hilfe|help|ayuda|aide|aiuto|hjelp|hulp|pomoc|ajuda|помощь|hjälp|yardım\w*"
    "|допомогу|帮助",
    "patience": "tålmodighed|geduld|patience|paciencia|pazienza|tålmodighet|cierpliwość|paciência|терпение"
    r"|tålamod|sabr\w*|терпіння|耐心",
    "support-01": "støtte|unterstützung|support|apoyo|soutien|supporto|steun|wsparcie|apoio|поддержку|stöd"
    r"|desteğ\w*|підтримку|支持",
    "understand-01": "forståelse|verständnis|understanding|comprensión|compréhension|comprensione|begrip"
    r"|wyrozumiałość|compreensão|понимание|förståelse|anlayış\w*|розуміння|理解",
}  # fmt: skip
_SPEAKERS = ("i", "we")
_PRONOUNS = (*_SPEAKERS, "you", "he", "she", "it", "they")
_ROLES = (":ARG0", ":ARG1", ":ARG2")
_THANK = "thank-01"


def with_thanks(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph in which the speaker thanks the hearer; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(t / thank-01 :ARG0 (y / you) :ARG1 (h / help-01 :ARG0 y))")
        >>> print(penman.encode(with_thanks(graph, "Thank you for your help.", "en"), indent=None))
        (t / thank-01 :ARG0 (i / i) :ARG1 (y / you) :ARG2 (h / help-01 :ARG0 y))
    """
    formula = re.search(rf"{_BEFORE}(?:{_FORMULAS.get(lang, '(?!)')})", text, re.IGNORECASE)
    if formula is None:
        return graph
    given, graph = graph, _with_thanking(graph, text, lang)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    thanks = [node for node, concept in concepts.items() if concept == _THANK]
    if len(thanks) != 1 or graph.edges(target=thanks[0]):
        return given
    (node,) = thanks
    thanked = [one.target for one in graph.edges(source=node) if one.role in _ROLES]
    thanked = [one for one in thanked if concepts[one] not in _PRONOUNS]
    gone = {below for one in thanked if _is_many(graph, one, concepts) for below in subtree(graph, one)}
    hearers = [one for one in thanked if graph.edges(source=one, role=":name")]
    reasons = [one for one in thanked if one not in hearers and one not in gone]
    if len(hearers) > 1 or len(reasons) > 1:
        return given
    speaker = "we" if _WE.search(text) else "i"
    new, taken = list[Triple](), dict(concepts)

    def known(concept: str) -> str:
        old = next((one for one, name in taken.items() if name == concept), None)
        if old is None:
            old = free_variable(concept[0], taken)
            taken[old] = concept
            new.append((old, ":instance", concept))
        return old

    who, you = known(speaker), hearers[0] if hearers else known("you")
    lost = None if reasons else _lost_deed(text, lang)
    deed = reasons[0] if reasons else known(lost) if lost else None
    new[:0] = [(node, ":ARG0", who), (node, ":ARG1", you), *([(node, ":ARG2", deed)] if deed else [])]
    new += [(deed, ":ARG0", you)] if deed and lost and lost != "patience" else []
    is_mine = _MY.search(text) is not None
    triples: list[Triple] = []
    for one in graph.triples:
        source, role, target = one
        if source == deed and role == ":ARG0" and concepts[target] in _SPEAKERS and not is_mine:
            triples.append((source, role, you))
        elif not (
            (source == node and (role in _ROLES or (role, target) == (":mode", "imperative")))
            or not gone.isdisjoint((source, target))
            or (concepts[source] in _PRONOUNS and role != ":instance")
            or (source == deed and role in _ROLES[1:] and concepts.get(target) in _SPEAKERS and not is_mine)
        ):
            triples.append(one)
        triples += new if one == (node, ":instance", _THANK) else []
    held = {end for source, role, target in triples if role != ":instance" for end in (source, target)}
    triples = [one for one in triples if one[0] in held or taken[one[0]] not in _PRONOUNS]
    is_changed = set(triples) != set(given.triples)
    return laid_out(triples, graph.top) if is_changed and is_connected(triples) else given


def _with_thanking(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with a lost thanking above the deed; the same object if the top is no usual deed."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if _THANK in concepts.values() or concepts[str(graph.top)] != _lost_deed(text, lang):
        return graph
    node = free_variable("t", concepts)
    helped = {
        one.target for one in graph.edges(source=graph.top, role=":ARG1") if concepts[one.target] == "it"
    }
    kept = [one for one in graph.triples if helped.isdisjoint((one[0], one[2]))]
    new: list[Triple] = [(node, ":instance", _THANK), (node, ":ARG2", str(graph.top))]
    return penman.Graph([*new, *(kept if is_connected(kept) else graph.triples)], top=node)


def _lost_deed(text: str, lang: str) -> str | None:
    """Return the only usual deed that a sentence names."""
    edge = "" if lang == "zh" else r"\b"
    deeds = [one for one, words in _DEEDS.items() if re.search(rf"{edge}(?:{words}){edge}", text, re.I)]
    return deeds[0] if len(deeds) == 1 else None


def _is_many(graph: penman.Graph, node: str, concepts: Mapping[str, str]) -> bool:
    """Return whether a node is *many people*, as *many thanks* are read."""
    own = [(role, target) for source, role, target in graph.triples if source == node and role != ":instance"]
    return concepts[node] == "person" and [(role, concepts.get(one)) for role, one in own] == [
        (":quant", "many")
    ]

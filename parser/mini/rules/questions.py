"""Write *how long does it take* and *what happened to* as questions for a time and an event.

::

    How long did the film last?       (l / last-01 :ARG1 (f / film) :frequency (a / amr-unknown))
                                 ──>  (l / last-01 :ARG1 (f / film) :ARG2 (a / amr-unknown))
    Что случилось с кошкой? (ru)      (a / amr-unknown :ARG1 (c / cat))
                                 ──>  (h / happen-01 :ARG1 (a / amr-unknown) :ARG2 (c / cat))

Only sentences that are nothing but such a question are changed, if besides what asks (`_LASTING`,
`_HAPPENING`) their graph has one thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from parser.graphs.triples import Triple, free_variable, is_connected, laid_out

_HOW_LONG = {
    "da": "hvor længe var(?:er|ede)|hvor lang tid tager", "de": "wie lange? dauer(?:t|n|te)",
    "en": r"how (?:long|much time) (?:do|does|did|will) .*(?:take|last)",
    "es": "cuánto (?:tiempo )?(?:dura|duró|tarda|tardó)",
    "fr": "combien de temps (?:dure|prend|a duré|met)",
    "it": "quanto (?:tempo )?(?:dura|è durato|ci mette|impiega)",
    "ja": ".*どの(?:くらい|ぐらい|くらいの時間)かか", "ko": ".*얼마나 걸",
    "nb": "hvor lenge var(?:er|te)|hvor lang tid tar", "nl": "hoe lang duur(?:t|de)",
    "pl": "(?:jak długo|ile) trwał?[ao]?", "pt": "quanto tempo (?:dura|durou|demora|leva)",
    "ru": "(?:как долго|сколько) (?:длится|длил|займ[её]т|занимает)",
    "sv": "hur länge var(?:ar|ade)|hur lång tid t(?:ar|og)",
    "tr": ".*ne kadar sür", "uk": "(?:як довго|скільки) трива", "zh": ".*(?:多长时间|多久)[？?]$",
}  # fmt: skip
_WHAT_HAPPENED = {
    "da": "hvad skete der med|hvad er der sket med",
    "de": "was ist mit .*(?:passiert|geschehen)|was passierte mit",
    "en": "what (?:has )?happened to", "es": "qué les? (?:pasó|ha pasado|ocurrió|sucedió) al? ",
    "fr": "qu['’]est[- ]il arrivé (?:à|au)|qu['’]est[- ]ce qui est arrivé (?:à|au)",
    "it": "(?:che )?cosa è (?:successo|accaduto) a",
    "ja": ".*(?:に|は)(?:何が|なにが|どう)(?:あった|起きた|起こった|なった)",
    "nb": "hva (?:har )?skjedde?(?: det)? med", "nl": "wat is er met .*gebeurd|wat gebeurde er met",
    "pl": "co się stało z", "pt": "o que aconteceu (?:com|ao?) ", "ru": "что случилось с",
    "sv": "vad (?:har )?hände? med|vad har hänt med", "tr": r".*[ae] ne oldu",
    "uk": "що (?:трапилося|сталося) з", "zh": ".*怎么了[？?]$|.*发生了什么",
}  # fmt: skip
_UNKNOWN = "amr-unknown"
_ASKING = "amr-unknown|you|it|temporal-quantity|time|hour|minute|day|year|truth-value|rate-entity-91"
_LASTING = re.compile(
    rf"{_ASKING}|(?:last|take|long|continue|spend|drive|delay|need|require|arrive|duration|endure)(?:-\d\d)?|often"
)
_HAPPENING = re.compile(
    rf"{_ASKING}|event|thing|that|(?:happen|pass|come|go|do|be|become|arrive|occur|wrong)-\d\d"
)


def with_questions(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph that asks for what its sentence asks for; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(l / last-01 :ARG1 (f / film) :frequency (a / amr-unknown))")
        >>> print(penman.encode(with_questions(graph, "How long did the film last?", "en"), indent=None))
        (l / last-01 :ARG1 (f / film) :ARG2 (a / amr-unknown))
    """
    if not re.search(r"[?？]\s*$", text) or re.search(r"[.!;:,，。]", text):
        return graph
    if _asks(_HOW_LONG, text, lang):
        return _about(graph, _LASTING, "last-01", (":ARG1", ":ARG2"))
    if _asks(_WHAT_HAPPENED, text, lang):
        return _about(graph, _HAPPENING, "happen-01", (":ARG2", ":ARG1"))
    return graph


def _asks(formulas: Mapping[str, str], text: str, lang: str) -> bool:
    """Return whether a question begins with a formula."""
    return re.match(rf"\W*(?:{formulas.get(lang, '(?!)')})", text, re.IGNORECASE) is not None


def _about(graph: penman.Graph, asking: re.Pattern[str], event: str, roles: tuple[str, str]) -> penman.Graph:
    """Return a graph in which an event of the only thing of a question is asked for."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    kept = {node for node, concept in concepts.items() if not asking.fullmatch(concept)}
    inside = [edge for edge in graph.edges() if edge.source in kept and edge.target in kept]
    things = kept - {edge.target for edge in inside}
    triples: list[Triple] = [
        one for one in graph.triples if one[0] in kept and (one[2] in kept or one[2] not in concepts)
    ]
    if not things or not is_connected(triples):
        return graph
    thing = graph.top if graph.top in kept else min(things, key=list(concepts).index)
    top = free_variable(event[0], kept)
    unknown = free_variable("a", {*kept, top})
    new: list[Triple] = [(top, ":instance", event), (unknown, ":instance", _UNKNOWN)]
    new += sorted([(top, roles[0], str(thing)), (top, roles[1], unknown)])
    mended = laid_out([*new, *triples], top)
    return graph if _signature(mended) == _signature(graph) else mended


def _signature(graph: penman.Graph) -> set[tuple[str, str, str]]:
    """Return the relations of a graph between concepts."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    return {
        (concepts[source], role, concepts.get(target, target))
        for source, role, target in graph.triples
        if role != ":instance"
    }

r"""Add the recipient or object that a pronoun names, where the parser loses it.

::

    The technician told me that the part is out of stock.    (t / tell-01 :ARG0 ... :ARG1 ...)
                                                        ──>  (t / tell-01 :ARG0 ... :ARG1 ... :ARG2 (i / i))
    Nikt nam nie pomógł. (pl)    (h / help-01 :ARG0 (n / nobody))
                            ──>  (h / help-01 :ARG0 (n / nobody) :ARG2 (w / we))

In sentences of more than ten words the network often leaves the pronoun beside a verb out. Here it is the
recipient of a verb of `_RECIPIENTS`, or the object of a verb that has an agent and no object. The pronoun is
at one of few places beside its verb, in a form that only objects have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import penman

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.object_first import ANIMATE

_ARG2 = """afford-02 announce-01 ask-01 ask-02 assign-01 award-01 bring-01 charge-01 confirm-01 deliver-01
    demonstrate-01 email-01 explain-01 forward-01 give-01 give-back-03 grant-01 guarantee-01 hand-01
    hand-over-02 help-01 leave-02 lend-01 loan-01 mail-01 message-01 order-02 owe-01 pass-05 pay-01
    present-01 provide-01 read-01 refund-01 refuse-01 reimburse-01 remind-01 rent-02 repay-01 report-01
    return-02 return-04 reveal-01 say-01 sell-01 send-01 serve-02 ship-01 show-01 state-01 submit-01
    suggest-01 supply-01 teach-01 tell-01 text-01 transfer-01 wish-01 write-01"""
_ARG1_OF_TWO = frozenset(
    """advise-01 assure-01 convince-01 inform-01 invite-01 notify-01 order-01 persuade-01 promise-01
    urge-01""".split()
)
"""Verbs whose ``:ARG2`` is what the recipient is told, or invited to."""
_ARG1 = """answer-01 call-02 congratulate-01 contact-01 forgive-01 phone-01 reply-01 respond-01 telephone-01
    thank-01"""
_RECIPIENTS = {
    **dict.fromkeys(_ARG2.split(), ":ARG2"),
    **dict.fromkeys([*_ARG1.split(), *_ARG1_OF_TWO], ":ARG1"),
    "buy-01": ":ARG4", "offer-01": ":ARG3", "propose-01": ":ARG3",
}  # fmt: skip
"""Verbs and the role of their recipient in PropBank."""
_TELLING = frozenset({"explain-01", "say-01", "tell-01", "write-01"})
"""Verbs whose ``:ARG1`` is no person."""
_NO_OBJECTS = re.compile(
    r".*-91|(?:belong|cause|contrast|cost|happen|have|join|like|marry|near|need|obligate|possible|resemble|seem"
    r"|become|appear|look|talk|speak|suffice|please|hurt|matter|miss|lack|worth|include|except|concern)-\d+"
)
_PRONOUNS = frozenset("i you he she they we it".split())
_THIRD = frozenset("he she they it".split())
_FILLERS = _PRONOUNS | {"person", "people", "thing"}
_PREPOSITIONS = (
    "an|auf|aus|bei|durch|für|gegen|hinter|in|mit|nach|ohne|über|um|unter|von|vor|wegen|zu|zwischen|als|wie|"
    "aan|achter|door|met|naar|om|onder|op|over|tegen|tussen|uit|van|voor|zonder|dan|"
    "av|efter|från|fra|hos|med|mot|mod|om|på|till|til|för|åt|utan|uden|uten|ved|vid|än|end|som|enn|etter|bak|bag|"
    "about|against|at|before|behind|between|by|for|from|like|of|than|to|with"
)
_WORD = rf"(?:\b(?!(?:{_PREPOSITIONS})\b)\w+,? )"
"""A word that is no preposition."""


class _Forms(NamedTuple):
    """Pronouns beside a verb: ``N`` is the pronoun, ``V`` the verb."""

    recipients: Mapping[str, str]  # forms by concept
    recipient_at: tuple[str, ...]  # places of a recipient
    objects: Mapping[str, str]
    object_at: tuple[str, ...]
    subjects: Mapping[str, str] = {}  # words that show that a pronoun is a subject somewhere


_STOP = r"(?=\s*(?:[,.;:!?)]|$)"
_GAP = r"(?:(?!\b(?:und|oder|aber|sondern|denn|en|of|maar|want|ve|ama)\b)[^,;:.!?])*?"
_END_DE = rf"{_STOP}|\s(?:und|oder|aber|ha(?:t|be|ben|tte|tten)|k[aö]nn\w*|muss|soll\w*|wird|w[eü]rden?)\b)"
_FREE_EN = (
    rf"{_STOP}|\s(?:that|to|an?|the|how|what|when|where|why|if|about|for|on|in|at|with|from|by|into|and|but|"
    r"yesterday|today|again|last|this|because|before|after)\b)"
)
_EN = {"i": "me", "we": "us", "he": "him", "they": "them", "she": f"her{_FREE_EN}"}
_FREE_DE = (
    rf"{_STOP}|\s(?:a[mn]|im|in|eine?|eine[nm]|das|dass|die|den|nicht|zu[mr]?|gestern|heute|für|mit|vor)\b)"
)
_FREE_NL = (
    rf"{_STOP}|\s(?:een|het|de|dat|niet|in|op|om|met|voor|van|bij|naar|uit|aan|te|over|toen|hoe|wat|wanneer|als|"
    r"nog|al|ook|gisteren|vandaag|morgen|volgende|vorige|afgelopen|geen|alles|nooit|ge\w+[dtn])\b)"
)
_NORDIC_AT = (rf"V {_WORD}{{0,2}}N", r"V (?:(?!(?:att|och|som)\b)\w+ ){0,5}?(?:till|åt|til) N", "V för N")
_AUX_FR = r"(?:a|ont|as|avait|avaient|avez|aurait|auraient|aviez|aura|auront)\s(?:\w+\s){0,2}"
_ME_FR = r"(?<!\bje )(?<!\bje ne )(?<!['’])m(?:e\s|['’])"
_AUX_ES = r"(?:ha|has|han|habéis|había|habían|habría|habrían|haya|hayan)\s(?:\w+ )?"
_AUX_IT = r"(?:ha|hai|hanno|avete|aveva|avevano|avrebbe|avrebbero|abbia|abbiano)\s(?:\w+ )?"
_ME_ES = r"me(?! (?:l[oa]s? )?(?:he|haya|\w+(?:[éí]|ía|aba|[aie]ra)|\w+(?<![ai]d)o)\b)"
_ALONE_ES = (
    r"(?![^.;:!?]*\ba (?:(?:l[oa]s|[mts]us|(?:nuestr|tod|un|est|es|much)[oa]s)\b)"
    r"(?! (?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\d)))"
)
"""No person after *a* in the sentence, which the pronoun repeats (*les dije a mis padres*)."""
_ME_IT = r"mi(?! (?:ho|avevo|sono|\w+(?<![aiu]t)o)\b)"
_THIRD_PT = r"(?!\w+(?:o|ei|i|ia|va|ra)\b)"  # no first person
_BEFORE_PT = rf"(?<!\bse )N ⟨{_THIRD_PT}(?!\w*s⟩)\w+⟩"
_NOT_IMPERSONAL = (
    r"(?!нужн|надо|можно|нельзя|приш|прих|хоч|удал|след|нрав|каж|необх|треба|варто|слід|довел|вда)"
)
_SLAVIC_AT = (r"V (?:\w+ )?N", rf"N (?:{_NOT_IMPERSONAL}\w+ )?V")
_NOT_OF = (
    r"(?<!\bу )(?<!\bдля )(?<!\bбез )(?<!\bот )(?<!\bдо )(?<!\bз )(?<!\bс )(?<!\bиз )(?<!\bвід )(?<!\bна )"
)
_NOT_OF_PL = r"(?<!\bu )(?<!\bdo )(?<!\bdla )(?<!\bbez )(?<!\bod )(?<!\bna )(?<!\bz )(?<!\bo )(?<!\bza )"
_NOT_KIN = "(?![们的父母爸妈哥弟姐妹妻丈儿女家公老朋同邻国自])"
_ZH = {"i": "我", "we": "(?:我们|咱们)", "you": "[你您]", "he": "他", "she": "她", "they": "(?:他们|她们)"}
_ZH = {pronoun: form + _NOT_KIN for pronoun, form in _ZH.items()}
_JA = {
    "i": "[私僕俺]", "we": "(?:[私僕]たち|私達|我々)", "he": "彼", "she": "彼女", "they": "(?:彼ら|彼女たち)",
    "you": "あなた",
}  # fmt: skip
_FORMS = {
    "de": _Forms(
        {
            "i": "mir|an mich", "we": "uns", "you": "dir|euch|(?-i:Ihnen)", "he": "ihm",
            "they": "(?-i:ihnen)", "she": rf"ihr{_FREE_DE}",
        },
        (rf"V {_WORD}{{0,2}}N", rf"{_WORD}N{_GAP}V{_END_DE}"),
        {"i": "mich", "we": "uns", "you": "dich|euch", "he": "ihn"},
        (rf"V {_WORD}?N", rf"{_WORD}N{_GAP}V{_END_DE}"),
        {"i": "ich", "we": "wir", "you": "du|ihr|Sie"},
    ),
    "en": _Forms(
        {**_EN, "you": f"you{_FREE_EN}"},
        ("V (?:back |to )?N", r"V (?:(?!(?:that|and|who|which|to)\b)\w+ ){1,4}?to N"),
        _EN,
        ("V N",),
        {"i": "I", "we": "we", "they": "they", "he": "he", "she": "she"},
    ),
    "es": _Forms(
        {"i": _ME_ES, "we": r"nos(?! (?:l[oa]s? )?(?:hemos|\w+mos)\b)", "they": rf"les{_ALONE_ES}"},
        (
            rf"(?<!\bse )N (?:l[oa]s? )?(?:{_AUX_ES})?V",
            r"⟨(?:\w+(?:[aei]r|ndo)|\w*[áéí]\w{1,4}|d[aií])E(?:l[oa]s?)?⟩",
        ),
        {"i": _ME_ES, "we": r"nos(?! (?:hemos|\w+mos)\b)"},
        (rf"(?<!\bse )N (?:{_AUX_ES})?V",),
        {"we": r"nosotr[oa]s|\w+mos"},
    ),
    "fr": _Forms(
        {
            "i": rf"{_ME_FR}|-moi", "you": r"(?<!\btu )t['’]|vous\s(?!\w+(?:ez|tes)\b)",
            "we": r"nous\s(?!\w+(?:ons|mes)\b)|-nous", "they": r"leur\s(?=(?:a|ont)\s)",
        },
        (
            rf"N(?:l['’]|l(?:e|a|es)\s)?(?:{_AUX_FR})?V", "VE", r"⟨N\w+⟩", r"⟨\w+(?:-l(?:e|a|es))?E⟩",
        ),
        {"i": _ME_FR, "we": r"nous\s(?!\w+(?:ons|mes)\b)"},
        (rf"N(?:{_AUX_FR})?V", r"⟨N\w+⟩"),
        {"i": "je|j['’]"},
    ),
    "it": _Forms(
        {
            "i": _ME_IT, "we": r"ci(?! (?:sono|siamo|è|sia|vuole|vogliono|abbiamo|\w+iamo)\b)",
            "they": r"loro(?= (?:che|di|come|quando|una?|il|la|lo|le|i|gli)\b)",
        },
        (
            rf"(?<!\bsi )N (?:{_AUX_IT})?V", "V N",
            r"⟨(?:\w+(?:[aei]r|ndo)|(?:mand|invi|scriv|rispond|chiam|rimbors|spieg|aiut|mostr)[ai]|d[ai]m|fam)E⟩",
        ),
        {"i": _ME_IT, "we": rf"ci(?= {_AUX_IT})"},
        (rf"(?<!\bsi )N (?:{_AUX_IT})?V",),
        {"we": r"noi|\w+iamo"},
    ),
    "ja": _Forms(_JA, ("N(?:に|へ)[^。、]*?V",), _JA, ("Nを[^。、をにがは]{0,4}V",)),
    "ko": _Forms(
        {
            "i": "(?:나|저)(?:에게|한테)|제게|내게", "we": "(?:우리|저희)(?:에게|한테)", 
            "he": "그(?:에게|한테)", "she": "그녀(?:에게|한테)", "they": "그들(?:에게|한테)",
        },
        (r"N (?:\w+ ){0,2}?V",),
        {"i": "나를|저를|날", "we": "우리를|저희를", "he": "그를", "she": "그녀를", "they": "그들을"},
        (r"N (?:\w+ )?V",),
    ),
    "nl": _Forms(
        {
            "i": "(?:aan |naar )?(?:mij|me)", "he": "hem", "we": f"ons{_FREE_NL}",
            "they": f"(?:hun|hen){_FREE_NL}", "she": f"haar{_FREE_NL}", "you": "jou",
        },
        (
            rf"V {_WORD}{{0,2}}N", rf"{_WORD}N{_GAP}⟨(?:\w*ge|ver|be|ont)\w+[dtn]⟩",
            rf"{_WORD}N{_GAP}V{_STOP})",
        ),
        {"i": "mij|me", "he": "hem", "we": f"ons{_FREE_NL}", "they": f"hen{_FREE_NL}"},
        (r"V N", rf"{_WORD}N{_GAP}⟨\w*ge\w+[dtn]⟩"),
        {"i": "ik", "we": "wij|we"},
    ),
    "pl": _Forms(
        {
            "i": "mi|do mnie", "we": "nam|do nas", "you": "wam|do (?:was|ciebie)", "he": "mu", "they": "im",
            "she": "(?<=⟩ )jej",
        },
        (r"V (?:\w+ )?N", r"(?<!\bdo )N (?:(?:nie|już|jeszcze|wczoraj|dziś|jutro) )?V"),
        {"i": f"{_NOT_OF_PL}mnie", "we": f"{_NOT_OF_PL}nas", "you": f"{_NOT_OF_PL}(?:was|cię)", "he": "go"},
        (r"V N", r"N (?:nie )?V"),
    ),
    "pt": _Forms(
        {"i": "me", "we": "nos", "they": "lhes"},
        (_BEFORE_PT, rf"⟨{_THIRD_PT}\w+-E⟩", rf"⟨{_THIRD_PT}\w+⟩-N"),
        {"i": "me", "we": "nos"},
        (_BEFORE_PT, rf"⟨{_THIRD_PT}\w+-E⟩"),
        {"we": r"nós|\w+mos"},
    ),
    "ru": _Forms(
        {"i": "мне", "we": "нам", "you": "тебе|вам", "he": "ему", "she": "ей", "they": "им"},
        _SLAVIC_AT,
        {"i": f"{_NOT_OF}меня", "we": f"{_NOT_OF}нас", "you": f"{_NOT_OF}(?:тебя|вас)"},
        ("V N", "N (?:не )?V"),
    ),
    "sv": _Forms(
        {"i": "mig", "we": "oss", "he": "honom", "she": "henne", "they": "dem"},
        _NORDIC_AT,
        {"i": "mig", "we": "oss", "he": "honom", "she": "henne"},
        ("V (?:inte )?N",),
        {"i": "jag", "we": "vi"},
    ),
    "tr": _Forms(
        {"i": "bana", "we": "bize", "you": "sana|size", "they": "onlara"}, (r"N[^.!?;,]*?V",),
        {"i": "beni", "we": "bizi", "you": "seni|sizi", "they": "onları"}, (r"N (?:\w+ ){0,2}?V",),
    ),
    "uk": _Forms(
        {"i": "мені", "we": "нам", "you": "тобі|вам", "he": "йому", "she": "їй", "they": "їм"},
        _SLAVIC_AT,
        {"i": f"{_NOT_OF}мене", "we": f"{_NOT_OF}нас", "you": f"{_NOT_OF}(?:тебе|вас)"},
        ("V N", "N (?:не )?V"),
    ),
    "zh": _Forms(
        _ZH,
        (
            "⟨(?!说|买|称|表示|认为|指出|希望|报道|宣布)[^⟩]*⟩[了过]?给?N", "[给向对跟教]N[^，。！？；]*?V",
            "V[^，。！？；]{0,8}?给N",
        ),
        _ZH,
        ("V[了过]?N(?=[，。！？；]|去|来|吗|在|$)",),
    ),
}  # fmt: skip
_FORMS["da"] = _FORMS["nb"] = _FORMS["sv"]._replace(
    recipients={"i": "mig|meg", "we": "os|oss", "he": "ham", "she": "hende|henne", "they": "dem"},
    objects={"i": "mig|meg", "we": "os|oss", "he": "ham", "she": "hende|henne"},
    subjects={"i": "jeg", "we": "vi"},
)
_CASES = frozenset("de ja ko pl ru tr uk".split())
"""Languages whose recipients have a case of their own."""
_LOOSE = frozenset("de nl ru uk".split())
"""Languages in which such a pronoun may belong to another verb of its clause."""
_REFLEXIVE = frozenset("da de es fr it nb nl pt sv".split())
"""Languages in which such a pronoun may be the subject at once."""
_ASKING = frozenset({"ask-01", "ask-02", "teach-01"})
_UNSPACED = frozenset({"ja", "zh"})


def with_recipients(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with lost recipients and objects; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(h / help-01 :ARG0 (n / nobody) :time (w / winter))")
        >>> spans = {"n": (0, 4), "h": (13, 19), "w": (22, 27)}
        >>> graph = with_recipients(graph, "Nikt nam nie pomógł w zimie.", "pl", spans)
        >>> print(penman.encode(graph, indent=None))
        (h / help-01 :ARG0 (n / nobody) :ARG2 (w2 / we) :time (w / winter))
    """
    for verb, pronoun, span in list(_named(graph, text, lang, alignments)):
        concepts = {node: str(concept) for node, _, concept in graph.instances()}
        held = [edge for edge in graph.edges(source=verb) if concepts[edge.target] == pronoun]
        if held:
            subject = _FORMS[lang].subjects.get(pronoun)
            is_object = subject and not re.search(rf"\b(?:{subject})\b", text, re.IGNORECASE)
            is_aligned = overlap(alignments.get(held[0].target), span)
            is_misread = is_object or (is_aligned and lang not in _REFLEXIVE)
            wrong = ":ARG1" if concepts[verb] in _TELLING else ":ARG0" if is_misread else ""
            graph = _moved(graph, held, wrong)
        elif lang not in _LOOSE or not _is_taken(graph, pronoun, span, alignments):
            graph = _added(graph, verb, pronoun, span, alignments)
    return graph


def _named(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> Iterator[tuple[str, str, Span]]:
    """Yield verbs, and the pronouns beside them with their spans; each pronoun has the nearest verb."""
    if lang not in _FORMS:
        return
    forms = _FORMS[lang]
    nearest: dict[Span, tuple[int, str, str]] = {}
    for verb, _, concept in graph.instances():
        if verb not in alignments or not is_frame(concept):
            continue
        role = _RECIPIENTS.get(concept)
        own = (forms.recipients, forms.recipient_at), (forms.objects, forms.object_at)
        is_object = role in (None, ":ARG1") or concept in _ASKING or lang not in _CASES
        for pronouns, places in own[role is None : 1 + is_object]:
            for pronoun, form in pronouns.items():
                for place in places:
                    span = _place(text, lang, alignments[verb], place, form)
                    if span is None:
                        continue
                    begin, end = alignments[verb]
                    distance = max(span[0] - end, begin - span[1], 0)
                    if span not in nearest or distance < nearest[span][0]:
                        nearest[span] = distance, verb, pronoun
    yield from ((verb, pronoun, span) for span, (_, verb, pronoun) in nearest.items())


def _place(text: str, lang: str, verb: Span, place: str, form: str) -> Span | None:
    """Return the span of a pronoun at a place beside a verb."""
    begin, end = verb
    marked = f"{text[:begin]}⟨{text[begin:end]}⟩{text[end:]}"
    pronoun = f"(?P<pronoun>{form})"
    word = pronoun if lang in _UNSPACED else rf"\b{pronoun}" if lang == "fr" else rf"\b{pronoun}(?!\w)"
    pattern = place.replace("V", rf"⟨(?!(?:{_PREPOSITIONS})⟩)[^⟩]*⟩").replace("N", word).replace("E", pronoun)
    match = re.search(pattern, marked, re.IGNORECASE)
    if match is None:
        return None
    first, last = (one - (one > begin) - (one > end + 1) for one in match.span("pronoun"))
    return first, last


def _is_taken(graph: penman.Graph, pronoun: str, span: Span, alignments: Mapping[str, Span]) -> bool:
    """Return whether the pronoun at a span is an argument of a verb."""
    nodes = [node for node, _, concept in graph.instances() if concept == pronoun]
    return any(overlap(alignments.get(node), span) and graph.edges(target=node) for node in nodes)


def _moved(graph: penman.Graph, held: list[Triple], wrong: str) -> penman.Graph:
    """Return a graph with a pronoun as the recipient of a verb that has it in a wrong role alone."""
    verb, given, node = held[0]
    concept = next(str(one) for source, _, one in graph.instances() if source == verb)
    role = _RECIPIENTS.get(concept, ":ARG1")
    if len(held) > 1 or given != wrong or role == ":ARG1" or graph.edges(source=verb, role=role):
        return graph
    return _exchanged(graph, held[0], [(verb, role, node)])


def _added(
    graph: penman.Graph, verb: str, pronoun: str, span: Span, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which a pronoun is an argument of a verb; the same object if another one is there."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    arguments = {edge.role: tuple(edge) for edge in graph.edges(source=verb)}
    role = _RECIPIENTS.get(concepts[verb], ":ARG1")
    first = arguments.get(":ARG0") or arguments.get(":ARG1")
    nodes = [node for node, concept in concepts.items() if concept == pronoun]
    if pronoun in _THIRD and len(nodes) > 1:
        nodes = []
    is_object = ":ARG0" in arguments and not _NO_OBJECTS.fullmatch(concepts[verb])
    if first is None or not (concepts[verb] in _RECIPIENTS or is_object):
        return graph
    if nodes and graph.edges(source=nodes[0]):
        return graph
    new: list[Triple] = [(verb, role, nodes[0] if nodes else free_variable(pronoun[0], concepts))]
    if not nodes:
        new.append((new[0][2], ":instance", pronoun))
    filler = arguments.get(role)
    if filler is None:
        return _exchanged(graph, first, [first, *new])
    if concepts[verb] in _ARG1_OF_TWO and ":ARG2" not in arguments and _is_theme(graph, filler[2]):
        return _exchanged(graph, filler, [*new, (verb, ":ARG2", filler[2])])
    return _exchanged(graph, filler, new) if _is_wrong(graph, filler, pronoun, span, alignments) else graph


def _is_theme(graph: penman.Graph, node: str) -> bool:
    """Return whether a node is not a person; a list is not one if all its members are events."""
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    below = graph.edges(source=node)
    if concepts[node] in ("and", "or"):
        return all(is_frame(concepts[edge.target]) for edge in below)
    return concepts[node] not in _FILLERS | ANIMATE and not any(edge.role == ":name" for edge in below)


def _is_wrong(
    graph: penman.Graph, argument: Triple, pronoun: str, span: Span, alignments: Mapping[str, Span]
) -> bool:
    """Return whether an argument is a misread pronoun, or a recipient that has a relation elsewhere."""
    _, role, node = argument
    concept = next(str(one) for source, _, one in graph.instances() if source == node)
    above, below = graph.edges(target=node), graph.edges(source=node)
    if len(above) == 1 and not below and overlap(alignments.get(node), span):
        return concept in (_FILLERS - _THIRD if pronoun in _THIRD else _FILLERS)
    is_shared = len(above) > 1 and pronoun not in _THIRD  # les dije a mis padres: they are the parents
    return role != ":ARG1" and concept not in _PRONOUNS and is_shared


def _exchanged(graph: penman.Graph, old: Triple, new: list[Triple]) -> penman.Graph:
    """Return a graph with relations instead of one; a node without any other relation is left out.

    The same object if a part of the graph would be cut off.
    """
    place = graph.triples.index(old)
    triples = [*graph.triples[:place], *new, *graph.triples[place + 1 :]]
    is_left = any(old[2] in (source, end) for source, role, end in triples if role != ":instance")
    triples = [one for one in triples if is_left or one[0] != old[2]]
    return laid_out(triples, graph.top) if is_connected(triples) else graph

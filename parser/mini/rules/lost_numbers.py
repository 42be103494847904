"""Write numbers of a sentence that its graph lost, and numbers of things that were read as counts.

::

    My order 48213 was charged.      (o / order-02)           ──>  (o / order-02 :mod 48213)
    Room 214 was not cleaned.        (r / room :quant 214)    ──>  (r / room :mod 214)
    4 adults and 2 children          (c / child)              ──>  (c / child :quant 2)
    two pairs of shoes               (p / pair)               ──>  (p / pair :quant 2)
    100 million dollars              :quant 1000000           ──>  :quant 100000000
    at 14 Baker Street               (s / street :name ...)
                         ──>  (a / street-address-91 :ARG1 14 :ARG2 (s / street :name ...))

A number after a noun tells which one it is, as in AMR's ``version :mod 2.4``; a number before a noun counts.
The node is the one aligned with the noun, and its concept must be a translation of the noun
(`parser.mini.rules.nouns`). Nothing changes where that would be a guess: a number between two nouns, beside a
unit, currency or month, or of a node that has a number or a name.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from functools import cache
from importlib.resources import files

import penman

from amrx.composed_text import Span, compose
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, laid_out, subtree
from parser.mini.rules.literals import LARGE, read_words
from parser.mini.rules.missing import Held
from parser.mini.rules.named_units import units_in
from parser.mini.rules.nouns import UNSPACED, lemma, near, translate
from parser.mini.rules.number_words import LEAST, WORD, folded_word, number_words
from parser.own_words import forms_of

_SMALL = range(2, LEAST)
"""Numbers that `parser.mini.rules.spelled_numbers` leaves in words."""
_AMBIGUOUS = {"fi": frozenset({"kuusi"}), "it": frozenset({"sei"}), "tr": frozenset({"altı", "on", "yedi"})}
"""Words that are not only numbers: spruce; (you) are; under, on it, ate."""
_BEFORE = re.compile(
    r"[ \u00a0]?(?:[([]?(?:no|nr|nº|n°|№|núm|num|number|nummer|numéro|número|numero|номер|numara)\.?"
    r"[ \u00a0]?)?#?",
    re.IGNORECASE,
)
"""Text between a noun and its number."""
_AFTER = re.compile(r"[ \u00a0]|[ \u00a0](?P<which>numaralı|nolu)[ \u00a0]")
"""Text between a number and its noun; Turkish *with the number*."""
_LEAST = 100
"""Least number after a verb, or a noun with the concept of one."""
_SIGNS = re.compile(r"\s?[%‰°$€£¥₺₽₹:/]|[.,]\d|-|\.\s+[^\W\dA-ZÄÖÜÀ-ÝА-ЯІЇЄ]")
"""Text after a number that belongs to no noun; the last is that of an ordinal in many languages."""
_SIGN_BEFORE = re.compile(r"[$€£¥₺₽₹]\s?$|[.,:/-]$")
_NO_NOUN = re.compile(
    ".*-(?:quantity|entity|9[1-9])|and|or|amr-.*|name|i|you|he|she|it|we|they|thing|this|that|date-interval|year"
    "|month|week|day|hour|minute|second|now|today|century|decade|percent|only|just|about|even|also|still|again"
    "|very|approximately|before|after|until|since|between|by|from|to|more|most|less|least|many|much|other|another|each"
    "|all|some|any|every|both|yes|then|ever|early|late|already|under|over|of|in|on|at|with|against|as|for"
)
"""Concepts that no such number belongs to."""
_SERIES = frozenset(
    """account apartment article bus case chapter channel class code contract customer document episode
    error exercise figure file flight fly form gate grade house invoice issue item lesson level line
    model option order page paragraph part parcel phase platform player question receipt request
    reserve room route row score seat section shelf shipment stage step table task team ticket track
    train unit version volume warehouse""".split()
)
"""Concepts, without sense, of things that numbers tell apart; their words need no translation."""
_WHICH = r"[ \u00a0]?(?:numaralı[ \u00a0]|nolu[ \u00a0]|号)"
"""Between a number and its thing in Turkish and Chinese."""
_PLAIN = frozenset(
    {
        "monetary-quantity",
        "person",
        "product",
        "thing",
        "company",
        "building",
        "publication",
        "ordinal-entity",
    }
)
"""Concepts that the parser writes above a number alone."""
_PARTS = frozenset({"name", "dollar", "euro", "cent", "pound"})
"""Concepts below these."""
_MOVED = frozenset({":quant", ":mod", ":value"})
"""Roles of a number that was written at another node."""
_STREETS = frozenset({"street", "road", "avenue", "lane", "square", "boulevard"})
_GAP = re.compile("(?:,? )(?:rue |via |calle |rua |ul. )?")
"""Between the number of a house and its street."""
_NUMBERED = frozenset({":mod", ":quant", ":value", ":ord", ":li", ":unit", ":name"})
"""Roles of a number, or of a node that has its own number."""


def with_lost_numbers(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the numbers beside its nouns; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / charge-05 :ARG1 (o / order-02))")
        >>> graph = with_lost_numbers(graph, "My order 48213 was charged.", "en", {"o": (3, 8)})
        >>> print(penman.encode(graph, indent=None))
        (c / charge-05 :ARG1 (o / order-02 :mod 48213))
    """
    small = _small_numbers(text, lang)
    if not small and not any(sign.isdigit() for sign in text):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    nouns = {
        node: span
        for node, span in alignments.items()
        if node in concepts and _is_noun(concepts[node], text, span, lang)
    }
    composed, units = compose(text), units_in(text, lang)
    words = read_words(composed.text, lang)
    numbers = {word.plain for _, word in words}
    for span, word in words:
        number = word.plain or ""
        graph = _with_multiple(graph, number, numbers)
        if number.isdecimal() and number not in units and not LARGE.match(composed.text, span[1]):
            place = composed.given(*span)
            graph = _with_thing(graph, text, place, number, lang, alignments)
            graph = _with_number(graph, text, place, number, nouns)
            graph = _with_address(graph, text, place, number, alignments)
    for span, number in small.items():
        before = {node: place for node, place in nouns.items() if place[0] > span[0]}
        graph = _with_number(graph, text, span, number, before)
    return graph


def _small_numbers(text: str, lang: str) -> dict[Span, str]:
    """Return the spans of numbers in words, and their digits."""
    if lang in UNSPACED:
        return {}
    known, words = number_words(lang).values, _AMBIGUOUS.get(lang, ())
    found = {match.span(): folded_word(match[0]) for match in WORD.finditer(text)}
    numbers = {span: known.get(word) for span, word in found.items() if word not in words}
    return {span: str(number) for span, number in numbers.items() if number in _SMALL}


def _with_multiple(graph: penman.Graph, number: str, numbers: Container[str | None]) -> penman.Graph:
    """Return the graph with *100 million* where it has a million alone."""
    if not number.isdecimal() or Held(graph).number(number):
        return graph
    for power in (9, 8, 6, 4, 3):
        value = str(10**power)
        alone = [triple for triple in graph.attributes() if triple[2] == value and value not in numbers]
        if len(alone) == 1 and int(number) > 10**power and int(number) % 10 ** max(0, power - 3) == 0:
            source, role, _ = alone[0]
            return _changed(graph, alone[0], (source, role, number))
    return graph


def _is_noun(concept: str, text: str, span: Span, lang: str) -> bool:
    """Return whether a concept is a noun that translates the word at a span."""
    if _NO_NOUN.fullmatch(concept):
        return False
    if lemma(concept) in _SERIES:
        return True
    if lang == "en":
        return text[slice(*span)].lower() in forms_of(concept)
    noun = translate(text, span, lang)
    return noun is not None and (lemma(concept) == noun or lemma(concept) in near(noun))


def _with_thing(
    graph: penman.Graph, text: str, span: Span, number: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return the graph with the number of a thing of `things`, which stands beside it."""
    beside = _thing_beside(text, span, lang)
    if beside is None:
        return graph
    concept, word = beside
    concepts = {node: str(one) for node, _, one in graph.instances()}
    aligned = {node: place for node, place in alignments.items() if node in concepts}
    at_word = [node for node, place in aligned.items() if place[0] < word[1] and word[0] < place[1]]
    at_number = [node for node, place in aligned.items() if place[0] < span[1] and span[0] < place[1]]
    junk = [node for node in (*at_word, *at_number) if _is_only(graph, node, concepts, number)]
    useless = set().union(*(subtree(graph, node) for node in junk))
    things = [node for node in at_word if node not in useless and not _NO_NOUN.fullmatch(concepts[node])]
    if not junk and not things:  # an alignment may be off by a word
        things = [node for node in concepts if lemma(concepts[node]) == lemma(concept)]
    named = [node for node in things if lemma(concepts[node]) == lemma(concept)]
    if len(named or things) == 1:
        node = (named or things)[0]
    elif junk and not things:
        node = junk[0]
        concepts[node] = concept
    else:
        return graph
    below = (useless | _own_number(graph, node, number)) - {node}
    elsewhere = [
        triple for triple in graph.attributes() if triple[2] == number and triple[0] not in {node, *below}
    ]
    others = [value for source, role, value in graph.attributes() if (source, role) == (node, ":mod")]
    is_once = len(re.findall(rf"(?<!\d){re.escape(number)}(?!\d)", text)) == 1
    if any(not is_once or triple[1] not in _MOVED for triple in elsewhere) or set(others) - {number}:
        return graph
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if source in below or target in below or (source == node and target == number):
            continue
        if target == number and (source, role, target) in elsewhere:
            continue
        if source == node and role == ":instance":
            triples += [(node, ":instance", concepts[node]), (node, ":mod", number)]
        else:
            triples.append((source, role, target))
    return laid_out(triples, graph.top)


def _thing_beside(text: str, span: Span, lang: str) -> tuple[str, Span] | None:
    """Return the concept and the span of the word of a thing beside its number."""
    begin, end = span
    if _SIGNS.match(text, end) or _SIGN_BEFORE.search(text[:begin]):
        return None
    for concept, pattern in things(lang).items():
        before = re.search(rf"(?<!\w)(?P<word>{pattern})(?P<gap>{_BEFORE.pattern})$", text[:begin], re.I)
        if lang in UNSPACED:
            before = re.search(rf"(?P<word>{pattern})$", text[:begin])
        if before and (lang in UNSPACED or before["gap"].strip("#").strip() or " " in before["gap"]):
            return concept, before.span("word")
        after = re.compile(rf"{_WHICH}(?P<word>{pattern})(?!\w)", re.I).match(text, end)
        if after:
            return concept, after.span("word")
    return None


def _is_only(graph: penman.Graph, node: str, concepts: Mapping[str, str], number: str) -> bool:
    """Return whether a node says nothing but a number: an amount without its currency, a name of digits."""
    inside = subtree(graph, node)
    values = [str(value).strip('"') for source, _, value in graph.attributes() if source in inside]
    kinds = {concepts[one] for one in inside - {node}}
    is_plain = concepts[node] in _PLAIN and kinds <= _PARTS and node != graph.top
    return is_plain and values == [number]


def _own_number(graph: penman.Graph, node: str, number: str) -> set[str]:
    """Return the nodes of a name that is the number."""
    names = [name for _, _, name in graph.edges(source=node, role=":name")]
    return {
        name
        for name in names
        if [str(one.target).strip('"') for one in graph.attributes(source=name)] == [number]
    }


@cache
def things(lang: str) -> Mapping[str, str]:
    """Return patterns of the words for things that have numbers, by their concepts."""
    lines = (files("parser.mini.rules") / "data" / "things.tsv").read_text("utf-8").splitlines()
    pairs = [
        (concept, one) for concept, words in (line.split("\t") for line in lines) for one in words.split()
    ]
    return {concept: one[3:] for concept, one in pairs if one.startswith(f"{lang}:")}


def _with_number(
    graph: penman.Graph, text: str, span: Span, number: str, nouns: Mapping[str, Span]
) -> penman.Graph:
    """Return the graph with one number, if it belongs to one noun."""
    begin, end = span
    if _SIGNS.match(text, end) or _SIGN_BEFORE.search(text[:begin]):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    before = [node for node, place in nouns.items() if _BEFORE.fullmatch(text, place[1], begin)]
    after = {node: gap for node, place in nouns.items() if (gap := _AFTER.fullmatch(text, end, place[0]))}
    if len(before) + len(after) != 1:
        return graph
    node = [*before, *after][0]
    if after and any(_AFTER.fullmatch(text, nouns[node][1], place[0]) for place in nouns.values()):
        return graph  # two nouns: *a 20 page report*
    role = ":mod" if before or after[node]["which"] else ":quant"
    if is_frame(concepts[node]) and (role == ":quant" or int(number) < _LEAST or node == graph.top):
        return graph
    own = [triple for triple in graph.triples if triple[0] == node]
    count: Triple = (node, ":quant", number)
    if role == ":mod" and count in own:
        return _changed(graph, count, (node, role, number))
    if Held(graph).number(number) or any(role in _NUMBERED for _, role, _ in own):
        return graph
    concept: Triple = (node, ":instance", concepts[node])
    return _changed(graph, concept, concept, (node, role, number))


def _with_address(
    graph: penman.Graph, text: str, span: Span, number: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return the graph with the number of a house, if it stands beside the only street with a name."""
    streets = [node for node, _, concept in graph.instances() if concept in _STREETS]
    names = [name for street in streets for _, _, name in graph.edges(source=street, role=":name")]
    spans = [alignments[node] for node in (*streets, *names) if node in alignments]
    if len(streets) != 1 or not names or not spans or Held(graph).number(number):
        return graph
    first, last = min(begin for begin, _ in spans), max(end for _, end in spans)
    street, beside = streets[0], (text[span[1] : first], text[last : span[0]])
    above = [triple for triple in graph.triples if triple[2] == street]
    if not any(_GAP.fullmatch(gap) for gap in beside) or len(above) != 1:
        return graph
    source, role, _ = above[0]
    address = free_variable("a", graph.variables())
    new: list[Triple] = [
        (source, role, address), (address, ":instance", "street-address-91"), (address, ":ARG1", number),
        (address, ":ARG2", street),
    ]  # fmt: skip
    triples = list(graph.triples)
    place = triples.index(above[0])
    triples[place : place + 1] = new
    return laid_out(triples, graph.top)


def _changed(graph: penman.Graph, old: Triple, *new: Triple) -> penman.Graph:
    """Return the graph with a triple replaced; the layout of the rest stays."""
    triples = list(graph.triples)
    place = triples.index(old)
    triples[place : place + 1] = new
    epidata = {triple: marks for triple, marks in graph.epidata.items() if triple != old}
    marks = graph.epidata.get(old, [])
    return penman.Graph(triples, top=graph.top, epidata=epidata | {new[-1]: marks}, metadata=graph.metadata)

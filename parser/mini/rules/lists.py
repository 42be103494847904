"""Write each member of a list of three or more once.

::

    Hunde, Katzen und Pferde sind Tiere. (de)
    (a / animal :domain (a2 / and :op1 (d / dog) :op2 (h / horse)))
        ──>  (a / animal :domain (a2 / and :op1 (d / dog) :op2 (c / cat) :op3 (h / horse)))

The parser drops a member in the middle, writes one twice, or writes another noun for one. The members are
words, with an article, a preposition or a number, between commas and before *and* or *or*. A member has an
operand of ``and`` that has its English noun, that is aligned to it, or whose noun is near. Operands without a
member and members without an operand are paired in order; members that are left get a node. Each member has
the number before it. Only lists are changed in which every member without an operand is a noun
that `parser.mini.rules.nouns` knows, or a name among names, and is not elsewhere in the graph.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import penman

from amrx.composed_text import Span, overlap
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.name_words import name_words, whole_name
from parser.mini.rules.nouns import LONGEST, known_nouns, lemma, near, nouns_of, singular, translate
from parser.mini.rules.number_words import number_word
from parser.mini.rules.possession import REL_ROLE

_AND = {
    "de": "und|sowie|oder", "en": "and|or", "es": "[ye]|[ou]", "fi": "ja|tai",
    "fr": "et|ou", "id": "dan|atau", "it": "ed?|o", "nb": "og|eller", "nl": "en|of",
    "pl": "i|oraz|lub|albo|czy", "pt": "e|ou", "ru": "и|или", "sv": "och|eller", "tr": "ve|veya|ya da",
}  # fmt: skip
_BEFORE = {
    "de": r"d(?:er|ie|as|en|em)|(?:k?ein|mein|dein|sein|ihr|unser)(?:e[nmrs]?)?|mit|für",
    "en": "an?|the|my|your|his|her|our|their|some|with|for|from|in|of",
    "es": "el|la|los|las|un[ao]?s?|mis?|tus?|sus?|con|de|a",
    "fr": "les?|la|des?|du|une?|[mts](?:on|a|es)|avec|à|pour|nos|vos|leurs?",
    "it": "il|lo|la|i|gli|le|un[ao]?|d(?:i|el|ell[ao]|ei|egli|elle)|con|a", "nb": "en|et|ei|med|på|til",
    "nl": "de|het|een|mijn|met|voor|zijn|haar", "pl": "z|ze|na|do|w|dla|mój|moj[aeę]",
    "pt": "[ao]s?|u(?:m|ma|ns|mas)|meus?|minhas?|seus?|suas?|com|d[eao]s?",
    "ru": "с|со|на|в|для|мой|моя|мои|моё", "sv": "en|ett|med|på|till", "tr": "bir",
}  # fmt: skip
"""Articles, possessives and prepositions before a member."""
_COMMA_BEFORE_AND = frozenset({"en", "id"})
"""Languages with a comma before the last member; in others it ends an apposition (*Tom, der Hund, und*)."""
_APPOSITION_EN = re.compile(r"\s*,\s+an?\s[^,]+,\s+and\s+(?!an?\s)")
"""*, a doctor, and* after *my brother*."""
_ELIDED = r"(?:[ldLD]['’])?"
_WORD = r"[^\W\d_]+(?:-[^\W\d_]+)*"
_NAME = rf"{_WORD}(?:\s+(?-i:[A-ZÀ-ÖØ-ÞŁŚŻ]){_WORD})?"
"""A word, or a name of two."""
_LISTS_UNSPACED = {
    "ja": re.compile(r"(?P<first>\w+)[、](?P<middle>(?:\w{1,8}、)*\w{1,8})(?:と|や|、)(?P<last>\w+)"),
    "zh": re.compile(
        r"(?P<first>\w+)、(?P<middle>(?:\w{1,8}、)*\w{1,8}?)(?:以及|和|或者?|与|、)(?P<last>\w+)"
    ),
}
_LATIN = re.compile("[A-ZÀ-ÖØ-ÞŁŚŻ]")
_TWO = {"pl": ("dwie", "dwaj"), "pt": ("duas",), "ru": ("две",)}
"""Other words for 2."""
_KIN = frozenset(
    "aunt brother cousin daughter father friend grandfather grandmother husband mother nephew niece sister "
    "son uncle wife".split()
)
_LISTED = frozenset({"and", "or"})


class _Member(NamedTuple):
    """A member of a list."""

    span: Span
    noun: str | None  # English noun, if it is known
    word: str
    possessive: str = (
        ""  # first letter of the word before it, which may be one; in Turkish its own last letter
    )


def with_lists(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with each member of the only list of three or more; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(a / animal :domain (b / and :op1 (d / dog) :op2 (h / horse)))")
        >>> mended = with_lists(graph, "Dogs, cats and horses are animals.", "en", {})
        >>> print(penman.encode(mended, indent=None))
        (a / animal :domain (b / and :op1 (d / dog) :op2 (c / cat) :op3 (h / horse)))
    """
    members = _members(text, lang)
    lists = [node for node, _, concept in graph.instances() if concept in _LISTED] if members else []
    if not lists:
        return graph
    given, graph = graph, _without_doubled_names(graph, lists)
    matches = {node: _matched(graph, node, members, alignments) for node in lists}
    node = max(lists, key=lambda one: len(matches[one]))
    member_of, operands = matches[node], _operands(graph, node)
    left = [member for member in members if member not in member_of.values()]
    spare = [operand for operand in operands if operand not in member_of]
    if not member_of or len(operands) > len(members):
        return given
    if not left:
        return _with_quantities(graph, node, member_of, text, lang)
    named = [operand for operand in operands if graph.edges(source=operand, role=":name")]
    if len(named) == len(operands):
        is_known = not spare and all(one.noun is None and _LATIN.match(one.word) for one in left)
        is_known = is_known and not any(_is_in_name(one, graph, operands) for one in left)
    else:
        is_known = all(one.noun for one in left)
    if not is_known or any(_is_elsewhere(member, graph, operands, alignments) for member in left):
        return given
    if any(graph.edges(source=operand) or len(graph.edges(target=operand)) > 1 for operand in spare):
        return given
    if any(graph.edges(source=operand, role=":ARG0") for operand in operands):
        return given  # clauses: *he sings, dances and plays*
    member_of = {**member_of, **dict(zip(spare, left, strict=False))}
    graph = _listed(graph, node, members, member_of, spare)
    member_of = dict(zip(_operands(graph, node), members, strict=True))
    return _with_quantities(graph, node, member_of, text, lang)


def _members(text: str, lang: str) -> list[_Member]:
    """Return the members of the only list of a sentence; an empty list if there is none or more than one."""
    if lang in _LISTS_UNSPACED:
        lists = list(_LISTS_UNSPACED[lang].finditer(text))
        return _unspaced(lists[0], lang) if len(lists) == 1 else []
    if lang not in _AND:
        return []
    before = rf"(?:(?:{_BEFORE[lang]})\s+){{0,2}}{_ELIDED}" if lang in _BEFORE else ""
    number = rf"(?:(?:\d+|{'|'.join(_small_numbers(lang))})\s+)?"
    before = rf"{before}{number}"
    middle, comma = rf"\s*,\s+{before}{_NAME}", ",?" if lang in _COMMA_BEFORE_AND else ""
    pattern = (
        rf"(?P<one>{_WORD})(?P<middle>(?:{middle})+){comma}\s+(?:{_AND[lang]})\s+"
        rf"{before}(?P<last>{_WORD})(?!['’])"
    )
    lists = list(re.finditer(pattern, text, re.IGNORECASE))
    if len(lists) != 1 or (lang == "en" and _APPOSITION_EN.match(text, lists[0].start("middle"))):
        return []
    whole = lists[0]
    heads = [
        match.span(1)
        for match in re.finditer(rf",\s+{before}({_NAME})", text[: whole.end("middle")], re.IGNORECASE)
        if match.start() >= whole.start("middle")
    ]
    return [_member(text, span, lang) for span in (whole.span("one"), *heads, whole.span("last"))]


@cache
def _small_numbers(lang: str) -> Mapping[str, str]:
    """Return the numbers from 2 to 10 by their words."""
    code = "no" if lang == "nb" else lang
    words = {str(number_word(number, code, "cardinal")): str(number) for number in range(2, 11)}
    return words | dict.fromkeys(_TWO.get(lang, ()), "2")


def _unspaced(whole: re.Match[str], lang: str) -> list[_Member]:
    """Return the members of a list without spaces; the first one is the end, the last one the beginning."""
    text, nouns = whole.string, nouns_of(lang)
    begin, end = whole.span("first")
    first = next((one for one in range(max(begin, end - LONGEST), end) if text[one:end] in nouns), end - 1)
    start, stop = whole.span("last")
    ends = range(min(stop, start + LONGEST), start, -1)
    last = next((one for one in ends if text[start:one] in nouns), start + 1)
    middle = [
        (whole.start("middle") + match.start(), whole.start("middle") + match.end())
        for match in re.finditer("[^、]+", whole["middle"])
    ]
    spans = [(first, end), *middle, (start, last)]
    return [_Member(span, nouns.get(text[slice(*span)]), text[slice(*span)]) for span in spans]


def _member(text: str, span: Span, lang: str) -> _Member:
    word = text[slice(*span)]
    before = re.search(r"(\w)\w*\s+$", text[: span[0]])
    possessive = word[-1] if lang == "tr" else before[1].lower() if before else ""
    if lang != "en":
        return _Member(span, translate(text, span, lang), word, possessive)
    form = word.lower()
    plain = singular(form) or form
    return _Member(span, plain if plain in known_nouns() else None, word, possessive)


def _operands(graph: penman.Graph, node: str) -> list[str]:
    return [edge.target for edge in graph.edges(source=node) if re.fullmatch(r":op\d+", edge.role)]


def _matched(
    graph: penman.Graph, node: str, members: Sequence[_Member], alignments: Mapping[str, Span]
) -> dict[str, _Member]:
    """Return the member of each operand that has one: by its noun or name, else by alignment or nearness."""
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    inside = {one: [one, *_around(graph, one, node)] for one in _operands(graph, node)}
    words = {operand: {lemma(concepts[one]) for one in nodes} for operand, nodes in inside.items()}
    for operand, nodes in inside.items():
        for name in (one for one in nodes if concepts[one] == "name"):
            words[operand] |= set(whole_name(name_words(graph, name)).lower().split())
    spans = {
        operand: [alignments[one] for one in nodes if one in alignments] for operand, nodes in inside.items()
    }
    nouns = {member.noun for member in members}

    def is_equal(operand: str, member: _Member) -> bool:
        return bool({member.noun, member.word.lower()} & words[operand])

    def is_aligned(operand: str, member: _Member) -> bool:
        return not nouns & words[operand] and any(overlap(member.span, span) for span in spans[operand])

    def is_near(operand: str, member: _Member) -> bool:
        return not nouns & words[operand] and bool(near(member.noun or "") & words[operand])

    member_of: dict[str, _Member] = {}
    for is_of in (is_equal, is_aligned, is_near):
        for operand in inside:
            own = [one for one in members if one not in member_of.values() and is_of(operand, one)]
            if operand not in member_of and own:
                member_of[operand] = own[0]
    return member_of


def _around(graph: penman.Graph, node: str, list_node: str) -> list[str]:
    """Return the neighbours of a node, its list left out."""
    edges = [*graph.edges(source=node), *graph.edges(target=node)]
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    ends -= {node, list_node}
    roles = [edge.target for edge in graph.edges(role=":ARG2") if edge.source in ends]  # of relatives
    return sorted({*ends, *roles} - {node, list_node})


def _is_elsewhere(
    member: _Member, graph: penman.Graph, operands: Sequence[str], alignments: Mapping[str, Span]
) -> bool:
    """Return whether a node outside the list is that of a member."""
    return any(
        (overlap(member.span, alignments[node]) if node in alignments else False)
        or lemma(str(concept)) == member.noun
        for node, _, concept in graph.instances()
        if node not in operands and concept not in _LISTED
    )


def _without_doubled_names(graph: penman.Graph, lists: Sequence[str]) -> penman.Graph:
    """Return a graph whose lists have no second operand with the name of another one and nothing else."""
    for node in lists:
        seen: set[str] = set()
        for operand in _operands(graph, node):
            names = [edge.target for edge in graph.edges(source=operand, role=":name")]
            name = whole_name(name_words(graph, names[0])) if len(names) == 1 else ""
            if name in seen and len(graph.edges(source=operand)) + len(graph.edges(target=operand)) == 2:
                gone = {operand, names[0]}
                triples = [one for one in graph.triples if one[0] not in gone and one[2] not in gone]
                rest = [edge for edge in triples if edge[0] == node and re.fullmatch(r":op\d+", edge[1])]
                numbered = {edge: (node, f":op{at}", edge[2]) for at, edge in enumerate(rest, 1)}
                graph = laid_out([numbered.get(one, one) for one in triples], graph.top)
            seen |= {name} - {""}
    return graph


def _is_in_name(member: _Member, graph: penman.Graph, operands: Sequence[str]) -> bool:
    """Return whether the name of another member has swallowed a member."""
    names = [edge.target for one in operands for edge in graph.edges(source=one, role=":name")]
    return any(member.word in whole_name(name_words(graph, name)).split() for name in names)


def _with_quantities(
    graph: penman.Graph, node: str, member_of: Mapping[str, _Member], text: str, lang: str
) -> penman.Graph:
    """Return a graph in which the numbers before members of a list are those of their operands."""
    if lang in _LISTS_UNSPACED:
        return graph
    own: dict[str, str] = {}
    for operand, member in member_of.items():
        before = re.search(r"(?<!\w)(\w+)\s+$", text[: member.span[0]])
        word = before[1].lower() if before else ""
        number = word if word.isdigit() else _small_numbers(lang).get(word)
        if number:
            own[operand] = number
    parents = {edge.source for edge in graph.edges(target=node)}
    given = [
        triple
        for triple in graph.triples
        if triple[1] == ":quant"
        and str(triple[2]) in own.values()
        and triple[0] in {node, *member_of, *parents}
        and own.get(triple[0]) != str(triple[2])
    ]
    have = {triple[0] for triple in graph.triples if triple[1] == ":quant" and triple not in given}
    new: list[Triple] = [(one, ":quant", number) for one, number in own.items() if one not in have]
    if not given and not new:
        return graph
    return laid_out([*(one for one in graph.triples if one not in given), *new], graph.top)


def _owners(graph: penman.Graph, person: str) -> list[str]:
    """Return whose relative a person is."""
    relations = {edge.source for edge in graph.edges(target=person, role=":ARG0")}
    relations &= {node for node, _, concept in graph.instances() if concept == REL_ROLE}
    return [edge.target for edge in graph.edges(role=":ARG1") if edge.source in relations]


def _listed(
    graph: penman.Graph,
    node: str,
    members: Sequence[_Member],
    member_of: Mapping[str, _Member],
    spare: Sequence[str],
) -> penman.Graph:
    """Return the graph with an operand for each member, in their order; those in ``spare`` get its noun."""
    operand_of = {member: operand for operand, member in member_of.items()}
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    kind = concepts[next(iter(member_of))]  # of names
    taken, new = set(concepts), list[Triple]()
    relative_of, first = _owners(graph, next(iter(member_of))), next(iter(member_of.values()))
    for number, member in enumerate(members, 1):
        is_own = member.noun in _KIN and member.possessive in ("", first.possessive)  # not *his*
        owners = relative_of if is_own else []
        letter = kind[0] if owners or member.noun is None else member.noun[0]
        operand = operand_of.get(member) or free_variable(letter, taken)
        new.append((node, f":op{number}", operand))
        if operand not in taken:
            taken.add(operand)
            new.append((operand, ":instance", "person" if owners else member.noun or kind))
            if owners:
                relation, relative = free_variable("h", taken), free_variable("r", taken)
                taken |= {relation, relative}
                new += [(relation, ":instance", REL_ROLE), (relation, ":ARG0", operand)]
                new += [(relation, ":ARG1", owners[0]), (relation, ":ARG2", relative)]
                new.append((relative, ":instance", str(member.noun)))
            elif member.noun is None:
                name = free_variable("n", taken)
                taken.add(name)
                new += [(operand, ":name", name), (name, ":instance", "name")]
                new += [(name, f":op{i}", f'"{word}"') for i, word in enumerate(member.word.split(), 1)]
        elif operand in spare:
            new.append((operand, ":instance", str(member.noun)))
    gone = {(one, ":instance", concepts[one]) for one in spare}
    triples: list[Triple] = [
        triple
        for triple in graph.triples
        if triple not in gone and not (triple[0] == node and triple[1].startswith(":op"))
    ]
    place = triples.index((node, ":instance", concepts[node])) + 1
    return laid_out([*triples[:place], *new, *triples[place:]], graph.top)

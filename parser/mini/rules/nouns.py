"""Translate nouns that the parser does not know, and write copied English plurals as singulars.

::

    Ich habe mein Passwort vergessen. (de)    (f / forget-01 :ARG1 (k / key))     ──>  (k / password)
    Şifremi unuttum. (tr)                     (f / forget-01 :ARG1 (l / letter))  ──>  (l / password)

A small parser writes another noun for a word that it saw rarely. A concept is replaced if the word that it is
aligned to has an English translation that is not in the graph. The concept must not be near that translation.
Nor may it be near the translation of another word, or written like one, because then its alignment may be
wrong. Nouns, invented words (`parser.mini.invented`), copies of the word itself, and frames without arguments
are replaced; words inside names are not translated. A compound of two English words is its head with a
modifier, which is added if the graph has no other node of the word::

    Die Ampel war rot. (de)   (r / red-02 :ARG1 (m / mirror))  ──>  (l / light :mod (t / traffic))

Translations are in ``data/nouns/``, a file per language, and the nouns near each of them in
``data/near_nouns.tsv.xz``, made by ``scripts/gather_nouns.py`` from dictionaries and multilingual USE; those
of nouns of several words (*pomme de terre*, no apple) in ``data/phrases/``, by ``scripts/gather_phrases.py``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache

import penman

from amrx.composed_text import WORD, Span
from linearize.frames import replace_triples
from parser.graphs.triples import free_variable, laid_out
from parser.mini.rules.dictionaries import near_words, translations

UNSPACED = frozenset({"ja", "zh"})
STEMS = {"ko": 2, "tr": 4}
"""Languages that write particles or possessives at the end of a noun, and its minimum number of letters."""
_ENDINGS = {
    "ko": re.compile("들?(?:(?:으로|로|에게|한테|에|께)서?|부터|까지|처럼|보다|이나|나|이?랑|와|과|마다)?"
        "(?:은|는|이|가|을|를|의|도|만)?|들?(?:입니다|이다|이고|이며|이었다|였다|인|이라고|라고)"),
    "tr": re.compile("(?:l[ae]r)?(?:[ıiuü]?[mn](?:[ıiuü]z)?|s?[ıiuü]|l[ae]r[ıi])?"
        "(?:n?[dt][ae]n?|n?[ıiuü]n|[yn]?[ıiuüae]|y?l[ae]|nc[ae])?(?:ki|[dt][ıiuü]r)?"),
}  # fmt: skip
"""Particles, possessives and case endings of nouns in these languages."""
_SOFT = {"ğ": "k", "g": "k", "b": "p", "d": "t", "c": "ç"}
"""Last consonants of Turkish nouns before a vowel."""
_ENDING = {"fi": 4, "tr": 4}
"""Maximum number of letters of an ending of a word in a phrase; 2 in other languages."""
_SUFFIXED = frozenset({"tr"})
"""Languages that write endings after an apostrophe; others write articles and pronouns before it."""
SHORTEST, LONGEST = 2, 8
"""Number of letters of words that are searched inside a text without spaces."""
ALIKE, BEGINNING = 0.6, 3
"""Maximum similarity of two spellings, and number of first letters that are not the same."""
_KEPT = frozenset("and or person multi-sentence name".split())
_VAGUE = "thing"
_MAY_BE_PLURAL = re.compile("[a-z]{3,}s(?<!ss)(?<!us)(?<!ics)(?<![nt]doors)(?<![np]stairs)")
_PLURAL = re.compile("[a-z]{3,}[^sui]s")
_ENDS_OF_PLURALS = (("ve$", "f"), ("ve$", "fe"), ("ie$", "y"), ("$", ""), ("e$", ""))
"""Ends of plurals without their *s*, and of their singulars."""
_FRAME = re.compile(r"(.+)-\d+$")
_AROUND = re.compile(r"^[\u3040-\u309f的]+|[\u3040-\u309f的]+$")
"""Particles around a noun: hiragana, or 的."""
_KATAKANA = re.compile("[\u30a0-\u30ff]")


def with_translated_nouns(
    graph: penman.Graph,
    text: str,
    lang: str,
    alignments: Mapping[str, Span],
    invented: Collection[str] = (),
) -> penman.Graph:
    """Return a graph in which unknown nouns are translated; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.
        invented: Concepts that are no words.
    """
    if not nouns_of(lang):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    present = {lemma(concept) for concept in concepts.values()}
    fixed = _fixed(graph, concepts, alignments)
    modifiers = {}
    for node, concept in list(concepts.items()):
        if node in fixed or node not in alignments:
            continue
        span = alignments[node]
        entry = None if in_name(text, span, lang) else _entry(text, span, lang)
        if not entry:
            continue
        modifier, _, noun = entry.rpartition(" ")
        parts = [concepts[one] for one, other in alignments.items() if other == span and one in concepts]
        is_written = noun in present or (modifier and not near(entry).isdisjoint(map(lemma, parts)))
        if not is_written and (concept in invented or _may_be_wrong(concept, entry, text, span, lang)):
            concepts[node] = noun
            present.add(noun)
        if modifier and lemma(concepts[node]) == noun:
            modifiers[node] = modifier
    changed = {
        triple: (triple[0], ":instance", concepts[triple[0]])
        for triple in graph.instances()
        if triple[2] != concepts[triple[0]]
    }
    graph = replace_triples(graph, changed) if changed else graph
    for node, modifier in modifiers.items():
        graph = _with_modifier(graph, node, modifier, alignments)
    return graph


def _with_modifier(
    graph: penman.Graph, node: str, modifier: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the modifier of a compound, unless the graph has it or a part of the word."""
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    if any(
        alike(lemma(modifier), lemma(concept)) or alignments.get(one) == alignments[node]
        for one, concept in concepts.items()
        if one != node
    ):
        return graph
    name = free_variable("m", concepts)
    return laid_out([*graph.triples, (node, ":mod", name), (name, ":instance", modifier)], graph.top)


def with_singular_nouns(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span], symbols: Container[str]
) -> penman.Graph:
    """Return a graph in which English plurals are their singulars; the same object if nothing changes.

    The parser copies a plural, or reads it as another noun.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.
        symbols: The parser's own concepts, which are not taken for copies.

    Example:
        >>> graph = penman.decode("(a / and :op1 (r / routers) :op2 (b / bottle))")
        >>> text, spans = "routers and kettles", {"r": (0, 7), "b": (12, 19)}
        >>> print(penman.encode(with_singular_nouns(graph, text, "en", spans, {"bottle"}), indent=None))
        (a / and :op1 (r / router) :op2 (b / kettle))
    """
    if lang != "en":
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    fixed, changed = _fixed(graph, concepts, alignments), {}
    for triple in graph.instances():
        node, _, concept = triple
        word = text[slice(*alignments[node])] if node in alignments else ""
        copied = concept == word.lower()
        noun = singular(word.lower())
        if noun is None or noun in concepts.values() or (copied and concept in symbols):
            continue
        if copied or (word.islower() and node not in fixed and _is_another(str(concept), noun, text)):
            changed[triple] = (node, ":instance", noun)
    return replace_triples(graph, changed) if changed else graph


def _is_another(concept: str, noun: str, text: str) -> bool:
    """Return whether a concept matches no word of the sentence, so that ``noun`` may replace it."""
    known = noun in near_words("nouns") and concept in known_nouns()
    return known and not any(alike(word, concept) for word in words_of(text) if singular(word) != noun)


def singular(word: str) -> str | None:
    """Return the singular of a regular English plural; ``None`` for other words.

    Example:
        >>> [singular(word) for word in ("routers", "batteries", "boxes", "screenshots", "news", "glass")]
        ['router', 'battery', 'box', 'screenshot', None, None]
    """
    nouns = known_nouns()
    if word in nouns or not _MAY_BE_PLURAL.fullmatch(word):
        return None
    base = word.removesuffix("s")
    forms = [re.sub(ending, end, base) for ending, end in _ENDS_OF_PLURALS]
    known = next((form for form in forms if form in nouns), None)
    return known or (base if _PLURAL.fullmatch(word) else None)


def _fixed(graph: penman.Graph, concepts: Mapping[str, str], alignments: Mapping[str, Span]) -> set[str]:
    """Return nodes that are not replaced.

    These have a name or are names, units, or frames with arguments; or they are arguments of a frame of the
    same word, as in ``person :ARG0-of teach-01``.
    """
    fixed = {
        node
        for node, concept in concepts.items()
        if concept in _KEPT or concept.endswith(("-entity", "-quantity"))
    }
    for source, role, target in graph.edges():
        if role == ":name":
            fixed.add(source)
        elif role == ":unit":
            fixed.add(target)
        elif role.startswith(":ARG"):
            fixed.add(source)
            if source in alignments and alignments[source] == alignments.get(target):
                fixed.add(target)
    return fixed


def in_name(text: str, span: Span, lang: str) -> bool:
    """Return whether a word has a capital inside the sentence; in German, all nouns have."""
    before = text[: span[0]].rstrip(" '’\"«»“”„-")
    return lang != "de" and text[span[0]].isupper() and before != "" and before[-1] not in ".!?:…¿¡"


def _may_be_wrong(concept: str, entry: str, text: str, span: Span, lang: str) -> bool:
    """Return whether a concept is unlikely for the word at ``span``, and for every other word."""
    if concept == text[slice(*span)].casefold():
        return True
    plain = lemma(concept)
    if (plain not in known_nouns() and plain != _VAGUE) or plain in near(entry):
        return False
    others = [
        (text[begin:end], other or "")
        for (begin, end), other in _words(text, lang)
        if end <= span[0] or begin >= span[1]
    ]
    return not any(
        alike(word, plain) or plain in map(lemma, other.split()) or plain in near(other)
        for word, other in others
    )


@lru_cache(maxsize=256)
def _words(text: str, lang: str) -> tuple[tuple[Span, str | None], ...]:
    """Return the words of a sentence and their entries, if known; its readings share them."""
    return tuple(_each_word(text, lang))


def _each_word(text: str, lang: str) -> Iterator[tuple[Span, str | None]]:
    if lang not in UNSPACED:
        for match in WORD.finditer(text):
            yield match.span(), _entry(text, match.span(), lang)
        return
    nouns = translations("nouns", lang)
    for begin in range(len(text)):
        for end in range(begin + SHORTEST, min(begin + LONGEST, len(text)) + 1):
            if text[begin:end] in nouns and not _cuts_katakana(text, begin, end):
                yield (begin, end), nouns[text[begin:end]]


def noun_entries(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the nouns of a sentence with their English, which a compound has after its modifier's concept.

    In scripts without spaces, words inside another known word are left out.

    Example:
        >>> list(noun_entries("Die Ampel ist kaputt.", "de"))
        [((4, 9), 'traffic light')]
    """
    known = [(span, entry) for span, entry in _words(text, lang) if entry and not in_name(text, span, lang)]
    yield from ((span, entry) for span, entry in known if not is_inside(span, (other for other, _ in known)))


def is_inside(span: Span, others: Iterable[Span]) -> bool:
    """Return whether a span is a part of one of the others."""
    return any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in others)


def _cuts_katakana(text: str, begin: int, end: int) -> bool:
    """Return whether a span is a part of a word in katakana."""
    return any(
        0 < place < len(text) and _KATAKANA.match(text[place - 1]) and _KATAKANA.match(text[place])
        for place in (begin, end)
    )


def translate(text: str, span: Span, lang: str) -> str | None:
    """Return the English noun of the word at ``span``, if it is known.

    In scripts without spaces, the word is the longest known one that contains the span, particles left out.

    Example:
        >>> translate("Das ist ein Regenschirm.", (12, 23), "de"), translate("键盘坏了。", (1, 2), "zh")
        ('umbrella', 'keyboard')
    """
    entry = _entry(text, span, lang)
    return entry.split()[-1] if entry else None


def _entry(text: str, span: Span, lang: str) -> str | None:
    """Return the English noun of the word at ``span``, after the concept of its modifier if it has one."""
    if lang == "de" and text[span[0]].islower() and text != text.lower():
        return None  # nouns of German have a capital: *liegen* is no bed
    nouns = translations("nouns", lang)
    for (begin, end), noun in _phrases(text, lang):
        if begin <= span[0] < end:
            return noun or None
    if lang in UNSPACED:
        written = text[slice(*span)]
        core = _AROUND.sub("", written)
        start = span[0] + written.find(core)
        known = [
            (begin, end)
            for (begin, end), _ in _words(text, lang)
            if core and begin <= start and end >= start + len(core)
        ]
        begin, end = max(known, key=lambda one: one[1] - one[0], default=(0, 0))
        return nouns.get(text[begin:end])
    word = unicodedata.normalize("NFC", text[slice(*span)]).lower()
    parts = re.split("['’]", word)
    stem = parts[0 if lang in _SUFFIXED else -1]
    shorter = (stem[:end] for end in range(len(stem), STEMS.get(lang, len(stem) + 1) - 1, -1))
    forms = (form for form in shorter if form in nouns and is_inflected(stem, form, lang))
    return next((nouns[form] for form in (word, stem, *forms) if form in nouns), None)


def is_inflected(word: str, noun: str, lang: str) -> bool:
    """Return whether a word is a Korean or Turkish noun with particles or case endings.

    Example:
        >>> [is_inflected(word, "kahve", "tr") for word in ("kahveyi", "kahvelerden", "kahverengi")]
        [True, True, False]
    """
    stems = [noun]
    if lang == "tr":
        stems += [noun[:-1] + soft for soft, last in _SOFT.items() if noun[-1] == last]
        stems.append(noun[:-2] + noun[-1])  # burun, burnu
    return any(word.startswith(one) and _ENDINGS[lang].fullmatch(word, len(one)) for one in stems)


@lru_cache(maxsize=256)
def _phrases(text: str, lang: str) -> tuple[tuple[Span, str], ...]:
    """Return the spans of nouns of several words, each with its translation, empty if it is unsure."""
    known = _phrases_of(lang)
    matches = list(WORD.finditer(text)) if known else []
    words = words_of(text) if known else []
    ending = _ENDING.get(lang, 2)
    phrases = []
    for at, word in enumerate(words):
        for phrase, noun in known.get(word[:BEGINNING], ()):
            written = words[at : at + len(phrase)]
            if len(written) == len(phrase) and all(
                one.startswith(other) and len(one) <= len(other) + ending
                for one, other in zip(written, phrase, strict=True)
            ):
                phrases.append(((matches[at].start(), matches[at + len(phrase) - 1].end()), noun))
    return tuple(phrases)


@cache
def _phrases_of(lang: str) -> Mapping[str, list[tuple[list[str], str]]]:
    """Return the nouns of several words of a language, as words, by their first letters."""
    by_start: dict[str, list[tuple[list[str], str]]] = {}
    for phrase, noun in translations("phrases", lang).items():
        by_start.setdefault(phrase[:BEGINNING].rstrip(), []).append((phrase.split(), noun))
    return by_start


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return [unicodedata.normalize("NFC", word).lower() for word in WORD.findall(text)]


def lemma(concept: str) -> str:
    """Return a concept without the number of its sense."""
    frame = _FRAME.match(concept)
    return frame[1] if frame else concept


def alike(word: str, english: str) -> bool:
    """Return whether two words are written alike, apart from accents and capitals.

    Example:
        >>> alike("Katalog", "catalog"), alike("Käse", "cheese")
        (True, False)
    """
    letters = unicodedata.normalize("NFD", word.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    same_start = plain[:BEGINNING] == english[:BEGINNING]
    return same_start or SequenceMatcher(None, plain, english).ratio() > ALIKE


@cache
def nouns_of(lang: str) -> Mapping[str, str]:
    """Return English nouns by the words of a language; empty for languages without translations."""
    return {word: entry.split()[-1] for word, entry in translations("nouns", lang).items()}


def near(entry: str) -> frozenset[str]:
    """Return the nouns of a meaning near that of an English noun in the dictionary, itself included.

    The noun may follow the concept of its modifier.
    """
    return near_words("nouns").get(entry, frozenset()) | {entry.rpartition(" ")[2]}


@cache
def known_nouns() -> frozenset[str]:
    """Return all English nouns that are near one in `nouns_of`, apart from compounds."""
    return frozenset().union(*(near for noun, near in near_words("nouns").items() if " " not in noun))


@cache
def written_nouns() -> frozenset[str]:
    """Return the nouns of `known_nouns`, and both concepts of each compound."""
    return known_nouns().union(*(entry.split() for entry in near_words("nouns")))

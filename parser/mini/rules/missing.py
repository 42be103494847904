"""Find numbers, names and negations of a sentence that its graph does not hold.

::

    Order 48213 did not arrive.     (a / arrive-01 :ARG1 (o / order))      48213, not

A parser may lose a word without a trace; this comparison of sentence and graph needs no parser:

- A number written in digits, or from eleven on in words, is in the graph if a constant or a word with digits
  has its value. In a date ``98`` is also 1998.
- A name is a word with a capital letter inside a sentence, of a language that writes only names so. It is in
  the graph if a name, concept or constant is similar to it, if a node is aligned with it, or if the graph has
  a country or city that it is a form of.
- A negation is in the graph if it has ``:polarity -`` or a concept such as ``nobody``, ``never`` or
  ``no-longer``, however often.

What is found was lost, or is there in a form that this comparison does not know.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

import penman

from amrx.composed_text import Composed, Span, compose
from parser.mini.rules.calendar_names import months_in, weekdays_in
from parser.mini.rules.fractions import with_fractions
from parser.mini.rules.literals import NUMBER, read_words
from parser.mini.rules.nouns import nouns_of
from parser.mini.rules.place_names import english_places, plain_form
from parser.mini.rules.spelled_clocks import with_clock_digits
from parser.mini.rules.spelled_numbers import with_digits

_NEGATIONS = {
    "bg": "не|няма|без",
    "ca": "no|mai|sense",
    "cs": "ne|není|nejsou|nikdy|bez",
    "da": "ikke|aldrig|uden",
    "de": "nicht|nichts|kein(?:e[mnrs]?)?|nie|niemals|nirgends|ohne",
    "el": "δεν|μην|χωρίς",
    "en": r"\w*n['’]t|not(?! only| just)|cannot|never|nor|neither|without|nowhere",
    "es": "no|nunca|jamás|sin|tampoco",
    "fi": "ei|en|et|emme|ette|eivät",
    "fr": "pas|jamais|sans|aucune?",
    "hu": "nem|nincs|soha|ne",
    "id": "tidak|bukan|tanpa",
    "it": "non|mai|senza|nessun[ao]?",
    "nb": "ikke|aldri|uten",
    "nl": "niet|niets|geen|nooit|zonder",
    "pl": "nie|nigdy|bez",
    "pt": "não|nunca|jamais|sem",
    "ro": "nu|niciodată|fără",
    "ru": "(?<!чуть )(?<!едва )не|нет|никогда|без",
    "sv": "inte|aldrig|utan",
    "tr": "değil|yok|asla|hiç",
    "uk": "(?<!ледь )(?<!мало )(?<!трохи )не|немає|ніколи|без",
}
"""Words that negate a clause; Russian and Ukrainian *nearly* has an empty *not*."""
_NEGATIVE = re.compile(
    "no|none|nobody|no-one|nothing|never|nowhere|neither|nor|without|any-?more|.*no-(?:longer|more)"
    "|(?:un|in|im|dis|non)-?[a-z-]+|lack-01|absent-01|fail-01|refuse-01|except-01|stop-0[13]|[a-z-]+less"
)
"""Concepts that hold a negation, senses included."""
_NAMING = frozenset("ca cs da en es et fi fr hr hu id it lt lv nb nl pl pt ro sk sl sv vi".split())
"""Languages in Latin letters that write only names, and in English a few other words, with a capital; in
Turkish, most such words outside names of people are translated."""
_CAPITALS = frozenset(
    "i mr mrs ms dr prof sir st saint lord lady mister miss god internet monsieur madame señor señora signor "
    "signora frau herr christmas easter january february march april may june july august september october "
    "november december jan feb mar apr jun jul aug sept sep oct nov dec monday tuesday wednesday thursday "
    "friday saturday sunday mon tue wed thu fri sat sun am pm ad bc gmt est".split()
)
"""Words with a capital that are no names, or that AMR writes as numbers."""
_WORD = re.compile(r"(?<![\w=.$])[^\W\d_]{2,}(?:[-'’.][^\W\d_]+)*(?![\w=]|-\d)")
_APOSTROPHE = re.compile("['’]")
_STARTS = re.compile(r"(?:^|[.!?:;…\n(\"“”«»„‘'’\[–—-])\W*$")
_SIMILAR, _PREFIX = 0.6, 4
_MOST_CAPITALS = 0.5
"""Share of words with a capital above which a sentence is a headline."""


def missing_words(
    text: str, lang: str, graph: penman.Graph, alignments: Mapping[str, Span] | None = None
) -> tuple[str, ...]:
    """Return the numbers, names and negations of a sentence that its graph does not hold, in order.

    Args:
        text: The sentence.
        lang: Its ISO 639-1 code.
        graph: Its graph.
        alignments: Node to character span in ``text``.

    Example:
        >>> graph = penman.decode("(a / arrive-01 :ARG1 (o / order) :location (c / city))")
        >>> missing_words("Order 48213 did not arrive in Rome.", "en", graph)
        ('48213', 'not', 'Rome')
    """
    composed = with_clock_digits(with_digits(with_fractions(compose(text), lang), lang), lang)
    held = Held(graph)
    spans = {composed.given(*span) for span in _numbers(composed, lang, held)}
    spans |= set(_names(composed, lang, held, (alignments or {}).values()))
    if lang in _NEGATIONS and not held.negated:
        spans |= {match.span() for match in re.finditer(rf"\b(?:{_NEGATIONS[lang]})\b", text, re.IGNORECASE)}
    return tuple(text[slice(*span)].rstrip(" .,") for span in sorted(spans))


class Held:
    """Numbers, names and negations of a graph."""

    def __init__(self, graph: penman.Graph) -> None:
        constants = [str(value).strip('"') for _, _, value in graph.attributes()]
        concepts = [str(concept) for _, _, concept in graph.instances()]
        self.texts = [*constants, *concepts]
        self.values = {abs(float(text)) for text in constants if NUMBER.fullmatch(text)}
        plain = [re.sub(r"-\d\d+$", "", text) for text in concepts]  # without senses
        digits = {run for text in (*constants, *plain) for run in re.findall(r"\d+", text)}
        self.digits = {run.lstrip("0") or "0" for run in digits} | {
            run[-2:] for run in digits if len(run) == 4
        }
        self.names = {plain_form(part) for text in self.texts for part in re.split(r"[\s_-]", text) if part}
        self.initials = "".join(text[0].lower() for text in constants if text[:1].isupper())
        polar = any(role == ":polarity" for _, role, _ in graph.triples)
        self.negated = polar or any(_NEGATIVE.fullmatch(re.sub(r"-\d\d$", "", text)) for text in concepts)

    def number(self, plain: str) -> bool:
        """Return whether the graph holds a number, clock time, fraction or address."""
        if NUMBER.fullmatch(plain):
            return abs(float(plain)) in self.values or plain.lstrip("-0") in self.digits
        return plain in self.texts or all(run.lstrip("0") in self.digits for run in re.findall(r"\d+", plain))

    def place(self, words: Sequence[str], lang: str) -> bool:
        """Return whether the graph holds the English name of a place."""
        return any(place in self.names for place in english_places(words, lang))

    def name(self, word: str) -> bool:
        """Return whether the graph holds a name or something similar."""
        form = plain_form(word)
        return (
            form in self.names
            or any(form[:_PREFIX] == name[:_PREFIX] for name in self.names)
            or (word.isupper() and form in self.initials)
            or any(SequenceMatcher(None, form, name).ratio() >= _SIMILAR for name in self.names)
        )


def _numbers(composed: Composed, lang: str, held: Held) -> Iterator[Span]:
    """Yield the spans of numbers that the graph does not hold."""
    for span, word in read_words(composed.text, lang):
        plain = (word.plain or word.name or "").strip('"')
        if any(sign.isdigit() for sign in plain) and not held.number(plain):
            yield span


def _names(composed: Composed, lang: str, held: Held, seen: Collection[Span]) -> Iterator[Span]:
    """Yield the spans of names that the graph does not hold."""
    text, nouns = composed.text, nouns_of(lang)
    dates = {name.span for name in (*weekdays_in(text, lang), *months_in(text, lang))}
    negation = re.compile(_NEGATIONS.get(lang, "$"), re.IGNORECASE)
    words = list(_WORD.finditer(text)) if lang in _NAMING else []
    capitals = [match for match in words if match[0][0].isupper()]
    if len(capitals) > _MOST_CAPITALS * len(words):
        return
    for run in _runs(capitals, text):
        if held.place([match[0] for match in run], lang):
            continue
        for match in run:
            form = _APOSTROPHE.split(match[0])[0].lower()
            begin, end = composed.given(*match.span())
            is_name = form not in _CAPITALS | nouns.keys() and match.span() not in dates
            is_name = is_name and not negation.fullmatch(form)
            is_first = _STARTS.search(text, 0, match.start()) is not None
            is_aligned = any(first < end and begin < last for first, last in seen)
            if is_name and not is_first and not is_aligned and not held.name(match[0]):
                yield begin, end


def _runs(words: Iterable[re.Match[str]], text: str) -> Iterator[list[re.Match[str]]]:
    """Yield groups of words with nothing but spaces between them."""
    run: list[re.Match[str]] = []
    for match in words:
        if run and text[run[-1].end() : match.start()].strip():
            yield run
            run = []
        run.append(match)
    if run:
        yield run

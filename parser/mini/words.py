"""Convert a sentence to the mini parser's input: subword ids, and the words that can be copied."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from amrx.composed_text import (
    ZERO_WIDTH_SPACE,
    Composed,
    Span,
    compose,
    whole_signs,
    with_letters_for_marks,
)
from amrx.e5.tokenizer import E5Tokenizer
from parser.mini.rules.fractions import with_fractions
from parser.mini.rules.greetings import without_greeting
from parser.mini.rules.literals import Word, read_words
from parser.mini.rules.locales import locale_of
from parser.mini.rules.number_words import number_word
from parser.mini.rules.place_names import english_places, is_form, plain_form
from parser.mini.rules.rewordings import with_rewordings
from parser.mini.rules.spelled_clocks import with_clock_digits
from parser.mini.rules.spelled_days import with_day_digits
from parser.mini.rules.spelled_numbers import with_digits
from parser.mini.translations import Entry, entries

NUMBERS = (*range(101), *range(200, 1000, 100), 10**3, 10**4, 10**5, 10**6, 10**9)
"""Numbers that are searched in words."""
ALWAYS = frozenset({1.0, 2.0})
"""Numbers written by articles and words like *both* and *pair* in every language."""
_OTHER_WORDS = {
    "dozen": 12, "dutzend": 12, "docena": 12, "douzaine": 12, "dozzina": 12, "duzia": 12, "dozijn": 12,
    "triple": 3, "hundreds": 100, "thousands": 1000,
}  # fmt: skip


def numbers_in_letters(words: Iterable[str], lang: str) -> frozenset[float] | None:
    """Return the numbers written as words in a sentence; ``None`` if the language is not supported.

    A number is found if the sentence contains each of its words, possibly inflected.

    Example:
        >>> sorted(numbers_in_letters(["Twenty", "five", "dogs", "and", "the", "third", "cat"], "en"))
        [1.0, 2.0, 3.0, 5.0, 20.0, 23.0, 25.0]
    """
    table = _number_words(lang)
    if not table:
        return None
    forms = {plain_form(part) for word in words for part in word.split("-")}
    values = {float(_OTHER_WORDS[form]) for form in forms if form in _OTHER_WORDS}
    starts = {form[:3] for form in forms}
    for name, number in table.items():
        if name[0][:3] in starts and all(any(is_form(part, form) for form in forms) for part in name):
            values.add(float(number))
    return ALWAYS | values


@cache
def _number_words(lang: str) -> Mapping[tuple[str, ...], int]:
    """Return the words of each number and of its ordinal, without conjunctions."""
    from num2words import CONVERTER_CLASSES

    if lang not in CONVERTER_CLASSES:
        return {}
    table: dict[tuple[str, ...], int] = {}
    for number in NUMBERS:
        for kind in ("cardinal", "ordinal"):
            name = number_word(number, lang, kind)
            if name is None:
                continue
            parts = [plain_form(part) for part in name.replace("-", " ").split()]
            table.setdefault(tuple(part for part in parts if len(part) > 1 and part not in _JOINING), number)
    table.pop((), None)
    return table


_JOINING = frozenset({"and", "und", "et", "y", "e", "one", "ein", "un", "uno", "um", "bir"})
"""Words inside numbers without a value of their own: one hundred is a hundred."""


MOST_PIECES = 128
_UNSPACED = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
_WORD = re.compile(r"[^\W_]+(?:[-'.,’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Source:
    """One sentence, cut to `MOST_PIECES` pieces."""

    ids: list[int]  # subword ids with ``<s>`` and ``</s>``
    spans: list[tuple[int, int]]  # character span of every piece in ``composed``
    words: list[Word]  # the words of the sentence
    starts: list[int]  # the piece in which each word starts
    cut: bool  # whether pieces were cut off
    composed: Composed  # the text read (`amrx.composed_text`), with spans in the given text
    # plain forms of the English names of places that it mentions; ``None`` if names may differ from the
    # sentence, because they have to be spelled in another script
    places: frozenset[str] | None = None
    # numbers that it writes as words; ``None`` if unknown
    numbers: frozenset[float] | None = None
    translated: bool = False  # whether its names are translated into English
    continues: bool = False  # whether it begins with *and*
    entries: tuple[Entry, ...] = ()  # translations of its words


def read_source(text: str, lang: str, tokenizer: E5Tokenizer) -> Source:
    """Compose ``text`` and split it into pieces and words.

    A text in capitals is lower-cased, constructions are reworded (`parser.mini.rules.rewordings`), and
    numbers and clock times in words are written in digits.

    Args:
        text: The sentence.
        lang: Its language; decides the thousands separator, and the words for numbers and places.
        tokenizer: The subword model.
    """
    composed = compose(text)
    capitals = in_capitals(composed.text)
    if capitals:
        composed = replace(composed, text=in_small_letters(composed.text, lang))
    composed = with_rewordings(without_greeting(composed, lang), lang)
    composed = with_digits(with_fractions(with_day_digits(composed, lang), lang), lang)
    composed = with_clock_digits(composed, lang)
    ids, spans = tokenizer.pieces_with_spans(composed.text)
    cut = len(ids) > MOST_PIECES
    if cut:
        ids, spans = [*ids[: MOST_PIECES - 1], ids[-1]], [*spans[: MOST_PIECES - 1], spans[-1]]
    words, starts = _with_starts(read_words(composed.text, lang), spans)
    if capitals:
        words = [_with_capital(word) for word in words]
    texts = [word.text for word in words]
    latin = [word.text for word in words if word.name is not None]
    places = english_places(latin, lang) if 2 * len(latin) >= len(words) else None
    numbers = numbers_in_letters(texts, lang)
    continues = begins_with_and(composed.text, lang)
    known = entries(composed.text, lang, spans)
    return Source(ids, spans, words, starts, cut, composed, places, numbers, lang != "en", continues, known)


def begins_with_and(text: str, lang: str) -> bool:
    """Return whether a sentence begins with the word for *and* in its language, if CLDR has one.

    Example:
        >>> begins_with_and("– And then?", "en"), begins_with_and("Andy ran.", "en")
        (True, False)
    """
    word = _and(lang)
    return bool(word) and re.match(rf"\W*{re.escape(word)}\b", text, re.IGNORECASE) is not None


@cache
def _and(lang: str) -> str:
    """Return the word between the two items of a list; empty if it is joined to the second item."""
    locale = locale_of(lang)
    if locale is None:
        return ""
    pattern = locale.list_patterns["standard"]["2"]
    between = pattern.removeprefix("{0}").removesuffix("{1}")
    return between.strip() if between.endswith(" ") else ""


def _with_capital(word: Word) -> Word:
    """Return a word with a capital at the start of its name."""
    return word if word.name is None else replace(word, name=f'"{word.name[1:2].upper()}{word.name[2:]}')


def _with_starts(words: Iterable[tuple[Span, Word]], spans: Sequence[Span]) -> tuple[list[Word], list[int]]:
    """Return the words that start before the last piece, with the piece in which each starts."""
    inside, starts, piece = list[Word](), list[int](), 1
    for (begin, _), word in words:
        while piece < len(spans) - 1 and spans[piece][1] <= begin:
            piece += 1
        if piece >= len(spans) - 1:
            break
        inside.append(word)
        starts.append(piece)
    return inside, starts


@lru_cache(maxsize=64)
def word_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of the words of a text."""
    return tuple(match.span() for match in _WORD.finditer(with_letters_for_marks(text)))


def word_span(source: Source, slot: int) -> Span | None:
    """Return the span of the word at a memory slot, in the given text.

    In scripts without spaces it is the span of the piece. ``None`` for slot 0 (the sentence), ``<s>``,
    ``</s>`` and punctuation.
    """
    text = source.composed.text
    if slot == 0 or slot >= len(source.ids):
        return None
    start, end = source.spans[slot - 1]
    while start < end and (text[start].isspace() or text[start] == ZERO_WIDTH_SPACE):
        start += 1
    word = next((span for span in word_spans(text) if span[0] <= start < span[1]), None)
    if word is None or start >= end:
        return None
    unspaced = any(unicodedata.name(letter, "").startswith(_UNSPACED) for letter in text[start:end])
    return source.composed.given(*(whole_signs(text, start, end) if unspaced else word))


FEWEST = 2
"""Minimum number of words in a sentence in capitals: a single one may be an abbreviation."""


def in_capitals(text: str) -> bool:
    """Return whether a text is written in capitals only.

    Example:
        >>> [in_capitals(text) for text in ("THE DOG SLEEPS.", "The dog sleeps.", "NATO", "狗睡了。")]
        [True, False, False, False]
    """
    return text.isupper() and sum(word.isupper() and len(word) > 1 for word in text.split()) >= FEWEST


def in_small_letters(text: str, lang: str = "") -> str:
    """Return a text of the same length in lower case, except the first letter of each sentence.

    Example:
        >>> in_small_letters("DER HUND SCHLÄFT. ER TRÄUMT.")
        'Der hund schläft. Er träumt.'
        >>> in_small_letters("IŞIK İYİ", "tr")
        'Işık iyi'
    """
    small = _TURKISH if lang in ("tr", "az") else {}
    letters = [small.get(letter) or (low if len(low := letter.lower()) == 1 else letter) for letter in text]
    begins = True
    for index, letter in enumerate(text):
        if begins and letter.isalpha():
            letters[index], begins = letter, False
        begins = begins or letter in ".!?"
    return "".join(letters)


_TURKISH = {"I": "ı", "İ": "i"}

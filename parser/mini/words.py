"""Find the words of a sentence that can be copied into its graph, including numbers and times.

::

    text                      copied as
    Zebras                    zebras, in a name "Zebras"
    3.700.000 (German)        3700000
    5km                       5, and km
    2024-05-17, 17.05.2024    2024, 5 and 17, one word each
    2/3, 16:30                "2/3", "16:30"
    l'uomo (Italian)          uomo
    Ali'nin (Turkish)         ali, in a name "Ali"
    致38人 (Chinese)          38, between words that cannot be copied
    https://a.org/b           "https://a.org/b"

Values in digits or signs are those of `parser.values.literals`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from amrx.composed_text import Span, with_letters_for_marks
from linearize.packed import is_constant
from parser.values.literals import literals_in
from parser.values.words import DENSE

_CONCEPT = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_LATIN_END = "ɐ"
_IS_DENSE = re.compile(rf"[{DENSE}]")
_LETTER = rf"[^\W_{DENSE}]"
_WORD = re.compile(rf"[{DENSE}]+|{_LETTER}+(?:(?!['’]s\b)[-'.,’\u2010\u2011]{_LETTER}+)*", re.IGNORECASE)
_ELIDED = re.compile(r"(?:[cdjlmnst]|qu|un|all|d[ae]ll|nell|sull)['’](?=\w)", re.IGNORECASE)
"""An article or pronoun before a vowel, of Catalan, French and Italian."""
_ELIDING = frozenset({"ca", "fr", "it"})
_SUFFIXED = re.compile(r"(?P<name>[^\W\d_].*)['’](?!an\Z)[a-zçğıöşü]+")
"""A proper name and, after an apostrophe, its suffix, as Turkish writes it; not *Kur'an*."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the sentence and the nodes that copying it yields."""

    text: str  # the word as written
    # outside a name: a concept, number or quoted constant; ``None`` if it cannot be copied
    plain: str | None
    name: str | None  # as a part of a name, quoted; ``None`` if it has no Latin letter or digit


@lru_cache(maxsize=256)
def read_words(text: str, lang: str) -> tuple[tuple[Span, Word], ...]:
    """Return the words of a composed text with their spans, by the table in the module's docstring.

    Args:
        text: Composed text (`amrx.composed_text.compose`).
        lang: Its language; decides only which character separates thousands.

    Example:
        >>> [word.plain for _, word in read_words("Zu 3.700.000 Gästen kamen 2,5 % am 17.05.2024", "de")]
        ['zu', '3700000', None, 'kamen', '2.5', 'am', '17', '5', '2024']
        >>> [word.plain for _, word in read_words("5km at 5 pm: ann@a.org, -3 and 1.200", "en")]
        ['5', 'km', 'at', '"17:00"', '"ann@a.org"', '-3', 'and', '1.200']
    """
    return tuple(_each_word(text, lang))


def _each_word(text: str, lang: str) -> Iterator[tuple[Span, Word]]:
    marked, begin = _with_marks_joined(text), 0
    for literal in literals_in(text, lang):
        yield from _plain_words(text, marked, (begin, literal.span[0]), lang)
        begin = literal.span[1]
        if literal.kind == "date":
            for part in re.finditer(r"\d+", literal.constant):
                span = literal.span[0] + part.start(), literal.span[0] + part.end()
                yield span, _word(text, span, str(int(part[0])))
        elif literal.kind == "number":
            yield literal.span, _word(text, literal.span, literal.constant)
        else:
            yield literal.span, Word(text[slice(*literal.span)], literal.constant, literal.constant)
    yield from _plain_words(text, marked, (begin, len(text)), lang)


def _plain_words(text: str, marked: str, part: Span, lang: str) -> Iterator[tuple[Span, Word]]:
    """Yield the words of a part of a text without values."""
    begin, end = part
    while match := _WORD.search(marked, begin, end):
        begin = match.end()
        if lang in _ELIDING and (article := _ELIDED.match(marked, *match.span())):
            begin = article.end()
            continue
        span = match.start(), match.start() + len(_without_suffix(match[0], lang))
        yield span, _word(text, span, _concept(text[slice(*span)]))


def _without_suffix(word: str, lang: str) -> str:
    """Return a Turkish proper name without its suffix; return other words unchanged.

    Example:
        >>> [_without_suffix(word, "tr") for word in ("Boston'a", "Kur'an", "Kur'an'ın", "O'Neill")]
        ['Boston', "Kur'an", "Kur'an", "O'Neill"]
    """
    suffixed = _SUFFIXED.fullmatch(word) if lang == "tr" and word[0].isupper() else None
    return word if suffixed is None else suffixed["name"]


def _with_marks_joined(text: str) -> str:
    """Return the text with each mark that continues a word replaced by a letter of the same script."""
    signs: list[str] = []
    for given, sign in zip(text, with_letters_for_marks(text), strict=True):
        is_dense = given != sign and _IS_DENSE.match(signs[-1]) is not None
        signs.append(signs[-1] if is_dense else sign)
    return "".join(signs)


def _word(text: str, span: Span, plain: str | None) -> Word:
    written = text[slice(*span)]
    latin = any(sign.isdigit() or (sign.isalpha() and sign < _LATIN_END) for sign in written)
    return Word(written, plain, f'"{written}"' if latin else None)


def _concept(word: str) -> str | None:
    lower = word.lower().replace("\u2010", "-").replace("\u2011", "-")
    return lower if _CONCEPT.fullmatch(lower) and not is_constant(lower) else None

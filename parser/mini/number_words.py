"""Find the numbers that a sentence writes in letters, by num2words.

::

    three dogs, the third dog (en)   3
    fünfundzwanzig Hunde (de)        25
    ein Dutzend (de)                 12
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from parser.mini.place_names import is_form, plain_form

NUMBERS = (*range(101), *range(200, 1000, 100), 10**3, 10**4, 10**5, 10**6, 10**9)
"""Numbers that are looked for."""
ALWAYS = frozenset({1.0, 2.0})
"""Numbers that articles and words like *both* and *pair* write in every language."""
_OTHER_WORDS = {
    "dozen": 12, "dutzend": 12, "docena": 12, "douzaine": 12, "dozzina": 12, "duzia": 12, "dozijn": 12,
    "triple": 3, "hundreds": 100, "thousands": 1000,
}  # fmt: skip


def numbers_in_letters(words: Iterable[str], lang: str) -> frozenset[float] | None:
    """Return the numbers that words of a sentence write; ``None`` where the language is not known.

    A number counts where each of its words is there, as it is or inflected.

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
    """Return the words of each number and of its ordinal, but for conjunctions."""
    from num2words import CONVERTER_CLASSES, num2words

    if lang not in CONVERTER_CLASSES:
        return {}
    table: dict[tuple[str, ...], int] = {}
    for number in NUMBERS:
        for kind in ("cardinal", "ordinal"):
            try:
                name = num2words(number, lang=lang, to=kind)
            except (NotImplementedError, KeyError, IndexError):
                # num2words 0.5.14 has no Czech ordinals, and lacks Catalan 30th, Korean 10,000th, Polish 0th
                continue
            parts = [plain_form(part) for part in name.replace("-", " ").split()]
            table.setdefault(tuple(part for part in parts if len(part) > 1 and part not in _JOINING), number)
    table.pop((), None)
    return table


_JOINING = frozenset({"and", "und", "et", "y", "e", "one", "ein", "un", "uno", "um", "bir"})
"""Words within numbers that say nothing by themselves: one hundred is a hundred."""

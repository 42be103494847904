"""Inflect Arabic nouns, adjectives and verbs, written without vowel marks."""

from dataclasses import dataclass
from functools import cache

from parser.training.templates.words import Noun, UnsayableError, joined

_FEMININE = "ة"
_UNCHANGED = ("ة", "ا", "اء", "و", "ى", "ات")  # endings whose indefinite accusative has no alif
_SOUND = "ون"  # ending of the sound masculine plural, which has an oblique case
_NUMBERS = {"three": ("ثلاثة", "ثلاث"), "four": ("أربعة", "أربع"), "five": ("خمسة", "خمس")}
_MANY = {"several": "عدة", "many": "عدد كبير من", "group": "مجموعة من"}
_HIS = {1: ("ه", "ها"), 2: ("هما", "هما"), 3: ("هم", "هن")}
_WOMEN = {
    "يبيع": "يبعن", "يحيك": "يحكن", "يستريح": "يسترحن", "يسير": "يسرن", "يصطاد": "يصطدن", "يصيح": "يصحن",
    "يعود": "يعدن", "يغوص": "يغصن", "يقود": "يقدن", "يقوم": "يقمن", "ينام": "ينمن", "يحتج": "يحتججن",
}  # fmt: skip
"""Feminine plurals of verbs whose middle letter is dropped or doubled there."""


@dataclass(frozen=True, slots=True)
class ArabicNoun:
    """Column of a noun: ``[d:|f:]noun[_genitive][+adjective][ noun after the article]``."""

    noun: str  # the noun, or the first of a genitive construction
    of: tuple[str, ...]  # the other words of a genitive construction
    adjectives: tuple[str, ...]  # adjectives after it
    stem: str  # form after the article, before the alif of an accusative and before a dual ending
    feminine: bool  # whether it is feminine
    pair: bool  # whether it means two by itself, such as *couple*


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of a verb or adjective: gender, and number 1, 2 or 3."""

    feminine: bool
    number: int = 1


@cache
def _read(column: str) -> ArabicNoun:
    marks, column = column[:2], column.removeprefix("f:").removeprefix("d:")
    column, _, stem = column.partition(" ")
    nouns, *adjectives = column.split("+")
    noun, *of = nouns.split("_")
    feminine = marks == "f:" or noun.endswith(_FEMININE) or stem.endswith(_FEMININE)
    return ArabicNoun(noun, tuple(of), tuple(adjectives), stem or noun, feminine, marks == "d:")


def read_noun(noun: Noun) -> ArabicNoun:
    """Read a noun's column.

    Raises:
        UnsayableError: The table has no such word.
    """
    return _read(noun.column("ar"))


def agreement(noun: Noun, count: str) -> Agreement:
    """Return the agreement of a noun with a count; plural animals and groups are feminine singular."""
    feminine = read_noun(noun).feminine
    if count in ("a", "the"):
        return Agreement(feminine, 2 if read_noun(noun).pair else 1)
    if count == "two":
        return Agreement(feminine, 2)
    if count == "group" or "person" not in noun.kinds:
        return Agreement(feminine=True)
    return Agreement(feminine, 3)


def one(noun: Noun, adjectives: tuple[str, ...], *, definite: bool, accusative: bool) -> str:
    """Return a noun phrase in the singular; in the dual for a couple."""
    head = read_noun(noun)
    adjectives = (*head.adjectives, *adjectives)
    if head.pair:
        return two(noun, definite=definite, oblique=accusative)
    if definite:
        return _definite(head.stem if not head.of else head.noun, head.of, adjectives)
    if accusative and not head.of:
        word = head.noun if head.feminine else head.stem  # "امرأة", but "طاهيا"
        return joined(_marked(word), *(_marked(adjective) for adjective in adjectives))
    if accusative:
        return joined(head.noun, *head.of, *(_marked(adjective) for adjective in adjectives))
    return joined(head.noun, *head.of, *adjectives)


def two(noun: Noun, *, definite: bool = False, oblique: bool) -> str:
    """Return a noun phrase in the dual, which loses its last letter before a genitive.

    Raises:
        UnsayableError: The table has no plural, so there is no dual either.
    """
    head = read_noun(noun)
    if "ar" not in noun.plurals:
        raise UnsayableError
    word = dual(head.noun if head.feminine else head.stem, head.feminine, oblique=oblique)
    if head.of:
        word = word.removesuffix("ن")
    adjectives = tuple(dual(adjective, head.feminine, oblique=oblique) for adjective in head.adjectives)
    return _definite(word, head.of, adjectives) if definite else joined(word, *head.of, *adjectives)


def several(noun: Noun, count: str) -> str:
    """Return a noun phrase in the plural, as the subject of a sentence.

    Raises:
        UnsayableError: The table has no plural.
    """
    if "ar" not in noun.plurals:
        raise UnsayableError
    head = _read(noun.plurals["ar"])
    if count == "all":
        return joined(_construct(head), *head.of, *head.adjectives)
    word, adjectives = _construct(head, oblique=True), tuple(_oblique(word) for word in head.adjectives)
    if count in ("many", "group"):
        return joined(_MANY[count], _definite(word, head.of, adjectives))
    number = _NUMBERS[count][read_noun(noun).feminine] if count in _NUMBERS else _MANY[count]
    return joined(number, word, *head.of, *adjectives)


def dual(word: str, feminine: bool, *, oblique: bool) -> str:
    """Return the dual of a noun or adjective.

    Example:
        >>> dual("قطة", True, oblique=False)
        'قطتان'
    """
    if word.endswith(_FEMININE):
        word = word[:-1] + "ت"
    elif feminine and word.endswith("اء"):
        word = word[:-1] + "و"
    return word + ("ين" if oblique else "ان")


def agreeing(column: str, to: Agreement) -> str:
    """Return the form of a colour or mood, whose column is ``masculine[ feminine[ masculine plural]]``.

    Raises:
        UnsayableError: The table has no plural.
    """
    masculine, *others = column.split()
    form = others[0] if to.feminine and others else masculine
    if not others or to.number == 1:
        return form.replace("_", " ")
    if len(others) < 2:
        raise UnsayableError
    if to.number == 2:
        return dual("عاري" if form == "عار" else form, to.feminine, oblique=False)
    if not to.feminine:
        return others[1]
    return form[:-1] + "ات" if form.endswith(_FEMININE) else others[1]


def verb(present: str, to: Agreement) -> str:
    """Return the third person present, given its masculine singular.

    Example:
        >>> [verb("يمشي", Agreement(woman, number)) for number in (2, 3) for woman in (False, True)]
        ['يمشيان', 'تمشيان', 'يمشون', 'يمشين']
    """
    if to.number == 1:
        return "ت" + present[1:] if to.feminine else present
    weak = present[-1] in "يى"
    if to.number == 2:
        stem = present[:-1] + {"ى": "ي", "أ": "آ"}.get(present[-1], present[-1])
        ending = "ن" if present[-1] == "أ" else "ان"
        return ("ت" + stem[1:] if to.feminine else stem) + ending
    if to.feminine:
        if present in _WOMEN:
            return _WOMEN[present]
        return present[:-1] + "ين" if weak else present.removesuffix("ن") + "ن"
    if present.endswith("أ"):
        return present[:-1] + "ؤون"
    return (present[:-1] if weak else present) + _SOUND


def his(to: Agreement) -> str:
    """Return the possessive suffix."""
    return _HIS[to.number][to.feminine]


def _definite(word: str, of: tuple[str, ...], adjectives: tuple[str, ...]) -> str:
    described = [f"ال{adjective}" for adjective in adjectives]
    if not of:
        return joined(f"ال{word}", *described)
    *middle, last = of
    return joined(word, *middle, f"ال{last}", *described)


def _construct(head: ArabicNoun, *, oblique: bool = False) -> str:
    word = _oblique(head.noun) if oblique else head.noun
    sound = head.noun.endswith(_SOUND)
    return word.removesuffix("ن") if sound and head.of else word


def _oblique(word: str) -> str:
    return word[:-2] + "ين" if word.endswith(_SOUND) else word


def _marked(word: str) -> str:
    """Return the indefinite accusative; colours (``أحمر``) have no mark."""
    colour = len(word) == 4 and word.startswith("أ")
    return word if colour or word.endswith(_UNCHANGED) else word + "ا"

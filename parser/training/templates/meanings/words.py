"""What the rules of all languages share."""

from __future__ import annotations

from parser.training.templates.meanings.lexicon import Noun, Verb
from parser.training.templates.meanings.meaning import Thing


class UnsayableError(Exception):
    """A language's rules or words do not reach a meaning; the other languages still say it."""


def joined(*words: str) -> str:
    """Return the words that are not empty with a space between each two.

    Example:
        >>> joined("the dog", "", "barks")
        'the dog barks'
    """
    return " ".join(word for word in words if word)


def form(verb: Verb, lang: str, number: int) -> str:
    """Return a form of a verb by its place in the table.

    Raises:
        UnsayableError: The table has none.
    """
    forms = verb.forms.get(lang, ())
    if number >= len(forms) or not forms[number]:
        raise UnsayableError
    return forms[number]


def word(noun: Noun, lang: str) -> tuple[str, ...]:
    """Return what the table says of a noun in a language.

    Raises:
        UnsayableError: The table has nothing.
    """
    if lang not in noun.forms:
        raise UnsayableError
    return noun.forms[lang]


def there(thing: Thing | None) -> Thing:
    """Return a thing that a rule needs.

    Raises:
        UnsayableError: There is none.
    """
    if thing is None:
        raise UnsayableError
    return thing

"""Normalise sentences given by a caller: one text, or any ordered iterable of texts, read once.

::

    "A dog barks."                       one sentence
    ["A dog barks.", "Yes."]             several; also a tuple, generator, map, open file, array or Series
    {...}, b"...", None, a set, a table  rejected: unordered, or not text
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from amrx.errors import InputError

T = TypeVar("T")


def as_texts(sentences: object, noun: str = "sentence") -> list[str]:
    """Return the texts in order; a single string gives a list of one.

    Example:
        >>> as_texts("A dog barks."), as_texts(text.strip() for text in ["a ", " b"])
        (['A dog barks.'], ['a', 'b'])
        >>> as_texts(["A dog barks.", None])
        Traceback (most recent call last):
        amrx.errors.InputError: sentence 2 must be a str, got None
    """
    # some tokenizers reject subclasses of str such as numpy's
    items = [sentences] if isinstance(sentences, str) else as_items(sentences, str, noun)
    texts = [str.__str__(text) for text in items]
    for number, text in enumerate(texts, start=1):
        check_characters(text, noun, number)
    return texts


def check_characters(text: str, noun: str, name: object) -> None:
    """Raise InputError if a text holds a lone surrogate, which is not a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{noun} {name} holds a lone surrogate: {text[:40]!r}") from None


def as_items(given: object, kinds: type[T] | tuple[type[T], ...], noun: str) -> list[T]:
    """Return the items of an ordered iterable, read once."""
    return list(stream_items(given, kinds, noun))


def stream_items(given: object, kinds: type[T] | tuple[type[T], ...], noun: str) -> Iterator[T]:
    """Iterate over items that do not fit into memory; ``given`` is checked at once."""
    names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
    # iterating over a pandas table would give the names of its columns
    flat = getattr(given, "ndim", 1) == 1
    rejected = (str, bytes, bytearray, Mapping, set, frozenset)
    if isinstance(given, rejected) or not isinstance(given, Iterable) or not flat:
        raise InputError(
            f"{noun}s must be a {names} or an ordered iterable of {names}, got {_describe(given)}"
        )
    return _checked(given, kinds, noun, names)


def blocks_of(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of ``size``, the last one shorter; one list is in memory at a time.

    Example:
        >>> list(blocks_of("abcde", 2))
        [['a', 'b'], ['c', 'd'], ['e']]
    """
    source = iter(items)
    while block := list(islice(source, size)):
        yield block


def _checked(
    given: Iterable[object], kinds: type[T] | tuple[type[T], ...], noun: str, names: str
) -> Iterator[T]:
    for number, item in enumerate(given, start=1):
        if not isinstance(item, kinds):
            raise InputError(f"{noun} {number} must be a {names}, got {_describe(item)}")
        yield item


def _describe(value: object) -> str:
    """Return a number or ``None`` as it is; of anything else only the type, because it may be long."""
    return str(value) if value is None or isinstance(value, int | float) else type(value).__name__

"""Sentences as a caller gives them: one text, or any iterable of texts.

::

    "A dog barks."                       one sentence
    ["A dog barks.", "Yes."]             several; also a tuple, generator, map, open file, array or Series
    {...}, b"...", None, a set, a table  refused: no order, or no text

An iterable is taken once, so that a generator is as good as a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from amrx.errors import InputError

T = TypeVar("T")


def as_texts(sentences: object, noun: str = "sentence") -> list[str]:
    """Return the texts in order; a single string is a list of one.

    Raises:
        InputError: It is neither, or a text holds a lone surrogate; the message names the position.

    Example:
        >>> as_texts("A dog barks."), as_texts(text.strip() for text in ["a ", " b"])
        (['A dog barks.'], ['a', 'b'])
        >>> as_texts(["A dog barks.", None])
        Traceback (most recent call last):
        amrx.errors.InputError: sentence 2 must be a str, got None
    """
    # a subclass, such as numpy's, is not a string to every tokenizer
    given = [sentences] if isinstance(sentences, str) else as_items(sentences, str, noun)
    texts = [str.__str__(text) for text in given]
    for number, text in enumerate(texts, start=1):
        check_characters(text, noun, number)
    return texts


def check_characters(text: str, noun: str, name: object) -> None:
    """Raise InputError when a text holds a lone surrogate, which is no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{noun} {name} holds a lone surrogate: {text[:40]!r}") from None


def as_items(given: object, kinds: type[T] | tuple[type[T], ...], noun: str) -> list[T]:
    """Return the items of an ordered iterable, taken once.

    Raises:
        InputError: It is none, has no order or more than one dimension, or an item is of another type.

    Example:
        >>> as_items(map(int, "12"), int, "number")
        [1, 2]
    """
    names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
    # a table of pandas would give the names of its columns
    flat = getattr(given, "ndim", 1) == 1
    unfit = (str, bytes, bytearray, Mapping, set, frozenset)
    if isinstance(given, unfit) or not isinstance(given, Iterable) or not flat:
        raise InputError(f"{noun}s must be a {names} or an ordered iterable of {names}, got {_shown(given)}")
    items: list[T] = []
    for number, item in enumerate(given, start=1):
        if not isinstance(item, kinds):
            raise InputError(f"{noun} {number} must be a {names}, got {_shown(item)}")
        items.append(item)
    return items


def _shown(value: object) -> str:
    """Return a number or ``None`` as it is, and only the type of anything else, which may be long."""
    return str(value) if value is None or isinstance(value, int | float) else type(value).__name__

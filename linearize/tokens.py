r"""Define the tokens of the pointer form, and their text form on one line.

The form of a token gives its kind::

    (  )          brackets of a node
    <0> <1> ...   pointers, one per node, numbered depth first
    :ARG0-of      a role, inverse or not
    "New York"    a string with its quotes: one token, including spaces
    want-01  -    a symbol: a concept or a constant
    <>            nothing: a node without a concept, a role without a target
    \<3>          a symbol that looks like one of the others, marked by a backslash

A symbol that penman could not read (it holds a space, a bracket, a quote, ``:``, ``/``, ``~`` or
starts with ``#``) becomes a string: ``10:30`` is written ``"10:30"``.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal
from urllib.parse import quote, unquote

Kind = Literal["open", "close", "pointer", "role", "atom", "odd", "empty"]
OPEN, CLOSE, NOTHING = "(", ")", "<>"

# penman lexes line by line, and str.splitlines splits at more characters than "\n"
_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_NOT_IN_SYMBOLS = _BREAKS + ' \t"()/:~\ud800-\udfff'
_NOT_IN_STRINGS = _BREAKS + '"\\\\\ud800-\udfff'
_SYMBOL = re.compile(f"[^#{_NOT_IN_SYMBOLS}][^{_NOT_IN_SYMBOLS}]*")
_ROLE = re.compile(f":[^{_NOT_IN_SYMBOLS}]*")
_STRING = re.compile(f'"[^{_NOT_IN_STRINGS}]*(?:\\\\[^{_BREAKS}\ud800-\udfff][^{_NOT_IN_STRINGS}]*)*"')
_UNREADABLE = re.compile(f"[{_BREAKS}\ud800-\udfff]")
_POINTER = re.compile("<[0-9]+>")
_LOOKS_SPECIAL = re.compile(r"<[0-9]*>|\\.*", re.DOTALL)
_SPLIT = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s|$)|\S+')
_PLAIN = re.compile('[^\\s"%\ud800-\udfff][^\\s\ud800-\udfff]*')


@lru_cache(maxsize=1 << 16)
def kind_of(token: str) -> Kind:
    r"""Return the kind of ``token`` by its form; ``odd`` is unreadable for penman, ``empty`` is blank.

    Example:
        >>> [kind_of(token) for token in ("(", ")", "<7>", ":ARG0-of", "boy", '"New York"', "and/or", " ")]
        ['open', 'close', 'pointer', 'role', 'atom', 'atom', 'odd', 'empty']
    """
    if token == OPEN:
        return "open"
    if token == CLOSE:
        return "close"
    if _POINTER.fullmatch(token):
        return "pointer"
    if _ROLE.fullmatch(token):
        return "role"
    if not token.strip():
        return "empty"
    bare = token[1:] if token.startswith("\\") and len(token) > 1 else token
    return "atom" if _is_symbol(bare) or _STRING.fullmatch(token) else "odd"


def _is_symbol(text: str) -> bool:
    """Return whether penman reads ``text`` without quotes; false for blank text, even of non-ASCII spaces."""
    return bool(text.strip()) and _SYMBOL.fullmatch(text) is not None


def as_string(text: str) -> str:
    r"""Quote ``text`` so that both penman and smatch read it as one constant.

    Inner quotes become apostrophes and backslashes are removed, because smatch has no escapes; a line break
    becomes a space.

    Example:
        >>> print(as_string('say "hi" at 10:30'))
        "say 'hi' at 10:30"
    """
    inner = text[1:] if text.startswith('"') else text
    inner = inner[:-1] if inner.endswith('"') else inner
    return '"' + _UNREADABLE.sub(" ", inner.replace("\\", "").replace('"', "'")) + '"'


@lru_cache(maxsize=1 << 16)
def write_atom(value: object) -> str:
    r"""Write a concept or constant as one token.

    Example:
        >>> [write_atom(value) for value in ("want-01", None, '"New York"', "10:30", "<3>", 4.5)]
        ['want-01', '<>', '"New York"', '"10:30"', '\\<3>', '4.5']
    """
    text = "" if value is None else str(value)
    if not text:
        return NOTHING
    if _is_symbol(text):
        return "\\" + text if _LOOKS_SPECIAL.fullmatch(text) else text
    return text if _STRING.fullmatch(text) else as_string(text)


@lru_cache(maxsize=1 << 16)
def read_atom(token: str) -> str | None:
    r"""Undo :func:`write_atom`; any text gives an atom that penman can read.

    Example:
        >>> read_atom(r"\<3>"), read_atom("<>"), read_atom("and/or")
        ('<3>', None, '"and/or"')
    """
    if token == NOTHING:
        return None
    text = token[1:] if token.startswith("\\") and len(token) > 1 else token
    return text if _is_symbol(text) or _STRING.fullmatch(text) else as_string(text)


def join_tokens(tokens: Iterable[str]) -> str:
    """Write tokens on one line; ``split_tokens(join_tokens(t)) == t`` for any list of strings.

    Strings keep their spaces inside their quotes. A token with other white space, an empty one, a stray
    quote or a leading ``%`` is written as ``%`` and its percent-encoded text.

    Example:
        >>> join_tokens(["(", "<0>", "name", ":op1", '"New York"', ")"])
        '( <0> name :op1 "New York" )'
        >>> join_tokens(["", "100 %"])
        '% %100%20%25'
    """
    return " ".join(
        token
        if _PLAIN.fullmatch(token) or _STRING.fullmatch(token)
        else "%" + quote(token, safe="", errors="surrogatepass")
        for token in tokens
    )


def split_tokens(line: str) -> list[str]:
    """Split one line written by :func:`join_tokens` into its tokens."""
    return [_decode(token) if token.startswith("%") else token for token in _SPLIT.findall(line)]


def _decode(token: str) -> str:
    try:
        return unquote(token[1:], errors="surrogatepass")
    except UnicodeDecodeError:  # not written by join_tokens
        return token

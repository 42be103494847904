r"""Keep text on one line for every reader: penman, ``str.splitlines``, and readers that split at ``\n``.

::

    sentence      "one\u2028two"         ->  "one two"         # ::snt: a space for each break keeps the spans
    id            "7 ::status failed"    ->  "\"7 \\u003a:status failed\""      # ::id: a JSON string
    JSON          {"text": "a\u2028b"}   ->  {"text": "a\\u2028b"}

Law: reading returns the id that was written; only ids that would change unquoted are quoted.
"""

import json
import re

_BREAK = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")  # those of str.splitlines
_FIELD = re.compile(r"(?:^|\s)::(?=[A-Za-z])")


def spaced(text: str) -> str:
    r"""Replace each character that any reader takes for a line end by a space.

    Example:
        >>> spaced("one\u2028two\r\nthree")
        'one two  three'
    """
    return _BREAK.sub(" ", text)


def escaped(value: object) -> str:
    r"""Return JSON on one line, without escaping letters of other scripts.

    Example:
        >>> print(escaped("ü\u2028"))
        "ü\u2028"
    """
    return _BREAK.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


def read_fields(text: str) -> dict[str, str]:
    """Read ``::key value ::key value``.

    Example:
        >>> read_fields("::id 1 ::date 2012")
        {'id': '1', 'date': '2012'}
    """
    fields = [field.partition(" ") for field in _FIELD.split(text)[1:]]
    return {name.strip(): value.strip() for name, _, value in fields}


def quote(value: str) -> str:
    r"""Return the value of a field such that `read_fields` and `unquote` restore it.

    Example:
        >>> quote("lpp 1"), quote("7 ::status failed"), quote(" a")
        ('lpp 1', '"7 \\u003a:status failed"', '" a"')
    """
    bare = value and spaced(value) == value and read_fields(f"::id {value}") == {"id": value}
    if bare and unquote(value) == value:
        return value
    return escaped(value).replace("::", "\\u003a:")


def unquote(value: str) -> str:
    r"""Undo `quote`; values that `quote` would not have quoted are unchanged.

    Example:
        >>> unquote('"7 \\u003a:status failed"'), unquote('"lpp 1"')
        ('7 ::status failed', '"lpp 1"')
    """
    if not (len(value) > 1 and value[0] == value[-1] == '"'):
        return value
    try:
        inner = json.loads(value)
    except ValueError:
        return value
    return inner if quote(inner) == value else value
